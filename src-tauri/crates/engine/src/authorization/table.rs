//! The authorizations of all servers, and their history.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use patchbay_auth::{CredentialProvider, Url};
use patchbay_contract::*;
use patchbay_vault::SecretId;

use super::{
    history::{History, HistoryFile},
    runs::Runs,
    token_store::VaultTokenStore,
};

/// All servers' authorizations.
pub(crate) struct Authorizations {
    file: HistoryFile,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) runs: HashMap<ServerId, Arc<Runs>>,
    pub(super) servers: HashMap<ServerId, Arc<ServerAuthorization>>,
    /// From the last time; of servers that nobody looked at yet.
    pub(super) known: History,
    /// Servers that are not saved: their tokens are kept by their address.
    pub(super) by_address: HashSet<ServerId>,
}

impl State {
    /// Under which name the token of a server lies in the vault. At another address it is another server's.
    pub(super) fn kept_as(&self, server: &ServerId, url: &Url) -> SecretId {
        let address = format!("{}{}", url.origin().ascii_serialization(), url.path());
        SecretId(match self.by_address.contains(server) {
            true => format!("address/{address}"),
            false => format!("server/{server}/authorization/{address}"),
        })
    }
}

/// Where one server's authorization is handled.
pub(super) struct ServerAuthorization {
    pub(super) provider: CredentialProvider,
    pub(super) store: Arc<VaultTokenStore>,
    pub(super) runs: Arc<Runs>,
    pub(super) series: String,
    /// What it was made for: with other settings there is another provider.
    pub(super) settings: ProviderSettings,
}

impl ServerAuthorization {
    /// Gives the vault the token that it did not take before.
    pub(super) async fn save_pending(&self) {
        if let Err(error) = self.store.save_pending().await {
            tracing::error!(%error, "a token is still in memory only");
        }
    }
}

/// All of a server's settings that its provider knows.
#[derive(PartialEq)]
pub(super) struct ProviderSettings {
    name: String,
    transport: TransportDraft,
    era: EraChoice,
    pub(super) authorization: AuthorizationDraft,
}

impl ProviderSettings {
    pub(super) fn of(draft: &ServerDraft) -> Self {
        Self {
            name: draft.name.clone(),
            transport: draft.transport.clone(),
            era: draft.era,
            authorization: draft.authorization.clone().unwrap_or_default(),
        }
    }
}

impl Authorizations {
    /// With the history in this file; without one it is not kept.
    pub(crate) fn open(history: Option<PathBuf>) -> Self {
        let file = HistoryFile::new(history);
        let state = State {
            known: file.read(),
            ..State::default()
        };
        Self {
            file,
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// This server is not saved: its tokens are kept by its address.
    pub(crate) fn keep_by_address(&self, server: ServerId) {
        self.lock().by_address.insert(server);
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the history, soon.
    pub(super) fn save(&self) {
        let state = self.state.clone();
        self.file.write(move || {
            let state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let mut history = state.known.clone();
            history.extend(state.runs.iter().map(|(id, runs)| (id.clone(), runs.ended())));
            history
        });
    }

    /// The vault can be opened now: what it did not take before is not to be lost with the program.
    pub(crate) async fn save_pending(&self) {
        let servers: Vec<Arc<ServerAuthorization>> = self.lock().servers.values().cloned().collect();
        for authorization in servers {
            authorization.save_pending().await;
        }
    }

    /// Ends every run: nobody waits any more.
    pub(crate) fn cancel_all(&self) {
        let servers: Vec<Arc<ServerAuthorization>> = self.lock().servers.values().cloned().collect();
        for authorization in servers {
            authorization.provider.cancel();
        }
    }

    /// Ends the run of a server that is disconnected, unless the user had begun it.
    pub(crate) fn disconnected(&self, server: &ServerId) {
        let authorization = self.lock().servers.get(server).cloned();
        let begun_by_user = |run: RunItem| run.cause == RunCause::User;
        if let Some(authorization) = authorization
            && !authorization.runs.get(None).is_some_and(begun_by_user)
        {
            authorization.provider.cancel();
        }
    }

    /// Forgets all about a server that was removed; what the vault holds of it goes with its other secrets, and nothing is
    /// sent.
    pub(crate) fn removed(&self, server: &ServerId) {
        let authorization = {
            let mut state = self.lock();
            state.runs.remove(server);
            state.known.remove(server);
            state.servers.remove(server)
        };
        if let Some(authorization) = authorization {
            authorization.provider.cancel();
        }
        self.save();
    }
}
