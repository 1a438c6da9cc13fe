//! The traffic log is exported to a file, which is a recording like that of `--record`.

use std::{fs, path::Path};

use patchbay_contract::{EraChoice, ErrorCode};
use serde_json::{Value, json};

use crate::{client::run_test, engine::connected_in, harness::Harness};

/// Exports and returns the `finished` event.
async fn exported(harness: &Harness, params: Value) -> Value {
    let events = harness.open("traffic_export", params).rest().await;
    let finished = events.last().unwrap().clone();
    assert_eq!(finished["type"], "finished", "{events:#?}");
    finished
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_log_or_a_part_of_it_is_exported_as_a_recording() {
    run_test(async {
        let harness = connected_in(EraChoice::Legacy).await;
        harness.call_tool("add", r#"{"a":1.10,"b":2}"#).rest().await;
        let folder = tempfile::tempdir().unwrap();
        let params = |filter: &str, from: Value, to: Value| json!({"filter": filter, "from": from, "to": to, "folder": folder.path()});
        let recording = harness.recording().await;
        let whole = exported(&harness, params("", Value::Null, Value::Null)).await;
        let path = whole["path"].as_str().unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), recording);
        assert_eq!(whole["bytes"], recording.len() as f64);
        assert_eq!(whole["lines"], recording.lines().count() as f64);

        let calls = exported(&harness, params("method:tools/call", Value::Null, Value::Null)).await;
        let text = fs::read_to_string(calls["path"].as_str().unwrap()).unwrap();
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.contains(r#"\"a\":1.10"#), "{text}");

        let rows = harness.all_rows().await;
        let first = rows.iter().find(|row| row["method"] == "tools/call").unwrap();
        let one = exported(&harness, params("", first["seq"].clone(), first["seq"].clone())).await;
        assert_eq!(one["lines"], 1.0);

        // The same records once more: no file is replaced.
        let again = exported(&harness, params("", Value::Null, Value::Null)).await;
        assert_ne!(again["path"], whole["path"]);
        assert_eq!(fs::read_to_string(path).unwrap(), recording);
        let nothing = exported(&harness, params("method:nothing", Value::Null, Value::Null)).await;
        assert_eq!(nothing["bytes"], 0.0);
        let names = names(folder.path());
        assert_eq!(names.len(), 5, "{names:?}");
        assert!(names.iter().all(|name| name.starts_with("patchbay-traffic-")));
        harness.engine.shutdown().await;
    });
}

#[test]
fn an_export_that_cannot_be_written_says_where_and_leaves_nothing() {
    run_test(async {
        let harness = connected_in(EraChoice::Legacy).await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        for wrong in ["relative".into(), folder.path().join("missing"), file] {
            let params = json!({"filter": "", "from": null, "to": null, "folder": wrong});
            let (sink, mut events) = tokio::sync::mpsc::channel(1);
            let _open = harness
                .engine
                .open_stream("traffic_export", &params.to_string(), sink);
            let ended: Value = serde_json::from_str(&events.recv().await.unwrap()).unwrap();
            assert_eq!(ended["error"]["code"], json!(ErrorCode::InvalidParams), "{ended}");
        }
        assert_eq!(names(folder.path()), ["file"]);
        harness.engine.shutdown().await;
    });
}
