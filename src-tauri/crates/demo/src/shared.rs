//! What all requests of one process share.

use std::collections::{HashMap, HashSet};
use std::hash::RandomState;
use std::sync::{Mutex, MutexGuard, PoisonError};

use patchbay_protocol::message::Outcome;
use patchbay_protocol::views::LogLevel;
use patchbay_protocol::{RequestId, Revision};
use tokio::sync::{Notify, mpsc, oneshot};

use crate::Out;

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
    /// What a legacy client declared: JSON text.
    pub(crate) client_capabilities: String,
    /// Requests of ours that a legacy client has not answered yet.
    pub(crate) unanswered: HashMap<RequestId, oneshot::Sender<Result<String, String>>>,
    /// How many requests we have made.
    pub(crate) questions: u64,
}

/// What a stream of `subscriptions/listen` wants, of what we have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) tools: bool,
    pub(crate) resources: Vec<String>,
}

/// The state, and the ways out.
#[derive(Debug)]
pub(crate) struct Shared {
    out: mpsc::Sender<Out>,
    state: Mutex<State>,
    /// What `requestState` is sealed with; another for each process.
    pub(crate) seal: RandomState,
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
            client_capabilities: "{}".to_owned(),
            unanswered: HashMap::new(),
            questions: 0,
        };
        Self {
            out,
            seal: RandomState::new(),
            state: Mutex::new(state),
            end: Notify::new(),
        }
    }

    /// The state. Never held across an await.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A client has answered a request of ours: its result, or what its error says.
    pub(crate) fn answered(&self, id: &RequestId, outcome: &Outcome<'_>) {
        let Some(caller) = self.state().unanswered.remove(id) else {
            return;
        };
        let said = match outcome {
            Outcome::Result(result) => Ok((*result).to_owned()),
            Outcome::Error(error) => Err(format!("error {}: {}", error.code_text, error.message)),
        };
        // The caller may have been cancelled.
        let _ = caller.send(said);
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
