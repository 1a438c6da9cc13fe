//! The state that all parts of the engine share, and its handle.
//!
//! It names only the state of each feature, never its operations: those are beside the feature and take the state.

use std::sync::{Arc, Mutex, OnceLock, Weak};

use bytes::Bytes;
use patchbay_config::Servers;
use patchbay_traffic::{NewOperation, OperationId, Recorder, Store};
use patchbay_vault::Vault;
use tokio::sync::{OnceCell, watch};

use crate::{
    authorization::Authorizations,
    calls::{Exchanges, app_frames::AppFrames},
    chat::Chats,
    connections::Connections,
    connections::environment::ServerEnvironment,
    connections::owned::TaskSet,
    connections::proxy::AppProxy,
    dispatch::app::deep_links::DeepLinks,
    dispatch::nudges::Nudges,
    engine::options::{BrowserChoice, EngineOptions, StoreChoice},
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
    servers::roots::RootStore,
    servers::vault::KnownSecrets,
};

/// The app without a window. Cheap to clone; all clones share one engine. Needs a tokio runtime.
///
/// Call [`Engine::shutdown`] before the program ends, so that servers are shut down in an orderly way.
#[derive(Debug, Clone)]
pub struct Engine {
    pub(crate) state: Arc<EngineState>,
}

/// What all clones of an [`Engine`] share.
pub(crate) struct EngineState {
    pub(crate) options: EngineOptions,
    pub(crate) folders: Folders,
    /// What was set aside or skipped when the engine opened.
    pub(crate) notices: Vec<String>,
    /// Itself, for tasks that outlive a command but must not keep the engine open.
    pub(crate) itself: OnceLock<Weak<EngineState>>,
    pub(crate) servers: Arc<Servers>,
    pub(crate) ui_state: UiState,
    pub(crate) deep_links: DeepLinks,
    pub(crate) environment: ServerEnvironment,
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
    pub(crate) connections: Connections,
    /// What is done by itself to have servers connected.
    pub(crate) automatic: Automatic,
    /// The bundles that are being received or reviewed.
    pub(crate) bundles: Arc<Bundles>,
    /// The files that are watched to restart servers.
    pub(crate) file_watches: FileWatches,
    pub(crate) exchanges: Arc<Exchanges>,
    pub(crate) app_frames: AppFrames,
    pub(crate) nudges: Arc<Nudges>,
    pub(crate) inputs: Arc<InputQueue>,
    pub(crate) proxy: Arc<AppProxy>,
    pub(crate) models: Arc<Models>,
    pub(crate) roots: Arc<RootStore>,
    pub(crate) chats: Chats,
    pub(crate) sampling: Arc<SamplingState>,
    pub(crate) eras: Eras,
    pub(crate) definitions: DefinitionStore,
    /// What servers were on earlier connections.
    pub(crate) changes: ChangeStore,
    pub(crate) authorizations: Authorizations,
    pub(crate) vault: Vault,
    pub(crate) known_secrets: Arc<KnownSecrets>,
    /// The folder of a temporary log.
    pub(crate) temporary: Mutex<Option<TemporaryFolder>>,
    /// What runs as long as the engine is open.
    pub(crate) background: TaskSet,
    /// What ends by itself, at the latest with a connection.
    pub(crate) tasks: TaskSet,
    pub(crate) closing: watch::Sender<bool>,
    pub(crate) closed: OnceCell<()>,
    pub(crate) lock: Mutex<Option<Lock>>,
}

impl std::fmt::Debug for EngineState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EngineState")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl EngineState {
    /// Begins an operation: everything that one action of the user causes is recorded under it. `kind` is the command of
    /// the contract, `label` is shown in the log.
    pub(crate) fn begin(&self, kind: &'static str, label: impl Into<String>) -> OperationId {
        let label = label.into();
        self.recorder.begin_operation(NewOperation { kind, label })
    }

    /// Whether tools are listed as soon as a server is ready. One-shot commands send only the requested messages.
    pub(crate) fn lists_tools_automatically(&self) -> bool {
        self.options.store == StoreChoice::Persistent
    }

    /// Whether this is the window or `patchbay serve`, and not a one-shot command, which ends before files could change or an
    /// editor could attach.
    pub(crate) fn stays_open(&self) -> bool {
        self.options.store == StoreChoice::Persistent
    }

    /// Whether servers are written to `servers.json`.
    pub(crate) fn stores_servers(&self) -> bool {
        self.options.store == StoreChoice::Persistent
    }

    /// Who opens the authorization page in a browser.
    pub(crate) fn browser(&self) -> BrowserChoice {
        self.options.browser
    }

    pub(crate) fn is_closing(&self) -> bool {
        *self.closing.borrow()
    }

    /// Completes when the engine begins to close.
    pub(crate) async fn closes(&self) {
        // An error would mean that the sender is gone, which `self` holds.
        let _ = self.closing.subscribe().wait_for(|closing| *closing).await;
    }

    /// Bytes from a server as they are recorded: secrets masked, lengths unchanged.
    pub(crate) fn masked_bytes(&self, bytes: Bytes) -> Bytes {
        self.recorder.masked(bytes)
    }

    /// Text from a server as it is recorded.
    pub(crate) fn masked(&self, text: String) -> String {
        let bytes = self.masked_bytes(Bytes::from(text));
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
