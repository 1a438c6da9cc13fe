mod edited;
mod inputs;
mod masked;
mod moving;
mod removed;
mod reveal;

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use patchbay_contract::*;
use patchbay_vault::{Keychain, KeychainError};
use serde_json::{Value, json};

use super::*;
use crate::{EngineOptions, SecretsChoice, StoreChoice};

const TOKEN: &str = "tok-4f9a-secret-value";

/// A keychain in memory, which can be made to fail.
#[derive(Default)]
struct FakeKeychain {
    keys: Mutex<HashMap<String, Vec<u8>>>,
    locked: Mutex<bool>,
    asked: Mutex<u32>,
}

impl FakeKeychain {
    fn called(&self) -> Result<(), KeychainError> {
        *self.asked.lock().unwrap() += 1;
        match *self.locked.lock().unwrap() {
            true => Err(KeychainError::Locked("the prompt was dismissed".to_owned())),
            false => Ok(()),
        }
    }
}

impl Keychain for FakeKeychain {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, KeychainError> {
        self.called()?;
        Ok(self.keys.lock().unwrap().get(name).cloned())
    }

    fn write(&self, name: &str, secret: &[u8]) -> Result<(), KeychainError> {
        self.called()?;
        self.keys.lock().unwrap().insert(name.to_owned(), secret.to_vec());
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), KeychainError> {
        self.called()?;
        self.keys.lock().unwrap().remove(name);
        Ok(())
    }
}

struct Harness {
    folder: tempfile::TempDir,
    keychain: Arc<FakeKeychain>,
}

impl Harness {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            keychain: Arc::default(),
        }
    }

    async fn engine(&self, store: StoreChoice) -> Engine {
        Engine::open(EngineOptions {
            store,
            secrets: SecretsChoice::Keychain(self.keychain.clone()),
            ..EngineOptions::within(self.folder.path())
        })
        .await
        .unwrap()
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    fn asked(&self) -> u32 {
        *self.keychain.asked.lock().unwrap()
    }

    fn lock(&self, locked: bool) {
        *self.keychain.locked.lock().unwrap() = locked;
    }
}

async fn call(engine: &Engine, name: &str, params: Value) -> Result<Value, CommandError> {
    let answer = engine.call(name, &params.to_string()).await?;
    Ok(serde_json::from_str(&answer).unwrap())
}

fn draft(name: &str, token: &str) -> Value {
    json!({
        "name": name, "era": "auto",
        "timeouts": {"requestMs": 60000, "maxTotalMs": 600000, "resetOnProgress": true},
        "transport": {"type": "stdio", "command": "server", "args": [], "cwd": null, "env": [{"name": "API_TOKEN", "value": token}]}
    })
}

async fn add(engine: &Engine, draft: Value) -> Result<String, CommandError> {
    let answer = call(engine, "server_add", json!({ "draft": draft })).await?;
    Ok(answer["serverId"].as_str().unwrap().to_owned())
}

/// The value as the list shows it.
async fn shown(engine: &Engine, id: &str) -> String {
    let list = call(engine, "server_list", json!({})).await.unwrap();
    let servers = list["items"].as_array().unwrap();
    let server = servers.iter().find(|server| server["id"] == id).unwrap();
    server["draft"]["transport"]["env"][0]["value"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// The value that the server would receive.
async fn given(engine: &Engine, id: &str) -> Result<String, CommandError> {
    let saved = engine.state.servers.get(&ServerId(id.to_owned()))?;
    let server = resolved(&engine.state, &saved).await?;
    match &server.draft.transport {
        TransportDraft::Stdio { env, .. } => Ok(env[0].value.clone()),
        TransportDraft::Http { .. } => unreachable!("the transport does not change"),
    }
}

async fn state(engine: &Engine) -> Value {
    call(engine, "vault_get", json!({})).await.unwrap()["state"].clone()
}

/// The content of every file below a folder.
fn files(folder: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => all.extend(files(&entry.path())),
            false => all.extend(std::fs::read(entry.path()).unwrap()),
        }
    }
    all
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

#[tokio::test]
async fn without_secrets_the_keychain_is_not_used() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    add(&engine, draft("a", "")).await.unwrap();
    assert_eq!(state(&engine).await, json!({"type": "unopened"}));
    engine.shutdown().await;
    assert_eq!(harness.asked(), 0);
}

#[tokio::test]
async fn a_new_secret_is_stored_in_the_vault_only_and_passed_to_the_server() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    let id = add(&engine, draft("a", TOKEN)).await.unwrap();
    let reference = shown(&engine, &id).await;
    assert!(reference.starts_with("${vault:"), "{reference}");
    assert!(harness.text("servers.json").contains(&reference));
    let vault = call(&engine, "vault_get", json!({})).await.unwrap();
    assert_eq!(vault["state"], json!({"type": "ready", "kept": "keychain"}));
    assert_eq!(vault["stored"], "keychain");
    assert_eq!(given(&engine, &id).await.unwrap(), TOKEN);
    assert_eq!(
        engine.state.masked(format!("x {TOKEN}")),
        "x *****************alue"
    );

    // Sent back unchanged, it is kept; another value replaces it; then nothing refers to the first.
    let update = |value: String| json!({"serverId": id, "draft": draft("renamed", &value)});
    call(&engine, "server_update", update(reference.clone()))
        .await
        .unwrap();
    assert_eq!(shown(&engine, &id).await, reference);
    call(&engine, "server_update", update("tok-another-value".to_owned()))
        .await
        .unwrap();
    assert_ne!(shown(&engine, &id).await, reference);
    assert_eq!(given(&engine, &id).await.unwrap(), "tok-another-value");
    assert_eq!(engine.state.vault.ids().await.unwrap().len(), 1);
    engine.shutdown().await;
    assert!(!holds(&files(harness.folder.path()), TOKEN));
    assert!(!holds(&files(harness.folder.path()), "tok-another-value"));

    let again = harness.engine(StoreChoice::Temporary).await;
    assert!(
        again.state.servers.notices().is_empty(),
        "a reference is not a placeholder"
    );
    assert_eq!(
        given(&again, &id).await.unwrap(),
        "tok-another-value",
        "a one-shot command resolves it too"
    );
    // A temporary value, and even its removal, does not change the saved settings.
    call(
        &again,
        "server_update",
        json!({"serverId": id, "draft": draft("renamed", "for this once")}),
    )
    .await
    .unwrap();
    assert_eq!(given(&again, &id).await.unwrap(), "for this once");
    call(&again, "server_remove", json!({ "serverId": id }))
        .await
        .unwrap();
    again.shutdown().await;
    let again = harness.engine(StoreChoice::Persistent).await;
    call(&again, "server_remove", json!({ "serverId": id }))
        .await
        .unwrap();
    assert_eq!(again.state.vault.ids().await.unwrap(), []);
    again.shutdown().await;
}

#[tokio::test]
async fn without_a_keychain_nothing_is_stored_until_the_user_chooses() {
    let harness = Harness::new();
    harness.lock(true);
    let engine = harness.engine(StoreChoice::Persistent).await;
    let error = add(&engine, draft("a", TOKEN)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::VaultNeeded);
    assert!(
        error.message.contains("the prompt was dismissed"),
        "{}",
        error.message
    );
    let choice = state(&engine).await;
    assert_eq!(choice["offers"], json!(["keychain", "passphrase", "memory"]));
    assert!(!holds(&files(harness.folder.path()), TOKEN));

    call(&engine, "vault_choose", json!({"choice": {"type": "memory"}}))
        .await
        .unwrap();
    let id = add(&engine, draft("a", TOKEN)).await.unwrap();
    assert_eq!(given(&engine, &id).await.unwrap(), TOKEN);
    engine.shutdown().await;
    assert!(!holds(&files(harness.folder.path()), TOKEN));

    // In memory only: lost with the program, with a message.
    let again = harness.engine(StoreChoice::Persistent).await;
    let error = given(&again, &id).await.unwrap_err();
    assert!(
        error.message.contains("the variable `API_TOKEN` of \"a\""),
        "{}",
        error.message
    );
    let error = call(&again, "connection_open", json!({ "serverId": id }))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
    call(
        &again,
        "vault_choose",
        json!({"choice": {"type": "passphrase", "text": "correct horse"}}),
    )
    .await
    .unwrap();
    call(
        &again,
        "server_update",
        json!({"serverId": id, "draft": draft("a", TOKEN)}),
    )
    .await
    .unwrap();
    again.shutdown().await;

    let last = harness.engine(StoreChoice::Persistent).await;
    assert_eq!(given(&last, &id).await.unwrap_err().code, ErrorCode::VaultNeeded);
    assert_eq!(state(&last).await, json!({"type": "locked"}));
    let wrong = call(&last, "vault_unlock", json!({"passphrase": "incorrect horse"})).await;
    assert_eq!(wrong.unwrap_err().code, ErrorCode::InvalidParams);
    call(&last, "vault_unlock", json!({"passphrase": "correct horse"}))
        .await
        .unwrap();
    assert_eq!(given(&last, &id).await.unwrap(), TOKEN);
    last.shutdown().await;
    let all = files(harness.folder.path());
    assert!(!holds(&all, TOKEN) && !holds(&all, "correct horse"));
}

#[tokio::test]
async fn plain_secrets_are_found_and_moved_only_on_request() {
    let harness = Harness::new();
    let text = json!({"mcpServers": {
        "old": {"command": "server", "args": ["--token", "tok-in-argument"], "env": {"API_TOKEN": TOKEN}, "note": "mine"},
        "open": {"command": "server", "env": {"MODE": "fast"}},
    }});
    std::fs::write(harness.folder.path().join("servers.json"), text.to_string()).unwrap();
    let engine = harness.engine(StoreChoice::Persistent).await;
    let found = call(&engine, "secret_find", json!({})).await.unwrap();
    let items = found["items"].as_array().unwrap();
    let id = items[0]["serverId"].as_str().unwrap().to_owned();
    let named: Vec<_> = items.iter().map(|item| (&item["place"], &item["name"])).collect();
    assert_eq!(
        named,
        [
            (&json!("env"), &json!("API_TOKEN")),
            (&json!("argument"), &json!("--token"))
        ]
    );

    // Another change does not move it.
    let mut same = draft("old", TOKEN);
    same["transport"]["args"] = json!(["--token", "tok-in-argument", "--verbose"]);
    call(&engine, "server_update", json!({"serverId": id, "draft": same}))
        .await
        .unwrap();
    assert_eq!(shown(&engine, &id).await, TOKEN);
    assert_eq!(harness.asked(), 0);

    harness.lock(true);
    let error = call(&engine, "secret_move", json!({"serverIds": [id]}))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::VaultNeeded);
    assert!(harness.text("servers.json").contains(TOKEN), "nothing is lost");
    harness.lock(false);
    call(&engine, "vault_choose", json!({"choice": {"type": "keychain"}}))
        .await
        .unwrap();
    let moved = call(&engine, "secret_move", json!({"serverIds": [id]}))
        .await
        .unwrap();
    assert_eq!(moved, json!({"moved": 2}));
    let text = harness.text("servers.json");
    assert!(
        !text.contains(TOKEN) && !text.contains("tok-in-argument") && text.contains("\"mine\""),
        "{text}"
    );
    assert_eq!(given(&engine, &id).await.unwrap(), TOKEN);
    let found = call(&engine, "secret_find", json!({})).await.unwrap();
    assert_eq!(found, json!({"items": []}));
    engine.shutdown().await;
}

#[tokio::test]
async fn the_user_may_choose_plain_text() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    let params = json!({"draft": draft("a", TOKEN), "plainSecrets": true});
    call(&engine, "server_add", params).await.unwrap();
    assert!(harness.text("servers.json").contains(TOKEN));
    assert_eq!(harness.asked(), 0);
    engine.shutdown().await;
}

#[tokio::test]
async fn foreign_settings_cannot_refer_to_the_vault() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    let id = add(&engine, draft("a", TOKEN)).await.unwrap();
    let reference = shown(&engine, &id).await;
    let error = add(&engine, draft("thief", &reference)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidParams);
    engine.shutdown().await;

    // Added to the file by hand, the reference is still rejected.
    let mut file: Value = serde_json::from_str(&harness.text("servers.json")).unwrap();
    file["mcpServers"]["thief"] = json!({"command": "server", "env": {"API_TOKEN": reference}});
    std::fs::write(harness.folder.path().join("servers.json"), file.to_string()).unwrap();
    let engine = harness.engine(StoreChoice::Persistent).await;
    let thief = engine
        .state
        .servers
        .all()
        .into_iter()
        .find(|server| server.draft.name == "thief")
        .unwrap();
    assert_eq!(
        resolved(&engine.state, &thief).await.unwrap_err().code,
        ErrorCode::NotFound
    );
    engine.shutdown().await;
}

#[tokio::test]
async fn pasted_settings_are_searched_for_references() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    let text = format!(
        r#"{{"mcpServers": {{"web": {{"url": "https://host/mcp", "headers": {{"Authorization": "Bearer {TOKEN}"}}}}}}}}"#
    );
    let parsed = call(&engine, "server_parse", json!({ "text": text }))
        .await
        .unwrap();
    assert_eq!(
        parsed["secrets"],
        json!([{"serverId": null, "serverName": "web", "place": "header", "name": "Authorization"}])
    );
    let id = add(&engine, parsed["drafts"][0].clone()).await.unwrap();
    let saved = harness.text("servers.json");
    assert!(
        saved.contains("\"Bearer ${vault:") && !saved.contains(TOKEN),
        "{saved}"
    );
    let exported = call(&engine, "server_export", json!({ "serverId": id }))
        .await
        .unwrap();
    assert!(
        exported["text"]
            .as_str()
            .unwrap()
            .contains("Bearer ${AUTHORIZATION}"),
        "{exported}"
    );
    engine.shutdown().await;
}

#[tokio::test]
async fn a_rejected_server_leaves_nothing_in_the_vault() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    add(&engine, draft("a", TOKEN)).await.unwrap();
    assert!(add(&engine, draft("a", "tok-of-the-second")).await.is_err());
    assert_eq!(engine.state.vault.ids().await.unwrap().len(), 1);
    engine.shutdown().await;
}

#[tokio::test]
async fn a_copy_has_separate_secrets() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    let first = add(&engine, draft("a", TOKEN)).await.unwrap();
    let duplicate = |id: &str, name: &str| {
        let params = json!({"serverId": id, "name": name});
        let engine = engine.clone();
        async move { call(&engine, "server_duplicate", params).await }
    };
    let refused = duplicate(&first, "a").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidParams);
    assert_eq!(engine.state.vault.ids().await.unwrap().len(), 1);

    let answer = duplicate(&first, "b").await.unwrap();
    let second = answer["serverId"].as_str().unwrap();
    assert_eq!(given(&engine, second).await.unwrap(), TOKEN);
    let other = json!({"serverId": first, "draft": draft("a", "tok-another-value")});
    call(&engine, "server_update", other).await.unwrap();
    assert_eq!(given(&engine, second).await.unwrap(), TOKEN);
    call(&engine, "server_remove", json!({ "serverId": first }))
        .await
        .unwrap();
    assert_eq!(given(&engine, second).await.unwrap(), TOKEN);
    call(&engine, "server_remove", json!({ "serverId": second }))
        .await
        .unwrap();
    assert_eq!(engine.state.vault.ids().await.unwrap(), []);
    engine.shutdown().await;
    assert!(!holds(&files(harness.folder.path()), TOKEN));
}
