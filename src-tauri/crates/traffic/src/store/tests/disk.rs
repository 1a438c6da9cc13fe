//! A full disk, and freed space afterwards.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use super::*;
use crate::intake::queue::Queue;

/// The result of polling the future once.
async fn poll_once<T>(future: impl Future<Output = T>) -> Poll<T> {
    let mut future = pin!(future);
    std::future::poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
}

impl Harness {
    /// Fills the disk, and waits until the writer has noticed.
    async fn fill(&self) {
        self.flush().await;
        let size = |db: &Connection| -> rusqlite::Result<i64> {
            let of = |name| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
            Ok(of("page_count")? * of("page_size")?)
        };
        let size = self.store.inner.readers.with(size).unwrap();
        self.store.set_size_limit(u64::try_from(size).ok());
        let mut problem = self.recorder.problem();
        self.sent(&"the first oversized one ".repeat(1000)).await;
        problem.wait_for(Option::is_some).await.unwrap();
    }
}

#[tokio::test]
async fn nothing_is_lost_while_the_disk_is_full() {
    let harness = Harness::new();
    let mut tail = harness.store.tail(Filter::default());
    assert_eq!(tail.next().await.unwrap().problem, None);
    harness.fill().await;
    let problem = tail.next().await.unwrap().problem;
    assert_eq!(problem.as_deref(), Some("database or disk is full"));
    assert_eq!(harness.store.count(&Filter::default()).await.unwrap(), 0);

    // A full queue blocks recorders; a recorder that gives up leaves nothing behind.
    let large = Bytes::from("z".repeat(1 << 20));
    let mut seqs = vec![1];
    while let Poll::Ready(seq) =
        poll_once(harness.recorder.frame(harness.two, ServerToClient, large.clone())).await
    {
        seqs.push(seq.unwrap());
        assert!(seqs.len() < 100, "the queue has no limit");
    }
    assert!(seqs.len() > 5);
    let (recorder, two) = (harness.recorder.clone(), harness.two);
    let waiting = tokio::spawn(async move { recorder.frame(two, ServerToClient, large).await });
    harness.recorder.describe(1, Description::new(Kind::Notification));

    harness.store.set_size_limit(None);
    seqs.push(waiting.await.unwrap().unwrap());
    let rows = harness.all().await;
    assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), seqs);
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    assert_eq!(rows[0].kind, Kind::Notification);
    assert_eq!(*harness.recorder.problem().borrow(), None);
    let mut last = tail.next().await.unwrap();
    while last.total < seqs.len() as u64 || last.problem.is_some() {
        last = tail.next().await.unwrap();
    }
}

#[tokio::test]
async fn a_clear_frees_space_for_queued_records() {
    for server in [None, Some("one")] {
        let harness = Harness::new();
        for _ in 0..100 {
            harness.sent(&"old ".repeat(1000)).await;
        }
        let kept = harness
            .recorder
            .frame(harness.two, ServerToClient, Bytes::from_static(b"kept"))
            .await
            .unwrap();
        harness.fill().await;
        harness.store.clear(server).await.unwrap();
        assert_eq!(*harness.recorder.problem().borrow(), None);
        let rows = harness.all().await;
        let expected = if server.is_some() { vec![kept] } else { vec![] };
        assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn skipped_lines_of_stderr_are_one_gap() {
    let harness = Harness::new();
    harness.fill().await;
    for line in 0..5000 {
        harness
            .recorder
            .stderr(harness.one, Bytes::from(format!("line {line}")));
        harness.recorder.stderr(harness.two, Bytes::from_static(b"x"));
    }
    harness.store.set_size_limit(None);
    harness.flush().await;
    harness.recorder.stderr(harness.one, Bytes::from_static(b"after"));
    harness.flush().await;
    let of = |server: &str, kind| Filter::default().server(server).kinds(&[kind]);
    for server in ["one", "two"] {
        let lines = harness.store.count(&of(server, Kind::Stderr)).await.unwrap();
        let gaps = harness.store.rows(&of(server, Kind::Gap), 0, 10).await.unwrap();
        assert_eq!(gaps.len(), 1, "{server}");
        let summary = gaps[0].summary.clone().unwrap();
        let skipped: u64 = summary.split(' ').next().unwrap().parse().unwrap();
        assert_eq!(lines + skipped, 5000 + u64::from(server == "one"), "{summary}");
        assert!(lines > 10, "{lines}");
    }
    // The gap is where the lines are missing: after the accepted ones, before the later ones.
    let last = harness
        .store
        .rows(&of("one", Kind::Stderr), 0, 500)
        .await
        .unwrap()
        .pop()
        .unwrap();
    let gap = &harness.store.rows(&of("one", Kind::Gap), 0, 1).await.unwrap()[0];
    assert_eq!(last.summary.as_deref(), Some("after"));
    assert!(gap.seq < last.seq);
}

#[tokio::test]
async fn closing_reports_unwritten_records() {
    let harness = Harness::new();
    harness.fill().await;
    harness.sent("second").await;
    assert!(poll_once(harness.recorder.flush()).await.is_pending());
    let Err(StoreError::Unwritten { records, cause, .. }) = harness.store.close().await else {
        panic!("closed without an error");
    };
    assert_eq!((records, cause.as_str()), (2, "database or disk is full"));
}

#[tokio::test]
async fn who_waits_for_a_record_learns_that_it_was_not_written() {
    let harness = Harness::new();
    harness.fill().await;
    let seq = harness.sent("second").await;
    let mut waiting = pin!(harness.store.flushed(seq));
    assert!(poll_once(waiting.as_mut()).await.is_pending());
    assert!(harness.store.close().await.is_err());
    let flushed = tokio::time::timeout(Duration::from_secs(30), waiting).await;
    assert_eq!(flushed.expect("it waits for ever"), Err(StoreClosed));
}

#[test]
fn stderr_after_the_end_does_not_keep_the_writer_running() {
    let queue = Queue::new(1, 1, 1);
    queue.close();
    queue.stderr(0, 1, 0, Bytes::from_static(b"late"));
    let mut items = VecDeque::new();
    assert!(!queue.take(&mut items, None));
    assert!(items.is_empty());
}

#[tokio::test]
async fn a_writer_that_dies_closes_the_log_and_says_so() {
    let harness = Harness::new();
    harness.sent("kept").await;
    harness.flush().await;
    let mut problem = harness.recorder.problem();
    let kill = Item::Trial(None);
    assert!(harness.store.inner.shared.queue.send(kill));
    let cause = problem.wait_for(Option::is_some).await.unwrap().clone();
    assert!(cause.unwrap().contains("internal error"));
    // Neither what is recorded now nor what waits is taken for written.
    let refused = harness
        .recorder
        .frame(harness.one, ServerToClient, Bytes::from_static(b"late"))
        .await;
    assert!(refused.is_err());
    assert!(harness.store.flush().await.is_err());

    let error = harness.store.close().await.unwrap_err().to_string();
    assert!(error.contains("internal error"), "{error}");
}
