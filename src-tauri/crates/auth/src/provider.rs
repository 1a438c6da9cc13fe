//! The provider of a server's credential. There is one per server while the program runs.

mod launch;
mod refused;
mod state;
pub(crate) mod view;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use patchbay_http::{Authorizer, Credential, HeaderMap, Outbound, Refusal, Url, Verdict};
use patchbay_secret::Secret;
use patchbay_traffic::OperationId;

use crate::run::Plan;
use crate::run::masked::masked;
use crate::token::dpop::{DpopKey, ProofOf};
use crate::token::jwt;
use crate::{
    AuthMethod, Cause, ClientView, Failure, Host, RunId, Settings, Step, TokenSet, TokenStore,
    TokenStoreError, TokenView, View,
};
use launch::{Job, Work};
use state::{Shared, outcome_of};

pub use state::NoRunWaiting;

/// The problem of a token that does not fit the settings.
const UNUSED: &str = "The stored token does not fit the settings of this server (its grant, its client, or DPoP), and is not \
                      used. Authorize to get a new one.";

/// Provides a server's credential: refreshes it, and obtains a new one when the server asks for it. At most one run is
/// active at a time, and callers that need its outcome wait for it. Cheap to clone; dropping the last clone cancels the
/// run. Needs a tokio runtime.
#[derive(Clone)]
pub struct CredentialProvider {
    shared: Arc<Shared>,
    _owner: Arc<Owner>,
}

/// Cancels the run when the last provider is dropped.
struct Owner(Arc<Shared>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl CredentialProvider {
    /// Creates the provider for the server at this address.
    #[must_use]
    pub fn new(server: Url, settings: Settings, host: Arc<dyn Host>, store: Arc<dyn TokenStore>) -> Self {
        let shared = Arc::new(Shared::new(server, settings, host, store));
        Self {
            _owner: Arc::new(Owner(Arc::clone(&shared))),
            shared,
        }
    }

    /// The server's address. The credential is sent to its origin only.
    #[must_use]
    pub fn server(&self) -> &Url {
        &self.shared.server
    }

    /// Obtains a credential that may help with a refused request, with the user's help if need be. Cancel-safe: the run
    /// continues for others who wait for it.
    ///
    /// # Errors
    /// There is no other credential.
    pub(crate) async fn obtain(&self, refusal: Refusal) -> Result<(), Failure> {
        self.shared.load_once().await;
        Box::pin(refused::decide(&self.shared, refusal)).await
    }

    /// Starts a run for the user at a step (`None`: the first), with these scopes (`None`: from the settings and the
    /// server), and cancels the current run. If an earlier step's result is missing, the run starts at that step. Its exchanges are
    /// recorded as part of `operation`, as those of [`Self::refresh`] and [`Self::forget`] are.
    pub fn start(
        &self,
        from: Option<Step>,
        scopes: Option<Vec<String>>,
        operation: Option<OperationId>,
    ) -> RunId {
        self.shared.reset_attempts();
        let work = match from {
            Some(Step::Refresh) => Work::Refresh,
            Some(Step::Revocation) => Work::Forget,
            from => Work::Full(Box::new(Plan {
                challenge: None,
                more: false,
                from: from.unwrap_or(Step::Challenge),
                scopes,
            })),
        };
        let (id, _) = launch::begin(&self.shared, Job::new(Cause::User, work, operation));
        id
    }

    /// Passes on the authorization response if the browser could not reach this machine: the whole redirected address,
    /// `code#state`, or the code.
    ///
    /// # Errors
    /// No run is waiting for it.
    pub fn paste(&self, text: &str) -> Result<(), NoRunWaiting> {
        self.shared.paste(text)
    }

    /// Cancels the current run, if there is one. A refresh and a revocation are always completed; cancelling ends only their
    /// questions.
    pub fn cancel(&self) {
        self.shared.cancel();
    }

    /// Refreshes the token now, in a separate run.
    ///
    /// # Errors
    /// The token cannot be refreshed.
    pub async fn refresh(&self, operation: Option<OperationId>) -> Result<(), Failure> {
        self.shared.load_once().await;
        let (_, outcome) = launch::begin(&self.shared, Job::new(Cause::User, Work::Refresh, operation));
        outcome_of(outcome).await
    }

    /// Marks the token as expired, to test what happens then.
    ///
    /// # Errors
    /// The change cannot be stored.
    pub async fn expire(&self) -> Result<(), TokenStoreError> {
        let shared = &self.shared;
        shared.load_once().await;
        shared.reset_attempts();
        let _alone = shared.store.lock().await?;
        let mut kept = shared.store.load().await?;
        if let Some(tokens) = &mut kept.tokens {
            tokens.expires_at = Some(shared.host.now());
        }
        shared.store.save(kept.clone()).await?;
        shared.adopt(kept);
        Ok(())
    }

    /// Deletes the tokens and the registered client; with `revoke`, a separate run revokes them first. They are deleted
    /// here even if that fails.
    ///
    /// # Errors
    /// They could not be revoked or deleted.
    pub async fn forget(&self, revoke: bool, operation: Option<OperationId>) -> Result<(), Failure> {
        let shared = &self.shared;
        // Another window or program may have obtained them. What cannot be read is deleted nevertheless.
        if let Err(error) = shared.reload().await {
            tracing::warn!(
                cause = error.cause,
                "the stored tokens cannot be read before they are deleted"
            );
        }
        shared.reset_attempts();
        let is_stored = shared.state().kept.tokens.is_some();
        if revoke && is_stored {
            let (_, outcome) = launch::begin(shared, Job::new(Cause::Forget, Work::Forget, operation));
            return outcome_of(outcome).await;
        }
        shared.cancel();
        let forgotten = shared.forget(std::future::ready(())).await;
        forgotten.map_err(|error| error.at(Step::Revocation))
    }

    /// The credential as it may be shown to the user.
    pub async fn view(&self) -> View {
        let shared = &self.shared;
        shared.load_once().await;
        let state = shared.state();
        let tokens = state.kept.tokens.as_ref();
        let is_unused = tokens.is_some() && state.kept.fitting(&shared.settings).is_none();
        let client = tokens
            .and_then(|tokens| state.kept.client_of(tokens))
            .or_else(|| state.kept.clients.last());
        View {
            token: tokens.map(token_view),
            client: client.map(|client| ClientView {
                issuer: client.issuer.clone(),
                id: client.id.clone(),
                origin: client.origin,
                redirect_uri: client.redirect_uri.clone(),
                is_confidential: client.secret.is_some() || client.auth_method == AuthMethod::PrivateKeyJwt,
            }),
            running: state.running.as_ref().map(|running| running.id),
            problem: state.problem.clone().or(is_unused.then(|| UNUSED.to_owned())),
        }
    }
}

impl Authorizer for CredentialProvider {
    /// A token that is about to expire is refreshed first, if that needs no user.
    fn credential<'a>(&'a self, request: &'a Outbound<'a>) -> BoxFuture<'a, Option<Credential>> {
        Box::pin(async move {
            let shared = &self.shared;
            shared.load_once().await;
            let (tokens, _) = shared.current()?;
            if tokens.is_due(shared.host.now()) && shared.can_refresh(&tokens) {
                // A run that waits for the browser does not stop others from using a token that is still valid.
                if let Some(outcome) = launch::refresh_or_join(shared, request.operation) {
                    let _ = outcome_of(outcome).await;
                }
            }
            let (tokens, version) = shared.current()?;
            if tokens.is_expired(shared.host.now()) {
                return None;
            }
            credential(shared, request, &tokens, version)
        })
    }

    fn answered(&self, url: &Url, headers: &HeaderMap) -> bool {
        self.shared.nonces.note(url, headers)
    }

    fn refused(&self, refusal: Refusal) -> BoxFuture<'_, Verdict> {
        Box::pin(async move {
            match self.obtain(refusal).await {
                Ok(()) => Verdict::Retry,
                Err(failure) => Verdict::GiveUp(failure.into()),
            }
        })
    }

    /// If this version is refused for the same purpose later, it has expired, rather than never having been sufficient.
    fn accepted(&self, version: u64, purpose: &str) {
        let mut state = self.shared.state();
        let is_it = |(renewed, of): &(u64, String)| *renewed == version && of == purpose;
        if state.refreshed.as_ref().is_some_and(is_it) {
            state.refreshed = None;
        }
    }

    fn renewed(&self, refusal: Refusal) -> BoxFuture<'_, bool> {
        Box::pin(async move {
            self.shared.load_once().await;
            refused::renew_quietly(&self.shared, &refusal).await
        })
    }
}

/// The credential for a request: the token, with a proof if it is bound to a key.
fn credential(
    shared: &Shared,
    request: &Outbound<'_>,
    tokens: &TokenSet,
    version: u64,
) -> Option<Credential> {
    let access = &tokens.access;
    let Some(key) = &tokens.dpop else {
        return Some(Credential {
            value: Secret::new(format!("Bearer {}", access.expose())),
            proof: None,
            version,
        });
    };
    let proof = ProofOf {
        method: request.method.as_str(),
        url: request.url,
        access: Some(access),
        nonce: shared.nonces.of(request.url),
    };
    match key.prove(shared.host.as_ref(), &proof) {
        Ok(proof) => Some(Credential {
            value: Secret::new(format!("DPoP {}", access.expose())),
            proof: Some(proof),
            version,
        }),
        Err(cause) => {
            tracing::error!(cause, "a request is sent without its token");
            None
        }
    }
}

fn token_view(tokens: &TokenSet) -> TokenView {
    TokenView {
        masked: masked(&tokens.access),
        scopes: tokens.scopes.clone().unwrap_or_default(),
        issuer: tokens.issuer.clone(),
        resource: tokens.resource.clone(),
        obtained_at: tokens.obtained_at,
        expires_at: tokens.expires_at,
        has_refresh: tokens.refresh.is_some(),
        dpop_thumbprint: tokens.dpop.as_ref().map(DpopKey::thumbprint),
        jwt: jwt::read(tokens.access.expose()),
    }
}
