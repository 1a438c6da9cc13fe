//! A server's program in the user's terminal.

use serde::{Deserialize, Serialize};

use crate::ServerId;

/// Parameters of `terminal_open`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TerminalOpenParams {
    /// The server; one that is started as a program.
    pub server_id: ServerId,
    /// The command line that opens a terminal; none for the terminal of the system. What is to run replaces the word `{}`, or
    /// follows the last word.
    pub terminal: Option<String>,
}

/// Response of `terminal_open`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TerminalOpenResponse {
    /// The emulator that was opened: its file.
    pub terminal: String,
}

/// Parameters of `terminal_command`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TerminalCommandParams {
    /// The server; one that is started as a program.
    pub server_id: ServerId,
}

/// Response of `terminal_command`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TerminalCommandResponse {
    /// A command line for a shell: folder, PATH, variables, program. In place of each secret is a variable of the shell.
    pub command: String,
    /// The names of those variables, which the user sets before.
    pub variables: Vec<String>,
}
