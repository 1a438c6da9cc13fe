//! The state that all requests of one process share.

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
    /// The revision negotiated by `initialize`.
    pub(crate) legacy: Option<Revision>,
    /// The minimum log level (legacy).
    pub(crate) level: LogLevel,
    /// Resources that a legacy client subscribed to.
    pub(crate) watched: HashSet<String>,
    /// Streams of modern clients, by the id of their request.
    pub(crate) streams: Vec<(RequestId, Filter)>,
    /// Whether the tool `surprise` is listed.
    pub(crate) surprise: bool,
    /// The number of changes of the counter resource.
    pub(crate) counter: u64,
    /// The capabilities that a legacy client declared: JSON text.
    pub(crate) client_capabilities: String,
    /// Our requests that a legacy client has not answered yet.
    pub(crate) unanswered: HashMap<RequestId, oneshot::Sender<Result<String, String>>>,
    /// The number of our requests.
    pub(crate) questions: u64,
}

/// The requested and supported notifications of a `subscriptions/listen` stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) tools: bool,
    pub(crate) resources: Vec<String>,
}

/// The state, and the output channels.
#[derive(Debug)]
pub(crate) struct Shared {
    out: mpsc::Sender<Out>,
    state: Mutex<State>,
    /// The key that seals `requestState`; different for each process.
    pub(crate) seal: RandomState,
    /// Set when `hang_up` is called.
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

    /// Passes on the client's response to our request: its result, or the message of its error.
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

    /// Sends a message. A closed output is ignored.
    pub(crate) async fn send(&self, message: String) {
        let _ = self.out.send(Out::Message(message)).await;
    }

    /// Writes a line to stderr.
    pub(crate) async fn stderr(&self, line: String) {
        let _ = self.out.send(Out::Stderr(line)).await;
    }
}
