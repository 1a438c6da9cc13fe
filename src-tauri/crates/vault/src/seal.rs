//! Sealing values with a key, and keys with a passphrase.
//!
//! XChaCha20-Poly1305 with random nonces. The vault and the name are bound to a sealed text, so that it cannot be moved.
//! Argon2id derives a key from a passphrase.

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use patchbay_secret::Secret;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::VaultError;

/// The length of a key, in bytes.
pub(crate) const KEY: usize = 32;
const NONCE: usize = 24;

/// The key that seals values. Erased from memory when dropped.
#[derive(Clone)]
pub(crate) struct Key(Zeroizing<[u8; KEY]>);

impl Key {
    /// Generates a key.
    pub(crate) fn random() -> Result<Self, VaultError> {
        let mut bytes = Zeroizing::new([0; KEY]);
        fill(&mut *bytes)?;
        Ok(Self(bytes))
    }

    /// From stored bytes; none if the length is wrong.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(Self(Zeroizing::new(bytes.try_into().ok()?)))
    }

    /// Derives a key from a passphrase.
    pub(crate) fn derive(passphrase: &Secret, salt: &[u8], cost: Cost) -> Result<Self, VaultError> {
        let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, Some(KEY)).map_err(internal)?;
        let mut bytes = Zeroizing::new([0; KEY]);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(passphrase.expose().as_bytes(), salt, &mut *bytes)
            .map_err(internal)?;
        Ok(Self(bytes))
    }

    /// The bytes, for the keychain or for sealing.
    pub(crate) fn bytes(&self) -> &[u8] {
        &*self.0
    }

    /// Nonce and sealed text. `what` must be the same to open it.
    pub(crate) fn seal(&self, what: &str, text: &[u8]) -> Result<Vec<u8>, VaultError> {
        let mut nonce = [0; NONCE];
        fill(&mut nonce)?;
        let payload = Payload {
            msg: text,
            aad: what.as_bytes(),
        };
        let sealed = self
            .cipher()
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(internal)?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// The plain text; none if the key or `what` differs, or the text was modified.
    pub(crate) fn open(&self, what: &str, sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, text) = sealed.split_first_chunk::<NONCE>()?;
        let payload = Payload {
            msg: text,
            aad: what.as_bytes(),
        };
        let opened = self.cipher().decrypt(&XNonce::from(*nonce), payload).ok()?;
        Some(Zeroizing::new(opened))
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.0).into())
    }
}

/// The cost of Argon2id. Each vault file records its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// Memory, in KiB.
    pub memory_kib: u32,
    /// Passes.
    pub passes: u32,
    /// Lanes.
    pub lanes: u32,
}

impl Default for Cost {
    /// RFC 9106, second recommendation: 64 MiB, 3 passes, 4 lanes.
    fn default() -> Self {
        Self {
            memory_kib: 64 * 1024,
            passes: 3,
            lanes: 4,
        }
    }
}

impl Cost {
    /// Whether a file may require this: a modified file must not exhaust the memory.
    pub(crate) fn is_bearable(self) -> bool {
        self.memory_kib <= 1024 * 1024 && self.passes <= 64 && self.lanes <= 64
    }
}

/// Random bytes.
pub(crate) fn fill(bytes: &mut [u8]) -> Result<(), VaultError> {
    getrandom::fill(bytes).map_err(internal)
}

fn internal(error: impl std::fmt::Display) -> VaultError {
    VaultError::Internal(error.to_string())
}

#[cfg(test)]
mod tests;
