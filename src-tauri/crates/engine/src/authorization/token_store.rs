//! Stores tokens and clients in the vault. While the vault cannot be opened or written, they are kept in memory and the user
//! is notified.

use std::sync::{Arc, Mutex, PoisonError};

use patchbay_auth::{MemoryTokenStore, StoredTokens, TokenStore, TokenStoreError, TokenStoreLock};
use patchbay_config::Servers;
use patchbay_contract::ServerId;
use patchbay_secret::Secret;
use patchbay_traffic::Recorder;
use patchbay_transport::BoxFuture;
use patchbay_vault::{Offer, SecretId, State, Vault, VaultError};

/// The stored tokens and clients of one server.
pub(crate) struct VaultTokenStore {
    vault: Vault,
    id: SecretId,
    recorder: Recorder,
    /// The server and the list it is in. None: its tokens are kept without it.
    configured: Option<(Arc<Servers>, ServerId)>,
    /// Tokens that could not be stored in the vault.
    memory: MemoryTokenStore,
    /// What was last read from the vault or written to it: it is known also while the file cannot be read.
    last: MemoryTokenStore,
    /// The reason.
    unsaved: Mutex<Option<String>>,
}

impl VaultTokenStore {
    pub(super) fn new(
        vault: Vault,
        id: SecretId,
        recorder: Recorder,
        configured: Option<(Arc<Servers>, ServerId)>,
    ) -> Self {
        Self {
            vault,
            id,
            recorder,
            configured,
            memory: MemoryTokenStore::default(),
            last: MemoryTokenStore::default(),
            unsaved: Mutex::default(),
        }
    }

    /// Why the token is in memory only, if so.
    pub(super) fn unsaved(&self) -> Option<String> {
        self.unsaved
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn set_unsaved(&self, why: Option<String>) {
        *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner) = why;
    }

    /// Whether it stores under this name.
    pub(super) fn is_named(&self, id: &SecretId) -> bool {
        self.id == *id
    }

    /// Whether another one stores under the same name.
    pub(super) fn has_name_of(&self, other: &Self) -> bool {
        self.id == other.id
    }

    /// Stores tokens that the vault did not accept before, if it is open now.
    pub(super) async fn save_pending(&self) -> Result<(), TokenStoreError> {
        if self.unsaved().is_none() || !matches!(self.vault.state(), State::Ready(_)) {
            return Ok(());
        }
        let mut kept = self.memory.load().await?;
        // What was stored could not be read at the time. It is replaced where what is in memory is newer.
        if let Ok(Some(stored)) = self.vault.get(&self.id).await
            && let Ok(stored) = StoredTokens::from_secret(&stored)
        {
            kept.merge(stored);
        }
        self.save(kept).await
    }

    async fn load(&self) -> Result<StoredTokens, TokenStoreError> {
        if let Err(error) = self.save_pending().await {
            tracing::warn!(%error, "a token is still in memory only");
        }
        let in_memory = self.memory.load().await?;
        let kept = match self.vault.get(&self.id).await {
            // Tokens that could not be stored are newer than the stored ones.
            _ if self.unsaved().is_some() => in_memory,
            Ok(kept) => {
                let kept = kept.map_or_else(|| Ok(in_memory), |kept| StoredTokens::from_secret(&kept))?;
                self.last.save(kept.clone()).await?;
                kept
            }
            Err(VaultError::Needed(state)) if is_lost(&state) => self.last.load().await?,
            Err(error) => return Err(failed(&error)),
        };
        self.recorder.redact(kept.secrets());
        Ok(kept)
    }

    async fn save(&self, kept: StoredTokens) -> Result<(), TokenStoreError> {
        self.recorder.redact(kept.secrets());
        let saved = if is_empty(&kept) {
            self.vault.remove(vec![self.id.clone()]).await
        } else {
            self.vault.put(vec![(self.id.clone(), kept.to_secret())]).await
        };
        match saved {
            Ok(()) => {
                self.forget_removed().await;
                self.set_unsaved(None);
                self.last.save(kept).await?;
                self.memory.save(StoredTokens::default()).await
            }
            // Nothing is lost if only deleting failed, and what is stored is still there.
            Err(error) if is_empty(&kept) => Err(not_deleted(&error)),
            Err(VaultError::Needed(state)) => self.keep_in_memory(kept, &state.words()).await,
            Err(error) => {
                self.keep_in_memory(kept, &error.to_string()).await?;
                Err(failed(&error))
            }
        }
    }

    async fn keep_in_memory(&self, kept: StoredTokens, why: &str) -> Result<(), TokenStoreError> {
        self.set_unsaved(Some(format!(
            "The token is kept in memory only, until Patchbay exits: {why}"
        )));
        self.memory.save(kept).await
    }
}

impl VaultTokenStore {
    /// Deletes what was stored for a server that was removed meanwhile. Who removes one deletes its secrets once it is no longer
    /// in the list, so what is stored before that goes with them.
    async fn forget_removed(&self) {
        let is_removed = |(servers, id): &(Arc<Servers>, ServerId)| servers.get(id).is_err();
        if self.configured.as_ref().is_some_and(is_removed)
            && let Err(error) = self.vault.remove(vec![self.id.clone()]).await
        {
            tracing::warn!(%error, "the token of a removed server is still in the vault");
        }
    }
}

impl TokenStore for VaultTokenStore {
    fn load(&self) -> BoxFuture<'_, Result<StoredTokens, TokenStoreError>> {
        Box::pin(self.load())
    }

    fn save(&self, kept: StoredTokens) -> BoxFuture<'_, Result<(), TokenStoreError>> {
        Box::pin(self.save(kept))
    }

    fn lock(&self) -> BoxFuture<'_, Result<TokenStoreLock, TokenStoreError>> {
        Box::pin(async move {
            let lock = self.vault.exclusive(&self.id.0).await;
            lock.map(TokenStoreLock::new).map_err(|error| failed(&error))
        })
    }
}

/// Whether the vault cannot be read later either. With another key it can.
fn is_lost(state: &State) -> bool {
    matches!(state, State::Broken { offers, .. } if !offers.contains(&Offer::Keychain))
}

fn is_empty(kept: &StoredTokens) -> bool {
    kept.tokens.is_none() && kept.clients.is_empty()
}

/// The secrets in a stored value; none if it is not a token.
pub(crate) fn secrets_in(id: &SecretId, value: &Secret) -> Option<Vec<Secret>> {
    let ours = id.0.starts_with("address/") || id.0.contains("/authorization/");
    let kept = StoredTokens::from_secret(value).ok().filter(|_| ours)?;
    Some(kept.secrets())
}

fn failed(error: &VaultError) -> TokenStoreError {
    TokenStoreError {
        cause: error.to_string(),
        next: "Open the vault settings to see its status.".to_owned(),
    }
}

fn not_deleted(error: &VaultError) -> TokenStoreError {
    let failed = failed(error);
    TokenStoreError {
        cause: format!("what is stored could not be deleted: {}", failed.cause),
        ..failed
    }
}

#[cfg(test)]
mod tests;
