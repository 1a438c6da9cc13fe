//! What a command that could not be carried out answers.

use serde::{Deserialize, Serialize};

/// An error of ours. A JSON-RPC error of a server is data of an exchange, not this.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CommandError {
    /// What the UI and scripts may branch on.
    pub code: ErrorCode,
    /// One sentence: which step failed, why, and what to do next.
    pub message: String,
    /// The cause in full, where there is more to say (system error text, offending input).
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

    /// An error with its cause in full.
    #[must_use]
    pub fn with_detail(code: ErrorCode, message: impl Into<String>, detail: impl ToString) -> Self {
        Self {
            detail: Some(detail.to_string()),
            ..Self::new(code, message)
        }
    }
}

/// A code exists only where somebody branches on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ErrorCode {
    /// The parameters are wrong; `message` says which and how.
    InvalidParams,
    /// No server, tool, record or body of that name.
    NotFound,
    /// The server is not connected; connect first.
    NotConnected,
    /// The connection could not be made or broke.
    ConnectionFailed,
    /// The server did not answer in time.
    TimedOut,
    /// The server answered with a JSON-RPC error where a command needed a result.
    ServerError,
    /// The traffic store or a file cannot be read or written.
    Storage,
    /// Another Patchbay holds this data folder.
    Locked,
    /// The vault wants something of the user before this can be done: pull `vault_get`, then try again.
    VaultNeeded,
    /// A defect of ours.
    Internal,
}
