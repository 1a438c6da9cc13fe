//! What every transport is: a [`Link`] that carries frames, made by a [`Connector`].
//!
//! To add a transport of your own, implement both. [`crate::InProcess`] is the smallest complete example.

use std::{borrow::Cow, ops::Range, pin::Pin, time::Duration};

use bytes::Bytes;
use patchbay_protocol::{Era, RequestId, Revision, Violation};
use patchbay_traffic::{ConnectionRef, Description, OperationId, Recorder, Seq};

use crate::{About, Dialect, Ended, Failure, NotStarted};

/// A future in a box, as the methods of [`Link`] return it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// One live link with a server: frames out, frames in, the end.
///
/// What every implementation owes its user:
/// - a frame is recorded before it is handed out, and before it is sent;
/// - what is owed to the wire (writing, reading, reconnecting, timers) happens while [`Link::next`] is awaited, so that a
///   user who does not come back for the next event is back-pressure;
/// - every request that [`Link::send`] accepted ends in one of three ways: a frame that answers it, an
///   [`Event::Unanswered`], or [`Event::Ended`]. A request that may have run is never repeated (one that was refused for
///   want of a credential has not run);
/// - dropping the link ends everything it has under way.
pub trait Link: Send {
    /// Records a frame that [`Link::queue`] is to send. Waits only for the store.
    ///
    /// The error says why; nothing was recorded then.
    fn record<'a>(&'a mut self, message: &'a Outgoing) -> BoxFuture<'a, Result<Seq, Failure>>;

    /// Queues a recorded frame; it is sent while [`Link::next`] is awaited.
    fn queue(&mut self, seq: Seq, message: Outgoing);

    /// Sends what is queued as far as that takes no wait. The rest is sent while [`Link::next`] is awaited.
    fn flush(&mut self) {}

    /// Records a frame and queues it. Waits only for the store.
    ///
    /// The error says why; nothing was recorded or sent then.
    fn send<'a>(&'a mut self, message: Outgoing) -> BoxFuture<'a, Result<Seq, Failure>> {
        Box::pin(async move {
            let seq = self.record(&message).await?;
            self.queue(seq, message);
            Ok(seq)
        })
    }

    /// An event that needs no wait: a frame that was read already, recorded. None if there is none, which says nothing of
    /// what [`Link::next`] brings.
    fn ready(&mut self) -> Option<Event> {
        None
    }

    /// What happens next; none when nothing is left of the link. Cancel safe.
    fn next<'a>(&'a mut self) -> BoxFuture<'a, Option<Event>>;

    /// Records a message within a frame that holds several, `span` of it. Waits only for the store.
    fn member<'a>(
        &'a mut self,
        frame: Seq,
        span: Range<usize>,
        description: Description,
    ) -> BoxFuture<'a, Result<Seq, Failure>>;

    /// Says what the handshake agreed on. Call it before anything that follows the handshake is sent
    /// (`notifications/initialized` too).
    fn agreed(&mut self, era: Era, revision: Revision) {
        let _ = (era, revision);
    }

    /// Says that nobody waits for the answer to a request any more. True if that by itself tells the server, so that no
    /// `notifications/cancelled` is to be sent.
    fn abandon(&mut self, id: &RequestId) -> bool {
        let _ = id;
        false
    }

    /// Begins to end the link; what still comes is delivered, then [`Event::Ended`]. The server's side gets `patience` to
    /// end by itself (none: what is usual for the transport). A second call with less patience counts.
    fn close(&mut self, patience: Option<Duration>);

    /// What is known of the other side now.
    fn about(&self) -> About;
}

/// Makes links: the configuration of a server, of one transport.
pub trait Connector: Send + Sync {
    /// Makes a link that speaks `dialect`. Must be called within a Tokio runtime. Returns at once: what takes time happens
    /// while the link's [`Link::next`] is awaited.
    ///
    /// # Errors
    /// The configuration cannot work; `NotStarted` says why.
    fn connect(
        &self,
        dialect: Dialect,
        recorder: Recorder,
        connection: ConnectionRef,
    ) -> Result<Box<dyn Link>, Box<NotStarted>>;

    /// The dialects it can speak, in the order in which they are to be tried when nothing is known of the server.
    fn dialects(&self) -> &'static [Dialect];

    /// Whether a link is best driven by a thread of its own. Right for one that wakes for every message and shares nothing
    /// with other links: it then wakes one thread, not a pool of them. Wrong for one whose sockets outlive it.
    fn own_thread(&self) -> bool {
        false
    }
}

/// A frame to send, and what the link must know of it.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// The message.
    pub frame: Bytes,
    /// What it is.
    pub kind: OutgoingKind,
    /// HTTP headers that belong to it (`Mcp-Method`, `Mcp-Name`, `Mcp-Param-…`); of no meaning elsewhere.
    pub headers: Vec<(String, String)>,
    /// The operation for which it is sent. The frame and every HTTP exchange that carries it are recorded as part of it.
    pub operation: Option<OperationId>,
}

/// What a frame to send is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutgoingKind {
    /// A request: something must come back.
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
    /// The answer to a request of the server.
    Response {
        /// The id of that request.
        id: RequestId,
    },
}

impl OutgoingKind {
    /// The id of the request that it is, if it is one.
    #[must_use]
    pub fn request_id(&self) -> Option<&RequestId> {
        match self {
            Self::Request { id, .. } => Some(id),
            Self::Notification { .. } | Self::Response { .. } => None,
        }
    }
}

/// What happens on a link.
#[derive(Debug)]
pub enum Event {
    /// A frame came.
    Frame(Received),
    /// No answer to a request will come. It is the last that is heard of it, unless a late answer comes over another
    /// stream.
    Unanswered {
        /// The request.
        id: RequestId,
        /// What came instead.
        why: Unanswered,
    },
    /// A notification or a response was not accepted by the server.
    Refused {
        /// Its record.
        frame: Seq,
        /// What came instead of an acceptance.
        why: Unanswered,
    },
    /// A request (none: a stream of the link) waits for an authorization, in which people may be asked; or goes on. Nothing
    /// is said of one that ends meanwhile.
    Authorizing {
        /// The request.
        id: Option<RequestId>,
        /// It waits.
        on: bool,
    },
    /// [`Link::about`] tells something new.
    Changed,
    /// Nothing will come any more. What is left of the other side is being ended.
    Ended(Ended),
}

/// A frame from the server, recorded already.
#[derive(Debug, Clone, Default)]
pub struct Received {
    /// Its record.
    pub seq: Seq,
    /// When it was read, on the recorder's clock.
    pub at_ns: u64,
    /// Its bytes: a line without its `\n`, the body of an HTTP answer, the data of an event.
    pub frame: Bytes,
    /// Whether it is whole; if not, the stream ended in the middle of it.
    pub terminated: bool,
    /// The HTTP exchange it came in.
    pub http: Option<Seq>,
    /// The request of ours in whose answer it came. An error response without an id that comes so is the answer.
    pub reply_to: Option<RequestId>,
    /// The status of the HTTP answer it came in.
    pub status: Option<u16>,
    /// What was wrong with the way it came; belongs to its description.
    pub violations: Vec<Violation>,
}

/// What came instead of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswered {
    /// An HTTP answer that holds no JSON-RPC message for the request.
    Status {
        /// The record of the exchange.
        exchange: Seq,
        /// Its status.
        status: u16,
        /// Its body as text; at most 64 KiB, secrets masked.
        body_text: String,
        /// The server does not know the session any more: the request did not run, and a new session must begin.
        session_lost: bool,
        /// Its `WWW-Authenticate` header.
        www_authenticate: Option<String>,
        /// How long it asked us to wait; at most a day ([`patchbay_http::PeerDelay`]).
        retry_after: Option<Duration>,
        /// Why no credential could be got that lets the request in, if that was tried.
        authorization: Option<Failure>,
    },
    /// The exchange broke off.
    Broken {
        /// Where and why.
        failure: Failure,
        /// Whether the request may have reached the server and run there.
        may_have_run: bool,
    },
}
