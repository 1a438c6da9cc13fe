//! What a server asks of the user: sampling, elicitation and roots, in either era.
//!
//! Who decides and how is deliberately not here: an [`InputRequest`] is handed to the receiver named in
//! [`ConnectOptions::inputs`](crate::ConnectOptions::inputs), and what they reply is sent.

use std::sync::{Arc, OnceLock};

use patchbay_protocol::methods;
use patchbay_traffic::{ConnectionRef, OperationId, Seq};
use tokio::sync::{oneshot, watch};

/// The maximum number of exchanges under way that are named in a request for input.
pub const MOST_DURING: usize = 20;
/// The maximum length of a reason with which a server withdraws its request, in characters.
const LONGEST_REASON: usize = 500;

/// What kind of input is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// `sampling/createMessage`: an answer of a model.
    Sampling,
    /// `elicitation/create`: an answer of the user.
    Elicitation,
    /// `roots/list`: the folders the server may work in.
    Roots,
}

impl InputKind {
    /// The kind of a method; none if it asks for no input.
    #[must_use]
    pub fn of(method: &str) -> Option<Self> {
        Some(match method {
            methods::SAMPLING_CREATE_MESSAGE => Self::Sampling,
            methods::ELICITATION_CREATE => Self::Elicitation,
            methods::ROOTS_LIST => Self::Roots,
            _ => return None,
        })
    }

    /// The client capability it needs.
    #[must_use]
    pub fn capability(self) -> &'static str {
        match self {
            Self::Sampling => "sampling",
            Self::Elicitation => "elicitation",
            Self::Roots => "roots",
        }
    }
}

/// Input that a server asks for.
#[derive(Debug, Clone)]
pub struct Input {
    /// The configured server's id.
    pub server_id: String,
    /// Its name.
    pub server_name: String,
    /// The connection's row in the store.
    pub connection: ConnectionRef,
    /// Its key in `inputRequests` (modern era), else the JSON text of the request's id.
    pub key: String,
    /// The task that answers it, if the server asked for one (2025-11-25).
    pub task: Option<String>,
    /// What is asked for.
    pub kind: InputKind,
    /// The method, as on the wire.
    pub method: String,
    /// `params` exactly as received; `{}` if there are none.
    pub params: String,
    /// The request of ours that it belongs to; none where that is not certain.
    pub about: Option<Seq>,
    /// The exchange of that request.
    pub exchange: Option<u64>,
    /// The operation of that request.
    pub operation: Option<OperationId>,
    /// The exchanges under way when it came, where it is not certain to which one it belongs; the oldest [`MOST_DURING`].
    pub during: Vec<OpenExchange>,
    /// The record it is in.
    pub seq: Seq,
    /// Which round of its request it is, from 1 (modern era).
    pub round: Option<u32>,
    /// What becomes of it and of its calls meanwhile.
    pub watch: InputWatch,
}

/// A request for input.
///
/// When the server withdraws it, the call it belongs to ends or the connection breaks, `reply.closed()` resolves and
/// a reply has no effect. Dropping it without a reply counts as [`InputReply::Cancelled`].
#[derive(Debug)]
pub struct InputRequest {
    /// What is asked for.
    pub input: Input,
    /// Where the reply goes.
    pub reply: oneshot::Sender<InputReply>,
}

/// An exchange that was under way when input was asked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenExchange {
    /// The record of its request.
    pub seq: Seq,
    /// Its id.
    pub exchange: u64,
    /// Its operation.
    pub operation: Option<OperationId>,
}

/// What becomes of a request for input, and of the calls that it may belong to, until it is answered.
#[derive(Debug, Clone, Default)]
pub struct InputWatch {
    withdrawal: Arc<OnceLock<String>>,
    calls: Vec<watch::Receiver<CallEnd>>,
}

impl InputWatch {
    /// Of a request that may belong to these calls; none if that is not known.
    pub(crate) fn of(calls: Vec<watch::Receiver<CallEnd>>) -> Self {
        Self {
            withdrawal: Arc::default(),
            calls,
        }
    }

    /// The reason that the server gave when it withdrew the request: untrusted text, masked and shortened. None if it gave none.
    #[must_use]
    pub fn withdrawn_because(&self) -> Option<&str> {
        self.withdrawal.get().map(String::as_str)
    }

    /// The server withdraws the request for this reason.
    pub(crate) fn withdraw(&self, reason: &str) {
        let shortened = reason.trim().chars().take(LONGEST_REASON).collect::<String>();
        if !shortened.is_empty() {
            // Only one notification withdraws a request.
            let _ = self.withdrawal.set(shortened);
        }
    }

    /// Completes when no call is under way any more that the request may belong to, with how they ended: cancelled if one was. Never
    /// if it belongs to none.
    pub async fn calls_ended(&self) -> CallEnd {
        let mut last = None;
        for mut call in self.calls.clone() {
            // The sender is dropped with its call.
            while call.changed().await.is_ok() {}
            last = last.max(Some(*call.borrow()));
        }
        match last {
            Some(end) => end,
            None => std::future::pending().await,
        }
    }
}

/// How a call ended that a request for input may belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallEnd {
    /// With an answer, or with its connection.
    Ended,
    /// Its time was over.
    TimedOut,
    /// It was cancelled here.
    Cancelled,
}

/// What is replied to a server that asked for input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputReply {
    /// JSON text of the result, sent exactly as written.
    Result(String),
    /// Refused. In the modern era, which has no such reply, the call is not continued.
    Error {
        /// Its code; -1 is "the user rejected" of sampling.
        code: i64,
        /// In a sentence.
        message: String,
        /// More, as JSON text.
        data: Option<String>,
    },
    /// Nobody decided: elicitation gets the action `cancel`, the others are refused.
    Cancelled,
}
