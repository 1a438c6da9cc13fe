//! The error of a failed command.

use serde::{Deserialize, Serialize};

/// An error of Patchbay. A JSON-RPC error of a server is the outcome of an exchange instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CommandError {
    /// The code that the UI and scripts may branch on.
    pub code: ErrorCode,
    /// One sentence: what failed, why, and what to do next.
    pub message: String,
    /// The full cause, such as the system's error text or the offending input.
    pub detail: Option<String>,
}

impl CommandError {
    /// An error without detail.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            detail: None,
        }
    }

    /// An error with its cause as detail.
    #[must_use]
    pub fn with_detail(code: ErrorCode, message: impl Into<String>, detail: impl ToString) -> Self {
        Self {
            detail: Some(detail.to_string()),
            ..Self::new(code, message)
        }
    }
}

/// Codes of errors. One exists only where the UI or a script branches on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ErrorCode {
    /// The parameters are invalid; `message` says which and why.
    InvalidParams,
    /// There is no such server, tool, record or body.
    NotFound,
    /// The server is not connected; connect first.
    NotConnected,
    /// The connection could not be established, or was lost.
    ConnectionFailed,
    /// The server did not respond in time.
    TimedOut,
    /// The user cancelled the request whose result the command needs.
    Cancelled,
    /// The server responded with a JSON-RPC error, but the command needs a result.
    ServerError,
    /// The traffic store or a file cannot be read or written.
    Storage,
    /// Another Patchbay holds this data folder.
    Locked,
    /// The vault needs an action of the user first: pull `vault_get`, then try again.
    VaultNeeded,
    /// The definition of a tool changed and was not accepted; nothing was sent. Pull `tool_definition_diff`.
    DefinitionChanged,
    /// A defect in Patchbay.
    Internal,
}
