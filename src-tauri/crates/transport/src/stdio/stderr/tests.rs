use patchbay_secret::Secret;
use patchbay_traffic::{NewConnection, Origin, Store, StoreOptions};

use super::*;

const SECRET: &str = "sesame-4711";

/// What the tail keeps of this stderr.
async fn tail_of(stderr: String) -> Vec<String> {
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    recorder.redact(vec![Secret::new(SECRET)]);
    let connection = recorder.connection(NewConnection {
        server_id: "s".to_owned(),
        server_name: "s".to_owned(),
        origin: Origin::Client,
    });
    let tail = StderrTail::default();
    let pipe = Box::new(std::io::Cursor::new(stderr));
    record(pipe, recorder, connection, tail.clone()).await;
    tail.lines()
}

#[tokio::test]
async fn a_secret_across_the_end_of_a_kept_line_is_masked() {
    let start = "x".repeat(TAIL_LINE_BYTES - 6);
    let lines = tail_of(format!("key {SECRET}\r\n{start}{SECRET}\n")).await;
    assert_eq!(lines, ["key ***********".to_owned(), format!("{start}******")]);
}

#[tokio::test]
async fn the_start_of_a_line_in_pieces_is_kept() {
    let lines = tail_of(format!("one{}\ntwo\n", "x".repeat(3 * LINE_LIMIT))).await;
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("onex"));
    assert_eq!(lines[1], "two");
}
