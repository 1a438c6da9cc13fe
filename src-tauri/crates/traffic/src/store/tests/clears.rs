//! What is left in the files after a clear, and what deleting needs.

use std::path::Path;

use super::files::{folder, query};
use super::*;
use crate::{HttpHead, HttpStage};

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
