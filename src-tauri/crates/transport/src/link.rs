//! The interface of all transports: a [`Link`] that carries frames, made by a [`Connector`].
//!
//! To add a transport, implement both. [`crate::InProcess`] is the smallest complete example.

use std::{borrow::Cow, ops::Range, pin::Pin, time::Duration};

use bytes::Bytes;
use patchbay_protocol::{Era, RequestId, Violation};
use patchbay_traffic::{Description, OperationId, Seq};

use crate::{About, Dialect, Ended, Failure, NotStarted, Tap};

/// A boxed future, as returned by the methods of [`Link`].
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// One link to a server: frames out, frames in, the end.
///
/// Every implementation guarantees:
/// - a frame is recorded before it is handed out, and before it is sent;
/// - all work (writing, reading, reconnecting, timers) happens while [`Link::next`] is awaited, so that a caller that does
///   not ask for the next event causes back-pressure;
/// - every request that [`Link::send`] accepted ends in one of three ways: a frame that answers it, an
///   [`Event::Unanswered`], or [`Event::Ended`]. A request that may have run is never repeated (one that was refused without
///   a credential has not run);
/// - dropping the link ends everything in progress.
pub trait Link: Send {
    /// Records a frame to be sent with [`Link::queue`]. Waits only for the store.
    ///
    /// The error is the reason; nothing was recorded then.
    fn record<'a>(&'a mut self, message: &'a Outgoing) -> BoxFuture<'a, Result<Seq, Failure>>;

    /// Queues a recorded frame; it is sent while [`Link::next`] is awaited.
    fn queue(&mut self, seq: Seq, message: Outgoing);

    /// Sends queued frames as far as that does not block. The rest is sent while [`Link::next`] is awaited.
    fn flush(&mut self) {}

    /// Records a frame and queues it. Waits only for the store.
    ///
    /// The error is the reason; nothing was recorded or sent then.
    fn send<'a>(&'a mut self, message: Outgoing) -> BoxFuture<'a, Result<Seq, Failure>> {
        Box::pin(async move {
            let seq = self.record(&message).await?;
            self.queue(seq, message);
            Ok(seq)
        })
    }

    /// An event that is available without waiting: a frame that was read already, recorded. None does not mean that
    /// [`Link::next`] would wait.
    fn ready(&mut self) -> Option<Event> {
        None
    }

    /// The next event; none after the end. Cancel safe.
    fn next<'a>(&'a mut self) -> BoxFuture<'a, Option<Event>>;

    /// Records the message at `span` of a frame with several messages. Waits only for the store.
    fn member<'a>(
        &'a mut self,
        frame: Seq,
        span: Range<usize>,
        description: Description,
    ) -> BoxFuture<'a, Result<Seq, Failure>>;

    /// Sets the result of the handshake: the revision need not be one that is known. Must be called before sending anything that follows the handshake (including
    /// `notifications/initialized`).
    fn agreed(&mut self, era: Era, revision: &str) {
        let _ = (era, revision);
    }

    /// Abandons the response to a request. Returns true if no `notifications/cancelled` is needed: that alone informs the
    /// server, or the request has not reached it and never will.
    fn abandon(&mut self, id: &RequestId) -> bool {
        let _ = id;
        false
    }

    /// A request has ended with something that is not its answer in its own response: with an answer that came elsewhere, or
    /// with a notification. Nothing is awaited from its exchange any more, which ends soon and is not resumed.
    fn answered(&mut self, id: &RequestId) {
        let _ = id;
    }

    /// Starts closing the link. Pending events are delivered, then [`Event::Ended`]. The server gets `patience` to end by
    /// itself (none: the default of the transport). A second call can shorten it.
    fn close(&mut self, patience: Option<Duration>);

    /// The current state of the peer.
    fn about(&self) -> About;
}

/// Makes links to a server: its configuration for one transport.
pub trait Connector: Send + Sync {
    /// Makes a link for `dialect` that records through `tap`, within its limits. Must be called within a Tokio runtime. Returns at once: the work happens while
    /// [`Link::next`] is awaited.
    ///
    /// # Errors
    /// The configuration is invalid; `NotStarted` has the reason.
    fn connect(&self, dialect: Dialect, tap: Tap) -> Result<Box<dyn Link>, Box<NotStarted>>;

    /// The supported dialects, in the order in which to try them with an unknown server.
    fn dialects(&self) -> &'static [Dialect];

    /// Whether a link should be driven by a dedicated thread. Useful for a link that wakes up for every message and shares
    /// nothing with other links: it then wakes one thread instead of a pool. Not possible for a link whose sockets outlive
    /// it.
    fn own_thread(&self) -> bool {
        false
    }
}

/// A frame to send, with what the link must know about it.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// The message.
    pub frame: Bytes,
    /// Its kind.
    pub kind: OutgoingKind,
    /// Its HTTP headers (`Mcp-Method`, `Mcp-Name`, `Mcp-Param-…`); ignored by other transports.
    pub headers: Vec<(String, String)>,
    /// The operation it is sent for. The frame and every HTTP exchange that carries it are recorded as part of it.
    pub operation: Option<OperationId>,
}

/// The kind of a frame to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutgoingKind {
    /// A request, which needs a response.
    Request {
        /// Its id.
        id: RequestId,
        /// Its method.
        method: Cow<'static, str>,
    },
    /// A notification.
    Notification {
        /// Its method.
        method: Cow<'static, str>,
    },
    /// A response to a request of the server.
    Response {
        /// The id of that request.
        id: RequestId,
    },
    /// Several messages as a user wrote them, with a request among them.
    Batch,
    /// What is neither, as a user wrote it: no message, a response without an id, a batch without a request.
    Other,
}

impl OutgoingKind {
    /// The id, if it is a request.
    #[must_use]
    pub fn request_id(&self) -> Option<&RequestId> {
        match self {
            Self::Request { id, .. } => Some(id),
            Self::Notification { .. } | Self::Response { .. } | Self::Batch | Self::Other => None,
        }
    }

    /// Its method; `response` for a response, and nothing for what has no method of its own.
    pub(crate) fn name(&self) -> Cow<'static, str> {
        match self {
            Self::Request { method, .. } | Self::Notification { method } => method.clone(),
            Self::Response { .. } => Cow::Borrowed("response"),
            Self::Batch | Self::Other => Cow::Borrowed(""),
        }
    }

    /// Whether it may have an answer, which takes its time, and must not be sent twice.
    pub(crate) fn may_be_answered(&self) -> bool {
        match self {
            Self::Request { .. } | Self::Batch => true,
            Self::Notification { .. } | Self::Response { .. } | Self::Other => false,
        }
    }
}

/// An event of a link.
#[derive(Debug)]
pub enum Event {
    /// A frame was received.
    Frame(Received),
    /// A request will get no response. This is its last event, unless a late response arrives over another stream.
    Unanswered {
        /// The request.
        id: RequestId,
        /// What was received instead.
        why: Unanswered,
    },
    /// The server rejected a notification or a response.
    Refused {
        /// Its record.
        frame: Seq,
        /// What was received instead.
        why: Unanswered,
    },
    /// A request starts or stops waiting for an authorization, which may involve the user. A request that ends meanwhile has
    /// no further event.
    Authorizing {
        /// The request (none: something that all requests wait for, such as the stream that answers them).
        id: Option<RequestId>,
        /// Whether it is waiting.
        on: bool,
    },
    /// [`Link::about`] has changed.
    Changed,
    /// The link has ended. The server process is being ended.
    Ended(Ended),
}

/// A recorded frame from the server.
#[derive(Debug, Clone, Default)]
pub struct Received {
    /// Its record.
    pub seq: Seq,
    /// When it was read, on the recorder's clock.
    pub at_ns: u64,
    /// Its bytes: a line without its `
    /// `, the body of an HTTP response, the data of an event.
    pub frame: Bytes,
    /// Whether it is complete; otherwise the stream ended within it.
    pub terminated: bool,
    /// The HTTP exchange that carried it.
    pub http: Option<Seq>,
    /// The request whose response carried it. An error without an id in it is the response.
    pub reply_to: Option<RequestId>,
    /// The status of the HTTP response that carried it.
    pub status: Option<u16>,
    /// Violations of the transport, for its description.
    pub violations: Vec<Violation>,
}

/// What was received instead of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswered {
    /// An HTTP response without a JSON-RPC message for the request.
    Status {
        /// The record of the exchange.
        exchange: Seq,
        /// Its status.
        status: u16,
        /// Its body as text; at most 64 KiB, with secrets masked.
        body_text: String,
        /// The server does not know the session: the request did not run, and a new session is needed.
        session_lost: bool,
        /// Its `WWW-Authenticate` header.
        www_authenticate: Option<String>,
        /// The delay that the server asked for; at most a day ([`patchbay_http::PeerDelay`]).
        retry_after: Option<Duration>,
        /// Why no credential could be obtained, if that was tried.
        authorization: Option<Failure>,
        /// It is the response to a GET that was to resume the stream of a response: the server has accepted the request before,
        /// which may have run.
        resuming: bool,
    },
    /// The exchange was interrupted.
    Broken {
        /// Where and why.
        failure: Failure,
        /// Whether the request may have reached the server and run there.
        may_have_run: bool,
    },
}

impl Unanswered {
    /// The same for a GET that was to resume the stream of a response.
    pub(crate) fn into_resuming(mut self) -> Self {
        if let Self::Status { resuming, .. } = &mut self {
            *resuming = true;
        }
        self
    }
}
