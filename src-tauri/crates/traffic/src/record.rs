//! The data of the log: records, rows, descriptions, answers.
//!
//! A record is written as received. A decoder's results arrive later as a [`Description`], and the completion of a request
//! as an [`Answer`]. Deliberately not here: the bytes ([`crate::Store::body`]).

use std::sync::Arc;

use patchbay_observe::codes;
pub use patchbay_observe::{Answer, Description, Kind, LogClass, OperationId, Seq, Status};
pub use patchbay_protocol::{Direction, Severity, Violation};

/// A connection in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectionRef(pub(crate) i64);

impl ConnectionRef {
    /// Its number, unique in the store.
    #[must_use]
    pub fn id(self) -> i64 {
        self.0
    }
}

/// A connection that is about to be opened.
#[derive(Debug, Clone)]
pub struct NewConnection {
    /// The configured server's id; empty where none is configured yet.
    pub server_id: String,
    /// Its current name; rows of this connection keep it when the server is renamed.
    pub server_name: String,
    /// Who opens it.
    pub origin: Origin,
}

codes! {
    /// Who opened a connection.
    #[derive(Default)]
    Origin {
        /// Patchbay's own client, for its user.
        #[default]
        Client = 0,
        /// Another host whose traffic is tapped.
        Tap = 1,
        /// A model hosted by Patchbay.
        Model = 2,
        /// A diagnosis of why a server cannot be reached.
        Doctor = 3,
        /// An imported recording.
        Import = 4,
    }
}

/// One row of the log, without its body.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its number.
    pub seq: Seq,
    /// The time, in ms since the Unix epoch: the run's wall anchor plus the monotonic time since.
    pub at_ms: f64,
    /// The server's id.
    pub server_id: Arc<str>,
    /// The server's name when the connection was opened.
    pub server_name: Arc<str>,
    /// The connection.
    pub connection: i64,
    /// The origin of the connection.
    pub origin: Origin,
    /// The operation it belongs to, if known.
    pub operation: Option<OperationId>,
    /// The kind.
    pub kind: Kind,
    /// The direction; none for stderr, lifecycle and gap.
    pub direction: Option<Direction>,
    /// The method; for a response that of its request.
    pub method: Option<String>,
    /// The called tool, also for the response.
    pub tool: Option<String>,
    /// What it says as a line of the server's log; none if it is not one.
    pub log: Option<LogClass>,
    /// The logger of a log message.
    pub logger: Option<String>,
    /// The JSON-RPC id as JSON text.
    pub rpc_id: Option<String>,
    /// A one-line summary.
    pub summary: Option<String>,
    /// The size in bytes; for a gap the number of bytes skipped.
    pub size: u64,
    /// The outcome; none if not applicable.
    pub status: Option<Status>,
    /// The record of the response or the request.
    pub pair: Option<Seq>,
    /// The time from request to response, in nanoseconds.
    pub latency_ns: Option<u64>,
    /// The number of violations.
    pub violation_count: u32,
    /// The rules that it violates, each once, at most 20.
    pub rules: Vec<String>,
    /// The frame that it is a member of.
    pub batch: Option<Seq>,
    /// The HTTP exchange that carried it.
    pub http: Option<Seq>,
}

/// A recorded violation. It is independent of the current rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedViolation {
    /// The rule's id, in kebab-case.
    pub rule: String,
    /// The severity.
    pub severity: Severity,
    /// The problem, in a sentence.
    pub message: String,
    /// JSON pointer to the location.
    pub pointer: Option<String>,
    /// The clause of the specification.
    pub spec: Option<String>,
}

/// One record except for its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its row.
    pub row: Row,
    /// Its violations.
    pub violations: Vec<RecordedViolation>,
    /// The number of masked secrets.
    pub redactions: u32,
    /// The record of the response or the request.
    pub pair: Option<Row>,
    /// The related records: batch and request, members, progress and cancellation; oldest first, at most 200.
    pub related: Vec<Row>,
}
