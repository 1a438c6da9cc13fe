//! What all requests of one process share.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use patchbay_protocol::views::LogLevel;
use patchbay_protocol::{RequestId, Revision};
use tokio::sync::{Notify, mpsc};

use crate::Out;
use crate::subscriptions::Filter;

/// The state of the server.
#[derive(Debug)]
pub(crate) struct State {
    /// The revision `initialize` agreed on.
    pub(crate) legacy: Option<Revision>,
    /// From which level to log (legacy).
    pub(crate) level: LogLevel,
    /// Resources a legacy client asked to be told about.
    pub(crate) watched: HashSet<String>,
    /// Streams of modern clients, by the request that opened them.
    pub(crate) streams: Vec<(RequestId, Filter)>,
    /// Whether the tool `surprise` is there.
    pub(crate) surprise: bool,
    /// How often the counter resource was touched.
    pub(crate) counter: u64,
}

/// The state, and the ways out.
#[derive(Debug)]
pub(crate) struct Shared {
    out: mpsc::Sender<Out>,
    state: Mutex<State>,
    /// Somebody called `hang_up`.
    pub(crate) end: Notify,
}

impl Shared {
    pub(crate) fn new(out: mpsc::Sender<Out>) -> Self {
        let state = State {
            legacy: None,
            level: LogLevel::Info,
            watched: HashSet::new(),
            streams: Vec::new(),
            surprise: false,
            counter: 0,
        };
        Self {
            out,
            state: Mutex::new(state),
            end: Notify::new(),
        }
    }

    /// The state. Never held across an await.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a message. When nobody reads any more, there is nobody to tell.
    pub(crate) async fn send(&self, message: String) {
        let _ = self.out.send(Out::Message(message)).await;
    }

    /// Writes a line to stderr.
    pub(crate) async fn stderr(&self, line: String) {
        let _ = self.out.send(Out::Stderr(line)).await;
    }
}
