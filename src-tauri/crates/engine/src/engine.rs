//! Opens and closes the engine, and describes it.

pub(crate) mod options;

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, OnceLock, PoisonError, Weak},
};

use bytes::Bytes;
use patchbay_contract::{
    AppFrameId, AppInfoResponse, BodyId, CommandError, ConnectionState, ServerDraft, ServerId, ServerItem,
    TransportDraft,
};
use patchbay_traffic::{Recorder, Store, StoreError, StoreOptions, problem_words, set_aside};
use tokio::sync::{OnceCell, watch};

use crate::{
    authorization::Authorizations,
    calls::app_frames::{AppDocument, AppFrames},
    chat::{self, Chats, Masker},
    connections::Connections,
    connections::environment::ServerEnvironment,
    connections::owned::{TaskSet, kept_up},
    connections::proxy::AppProxy,
    dispatch::app::deep_links::DeepLinks,
    dispatch::error::{EngineError, blocking},
    dispatch::nudges::{Nudges, Topic},
    engine::options::{EngineOptions, StoreChoice},
    files::eras::Eras,
    files::folders::Folders,
    files::lock::Lock,
    files::temporary::TemporaryFolder,
    files::ui_state::UiState,
    inputs::InputQueue,
    inputs::models::Models,
    inputs::sampling::SamplingState,
    lists::definitions::DefinitionStore,
    servers::automatic::Automatic,
    servers::bundles::Bundles,
    servers::changes::ChangeStore,
    servers::file_watch::FileWatches,
    servers::groups,
    servers::roots::{self, RootStore},
    servers::stored,
    servers::vault::{self, KnownSecrets},
    state::{Engine, EngineState},
    traffic_views::bodies,
};
use patchbay_config::{Server, Servers, make_parent};

/// Bytes pulled with [`Engine::body`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// Secrets are masked.
    pub bytes: Bytes,
}

impl Engine {
    /// Opens the data folder, the store and the list of servers. Connects to nothing.
    ///
    /// # Errors
    /// [`EngineError::Locked`] if another Patchbay holds the folder; otherwise what could not be opened.
    pub async fn open(options: EngineOptions) -> Result<Self, EngineError> {
        let opened = tokio::task::spawn_blocking(move || EngineState::open(options)).await;
        let state = opened.map_err(|error| EngineError::Store(error.to_string()))??;
        let engine = Self {
            state: Arc::new(state),
        };
        // Set once: the state was just created.
        let _ = engine.state.itself.set(Arc::downgrade(&engine.state));
        engine.start_background();
        Ok(engine)
    }

    /// Starts what runs as long as the engine is open. It holds the engine weakly: the end of the engine is its end too.
    fn start_background(&self) {
        let background = &self.state.background;
        let (state, states) = (Arc::downgrade(&self.state), self.state.vault.states());
        background.spawn(kept_up("the watch of the vault", move || {
            vault::watch(state.clone(), states.clone())
        }));
        let state = Arc::downgrade(&self.state);
        background.spawn(kept_up("the watch of the log", move || watch_log(state.clone())));
        let state = Arc::downgrade(&self.state);
        background.spawn(kept_up("the watch of roots", move || roots::watch(state.clone())));
        // A shell may be slow, so it is run before its result is needed. One-shot commands may not need it.
        if self.state.stays_open() {
            let early = Arc::downgrade(&self.state);
            background.spawn(async move {
                if let Some(state) = early.upgrade() {
                    state.environment.get().await;
                }
            });
        }
    }

    /// The bytes behind a [`BodyId`] that a command returned.
    ///
    /// # Errors
    /// `NotFound` if the id is unknown (any more).
    pub async fn body(&self, id: &BodyId) -> Result<Body, CommandError> {
        let bytes = match chat::body(self, id).await? {
            Some(bytes) => bytes,
            None => bodies::pull(&self.state.store, id).await?,
        };
        Ok(Body { bytes })
    }

    /// The document of an app's frame, for the front that serves it.
    ///
    /// # Errors
    /// `NotFound` if the id is unknown (any more).
    pub fn app_document(&self, id: &AppFrameId) -> Result<AppDocument, CommandError> {
        self.state.app_frames.get(id)
    }

    /// Adds a server; with a temporary store only for this run.
    ///
    /// # Errors
    /// `InvalidParams` if the draft is invalid.
    pub async fn add_server(&self, draft: ServerDraft) -> Result<ServerId, CommandError> {
        let server_id = stored::add(self, draft, &BTreeMap::new(), false).await?;
        if self.state.options.store == StoreChoice::Temporary {
            self.state.authorizations.store_by_address(server_id.clone());
        }
        Ok(server_id)
    }

    /// Closes all connections concurrently, each with the whole shutdown sequence (close stdin, wait, SIGTERM, SIGKILL),
    /// waits until what is being written to the vault is stored, then flushes the store and releases the data folder. Every
    /// caller returns when everything is closed.
    pub async fn shutdown(&self) {
        self.state.closing.send_replace(true);
        self.state.closed.get_or_init(|| self.close()).await;
    }

    /// Flushes the store and releases the data folder, but does not wait for servers. The guardian ends those that are
    /// left.
    pub async fn abandon(&self) {
        self.state.closing.send_replace(true);
        self.release().await;
    }

    async fn close(&self) {
        self.state.automatic.clear();
        self.state.file_watches.clear();
        self.state.chats.abandon_all();
        self.state.authorizations.cancel_all();
        self.close_connections().await;
        self.state.tasks.finish().await;
        self.state.chats.write_kept().await;
        // A refresh token is used up as soon as it is sent, so the answer has to be stored. Its requests have a time limit.
        self.state.vault.settled().await;
        self.release().await;
    }

    async fn release(&self) {
        self.state.background.abort();
        if let Err(error) = self.state.store.close().await {
            tracing::error!(%error, "the traffic store could not be closed");
        }
        drop(
            self.state
                .temporary
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
        drop(
            self.state
                .lock
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
    }

    /// Changes the list of servers on a blocking thread (it is written to disk), ends what servers that are removed or disabled
    /// do, and notifies the fronts. The file is read first, so these may also be servers that the user removed or disabled there.
    pub(crate) async fn change_servers<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Servers) -> Result<T, CommandError> + Send + 'static,
    ) -> Result<T, CommandError> {
        let servers = self.state.servers.clone();
        let changing = move || {
            let seen = || (servers.all(), servers.groups(), servers.notices());
            let before = seen();
            let answer = change(&servers);
            let now = seen();
            for notice in &now.2[before.2.len()..] {
                tracing::warn!(%notice, "servers.json was read again");
            }
            // A change that is refused may have read the file too.
            (answer, before != now, ended(before.0, &now.0))
        };
        let changed = blocking("The list of servers was not changed.", changing);
        let (answer, is_changed, ended) = changed.await?;
        if answer.is_ok() || is_changed {
            self.state.nudges.changed(Topic::Servers);
        }
        let ending = ended.iter().map(|id| groups::unused(self, id));
        futures_util::future::join_all(ending).await;
        answer
    }
}

impl EngineState {
    fn open(options: EngineOptions) -> Result<Self, EngineError> {
        let folders = Folders::locate(options.data_dir.as_deref())?;
        let persistent = options.store == StoreChoice::Persistent;
        let lock = persistent.then(|| locked(&folders, options.front)).transpose()?;
        let mut notices = Vec::new();
        let servers = Arc::new(Servers::open(folders.servers.clone(), persistent)?);
        let temporary = (!persistent).then(temporary_folder).transpose()?;
        let (store, recorder) = open_store(temporary.as_ref(), &folders.store, &mut notices)?;
        let nudges = Arc::new(Nudges::new());
        let known_secrets = Arc::new(KnownSecrets::default());
        let vault = vault::open(&folders.vault, &options.secrets, &recorder, &known_secrets);
        let inputs = Arc::new(InputQueue::new(options.inputs.clone(), nudges.clone()));
        let environment =
            ServerEnvironment::open(folders.environment.clone(), persistent, options.environment);
        notices.extend(environment.notice());
        let proxy = AppProxy::open(folders.proxy.clone(), persistent, vault.clone(), recorder.clone());
        let proxy = Arc::new(proxy);
        let (file, shared) = (folders.providers.clone(), (recorder.clone(), proxy.clone()));
        let models = Models::open(file, persistent, vault.clone(), shared, nudges.clone());
        let models = Arc::new(models);
        let masker = Masker::new(&recorder, &known_secrets, &servers, &models);
        Ok(Self {
            chats: Chats::open(&folders, persistent, nudges.clone(), masker),
            roots: RootStore::open(&folders.roots, persistent, &nudges),
            sampling: Arc::new(SamplingState::new(models.clone())),
            models,
            eras: Eras::open(folders.eras.clone(), persistent),
            definitions: DefinitionStore::new(folders.definitions.clone(), persistent),
            changes: ChangeStore::new(folders.changes.clone(), persistent),
            authorizations: Authorizations::open(persistent.then(|| folders.authorizations.clone())),
            inputs,
            proxy,
            vault,
            known_secrets,
            temporary: Mutex::new(temporary),
            ui_state: UiState::open(persistent.then(|| folders.ui.clone())),
            environment,
            itself: OnceLock::new(),
            servers,
            options,
            bundles: Arc::new(Bundles::new(folders.bundles.clone())),
            folders,
            notices,
            store,
            recorder,
            connections: Connections::default(),
            automatic: Automatic::default(),
            file_watches: FileWatches::default(),
            exchanges: Arc::default(),
            app_frames: AppFrames::default(),
            deep_links: DeepLinks::default(),
            nudges,
            background: TaskSet::default(),
            tasks: TaskSet::default(),
            closing: watch::Sender::new(false),
            closed: OnceCell::new(),
            lock: Mutex::new(lock),
        })
    }

    pub(crate) async fn app_info(&self) -> AppInfoResponse {
        let shown = |path: &Path| path.display().to_string();
        AppInfoResponse {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            platform: std::env::consts::OS.to_owned(),
            config_file: shown(&self.folders.servers),
            store_file: shown(&self.folders.store),
            log_file: shown(&self.folders.log),
            path: self.environment.path().await,
            notices: self.notices(),
            log_problem: self.log_problem(),
        }
    }

    /// Messages for the user since the start; a new one is the last.
    pub(crate) fn notices(&self) -> Vec<String> {
        let at_start = self.notices.iter().cloned();
        at_start.chain(self.servers.notices()).collect()
    }

    /// Why the traffic log cannot be written at present, in words.
    fn log_problem(&self) -> Option<String> {
        let cause = self.store.problem().borrow().clone();
        cause.map(|cause| problem_words(&cause))
    }

    pub(crate) fn server_item(&self, server: Server) -> ServerItem {
        let transport = self.transport_of(&server);
        let connection = self.connection_item(&server.id);
        // What led to a connection that is ready is over.
        let is_ready = connection.state == ConnectionState::Ready;
        ServerItem {
            connection,
            remembered_era: self.eras.get(&server.id, &server.draft.transport),
            withheld_roots: self.withheld_roots(&server.id),
            automatic: self.automatic.item(&server.id).filter(|_| !is_ready),
            bundle_folder: self.bundles.folder_of(&server.draft),
            file_watch: self.file_watches.item(&server.id),
            id: server.id,
            draft: ServerDraft {
                transport,
                ..server.draft
            },
            is_demo: server.is_demo,
            simulated: server.simulator.simulated(),
        }
    }

    fn withheld_roots(&self, id: &ServerId) -> u32 {
        let live = self.live(id).filter(|live| live.is_open());
        live.map_or(0, |live| live.roots.withheld())
    }

    /// The transport that is really started: the demo server is the running program.
    pub(crate) fn transport_of(&self, server: &Server) -> TransportDraft {
        let mut transport = server.draft.transport.clone();
        if let (true, Some(program), TransportDraft::Stdio { command, .. }) =
            (server.is_demo, &self.options.demo_program, &mut transport)
        {
            *command = program.display().to_string();
        }
        transport
    }

    pub(crate) fn demo_available(&self) -> bool {
        self.options.demo_program.is_some()
    }
}

/// The servers that were removed or disabled.
fn ended(before: Vec<Server>, now: &[Server]) -> Vec<ServerId> {
    let is_ended = |server: &Server| match now.iter().find(|other| other.id == server.id) {
        Some(other) => other.draft.disabled && !server.draft.disabled,
        None => true,
    };
    let ended = before.into_iter().filter(is_ended);
    ended.map(|server| server.id).collect()
}

/// The lock of the folders, which are then as the last Patchbay should have left them.
fn locked(folders: &Folders, front: &'static str) -> Result<Lock, EngineError> {
    let lock = Lock::take(&folders.store, front)?;
    folders.remove_unfinished();
    Ok(lock)
}

fn temporary_folder() -> Result<TemporaryFolder, EngineError> {
    TemporaryFolder::new(&std::env::temp_dir()).map_err(|error| not_temporary(error.to_string()))
}

/// Why there is no temporary log. `--data-dir` does not move it.
fn not_temporary(cause: String) -> EngineError {
    let variable = if cfg!(windows) { "TMP" } else { "TMPDIR" };
    EngineError::Store(format!(
        "the temporary log cannot be made in {}: {cause}. Check that there is space and that you may write there, or choose \
         another folder for temporary files with the variable {variable}.",
        std::env::temp_dir().display()
    ))
}

/// A store whose file goes with its folder.
fn temporary_store(folder: &TemporaryFolder) -> Result<(Store, Recorder), EngineError> {
    let path = Some(folder.file("traffic.sqlite"));
    Store::open(StoreOptions { path }).map_err(|error| match error {
        StoreError::Open { cause, .. } => not_temporary(cause),
        error => EngineError::Store(error.to_string()),
    })
}

/// Reports that the log cannot be written, and that it can again. Ends with the engine.
async fn watch_log(state: Weak<EngineState>) {
    let Some(mut problem) = state.upgrade().map(|state| state.store.problem()) else {
        return;
    };
    while problem.changed().await.is_ok() {
        let Some(state) = state.upgrade() else { return };
        state.nudges.changed(Topic::Log);
    }
}

/// Opens the store: the temporary one if there is a folder for it.
fn open_store(
    temporary: Option<&TemporaryFolder>,
    path: &Path,
    notices: &mut Vec<String>,
) -> Result<(Store, Recorder), EngineError> {
    match temporary {
        Some(folder) => temporary_store(folder),
        None => persistent_store(path, notices),
    }
}

/// Opens the store of the data folder. A damaged one is set aside and replaced.
fn persistent_store(path: &Path, notices: &mut Vec<String>) -> Result<(Store, Recorder), EngineError> {
    let options = || StoreOptions {
        path: Some(path.to_owned()),
    };
    let failed = |error: StoreError| EngineError::Store(error.to_string());
    make_parent(path)?;
    match Store::open(options()) {
        Err(error @ StoreError::Damaged { .. }) => {
            let aside = set_aside(path).map_err(failed)?;
            tracing::error!(%error, "the traffic store was set aside");
            notices.push(format!(
                "{error} It was set aside as {}, and a new one was begun.",
                aside.display()
            ));
            Store::open(options()).map_err(failed)
        }
        opened => opened.map_err(failed),
    }
}

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
