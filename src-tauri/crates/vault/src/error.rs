//! What can go wrong, each with its next action.

use std::path::PathBuf;

use crate::State;

/// Why a keychain does not do what it is asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeychainError {
    /// There is none on this machine, or it does not run.
    #[error("No keychain is available: {0}")]
    Absent(String),
    /// It is locked, its prompt was dismissed or could not be shown, or nothing is set up in it yet.
    #[error("The keychain is locked or not set up yet: {0}")]
    Locked(String),
    /// It did not answer in time; perhaps it shows a prompt.
    #[error("The keychain did not answer within {seconds} s; it may be showing a prompt")]
    Silent {
        /// How long it was given.
        seconds: u64,
    },
    /// It answered with something else.
    #[error("The keychain failed: {0}")]
    Failed(String),
}

/// Why a secret could not be read or written.
#[derive(Debug, Clone, thiserror::Error)]
pub enum VaultError {
    /// The user has to do something first: [`State`] says what.
    #[error("The vault is not open: {}", .0.words())]
    Needed(State),
    /// This passphrase does not open the vault.
    #[error("Wrong passphrase.")]
    WrongPassphrase,
    /// What was chosen cannot be done as the vault stands.
    #[error("{0}")]
    NotNow(String),
    /// One secret cannot be decrypted; the others can.
    #[error("The secret `{id}` in {} is damaged: it was not written by Patchbay. Enter it again.", file.display())]
    Damaged {
        /// Which.
        id: String,
        /// The vault's file.
        file: PathBuf,
    },
    /// The file could not be read or written.
    #[error("{step} failed for {}: {cause}", file.display())]
    File {
        /// What was tried.
        step: &'static str,
        /// With what.
        file: PathBuf,
        /// What the system said.
        cause: String,
    },
    /// A defect of ours, or of the system's randomness.
    #[error("The vault failed: {0}")]
    Internal(String),
}
