//! What is left in the files after a clear, and what deleting needs.

use std::path::Path;
use std::time::Duration;

use super::files::{folder, query, until};
use super::*;
use crate::{HttpHead, HttpStage, Quota};

/// The write-ahead log is emptied when it has this size.
const CHECKPOINT: u64 = 16 << 20;

/// The number of rows of a table.
fn count(path: &Path, table: &str) -> i64 {
    query(path, &format!("SELECT count(*) FROM {table}"))
}

impl Harness {
    async fn stream(&self) -> Seq {
        let head = HttpHead::default();
        let begun = self.recorder.http_begin(self.one, head, None, None);
        let stream = begun.await.unwrap();
        self.flush().await;
        stream
    }

    /// A part of the stream, in a transaction of its own.
    async fn goes_on(&self, stream: Seq) {
        let text = "comment".to_owned();
        let comment = self.recorder.http_event(stream, HttpStage::SseComment { text });
        comment.await.unwrap();
        let body = self.recorder.http_body(stream, Bytes::from_static(b"part"));
        body.await.unwrap();
        self.flush().await;
    }
}

/// Nothing would ever delete them.
#[tokio::test]
async fn a_stream_that_was_cleared_leaves_no_rows_when_it_goes_on() {
    for server in [None, Some("one")] {
        let (_folder, path) = folder();
        let harness = Harness::at(Some(path.clone()));
        let stream = harness.stream().await;
        harness.goes_on(stream).await;
        harness.store.clear(server).await.unwrap();
        harness.goes_on(stream).await;
        let next = harness.stream().await;
        harness.goes_on(next).await;
        for table in ["http_stage", "http_later", "http_body"] {
            let kept = query(&path, &format!("SELECT count(*) FROM {table} WHERE seq = {next}"));
            assert!(kept > 0, "{table}");
            assert_eq!(count(&path, table), kept, "{table}, {server:?}");
        }
    }
}

/// As earlier versions left them.
#[tokio::test]
async fn rows_without_a_record_are_deleted_by_the_next_clear() {
    for server in [None, Some("two")] {
        let (_folder, path) = folder();
        let harness = Harness::at(Some(path.clone()));
        let lost = harness.stream().await;
        harness.goes_on(lost).await;
        let kept = harness.stream().await;
        harness.goes_on(kept).await;
        let deleted = format!("DELETE FROM record WHERE seq = {lost}");
        Connection::open(&path).unwrap().execute(&deleted, []).unwrap();
        harness.store.clear(server).await.unwrap();
        let left = i64::from(server.is_some());
        for table in ["http_stage", "http_later", "http_body"] {
            assert_eq!(count(&path, table), left, "{table}, {server:?}");
        }
    }
}

/// What is deleted is overwritten, and all of that goes through the write-ahead log: as much as the log has, if at once.
#[tokio::test]
async fn clearing_a_large_log_needs_little_space() {
    const PARTS: usize = 80;
    for case in ["frames", "large frames", "a body"] {
        let (_folder, path) = folder();
        let harness = Harness::at(Some(path.clone()));
        let stream = harness.stream().await;
        for part in 0..PARTS {
            let text = format!("{part}{}", "x".repeat(900_000));
            match case {
                "frames" => drop(harness.sent(&text).await),
                "large frames" => drop(harness.sent(&text.repeat(2)).await),
                _ => harness.recorder.http_body(stream, text.into()).await.unwrap(),
            }
            harness.flush().await;
        }
        let size = |ending: &str| {
            let file = format!("{}{ending}", path.display());
            std::fs::metadata(file).unwrap().len()
        };
        assert!(size("") > 3 * CHECKPOINT, "{case}");
        let peak = std::cell::Cell::new(0);
        let cleared = harness.store.clear(None);
        let deleted = until("deleted", || {
            peak.set(size("-wal").max(peak.get()));
            peak.get() > 3 * CHECKPOINT || size("-wal") == 0 && size("") < 1 << 20
        });
        let ((), done) = tokio::join!(deleted, cleared);
        done.unwrap();
        assert!(peak.get() < 3 * CHECKPOINT, "{case}: {} bytes", peak.get());
        assert_eq!(harness.script().await, "", "{case}");
        harness.store.close().await.unwrap();
    }
}

#[tokio::test]
async fn numbers_of_records_that_the_quota_removed_are_not_used_again() {
    let (_folder, path) = folder();
    let harness = Harness::at(Some(path.clone()));
    let last = harness.sent("old").await;
    harness.flush().await;
    let age = Some(Duration::ZERO);
    harness.store.set_quota(Quota { bytes: None, age }).await.unwrap();
    until("removed", || {
        count(&path, "record") + count(&path, "cleared") == 0
    })
    .await;
    harness.store.close().await.unwrap();
    let harness = Harness::at(Some(path));
    assert_eq!(harness.sent("new").await, last + 1);
}

/// The process ended before it had deleted the first record of both; the second one was recorded after the clear.
#[tokio::test]
async fn a_clear_that_continues_in_the_next_run_spares_later_records() {
    for server in ["'one'", "NULL"] {
        let (_folder, path) = folder();
        let harness = Harness::at(Some(path.clone()));
        harness.sent("before").await;
        harness.sent("after").await;
        harness.store.close().await.unwrap();
        let hidden = format!("INSERT INTO cleared (server_id, done, upto) VALUES ({server}, 0, 1)");
        Connection::open(&path).unwrap().execute(&hidden, []).unwrap();

        let harness = Harness::at(Some(path.clone()));
        until("deleted", || count(&path, "cleared") == 0).await;
        assert_eq!(count(&path, "record"), 1, "{server}");
        harness.store.close().await.unwrap();
        let harness = Harness::at(Some(path.clone()));
        assert_eq!(
            harness.script().await,
            "2 one -> Invalid \"after\" 5 B\n",
            "{server}"
        );
        // With the last record, everything of the runs before goes.
        harness.store.clear(None).await.unwrap();
        assert_eq!((count(&path, "run"), count(&path, "connection")), (1, 2));
    }
}

/// On a full disk, for example. The clear has hidden the records, and nothing else waits for the rest.
#[tokio::test]
async fn what_cannot_be_deleted_is_deleted_later() {
    let (_folder, path) = folder();
    let harness = Harness::at(Some(path.clone()));
    harness.sent("old").await;
    harness.flush().await;
    let other = Connection::open(&path).unwrap();
    other
        .execute_batch("CREATE TRIGGER full BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'full'); END")
        .unwrap();
    let cleared = tokio::time::timeout(Duration::from_secs(50), harness.store.clear(None)).await;
    cleared.expect("the clear waits for the disk").unwrap();
    let next = harness.sent("next").await;
    let rows = harness.all().await;
    assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), [next]);
    assert_eq!(count(&path, "record"), 2);
    other.execute_batch("DROP TRIGGER full").unwrap();
    until("deleted", || count(&path, "record") == 1).await;
}
