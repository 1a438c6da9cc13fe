//! The known state of the peer of a link.

use std::time::SystemTime;

use patchbay_protocol::RequestId;
use patchbay_traffic::Seq;

use crate::{Dialect, ProcessInfo, StderrTail};

/// The current state of the peer of a link.
#[derive(Debug, Clone)]
pub struct About {
    /// The kind of peer.
    pub peer: Peer,
    /// The last lines of its stderr, live; empty if it has no stderr.
    pub stderr_tail: StderrTail,
}

impl About {
    /// For a peer without a stderr.
    #[must_use]
    pub fn new(peer: Peer) -> Self {
        Self {
            peer,
            stderr_tail: StderrTail::default(),
        }
    }

    /// The process, if the peer is one.
    #[must_use]
    pub fn process(&self) -> Option<&ProcessInfo> {
        match &self.peer {
            Peer::Process(info) => Some(info),
            Peer::Http(_) | Peer::Other { .. } => None,
        }
    }

    /// The HTTP server, if the peer is one.
    #[must_use]
    pub fn http(&self) -> Option<&HttpPeer> {
        match &self.peer {
            Peer::Http(info) => Some(info),
            Peer::Process(_) | Peer::Other { .. } => None,
        }
    }
}

/// The kind of peer.
#[derive(Debug, Clone)]
pub enum Peer {
    /// A process started by Patchbay.
    Process(ProcessInfo),
    /// A server reached over HTTP.
    Http(HttpPeer),
    /// Something else, such as a server within this program.
    Other {
        /// A display name.
        name: String,
    },
}

/// A server reached over HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpPeer {
    /// The configured URL; secrets in its query are not masked.
    pub url: String,
    /// The URL that messages are POSTed to: the configured one, or the one that the server named (HTTP+SSE).
    pub endpoint: Option<String>,
    /// The dialect.
    pub dialect: Dialect,
    /// `HTTP/1.1` or `HTTP/2`; none before the first response.
    pub protocol: Option<String>,
    /// The session id, if the server assigned one.
    pub session_id: Option<String>,
    /// Whether the server ended the session.
    pub session_lost: bool,
    /// The stream for unrequested messages of the server.
    pub stream: StreamState,
    /// The exchanges in progress, oldest first; at most 100.
    pub open: Vec<OpenExchange>,
}

/// The stream for unrequested messages of the server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum StreamState {
    /// Not requested: the dialect has none, or the handshake is not finished.
    #[default]
    None,
    /// Requested.
    Opening,
    /// Open.
    Open,
    /// The server has none: it responded with this status (usually 405).
    NotOffered(u16),
    /// Interrupted; it will be reopened.
    Waiting {
        /// The number of consecutive attempts that failed or yielded nothing.
        attempt: u32,
        /// The time of the next attempt.
        until: SystemTime,
    },
    /// Given up; the reason in a sentence.
    Lost(String),
}

/// An exchange in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenExchange {
    /// The id of its request, if it carries one.
    pub request: Option<RequestId>,
    /// The method of its message.
    pub method: String,
    /// The record of the message.
    pub frame: Seq,
    /// When the message was passed to the link.
    pub since: SystemTime,
    /// Its progress.
    pub step: OpenStep,
}

/// The progress of an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenStep {
    /// Queued, or waiting for the handshake.
    Queued,
    /// Sent, or being sent; no response yet.
    Waiting,
    /// Not sent, or refused: it waits for an authorization.
    Authorizing,
    /// The head of the response was received; the body is being read.
    Answering,
    /// The stream was interrupted and will be resumed.
    Resuming {
        /// The number of consecutive failed attempts.
        attempt: u32,
        /// The time of the next attempt.
        until: SystemTime,
    },
}
