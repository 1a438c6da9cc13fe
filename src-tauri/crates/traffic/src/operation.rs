//! What caused a record: who opened its connection, and which action it belongs to.

use crate::{OperationId, Seq};

/// An operation that is about to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOperation {
    /// What kind of action it is, as a command of the contract names it (`tool_call`).
    pub kind: &'static str,
    /// What the log shows of it: the name of a tool, the address of a resource.
    pub label: String,
}

/// An operation in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its number.
    pub id: OperationId,
    /// What kind of action it is.
    pub kind: String,
    /// What the log shows of it.
    pub label: String,
}

/// What is known about a frame when it crosses, beside its bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FrameContext {
    /// The HTTP exchange that carries it.
    pub exchange: Option<Seq>,
    /// The operation it belongs to. Where only pairing can tell, the description says it later.
    pub operation: Option<OperationId>,
    /// When it was read, on the recorder's clock ([`crate::Recorder::now_ns`]). None: now.
    pub read_at_ns: Option<u64>,
}
