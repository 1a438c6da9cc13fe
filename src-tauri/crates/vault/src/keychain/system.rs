//! The system's keychain: Secret Service on Linux and the BSDs, Keychain on macOS, Credential Manager on Windows.

use keyring_core::{Entry, Error};

use super::{Keychain, SERVICE};
use crate::KeychainError;

/// Opens the entry of a name in the store.
type Open = fn(&str) -> Result<Entry, KeychainError>;

/// The system's keychain. Its availability is determined at the first call, for the whole run.
#[derive(Clone)]
pub struct SystemKeychain {
    entry: Open,
}

impl SystemKeychain {
    /// Creates the keychain without accessing it.
    #[must_use]
    pub fn new() -> Self {
        Self { entry: of_system }
    }

    fn entry(&self, name: &str) -> Result<Entry, KeychainError> {
        (self.entry)(name)
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

fn of_system(name: &str) -> Result<Entry, KeychainError> {
    // If the store cannot be opened for any reason (no bus, no service), there is no keychain.
    if let Err(error) = keyring::Entry::store_status() {
        return Err(KeychainError::Absent(words(error)));
    }
    let entry = keyring::Entry::new(SERVICE, name).map_err(failed)?;
    Ok(entry.inner)
}

fn failed(error: Error) -> KeychainError {
    match &error {
        Error::NoStorageAccess(_) => KeychainError::Locked(words(&error)),
        Error::NoDefaultStore | Error::NotSupportedByStore(_) => KeychainError::Absent(words(&error)),
        _ => KeychainError::Failed(words(&error)),
    }
}

/// The system's error without the layers above it. Never the secret, which some errors contain.
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
        Error::BadEncoding(_) | Error::BadDataFormat(..) => "its content is not what was stored".to_owned(),
        Error::Ambiguous(entries) => format!("it contains {} keys of the same name", entries.len()),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
