//! A request of ours, its progress, and how it ended.

use std::{ops::Range, time::Duration};

use bytes::Bytes;
use patchbay_traffic::Seq;
use patchbay_transport::Failure;
use tokio::sync::mpsc;

use crate::Timeouts;

/// A request to be sent.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The method, as the specification writes it. Any text is sent.
    pub method: String,
    /// JSON text of an object, sent exactly as it stands (plus the `_meta` members the protocol obliges us to add).
    pub params: Option<String>,
    /// Members to add to `params._meta`: name and JSON text.
    pub meta: Vec<(String, String)>,
    /// Time-outs of its own instead of the connection's.
    pub timeouts: Option<Timeouts>,
    /// Whether to ask for progress (`_meta.progressToken`, equal to the request's id).
    pub progress: bool,
}

impl Request {
    /// A request without further wishes.
    pub fn new(method: impl Into<String>, params: Option<String>) -> Self {
        Self {
            method: method.into(),
            params,
            ..Self::default()
        }
    }
}

/// A request on its way. Dropping it does not cancel the request.
#[derive(Debug)]
pub struct Exchange {
    /// Unique in this process.
    pub id: u64,
    pub(crate) events: mpsc::Receiver<ExchangeEvent>,
}

impl Exchange {
    /// What happened next; none after `Finished`. Cancel safe.
    pub async fn next(&mut self) -> Option<ExchangeEvent> {
        self.events.recv().await
    }

    /// How it ended, skipping progress.
    pub async fn finished(mut self) -> Finished {
        while let Some(event) = self.next().await {
            if let ExchangeEvent::Finished(finished) = event {
                return *finished;
            }
        }
        Finished::not_sent("The connection is closed.")
    }
}

/// What happens to a request.
#[derive(Debug, Clone)]
pub enum ExchangeEvent {
    /// It was recorded and handed to the server's pipe.
    Sent {
        /// Its record.
        seq: Seq,
    },
    /// Progress. A slow reader misses some; `count` tells.
    Progress(Box<Progress>),
    /// The end: exactly once, always last.
    Finished(Box<Finished>),
}

/// Progress of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// How far it is.
    pub progress: f64,
    /// How far it will be, if known.
    pub total: Option<f64>,
    /// In words, if the server says some.
    pub message: Option<String>,
    /// How many progress notifications came for this request so far.
    pub count: u64,
}

/// How a request ended.
#[derive(Debug, Clone)]
pub struct Finished {
    /// In which way.
    pub outcome: Outcome,
    /// The request's record; none if it was not sent.
    pub request_seq: Option<Seq>,
    /// What the server answered, if it did.
    pub response: Option<Answer>,
    /// From sending to the end.
    pub duration: Duration,
}

impl Finished {
    pub(crate) fn not_sent(message: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::NotSent(message.into()),
            request_seq: None,
            response: None,
            duration: Duration::ZERO,
        }
    }
}

/// In which way a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// With a result.
    Result,
    /// With a JSON-RPC error.
    Error,
    /// With a result that asks for input (`resultType: input_required`, modern era).
    InputRequired,
    /// With a result whose `resultType` is neither known nor declared (modern era): invalid by the specification.
    UnknownResultType(String),
    /// No answer in time; a cancellation was sent.
    TimedOut {
        /// After how long.
        after: Duration,
    },
    /// Cancelled by us.
    Cancelled,
    /// The connection broke before an answer came.
    ConnectionLost(Failure),
    /// Nothing was sent; why, and what to do.
    NotSent(String),
}

/// An answer as it crossed.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Its record (of a batch member: the member's).
    pub seq: Seq,
    /// The frame it came in.
    pub frame: Bytes,
    /// The message within the frame (the whole frame unless it held several).
    pub message: Range<usize>,
    /// The text of `result` or `error` within the frame.
    pub body: Range<usize>,
}

impl Answer {
    /// The text of `result` or `error`, exactly as received.
    #[must_use]
    pub fn body_text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.frame.get(self.body.clone()).unwrap_or_default())
    }
}
