//! Errors, each with its next action.

use std::path::PathBuf;

use crate::State;

/// Why a keychain operation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeychainError {
    /// There is no keychain on this machine, or it is not running.
    #[error("No keychain is available: {0}")]
    Absent(String),
    /// It is locked, its prompt was dismissed or could not be shown, or it is not set up yet.
    #[error("The keychain is locked or not set up yet: {0}")]
    Locked(String),
    /// It did not respond in time; it may be showing a prompt.
    #[error("The keychain did not answer within {seconds} s; it may be showing a prompt")]
    Silent {
        /// The time limit.
        seconds: u64,
    },
    /// Another failure.
    #[error("The keychain failed: {0}")]
    Failed(String),
}

/// Why a secret could not be read or written.
#[derive(Debug, Clone, thiserror::Error)]
pub enum VaultError {
    /// The user has to act first: [`State`] says how.
    #[error("The vault is not open: {}", .0.words())]
    Needed(State),
    /// This passphrase does not open the vault.
    #[error("Wrong passphrase.")]
    WrongPassphrase,
    /// The choice is not possible in the current state of the vault.
    #[error("{0}")]
    NotNow(String),
    /// One secret cannot be decrypted; the others can.
    #[error("The secret `{id}` in {} is damaged: it was not written by Patchbay. Enter it again.", file.display())]
    Damaged {
        /// The secret.
        id: String,
        /// The vault's file.
        file: PathBuf,
    },
    /// The file could not be read or written.
    #[error("{step} failed for {}: {cause}", file.display())]
    File {
        /// The failed action.
        step: &'static str,
        /// The file.
        file: PathBuf,
        /// The system's error.
        cause: String,
    },
    /// An internal error, or a failure of the random number generator.
    #[error("The vault failed: {0}")]
    Internal(String),
}
