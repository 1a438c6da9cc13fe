use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use patchbay_auth::StoredTokens;
use patchbay_contract::{AuthorizationDraft, ErrorCode, ServerDraft, ServerId};
use patchbay_traffic::{Recorder, Store, StoreOptions};
use patchbay_vault::{Cost, Keychain, KeychainError, SecretId, Vault, VaultOptions};
use serde_json::{Value, json};

use super::VaultTokenStore;
use crate::Engine;
use crate::engine::testing::{call, refusal, stored_tokens, with_keychain};

const ISSUER: &str = "http://127.0.0.1:9";

/// A keychain that is locked now and then.
#[derive(Default)]
struct LockableKeychain(Mutex<(bool, HashMap<String, Vec<u8>>)>);

impl LockableKeychain {
    fn lock(&self, locked: bool) {
        self.0.lock().unwrap().0 = locked;
    }

    fn with<T>(&self, act: impl FnOnce(&mut HashMap<String, Vec<u8>>) -> T) -> Result<T, KeychainError> {
        match &mut *self.0.lock().unwrap() {
            (true, _) => Err(KeychainError::Locked("the prompt was dismissed".to_owned())),
            (false, keys) => Ok(act(keys)),
        }
    }

    async fn engine(self: &Arc<Self>, folder: &tempfile::TempDir) -> Engine {
        with_keychain(folder, self.clone()).await
    }
}

impl Keychain for LockableKeychain {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, KeychainError> {
        self.with(|keys| keys.get(name).cloned())
    }

    fn write(&self, name: &str, secret: &[u8]) -> Result<(), KeychainError> {
        self.with(|keys| keys.insert(name.to_owned(), secret.to_vec()))
            .map(drop)
    }

    fn remove(&self, name: &str) -> Result<(), KeychainError> {
        self.with(|keys| keys.remove(name)).map(drop)
    }
}

async fn shown(engine: &Engine, server: &ServerId) -> Value {
    call(engine, "authorization_get", json!({ "serverId": server })).await
}

fn vault_name(server: &ServerId) -> SecretId {
    SecretId(format!("server/{server}/authorization/{ISSUER}/mcp"))
}

#[tokio::test]
async fn a_token_in_a_locked_vault_is_there_once_it_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = Arc::<LockableKeychain>::default();
    let engine = keychain.engine(&folder).await;
    let draft = engine.draft_of_url(&format!("{ISSUER}/mcp"));
    let server = engine.add_server(draft).await.unwrap();
    let secret = stored_tokens(ISSUER).to_secret();
    let stored = engine
        .state
        .vault
        .put(vec![(vault_name(&server), secret.clone())]);
    stored.await.unwrap();
    engine.shutdown().await;

    keychain.lock(true);
    let engine = keychain.engine(&folder).await;
    let view = shown(&engine, &server).await;
    assert_eq!(view["token"], Value::Null);
    assert_says_that_the_vault_is_not_open(&view);
    // Neither a second client nor the end of the token: the user opens the vault first.
    for (name, params) in [
        (
            "authorization_start",
            json!({ "serverId": server, "from": null, "scopes": null }),
        ),
        ("authorization_forget", json!({ "serverId": server })),
    ] {
        let refused = engine.call(name, &params.to_string()).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::VaultNeeded, "{name}");
    }
    keychain.lock(false);
    let mut revision = engine.state.nudges.revision();
    let seen = *revision.borrow_and_update();
    call(&engine, "vault_choose", json!({"choice": {"type": "keychain"}})).await;
    let is_told = async {
        while !told(&engine, seen, &server) {
            revision.changed().await.unwrap();
        }
    };
    tokio::time::timeout(Duration::from_secs(20), is_told)
        .await
        .unwrap();
    let view = shown(&engine, &server).await;
    assert_eq!(view["problem"], Value::Null);
    assert_eq!(view["token"]["issuer"], ISSUER);
    // It is sent to any address of the server.
    assert_eq!(view["token"]["issuedTo"], ISSUER);
    let kept = engine.state.vault.get(&vault_name(&server)).await.unwrap();
    assert_eq!(kept.unwrap().expose(), secret.expose());
    engine.shutdown().await;
}

/// The file of the vault is damaged while the token is in use.
#[tokio::test]
async fn a_token_in_an_unreadable_vault_is_revoked_and_not_said_to_be_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Arc::<LockableKeychain>::default().engine(&folder).await;
    let server = engine.add_server(engine.draft_of_url(&format!("{ISSUER}/mcp")));
    let server = server.await.unwrap();
    let vault = &engine.state.vault;
    let secret = stored_tokens(ISSUER).to_secret();
    vault.put(vec![(vault_name(&server), secret)]).await.unwrap();
    assert_eq!(shown(&engine, &server).await["token"]["issuer"], ISSUER);
    std::fs::write(vault.file().unwrap(), "x").unwrap();
    let params = json!({ "serverId": server });
    let message = refusal(&engine, "authorization_forget", params).await;
    assert!(message.contains("could not be deleted"), "{message}");
    let view = shown(&engine, &server).await;
    assert_eq!(view["token"]["issuer"], ISSUER, "{view:#}");
    assert_eq!(view["run"]["cause"], "forget", "{view:#}");
    engine.shutdown().await;
}

fn assert_says_that_the_vault_is_not_open(view: &Value) {
    let problem = view["problem"].as_str().unwrap();
    assert!(problem.contains("The vault is not open"), "{view:#}");
}

/// Whether the window was told since then to show this authorization again.
fn told(engine: &Engine, seen: u32, server: &ServerId) -> bool {
    let (events, _) = engine.state.nudges.since(seen);
    events
        .iter()
        .any(|event| event.server_id.as_ref() == Some(server))
}

/// Without the client secret of its settings, nothing is known about its token.
#[tokio::test]
async fn a_server_with_a_secret_in_a_locked_vault_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = Arc::<LockableKeychain>::default();
    let engine = keychain.engine(&folder).await;
    let mut draft = engine.draft_of_url(&format!("{ISSUER}/mcp"));
    draft.authorization = Some(AuthorizationDraft {
        client_id: Some("me".to_owned()),
        client_secret: Some("hush-hush-12345".to_owned()),
        ..AuthorizationDraft::default()
    });
    let server = engine.add_server(draft).await.unwrap();
    engine.shutdown().await;
    keychain.lock(true);
    let engine = keychain.engine(&folder).await;
    let view = shown(&engine, &server).await;
    assert_says_that_the_vault_is_not_open(&view);
    keychain.lock(false);
    call(&engine, "vault_choose", json!({"choice": {"type": "keychain"}})).await;
    assert_eq!(shown(&engine, &server).await["problem"], Value::Null);
    engine.shutdown().await;
}

#[tokio::test]
async fn changed_settings_keep_a_token_that_is_in_memory_only() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = Arc::<LockableKeychain>::default();
    keychain.lock(true);
    let engine = keychain.engine(&folder).await;
    let draft = engine.draft_of_url(&format!("{ISSUER}/mcp"));
    let server = engine.add_server(draft.clone()).await.unwrap();
    shown(&engine, &server).await;
    let store = engine.state.authorizations.lock().servers[&server].store.clone();
    store.save(stored_tokens(ISSUER)).await.unwrap();
    let name = "renamed".to_owned();
    let servers = &engine.state.servers;
    servers.update(&server, ServerDraft { name, ..draft }).unwrap();
    let view = shown(&engine, &server).await;
    assert_eq!(view["token"]["issuer"], ISSUER, "{view:#}");
    assert!(
        view["problem"].as_str().unwrap().contains("in memory only"),
        "{view:#}"
    );
    engine.shutdown().await;
}

/// A store in a vault whose folder can be taken away.
fn store_in(folder: &std::path::Path, recorder: &Recorder) -> VaultTokenStore {
    let vault = Vault::open(VaultOptions {
        file: Some(folder.join("vault.json")),
        keychain: Arc::<LockableKeychain>::default(),
        patience: Duration::from_secs(60),
        cost: Cost::default(),
        observer: Arc::new(|_| {}),
    });
    VaultTokenStore::new(vault, SecretId("a".to_owned()), recorder.clone(), None)
}

/// A token in a file that cannot be read is used further, and is not taken for deleted.
#[tokio::test]
async fn an_unreadable_file_neither_loses_a_token_nor_forgets_it() {
    let folder = tempfile::tempdir().unwrap();
    let (file, copy) = (folder.path().join("vault.json"), folder.path().join("copy"));
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let store = store_in(folder.path(), &recorder);
    store.save(stored_tokens(ISSUER)).await.unwrap();
    std::fs::copy(&file, &copy).unwrap();
    std::fs::write(&file, "x").unwrap();
    let is_kept = async || store.load().await.unwrap().tokens.is_some();
    assert!(is_kept().await);
    let error = store.save(StoredTokens::default()).await.unwrap_err();
    assert!(error.cause.contains("could not be deleted"), "{error}");
    assert!(error.cause.contains("cannot be read"), "{error}");
    assert_eq!(store.unsaved(), None);
    assert!(is_kept().await);
    std::fs::copy(&copy, &file).unwrap();
    assert!(is_kept().await);
    // It can be forgotten now, for good.
    store.save(StoredTokens::default()).await.unwrap();
    assert!(!is_kept().await);
    assert!(!is_kept().await);
    std::fs::write(&file, "x").unwrap();
    assert!(!is_kept().await);
}

#[tokio::test]
async fn a_token_that_cannot_be_written_is_kept_in_memory_and_written_later() {
    let folder = tempfile::tempdir().unwrap();
    let (place, elsewhere) = (folder.path().join("data"), folder.path().join("elsewhere"));
    std::fs::create_dir(&place).unwrap();
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let store = store_in(&place, &recorder);
    let mut kept = stored_tokens(ISSUER);
    store.save(kept.clone()).await.unwrap();
    // The volume is gone.
    std::fs::rename(&place, &elsewhere).unwrap();
    std::fs::write(&place, "").unwrap();
    kept.tokens.as_mut().unwrap().client_id = "other".to_owned();
    assert!(store.save(kept).await.is_err());
    let client_id = async || store.load().await.unwrap().tokens.unwrap().client_id;
    assert_eq!(client_id().await, "other");
    assert!(store.unsaved().unwrap().contains("in memory only"));
    std::fs::remove_file(&place).unwrap();
    std::fs::rename(&elsewhere, &place).unwrap();
    assert_eq!(client_id().await, "other");
    assert_eq!(store.unsaved(), None);
    let written = store.vault.get(&store.id).await.unwrap().unwrap();
    assert!(written.expose().contains("other"));
}
