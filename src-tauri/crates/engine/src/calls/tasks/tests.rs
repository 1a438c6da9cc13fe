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

async fn listed(engine: &Engine, server: &ServerId, refresh: bool) -> Vec<(String, String)> {
    let params = json!({"serverId": server, "refresh": refresh, "cursor": null}).to_string();
    let list = engine.call("task_list", &params).await.unwrap();
    let list: TaskListResponse = serde_json::from_str(&list).unwrap();
    assert!(list.supported && list.asked, "{list:?}");
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
