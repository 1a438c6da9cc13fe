//! The keychain interface of the vault: it stores one key.

mod system;

use crate::KeychainError;

pub use system::SystemKeychain;

/// The service name of the key in the keychain.
pub(crate) const SERVICE: &str = "Patchbay";

/// Stores small secrets by name. Calls may block while the user answers a prompt, so the vault makes them on a separate
/// thread.
pub trait Keychain: Send + Sync {
    /// The secret with this name; none if there is none.
    ///
    /// # Errors
    /// Why it could not be read.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, KeychainError>;

    /// Stores a secret under this name, replacing an earlier one.
    ///
    /// # Errors
    /// Why it could not be stored.
    fn write(&self, name: &str, secret: &[u8]) -> Result<(), KeychainError>;

    /// Removes the secret with this name; succeeds if there is none.
    ///
    /// # Errors
    /// Why it could not be removed.
    fn remove(&self, name: &str) -> Result<(), KeychainError>;
}

/// No keychain.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoKeychain;

impl Keychain for NoKeychain {
    fn read(&self, _: &str) -> Result<Option<Vec<u8>>, KeychainError> {
        Err(absent())
    }

    fn write(&self, _: &str, _: &[u8]) -> Result<(), KeychainError> {
        Err(absent())
    }

    fn remove(&self, _: &str) -> Result<(), KeychainError> {
        Err(absent())
    }
}

fn absent() -> KeychainError {
    KeychainError::Absent("it is disabled".to_owned())
}
