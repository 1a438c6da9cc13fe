//! The authorizations of all servers, and their history.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use patchbay_auth::{CredentialProvider, Url};
use patchbay_contract::*;
use patchbay_vault::SecretId;

use super::{
    history::{History, HistoryFile},
    runs::{Runs, is_of_series},
    token_store::VaultTokenStore,
};

/// The authorizations of all servers.
pub(crate) struct Authorizations {
    file: HistoryFile,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) runs: HashMap<ServerId, Arc<Runs>>,
    pub(super) servers: HashMap<ServerId, Arc<ServerAuthorization>>,
    /// The stored history of servers that were not opened since the start.
    pub(super) known: History,
    /// Servers that are not saved: their tokens are stored under their address.
    pub(super) by_address: HashSet<ServerId>,
}

impl State {
    /// The vault name of a server's token. It depends on the address, because a token belongs to one server.
    pub(super) fn vault_name(&self, server: &ServerId, url: &Url) -> SecretId {
        let address = format!("{}{}", url.origin().ascii_serialization(), url.path());
        SecretId(match self.by_address.contains(server) {
            true => format!("address/{address}"),
            false => format!("server/{server}/authorization/{address}"),
        })
    }
}

/// The authorization of one server.
pub(super) struct ServerAuthorization {
    pub(super) provider: CredentialProvider,
    pub(super) store: Arc<VaultTokenStore>,
    pub(super) runs: Arc<Runs>,
    pub(super) series: String,
    /// The settings that its provider was created with. Other settings need a new provider.
    pub(super) settings: ProviderSettings,
    /// Those that it replaced. One lives on while a connection to its address is open.
    pub(super) replaced: Vec<Weak<Self>>,
}

impl ServerAuthorization {
    /// This one and those that it replaced, as far as they are in use.
    pub(super) fn alive(self: &Arc<Self>) -> Vec<Weak<Self>> {
        let replaced = self.replaced.iter().filter(|one| one.strong_count() > 0);
        replaced.cloned().chain([Arc::downgrade(self)]).collect()
    }

    /// Cancels the run that is shown, whichever of them began it.
    pub(super) fn cancel(self: &Arc<Self>) {
        for authorization in self.alive().iter().filter_map(Weak::upgrade) {
            authorization.provider.cancel();
        }
    }

    /// The one that began this run, if it is in use.
    pub(super) fn of_run(self: &Arc<Self>, run: &RunId) -> Option<Arc<Self>> {
        let mut alive = self.alive().into_iter().filter_map(|one| one.upgrade());
        alive.find(|one| is_of_series(run, &one.series))
    }

    /// Stores a token that the vault did not accept before.
    pub(super) async fn save_pending(&self) {
        if let Err(error) = self.store.save_pending().await {
            tracing::error!(%error, "a token is still in memory only");
        }
    }
}

/// The settings of a server that its provider depends on.
#[derive(PartialEq)]
pub(super) struct ProviderSettings {
    name: String,
    transport: TransportDraft,
    era: EraChoice,
    /// How often the proxy of Patchbay had been changed, if the server uses it.
    proxy_changes: Option<u64>,
    pub(super) authorization: AuthorizationDraft,
}

impl ProviderSettings {
    pub(super) fn of(draft: &ServerDraft, proxy_changes: u64) -> Self {
        let uses_proxy = matches!(
            draft.transport,
            TransportDraft::Http {
                proxy: ProxyDraft::App,
                ..
            }
        );
        Self {
            proxy_changes: uses_proxy.then_some(proxy_changes),
            name: draft.name.clone(),
            transport: draft.transport.clone(),
            era: draft.era,
            authorization: draft.authorization.clone().unwrap_or_default(),
        }
    }
}

impl Authorizations {
    /// Reads the history from this file; without a file it is not stored.
    pub(crate) fn open(history: Option<PathBuf>) -> Self {
        let (file, known) = HistoryFile::open(history);
        let state = State {
            known,
            ..State::default()
        };
        Self {
            file,
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// Marks a server as not saved: its tokens are stored under its address.
    pub(crate) fn store_by_address(&self, server: ServerId) {
        self.lock().by_address.insert(server);
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The authorization of a server, if there is one.
    pub(super) fn of(&self, server: &ServerId) -> Option<Arc<ServerAuthorization>> {
        self.lock().servers.get(server).cloned()
    }

    /// The servers that were authorized, or shown, since the start.
    pub(crate) fn servers(&self) -> Vec<ServerId> {
        self.lock().runs.keys().cloned().collect()
    }

    /// Writes the history in the background.
    pub(super) fn save(&self) {
        let state = self.state.clone();
        self.file.write(move || {
            let state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let mut history = state.known.clone();
            history.extend(state.runs.iter().map(|(id, runs)| (id.clone(), runs.ended())));
            history
        });
    }

    /// Stores tokens that the vault did not accept before, now that it is open.
    pub(crate) async fn save_pending(&self) {
        let servers: Vec<Arc<ServerAuthorization>> = self.lock().servers.values().cloned().collect();
        for authorization in servers {
            authorization.save_pending().await;
        }
    }

    /// Cancels every run.
    pub(crate) fn cancel_all(&self) {
        let servers: Vec<Arc<ServerAuthorization>> = self.lock().servers.values().cloned().collect();
        for authorization in servers {
            authorization.provider.cancel();
        }
    }

    /// Cancels the run of a disconnected server, unless the user started it.
    pub(crate) fn disconnected(&self, server: &ServerId) {
        let authorization = self.of(server);
        let begun_by_user = |run: RunItem| run.cause == RunCause::User;
        if let Some(authorization) = authorization
            && !authorization.runs.get(None).is_some_and(begun_by_user)
        {
            authorization.provider.cancel();
        }
    }

    /// Deletes the state of a removed server. Its secrets in the vault are deleted separately, and nothing is sent.
    pub(crate) fn removed(&self, server: &ServerId) {
        self.file.remove(server);
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
