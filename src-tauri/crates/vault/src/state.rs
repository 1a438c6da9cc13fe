//! How the vault stands, and what the user can choose.

use std::path::PathBuf;

use patchbay_secret::Secret;

/// How the vault stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Nothing was needed of it yet.
    Unopened,
    /// The keychain was asked and has not answered yet.
    Opening,
    /// Secrets can be read and written.
    Ready(Kept),
    /// It wants its passphrase.
    Locked,
    /// It cannot be opened as it is; the user chooses how to go on.
    Choice {
        /// Why, in one sentence.
        cause: String,
        /// What can be done, in one sentence.
        next: String,
        /// What can be chosen, the best first.
        offers: Vec<Offer>,
    },
    /// Its file is there but cannot be read. Nothing was changed.
    Broken {
        /// Why, in one sentence.
        cause: String,
        /// What can be done, in one sentence.
        next: String,
        /// The file.
        file: PathBuf,
        /// What can be chosen, the best first.
        offers: Vec<Offer>,
    },
}

impl State {
    /// Why it is not open and what to do, in words; empty if it is open.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Ready(_) => String::new(),
            Self::Unopened => "nothing was needed of it yet.".to_owned(),
            Self::Opening => "the keychain has not answered yet; it may be showing a prompt.".to_owned(),
            Self::Locked => "it wants its passphrase. Unlock it.".to_owned(),
            Self::Choice { cause, next, .. } | Self::Broken { cause, next, .. } => format!("{cause} {next}"),
        }
    }
}

/// Where the vault's key is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// In the system's keychain.
    Keychain,
    /// Nowhere: it is made from a passphrase.
    Passphrase,
    /// There is none: secrets are in memory only.
    Memory,
}

/// What can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Ask the keychain (again).
    Keychain,
    /// Encrypt with a passphrase.
    Passphrase,
    /// Keep secrets in memory until the program ends.
    Memory,
    /// Set the file aside under another name and begin a new one.
    SetAside,
}

/// How to go on.
#[derive(Clone)]
pub enum Choice {
    /// Ask the keychain (again); a vault that is open with a passphrase is moved to it.
    Keychain,
    /// Encrypt with a passphrase; a vault that is open is moved to it.
    Passphrase(Secret),
    /// Keep secrets in memory until the program ends. The file is left alone.
    Memory,
    /// Set the file aside under another name and begin a new one.
    SetAside,
}
