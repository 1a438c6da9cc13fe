//! The state that a provider and its runs share.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use patchbay_http::Url;
use tokio::sync::{mpsc, watch};

use crate::run::Found;
use crate::token::dpop::Nonces;
use crate::token::refresh::{self, Renewed};
use crate::{
    AuthMethod, Cause, Failure, Host, RunId, Settings, Step, StoredTokens, TokenSet, TokenStore,
    TokenStoreError,
};

/// The outcome of a run, once it has ended.
pub(super) type Outcome = watch::Receiver<Option<Result<(), Failure>>>;

/// Waits for the outcome of a run.
pub(super) async fn outcome_of(mut outcome: Outcome) -> Result<(), Failure> {
    match outcome.wait_for(Option::is_some).await {
        Ok(ended) => ended.clone().unwrap_or(Ok(())),
        // Its task was dropped, for example because the runtime shut down.
        Err(_) => Err(Failure::cancelled(Step::Challenge)),
    }
}

/// No run is waiting for the browser's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no authorization is waiting for the browser's answer")]
pub struct NoRunWaiting;

/// What a provider and its runs share.
pub(super) struct Shared {
    pub(super) server: Url,
    pub(super) settings: Settings,
    pub(super) host: Arc<dyn Host>,
    pub(super) store: Arc<dyn TokenStore>,
    /// The nonces that servers gave for proofs.
    pub(super) nonces: Nonces,
    runs: AtomicU64,
    /// The address of the server, if it refused a request; a public one if it ever had one.
    peer: Mutex<Option<IpAddr>>,
    state: Mutex<State>,
}

/// The mutable state.
#[derive(Default)]
pub(super) struct State {
    loaded: bool,
    pub(super) kept: StoredTokens,
    /// Whether these could not be stored, so that the stored ones are older.
    pub(super) is_unsaved: bool,
    /// Incremented with each new token.
    pub(super) version: u64,
    pub(super) problem: Option<String>,
    pub(super) running: Option<Running>,
    pub(super) found: Found,
    /// How many recent runs obtained a token for a purpose, and when the last one did.
    pub(super) tries: HashMap<String, (u32, SystemTime)>,
    /// The token version that a refresh produced, and the purpose of the request whose refusal caused it. If that version
    /// is refused for the same purpose, it is not refreshed again.
    pub(super) refreshed: Option<(u64, String)>,
}

/// The current run.
pub(super) struct Running {
    pub(super) id: RunId,
    pub(super) cause: Cause,
    pub(super) refreshes: bool,
    pub(super) cancel: watch::Sender<bool>,
    pub(super) outcome: Outcome,
    pub(super) pasted: mpsc::Sender<String>,
}

impl Shared {
    pub(super) fn new(
        server: Url,
        settings: Settings,
        host: Arc<dyn Host>,
        store: Arc<dyn TokenStore>,
    ) -> Self {
        Self {
            server,
            settings,
            host,
            store,
            nonces: Nonces::default(),
            runs: AtomicU64::new(1),
            peer: Mutex::default(),
            state: Mutex::default(),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The address of the server, as far as known.
    pub(super) fn peer(&self) -> Option<IpAddr> {
        *self.peer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers the address of the server. One that was public stays so.
    pub(super) fn seen_at(&self, address: Option<IpAddr>) {
        let mut peer = self.peer.lock().unwrap_or_else(PoisonError::into_inner);
        if peer.is_none_or(patchbay_http::is_private) {
            *peer = address.or(*peer);
        }
    }

    pub(super) fn next_id(&self) -> RunId {
        RunId(self.runs.fetch_add(1, Ordering::Relaxed))
    }

    /// Loads the stored tokens once. An error is shown in the view, and the next call tries again.
    pub(super) async fn load_once(&self) {
        if self.state().loaded {
            return;
        }
        match self.store.load().await {
            Ok(kept) => self.adopt(kept),
            Err(error) => self.state().problem = Some(error.cause),
        }
    }

    /// Loads what another window or program may have stored. Tokens in memory that could not be stored are newer, and stay.
    pub(super) async fn reload(&self) -> Result<(), TokenStoreError> {
        let kept = self.store.load().await?;
        let is_behind = {
            let state = self.state();
            state.is_unsaved && access(&state.kept) != access(&kept)
        };
        if !is_behind {
            self.adopt(kept);
        }
        Ok(())
    }

    /// Uses these new tokens from now on, also if they could not be stored.
    pub(super) fn adopt_renewed(&self, renewed: Renewed) {
        self.adopt(renewed.kept);
        if let Some(error) = renewed.unsaved {
            let mut state = self.state();
            state.is_unsaved = true;
            state.problem = Some(error.cause);
        }
    }

    /// Uses these tokens from now on.
    pub(super) fn adopt(&self, kept: StoredTokens) {
        let mut secrets = self.settings.secrets();
        secrets.extend(kept.secrets());
        self.host.redact(secrets);
        let mut state = self.state();
        if access(&state.kept) != access(&kept) {
            state.version += 1;
        }
        state.kept = kept;
        state.is_unsaved = false;
        state.loaded = true;
        state.problem = None;
    }

    /// The current token and its version. None if there is none, or one that does not fit the settings.
    pub(super) fn current(&self) -> Option<(TokenSet, u64)> {
        let state = self.state();
        let tokens = state.kept.fitting(&self.settings)?;
        Some((tokens.clone(), state.version))
    }

    /// Whether a token can be refreshed: with its client, unless that authenticates by key.
    pub(super) fn can_refresh(&self, tokens: &TokenSet) -> bool {
        let state = self.state();
        let client = refresh::issued_to(&self.settings, &state.kept, tokens);
        tokens.refresh.is_some()
            && client.is_some_and(|client| client.auth_method != AuthMethod::PrivateKeyJwt)
    }

    /// Resets the count of attempts.
    pub(super) fn reset_attempts(&self) {
        let mut state = self.state();
        state.tries.clear();
        state.refreshed = None;
    }

    pub(super) fn paste(&self, text: &str) -> Result<(), NoRunWaiting> {
        let state = self.state();
        let running = state.running.as_ref().ok_or(NoRunWaiting)?;
        running.pasted.try_send(text.to_owned()).map_err(|_| NoRunWaiting)
    }

    pub(super) fn cancel(&self) {
        if let Some(running) = &self.state().running {
            running.cancel.send_replace(true);
        }
    }

    /// Deletes the tokens and clients, after `before`. Under the lock of the store, so that no other program refreshes them
    /// meanwhile.
    pub(super) async fn forget<T>(&self, before: impl Future<Output = T>) -> Result<T, TokenStoreError> {
        let _alone = self.store.lock().await?;
        let done = before.await;
        self.store.save(StoredTokens::default()).await?;
        self.adopt(StoredTokens::default());
        self.state().found = Found::default();
        Ok(done)
    }
}

/// The access token among what is stored.
fn access(kept: &StoredTokens) -> Option<&str> {
    kept.tokens.as_ref().map(|tokens| tokens.access.expose())
}
