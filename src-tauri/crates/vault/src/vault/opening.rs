//! Finds the key of a vault, or creates a new one. A failed attempt is not repeated until the user chooses.

use std::sync::Arc;

use super::{Session, Shared, Tried, blocking};
use crate::{
    KeyLocation, Keychain, KeychainError, Offer, State, VaultError,
    file::{Content, KeyKind},
    seal::Key,
};

impl Content {
    pub(super) fn key_location(&self) -> KeyLocation {
        match self.key {
            KeyKind::Keychain => KeyLocation::Keychain,
            KeyKind::Passphrase { .. } => KeyLocation::Passphrase,
        }
    }
}

/// Resets the state `Opening` if the caller stops waiting for the keychain.
struct Asking<'a>(&'a Shared);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if *self.0.state.borrow() == State::Opening {
            self.0.set_state(State::Unopened);
        }
    }
}

impl Shared {
    /// The key of the content.
    pub(super) async fn key_of(&self, content: &Content) -> Result<Key, VaultError> {
        let _gate = self.opening.lock().await;
        self.key_within(content).await
    }

    /// As [`Vault::key_of`], while holding the gate.
    pub(super) async fn key_within(&self, content: &Content) -> Result<Key, VaultError> {
        let tried = Some((content.id.clone(), content.key_location()));
        if let Some(key) = self.known_key(content) {
            self.set_state(State::Ready(content.key_location()));
            return Ok(key);
        }
        self.worth_trying(&tried)?;
        if content.key_location() == KeyLocation::Passphrase {
            return Err(self.stuck(tried, State::Locked));
        }
        let name = content.key_name();
        match self.ask(move |keychain| keychain.read(&name)).await {
            Ok(Some(bytes)) => match Key::from_bytes(&bytes).filter(|key| content.fits(key)) {
                Some(key) => {
                    self.opened(content, key.clone());
                    Ok(key)
                }
                None => Err(self.stuck(
                    tried,
                    self.wrong_key("does not match the one it was encrypted with"),
                )),
            },
            Ok(None) => Err(self.stuck(
                tried,
                self.wrong_key("is missing: it was removed, or the file belongs to another user or machine"),
            )),
            Err(error) => Err(self.stuck(tried, without_keychain(&error, true))),
        }
    }

    /// A new vault with its key in the keychain. It is not written yet.
    pub(super) async fn begin(&self) -> Result<(Content, Key), VaultError> {
        let _gate = self.opening.lock().await;
        self.begin_within().await
    }

    /// As [`Vault::begin`], while holding the gate.
    pub(super) async fn begin_within(&self) -> Result<(Content, Key), VaultError> {
        self.worth_trying(&None)?;
        let key = Key::random()?;
        let content = Content::new(&key)?;
        match self.keep(&content, &key).await {
            Ok(()) => Ok((content, key)),
            Err(error) => Err(self.stuck(None, without_keychain(&error, false))),
        }
    }

    /// Stores the key in the keychain, and verifies that it was stored.
    pub(super) async fn keep(&self, content: &Content, key: &Key) -> Result<(), KeychainError> {
        let (name, kept) = (content.key_name(), key.clone());
        self.ask(move |keychain| {
            keychain.write(&name, kept.bytes())?;
            match keychain.read(&name)? {
                Some(bytes) if bytes == kept.bytes() => Ok(()),
                _ => Err(KeychainError::Failed(
                    "it stored the key but did not return it".to_owned(),
                )),
            }
        })
        .await
    }

    /// Removes the key of a deleted vault from the keychain. A remaining key is harmless.
    pub(super) async fn forget_key(&self, content: &Content) {
        let name = content.key_name();
        if let Err(error) = self.ask(move |keychain| keychain.remove(&name)).await {
            tracing::warn!(%error, "a key that is no longer used remains in the keychain");
        }
    }

    /// Marks the vault as open with this key.
    pub(super) fn opened(&self, content: &Content, key: Key) {
        let mut open = self.lock();
        open.stuck = None;
        open.session = Some(Session {
            vault: content.id.clone(),
            key: key.clone(),
        });
        drop(open);
        self.report(content, &key);
        self.set_state(State::Ready(content.key_location()));
    }

    /// The state for a file that is not a readable vault.
    pub(super) fn broken(&self, why: String) -> VaultError {
        let state = State::Broken {
            cause: format!("The vault file cannot be read: {why}."),
            next: "Restore a backup of it, or set it aside and create a new vault. The file was not changed."
                .to_owned(),
            file: self.file().to_owned(),
            offers: vec![Offer::SetAside, Offer::Memory],
        };
        self.set_state(state.clone());
        VaultError::Needed(state)
    }

    fn known_key(&self, content: &Content) -> Option<Key> {
        let open = self.lock();
        let session = open.session.as_ref()?;
        (session.vault == content.id).then(|| session.key.clone())
    }

    fn wrong_key(&self, how: &str) -> State {
        State::Broken {
            cause: format!("The keychain's key for the vault {how}."),
            next: "Restore the keychain and try again, or set the file aside and create a new vault. The file was not changed."
                .to_owned(),
            file: self.file().to_owned(),
            offers: vec![Offer::Keychain, Offer::SetAside, Offer::Memory],
        }
    }

    fn stuck(&self, tried: Tried, state: State) -> VaultError {
        self.lock().stuck = Some((tried, state.clone()));
        self.set_state(state.clone());
        VaultError::Needed(state)
    }

    fn worth_trying(&self, trying: &Tried) -> Result<(), VaultError> {
        match &self.lock().stuck {
            Some((tried, state)) if tried == trying => Err(VaultError::Needed(state.clone())),
            _ => Ok(()),
        }
    }

    /// Accesses the keychain on a blocking thread, with a time limit.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Keychain) -> Result<T, KeychainError> + Send + 'static,
    ) -> Result<T, KeychainError> {
        let open = matches!(*self.state.borrow(), State::Ready(_));
        if !open {
            self.set_state(State::Opening);
        }
        let _asking = Asking(self);
        let keychain = Arc::clone(&self.options.keychain);
        let answer = blocking(move || Ok(question(&*keychain)));
        match tokio::time::timeout(self.options.patience, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => Err(KeychainError::Failed(error.to_string())),
            Err(_) => Err(KeychainError::Silent {
                seconds: self.options.patience.as_secs(),
            }),
        }
    }
}

/// The choices without the keychain. Its availability is determined once (see `SystemKeychain`), so a missing one is not
/// accessed again. An existing vault cannot be encrypted again until it is open.
fn without_keychain(error: &KeychainError, has_file: bool) -> State {
    let (again, mut offers) = match error {
        KeychainError::Absent(_) => (
            "Start a keychain (GNOME Keyring, KWallet, KeePassXC) and restart Patchbay",
            Vec::new(),
        ),
        KeychainError::Locked(_) | KeychainError::Silent { .. } => {
            ("Unlock it and try again", vec![Offer::Keychain])
        }
        KeychainError::Failed(_) => ("Try again", vec![Offer::Keychain]),
    };
    let or = match has_file {
        true => {
            offers.extend([Offer::Memory, Offer::SetAside]);
            "continue without the secrets in the vault, which are kept"
        }
        false => {
            offers.extend([Offer::Passphrase, Offer::Memory]);
            "encrypt with a passphrase, or keep secrets in memory until Patchbay exits"
        }
    };
    State::Choice {
        cause: format!("{error}."),
        next: format!("{again}, or {or}."),
        offers,
    }
}
