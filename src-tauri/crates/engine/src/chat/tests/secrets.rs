//! Known secrets in what the user writes: neither the model nor a file gets them.

use std::path::Path;

use patchbay_test_server::models::KEY;
use serde_json::json;

use super::turns::{APIS, Harness};

/// The files below a folder that contain a text.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

#[tokio::test]
async fn a_message_with_a_known_secret_is_masked_for_the_model_and_in_the_file() {
    let harness = Harness::new().await;
    for api in APIS {
        let mut chat = harness.begin(api, "script").await;
        harness.send(&chat, &format!("Sent-marker {KEY}.")).await;
        chat.ended(2).await;
        let edited = json!({ "chatId": chat.id, "item": "1", "text": format!("Edit-marker {KEY}.") });
        harness.call("chat_edit", edited).await;
        chat.until(|chat| chat.items.len() == 2 && chat.phase() == "idle" && chat.items[0]["id"] == "3")
            .await;
        let shown = format!("{:?} {}", chat.items, chat.state);
        assert!(shown.contains("Edit-marker *") && !shown.contains(KEY), "{shown}");
    }
    // The provider's key itself goes in a header.
    for request in harness.scripted.seen() {
        let body = request.split_once("\r\n\r\n").map_or(&*request, |(_, body)| body);
        assert!(!body.contains(KEY), "{request}");
    }
    harness.engine.shutdown().await;
    // The messages are in the files, and the secret is not.
    for marker in ["Sent-marker", "Edit-marker"] {
        assert_eq!(files_with(&harness.folder.path().join("chats"), marker).len(), 2);
    }
    assert_eq!(files_with(harness.folder.path(), KEY), [""; 0]);
}
