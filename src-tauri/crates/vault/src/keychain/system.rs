//! The system's own keychain: Secret Service on Linux and the BSDs, Keychain on macOS, Credential Manager on Windows.

use std::sync::Arc;

use keyring_core::{CredentialStore, Entry, Error};

use super::{Keychain, SERVICE};
use crate::KeychainError;

/// Opens the system's store; may fail now and succeed later.
type Open = fn() -> keyring_core::Result<Arc<CredentialStore>>;

/// The system's keychain. Each call opens it anew, so that one that was started or unlocked meanwhile is found.
#[derive(Clone)]
pub struct SystemKeychain {
    open: Open,
}

impl SystemKeychain {
    /// The keychain of this system.
    #[must_use]
    pub fn new() -> Self {
        Self { open }
    }

    fn entry(&self, name: &str) -> Result<Entry, KeychainError> {
        // Whatever keeps the store from opening (no bus, no service on it), there is none to be used.
        let store = (self.open)().map_err(|error| KeychainError::Absent(words(&error)))?;
        store.build(SERVICE, name, None).map_err(failed)
    }
}

impl Default for SystemKeychain {
    fn default() -> Self {
        Self::new()
    }
}

impl Keychain for SystemKeychain {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, KeychainError> {
        match self.entry(name)?.get_secret() {
            Ok(secret) => Ok(Some(secret)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    fn write(&self, name: &str, secret: &[u8]) -> Result<(), KeychainError> {
        self.entry(name)?.set_secret(secret).map_err(failed)
    }

    fn remove(&self, name: &str) -> Result<(), KeychainError> {
        match self.entry(name)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }
}

fn open() -> keyring_core::Result<Arc<CredentialStore>> {
    #[cfg(target_os = "macos")]
    let store = apple_native_keyring_store::keychain::Store::new()?;
    #[cfg(windows)]
    let store = windows_native_keyring_store::Store::new()?;
    #[cfg(all(unix, not(target_os = "macos")))]
    let store = zbus_secret_service_keyring_store::Store::new()?;
    Ok(store)
}

fn failed(error: Error) -> KeychainError {
    match &error {
        Error::NoStorageAccess(_) => KeychainError::Locked(words(&error)),
        Error::NoDefaultStore | Error::NotSupportedByStore(_) => KeychainError::Absent(words(&error)),
        _ => KeychainError::Failed(words(&error)),
    }
}

/// What the system said, without the layers above it. Never the secret, which some errors hold.
fn words(error: &Error) -> String {
    match error {
        Error::PlatformFailure(cause) | Error::NoStorageAccess(cause) => {
            let mut words = cause.to_string();
            let mut source = cause.source();
            while let Some(cause) = source {
                let more = cause.to_string();
                if !words.contains(&more) {
                    words = format!("{words}: {more}");
                }
                source = cause.source();
            }
            words
        }
        Error::BadEncoding(_) | Error::BadDataFormat(..) => {
            "what it holds is not what was put there".to_owned()
        }
        Error::Ambiguous(entries) => format!("it holds {} keys of the same name", entries.len()),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
