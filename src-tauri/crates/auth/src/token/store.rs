//! Storage of a server's tokens and clients.

mod json;

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use patchbay_secret::Secret;

use crate::{
    ClientChoice, ClientOrigin, DpopChoice, Failure, GrantKind, RegisteredClient, Settings, Step, TokenSet,
};

/// The stored tokens and clients of one server.
#[derive(Clone, Default)]
pub struct StoredTokens {
    /// The token.
    pub tokens: Option<TokenSet>,
    /// The client at each authorization server that the server has named, one per issuer.
    pub clients: Vec<RegisteredClient>,
}

impl StoredTokens {
    /// All secrets in it.
    #[must_use]
    pub fn secrets(&self) -> Vec<Secret> {
        let tokens = self.tokens.iter().flat_map(TokenSet::secrets);
        let clients = self.clients.iter().filter_map(|client| client.secret.clone());
        tokens.chain(clients).collect()
    }

    /// The client that these tokens were issued to.
    pub(crate) fn client_of(&self, tokens: &TokenSet) -> Option<&RegisteredClient> {
        let mut clients = self.clients.iter();
        clients.find(|client| tokens.is_of(client))
    }

    /// The token, if it is what these settings ask for. Another one is neither sent nor refreshed.
    pub(crate) fn fitting(&self, settings: &Settings) -> Option<&TokenSet> {
        let is_bound = |tokens: &&TokenSet| tokens.dpop.is_some() || settings.dpop != DpopChoice::Always;
        self.obtained_as(settings).filter(is_bound)
    }

    /// The token, if it was obtained as these settings say, by the same client. What an earlier version stored does not say the
    /// kind of grant.
    pub(crate) fn obtained_as(&self, settings: &Settings) -> Option<&TokenSet> {
        let tokens = self.tokens.as_ref()?;
        let kind = settings.grant.kind();
        let is_by_client = match &settings.client {
            ClientChoice::Manual { id, issuer, .. } => {
                *id == tokens.client_id && issuer.as_ref().is_none_or(|issuer| *issuer == tokens.issuer)
            }
            // A client of earlier settings was removed from them.
            ClientChoice::Auto if kind == GrantKind::AuthorizationCode => self
                .client_of(tokens)
                .is_none_or(|client| client.origin != ClientOrigin::PreRegistered),
            // Of a workload that no client is registered for.
            ClientChoice::Auto => tokens.client_id.is_empty(),
        };
        let is_obtained = is_by_client && tokens.grant.is_none_or(|grant| grant == kind);
        is_obtained.then_some(tokens)
    }

    /// Stores a client as the latest and replaces the one of the same kind for its issuer. The client of the tokens stays until
    /// they are replaced: it refreshes and revokes them.
    pub(crate) fn remember(&mut self, client: RegisteredClient) {
        let Self { tokens, clients } = self;
        clients.retain(|kept| {
            let is_same = kept.origin == client.origin && kept.id == client.id;
            // A client from the settings belongs to one authorization server.
            let replaces = match kept.issuer == client.issuer {
                true => kept.origin == client.origin,
                false => is_same && client.origin == ClientOrigin::PreRegistered,
            };
            let is_itself = is_same && kept.issuer == client.issuer;
            let is_in_use = tokens.as_ref().is_some_and(|tokens| tokens.is_of(kept));
            !replaces || is_in_use && !is_itself
        });
        clients.push(client);
    }

    /// Adds what was stored elsewhere and is missing here.
    pub fn merge(&mut self, stored: Self) {
        let mut merged = stored;
        if let Some(tokens) = self.tokens.take() {
            merged.tokens = Some(tokens);
        }
        for client in self.clients.drain(..) {
            merged.remember(client);
        }
        *self = merged;
    }

    /// Deletes a client, so that the next run registers again.
    pub(crate) fn forget(&mut self, issuer: &str, id: &str) {
        self.clients.retain(|kept| kept.issuer != issuer || kept.id != id);
    }

    /// Whether a token of this client can be refreshed, which needs the client.
    pub(crate) fn can_refresh_with(&self, client: &RegisteredClient) -> bool {
        self.tokens
            .as_ref()
            .is_some_and(|tokens| tokens.refresh.is_some() && tokens.is_of(client))
    }
}

/// Stores the tokens and clients of one server, for example in a vault.
pub trait TokenStore: Send + Sync {
    /// Loads them; the default if nothing is stored yet.
    fn load(&self) -> BoxFuture<'_, Result<StoredTokens, TokenStoreError>>;

    /// Replaces them.
    fn save(&self, kept: StoredTokens) -> BoxFuture<'_, Result<(), TokenStoreError>>;

    /// Waits for the lock across tasks and processes, and holds it until the guard is dropped. Hold it from a load to the
    /// save that depends on it.
    fn lock(&self) -> BoxFuture<'_, Result<TokenStoreLock, TokenStoreError>>;
}

/// Holds the lock of a [`TokenStore`] until it is dropped.
pub struct TokenStoreLock(#[expect(dead_code, reason = "held, not looked at")] Box<dyn Send + Sync>);

impl TokenStoreLock {
    /// Holds this value as long as the lock.
    #[must_use]
    pub fn new(guard: impl Send + Sync + 'static) -> Self {
        Self(Box::new(guard))
    }
}

/// The stored tokens cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct TokenStoreError {
    /// The cause, in a sentence.
    pub cause: String,
    /// What to do, in a sentence.
    pub next: String,
}

impl TokenStoreError {
    /// The failure of the step that needed the stored tokens.
    pub(crate) fn at(self, step: Step) -> Failure {
        Failure::new(step, self.cause, self.next)
    }
}

/// Stores in memory only. Clones share the same content.
#[derive(Clone, Default)]
pub struct MemoryTokenStore {
    kept: Arc<Mutex<StoredTokens>>,
    lock: Arc<tokio::sync::Mutex<()>>,
}

impl TokenStore for MemoryTokenStore {
    fn load(&self) -> BoxFuture<'_, Result<StoredTokens, TokenStoreError>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Box::pin(async move { Ok(kept) })
    }

    fn save(&self, kept: StoredTokens) -> BoxFuture<'_, Result<(), TokenStoreError>> {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        Box::pin(async { Ok(()) })
    }

    fn lock(&self) -> BoxFuture<'_, Result<TokenStoreLock, TokenStoreError>> {
        let lock = Arc::clone(&self.lock);
        Box::pin(async move { Ok(TokenStoreLock::new(lock.lock_owned().await)) })
    }
}

#[cfg(test)]
mod tests;
