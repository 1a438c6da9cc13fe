//! The disk is full, and then it is not.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;

use super::*;

/// What the future says when asked once.
async fn poll_once<T>(future: impl Future<Output = T>) -> Poll<T> {
    let mut future = pin!(future);
    std::future::poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
}

impl Desk {
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
        self.sent(&"first that does not fit ".repeat(1000)).await;
        problem.wait_for(Option::is_some).await.unwrap();
    }
}

#[tokio::test]
async fn nothing_is_lost_while_the_disk_is_full() {
    let desk = Desk::new();
    let mut tail = desk.store.tail(Filter::default());
    assert_eq!(tail.next().await.unwrap().problem, None);
    desk.fill().await;
    let problem = tail.next().await.unwrap().problem;
    assert_eq!(problem.as_deref(), Some("database or disk is full"));
    assert_eq!(desk.store.count(&Filter::default()).await.unwrap(), 0);

    // Who records waits, once the queue is full; who waits and gives up leaves nothing behind.
    let large = Bytes::from("z".repeat(1 << 20));
    let mut seqs = vec![1];
    while let Poll::Ready(seq) = poll_once(desk.recorder.frame(desk.two, ServerToClient, large.clone())).await
    {
        seqs.push(seq.unwrap());
        assert!(seqs.len() < 100, "the queue has no bound");
    }
    assert!(seqs.len() > 5);
    let (recorder, two) = (desk.recorder.clone(), desk.two);
    let waiting = tokio::spawn(async move { recorder.frame(two, ServerToClient, large).await });
    desk.recorder.describe(1, Description::new(Kind::Notification));

    desk.store.set_size_limit(None);
    seqs.push(waiting.await.unwrap().unwrap());
    let rows = desk.all().await;
    assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), seqs);
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    assert_eq!(rows[0].kind, Kind::Notification);
    assert_eq!(*desk.recorder.problem().borrow(), None);
    let mut last = tail.next().await.unwrap();
    while last.total < seqs.len() as u64 || last.problem.is_some() {
        last = tail.next().await.unwrap();
    }
}

#[tokio::test]
async fn a_clear_makes_room_for_what_waits() {
    for server in [None, Some("one")] {
        let desk = Desk::new();
        for _ in 0..100 {
            desk.sent(&"old ".repeat(1000)).await;
        }
        let kept = desk
            .recorder
            .frame(desk.two, ServerToClient, Bytes::from_static(b"kept"))
            .await
            .unwrap();
        desk.fill().await;
        desk.store.clear(server).await.unwrap();
        assert_eq!(*desk.recorder.problem().borrow(), None);
        let rows = desk.all().await;
        let expected = if server.is_some() { vec![kept] } else { vec![] };
        assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn skipped_lines_of_stderr_are_one_gap() {
    let desk = Desk::new();
    desk.fill().await;
    for line in 0..5000 {
        desk.recorder
            .stderr(desk.one, Bytes::from(format!("line {line}")));
        desk.recorder.stderr(desk.two, Bytes::from_static(b"x"));
    }
    desk.store.set_size_limit(None);
    desk.flush().await;
    desk.recorder.stderr(desk.one, Bytes::from_static(b"after"));
    desk.flush().await;
    let of = |server: &str, kind| Filter::default().server(server).kinds(&[kind]);
    for server in ["one", "two"] {
        let lines = desk.store.count(&of(server, Kind::Stderr)).await.unwrap();
        let gaps = desk.store.rows(&of(server, Kind::Gap), 0, 10).await.unwrap();
        assert_eq!(gaps.len(), 1, "{server}");
        let summary = gaps[0].summary.clone().unwrap();
        let skipped: u64 = summary.split(' ').next().unwrap().parse().unwrap();
        assert_eq!(lines + skipped, 5000 + u64::from(server == "one"), "{summary}");
        assert!(lines > 10, "{lines}");
    }
    // The gap stands where the lines are missing: after those that fitted, before those that came later.
    let last = desk
        .store
        .rows(&of("one", Kind::Stderr), 0, 500)
        .await
        .unwrap()
        .pop()
        .unwrap();
    let gap = &desk.store.rows(&of("one", Kind::Gap), 0, 1).await.unwrap()[0];
    assert_eq!(last.summary.as_deref(), Some("after"));
    assert!(gap.seq < last.seq);
}

#[tokio::test]
async fn closing_says_what_could_not_be_written() {
    let desk = Desk::new();
    desk.fill().await;
    desk.sent("second").await;
    assert!(poll_once(desk.recorder.flush()).await.is_pending());
    let Err(StoreError::Unwritten { records, cause, .. }) = desk.store.close().await else {
        panic!("closed as if all were well");
    };
    assert_eq!((records, cause.as_str()), (2, "database or disk is full"));
}
