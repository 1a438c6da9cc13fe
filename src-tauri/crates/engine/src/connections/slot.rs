//! The place of one server's connection.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use patchbay_client::{ClientInfo, ConnectOptions, Connection, Environment, Status, StdioConfig, connect};
use patchbay_contract::TransportDraft;
use tokio::sync::watch;

use crate::{convert, engine::Inner, secrets, servers::Server, tools::ToolCache};

/// What connects one server at a time.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    /// Held while opening and closing, so that they come one after the other.
    pub(super) gate: tokio::sync::Mutex<()>,
    live: Mutex<Option<Live>>,
}

/// A connection, and what stays known of it after its end.
#[derive(Debug, Clone)]
pub(crate) struct Live {
    /// None after it was closed.
    pub(crate) connection: Option<Connection>,
    pub(crate) status: watch::Receiver<Arc<Status>>,
    pub(crate) environment: Arc<Environment>,
    pub(crate) tools: Arc<ToolCache>,
}

impl Live {
    pub(crate) fn status(&self) -> Arc<Status> {
        self.status.borrow().clone()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.connection.is_some() && super::is_open(&self.status())
    }
}

impl Slot {
    pub(super) fn live(&self) -> Option<Live> {
        self.lock().clone()
    }

    /// Starts a connection in place of the last one.
    pub(super) fn open(&self, inner: &Inner, server: &Server, environment: Arc<Environment>) -> Live {
        inner.recorder.redact(secrets::of(&server.draft, &environment));
        let options = ConnectOptions {
            server_id: server.id.0.clone(),
            server_name: server.draft.name.clone(),
            era: convert::era_choice(server.draft.era),
            stdio: stdio(inner, server, environment.clone()),
            timeouts: convert::timeouts(server.draft.timeouts),
            client_info: ClientInfo {
                name: "patchbay".to_owned(),
                title: Some("Patchbay".to_owned()),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
        };
        let connection = connect(options, inner.recorder.clone());
        let live = Live {
            status: connection.status(),
            connection: Some(connection),
            environment,
            tools: Arc::default(),
        };
        *self.lock() = Some(live.clone());
        live
    }

    /// Shuts down and lets the handle go; what is known stays.
    pub(super) async fn close(&self) {
        let connection = self.lock().as_ref().and_then(|live| live.connection.clone());
        if let Some(connection) = connection {
            connection.close().await;
        }
        if let Some(live) = self.lock().as_mut() {
            live.connection = None;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn stdio(inner: &Inner, server: &Server, environment: Arc<Environment>) -> StdioConfig {
    let TransportDraft::Stdio {
        command,
        args,
        env,
        cwd,
    } = inner.transport_of(server);
    StdioConfig {
        command,
        args,
        env: env.into_iter().map(|var| (var.name, var.value)).collect(),
        cwd: cwd.map(PathBuf::from),
        environment,
    }
}
