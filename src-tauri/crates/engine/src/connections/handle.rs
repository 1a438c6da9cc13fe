//! A connection and its details.

use std::sync::Arc;

use patchbay_client::{Connection, Environment, InputRequest, State, Status, Supervisor};
use patchbay_contract::{RememberedEra, ServerId, TransportDraft};
use patchbay_protocol::Era;
use tokio::sync::{mpsc, watch};

use crate::{
    calls::tasks::TaskTable, connections::owned::OwnedTask, inputs::LiveSimulator, lists::Lists,
    servers::roots::LiveRoots, subscriptions::Subscribed,
};

/// A connection, and the details that are kept after its end.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionHandle {
    pub(crate) server_id: ServerId,
    pub(crate) server_name: String,
    /// How to reach it, with references in place of secrets.
    pub(crate) transport: Arc<TransportDraft>,
    /// The known era when connecting began.
    pub(crate) remembered: Option<RememberedEra>,
    /// None after it was closed.
    pub(crate) connection: Option<Connection>,
    /// Of the tasks that run for it.
    pub(crate) supervisor: Supervisor,
    pub(crate) status: watch::Receiver<Arc<Status>>,
    pub(crate) environment: Arc<Environment>,
    pub(crate) lists: Arc<Lists>,
    pub(crate) tasks: Arc<TaskTable>,
    pub(crate) subscribed: Arc<Subscribed>,
    /// What is answered to `roots/list`.
    pub(crate) roots: Arc<LiveRoots>,
    /// What is answered automatically to see how the server copes.
    pub(crate) simulator: Arc<LiveSimulator>,
    /// The destination of input requests that do not come from the connection itself: those of tasks.
    pub(crate) questions: mpsc::Sender<InputRequest>,
    pub(super) _responding: Arc<OwnedTask>,
}

impl ConnectionHandle {
    pub(crate) fn status(&self) -> Arc<Status> {
        self.status.borrow().clone()
    }

    /// The protocol era. Before it is known the legacy era, whose fields all older servers share.
    pub(crate) fn era(&self) -> Era {
        self.status().era.unwrap_or(Era::Legacy)
    }

    pub(crate) fn is_open(&self) -> bool {
        self.connection.is_some() && is_open(&self.status())
    }
}

/// Whether requests can be sent now, or once connecting succeeds.
pub(crate) fn is_open(status: &Status) -> bool {
    matches!(
        status.state,
        State::Connecting | State::Authorizing | State::Negotiating | State::Ready
    )
}
