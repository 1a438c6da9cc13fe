//! Calls that a server runs as tasks.

#![cfg(unix)]

use std::collections::HashSet;

use patchbay_contract::{EraChoice, ServerId, TransportDraft};
use patchbay_traffic::OperationId;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{
    stopping::{LONG, requests, sent},
    turns::{Harness, Watched},
};
use crate::engine::testing::legacy_script;

/// Makes a task of each call, which never ends.
const TASKS: &str = r#"
task='"taskId":"t1","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":null,"pollIntervalMs":50'
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"server/discover"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"private"}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"work","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
    *'"tools/call"'*)
      token=$(printf '%s' "$line" | sed -n 's/.*"progressToken":\([^,}]*\).*/\1/p')
      printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"task",%s}}\n' "$id" "$task" ;;
    *'"tasks/get"'*)
      printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}\n' "$token"
      printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete",%s}}\n' "$id" "$task" ;;
    *'"tasks/cancel"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete"}}\n' "$id" ;;
  esac
done
"#;

/// A conversation that may call all tools of a server without a question.
pub(super) async fn trusting(harness: &Harness, server: &ServerId) -> Watched {
    let mut chat = harness.begin("chatCompletions", "script").await;
    chat.until(|chat| !chat.state.is_null()).await;
    let mut settings = chat.state["settings"].clone();
    settings["servers"] = json!([server]);
    settings["rules"] = json!([{ "serverId": server, "covers": { "type": "server" }, "atMs": 1 }]);
    let params = json!({ "chatId": chat.id, "settings": settings });
    harness.call("chat_settings_set", params).await;
    chat
}

/// A conversation with a modern server that is this script.
async fn modern(script: &str) -> (Harness, Watched) {
    let harness = Harness::new().await;
    let mut draft = harness.engine.draft_of_command("sh -c :").unwrap();
    if let TransportDraft::Stdio { args, .. } = &mut draft.transport {
        *args = vec!["-c".to_owned(), script.to_owned()];
    }
    draft.era = EraChoice::Modern;
    let server = harness.engine.add_server(draft).await.unwrap();
    harness.engine.connect(&server).await.unwrap().unwrap();
    let chat = trusting(&harness, &server).await;
    (harness, chat)
}

#[tokio::test]
async fn a_call_that_became_a_task_ends_with_the_turn_and_the_task_is_cancelled() {
    let (harness, mut chat) = modern(TASKS).await;
    harness.send(&chat, "call work {}").await;
    let followed = chat.until(|chat| chat.calls().iter().any(|call| !call["progress"].is_null()));
    timeout(LONG, followed).await.expect("the task is not followed");
    harness.call("chat_stop", json!({ "chatId": chat.id })).await;
    let stopped = chat.until(|chat| chat.items.len() == 4 && chat.phase() == "idle");
    timeout(LONG, stopped).await.expect("it goes on");
    let ended = chat.calls()[0];
    assert_eq!(ended["state"], "cancelled", "{ended}");
    assert_eq!(sent(&harness, "tasks/cancel").await, 1);
    one_operation(&harness, &["tools/call", "tasks/get", "tasks/cancel"]).await;
    harness.engine.shutdown().await;
}

/// Asserts that the last requests with these methods belong to one operation.
async fn one_operation(harness: &Harness, methods: &[&str]) {
    let rows = requests(harness).await;
    let last = |method: &str| rows.iter().rfind(|row| row.method.as_deref() == Some(method));
    let operations = methods.iter().map(|method| last(method).expect(method).operation);
    let operations: HashSet<Option<OperationId>> = operations.collect();
    assert_eq!(operations.len(), 1, "{rows:?}");
}

#[tokio::test]
async fn deleting_a_conversation_cancels_the_task_of_its_call() {
    let (harness, mut chat) = modern(TASKS).await;
    harness.send(&chat, "call work {}").await;
    let followed = chat.until(|chat| chat.calls().iter().any(|call| !call["progress"].is_null()));
    timeout(LONG, followed).await.expect("the task is not followed");
    let deleted = harness.call("chat_remove", json!({ "chatId": chat.id }));
    timeout(LONG, deleted).await.expect("it goes on");
    assert_eq!(sent(&harness, "tasks/cancel").await, 1);
    harness.engine.shutdown().await;
}

/// The end of the call if the server answers `tasks/get` with this member, and how often it was asked to cancel the task.
async fn end_of_task(answer: &str) -> (Value, usize) {
    let working =
        r#"printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete",%s}}\n' "$id" "$task""#;
    assert!(TASKS.contains(working));
    let answered = format!(r#"printf '{{"jsonrpc":"2.0","id":%s,{answer}}}\n' "$id""#);
    let (harness, mut chat) = modern(&TASKS.replace(working, &answered)).await;
    harness.send(&chat, "call work {}").await;
    timeout(LONG, chat.ended(4)).await.expect("it goes on");
    let call = chat.calls()[0].clone();
    let cancelled = sent(&harness, "tasks/cancel").await;
    harness.engine.shutdown().await;
    (call, cancelled)
}

fn state(status: &str) -> String {
    let at = "2026-07-28T10:30:00Z";
    format!(
        r#""result":{{"resultType":"complete","taskId":"t1",{status},"createdAt":"{at}","lastUpdatedAt":"{at}","ttlMs":null}}"#
    )
}

#[tokio::test]
async fn a_call_whose_task_can_no_longer_be_read_may_have_run_and_is_cancelled() {
    let (call, cancelled) = end_of_task(r#""error":{"code":-32603,"message":"gone"}"#).await;
    assert_eq!(call["state"], "failed", "{call}");
    let error = call["error"].as_str().unwrap();
    assert!(error.contains("gone"), "{error}");
    assert!(error.ends_with("The call may have run."), "{error}");
    assert!(!error.contains("not sent"), "{error}");
    assert!(!call["requestSeq"].is_null(), "{call}");
    assert_eq!(cancelled, 1);
}

#[tokio::test]
async fn a_task_that_does_not_say_how_it_ended_ends_its_call() {
    for (status, error) in [
        (
            r#""status":"completed""#,
            "The task is completed, but has no result.",
        ),
        (r#""status":"failed""#, "The task failed, but has no error."),
        (
            r#""status":"succeeded""#,
            "The status \"succeeded\" of the task is unknown.",
        ),
        (r#""statusMessage":"x""#, "The task has no status."),
    ] {
        let (call, _) = end_of_task(&state(status)).await;
        assert_eq!(call["state"], "failed", "{call}");
        let expected = format!("The server answered with an invalid result. {error}");
        assert_eq!(call["error"], expected);
    }
}

#[tokio::test]
async fn a_task_that_the_server_cancelled_was_not_cancelled_by_the_user() {
    let (call, _) = end_of_task(&state(r#""status":"cancelled","statusMessage":"too busy""#)).await;
    assert_eq!(call["state"], "failed", "{call}");
    assert_eq!(call["error"], "The server cancelled the call: too busy");
}

/// Lists a tool that runs as a task only, and refuses calls without one.
const REQUIRED: &str = r#"
at='"createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":null,"pollInterval":50'
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"research","execution":{"taskSupport":"required"},"inputSchema":{"type":"object"}}]}}\n' "$id" ;;
    *'"tools/call"'*'"task":{}'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"task":{"taskId":"t1","status":"working",%s}}}\n' "$id" "$at" ;;
    *'"tools/call"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"it needs a task"}}\n' "$id" ;;
    *'"tasks/get"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"taskId":"t1","status":"completed",%s}}\n' "$id" "$at" ;;
    *'"tasks/result"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"found"}]}}\n' "$id" ;;
  esac
done
"#;

#[tokio::test]
async fn a_tool_that_only_runs_as_a_task_is_called_as_one() {
    let harness = Harness::new().await;
    let server = legacy_script(&harness.engine, REQUIRED).await;
    let mut chat = trusting(&harness, &server).await;
    harness.send(&chat, "call research {}").await;
    timeout(LONG, chat.ended(4)).await.expect("it goes on");
    let call = chat.calls()[0];
    assert_eq!(call["state"], "done", "{call}");
    harness.engine.shutdown().await;
}

/// Lists a second tool once the first was called.
const GROWING: &str = r#"
more=
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"enable","inputSchema":{"type":"object"}}%s]}}\n' "$id" "$more" ;;
    *'"tools/call"'*)
      more=',{"name":"extra","inputSchema":{"type":"object"}}'
      printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
      printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}\n' "$id" ;;
  esac
done
"#;

#[tokio::test]
async fn a_model_gets_the_tools_that_its_call_has_added() {
    let harness = Harness::new().await;
    let server = legacy_script(&harness.engine, GROWING).await;
    let mut chat = trusting(&harness, &server).await;
    harness.send(&chat, "call enable {}").await;
    timeout(LONG, chat.ended(4)).await.expect("it goes on");
    let asked = harness.scripted.seen();
    let offered: Vec<bool> = asked.iter().map(|asked| asked.contains("\"extra\"")).collect();
    assert_eq!(offered, [false, true], "{asked:?}");
    one_operation(&harness, &["tools/list", "tools/call"]).await;
    harness.engine.shutdown().await;
}
