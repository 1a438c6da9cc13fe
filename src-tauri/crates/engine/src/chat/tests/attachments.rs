//! Files of the user, resources and prompts: what the model gets of them, what is refused, and how a document shows them.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use patchbay_contract::{ChatCallState, ChatFormat};
use serde_json::{Value, json};

use super::{
    answer,
    at_once::kept_in,
    call,
    turns::{APIS, Harness, Watched},
    user,
};
use crate::chat::{
    export,
    item::{Call, Item, User},
};

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

#[tokio::test]
async fn a_document_names_what_it_has_no_room_for() {
    let folder = tempfile::tempdir().unwrap();
    let conversation = kept_in(&folder.path().join("c.jsonl"));
    let Item::User(message) = user("1", "") else {
        unreachable!()
    };
    let blocks = json!([
        { "type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo=" },
        { "type": "resource", "resource": { "uri": "a:b", "mimeType": "audio/wav", "blob": "UklGRg==" } },
        { "type": "resource", "resource": { "uri": "a:c", "text": "all of it" } },
    ]);
    let cut = Call {
        result: Some(r#"{"content":[]}"#.to_owned()),
        cut_from: Some(5e6),
        ..call("3", "2", ChatCallState::Done)
    };
    let items = vec![
        Item::User(User {
            blocks: blocks.to_string(),
            ..message
        }),
        answer("2", "", 1),
        Item::Call(Box::new(cut)),
    ];
    conversation.put(items).await.unwrap();
    let document = export::text(&conversation, ChatFormat::Markdown).unwrap();
    for words in [
        "*Attached: image, image/png, 8 bytes*",
        "*Attached: a:b, resource, audio/wav, 4 bytes*",
        "all of it",
        "Result, cut from 5000000 bytes:",
    ] {
        assert!(document.contains(words), "{words}: {document}");
    }
    assert!(!document.contains("UklGRg"), "{document}");
}

#[cfg(unix)]
mod of_servers {
    use super::*;
    use crate::engine::testing::legacy_script;

    /// A server with a resource and a prompt.
    fn serving(content: &Value, messages: &Value) -> String {
        let initialize = json!({
            "protocolVersion": "2025-11-25", "serverInfo": { "name": "s", "version": "1" },
            "capabilities": { "resources": {}, "prompts": {} },
        });
        let cases = [
            ("initialize", initialize),
            ("resources/read", json!({ "contents": [content] })),
            ("prompts/get", json!({ "messages": messages })),
        ];
        let cases = cases.map(|(method, result)| {
            format!("*'\"{method}\"'*) printf '{{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}}\\n' \"$id\" '{result}' ;;\n")
        });
        format!(
            r#"while read -r line; do
id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
case "$line" in
{}*'"id"'*) printf '{{"jsonrpc":"2.0","id":%s,"result":{{}}}}\n' "$id" ;;
esac
done
"#,
            cases.concat()
        )
    }

    /// Its size is that of what the model gets.
    #[tokio::test]
    async fn a_binary_resource_says_that_the_model_does_not_get_it() {
        let harness = Harness::new().await;
        let archive = json!({ "uri": "a:zip", "mimeType": "application/zip", "blob": "UEsD".repeat(10_000) });
        let server = legacy_script(&harness.engine, &serving(&archive, &json!([]))).await;
        let mut chat = harness.begin("anthropic", "script").await;
        let source = json!({ "type": "resource", "uri": "a:zip" });
        let params = json!({ "chatId": chat.id, "serverId": server, "source": source });
        let attached = harness.call("chat_attach", params).await;
        let words = "[The resource a:zip is application/zip. Its bytes are not given to the model.]";
        assert_eq!(attached["preview"], words);
        assert!(attached["bytes"].as_f64().unwrap() < 200.0, "{attached}");
        harness.send(&chat, "Look").await;
        chat.ended(2).await;
        let seen = harness.scripted.seen().pop().unwrap();
        assert!(seen.contains(words), "{seen}");
        // The user has it.
        assert_eq!(chat.items[0]["content"][0]["mimeType"], "application/zip");
        harness.engine.shutdown().await;
    }

    #[tokio::test]
    async fn what_a_prompt_lets_the_model_say_is_text_with_all_that_it_says() {
        let harness = Harness::new().await;
        let said = |content: Value| json!({ "role": "assistant", "content": content });
        let messages = json!([
            { "role": "user", "content": { "type": "text", "text": "Read it." } },
            said(json!({ "type": "resource", "resource": { "uri": "a:b", "text": "Hello" } })),
            said(json!({ "type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo=" })),
            said(json!({ "type": "text", "text": "So." })),
        ]);
        let server = legacy_script(&harness.engine, &serving(&json!({}), &messages)).await;
        for api in APIS {
            let mut chat = harness.begin(api, "script").await;
            let source = json!({ "type": "prompt", "name": "p", "argumentsJson": null });
            let params = json!({ "chatId": chat.id, "serverId": server, "source": source });
            harness.call("chat_attach", params).await;
            harness.send(&chat, "And now?").await;
            chat.ended(6).await;
            let texts = chat.items[1..4].iter().map(|item| &item["text"]["inline"]);
            assert_eq!(
                texts.collect::<Vec<_>>(),
                [
                    "<resource uri=\"a:b\">\nHello\n</resource>",
                    "[image, image/png, 8 bytes: left out. An answer has text only.]",
                    "So.",
                ]
            );
            let seen = harness.scripted.seen().pop().unwrap();
            assert!(seen.contains("Hello"), "{seen}");

            // Alone, it ends with an answer, which no model answers.
            let params = json!({ "chatId": chat.id, "serverId": server, "source": source });
            harness.call("chat_attach", params).await;
            harness.send(&chat, "").await;
            chat.ended(12).await;
            assert_eq!(
                chat.last()["text"]["inline"],
                "You said: Go on.",
                "{}",
                chat.last()
            );
        }
        harness.engine.shutdown().await;
    }
}
