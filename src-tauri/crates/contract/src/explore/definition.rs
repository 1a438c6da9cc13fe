//! Remembered definitions of tools: which changed since they were accepted, how, and accepting them.

use serde::{Deserialize, Serialize};

use crate::ServerId;

/// What happens when a server changes the definition of a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum DefinitionTrust {
    /// Calls of the tool are refused until the user accepts the change.
    #[default]
    Ask,
    /// The change is accepted at once, and still shown until it is reviewed.
    Accept,
}

/// Parameters of `tool_definitions_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolDefinitionsGetParams {
    /// The server.
    pub server_id: ServerId,
    /// `next_cursor` of the previous page; none for the first page.
    pub cursor: Option<String>,
}

/// Response of `tool_definitions_get`: the tools whose definitions differ from the remembered ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolDefinitionsGetResponse {
    /// What is remembered.
    pub memory: DefinitionMemory,
    /// The number of changed tools that are not reviewed.
    pub changed: u32,
    /// The number of new tools that are not reviewed.
    pub added: u32,
    /// The number of remembered tools that are no longer listed. 0 if the list is incomplete.
    pub removed: u32,
    /// The number of tools that cannot be called until they are accepted.
    pub refused: u32,
    /// At most 2,000 of these tools: in the order of the list, the removed ones last.
    pub tools: Vec<ChangedToolItem>,
    /// Pass it as `cursor` to get the next page; none on the last page.
    pub next_cursor: Option<String>,
    /// Names the listed definitions. Passed when accepting, so that only definitions that were shown are accepted. None if
    /// the tools were not listed on this connection.
    pub listing: Option<String>,
}

/// What is remembered of a server's tools.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DefinitionMemory {
    /// Nothing yet. The definitions are remembered when the tools are listed for the first time.
    Nothing {},
    /// Definitions are remembered.
    Remembered {
        /// The number of tools.
        tools: u32,
        /// When the tools were listed for the first time, in ms since the Unix epoch.
        first_at_ms: f64,
        /// When the user last accepted a change; none if never: all were trusted on first use.
        accepted_at_ms: Option<f64>,
    },
    /// The file cannot be used. No tool can be called until all are accepted again.
    Damaged {
        /// Why, in a sentence that names the file.
        message: String,
    },
}

/// How a listed tool differs from the remembered one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ToolChange {
    /// It is new. It was remembered when it was first listed, and can be called.
    Added,
    /// Its definition has another meaning.
    Changed,
    /// It is no longer listed.
    Removed,
}

/// A tool whose definition differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChangedToolItem {
    /// Its name.
    pub name: String,
    /// How it differs.
    pub change: ToolChange,
    /// Whether its calls are refused until it is accepted.
    pub refused: bool,
}

/// Parameters of `tool_definition_diff`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolDefinitionDiffParams {
    /// The server.
    pub server_id: ServerId,
    /// The tool's name.
    pub name: String,
}

/// Response of `tool_definition_diff`. Definitions are exactly as received, with secrets masked; there are several if the
/// server lists the name several times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolDefinitionDiffResponse {
    /// The tool.
    pub tool: ChangedToolItem,
    /// The remembered definitions; empty if it is new.
    pub before: Vec<String>,
    /// The listed definitions; empty if it was removed.
    pub after: Vec<String>,
    /// The differences of the first definition of each; empty if it was added or removed.
    pub changes: Vec<DefinitionChangeItem>,
    /// Whether there are more changes than are listed.
    pub more: bool,
    /// Names the listed definitions, for accepting.
    pub listing: String,
}

/// One difference between two definitions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DefinitionChangeItem {
    /// The member of the definition: `description`, `inputSchema`, `annotations` …
    pub part: String,
    /// JSON pointer into the definition.
    pub pointer: String,
    /// What changed, as a sentence without a full stop.
    pub words: String,
    /// The value before: a string decoded, anything else as JSON text. None if there was none. At most 64 KiB.
    pub before: Option<String>,
    /// The value after.
    pub after: Option<String>,
}

/// Parameters of `tool_definitions_accept`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolDefinitionsAcceptParams {
    /// The server.
    pub server_id: ServerId,
    /// The tools to accept as they are listed; none for all. For a removed tool, its definition is forgotten.
    pub names: Option<Vec<String>>,
    /// `listing` of the response that was shown. `InvalidParams` if the server has listed other definitions since.
    pub listing: String,
}
