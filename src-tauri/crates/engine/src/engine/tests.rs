//! The engine as a whole, with standard Unix programs as misbehaving servers. Well-behaved ones are in `tests/it`.

#![cfg(unix)]

mod closing;

use patchbay_contract::{ErrorCode, ServerId, TrafficRowsResponse};
use serde_json::{Value, json};

use crate::{Engine, EngineError, EngineOptions, StoreChoice};

fn options(folder: &tempfile::TempDir, store: StoreChoice) -> EngineOptions {
    EngineOptions {
        store,
        ..EngineOptions::within(folder.path())
    }
}

async fn call(engine: &Engine, name: &str, params: Value) -> Value {
    serde_json::from_str(&engine.call(name, &params.to_string()).await.unwrap()).unwrap()
}

async fn add(engine: &Engine, line: &str) -> ServerId {
    let draft = engine.draft_of_command(line).unwrap();
    engine.add_server(draft).await.unwrap()
}

#[tokio::test]
async fn an_echoed_secret_is_masked_everywhere() {
    const SECRET: &str = "s3cr3t-value-with-1234";
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(&folder, StoreChoice::Temporary))
        .await
        .unwrap();
    let line =
        format!("API_TOKEN={SECRET} sh -c 'echo \"$API_TOKEN\"; echo \"token is $API_TOKEN\" >&2; exit 3'");
    let id = add(&engine, &line).await;
    let failure = engine.connect(&id).await.unwrap().unwrap_err();
    let details = call(&engine, "connection_get", json!({"serverId": id})).await;
    let rows = call(
        &engine,
        "traffic_rows",
        json!({"filter": "", "offset": 0, "limit": 500}),
    )
    .await;
    let rows: TrafficRowsResponse = serde_json::from_value(rows).unwrap();
    let mut seen = format!("{failure:?} {details}");
    for row in &rows.rows {
        let record = call(&engine, "traffic_record", json!({"seq": row.seq})).await;
        seen += &record.to_string();
    }
    assert!(
        seen.contains("******1234"),
        "the output is recorded, masked: {seen}"
    );
    assert!(!seen.contains(SECRET), "{seen}");
    engine.shutdown().await;
}

/// With the clock paused, the patience with a full disk is over as soon as there is nothing else to do.
#[tokio::test(start_paused = true)]
async fn a_record_that_waits_for_the_disk_is_not_said_to_be_cleared() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(&folder, StoreChoice::Temporary))
        .await
        .unwrap();
    let store = &engine.state.store;
    store.set_size_limit(Some(1));
    let recorder = &engine.state.recorder;
    let connection = recorder.connection(patchbay_traffic::NewConnection {
        server_id: "one".to_owned(),
        server_name: "one".to_owned(),
        origin: patchbay_traffic::Origin::Client,
    });
    let text = "x".repeat(100_000);
    let seq = recorder.lifecycle(connection, text, None, None).unwrap();
    store.problem().wait_for(Option::is_some).await.unwrap();
    for (command, params) in [
        ("traffic_locate", json!({"filter": "", "seq": seq.to_string()})),
        ("traffic_record", json!({"seq": seq.to_string()})),
    ] {
        let refused = engine.call(command, &params.to_string()).await.unwrap_err();
        assert!(
            refused.message.contains("is not written yet"),
            "{command}: {refused:?}"
        );
        assert!(
            refused.message.contains("Free some space"),
            "{command}: {refused:?}"
        );
    }
    store.set_size_limit(None);
    engine.shutdown().await;
}

#[tokio::test]
async fn a_data_folder_is_locked_until_shutdown() {
    let folder = tempfile::tempdir().unwrap();
    let first = Engine::open(options(&folder, StoreChoice::Persistent))
        .await
        .unwrap();
    let second = Engine::open(options(&folder, StoreChoice::Persistent))
        .await
        .unwrap_err();
    assert!(matches!(second, EngineError::Locked { .. }), "{second}");
    // One-shot commands need no lock.
    Engine::open(options(&folder, StoreChoice::Temporary))
        .await
        .unwrap()
        .shutdown()
        .await;
    first.shutdown().await;
    Engine::open(options(&folder, StoreChoice::Persistent))
        .await
        .unwrap()
        .shutdown()
        .await;
}

#[tokio::test]
async fn the_limits_of_the_log_are_set_by_a_command_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(&folder, StoreChoice::Persistent))
        .await
        .unwrap();
    let limits = json!({"maxBytes": 2_097_152, "maxAgeMs": null});
    call(&engine, "traffic_set_quota", limits).await;
    for refused in [
        json!({"maxBytes": 1_048_575, "maxAgeMs": null}),
        json!({"maxBytes": -1, "maxAgeMs": null}),
        json!({"maxBytes": null, "maxAgeMs": 59_999}),
    ] {
        let error = engine
            .call("traffic_set_quota", &refused.to_string())
            .await
            .unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidParams, "{refused}");
    }
    engine.shutdown().await;
    let engine = Engine::open(options(&folder, StoreChoice::Persistent))
        .await
        .unwrap();
    let usage = call(&engine, "traffic_usage", json!({})).await;
    assert_eq!(usage["maxBytes"].as_f64(), Some(2_097_152.0), "{usage}");
    assert_eq!(usage["maxAgeMs"], Value::Null);
    engine.shutdown().await;
}

#[tokio::test]
async fn a_damaged_store_is_set_aside_with_a_notice() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("traffic.sqlite"),
        "this is not a database, but long enough to be read as one".repeat(40),
    )
    .unwrap();
    let engine = Engine::open(options(&folder, StoreChoice::Persistent))
        .await
        .unwrap();
    let info = call(&engine, "app_info", json!({})).await;
    assert!(
        info["notices"][0].as_str().unwrap().contains("set aside"),
        "{info}"
    );
    engine.shutdown().await;
}

#[tokio::test]
async fn a_server_that_is_not_connected_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(&folder, StoreChoice::Temporary))
        .await
        .unwrap();
    let id = add(&engine, "no-such-program-anywhere").await;
    let list = json!({"serverId": id, "refresh": false, "cursor": null}).to_string();
    let error = engine.call("tool_list", &list).await.unwrap_err();
    insta::assert_snapshot!(error.message, @r#""no-such-program-anywhere" is not connected. Connect first."#);
    let failure = engine.connect(&id).await.unwrap().unwrap_err();
    assert!(failure.cause.contains("no-such-program-anywhere"), "{failure:?}");
    let item = call(&engine, "server_list", json!({})).await;
    assert_eq!(item["items"][0]["connection"]["state"], "failed");
    engine.shutdown().await;
    let open = json!({"serverId": id}).to_string();
    assert!(
        engine.call("connection_open", &open).await.is_err(),
        "nothing is started after the shutdown"
    );
}

#[tokio::test]
async fn a_stream_reports_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(&folder, StoreChoice::Temporary))
        .await
        .unwrap();
    let (sink, mut messages) = tokio::sync::mpsc::channel(8);
    let params = json!({"serverId": "x", "method": "ping", "paramsJson": null, "timeouts": null}).to_string();
    let _handle = engine.open_stream("request_send", &params, sink.clone()).unwrap();
    let end: Value = serde_json::from_str(&messages.recv().await.unwrap()).unwrap();
    assert_eq!(
        (&end["end"], &end["error"]["code"]),
        (&json!(true), &json!("notFound"))
    );
    for (name, params) in [("request_send", "{}"), ("server_list", "{}"), ("nothing", "{}")] {
        assert!(engine.open_stream(name, params, sink.clone()).is_err(), "{name}");
    }
    engine.shutdown().await;
}

#[tokio::test]
async fn a_second_shutdown_waits_too() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(&folder, StoreChoice::Persistent))
        .await
        .unwrap();
    let first = tokio::spawn({
        let engine = engine.clone();
        async move { engine.shutdown().await }
    });
    while !engine.state.is_closing() {
        tokio::task::yield_now().await;
    }
    engine.shutdown().await;
    // The lock is released last.
    Engine::open(options(&folder, StoreChoice::Persistent))
        .await
        .unwrap()
        .shutdown()
        .await;
    first.await.unwrap();
}

/// The clock is paused, so a wait would never end.
#[tokio::test(start_paused = true)]
async fn an_unknown_record_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(&folder, StoreChoice::Temporary))
        .await
        .unwrap();
    let begun = tokio::time::Instant::now();
    let record = engine
        .call("traffic_record", r#"{"seq":"99"}"#)
        .await
        .unwrap_err();
    let body = engine.body(&patchbay_contract::BodyId("f:99".to_owned())).await;
    assert_eq!(record.code, patchbay_contract::ErrorCode::NotFound);
    assert_eq!(body.unwrap_err().code, patchbay_contract::ErrorCode::NotFound);
    assert_eq!(begun.elapsed(), std::time::Duration::ZERO);
    engine.shutdown().await;
}

#[tokio::test]
async fn a_secret_among_arguments_is_masked_and_never_exported() {
    const SECRET: &str = "s3cr3t-value-with-1234";
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(&folder, StoreChoice::Temporary))
        .await
        .unwrap();
    let line = format!("API_TOKEN={SECRET} sh -c 'exit 3' sh --api-key {SECRET}");
    let id = add(&engine, &line).await;
    engine.connect(&id).await.unwrap().unwrap_err();
    let mut seen = call(&engine, "connection_get", json!({"serverId": id}))
        .await
        .to_string();
    seen += &call(&engine, "server_export", json!({"serverId": id}))
        .await
        .to_string();
    assert!(
        seen.contains("******1234") && seen.contains("${API_TOKEN}") && seen.contains("${API_KEY}"),
        "{seen}"
    );
    assert!(!seen.contains(SECRET), "{seen}");
    engine.shutdown().await;
}
