//! A row of the table of tools.

use super::ask::Ask;
use super::live::Live;
use super::result::{Problem, ToolResult};
use crate::arguments::Arguments;
use crate::call::Call;

/// A tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    /// Its definition: JSON text, indented for people.
    pub(super) definition: &'static str,
    pub(super) run: Run,
}

/// How a tool runs.
pub(super) enum Run {
    /// At once.
    Now(fn(&Call, &Arguments<'_>) -> Result<ToolResult, Problem>),
    /// Beside the session, so that it can be cancelled.
    Live(Live),
    /// The same, and it asks the client.
    Ask(Ask),
}
