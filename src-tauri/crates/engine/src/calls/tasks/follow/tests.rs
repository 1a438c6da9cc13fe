//! A shell script acts as a 2025-11-25 server that creates a task, and checks the ids it receives.

#![cfg(unix)]

use patchbay_contract::*;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::interval;
use crate::{Engine, EngineOptions, engine::testing::legacy_script};

#[test]
fn the_polling_interval_is_the_servers_with_a_minimum() {
    let seconds = |ms| interval(ms).as_secs_f64();
    assert_eq!(seconds(None), 1.0);
    assert_eq!(seconds(Some(5_000.0)), 5.0);
    assert_eq!(seconds(Some(0.0)), 0.05);
    assert_eq!(seconds(Some(f64::NAN)), 1.0);
    assert_eq!(seconds(Some(1e300)), 86_400.0);
}

const TASK: &str = r#"
task() { printf '"taskId":"t1","status":"%s","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000,"pollInterval":60' "$1"; }
read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"s","version":"1"}}}'
read line
read call
case "$call" in *'"task":{"ttl":60000}'*) ;; *) exit 1;; esac
printf '{"jsonrpc":"2.0","id":2,"result":{"task":{%s}}}\n' "$(task working)"
read line
printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1,"total":4}}'
printf '{"jsonrpc":"2.0","id":3,"result":{%s}}\n' "$(task working)"
read line
printf '{"jsonrpc":"2.0","id":4,"result":{%s}}\n' "$(task completed)"
read result
case "$result" in *tasks/result*) ;; *) exit 1;; esac
printf '%s\n' '{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"done"}]}}'
read line
"#;

struct Stream {
    events: mpsc::Receiver<String>,
    _handle: crate::StreamHandle,
}

impl Stream {
    fn open(engine: &Engine, name: &str, params: &Value) -> Self {
        let (sink, events) = mpsc::channel(16);
        Self {
            _handle: engine.open_stream(name, &params.to_string(), sink).unwrap(),
            events,
        }
    }

    async fn all(mut self) -> Vec<Value> {
        let mut all = Vec::new();
        while let Some(text) = self.events.recv().await {
            let mut message: Value = serde_json::from_str(&text).unwrap();
            match message["event"].take() {
                Value::Null => {
                    assert_eq!(message["error"], Value::Null);
                    break;
                }
                event => all.push(event),
            }
        }
        all
    }
}

#[tokio::test]
async fn a_task_is_followed_to_its_result() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
    let server = legacy_script(&engine, TASK).await;
    let call = json!({"serverId": server, "name": "slow", "argumentsJson": "{}", "metaJson": null, "timeouts": null,
        "asTask": {"ttlMs": 60000}});
    let events = Stream::open(&engine, "tool_call", &call).all().await;
    let task = &events.last().unwrap()["outcome"]["task"];
    assert_eq!(task["taskId"], "t1");
    assert_eq!(task["tool"], "slow");
    assert_eq!(task["pollIntervalMs"], 60.0);
    assert_eq!(task["isFinal"], false);
    let list: TaskListResponse = serde_json::from_str(
        &engine
            .call(
                "task_list",
                &json!({"serverId": server, "refresh": true, "cursor": null}).to_string(),
            )
            .await
            .unwrap(),
    )
    .unwrap();
    assert!(list.supported && list.pages == 0, "{list:?}");
    assert_eq!(list.items[0].task_id, "t1");
    let wait = json!({"serverId": server, "taskId": "t1"});
    let events = Stream::open(&engine, "task_result", &wait).all().await;
    let told: Vec<String> = events
        .iter()
        .map(|event| match event["type"].as_str().unwrap() {
            "task" => format!("task {}", event["task"]["status"].as_str().unwrap()),
            "progress" => format!("progress {} of {}", event["progress"], event["total"]),
            "finished" => {
                let content = &event["outcome"]["view"]["tool"]["content"][0]["text"]["inline"];
                format!("finished {}", content.as_str().unwrap())
            }
            other => other.to_owned(),
        })
        .collect();
    // Progress is told as soon as it comes, the state with the answer to a poll.
    let (progress, told): (Vec<_>, Vec<_>) = told.iter().partition(|event| event.starts_with("progress"));
    assert_eq!(progress, ["progress 1.0 of 4.0"]);
    assert_eq!(
        told,
        ["task working", "task completed", "started", "finished done"]
    );
    let rows = json!({"filter": "", "offset": 0, "limit": 100}).to_string();
    engine.state.recorder.flush().await.unwrap();
    let rows: TrafficRowsResponse =
        serde_json::from_str(&engine.call("traffic_rows", &rows).await.unwrap()).unwrap();
    let call = rows
        .rows
        .iter()
        .find(|row| row.method.as_deref() == Some("tools/call"))
        .unwrap();
    let of_the_call: Vec<&str> = rows
        .rows
        .iter()
        .filter(|row| row.operation.is_some() && row.operation == call.operation)
        .filter_map(|row| row.method.as_deref())
        .collect();
    assert_eq!(
        of_the_call,
        [
            "tools/call",
            "tools/call",
            "tasks/get",
            "notifications/progress",
            "tasks/get",
            "tasks/get",
            "tasks/get",
            "tasks/result",
            "tasks/result"
        ],
        "the task belongs to the call that created it"
    );
    engine.shutdown().await;
}

/// The state of a task that the server no longer knows: the end said that nothing was sent.
#[tokio::test]
async fn a_task_whose_state_is_refused_ends_with_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
    let (before, _) = TASK
        .split_once("read line\nprintf '%s\\n' '{\"jsonrpc\":\"2.0\",\"method\"")
        .unwrap();
    let gone = r#"
read line
printf '%s\n' '{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"There is no such task."}}'
read line
"#;
    let server = legacy_script(&engine, &format!("{before}{gone}")).await;
    let call = json!({"serverId": server, "name": "slow", "argumentsJson": "{}", "metaJson": null, "timeouts": null,
        "asTask": {"ttlMs": 60000}});
    Stream::open(&engine, "tool_call", &call).all().await;
    let wait = json!({"serverId": server, "taskId": "t1"});
    let events = Stream::open(&engine, "task_result", &wait).all().await;
    let end = events.last().expect("an end");
    assert_eq!(end["type"], "finished", "{end}");
    assert_eq!(end["outcome"]["type"], "rpcError", "{end}");
    assert_eq!(end["outcome"]["message"], "There is no such task.", "{end}");
    engine.shutdown().await;
}

/// Makes a task that asks for more and more input: each of its states has 400 requests with keys that no other has.
const ASKS_ON: &str = r#"
task='"taskId":"t1","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":null,"pollIntervalMs":50'
asked=0
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"server/discover"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"private"}}\n' "$id" ;;
    *'"tasks/get"'*)
      inputs=$(awk "BEGIN { for (at = 0; at < 400; at++) printf \"%s\\\"k%d-%d\\\":{\\\"method\\\":\\\"elicitation/create\\\",\\\"params\\\":{}}\", at ? \",\" : \"\", $asked, at }")
      asked=$((asked + 1))
      printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete",%s,"status":"input_required","inputRequests":{%s}}}\n' "$id" "$task" "$inputs" ;;
    *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete"}}\n' "$id" ;;
  esac
done
"#;

#[tokio::test]
async fn a_task_that_asks_for_input_without_end_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let engine = crate::engine::testing::attended(&folder).await;
    let mut draft = engine.draft_of_command("sh -c :").unwrap();
    if let TransportDraft::Stdio { args, .. } = &mut draft.transport {
        *args = vec!["-c".to_owned(), ASKS_ON.to_owned()];
    }
    draft.era = EraChoice::Modern;
    let server = engine.add_server(draft).await.unwrap();
    engine.connect(&server).await.unwrap().unwrap();
    let wait = json!({"serverId": server, "taskId": "t1"});
    let events = Stream::open(&engine, "task_result", &wait).all();
    let events = tokio::time::timeout(std::time::Duration::from_secs(30), events);
    let events = events.await.expect("it is followed without end");
    let outcome = &events.last().unwrap()["outcome"];
    let reason = outcome["reason"].as_str().unwrap();
    assert!(reason.contains("more than 1000 inputs"), "{outcome}");
    engine.shutdown().await;
}
