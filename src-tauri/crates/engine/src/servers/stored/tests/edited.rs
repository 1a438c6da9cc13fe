//! Settings that are changed in `servers.json` and in the window at once.

use super::*;

/// Changes the file as an editor does.
fn edit(harness: &Harness, from: &str, to: &str) {
    let text = harness.text("servers.json");
    assert!(text.contains(from), "{text}");
    std::fs::write(harness.folder.path().join("servers.json"), text.replace(from, to)).unwrap();
}

#[tokio::test]
async fn saving_a_server_keeps_what_was_changed_in_the_file() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    let mut shown = draft("a", "");
    shown["transport"]["args"] = json!(["--old"]);
    let id = add(&engine, shown.clone()).await.unwrap();
    edit(&harness, "--old", "--new");
    shown["timeouts"]["requestMs"] = json!(5000);
    call(&engine, "server_update", json!({"serverId": id, "draft": shown}))
        .await
        .unwrap();
    let file: Value = serde_json::from_str(&harness.text("servers.json")).unwrap();
    let server = &file["mcpServers"]["a"];
    assert_eq!(server["args"], json!(["--new"]));
    assert_eq!(server["timeouts"]["requestMs"], 5000);
    engine.shutdown().await;
}

/// The variable is taken out in the window after its value was moved to an argument in the file.
#[tokio::test]
async fn a_secret_that_the_file_refers_to_stays_in_the_vault() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    let id = add(&engine, draft("a", TOKEN)).await.unwrap();
    let reference = shown(&engine, &id).await;
    edit(&harness, "\"args\": []", &format!("\"args\": [\"{reference}\"]"));
    let mut changed = draft("a", "");
    changed["transport"]["env"] = json!([]);
    call(
        &engine,
        "server_update",
        json!({"serverId": id, "draft": changed}),
    )
    .await
    .unwrap();
    let saved = engine.state.servers.get(&ServerId(id.clone())).unwrap();
    let TransportDraft::Stdio { args, env, .. } =
        resolved(&engine.state, &saved).await.unwrap().draft.transport
    else {
        panic!("a program")
    };
    assert_eq!((args, env), (vec![TOKEN.to_owned()], vec![]));
    engine.shutdown().await;
}

#[tokio::test]
async fn a_file_that_is_set_aside_is_announced_also_by_a_change_that_is_refused() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    let id = add(&engine, draft("a", "")).await.unwrap();
    add(&engine, draft("b", "")).await.unwrap();
    let refused = json!({"serverId": id, "draft": draft("b", "")});
    let update = || call(&engine, "server_update", refused.clone());
    let (_, seen) = engine.state.nudges.since(0);
    update().await.unwrap_err();
    assert_eq!(engine.state.nudges.since(seen).0, []);
    edit(&harness, "\"command\"", "\"comm");
    update().await.unwrap_err();
    let (events, _) = engine.state.nudges.since(seen);
    let topics: Vec<_> = events.iter().map(|event| event.topic).collect();
    assert_eq!(topics, [AppTopic::Servers]);
    let info = call(&engine, "app_info", json!({})).await.unwrap();
    let notices = info["notices"].to_string();
    assert!(notices.contains("servers.json.broken-1"), "{notices}");
    engine.shutdown().await;
}
