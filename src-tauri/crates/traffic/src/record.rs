//! What the log is made of: records, rows, descriptions, answers.
//!
//! A record is written as it crossed; what a decoder finds out about it arrives later as a [`Description`], and what
//! completes a request as an [`Answer`]. Deliberately not here: the bytes (pulled by [`crate::Store::body`]).

use std::sync::Arc;

use patchbay_observe::codes;
pub use patchbay_observe::{Answer, Description, Kind, OperationId, Seq, Status};
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

/// A connection that is about to be made.
#[derive(Debug, Clone)]
pub struct NewConnection {
    /// The configured server's id; empty where none is configured yet.
    pub server_id: String,
    /// Its name now; rows of this connection keep it when the server is renamed.
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
        /// A model, which Patchbay is the host of.
        Model = 2,
        /// A check that finds out why a server cannot be reached.
        Doctor = 3,
        /// A recording that was imported.
        Import = 4,
    }
}

/// One row of the log. Carries no body.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its number.
    pub seq: Seq,
    /// When, in ms since the Unix epoch: the run's wall anchor plus the monotonic time since.
    pub at_ms: f64,
    /// Whose.
    pub server_id: Arc<str>,
    /// The server's name when the connection was made.
    pub server_name: Arc<str>,
    /// Of which connection.
    pub connection: i64,
    /// Who opened that connection.
    pub origin: Origin,
    /// The operation it belongs to, if that is known.
    pub operation: Option<OperationId>,
    /// What it is.
    pub kind: Kind,
    /// Which way; none for stderr, lifecycle and gap.
    pub direction: Option<Direction>,
    /// The method; of a response: that of its request.
    pub method: Option<String>,
    /// The tool that is called, or whose call is answered.
    pub tool: Option<String>,
    /// The JSON-RPC id as JSON text.
    pub rpc_id: Option<String>,
    /// One line that tells it from its neighbours.
    pub summary: Option<String>,
    /// Bytes as they crossed; of a gap: bytes skipped.
    pub size: u64,
    /// How it ended; none where that has no meaning.
    pub status: Option<Status>,
    /// The other half.
    pub pair: Option<Seq>,
    /// From request to response, in nanoseconds.
    pub latency_ns: Option<u64>,
    /// How many violations it has.
    pub violation_count: u32,
    /// The frame it is a member of.
    pub batch: Option<Seq>,
    /// The HTTP exchange that carried it.
    pub http: Option<Seq>,
}

/// A violation as recorded: it outlives the rule that found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedViolation {
    /// The rule's id, in kebab-case.
    pub rule: String,
    /// How bad.
    pub severity: Severity,
    /// What is wrong, in a sentence.
    pub message: String,
    /// JSON pointer to the place.
    pub pointer: Option<String>,
    /// Where the specification says so.
    pub spec: Option<String>,
}

/// One record in full, but for its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// As in the log.
    pub row: Row,
    /// What is wrong with it.
    pub violations: Vec<RecordedViolation>,
    /// How many values of secrets were masked in it.
    pub redactions: u32,
    /// The other half.
    pub pair: Option<Row>,
    /// Its batch and request, its members, its progress and cancellation: oldest first, at most 200.
    pub related: Vec<Row>,
}
