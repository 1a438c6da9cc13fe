//! What a server asks of the user: sampling, elicitation and roots, in either era.
//!
//! Who decides and how is deliberately not here: an [`InputRequest`] is handed to the receiver named in
//! [`ConnectOptions::inputs`](crate::ConnectOptions::inputs), and what they reply is sent.

use patchbay_protocol::methods;
use patchbay_traffic::{ConnectionRef, OperationId, Seq};
use tokio::sync::oneshot;

/// The maximum number of exchanges under way that are named in a request for input.
pub const MOST_DURING: usize = 20;

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
///
/// When the server withdraws it, the call it belongs to ends or the connection breaks, `reply.closed()` resolves and
/// a reply has no effect. Dropping it without a reply counts as [`InputReply::Cancelled`].
#[derive(Debug)]
pub struct InputRequest {
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
    /// The exchanges under way when it came, with the records of their requests, where it is not certain to which one it
    /// belongs; the oldest [`MOST_DURING`].
    pub during: Vec<(Seq, u64)>,
    /// The record it is in.
    pub seq: Seq,
    /// Which round of its request it is, from 1 (modern era).
    pub round: Option<u32>,
    /// Where the reply goes.
    pub reply: oneshot::Sender<InputReply>,
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
