//! What a disabled server does not do.

use patchbay_contract::{AutomaticDraft, ConnectionState, ErrorCode, ServerListResponse};
use serde_json::{Value, json};

use crate::{
    Engine,
    engine::testing::{attended, call},
};

async fn list(engine: &Engine) -> ServerListResponse {
    serde_json::from_value(call(engine, "server_list", json!({})).await).unwrap()
}

async fn refused(engine: &Engine, name: &str, params: &Value) {
    let error = engine.call(name, &params.to_string()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotConnected, "{name}");
    assert!(
        error.message.contains("is disabled. Enable it first."),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn a_disabled_server_is_disconnected_and_nothing_connects_it() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let mut draft = engine.draft_of_command("sleep 100").unwrap();
    draft.automatic = Some(AutomaticDraft {
        connect: true,
        reconnect: true,
    });
    let server = engine.add_server(draft).await.unwrap();
    call(&engine, "connection_open", json!({"serverId": server})).await;
    call(
        &engine,
        "server_disabled_set",
        json!({"serverIds": [server], "disabled": true}),
    )
    .await;
    let item = list(&engine).await.items.remove(0);
    assert!(item.draft.disabled);
    assert!(!matches!(
        item.connection.state,
        ConnectionState::Connecting | ConnectionState::Negotiating | ConnectionState::Ready
    ));

    engine.connect_at_start();
    assert_eq!(list(&engine).await.items[0].automatic, None);
    let params = json!({"serverId": server});
    for name in ["connection_open", "connection_restart", "authorization_start"] {
        refused(&engine, name, &params).await;
    }
    // Enabled, it can be connected again; disabled by its settings, it is disconnected too.
    call(
        &engine,
        "server_disabled_set",
        json!({"serverIds": [server], "disabled": false}),
    )
    .await;
    call(&engine, "connection_open", params.clone()).await;
    let mut draft = list(&engine).await.items.remove(0).draft;
    draft.disabled = true;
    call(
        &engine,
        "server_update",
        json!({"serverId": server, "draft": draft}),
    )
    .await;
    let item = list(&engine).await.items.remove(0);
    assert_eq!(item.connection.state, ConnectionState::Closed);
    refused(&engine, "connection_open", &params).await;
    engine.shutdown().await;
}

#[tokio::test]
async fn groups_are_listed_with_the_servers() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let draft = engine.draft_of_command("sleep 100").unwrap();
    let server = engine.add_server(draft).await.unwrap();
    call(
        &engine,
        "group_save",
        json!({"name": "Work", "serverIds": [server]}),
    )
    .await;
    call(&engine, "group_save", json!({"name": "Demo", "serverIds": []})).await;
    call(&engine, "group_reorder", json!({"groups": ["Demo", "Work"]})).await;
    let listed = list(&engine).await;
    assert_eq!(listed.groups, ["Demo", "Work"]);
    assert_eq!(listed.items[0].draft.groups, ["Work"]);
    call(
        &engine,
        "server_groups_set",
        json!({"serverId": server, "groups": ["Demo"]}),
    )
    .await;
    call(&engine, "group_remove", json!({"group": "Work"})).await;
    let listed = list(&engine).await;
    assert_eq!(
        (listed.groups.len(), &*listed.items[0].draft.groups[0]),
        (1, "Demo")
    );
    engine.shutdown().await;
}
