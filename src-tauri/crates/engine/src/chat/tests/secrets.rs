//! Known secrets in a conversation: no file gets them, and a model only where the user says so.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use patchbay_test_server::models::KEY;
use serde_json::{Value, json};

use super::turns::{APIS, Harness, Watched};
use crate::engine::testing::{attended, files_with, legacy_script};

/// A server that says the key wherever it can.
fn leaking() -> String {
    let said = |result: Value| result.to_string().replace("KEY", KEY);
    let initialize = said(json!({
        "protocolVersion": "2025-11-25", "instructions": "Use KEY.", "serverInfo": { "name": "s", "version": "1" },
        "capabilities": { "tools": {}, "resources": {}, "prompts": {} },
    }));
    let tool = |name: &str| json!({ "name": name, "description": "Knows KEY", "inputSchema": { "type": "object", "description": "KEY" } });
    let tools = said(json!({ "tools": [tool("leak"), tool("structure"), tool("refuse")] }));
    let resource = json!({ "uri": "file:///KEY", "mimeType": "text/plain", "text": "resource KEY" });
    let content = json!([
        { "type": "text", "text": "result KEY" },
        { "type": "text", "text": STANDARD.encode(format!("Authorization: {KEY}")) },
        { "type": "resource", "resource": resource },
        { "type": "resource_link", "uri": "file:///a?key=KEY", "name": "KEY" },
    ]);
    let prompt = json!([
        { "role": "user", "content": { "type": "text", "text": "prompt KEY" } },
        { "role": "assistant", "content": { "type": "text", "text": "said KEY" } },
    ]);
    let answers = [
        ("tools/list", tools),
        ("\"leak\"", said(json!({ "content": content }))),
        (
            "\"structure\"",
            said(json!({ "content": [], "structuredContent": { "key": "KEY" } })),
        ),
        (
            "\"refuse\"",
            said(json!({ "content": [{ "type": "text", "text": "no KEY" }], "isError": true })),
        ),
        ("resources/read", said(json!({ "contents": [resource] }))),
        ("prompts/get", said(json!({ "messages": prompt }))),
    ];
    let cases = answers.map(|(method, result)| {
        format!("*'{method}'*) printf '{{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}}\\n' \"$id\" '{result}' ;;\n")
    });
    format!(
        r#"read -r line
printf '%s\n' '{{"jsonrpc":"2.0","id":1,"result":{initialize}}}'
read -r line
while read -r line; do
id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
case "$line" in
{}
*) printf '{{"jsonrpc":"2.0","id":%s,"result":{{}}}}\n' "$id" ;;
esac
done
"#,
        cases.concat()
    )
}

/// The bodies of the requests that the provider got.
fn bodies(harness: &Harness) -> Vec<String> {
    let seen = harness.scripted.seen().into_iter();
    seen.map(|request| {
        request
            .split_once("\r\n\r\n")
            .map_or(request.clone(), |(_, body)| body.to_owned())
    })
    .collect()
}

/// Whether a text has the key, plain or in base64.
fn has_key(text: &str) -> bool {
    let encoded = STANDARD.encode(format!("Authorization: {KEY}"));
    // What is before the key in the encoded text is in the masked one too.
    text.contains(KEY) || text.contains(&encoded[24..encoded.len() - 4])
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

#[tokio::test]
async fn no_path_to_a_model_or_a_file_has_a_secret() {
    let harness = Harness::new().await;
    // Before the server is listed, so that the key is known.
    let first = harness.begin("anthropic", "script").await;
    drop(first);
    let server = legacy_script(&harness.engine, &leaking()).await;
    for api in APIS {
        let mut chat = harness.begin(api, "script").await;
        chat.until(|chat| !chat.state.is_null()).await;
        let mut settings = chat.state["settings"].clone();
        settings["servers"] = json!([server]);
        settings["instructionsOf"] = json!([server]);
        settings["systemPrompt"] = json!(format!("Never say {KEY}."));
        settings["thinking"] = json!({ "type": "effort", "effort": "high" });
        settings["rules"] = json!([{ "serverId": server, "covers": { "type": "server" }, "atMs": 1 }]);
        let set = json!({ "chatId": chat.id, "settings": settings });
        harness.call("chat_settings_set", set).await;
        let given = harness.call("chat_tools", json!({ "chatId": chat.id })).await;
        assert!(!has_key(&given["systemPrompt"].to_string()), "{given}");

        for source in [
            json!({ "type": "resource", "uri": "file:///a" }),
            json!({ "type": "prompt", "name": "p", "argumentsJson": null }),
        ] {
            let params = json!({ "chatId": chat.id, "serverId": server, "source": source });
            let attached = harness.call("chat_attach", params).await;
            assert!(!has_key(&attached.to_string()), "{attached}");
        }
        let data = STANDARD.encode(format!("file {KEY}"));
        let source = json!({ "type": "file", "name": "a.txt", "mimeType": "text/plain", "data": data });
        let file = json!({ "chatId": chat.id, "serverId": null, "source": source });
        harness.call("chat_attach", file).await;
        let calls = format!(
            "typed {KEY}\ncall leak {{\"a\":\"{KEY}\"}}\ncall structure {{}}\ncall refuse {{}}\ncall none {{}}"
        );
        harness.send(&chat, &calls).await;
        chat.until(|chat| chat.last_text().contains("The tools say") && chat.phase() == "idle")
            .await;
        let answer = chat.last()["id"].clone();
        let on = json!({ "chatId": chat.id, "item": answer });
        harness.call("chat_regenerate", on).await;
        chat.until(|chat| {
            chat.last()["id"] != answer && chat.phase() == "idle" && chat.last()["type"] == "answer"
        })
        .await;
        // An edited message with what was attached, another branch, and a fork.
        let message = chat
            .items
            .iter()
            .find(|item| item["type"] == "user" && item["from"].is_null());
        let message = message.unwrap()["id"].clone();
        let edit = json!({ "chatId": chat.id, "item": message, "text": format!("edited {KEY}") });
        harness.call("chat_edit", edit).await;
        chat.until(|chat| chat.phase() == "idle" && chat.last_text().contains("edited"))
            .await;
        harness
            .call("chat_branch", json!({ "chatId": chat.id, "item": message }))
            .await;
        chat.until(|chat| chat.calls().len() == 4).await;
        let forked = harness
            .call("chat_fork", json!({ "chatId": chat.id, "before": null }))
            .await;
        let mut fork = harness.watch(forked["chatId"].clone());
        harness.send(&fork, "on").await;
        fork.until(|fork| fork.last_text().contains("You said: on") && fork.phase() == "idle")
            .await;
        for shown in [&chat, &fork] {
            assert!(
                !has_key(&format!("{:?} {}", shown.items, shown.state)),
                "{:#?}",
                shown.items
            );
        }
        let leaked = chat.calls()[0].clone();
        let key = json!(["the key of Scripted"]);
        assert_eq!(
            (&leaked["state"], &leaked["masked"]["names"]),
            (&json!("done"), &key),
            "{leaked}"
        );
        assert_eq!(chat.calls()[2]["masked"]["names"], key);
    }
    let bodies = bodies(&harness);
    for part in [
        "typed",
        "edited",
        "result",
        "resource",
        "prompt",
        "said",
        "file",
        "Use",
        "Never say",
        "Knows",
        "no",
    ] {
        let masked = format!("{part} **");
        let of_part: Vec<&String> = bodies.iter().filter(|body| body.contains(&masked)).collect();
        assert!(of_part.len() > 1, "{part} was sent, masked");
    }
    for body in &bodies {
        assert!(!has_key(body), "{body}");
    }
    harness.engine.shutdown().await;
    let mut files = files_with(harness.folder.path(), KEY);
    // The server is its own command line.
    files.retain(|file| !file.ends_with("/servers.json"));
    assert_eq!(files, [""; 0]);
}

impl Harness {
    async fn as_is(&self, chat: &Watched, item: &str, as_is: bool) {
        let params = json!({ "chatId": chat.id, "item": item, "asIs": as_is });
        self.call("chat_send_as_is", params).await;
    }

    async fn again(&self, chat: &mut Watched) -> String {
        let before = chat.last()["id"].clone();
        let params = json!({ "chatId": chat.id, "item": before });
        self.call("chat_regenerate", params).await;
        chat.until(|chat| {
            chat.last()["id"] != before && chat.last()["type"] == "answer" && chat.phase() == "idle"
        })
        .await;
        bodies(self).pop().unwrap()
    }
}

#[tokio::test]
async fn a_secret_goes_to_a_model_only_where_the_user_says_so() {
    let harness = Harness::new().await;
    for api in APIS {
        let mut chat = harness.begin(api, "script").await;
        harness.send(&chat, &format!("one {KEY}")).await;
        chat.ended(2).await;
        harness.send(&chat, &format!("two {KEY}")).await;
        chat.ended(4).await;
        let masked = json!({ "names": ["the key of Scripted"], "canBeSent": true, "isSent": false });
        assert_eq!(
            (&chat.items[0]["masked"], &chat.items[2]["masked"]),
            (&masked, &masked)
        );

        harness.as_is(&chat, "3", true).await;
        chat.until(|chat| chat.items[2]["masked"]["isSent"] == true).await;
        let body = harness.again(&mut chat).await;
        assert!(
            body.contains(&format!("two {KEY}")) && body.contains("one **"),
            "{body}"
        );
        assert_eq!(body.matches(KEY).count(), 1, "only that item: {body}");
        // The model repeats it; that is masked in what is kept, and in what it gets.
        assert!(chat.last_text().contains("two **"), "{}", chat.last());
        assert_eq!(
            chat.last()["masked"]["names"],
            masked["names"],
            "and named: {}",
            chat.last()
        );

        harness.as_is(&chat, "3", false).await;
        assert!(!has_key(&harness.again(&mut chat).await));
        // A fork begins with everything masked.
        harness.as_is(&chat, "3", true).await;
        let forked = harness
            .call("chat_fork", json!({ "chatId": chat.id, "before": null }))
            .await;
        let mut fork = harness.watch(forked["chatId"].clone());
        fork.until(|fork| fork.items.len() == 4).await;
        assert_eq!(fork.items[2]["masked"], masked);
        assert!(!has_key(&harness.again(&mut fork).await));
        // It is agreed to there too.
        harness.as_is(&fork, "3", true).await;
        assert!(harness.again(&mut fork).await.contains(&format!("two {KEY}")));
    }
    harness.engine.shutdown().await;
    assert_eq!(files_with(harness.folder.path(), KEY), [""; 0]);

    // After a restart nobody knows what it was, so it stays masked.
    let again = Harness {
        engine: attended(&harness.folder).await,
        ..harness
    };
    let listed = again.call("chat_list", json!({ "search": "two" })).await;
    let mut chat = again.watch(listed["items"][0]["id"].clone());
    chat.until(|chat| chat.items.len() == 4).await;
    let masked = json!({ "names": ["the key of Scripted"], "canBeSent": false, "isSent": false });
    assert_eq!(chat.items[2]["masked"], masked);
    let params = json!({ "chatId": chat.id, "item": "3", "asIs": true });
    let why = again.refused("chat_send_as_is", params).await;
    assert!(why.contains("Patchbay was restarted"), "{why}");
    again.engine.shutdown().await;
}

#[tokio::test]
async fn what_the_user_writes_in_place_of_a_model_is_sent_as_it_is_and_kept_masked() {
    let harness = Harness::new().await;
    drop(harness.begin("anthropic", "script").await);
    let echo = r#"read -r line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}'
read -r line
while read -r line; do
id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
case "$line" in
*tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"login","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
*0123456789abcdef*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"welcome"}]}}\n' "$id" ;;
*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"who?"}]}}\n' "$id" ;;
esac
done
"#;
    let server = legacy_script(&harness.engine, echo).await;
    let settings = json!({ "servers": [server], "maxRounds": 4 });
    let made = harness.call("chat_create", json!({ "settings": settings })).await;
    let mut chat = harness.watch(made["chatId"].clone());
    let arguments = json!({ "key": KEY }).to_string();
    harness.send(&chat, "log in").await;
    for edited in [None, Some(&arguments)] {
        chat.until(|chat| chat.phase() == "writing").await;
        let written = edited.map_or(arguments.clone(), |_| "{}".to_owned());
        let calls = json!([{ "alias": "login", "argumentsJson": written }]);
        harness
            .call(
                "chat_write",
                json!({ "chatId": chat.id, "text": format!("I use {KEY}"), "calls": calls }),
            )
            .await;
        chat.until(|chat| chat.calls().iter().any(|call| call["state"] == "waiting"))
            .await;
        let call = chat.calls().pop().unwrap().clone();
        let decision = json!({ "type": "run", "editedJson": edited, "remember": null });
        let params = json!({ "chatId": chat.id, "calls": [call["id"]], "decision": decision });
        harness.call("chat_decide", params).await;
        chat.until(|chat| chat.calls().iter().all(|call| call["state"] == "done"))
            .await;
        let call = chat.calls().pop().unwrap().clone();
        assert!(call.to_string().contains("welcome"), "{call}");
        assert_eq!(call["masked"]["names"], json!(["the key of Scripted"]), "{call}");
        assert!(!has_key(&format!("{:?}", chat.items)), "{:#?}", chat.items);
    }
    harness.engine.shutdown().await;
    assert_eq!(files_with(harness.folder.path(), KEY), [""; 0]);
}
