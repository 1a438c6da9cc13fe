//! What the vault wants of a keychain: to hold one key.

mod system;

use crate::KeychainError;

pub use system::SystemKeychain;

/// The service name of the key in the keychain.
pub(crate) const SERVICE: &str = "Patchbay";

/// Holds small secrets by name. Calls may block for as long as a person thinks: the vault makes them on a thread of
/// their own.
pub trait Keychain: Send + Sync {
    /// The secret of this name; none if there is none.
    ///
    /// # Errors
    /// Why the keychain cannot say.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, KeychainError>;

    /// Keeps a secret, in place of the one of this name.
    ///
    /// # Errors
    /// Why the keychain did not take it.
    fn write(&self, name: &str, secret: &[u8]) -> Result<(), KeychainError>;

    /// Removes the secret with this name; succeeds if there is none.
    ///
    /// # Errors
    /// Why the keychain did not do so.
    fn remove(&self, name: &str) -> Result<(), KeychainError>;
}

/// There is none.
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
