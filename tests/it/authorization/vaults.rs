//! Where tokens are stored: what happens to them when the vault changes, and when a locked one is accessed.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use patchbay_contract::ErrorCode;
use patchbay_engine::{Keychain, KeychainError, SecretsChoice, StoreChoice};
use serde_json::{Value, json};

use super::ProtectedServer;
use crate::client::run_test;

const PASSPHRASE: &str = "correct horse battery staple";

/// A keychain that is locked until told otherwise.
#[derive(Default)]
struct LockedKeychain(Mutex<Option<HashMap<String, Vec<u8>>>>);

impl LockedKeychain {
    fn opens(&self) {
        self.0.lock().unwrap().get_or_insert_default();
    }

    fn with<T>(&self, act: impl FnOnce(&mut HashMap<String, Vec<u8>>) -> T) -> Result<T, KeychainError> {
        let mut keys = self.0.lock().unwrap();
        let keys = keys.as_mut();
        keys.map(act)
            .ok_or_else(|| KeychainError::Locked("the prompt was dismissed".to_owned()))
    }
}

impl Keychain for LockedKeychain {
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

/// The user's choice for the vault before there is a token, and once it is in memory.
async fn moved(before: Option<Value>, chosen: Value) {
    let drawer = Arc::new(LockedKeychain::default());
    let secrets = SecretsChoice::Keychain(drawer.clone());
    let first = ProtectedServer::keeping(StoreChoice::Persistent, secrets.clone(), "fair").await;
    if let Some(before) = &before {
        first
            .harness
            .call("vault_choose", json!({"choice": before}))
            .await;
    }
    first.connect().await.unwrap();
    // A user who chose memory knows; otherwise there is a notice.
    let problem = &first.view().await["problem"];
    let is_told = problem
        .as_str()
        .is_some_and(|problem| problem.contains("in memory only"));
    assert_eq!(is_told, before.is_none(), "{problem}");
    drawer.opens();
    first
        .harness
        .call("vault_choose", json!({"choice": chosen}))
        .await;
    // Nothing is queried before the end.
    first.harness.engine.shutdown().await;

    let again = first.another(StoreChoice::Persistent, secrets).await;
    if chosen["type"] == "passphrase" {
        let refused = again.harness.engine.connect(&again.harness.server).await;
        assert_eq!(refused.unwrap_err().code, ErrorCode::VaultNeeded);
        let wrong = json!({"passphrase": "another passphrase"}).to_string();
        let refused = again.harness.engine.call("vault_unlock", &wrong).await;
        assert!(refused.is_err(), "{refused:?}");
        let unlock = json!({"passphrase": PASSPHRASE});
        again.harness.call("vault_unlock", unlock).await;
    }
    let (connected, pages) = again.consenting(again.harness.connect()).await;
    assert!(connected.is_ok() && pages.is_empty(), "{connected:?} {pages:?}");
    again.works("echo").await;
    assert_eq!(
        again.seen("as POST /token").len(),
        1,
        "{:#?}",
        again.server.seen()
    );
    assert_eq!(again.seen("as POST /register").len(), 1);
    assert_eq!(again.view().await["problem"], Value::Null);
    again.harness.engine.shutdown().await;
}

fn memory() -> Option<Value> {
    Some(json!({"type": "memory"}))
}

#[test]
fn a_token_in_memory_moves_to_a_new_passphrase_vault() {
    run_test(moved(memory(), json!({"type": "passphrase", "text": PASSPHRASE})));
}

#[test]
fn a_token_in_memory_moves_to_a_keychain_vault() {
    run_test(moved(memory(), json!({"type": "keychain"})));
}

#[test]
fn an_unsaved_token_moves_to_a_new_passphrase_vault() {
    run_test(moved(None, json!({"type": "passphrase", "text": PASSPHRASE})));
}

#[test]
fn an_unsaved_token_moves_to_a_keychain_vault() {
    run_test(moved(None, json!({"type": "keychain"})));
}
