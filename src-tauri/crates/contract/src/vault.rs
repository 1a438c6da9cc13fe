//! The vault: where tokens and other secrets lie encrypted, and which secrets still stand readable in `servers.json`.
//!
//! A value in the vault is in a [`ServerDraft`](crate::ServerDraft) as a reference, `${vault:` + 32 hex digits + `}`. The value
//! itself never crosses to the UI: a reference is sent back as it is to keep the value, or replaced to change it.

use serde::{Deserialize, Serialize};

use crate::ServerId;

/// Parameters of `vault_get`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct VaultGetParams {}

/// Answer of `vault_get`. Asking does not open the vault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VaultGetResponse {
    /// How it stands.
    pub state: VaultState,
    /// Where the encrypted file lies, or would lie.
    pub file: String,
    /// How many secrets it holds, as far as is known.
    pub count: u32,
}

/// How the vault stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum VaultState {
    /// Nothing was needed of it yet; the keychain was not asked.
    Unopened,
    /// The keychain was asked and has not answered yet; the system may be showing a prompt.
    Opening,
    /// Secrets can be read and written.
    Ready {
        /// Where its key is kept.
        kept: VaultKept,
    },
    /// It wants its passphrase: `vault_unlock`.
    Locked,
    /// It cannot be opened as it is; the user chooses how to go on: `vault_choose`.
    Choice {
        /// Why, in one sentence.
        cause: String,
        /// What can be done, in one sentence.
        next: String,
        /// What can be chosen, the best first.
        offers: Vec<VaultOffer>,
    },
    /// Its file is there but cannot be read: damaged, of a newer Patchbay, or its key is another. Nothing was changed.
    Broken {
        /// Why, in one sentence.
        cause: String,
        /// What can be done, in one sentence.
        next: String,
        /// The file.
        file: String,
        /// What can be chosen, the best first.
        offers: Vec<VaultOffer>,
    },
}

/// Where the vault's key is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum VaultKept {
    /// In the system's keychain.
    Keychain,
    /// Nowhere: it is made from a passphrase.
    Passphrase,
    /// There is none: secrets are in memory and gone when Patchbay ends.
    Memory,
}

/// What `vault_choose` can be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum VaultOffer {
    /// Ask the keychain (again).
    Keychain,
    /// Encrypt with a passphrase.
    Passphrase,
    /// Keep secrets in memory until Patchbay ends. The file, if there is one, is left alone.
    Memory,
    /// Set the file aside under another name and begin a new one.
    SetAside,
}

/// Parameters of `vault_choose`.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VaultChooseParams {
    /// How to go on.
    pub choice: VaultChoice,
}

/// How to go on. Holds a secret, so it is not printed.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum VaultChoice {
    /// Ask the keychain (again).
    Keychain,
    /// Encrypt with a passphrase. A vault that is open is moved over.
    Passphrase {
        /// At least 8 characters.
        text: String,
    },
    /// Keep secrets in memory until Patchbay ends.
    Memory,
    /// Set the file aside under another name and begin a new one.
    SetAside,
}

/// Parameters of `vault_unlock`. Holds a secret, so it is not printed.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VaultUnlockParams {
    /// The passphrase. A wrong one is answered with `InvalidParams`.
    pub passphrase: String,
}

/// Parameters of `secret_find`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct SecretFindParams {}

/// Answer of `secret_find`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SecretFindResponse {
    /// Secrets that stand readable in `servers.json`, in the order of the servers.
    pub items: Vec<PlainSecretItem>,
}

/// A secret that stands readable in `servers.json`, or in what was pasted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PlainSecretItem {
    /// Of which server; none for one that is not added yet.
    pub server_id: Option<ServerId>,
    /// The server's name.
    pub server_name: String,
    /// Where in its settings.
    pub place: SecretPlace,
    /// The header's, variable's, option's or parameter's name.
    pub name: String,
}

/// Where in a server's settings a secret stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum SecretPlace {
    /// A header's value.
    Header,
    /// An environment variable's value.
    Env,
    /// In an argument.
    Argument,
    /// In the query of the address.
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
    /// Whose secrets to move from `servers.json` into the vault.
    pub server_ids: Vec<ServerId>,
}

/// Answer of `secret_move`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SecretMoveResponse {
    /// How many were moved.
    pub moved: u32,
}
