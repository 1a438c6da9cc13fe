//! The vault: tokens and other secrets in encrypted form, and the plain-text secrets in `servers.json`.
//!
//! A value in the vault is in a [`ServerDraft`](crate::ServerDraft) as a reference, `${vault:` + 32 hex digits + `}`. The value
//! itself is never sent to the UI: a reference is sent back unchanged to keep the value, or replaced to change it.

use serde::{Deserialize, Serialize};

use crate::ServerId;

/// Parameters of `vault_get`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct VaultGetParams {}

/// Response of `vault_get`, which does not open the vault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VaultGetResponse {
    /// Its state.
    pub state: VaultState,
    /// Path of the encrypted file, whether or not it exists.
    pub file: String,
    /// The number of its secrets, if known.
    pub count: u32,
    /// What is in the file; absent if there is none. Secrets may be in memory only beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub stored: Option<VaultStored>,
}

/// What is in the file of the vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum VaultStored {
    /// A vault whose key is in the system's keychain.
    Keychain,
    /// A vault whose key is derived from a passphrase.
    Passphrase,
    /// Something that cannot be read.
    Unreadable,
}

/// State of the vault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum VaultState {
    /// Not used yet; the keychain was not accessed.
    Unopened,
    /// The keychain has not responded yet; the system may be showing a prompt.
    Opening,
    /// Secrets can be read and written.
    Ready {
        /// Where its key is stored.
        kept: VaultKept,
    },
    /// It needs its passphrase: `vault_unlock`.
    Locked,
    /// It cannot be opened now; the user chooses what to do: `vault_choose`.
    Choice {
        /// The reason, in one sentence.
        cause: String,
        /// The next action, in one sentence.
        next: String,
        /// The possible choices, the best first.
        offers: Vec<VaultOffer>,
    },
    /// Its file cannot be read: it is damaged, was written by a newer Patchbay, or has another key. Nothing was changed.
    Broken {
        /// The reason, in one sentence.
        cause: String,
        /// The next action, in one sentence.
        next: String,
        /// The file.
        file: String,
        /// The possible choices, the best first.
        offers: Vec<VaultOffer>,
    },
}

/// Where the vault's key is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum VaultKept {
    /// In the system's keychain.
    Keychain,
    /// Nowhere: it is derived from a passphrase.
    Passphrase,
    /// There is none: secrets are in memory and lost when Patchbay exits.
    Memory,
}

/// The choices of `vault_choose`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum VaultOffer {
    /// Access the keychain (again).
    Keychain,
    /// Encrypt with a passphrase.
    Passphrase,
    /// Keep secrets in memory until Patchbay exits. Nothing is written to an existing file; secrets of removed servers leave it.
    Memory,
    /// Rename the file and create a new one.
    SetAside,
}

/// Parameters of `vault_choose`.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VaultChooseParams {
    /// The choice.
    pub choice: VaultChoice,
}

/// A choice of the user. Contains a secret, so it is not printed.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum VaultChoice {
    /// Access the keychain (again).
    Keychain,
    /// Encrypt with a passphrase. An open vault is encrypted again with it.
    Passphrase {
        /// At least 8 characters.
        text: String,
    },
    /// Keep secrets in memory until Patchbay exits.
    Memory,
    /// Rename the file and create a new one.
    SetAside,
}

/// Parameters of `vault_unlock`. Contains a secret, so it is not printed.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VaultUnlockParams {
    /// The passphrase. A wrong one fails with `InvalidParams`.
    pub passphrase: String,
}

/// Parameters of `secret_find`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct SecretFindParams {}

/// Response of `secret_find`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SecretFindResponse {
    /// Secrets in plain text in `servers.json`, in the order of the servers.
    pub items: Vec<PlainSecretItem>,
}

/// A secret in plain text in `servers.json`, or in pasted text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PlainSecretItem {
    /// The server; none for one that is not added yet.
    pub server_id: Option<ServerId>,
    /// The server's name.
    pub server_name: String,
    /// Its location in the settings.
    pub place: SecretPlace,
    /// The name of the header, variable, option or parameter.
    pub name: String,
}

/// The location of a secret in a server's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum SecretPlace {
    /// The value of a header.
    Header,
    /// The value of an environment variable.
    Env,
    /// An argument.
    Argument,
    /// The query of the address.
    Address,
    /// The password in the proxy's address.
    Proxy,
    /// The client secret or private key of its authorization.
    Authorization,
}

/// Parameters of `secret_move`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SecretMoveParams {
    /// The servers whose secrets to move from `servers.json` into the vault.
    pub server_ids: Vec<ServerId>,
}

/// Response of `secret_move`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SecretMoveResponse {
    /// The number of moved secrets.
    pub moved: u32,
}
