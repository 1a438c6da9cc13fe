//! Frames with many messages.

use std::time::Duration;

use super::*;

/// A search that read the frame again for each of its messages would copy 20 GB.
#[tokio::test]
async fn a_frame_is_read_once_for_a_search_over_its_messages() {
    const MESSAGES: usize = 4_000;
    let harness = Harness::new();
    let message = format!(r#"{{"method":"m","params":"{}"}}"#, "x".repeat(1_200));
    let frame = format!("[{}]", vec![message.as_str(); MESSAGES].join(","));
    let batch = harness.sent(&frame).await;
    for at in 0..MESSAGES {
        let start = 1 + at * (message.len() + 1);
        let range = start..start + message.len();
        let member = Description::new(Kind::Notification);
        let added = harness.recorder.member(harness.one, batch, range, member).await;
        added.unwrap();
    }
    harness.flush().await;
    // Two letters are too few for the index.
    for (text, expected) in [("zq", 0), ("xx", MESSAGES as u64 + 1)] {
        let filter = Filter::parse(text).unwrap();
        let count = tokio::time::timeout(Duration::from_secs(10), harness.store.count(&filter)).await;
        let count = count.expect("the search takes too long").unwrap();
        assert_eq!(count, expected, "{text}");
    }
}
