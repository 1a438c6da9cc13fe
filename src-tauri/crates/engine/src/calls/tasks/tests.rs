//! A shell script acts as a 2025-11-25 server that lists its tasks and reports their states.

#![cfg(unix)]

use std::time::Duration;

use patchbay_contract::*;
use serde_json::json;

use crate::{Engine, EngineOptions, engine::testing::legacy_script};

const LISTING: &str = r#"
task() { printf '"taskId":"%s","status":"%s","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000' "$1" "$2"; }
report() { printf '{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{%s}}\n' "$(task "$1" "$2")"; }
read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tasks":{"list":{},"cancel":{}}},"serverInfo":{"name":"s","version":"1"}}}'
read line
read list
case "$list" in *tasks/list*) ;; *) exit 1;; esac
printf '{"jsonrpc":"2.0","id":2,"result":{"tasks":[{%s},{%s}]}}\n' "$(task t1 working)" "$(task t2 working)"
report t1 completed
report t3 input_required
read list
case "$list" in *tasks/list*) ;; *) exit 1;; esac
printf '{"jsonrpc":"2.0","id":3,"result":{"tasks":[{%s}]}}\n' "$(task t2 failed)"
read line
"#;

async fn list(engine: &Engine, server: &ServerId, refresh: bool) -> TaskListResponse {
    let params = json!({"serverId": server, "refresh": refresh, "cursor": null}).to_string();
    let list = engine.call("task_list", &params).await.unwrap();
    serde_json::from_str(&list).unwrap()
}

async fn listed(engine: &Engine, server: &ServerId, refresh: bool) -> Vec<(String, String)> {
    let list = list(engine, server, refresh).await;
    assert!(list.supported && list.pages == 1, "{list:?}");
    list.items
        .into_iter()
        .map(|item| (item.task_id, item.status))
        .collect()
}

#[tokio::test]
async fn what_a_server_reports_of_its_tasks_is_listed_without_asking_it() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
    let server = legacy_script(&engine, LISTING).await;
    let (sink, mut nudges) = tokio::sync::mpsc::channel(64);
    let _watching = engine.open_stream("app_watch", "{}", sink).unwrap();
    let task = |id: &str, status: &str| (id.to_owned(), status.to_owned());
    listed(&engine, &server, true).await;
    let reported = vec![
        task("t1", "completed"),
        task("t2", "working"),
        task("t3", "input_required"),
    ];
    let told = async {
        while listed(&engine, &server, false).await != reported {
            nudges.recv().await.unwrap();
        }
    };
    tokio::time::timeout(Duration::from_secs(20), told).await.unwrap();
    // A newer list counts again: the server has dropped the others.
    assert_eq!(listed(&engine, &server, true).await, [task("t2", "failed")]);
    engine.shutdown().await;
}

const CUT_OFF: &str = r#"
task() { printf '{"taskId":"%s","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}' "$1"; }
read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tasks":{"list":{}}},"serverInfo":{"name":"s","version":"1"}}}'
read line
read list
printf '{"jsonrpc":"2.0","id":2,"result":{"tasks":[%s],"nextCursor":"c"}}\n' "$(task t1)"
read list
printf '{"jsonrpc":"2.0","id":3,"result":{"tasks":[%s],"nextCursor":"c"}}\n' "$(task t2)"
read list
printf '{"jsonrpc":"2.0","id":4,"result":{"tasks":[%s],"nextCursor":"c"}}\n' "$(task t1)"
read list
printf '{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"no more"}}\n'
read line
"#;

#[tokio::test]
async fn a_list_of_tasks_that_is_cut_off_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
    let server = legacy_script(&engine, CUT_OFF).await;
    let mut revision = 0;
    for (rule, count) in [("list-cursor-repeated", 2), ("list-page-failed", 1)] {
        let found = list(&engine, &server, true).await;
        let rules: Vec<_> = found
            .violations
            .iter()
            .map(|violation| &*violation.rule)
            .collect();
        assert_eq!(rules, [rule]);
        assert_eq!(
            (found.items.len(), found.total, found.pages),
            (count, count as u32, count as u32)
        );
        assert!(!found.has_more && found.stale.is_none(), "{found:?}");
        // Every other window hears of it, and pulls this list.
        assert!(found.revision > revision, "{found:?}");
        revision = found.revision;
        assert_eq!(list(&engine, &server, false).await, found);
    }
    engine.shutdown().await;
}

const PROGRESS: &str = r#"
task() { printf '"taskId":"t1","status":"%s","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000' "$1"; }
progress() { printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":%s,"total":4,"message":"m"}}\n' "$1"; }
read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"s","version":"1"}}}'
read line
read call
printf '{"jsonrpc":"2.0","id":2,"result":{"task":{%s}}}\n' "$(task working)"
progress 1
read go
progress 3
read end
printf '{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{%s}}\n' "$(task completed)"
read line
"#;

#[tokio::test]
async fn the_progress_of_a_task_is_listed_until_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
    let server = legacy_script(&engine, PROGRESS).await;
    let (sink, mut nudges) = tokio::sync::mpsc::channel(64);
    let _watching = engine.open_stream("app_watch", "{}", sink).unwrap();
    let call = json!({"serverId": server, "name": "slow", "argumentsJson": "{}", "metaJson": null, "timeouts": null,
        "asTask": {"ttlMs": 60000}});
    let (sink, _events) = tokio::sync::mpsc::channel(16);
    let _calling = engine.open_stream("tool_call", &call.to_string(), sink).unwrap();
    let reports = |done: Option<f64>| {
        done.map(|progress| RequestProgress {
            progress,
            total: Some(4.0),
            message: Some("m".to_owned()),
        })
    };
    for (status, done) in [
        ("working", Some(1.0)),
        ("working", Some(3.0)),
        ("completed", None),
    ] {
        let expected = (status.to_owned(), reports(done));
        let told = async {
            loop {
                let first = list(&engine, &server, false).await.items.into_iter().next();
                if first.map(|item| (item.status, item.progress)) == Some(expected.clone()) {
                    return;
                }
                nudges.recv().await.unwrap();
            }
        };
        tokio::time::timeout(Duration::from_secs(20), told).await.unwrap();
        // Lets the script go on.
        let message =
            json!({"serverId": server, "text": r#"{"jsonrpc":"2.0","method":"x"}"#, "repeats": null});
        let sent = engine.call("message_send", &message.to_string()).await;
        assert!(sent.is_ok(), "{sent:?}");
    }
    engine.shutdown().await;
}
