//! Reading and writing secrets. Opening is in `opening`, the user's choices are in `choosing`.

mod choosing;
mod opening;

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use patchbay_secret::Secret;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::{
    Cost, Exclusive, KeyLocation, Keychain, State, Stored, VaultError,
    exclusive::Turns,
    file::{self, Bytes, Content, KeyKind},
    seal::Key,
};

/// The name of a secret, like `server/5f…/8c…`. Names are not secret: they are in plain text in the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SecretId(pub String);

/// Receives every value as soon as it is known.
pub type ValueObserver = Arc<dyn Fn(Vec<(SecretId, Secret)>) + Send + Sync>;

/// How to open a [`Vault`].
#[derive(Clone)]
pub struct VaultOptions {
    /// The encrypted file; memory only if none.
    pub file: Option<PathBuf>,
    /// The keychain for the key.
    pub keychain: Arc<dyn Keychain>,
    /// The time limit of the keychain; the user may have to answer its prompt.
    pub patience: Duration,
    /// The cost of deriving a key from a new passphrase.
    pub cost: Cost,
    /// Receives every value of the vault as soon as it is known, so that it can be masked.
    pub observer: ValueObserver,
}

/// Stored secrets. Cheap to clone; all clones share one vault. Needs a tokio runtime.
#[derive(Clone)]
pub struct Vault {
    shared: Arc<Shared>,
}

struct Shared {
    options: VaultOptions,
    state: watch::Sender<State>,
    open: Mutex<Open>,
    /// Held while the keychain is accessed or a choice is applied, so that these are serialized.
    opening: tokio::sync::Mutex<()>,
    turns: Turns,
}

/// The state between uses.
#[derive(Default)]
struct Open {
    /// The values, if they are in memory only.
    memory: Option<BTreeMap<SecretId, Secret>>,
    session: Option<Session>,
    /// The last failed attempt to open and its result: not repeated until the user chooses or the file changes.
    stuck: Option<(Tried, State)>,
    /// The sealed values that the observer has received.
    reported: HashMap<SecretId, Bytes>,
}

/// The key of an open vault.
struct Session {
    vault: String,
    key: Key,
}

/// The state of a vault file that opening depends on; none: there was no file.
type Tried = Option<(String, KeyLocation)>;

impl Vault {
    /// Creates a vault without opening it: file and keychain are read when first needed.
    #[must_use]
    pub fn open(options: VaultOptions) -> Self {
        let in_memory = options.file.is_none();
        let (state, memory) = match in_memory {
            true => (State::Ready(KeyLocation::Memory), Some(BTreeMap::new())),
            false => (State::Unopened, None),
        };
        Self {
            shared: Arc::new(Shared {
                options,
                state: watch::Sender::new(state),
                open: Mutex::new(Open {
                    memory,
                    ..Open::default()
                }),
                opening: tokio::sync::Mutex::default(),
                turns: Turns::default(),
            }),
        }
    }

    /// The current state. Reads no file.
    #[must_use]
    pub fn state(&self) -> State {
        self.shared.state.borrow().clone()
    }

    /// The state as a watch channel.
    #[must_use]
    pub fn states(&self) -> watch::Receiver<State> {
        self.shared.state.subscribe()
    }

    /// The file, unless the vault was created in memory only.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.shared.options.file.as_deref()
    }

    /// A secret in its current version (another process may have changed it); none if there is none.
    ///
    /// # Errors
    /// [`VaultError::Needed`] if the user has to act first; otherwise what failed.
    pub async fn get(&self, id: &SecretId) -> Result<Option<Secret>, VaultError> {
        if let Some(values) = &self.shared.lock().memory {
            return Ok(values.get(id).cloned());
        }
        // The keychain is not accessed for a missing secret.
        let Some(content) = self.shared.content().await? else {
            return Ok(None);
        };
        if !content.entries.contains_key(id) {
            return Ok(None);
        }
        let key = self.shared.key_of(&content).await?;
        self.shared.report(&content, &key);
        content.get(&key, id).map_err(|()| VaultError::Damaged {
            id: id.0.clone(),
            file: self.shared.file().to_owned(),
        })
    }

    /// Opens it, so that every secret in it has been reported and can be masked. An empty one is not opened.
    ///
    /// # Errors
    /// [`VaultError::Needed`] if the user has to act first; otherwise what failed.
    pub async fn reveal(&self) -> Result<(), VaultError> {
        match self.ids().await?.first() {
            Some(id) => self.get(id).await.map(drop),
            None => Ok(()),
        }
    }

    /// Stores secrets, replacing those with the same ids; all or none.
    ///
    /// # Errors
    /// As for [`Vault::get`].
    pub async fn put(&self, secrets: Vec<(SecretId, Secret)>) -> Result<(), VaultError> {
        self.shared.report_new(&secrets);
        if let Some(values) = &mut self.shared.lock().memory {
            values.extend(secrets);
            return Ok(());
        }
        self.shared.put(secrets).await
    }

    /// Removes secrets; unknown ids are ignored. Needs no key.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub async fn remove(&self, ids: Vec<SecretId>) -> Result<(), VaultError> {
        if let Some(values) = &mut self.shared.lock().memory {
            values.retain(|id, _| !ids.contains(id));
            return Ok(());
        }
        self.shared.remove(&ids).await
    }

    /// Removes every secret whose id begins so, also from a file beside which secrets are in memory only. Needs no key.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub async fn remove_below(&self, prefix: &str) -> Result<(), VaultError> {
        let shared = &self.shared;
        if let Some(values) = &mut shared.lock().memory {
            values.retain(|id, _| !id.0.starts_with(prefix));
        }
        // What cannot be read is not changed, and secrets in memory can still be used beside it.
        if !matches!(self.stored().await, Some(Stored::Keychain | Stored::Passphrase)) {
            return Ok(());
        }
        let content = shared.content().await?;
        let ids = content
            .into_iter()
            .flat_map(|content| content.entries.into_keys());
        let below: Vec<SecretId> = ids.filter(|id| id.0.starts_with(prefix)).collect();
        match below.is_empty() {
            true => Ok(()),
            false => shared.remove(&below).await,
        }
    }

    /// The ids of all secrets. Needs no key.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn ids(&self) -> Result<Vec<SecretId>, VaultError> {
        if let Some(values) = &self.shared.lock().memory {
            return Ok(values.keys().cloned().collect());
        }
        let content = self.shared.content().await?;
        Ok(content.map_or_else(Vec::new, |content| content.entries.into_keys().collect()))
    }

    /// What is in the file; none if there is none. Secrets may be in memory only beside it. Needs no key, and changes no state.
    pub async fn stored(&self) -> Option<Stored> {
        let file = self.file()?.to_owned();
        let content = blocking(move || file::read(&file)).await;
        match content {
            Ok(None) => None,
            Ok(Some(Ok(content))) => Some(match content.key {
                KeyKind::Keychain => Stored::Keychain,
                KeyKind::Passphrase { .. } => Stored::Passphrase,
            }),
            Ok(Some(Err(_))) | Err(_) => Some(Stored::Unreadable),
        }
    }

    /// Waits for the lock with this name (such as refreshing the tokens of one server), across tasks and processes with the
    /// same file. Read stored values again afterwards: they may have changed. Needs no key.
    ///
    /// # Errors
    /// The lock file could not be created.
    pub async fn exclusive(&self, name: &str) -> Result<Exclusive, VaultError> {
        let shared = &self.shared;
        shared
            .turns
            .take(shared.options.file.as_deref(), &format!("for {name}"))
            .await
    }

    /// Waits until this program holds no lock of the vault: what was being written is written, and what began with
    /// [`Vault::exclusive`] has ended. Waiting for the lock of another program does not count.
    pub async fn settled(&self) {
        self.shared.turns.released().await;
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self) -> &Path {
        self.options.file.as_deref().unwrap_or(Path::new(""))
    }

    fn set_state(&self, state: State) {
        self.state.send_if_modified(|now| {
            *now != state && {
                *now = state;
                true
            }
        });
    }

    /// Locks the file for writing.
    async fn writing(&self) -> Result<Exclusive, VaultError> {
        self.turns.take(self.options.file.as_deref(), "write").await
    }

    /// The current content of the file; none if there is none. An unreadable file changes the state.
    async fn content(&self) -> Result<Option<Content>, VaultError> {
        let file = self.file().to_owned();
        match blocking(move || file::read(&file)).await? {
            None => Ok(None),
            Some(Ok(content)) => Ok(Some(content)),
            Some(Err(why)) => Err(self.broken(why.0)),
        }
    }

    /// Writes the file, and returns the turn. A write that has begun cannot be stopped, so it keeps its turn until it ends,
    /// also if the caller no longer waits for it.
    async fn write(&self, turn: Exclusive, content: Content) -> Result<Exclusive, VaultError> {
        let file = self.file().to_owned();
        blocking(move || file::write(&file, &content).map(|()| turn)).await
    }

    async fn remove(&self, ids: &[SecretId]) -> Result<(), VaultError> {
        let turn = self.writing().await?;
        let Some(mut content) = self.content().await? else {
            return Ok(());
        };
        let before = content.entries.len();
        content.entries.retain(|id, _| !ids.contains(id));
        if content.entries.len() != before {
            self.write(turn, content).await?;
        }
        Ok(())
    }

    async fn put(&self, secrets: Vec<(SecretId, Secret)>) -> Result<(), VaultError> {
        loop {
            // The keychain may take long, so it is accessed before the file is locked.
            let found = self.content().await?;
            let (key, begun) = match &found {
                Some(content) => (self.key_of(content).await?, None),
                None => {
                    let (content, key) = self.begin().await?;
                    (key, Some(content))
                }
            };
            let turn = self.writing().await?;
            let now = self.content().await?;
            let id = |content: &Content| content.id.clone();
            if now.as_ref().map(id) != found.as_ref().map(id) {
                // Another process created a vault meanwhile, or set it aside.
                if let Some(begun) = begun {
                    self.forget_key(&begun).await;
                }
                continue;
            }
            let Some(mut content) = now.or(begun) else {
                return Ok(());
            };
            for (id, secret) in &secrets {
                content.put(&key, id.clone(), secret)?;
            }
            let opened = (content.clone(), key);
            let _turn = self.write(turn, content).await?;
            self.opened(&opened.0, opened.1);
            return Ok(());
        }
    }

    /// Reports values that are about to be stored.
    fn report_new(&self, secrets: &[(SecretId, Secret)]) {
        if !secrets.is_empty() {
            (self.options.observer)(secrets.to_vec());
        }
    }

    /// Reports the values that were not reported yet.
    fn report(&self, content: &Content, key: &Key) {
        let mut values = Vec::new();
        let mut open = self.lock();
        for (id, sealed) in &content.entries {
            if open.reported.get(id) == Some(sealed) {
                continue;
            }
            open.reported.insert(id.clone(), sealed.clone());
            match content.get(key, id) {
                Ok(value) => values.extend(value.map(|value| (id.clone(), value))),
                Err(()) => tracing::error!(id = id.0, "a secret in the vault is damaged"),
            }
        }
        drop(open);
        if !values.is_empty() {
            (self.options.observer)(values);
        }
    }
}

/// Runs blocking work on a blocking thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, VaultError> + Send + 'static,
) -> Result<T, VaultError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| VaultError::Internal(error.to_string()))?
}

#[cfg(test)]
mod tests;
