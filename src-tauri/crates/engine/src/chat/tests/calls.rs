//! How the arguments of a call compare with the schema of its tool, as the user sees it before deciding; and what is kept of
//! its end.

use patchbay_contract::ChatCallState;
use serde_json::{Value, json};

use crate::engine::testing::doubling_schema;

use super::{
    super::{
        answer::checked,
        calls::{edit_of, kept},
        item::Call,
    },
    call,
};

#[tokio::test]
async fn arguments_are_valid_wrong_or_said_to_be_too_expensive_to_check() {
    let check = async |schema: &str, edited: Option<&str>| {
        let mut call = call("c", "a", ChatCallState::Waiting);
        call.edited = edited.map(str::to_owned);
        let call = checked(Some(schema), call).await;
        (call.problems, call.not_checked)
    };
    let integer = r#"{"properties":{"n":{"type":"integer"}}}"#;
    assert_eq!(check(integer, None).await, (Vec::new(), None));
    let (problems, reason) = check(integer, Some(r#"{"n":"x"}"#)).await;
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(
        problems[0].starts_with("/n: ") && reason.is_none(),
        "{problems:?} {reason:?}"
    );
    let (problems, reason) = check(&doubling_schema(), None).await;
    assert!(problems.is_empty());
    assert!(
        reason
            .as_ref()
            .is_some_and(|reason| reason.starts_with("too expensive")),
        "{reason:?}"
    );
}

#[test]
fn a_call_runs_with_the_arguments_that_the_user_saw() {
    let mut call = call("c", "a", ChatCallState::Waiting);
    "model".clone_into(&mut call.arguments);
    let mut shown = call.clone();
    "model, masked".clone_into(&mut shown.arguments);
    let chosen =
        |call: &Call, shown: &Call, text: Option<&str>| edit_of(call, Some(shown), text.map(str::to_owned));
    for text in [None, Some("model"), Some("model, masked")] {
        assert_eq!(chosen(&call, &shown, text), None, "{text:?}");
    }
    assert_eq!(chosen(&call, &shown, Some("mine")).as_deref(), Some("mine"));
    // It waits again, with the earlier changes.
    call.edited = Some("earlier".to_owned());
    shown.edited = Some("earlier, masked".to_owned());
    for (text, expected) in [
        (None, Some("earlier")),
        (Some("earlier, masked"), Some("earlier")),
        (Some("model"), None),
        (Some("model, masked"), None),
        (Some("mine"), Some("mine")),
    ] {
        assert_eq!(chosen(&call, &shown, text).as_deref(), expected, "{text:?}");
    }
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn kept_of(result: &Value) -> Value {
    let raw = result.to_string();
    let (cut, size) = kept(&raw);
    assert_eq!(size, Some(raw.len() as f64));
    assert!(cut.len() < 100_000, "{}", cut.len());
    serde_json::from_str(&cut).unwrap()
}

#[test]
fn the_first_blocks_of_a_large_result_are_kept() {
    let large = "x".repeat(3 << 20);
    let image = json!({ "type": "image", "mimeType": "image/png", "data": large });
    let small = json!({ "type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo=" });
    let resource = json!({ "type": "resource", "resource": { "uri": "a:b", "text": large } });
    let cut = kept_of(&json!({
        "isError": true,
        "content": [image, text("one"), small, resource, text("two"), text("three")],
    }));
    let content = cut["content"].as_array().unwrap();
    assert_eq!(cut["isError"], true);
    assert_eq!(
        content[..3],
        [
            text("[image, image/png, 2359296 bytes: left out.]"),
            text("one"),
            small
        ]
    );
    assert!(content[3]["text"].as_str().unwrap().starts_with("xxx"));
    assert_eq!(
        content[4..],
        [text("[Further blocks of the result, which are left out: 2.]")]
    );

    let many = vec![text(&"y".repeat(100)); 30_000];
    let cut = kept_of(&json!({ "content": many }));
    let content = cut["content"].as_array().unwrap();
    assert!((400..600).contains(&content.len()), "{}", content.len());
    assert_eq!((&content[0], &cut["isError"]), (&many[0], &Value::Null));

    let structured = kept_of(&json!({ "content": [], "structuredContent": { "a": large } }));
    let words = structured["content"][0]["text"].as_str().unwrap();
    assert!(words.starts_with(r#"{"a":"xxx"#), "{}", &words[..20]);
}

#[cfg(unix)]
mod of_servers {
    use serde_json::json;
    use tokio::time::timeout;

    use crate::{
        chat::tests::{stopping::LONG, tasks::trusting, turns::Harness},
        engine::testing::legacy_script,
    };

    /// Says much about the progress of the first call, which never ends, and about why it refuses the others.
    const WORDY: &str = r#"
long=$(head -c 200000 /dev/zero | tr '\0' x)
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"work","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
    *'"tools/call"'*'"slow"'*)
      token=$(printf '%s' "$line" | sed -n 's/.*"progressToken":\([^,}]*\).*/\1/p')
      printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1,"message":"%s"}}\n' "$token" "$long" ;;
    *'"tools/call"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"%s"}}\n' "$id" "$long" ;;
  esac
done
"#;

    #[tokio::test]
    async fn long_words_of_a_server_are_cut() {
        let harness = Harness::new().await;
        let server = legacy_script(&harness.engine, WORDY).await;
        let mut chat = trusting(&harness, &server).await;
        harness.send(&chat, r#"call work {"n":"slow"}"#).await;
        let told = chat.until(|chat| chat.calls().iter().any(|call| !call["progress"].is_null()));
        timeout(LONG, told).await.expect("no progress is shown");
        let words = chat.calls()[0]["progress"]["message"].as_str().unwrap();
        assert!(
            words.len() < 66_000 && words.ends_with("… [the beginning of 200000 bytes]"),
            "{}",
            words.len()
        );
        harness.call("chat_stop", json!({ "chatId": chat.id })).await;
        let stopped = chat.until(|chat| chat.items.len() == 4 && chat.phase() == "idle");
        timeout(LONG, stopped).await.expect("it goes on");

        harness.send(&chat, "call work {}").await;
        let ended = chat.until(|chat| chat.items.len() == 8 && chat.phase() == "idle");
        timeout(LONG, ended).await.expect("it does not end");
        let failed = chat.calls()[1];
        let words = failed["error"].as_str().unwrap();
        assert_eq!(failed["state"], "failed");
        assert!(words.starts_with("The server answered with the error -32000: xxx"));
        assert!(words.len() < 66_000, "{}", words.len());
        harness.engine.shutdown().await;
    }

    #[tokio::test]
    async fn a_call_of_a_tool_whose_server_is_gone_says_so() {
        let harness = Harness::new().await;
        let server = legacy_script(&harness.engine, WORDY).await;
        let mut chat = trusting(&harness, &server).await;
        // The tool gets its name.
        harness.call("chat_tools", json!({ "chatId": chat.id })).await;
        harness
            .call("connection_close", json!({ "serverId": server }))
            .await;
        harness.send(&chat, "call work {}").await;
        timeout(LONG, chat.ended(4)).await.expect("it goes on");
        let error = chat.calls()[0]["error"].as_str().unwrap();
        assert!(
            error.starts_with("\"work\" was not called. Its server \":\" gives no tools now.")
                && error.contains("\":\" is not connected."),
            "{error}"
        );
        harness.engine.shutdown().await;
    }

    /// The user may connect a server before the answer is written, and is then shown its tools.
    #[tokio::test]
    async fn a_call_by_hand_may_be_of_a_server_that_was_just_connected() {
        let harness = Harness::new().await;
        let server = legacy_script(&harness.engine, WORDY).await;
        let closed = json!({ "serverId": server });
        harness.call("connection_close", closed).await;
        let settings = json!({ "answers": { "type": "manual" }, "servers": [server] });
        let made = harness.call("chat_create", json!({ "settings": settings })).await;
        let mut chat = harness.watch(made["chatId"].clone());
        harness.send(&chat, "hi").await;
        let writing = chat.until(|chat| chat.phase() == "writing");
        timeout(LONG, writing).await.expect("no answer is wanted");
        harness.engine.connect(&server).await.unwrap().unwrap();
        let calls = json!([{ "alias": "work", "argumentsJson": "{}" }]);
        let written = json!({ "chatId": chat.id, "text": "", "calls": calls });
        harness.call("chat_write", written).await;
        let ended = chat.until(|chat| chat.calls().first().is_some_and(|call| call["state"] != "queued"));
        timeout(LONG, ended).await.expect("there is no call");
        let call = chat.calls()[0];
        assert_eq!(call["state"], "waiting", "{call}");
        harness.engine.shutdown().await;
    }
}
