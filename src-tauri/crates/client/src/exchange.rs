//! A request of ours, its progress, and how it ended.

use std::{ops::Range, time::Duration};

use bytes::Bytes;
use patchbay_traffic::{OperationId, Seq};
use patchbay_transport::{Failure, Refusal};

use crate::{Timeouts, events::EventReceiver};

/// A request to be sent.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The method, as the specification writes it. Any text is sent.
    pub method: String,
    /// JSON text of an object, sent exactly as written (plus the `_meta` members that the protocol requires).
    pub params: Option<String>,
    /// Members to add to `params._meta`: name and JSON text.
    pub meta: Vec<(String, String)>,
    /// Timeouts that replace the connection's.
    pub timeouts: Option<Timeouts>,
    /// Whether to ask for progress (`_meta.progressToken`, equal to the request's id).
    pub progress: bool,
    /// The operation it belongs to: everything it causes is recorded under it.
    pub operation: Option<OperationId>,
    /// The record of the message that it repeats, if it repeats one.
    pub repeats: Option<Seq>,
}

impl Request {
    /// A request with default options.
    pub fn new(method: impl Into<String>, params: Option<String>) -> Self {
        Self {
            method: method.into(),
            params,
            ..Self::default()
        }
    }
}

/// A text to send as one message.
#[derive(Debug, Clone)]
pub struct RawMessage {
    /// The text. It is sent as written, except that line breaks become spaces: a message over stdio is one line.
    pub text: String,
    /// The operation it belongs to.
    pub operation: Option<OperationId>,
    /// The record of the message that it repeats, if it repeats one.
    pub repeats: Option<Seq>,
}

/// A request on its way. Dropping it does not cancel the request.
#[derive(Debug)]
pub struct Exchange {
    /// Unique in this process.
    pub id: u64,
    pub(crate) events: EventReceiver,
}

impl Exchange {
    /// What happened next; none after `Finished`. Cancel safe.
    pub async fn next(&mut self) -> Option<ExchangeEvent> {
        self.events.next().await
    }

    /// How it ended, skipping progress.
    pub async fn finished(mut self) -> Finished {
        let finished = self.events.finished().await;
        finished.unwrap_or_else(|| Finished::not_sent("The connection is closed."))
    }
}

/// What happens to a request.
#[derive(Debug, Clone)]
pub enum ExchangeEvent {
    /// It was recorded and handed to the transport. More than once if the request took several legs: rounds of input, or
    /// one more try after the server refused a header or version before running it.
    Sent {
        /// The leg's record.
        seq: Seq,
    },
    /// Progress. A slow reader misses some; `count` tells.
    Progress(Box<Progress>),
    /// The server requires input before it continues (`resultType: input_required`). The next leg follows automatically once
    /// all of it is answered.
    InputRound {
        /// Which round, from 1.
        round: u32,
        /// The record of the answer that asks.
        seq: Seq,
        /// How many inputs it asks for; none when the server only wants to be asked again.
        inputs: usize,
    },
    /// Of `subscriptions/listen`: the stream is open.
    Acknowledged {
        /// The notification's record.
        seq: Seq,
        /// JSON text of what the server granted, exactly as received.
        granted: Box<str>,
    },
    /// Of `subscriptions/listen`: a notification of this stream. A slow reader misses some; `count` tells.
    Notified {
        /// The notification's record.
        seq: Seq,
        /// Its method; a long one is shortened.
        method: Box<str>,
        /// What changed, where the method names it: the URI of a resource, the id of a task. None if it is very long.
        subject: Option<Box<str>>,
        /// How many came on this stream so far.
        count: u64,
    },
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
    /// In words, if the server says some. Long ones are shortened.
    pub message: Option<String>,
    /// How many progress notifications came for this request so far.
    pub count: u64,
}

/// How a request ended.
#[derive(Debug, Clone)]
pub struct Finished {
    /// In which way.
    pub outcome: Outcome,
    /// The record of the request (of the first leg, if it took several); none if it was not sent.
    pub request_seq: Option<Seq>,
    /// What the server answered, if it did.
    pub response: Option<Answer>,
    /// From the first sending to the end, rounds of input included.
    pub duration: Duration,
    /// How much of it was spent waiting for input: people, not the server.
    pub human_wait: Duration,
    /// How many legs were sent.
    pub legs: u32,
    /// What to do about an error whose code says it (-32020, -32021, -32022), in a sentence.
    pub advice: Option<String>,
}

impl Finished {
    pub(crate) fn not_sent(message: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::NotSent(message.into()),
            request_seq: None,
            response: None,
            duration: Duration::ZERO,
            human_wait: Duration::ZERO,
            legs: 0,
            advice: None,
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
    /// With a result that is a task: what was asked for is done in the background (`resultType: task` where the
    /// extension was negotiated; a `CreateTaskResult` of 2025-11-25).
    Task,
    /// With a result that asks for input (`resultType: input_required`, modern era) which was not given; why not.
    InputRequired(String),
    /// With a result whose `resultType` is neither known nor declared (modern era): invalid by the specification.
    UnknownResultType(String),
    /// No answer in time; a cancellation was sent.
    TimedOut {
        /// After how long.
        after: Duration,
    },
    /// Cancelled by us.
    Cancelled,
    /// Ended by the server with `notifications/cancelled` (subscriptions, modern era); its reason, which is shortened if it is long.
    EndedByServer(Option<String>),
    /// The connection broke before an answer came.
    ConnectionLost(Failure),
    /// HTTP: the response was not an answer, or there was none. The connection stays open.
    Unanswered(Box<Unanswered>),
    /// Nothing was sent; why, and what to do.
    NotSent(String),
}

/// Why a request over HTTP has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unanswered {
    /// In words.
    pub failure: Failure,
    /// The HTTP status, if a response came.
    pub status: Option<u16>,
    /// The record of the HTTP exchange, if it is known.
    pub http: Option<Seq>,
    /// Whether the server may have run the request: then it must not be repeated without asking the user.
    pub may_have_run: bool,
    /// The server wants authorization (401, or 403 with missing scopes).
    pub challenge: Option<Challenge>,
    /// How long it asked to wait before the next try (429, 503).
    pub retry_after: Option<Duration>,
}

/// A server that wants authorization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// 401, or 403 with missing scopes.
    pub status: u16,
    /// Its `WWW-Authenticate`, if it sent one.
    pub www_authenticate: Option<String>,
    /// The record of the HTTP exchange.
    pub http: Seq,
}

impl Challenge {
    /// What a refusal says.
    pub(crate) fn of(refusal: &Refusal) -> Self {
        let asks = &refusal.www_authenticate;
        Self {
            status: refusal.status,
            www_authenticate: (!asks.is_empty()).then(|| asks.join(", ")),
            http: refusal.exchange,
        }
    }
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
