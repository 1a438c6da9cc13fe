//! Where a server's tokens and clients are kept.

mod json;

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;

use crate::{RegisteredClient, TokenSet};

/// What is kept of one server.
#[derive(Clone, Default)]
pub struct Kept {
    /// Its token.
    pub tokens: Option<TokenSet>,
    /// Who we are to each authorization server it ever sent us to, one per issuer.
    pub clients: Vec<RegisteredClient>,
}

impl Kept {
    /// Whether these tokens are newer than what is kept.
    pub(crate) fn is_behind(&self, tokens: &TokenSet) -> bool {
        self.tokens
            .as_ref()
            .is_some_and(|kept| kept.obtained_at < tokens.obtained_at)
    }
}

/// Keeps what is known of one server, such as in a vault.
pub trait Keep: Send + Sync {
    /// What is kept; nothing yet: the default.
    fn load(&self) -> BoxFuture<'_, Result<Kept, KeepError>>;

    /// Keeps this instead.
    fn save(&self, kept: Kept) -> BoxFuture<'_, Result<(), KeepError>>;

    /// Waits until no other process and no other task holds the lock, then holds it until what is given back is dropped:
    /// between a load and the save that depends on it.
    fn lock(&self) -> BoxFuture<'_, Result<KeepLock, KeepError>>;
}

/// Holds the lock of a [`Keep`] until it is dropped.
pub struct KeepLock(#[expect(dead_code, reason = "held, not looked at")] Box<dyn Send + Sync>);

impl KeepLock {
    /// Held as long as this lives.
    #[must_use]
    pub fn new(guard: impl Send + Sync + 'static) -> Self {
        Self(Box::new(guard))
    }
}

/// What is kept cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct KeepError {
    /// Why, in a sentence.
    pub cause: String,
    /// What to do, in a sentence.
    pub next: String,
}

/// Keeps in memory only. Clones keep the same.
#[derive(Clone, Default)]
pub struct MemoryKeep {
    kept: Arc<Mutex<Kept>>,
    lock: Arc<tokio::sync::Mutex<()>>,
}

impl Keep for MemoryKeep {
    fn load(&self) -> BoxFuture<'_, Result<Kept, KeepError>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Box::pin(async move { Ok(kept) })
    }

    fn save(&self, kept: Kept) -> BoxFuture<'_, Result<(), KeepError>> {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        Box::pin(async { Ok(()) })
    }

    fn lock(&self) -> BoxFuture<'_, Result<KeepLock, KeepError>> {
        let lock = Arc::clone(&self.lock);
        Box::pin(async move { Ok(KeepLock::new(lock.lock_owned().await)) })
    }
}

#[cfg(test)]
mod tests;
