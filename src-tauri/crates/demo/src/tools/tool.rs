//! A row of the table of tools.

use super::ask::Ask;
use super::concurrent::ConcurrentTool;
use super::result::{Problem, ToolResult};
use crate::arguments::Arguments;
use crate::call::Call;

/// A tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    /// Its definition: indented JSON text.
    pub(super) definition: &'static str,
    pub(super) run: Run,
}

/// How a tool is run.
pub(super) enum Run {
    /// Immediately.
    Now(fn(&Call, &Arguments<'_>) -> Result<ToolResult, Problem>),
    /// Concurrently with the session, so that it can be cancelled.
    Concurrent(ConcurrentTool),
    /// Concurrently, and it requests input.
    Ask(Ask),
}
