//! The state of the vault, and the user's choices.

use std::path::PathBuf;

use patchbay_secret::Secret;

/// The state of the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// No secret was needed yet.
    Unopened,
    /// Waiting for the keychain.
    Opening,
    /// Secrets can be read and written.
    Ready(KeyLocation),
    /// Locked by a passphrase.
    Locked,
    /// It cannot be opened without a choice of the user.
    Choice {
        /// The reason, in one sentence.
        cause: String,
        /// The next action, in one sentence.
        next: String,
        /// The possible choices, the best first.
        offers: Vec<Offer>,
    },
    /// The file exists but cannot be read. Nothing was changed.
    Broken {
        /// The reason, in one sentence.
        cause: String,
        /// The next action, in one sentence.
        next: String,
        /// The file.
        file: PathBuf,
        /// The possible choices, the best first.
        offers: Vec<Offer>,
    },
}

impl State {
    /// Why the vault is not open and what to do; empty if it is open.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Ready(_) => String::new(),
            Self::Unopened => "it has not been opened yet.".to_owned(),
            Self::Opening => "the keychain has not responded yet; it may be showing a prompt.".to_owned(),
            Self::Locked => "it is locked. Enter its passphrase.".to_owned(),
            Self::Choice { cause, next, .. } | Self::Broken { cause, next, .. } => format!("{cause} {next}"),
        }
    }
}

/// Where the vault's key is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyLocation {
    /// In the system's keychain.
    Keychain,
    /// Nowhere: it is derived from a passphrase.
    Passphrase,
    /// There is no key: secrets are in memory only.
    Memory,
}

/// What is in the vault file, as far as it can be told without its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// A vault whose key is in the system's keychain.
    Keychain,
    /// A vault whose key is derived from a passphrase.
    Passphrase,
    /// Something that cannot be read.
    Unreadable,
}

/// A possible choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Access the keychain (again).
    Keychain,
    /// Encrypt with a passphrase.
    Passphrase,
    /// Keep secrets in memory until the program exits.
    Memory,
    /// Rename the file and create a new vault.
    SetAside,
}

/// A choice of the user.
#[derive(Clone)]
pub enum Choice {
    /// Access the keychain (again); an open vault with a passphrase is moved to it.
    Keychain,
    /// Encrypt with a passphrase; an open vault is moved to it.
    Passphrase(Secret),
    /// Keep secrets in memory until the program exits. Nothing is written to the file; what is no longer needed at all is
    /// removed from it ([`Vault::remove_below`](crate::Vault::remove_below)).
    Memory,
    /// Rename the file and create a new vault.
    SetAside,
}
