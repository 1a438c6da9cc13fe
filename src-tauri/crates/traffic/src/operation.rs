//! The cause of a record: the origin of its connection, and its operation.

use crate::{OperationId, Seq};

/// An operation that is about to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOperation {
    /// The kind of action, named like a command of the contract (`tool_call`).
    pub kind: &'static str,
    /// The label in the log: the name of a tool, the URI of a resource.
    pub label: String,
}

/// An operation in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its number.
    pub id: OperationId,
    /// The kind of action.
    pub kind: String,
    /// The label in the log.
    pub label: String,
}

/// What is known about a frame when it is recorded, besides its bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FrameContext {
    /// The HTTP exchange that carries it.
    pub exchange: Option<Seq>,
    /// The operation it belongs to. If only pairing can determine it, the description adds it later.
    pub operation: Option<OperationId>,
    /// When it was read, on the recorder's clock ([`crate::Recorder::now_ns`]). None: now.
    pub read_at_ns: Option<u64>,
}
