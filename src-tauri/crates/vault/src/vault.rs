//! The vault itself: reading and writing secrets. How it is opened is in `opening`, what the user can choose in `choosing`.

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
    Cost, Exclusive, KeyLocation, Keychain, State, VaultError,
    exclusive::Turns,
    file::{self, Bytes, Content},
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
    /// Holds the key.
    pub keychain: Arc<dyn Keychain>,
    /// How long the keychain may take; a person may have to answer its prompt.
    pub patience: Duration,
    /// The cost of deriving a key from a new passphrase.
    pub cost: Cost,
    /// Receives every value of the vault as soon as it is known, so that it can be masked.
    pub observer: ValueObserver,
}

/// Stored secrets. Cheap to clone; all clones are one vault. Needs a tokio runtime.
#[derive(Clone)]
pub struct Vault {
    shared: Arc<Shared>,
}

struct Shared {
    options: VaultOptions,
    state: watch::Sender<State>,
    open: Mutex<Open>,
    /// Held while the keychain is asked or a choice is carried out, so that they happen one after the other.
    opening: tokio::sync::Mutex<()>,
    turns: Turns,
}

/// What is known from one use to the next.
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

/// A vault file, as far as opening it depends on it; none: there was no file.
type Tried = Option<(String, KeyLocation)>;

impl Vault {
    /// Opens nothing yet: file and keychain are read when they are first needed.
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

    /// The state, as it changes.
    #[must_use]
    pub fn states(&self) -> watch::Receiver<State> {
        self.shared.state.subscribe()
    }

    /// The file, if it is not in memory only by birth.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.shared.options.file.as_deref()
    }

    /// A secret, as it is now (another process may have changed it); none if there is none.
    ///
    /// # Errors
    /// [`VaultError::Needed`] if the user has to do something first; else what failed.
    pub async fn get(&self, id: &SecretId) -> Result<Option<Secret>, VaultError> {
        if let Some(values) = &self.shared.lock().memory {
            return Ok(values.get(id).cloned());
        }
        // The keychain is not asked for what is not there.
        let Some(content) = self.shared.content().await? else {
            return Ok(None);
        };
        if !content.entries.contains_key(id) {
            return Ok(None);
        }
        let key = self.shared.key_of(&content).await?;
        self.shared.tell(&content, &key);
        content.get(&key, id).map_err(|()| VaultError::Damaged {
            id: id.0.clone(),
            file: self.shared.file().to_owned(),
        })
    }

    /// Keeps secrets, in place of those of the same ids; all or none.
    ///
    /// # Errors
    /// As for [`Vault::get`].
    pub async fn put(&self, secrets: Vec<(SecretId, Secret)>) -> Result<(), VaultError> {
        self.shared.tell_new(&secrets);
        if let Some(values) = &mut self.shared.lock().memory {
            values.extend(secrets);
            return Ok(());
        }
        self.shared.put(secrets).await
    }

    /// Removes secrets; unknown ids are ignored. Needs no key.
    ///
    /// # Errors
    /// What failed with the file.
    pub async fn remove(&self, ids: Vec<SecretId>) -> Result<(), VaultError> {
        if let Some(values) = &mut self.shared.lock().memory {
            values.retain(|id, _| !ids.contains(id));
            return Ok(());
        }
        let _turn = self.shared.writing().await?;
        let Some(mut content) = self.shared.content().await? else {
            return Ok(());
        };
        let before = content.entries.len();
        content.entries.retain(|id, _| !ids.contains(id));
        match content.entries.len() == before {
            true => Ok(()),
            false => self.shared.write(content).await,
        }
    }

    /// The ids of all that it holds. Needs no key.
    ///
    /// # Errors
    /// What failed with the file.
    pub async fn ids(&self) -> Result<Vec<SecretId>, VaultError> {
        if let Some(values) = &self.shared.lock().memory {
            return Ok(values.keys().cloned().collect());
        }
        let content = self.shared.content().await?;
        Ok(content.map_or_else(Vec::new, |content| content.entries.into_keys().collect()))
    }

    /// Waits until nobody else does the thing of this name (refreshes the tokens of one server), here or in another
    /// process with the same file. Read again what you hold: it may have changed meanwhile. Needs no key.
    ///
    /// # Errors
    /// The lock's file could not be made.
    pub async fn exclusive(&self, name: &str) -> Result<Exclusive, VaultError> {
        let shared = &self.shared;
        shared
            .turns
            .take(shared.options.file.as_deref(), &format!("for {name}"))
            .await
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

    /// The right to change the file.
    async fn writing(&self) -> Result<Exclusive, VaultError> {
        self.turns.take(self.options.file.as_deref(), "write").await
    }

    /// What the file holds now; none if there is none. A file that cannot be read makes the state so.
    async fn content(&self) -> Result<Option<Content>, VaultError> {
        let file = self.file().to_owned();
        match blocking(move || file::read(&file)).await? {
            None => Ok(None),
            Some(Ok(content)) => Ok(Some(content)),
            Some(Err(why)) => Err(self.broken(why.0)),
        }
    }

    async fn write(&self, content: Content) -> Result<(), VaultError> {
        let file = self.file().to_owned();
        blocking(move || file::write(&file, &content)).await
    }

    async fn put(&self, secrets: Vec<(SecretId, Secret)>) -> Result<(), VaultError> {
        loop {
            // The keychain may take long: it is asked before the turn is taken.
            let found = self.content().await?;
            let (key, begun) = match &found {
                Some(content) => (self.key_of(content).await?, None),
                None => {
                    let (content, key) = self.begin().await?;
                    (key, Some(content))
                }
            };
            let _turn = self.writing().await?;
            let now = self.content().await?;
            let id = |content: &Content| content.id.clone();
            if now.as_ref().map(id) != found.as_ref().map(id) {
                // Another process began a vault meanwhile, or set it aside.
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
            self.write(content).await?;
            self.opened(&opened.0, opened.1);
            return Ok(());
        }
    }

    /// Reports values that are about to be stored.
    fn tell_new(&self, secrets: &[(SecretId, Secret)]) {
        if !secrets.is_empty() {
            (self.options.observer)(secrets.to_vec());
        }
    }

    /// Reports the values that were not reported yet.
    fn tell(&self, content: &Content, key: &Key) {
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

/// Runs blocking work on a thread where it may block.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, VaultError> + Send + 'static,
) -> Result<T, VaultError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| VaultError::Internal(error.to_string()))?
}

#[cfg(test)]
mod tests;
