//! What a handle of a connection asks of the task that owns it.

use patchbay_protocol::views::LogLevel;
use patchbay_traffic::Seq;
use tokio::sync::{oneshot, watch};

use crate::{CallEnd, RawMessage, Request, events::EventSender};

/// What a handle asks of the actor.
#[derive(Debug)]
pub(crate) enum Command {
    Request {
        request: Request,
        exchange: u64,
        events: EventSender,
    },
    Notify {
        method: String,
        params: Option<String>,
    },
    Message {
        message: RawMessage,
        sent: oneshot::Sender<Result<Seq, String>>,
    },
    Cancel {
        exchange: u64,
        reason: Option<String>,
    },
    /// The end of a request that was sent: none if it is not in progress.
    WatchEnd {
        exchange: u64,
        watched: oneshot::Sender<Option<watch::Receiver<CallEnd>>>,
    },
    /// The log level that requests of the modern era ask for from now on.
    LogLevel(Option<LogLevel>),
    Problems(usize),
    /// A task that works for the connection has ended by a panic: which, and with which words.
    Died {
        task: &'static str,
        cause: String,
    },
    Close,
}
