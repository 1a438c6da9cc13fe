//! The keys of providers: in the vault, or for this run only.
//!
//! A new key gets a new name in the vault, and the old one is deleted once the settings refer to the new one: a key never goes to
//! an address that it was not entered for, however a change ends.

use patchbay_contract::CommandError;
use patchbay_secret::Secret;
use patchbay_vault::{SecretId, random_name};

use super::{Models, SavedProvider, failed};

impl Models {
    /// Stores a new key of a provider, whose settings then refer to it.
    pub(super) async fn keep_key(&self, saved: &mut SavedProvider, key: Secret) -> Result<(), CommandError> {
        saved.has_key = true;
        if self.file.is_kept() {
            saved.key_name = Some(random_name().map_err(failed)?);
            return self
                .vault
                .put(vec![(secret_id(saved), key)])
                .await
                .map_err(failed);
        }
        self.recorder.redact(vec![key.clone()]);
        self.lock().keys.insert(saved.id.clone(), key);
        Ok(())
    }

    /// The key of a provider.
    pub(super) async fn key(&self, saved: &SavedProvider) -> Result<Option<Secret>, CommandError> {
        if !saved.has_key {
            return Ok(None);
        }
        let of_run = self.lock().keys.get(&saved.id).cloned();
        match of_run {
            Some(key) => Ok(Some(key)),
            None => self.vault.get(&secret_id(saved)).await.map_err(failed),
        }
    }

    /// Deletes a key that no settings refer to. One that cannot be deleted now is harmless.
    pub(super) async fn forget_key(&self, saved: &SavedProvider) {
        if saved.has_key
            && self.file.is_kept()
            && let Err(error) = self.vault.remove(vec![secret_id(saved)]).await
        {
            tracing::warn!(%error, "a key of a model provider that is not used any more is still in the vault");
        }
    }
}

fn secret_id(saved: &SavedProvider) -> SecretId {
    let id = &saved.id;
    SecretId(match &saved.key_name {
        Some(name) => format!("provider/{id}/key-{name}"),
        None => format!("provider/{id}/key"),
    })
}
