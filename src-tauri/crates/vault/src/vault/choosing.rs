//! Applies the user's choices.

use std::collections::BTreeMap;

use patchbay_secret::Secret;

use super::{Shared, Vault, blocking};
use crate::{
    Choice, Exclusive, KeyLocation, SecretId, State, VaultError,
    file::{self, Content, KeyKind},
    seal::Key,
};

/// The minimum length of a passphrase.
const SHORTEST: usize = 8;

impl Vault {
    /// Applies the user's choice. Secrets kept in memory until then move into the vault.
    ///
    /// # Errors
    /// [`VaultError::NotNow`] if the choice is not possible in this state; [`VaultError::Needed`] if the vault is still not open.
    pub async fn choose(&self, choice: Choice) -> Result<(), VaultError> {
        let shared = &self.shared;
        if shared.options.file.is_none() {
            return Err(not_now("This vault is in memory only."));
        }
        let ready = match self.state() {
            State::Ready(kept) => Some(kept),
            _ => None,
        };
        match (choice, ready) {
            (Choice::Keychain, Some(KeyLocation::Keychain)) | (Choice::Memory, Some(KeyLocation::Memory)) => {
                Ok(())
            }
            (Choice::Keychain, Some(KeyLocation::Passphrase)) => shared.to_keychain().await,
            (Choice::Keychain, _) => shared.ask_again().await,
            (Choice::Passphrase(passphrase), kept) => {
                if passphrase.expose().chars().count() < SHORTEST {
                    return Err(not_now("The passphrase must have at least 8 characters."));
                }
                match kept {
                    Some(KeyLocation::Keychain | KeyLocation::Passphrase) => {
                        shared.to_passphrase(passphrase).await
                    }
                    _ => shared.begin_with(passphrase).await,
                }
            }
            (Choice::Memory, Some(_)) => Err(not_now("The vault is already open.")),
            (Choice::Memory, None) => {
                let mut open = shared.lock();
                // Secrets that are in memory stay there: the file beside them may have been damaged since.
                open.memory.get_or_insert_default();
                drop(open);
                shared.set_state(State::Ready(KeyLocation::Memory));
                Ok(())
            }
            (Choice::SetAside, Some(KeyLocation::Keychain | KeyLocation::Passphrase)) => Err(not_now(
                "The vault is open; its file does not need to be set aside.",
            )),
            (Choice::SetAside, _) => shared.set_aside().await,
        }
    }

    /// Opens a vault with its passphrase.
    ///
    /// # Errors
    /// [`VaultError::WrongPassphrase`]; [`VaultError::NotNow`] if it needs none.
    pub async fn unlock(&self, passphrase: Secret) -> Result<(), VaultError> {
        let shared = &self.shared;
        let wants = match shared.options.file {
            Some(_) => shared
                .content()
                .await?
                .filter(|content| content.key_location() == KeyLocation::Passphrase),
            None => None,
        };
        let Some(content) = wants else {
            return Err(not_now("The vault does not use a passphrase."));
        };
        let _gate = shared.opening.lock().await;
        let (content, key) = blocking(move || {
            let key = content.key_by(&passphrase)?;
            Ok((content, key))
        })
        .await?;
        let key = key.ok_or(VaultError::WrongPassphrase)?;
        shared.opened(&content, key);
        drop(_gate);
        shared.carry().await
    }
}

impl Shared {
    /// Accesses the keychain again, and creates a vault if there is none.
    async fn ask_again(&self) -> Result<(), VaultError> {
        self.lock().stuck = None;
        let opened = match self.content().await? {
            Some(content) => self.key_of(&content).await.map(drop),
            None => self.put(Vec::new()).await,
        };
        match opened {
            Ok(()) => self.carry().await,
            Err(error) => {
                // It stays in memory only.
                if self.lock().memory.is_some() {
                    self.set_state(State::Ready(KeyLocation::Memory));
                }
                Err(error)
            }
        }
    }

    /// Moves secrets from memory into the open vault. They are used in memory until nothing has changed there since they
    /// were written.
    async fn carry(&self) -> Result<(), VaultError> {
        let mut written = BTreeMap::new();
        loop {
            let values = {
                let mut open = self.lock();
                match &open.memory {
                    None => return Ok(()),
                    Some(values) if *values == written => {
                        open.memory = None;
                        return Ok(());
                    }
                    Some(values) => values.clone(),
                }
            };
            let mut changed = values.clone();
            changed.retain(|id, value| written.get(id) != Some(value));
            if !changed.is_empty() {
                self.put(changed.into_iter().collect()).await?;
            }
            written.retain(|id, _| !values.contains_key(id));
            if !written.is_empty() {
                let removed: Vec<SecretId> = written.into_keys().collect();
                self.remove(&removed).await?;
            }
            written = values;
        }
    }

    async fn to_keychain(&self) -> Result<(), VaultError> {
        let (mut content, key) = self.open_content().await?;
        if let Err(error) = self.keep(&content, &key).await {
            return Err(not_now(&format!("{error}. The vault still uses its passphrase.")));
        }
        let turn = self.writing().await?;
        content = self.same(content).await?;
        content.key = KeyKind::Keychain;
        let _turn = self.write(turn, content.clone()).await?;
        self.opened(&content, key);
        Ok(())
    }

    async fn to_passphrase(&self, passphrase: Secret) -> Result<(), VaultError> {
        let (content, key) = self.open_content().await?;
        let was = content.key_location();
        let turn = self.writing().await?;
        let content = self.same(content).await?;
        let (_turn, content) = self.keep_by(turn, content, passphrase, key.clone()).await?;
        self.opened(&content, key);
        if was == KeyLocation::Keychain {
            self.forget_key(&content).await;
        }
        Ok(())
    }

    /// Creates a vault with a passphrase.
    async fn begin_with(&self, passphrase: Secret) -> Result<(), VaultError> {
        let turn = self.writing().await?;
        if self.content().await?.is_some() {
            return Err(not_now(
                "A vault already exists. Open it, or set its file aside first.",
            ));
        }
        let key = Key::random()?;
        let content = Content::new(&key)?;
        let (turn, content) = self.keep_by(turn, content, passphrase, key.clone()).await?;
        drop(turn);
        self.opened(&content, key);
        self.carry().await
    }

    async fn keep_by(
        &self,
        turn: Exclusive,
        mut content: Content,
        passphrase: Secret,
        key: Key,
    ) -> Result<(Exclusive, Content), VaultError> {
        let cost = self.options.cost;
        let content = blocking(move || {
            content.keep_by(&passphrase, cost, &key)?;
            Ok(content)
        })
        .await?;
        let turn = self.write(turn, content.clone()).await?;
        Ok((turn, content))
    }

    async fn set_aside(&self) -> Result<(), VaultError> {
        let _gate = self.opening.lock().await;
        let turn = self.writing().await?;
        let path = self.file().to_owned();
        if !path.exists() {
            return Err(not_now("There is no vault file to set aside."));
        }
        // Its key stays in the keychain, so that the file can be restored.
        let (_turn, aside) = blocking(move || Ok((turn, file::set_aside(&path)?))).await?;
        tracing::warn!(aside = %aside.display(), "the vault was set aside");
        let mut open = self.lock();
        open.session = None;
        open.stuck = None;
        let state = match open.memory {
            Some(_) => State::Ready(KeyLocation::Memory),
            None => State::Unopened,
        };
        drop(open);
        self.set_state(state);
        Ok(())
    }

    async fn open_content(&self) -> Result<(Content, Key), VaultError> {
        let Some(content) = self.content().await? else {
            return Err(not_now(
                "The vault file is missing. Enter a secret to create a new vault.",
            ));
        };
        let key = self.key_of(&content).await?;
        Ok((content, key))
    }

    /// The current content while holding the lock, if it is still the same vault.
    async fn same(&self, content: Content) -> Result<Content, VaultError> {
        match self.content().await? {
            Some(now) if now.id == content.id => Ok(now),
            _ => Err(not_now("Another Patchbay process changed the vault. Try again.")),
        }
    }
}

fn not_now(why: &str) -> VaultError {
    VaultError::NotNow(why.to_owned())
}
