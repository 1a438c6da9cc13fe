//! Starting a program under a debugger.

use serde::{Deserialize, Serialize};

use crate::TransportDraft;

/// The debugger that a program is started under. Pasted and imported settings never say so: its port lets any program of this
/// machine control the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DebuggerDraft {
    /// Which one.
    pub kind: DebuggerKind,
    /// The port on 127.0.0.1 at which the editor attaches, 1,024 to 65,535.
    pub port: u16,
    /// Whether the program begins only after an editor has attached. Connecting fails if that takes longer than the request
    /// timeout.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<bool>"))]
    pub waits: bool,
}

/// A debugger for the programs of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum DebuggerKind {
    /// The inspector of Node.js (`--inspect`).
    Node,
    /// debugpy, for Python.
    Debugpy,
    /// Delve, for Go: `dlv debug` for `go run`, `dlv exec` for any other program.
    Delve,
}

/// Parameters of `debugger_preview`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DebuggerPreviewParams {
    /// The name of the server.
    pub name: String,
    /// The program without the debugger.
    pub transport: TransportDraft,
    /// The debugger.
    pub debugger: DebuggerDraft,
}

/// Response of `debugger_preview`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DebuggerPreviewResponse {
    /// The program that is started.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Why this program cannot be started under this debugger, and what can be done; none if it can.
    pub problem: Option<String>,
    /// What has to be installed, if anything.
    pub needs: Option<String>,
    /// The configuration of VS Code (an entry of `launch.json`) that attaches.
    pub configuration: String,
    /// A command line that attaches from a terminal; none if there is none.
    pub attach: Option<String>,
}
