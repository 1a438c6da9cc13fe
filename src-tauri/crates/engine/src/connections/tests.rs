//! Connections that begin while something else happens.

use std::sync::Arc;

use patchbay_contract::{AutomaticDraft, EnvVar, TransportDraft};
use serde_json::{Value, json};

use super::testing::HeldKeychain;
#[cfg(unix)]
use crate::engine::testing::legacy_script;
use crate::engine::testing::{attended, call, refusal};

/// The keychain asks the user, who edits the server first.
#[tokio::test]
async fn a_connection_begins_with_the_settings_that_were_saved_while_it_waited() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = Arc::<HeldKeychain>::default();
    let engine = keychain.engine(&folder).await;
    let mut draft = engine.draft_of_command("surely-not-installed before").unwrap();
    if let TransportDraft::Stdio { env, .. } = &mut draft.transport {
        env.push(EnvVar {
            name: "API_TOKEN".to_owned(),
            value: "hush-hush-12345".to_owned(),
        });
    }
    let server = engine.add_server(draft).await.unwrap();
    engine.shutdown().await;

    let engine = keychain.engine(&folder).await;
    keychain.hold();
    let saved = async {
        keychain.asked().await;
        let mut draft = engine.state.servers.get(&server).unwrap().draft;
        if let TransportDraft::Stdio { args, .. } = &mut draft.transport {
            *args = vec!["after".to_owned()];
        }
        let params = json!({ "serverId": server, "draft": draft, "chosenRoots": [] });
        call(&engine, "server_update", params).await;
        keychain.release();
    };
    let (opened, ()) = tokio::join!(engine.open_connection(&server), saved);
    opened.unwrap();
    let live = engine.state.live(&server).unwrap();
    let TransportDraft::Stdio { args, .. } = &*live.transport else {
        panic!("not a program");
    };
    assert_eq!(*args, ["after"]);
    engine.shutdown().await;
}

/// The keychain asks the user, who closes Patchbay instead.
#[tokio::test]
async fn an_engine_closes_while_a_connection_waits_for_the_keychain() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = Arc::<HeldKeychain>::default();
    let engine = keychain.engine(&folder).await;
    let draft = engine.draft_of_command("API_TOKEN=hush-hush-12345 surely-not-installed");
    let server = engine.add_server(draft.unwrap()).await.unwrap();
    engine.shutdown().await;

    let engine = keychain.engine(&folder).await;
    keychain.hold();
    let closed = async {
        keychain.asked().await;
        engine.shutdown().await;
        // It still asks.
        keychain.asked().await;
        keychain.release();
    };
    let (opened, ()) = tokio::join!(engine.open_connection(&server), closed);
    assert_eq!(opened.unwrap_err().message, "Patchbay is shutting down.");
}

/// The user removes one in `servers.json` and disables another there.
#[tokio::test]
async fn servers_that_were_removed_or_disabled_in_their_file_are_disconnected_when_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let mut servers = Vec::new();
    for name in ["removed", "disabled", "kept"] {
        let mut draft = engine.draft_of_command("surely-not-installed").unwrap();
        draft.name = name.to_owned();
        draft.automatic = Some(AutomaticDraft {
            connect: true,
            reconnect: true,
        });
        servers.push(engine.add_server(draft).await.unwrap());
    }
    for server in &servers {
        engine.open_connection(server).await.unwrap();
    }
    let path = &engine.state.folders.servers;
    let mut text: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let all = text["mcpServers"].as_object_mut().unwrap();
    all.remove("removed").unwrap();
    all["disabled"]["disabled"] = json!(true);
    std::fs::write(path, text.to_string()).unwrap();
    // The file is read before a change, also before one that is refused.
    let gone = json!({ "serverId": servers[0] });
    let why = refusal(&engine, "server_remove", gone).await;
    assert!(why.contains("There is no server"), "{why}");
    let connection = |at: usize| {
        engine
            .state
            .live(&servers[at])
            .map(|live| live.connection.is_some())
    };
    assert_eq!([0, 1, 2].map(connection), [None, Some(false), Some(true)]);
    engine.shutdown().await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_secret_in_what_a_server_says_of_itself_is_masked() {
    const SERVER: &str = r#"
read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"extensions":{"x/hush-hush-12345":{}}},"serverInfo":{"name":"hush-hush-12345","title":"hush-hush-12345","version":"hush-hush-12345"}}}'
read line
read line
"#;
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let secret = patchbay_secret::Secret::new("hush-hush-12345");
    engine.state.recorder.redact(vec![secret]);
    let server = legacy_script(&engine, SERVER).await;
    let listed = call(&engine, "server_list", json!({})).await["items"][0]["connection"].to_string();
    let details = call(&engine, "connection_get", json!({ "serverId": server }))
        .await
        .to_string();
    for shown in [listed, details] {
        assert!(shown.contains("****") && !shown.contains("hush"), "{shown}");
    }
    engine.shutdown().await;
}
