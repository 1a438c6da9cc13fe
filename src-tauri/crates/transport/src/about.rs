//! What is known of the other side of a link.

use std::time::SystemTime;

use patchbay_protocol::RequestId;
use patchbay_traffic::Seq;

use crate::{Dialect, ProcessInfo, StderrTail};

/// The other side of a link, as it is now.
#[derive(Debug, Clone)]
pub struct About {
    /// Who it is.
    pub peer: Peer,
    /// The last lines of its stderr, live; always empty where there is none.
    pub stderr_tail: StderrTail,
    /// The beginning of the first line of its stdout that cannot be JSON-RPC, if there was one: many servers that do not
    /// answer log there. At most 200 characters.
    pub stray_line: Option<String>,
}

impl About {
    /// Of a peer without a stderr.
    #[must_use]
    pub fn new(peer: Peer) -> Self {
        Self {
            peer,
            stderr_tail: StderrTail::default(),
            stray_line: None,
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

/// Who is on the other side.
#[derive(Debug, Clone)]
pub enum Peer {
    /// A process that we started.
    Process(ProcessInfo),
    /// A server reached by HTTP.
    Http(HttpPeer),
    /// Something else, such as a server within this program.
    Other {
        /// A name for people.
        name: String,
    },
}

/// A server reached by HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpPeer {
    /// As configured; secrets in its query are not masked.
    pub url: String,
    /// Where messages are POSTed: the URL, or what the server named (HTTP+SSE).
    pub endpoint: Option<String>,
    /// How we speak to it.
    pub dialect: Dialect,
    /// `HTTP/1.1` or `HTTP/2`; none before the first answer.
    pub protocol: Option<String>,
    /// The id of the session, if the server gave one.
    pub session_id: Option<String>,
    /// Whether the server said that the session is over.
    pub session_lost: bool,
    /// The stream over which the server speaks without being asked.
    pub stream: StreamState,
    /// Exchanges under way, oldest first; at most 100.
    pub open: Vec<OpenExchange>,
}

/// A stream for what the server sends unasked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum StreamState {
    /// Not asked for: the dialect has none, or the handshake is not over.
    #[default]
    None,
    /// Asked for.
    Opening,
    /// Open.
    Open,
    /// The server has none: it answered with this status (405, usually).
    NotOffered(u16),
    /// Broke off, and is opened again soon.
    Waiting {
        /// How many attempts in a row have failed or brought nothing.
        attempt: u32,
        /// When.
        until: SystemTime,
    },
    /// Given up. Why, in a sentence.
    Lost(String),
}

/// An exchange under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenExchange {
    /// The request that it carries, if it carries one.
    pub request: Option<RequestId>,
    /// The method of its message.
    pub method: String,
    /// The record of the message.
    pub frame: Seq,
    /// When the message was given to us.
    pub since: SystemTime,
    /// How far it is.
    pub step: OpenStep,
}

/// How far an exchange is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenStep {
    /// Waits for its turn, or for the handshake.
    Queued,
    /// Sent, or being sent; no answer yet.
    Waiting,
    /// Not sent, or refused: it waits for an authorization.
    Authorizing,
    /// The answer's head is here; its body is coming.
    Answering,
    /// The stream broke off and is taken up again soon.
    Resuming {
        /// How many attempts in a row have failed.
        attempt: u32,
        /// When.
        until: SystemTime,
    },
}
