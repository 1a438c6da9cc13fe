//! Frames with many messages.

use super::*;

/// Read again for each of its messages, this frame takes minutes: 20,000 times 16 MiB.
#[tokio::test]
async fn a_frame_is_read_once_for_a_search_over_its_messages() {
    const MESSAGES: usize = 20_000;
    let harness = Harness::new();
    let message = format!(r#"{{"method":"m","params":"{}"}}"#, "x".repeat(800));
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
        assert_eq!(harness.store.count(&filter).await.unwrap(), expected, "{text}");
    }
}
