//! The vault: tokens, client secrets, secret headers and variables, encrypted in one file.
//!
//! ```text
//! value -- XChaCha20-Poly1305, bound to its id --> vault.json      envelope key -- keychain, or sealed by a passphrase
//! ```
//!
//! Opening costs nothing: the keychain is asked at the first need, on a thread of its own and with a time limit. Without a
//! keychain nothing is ever written in the clear: the user chooses a passphrase, or memory only. What cannot be read is
//! never overwritten: it is set aside, and only when the user says so.
//!
//! Deliberately not here: what the secrets mean, and where in a server's settings they stand (`patchbay-engine`).

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
pub use state::{Choice, Kept, Offer, State};
pub use vault::{SecretId, Told, Vault, VaultOptions};
