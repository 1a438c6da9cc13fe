//! Files of the user: what the model gets of them, and what is refused.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::turns::{APIS, Harness, Watched};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

fn file(chat: &Watched, name: &str, kind: &str, bytes: &[u8]) -> Value {
    let source = json!({ "type": "file", "name": name, "mimeType": kind, "data": STANDARD.encode(bytes) });
    json!({ "chatId": chat.id, "serverId": null, "source": source })
}

#[tokio::test]
async fn files_and_images_go_with_the_next_message_in_both_apis() {
    let harness = Harness::new().await;
    for api in APIS {
        let mut chat = harness.begin(api, "script").await;
        // What a browser calls it does not matter.
        let image = harness
            .call("chat_attach", file(&chat, "a.png", "text/plain", PNG))
            .await;
        assert_eq!(
            (&image["hasImages"], &image["serverId"]),
            (&json!(true), &Value::Null)
        );
        assert!(
            image["image"]
                .as_str()
                .unwrap()
                .starts_with("data:image/png;base64,"),
            "{image}"
        );
        let text = harness
            .call(
                "chat_attach",
                file(&chat, "notes.md", "text/markdown", "# Zürich".as_bytes()),
            )
            .await;
        assert_eq!(
            (&text["preview"], &text["image"]),
            (&json!("# Zürich"), &Value::Null)
        );
        harness.send(&chat, "Look").await;
        chat.ended(2).await;
        let seen = harness.scripted.seen().pop().unwrap();
        let sent = match api {
            "anthropic" => r#"{"type":"base64","media_type":"image/png","data":"#,
            _ => r#"{"url":"data:image/png;base64,"#,
        };
        assert!(seen.contains(sent), "{seen}");
        assert!(
            seen.contains(r#"<resource uri=\"file:///notes.md\">\n# Zürich"#),
            "{seen}"
        );
        assert_eq!(
            chat.items[0]["content"].as_array().unwrap().len(),
            3,
            "{}",
            chat.items[0]
        );
        chat.until(|chat| chat.state["attached"] == json!([])).await;
    }
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn a_file_that_no_model_takes_is_refused_in_words() {
    let harness = Harness::new().await;
    let chat = harness.begin("anthropic", "script").await;
    let large = vec![b'x'; (4 << 20) + 3];
    for (name, kind, bytes, why) in [
        ("empty.txt", "text/plain", &b""[..], "empty"),
        (
            "a.zip",
            "application/zip",
            &b"PK\x03\x04\x00"[..],
            "a.zip is application/zip",
        ),
        ("a.pdf", "", &b"%PDF\xff\xfe"[..], "a.pdf is binary"),
        (
            "a.svgz",
            "image/svg+xml",
            &b"\x1f\x8b\xff"[..],
            "PNG, JPEG, GIF, WebP",
        ),
        ("large.txt", "text/plain", &large[..], "more than the 4 MB"),
    ] {
        let refused = harness
            .refused("chat_attach", file(&chat, name, kind, bytes))
            .await;
        assert!(refused.contains(why), "{name}: {refused}");
    }
    let source = json!({ "type": "file", "name": "x", "mimeType": "", "data": "no base64!" });
    let params = json!({ "chatId": chat.id, "serverId": null, "source": source });
    assert!(
        harness
            .refused("chat_attach", params)
            .await
            .contains("not base64")
    );
    let resource =
        json!({ "chatId": chat.id, "serverId": null, "source": { "type": "resource", "uri": "a:b" } });
    assert!(
        harness
            .refused("chat_attach", resource)
            .await
            .contains("server is missing")
    );
    for at in 0..20 {
        harness
            .call("chat_attach", file(&chat, &format!("{at}.txt"), "", b"x"))
            .await;
    }
    let more = harness
        .refused("chat_attach", file(&chat, "21.txt", "", b"x"))
        .await;
    assert!(more.contains("at most 20"), "{more}");
    let first = json!({ "chatId": chat.id, "id": "2", "keepCurrent": true });
    let refused = harness.refused("chat_keep_current", first).await;
    assert!(refused.contains("Only an attached resource"), "{refused}");
    harness.engine.shutdown().await;
}
