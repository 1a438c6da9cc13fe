//! An engine and one server, controlled by the same commands as from the UI.

pub(crate) mod page;
pub(crate) mod proxy;

use std::{path::Path, sync::Arc};

use patchbay_contract::{EraChoice, FailureItem, ServerDraft, ServerId};
use patchbay_engine::{
    BrowserChoice, Engine, EngineOptions, EnvironmentChoice, InputChain, SecretsChoice, StoreChoice,
    StreamHandle,
};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// An engine and a server.
pub(crate) struct Harness {
    pub(crate) engine: Engine,
    pub(crate) server: ServerId,
    folder: Arc<tempfile::TempDir>,
}

/// A stream of the engine.
pub(crate) struct Stream {
    events: mpsc::Receiver<String>,
    _handle: StreamHandle,
}

impl Stream {
    /// The next event; none at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let message: Value = serde_json::from_str(&self.events.recv().await.unwrap()).unwrap();
        assert_eq!(message["error"], Value::Null);
        message.get("event").cloned()
    }

    /// All events that are left.
    pub(crate) async fn rest(mut self) -> Vec<Value> {
        let mut all = Vec::new();
        while let Some(event) = self.next().await {
            all.push(event);
        }
        all
    }
}

/// An engine with its files in a folder.
async fn opened(folder: &tempfile::TempDir, store: StoreChoice, secrets: SecretsChoice) -> Engine {
    opened_with(folder, store, secrets, BrowserChoice::Shown).await
}

async fn opened_with(
    folder: &tempfile::TempDir,
    store: StoreChoice,
    secrets: SecretsChoice,
    browser: BrowserChoice,
) -> Engine {
    let options = EngineOptions {
        data_dir: Some(folder.path().to_owned()),
        store,
        environment: EnvironmentChoice::Inherited,
        demo_program: None,
        front: "a test",
        // A user is present, as in the window.
        inputs: InputChain::attended(),
        browser,
        secrets,
    };
    Engine::open(options).await.unwrap()
}

impl Harness {
    /// A server that is added but not connected. `change` modifies a new draft.
    pub(crate) async fn beside(
        store: StoreChoice,
        draft: impl FnOnce(&Engine) -> ServerDraft,
        change: impl FnOnce(&mut ServerDraft),
    ) -> Self {
        // Secrets are stored as for a user without a keychain.
        let secrets = match store {
            StoreChoice::Persistent => SecretsChoice::Vault,
            StoreChoice::Temporary => SecretsChoice::Memory,
        };
        Self::keeping(store, secrets, draft, change).await
    }

    /// With secrets stored in another way.
    pub(crate) async fn keeping(
        store: StoreChoice,
        secrets: SecretsChoice,
        draft: impl FnOnce(&Engine) -> ServerDraft,
        change: impl FnOnce(&mut ServerDraft),
    ) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let engine = opened(&folder, store, secrets).await;
        let mut draft = draft(&engine);
        change(&mut draft);
        let server = engine.add_server(draft).await.unwrap();
        Self {
            engine,
            server,
            folder,
        }
    }

    /// An HTTP server, not connected yet, in the window: an address that may be opened is opened in the system's browser.
    pub(crate) async fn in_the_window(url: &str) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let (store, secrets) = (StoreChoice::Temporary, SecretsChoice::Memory);
        let engine = opened_with(&folder, store, secrets, BrowserChoice::System).await;
        let mut draft = engine.draft_of_url(url);
        draft.era = EraChoice::Legacy;
        let server = engine.add_server(draft).await.unwrap();
        Self {
            engine,
            server,
            folder,
        }
    }

    /// Another engine with the same files and server, like another window or the command line.
    pub(crate) async fn another(&self, store: StoreChoice, secrets: SecretsChoice) -> Self {
        Self {
            engine: opened(&self.folder, store, secrets).await,
            server: self.server.clone(),
            folder: self.folder.clone(),
        }
    }

    /// An HTTP server, not connected yet.
    pub(crate) async fn at(url: &str, change: impl FnOnce(&mut ServerDraft)) -> Self {
        Self::beside(StoreChoice::Temporary, |engine| engine.draft_of_url(url), change).await
    }

    /// The folder with all files of the engine.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) async fn connect(&self) -> Result<(), FailureItem> {
        self.engine.connect(&self.server).await.unwrap()
    }

    /// A command, which must succeed.
    pub(crate) async fn call(&self, name: &str, params: Value) -> Value {
        serde_json::from_str(&self.engine.call(name, &params.to_string()).await.unwrap()).unwrap()
    }

    /// A command with the server's id as its only parameter.
    pub(crate) async fn of_server(&self, name: &str) -> Value {
        self.call(name, json!({"serverId": self.server})).await
    }

    /// Changes the settings of the server.
    pub(crate) async fn change(&self, change: impl FnOnce(&mut Value)) {
        self.change_choosing(&[], change).await;
    }

    /// Changes the settings of the server; the user chose these roots for it.
    pub(crate) async fn change_choosing(&self, roots: &[&str], change: impl FnOnce(&mut Value)) {
        let listed = self.call("server_list", json!({})).await;
        let items = listed["items"].as_array().unwrap();
        let item = items.iter().find(|item| item["id"] == json!(self.server));
        let mut draft = item.unwrap()["draft"].clone();
        change(&mut draft);
        let params = json!({"serverId": self.server, "draft": draft, "chosenRoots": roots});
        self.call("server_update", params).await;
    }

    /// Accepts the certificate of this fingerprint.
    pub(crate) async fn accept(&self, fingerprint: &str) {
        self.change(|draft| draft["transport"]["acceptedFingerprint"] = json!(fingerprint))
            .await;
    }

    pub(crate) async fn list_tools(&self) -> Value {
        let params = json!({"serverId": self.server, "refresh": false, "cursor": null});
        self.call("tool_list", params).await
    }

    pub(crate) fn call_tool(&self, name: &str, arguments: &str) -> Stream {
        let params = json!({
            "serverId": self.server, "name": name, "argumentsJson": arguments, "metaJson": null, "timeouts": null,
        });
        self.open("tool_call", params)
    }

    pub(crate) fn open(&self, name: &str, params: Value) -> Stream {
        let (sink, events) = mpsc::channel(1);
        let handle = self.engine.open_stream(name, &params.to_string(), sink);
        Stream {
            events,
            _handle: handle.unwrap(),
        }
    }

    /// The recording of everything so far, as text.
    pub(crate) async fn recording(&self) -> String {
        use std::io::{Read as _, Seek as _};
        let mut file = tempfile::tempfile().unwrap();
        self.engine
            .export_recording(file.try_clone().unwrap())
            .await
            .unwrap();
        let mut text = String::new();
        file.rewind().unwrap();
        file.read_to_string(&mut text).unwrap();
        text
    }

    /// All rows so far.
    pub(crate) async fn all_rows(&self) -> Vec<Value> {
        // A recording includes everything recorded before, so the rows are complete after it.
        self.recording().await;
        let params = json!({"filter": "", "offset": 0, "limit": 500});
        let answer = self.call("traffic_rows", params).await;
        answer["rows"].as_array().unwrap().clone()
    }

    pub(crate) async fn record(&self, seq: &Value) -> Value {
        self.call("traffic_record", json!({"seq": seq})).await
    }
}
