//! A connection, and what is known of it.

use std::sync::Arc;

use patchbay_client::{Connection, Environment, InputRequest, State, Status};
use patchbay_contract::{RememberedEra, ServerId, TransportDraft};
use patchbay_protocol::Era;
use tokio::sync::{mpsc, watch};

use crate::{
    calls::tasks::TaskTable, connections::owned::OwnedTask, lists::Lists, subscriptions::Subscribed,
};

/// A connection, and what stays known of it after its end.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionHandle {
    pub(crate) server_id: ServerId,
    pub(crate) server_name: String,
    /// How it is reached, with references in place of secrets.
    pub(crate) transport: Arc<TransportDraft>,
    /// What was known of its era when connecting began.
    pub(crate) remembered: Option<RememberedEra>,
    /// None after it was closed.
    pub(crate) connection: Option<Connection>,
    pub(crate) status: watch::Receiver<Arc<Status>>,
    pub(crate) environment: Arc<Environment>,
    pub(crate) lists: Arc<Lists>,
    pub(crate) tasks: Arc<TaskTable>,
    pub(crate) subscribed: Arc<Subscribed>,
    /// Where questions of the server go that do not come from the connection itself: those of tasks.
    pub(crate) questions: mpsc::Sender<InputRequest>,
    pub(super) _responding: Arc<OwnedTask>,
}

impl ConnectionHandle {
    pub(crate) fn status(&self) -> Arc<Status> {
        self.status.borrow().clone()
    }

    /// The era that is spoken; before that is known the older one, which all fields of old servers are in.
    pub(crate) fn era(&self) -> Era {
        self.status().era.unwrap_or(Era::Legacy)
    }

    pub(crate) fn is_open(&self) -> bool {
        self.connection.is_some() && is_open(&self.status())
    }
}

/// A status that requests can be sent on, or that is on its way there.
pub(crate) fn is_open(status: &Status) -> bool {
    matches!(
        status.state,
        State::Connecting | State::Authorizing | State::Negotiating | State::Ready
    )
}
