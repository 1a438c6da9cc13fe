//! The vault: tokens, client secrets, secret headers and environment variables, encrypted in one file.
//!
//! ```text
//! value -- XChaCha20-Poly1305, bound to its id --> vault.json      envelope key -- keychain, or sealed by a passphrase
//! ```
//!
//! Creating a vault is cheap: the keychain is accessed when a secret is first needed, on a separate thread and with a
//! timeout. Without a keychain nothing is written unencrypted: the user chooses a passphrase, or memory only. An unreadable
//! file is never overwritten; it is set aside on the user's request.
//!
//! Deliberately not here: the meaning of the secrets, and where a server's settings use them (`patchbay-engine`).
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod error;
mod exclusive;
mod file;
mod keychain;
mod seal;
mod state;
mod vault;

pub use error::{KeychainError, VaultError};
pub use exclusive::Exclusive;
pub use file::random_name;
pub use keychain::{Keychain, NoKeychain, SystemKeychain};
pub use seal::Cost;
pub use state::{Choice, KeyLocation, Offer, State, Stored};
pub use vault::{SecretId, ValueObserver, Vault, VaultOptions};
