//! The vault: tokens, client secrets, secret headers and variables, encrypted in one file.
//!
//! ```text
//! value -- XChaCha20-Poly1305, bound to its id --> vault.json      envelope key -- keychain, or wrapped by a passphrase
//! ```
//!
//! Opening costs nothing: the keychain is asked at the first need, on a thread of its own and with a time limit. Without a
//! keychain nothing is ever written in the clear: the user chooses a passphrase, or memory only.
//!
//! Deliberately not here: what the secrets mean, and where in a server's settings they stand (`patchbay-engine`).

mod error;
mod keychain;
mod state;
mod vault;

pub use error::{KeychainError, VaultError};
pub use keychain::{Keychain, NoKeychain};
pub use state::{Choice, Kept, Offer, State};
pub use vault::{Exclusive, SecretId, Vault, VaultOptions};
