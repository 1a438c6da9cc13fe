//! Snapshot, then deltas.

use std::sync::Arc;

use crate::Row;

/// The first is the snapshot (`reset`), the others are changes since the one before.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delta {
    /// Forget everything: this is the whole state (first delta, after a clear).
    pub reset: bool,
    /// How many rows the filter matches now.
    pub total: u64,
    /// The newest of the rows added since, oldest first, at most 200. The last one stands at index `total - 1`.
    pub added: Vec<Row>,
    /// Rows from before that changed, at most 200.
    pub changed: Vec<Row>,
    /// More changed than `changed` holds, or rows entered or left in the middle: pull again what is shown.
    pub changed_missed: bool,
    /// Why records cannot be written at present.
    pub problem: Option<Arc<str>>,
}

/// A live view of the log. Dropping it ends it.
#[derive(Default)]
pub struct Tail(());

impl Tail {
    /// The next delta: the first at once, the others at most one per 50 ms; `None` when the store is closed. Cancel-safe.
    pub async fn next(&mut self) -> Option<Delta> {
        std::future::ready(None).await
    }
}
