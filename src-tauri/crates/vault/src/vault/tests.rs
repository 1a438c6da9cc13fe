//! A vault with a scripted keychain.

mod choices;
mod shared;
mod trouble;

use std::{
    collections::HashMap,
    sync::{
        Condvar,
        atomic::{AtomicU32, Ordering},
    },
};

use super::*;
use crate::{Choice, KeychainError, Offer, Stored};

const TOKEN: &str = "tok-4f9a-secret-value";

/// A keychain in memory.
#[derive(Default)]
struct FakeKeychain {
    keys: Mutex<HashMap<String, Vec<u8>>>,
    fails: Mutex<Option<KeychainError>>,
    asked: AtomicU32,
    /// While true, calls block.
    silent: Mutex<bool>,
    speaks: Condvar,
}

impl FakeKeychain {
    fn fail(&self, error: Option<KeychainError>) {
        *self.fails.lock().unwrap() = error;
    }

    fn silence(&self, silent: bool) {
        *self.silent.lock().unwrap() = silent;
        self.speaks.notify_all();
    }

    fn asked(&self) -> u32 {
        self.asked.load(Ordering::SeqCst)
    }

    fn called(&self) -> Result<(), KeychainError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let silent = self.silent.lock().unwrap();
        drop(self.speaks.wait_while(silent, |silent| *silent).unwrap());
        match &*self.fails.lock().unwrap() {
            Some(error) => Err(error.clone()),
            None => Ok(()),
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

/// The environment of a vault: a folder, a keychain, and the values reported for masking.
struct Harness {
    folder: tempfile::TempDir,
    keychain: Arc<FakeKeychain>,
    reported: Arc<Mutex<Vec<String>>>,
    patience: Duration,
}

impl Harness {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            keychain: Arc::default(),
            reported: Arc::default(),
            patience: Duration::from_secs(60),
        }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("vault.json")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.file()).unwrap()
    }

    /// Opens the vault as a starting program does.
    fn open(&self) -> Vault {
        let reported = self.reported.clone();
        Vault::open(VaultOptions {
            file: Some(self.file()),
            keychain: self.keychain.clone(),
            patience: self.patience,
            cost: Cost {
                memory_kib: 64,
                passes: 1,
                lanes: 1,
            },
            observer: Arc::new(move |values| {
                reported
                    .lock()
                    .unwrap()
                    .extend(values.iter().map(|(_, value)| value.expose().to_owned()));
            }),
        })
    }

    /// The files in the folder, except for locks.
    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "locks")
            .collect();
        names.sort();
        names
    }

    fn reported(&self) -> Vec<String> {
        let mut reported = self.reported.lock().unwrap().clone();
        reported.sort();
        reported.dedup();
        reported
    }
}

fn id(name: &str) -> SecretId {
    SecretId(name.to_owned())
}

async fn put(vault: &Vault, name: &str, value: &str) -> Result<(), VaultError> {
    vault.put(vec![(id(name), Secret::new(value))]).await
}

async fn got(vault: &Vault, name: &str) -> Option<String> {
    let value = vault.get(&id(name)).await.unwrap();
    value.map(|value| value.expose().to_owned())
}

fn needed(result: Result<impl Sized, VaultError>) -> State {
    match result {
        Err(VaultError::Needed(state)) => state,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("the vault was open"),
    }
}

fn offers(state: &State) -> Vec<Offer> {
    match state {
        State::Choice { offers, .. } | State::Broken { offers, .. } => offers.clone(),
        other => panic!("{other:?} offers nothing"),
    }
}

#[tokio::test]
async fn the_keychain_is_not_used_without_need() {
    let harness = Harness::new();
    harness
        .keychain
        .fail(Some(KeychainError::Absent("no bus".to_owned())));
    let vault = harness.open();
    assert_eq!(got(&vault, "any").await, None);
    assert_eq!(vault.ids().await.unwrap(), []);
    vault.remove(vec![id("any")]).await.unwrap();
    assert_eq!(vault.state(), State::Unopened);
    assert_eq!(harness.keychain.asked(), 0);
    assert_eq!(harness.files(), [""; 0]);
}

#[tokio::test]
async fn secrets_persist_and_are_encrypted_on_disk() {
    let harness = Harness::new();
    let vault = harness.open();
    put(&vault, "a", TOKEN).await.unwrap();
    put(&vault, "b", "other value").await.unwrap();
    assert_eq!(vault.state(), State::Ready(KeyLocation::Keychain));
    assert!(!harness.text().contains(TOKEN) && !harness.text().contains("other value"));
    assert_eq!(harness.keychain.keys.lock().unwrap().len(), 1, "one key for all");

    let again = harness.open();
    assert_eq!(got(&again, "a").await.as_deref(), Some(TOKEN));
    assert_eq!(got(&again, "c").await, None);
    assert_eq!(again.ids().await.unwrap(), [id("a"), id("b")]);
    let asked = harness.keychain.asked();
    again.remove(vec![id("a"), id("c")]).await.unwrap();
    assert_eq!(got(&again, "a").await, None);
    assert_eq!(got(&again, "b").await.as_deref(), Some("other value"));
    assert_eq!(harness.keychain.asked(), asked, "the key is asked for once");
}

#[tokio::test]
async fn every_value_is_reported_as_soon_as_it_is_known() {
    let harness = Harness::new();
    let vault = harness.open();
    put(&vault, "a", TOKEN).await.unwrap();
    put(&vault, "b", "other value").await.unwrap();
    assert_eq!(harness.reported(), ["other value", TOKEN]);

    harness.reported.lock().unwrap().clear();
    let again = harness.open();
    again.get(&id("a")).await.unwrap();
    assert_eq!(
        harness.reported(),
        ["other value", TOKEN],
        "also the values that were not read"
    );
    harness.reported.lock().unwrap().clear();
    put(&vault, "c", "from elsewhere").await.unwrap();
    again.get(&id("a")).await.unwrap();
    assert_eq!(harness.reported(), ["from elsewhere"], "and only the new values");
}
