//! The vault itself.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use patchbay_traffic::Secret;

use crate::{Choice, Kept, Keychain, State, VaultError};

/// The name of a secret, like `server/5f…/header/Authorization`. Names are not secret: they stand readable in the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecretId(pub String);

/// How to open a [`Vault`].
#[derive(Clone)]
pub struct VaultOptions {
    /// The encrypted file; memory only if none.
    pub file: Option<PathBuf>,
    /// Holds the key.
    pub keychain: Arc<dyn Keychain>,
    /// How long the keychain may take; a person may have to answer its prompt.
    pub patience: Duration,
    /// Is given every value the vault holds as soon as it is known, so that it can be masked.
    pub told: Arc<dyn Fn(Vec<Secret>) + Send + Sync>,
}

/// Where secrets lie. Cheap to clone; all clones are one vault.
#[derive(Clone)]
pub struct Vault {
    inner: Arc<Inner>,
}

struct Inner {
    options: VaultOptions,
    values: Mutex<BTreeMap<SecretId, Secret>>,
}

/// Nobody else is in while this is held: no task here, and no other process with the same file.
pub struct Exclusive {}

impl Vault {
    /// Opens nothing yet: file and keychain are looked at when they are needed first.
    #[must_use]
    pub fn open(options: VaultOptions) -> Self {
        Self {
            inner: Arc::new(Inner {
                options,
                values: Mutex::default(),
            }),
        }
    }

    /// How it stands. Looks at nothing.
    #[must_use]
    pub fn state(&self) -> State {
        State::Ready(Kept::Memory)
    }

    /// The file, if it is not in memory only by birth.
    #[must_use]
    pub fn file(&self) -> Option<PathBuf> {
        self.inner.options.file.clone()
    }

    /// A secret, as it is now (another process may have changed it); none if there is none.
    ///
    /// # Errors
    /// [`VaultError::Needed`] if the user has to do something first; else what failed.
    #[expect(clippy::unused_async, reason = "the keychain comes next")]
    pub async fn get(&self, id: &SecretId) -> Result<Option<Secret>, VaultError> {
        Ok(self.lock().get(id).cloned())
    }

    /// Keeps secrets, in place of those of the same ids; all or none.
    ///
    /// # Errors
    /// As for [`Vault::get`].
    #[expect(clippy::unused_async, reason = "the keychain comes next")]
    pub async fn put(&self, secrets: Vec<(SecretId, Secret)>) -> Result<(), VaultError> {
        (self.inner.options.told)(secrets.iter().map(|(_, secret)| secret.clone()).collect());
        self.lock().extend(secrets);
        Ok(())
    }

    /// Forgets secrets; what is not there is no error.
    ///
    /// # Errors
    /// What failed with the file.
    #[expect(clippy::unused_async, reason = "the keychain comes next")]
    pub async fn remove(&self, ids: Vec<SecretId>) -> Result<(), VaultError> {
        self.lock().retain(|id, _| !ids.contains(id));
        Ok(())
    }

    /// The ids of all that it holds. Needs no key.
    ///
    /// # Errors
    /// What failed with the file.
    #[expect(clippy::unused_async, reason = "the keychain comes next")]
    pub async fn ids(&self) -> Result<Vec<SecretId>, VaultError> {
        Ok(self.lock().keys().cloned().collect())
    }

    /// Goes on as the user chose.
    ///
    /// # Errors
    /// [`VaultError::NotNow`] if that cannot be chosen as it stands; [`VaultError::Needed`] if it did not help.
    #[expect(clippy::unused_async, reason = "the keychain comes next")]
    pub async fn choose(&self, _choice: Choice) -> Result<(), VaultError> {
        Ok(())
    }

    /// Opens a vault that wants its passphrase.
    ///
    /// # Errors
    /// [`VaultError::WrongPassphrase`]; [`VaultError::NotNow`] if it wants none.
    #[expect(clippy::unused_async, reason = "the keychain comes next")]
    pub async fn unlock(&self, _passphrase: Secret) -> Result<(), VaultError> {
        Ok(())
    }

    /// Waits until nobody else does the thing of this name (refreshes the tokens of one server), here or in another
    /// process with the same file. Read again what you hold: it may have changed meanwhile. Needs no key.
    ///
    /// # Errors
    /// The lock's file could not be made.
    #[expect(clippy::unused_async, reason = "the file's lock comes next")]
    pub async fn exclusive(&self, _name: &str) -> Result<Exclusive, VaultError> {
        Ok(Exclusive {})
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<SecretId, Secret>> {
        self.inner.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
