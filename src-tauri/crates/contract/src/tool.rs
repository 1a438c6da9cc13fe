//! Tools: rows of their list, one definition, what a call gives. How a call runs: `exchange.rs`.

use serde::{Deserialize, Serialize};

use crate::{BodyId, Seq, ServerId, TextBody};

/// One row of the tool list. A malformed tool is a row with violations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolItem {
    /// Its place in the list as received, over all pages. Names may repeat; this does not.
    pub index: u32,
    /// Its name; empty if it has none.
    pub name: String,
    /// `title`, else `annotations.title`.
    pub title: Option<String>,
    /// The first 300 characters.
    pub description: Option<String>,
    /// What the server claims (untrusted).
    pub hints: ToolHints,
    /// `execution.taskSupport`: `optional` or `required`; none if forbidden or absent.
    pub task_support: Option<String>,
    /// Whether it declares an `outputSchema`.
    pub has_output_schema: bool,
    /// How many properties its input schema names.
    pub argument_count: u32,
    /// Whether it can be called: it has a name and is not excluded. (A broken schema does not prevent a call.)
    pub callable: bool,
    /// Why the specification forbids to call it (2026-07-28: an invalid `x-mcp-header`).
    pub excluded: Option<String>,
    /// What is wrong with its definition.
    pub violations: Vec<ViolationItem>,
}

/// `annotations` of a tool: hints from the server, not to be trusted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolHints {
    /// `readOnlyHint`, where given.
    pub read_only: Option<bool>,
    /// `destructiveHint`, where given.
    pub destructive: Option<bool>,
    /// `idempotentHint`, where given.
    pub idempotent: Option<bool>,
    /// `openWorldHint`, where given.
    pub open_world: Option<bool>,
}

/// A violation of the specification by the peer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ViolationItem {
    /// The rule's stable id, e.g. `tool-input-schema-missing`.
    pub rule: String,
    /// Its severity.
    pub severity: Severity,
    /// The problem, in a sentence.
    pub message: String,
    /// Its place in the message (JSON pointer), if it has one.
    pub pointer: Option<String>,
}

/// Severity of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Violates a MUST, or cannot be decoded.
    Error,
    /// Violates a SHOULD, or is known to break some hosts.
    Warning,
}

/// Parameters of `tool_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolGetParams {
    /// The server.
    pub server_id: ServerId,
    /// [`ToolItem::index`].
    pub index: u32,
}

/// Response of `tool_get`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolGetResponse {
    /// As in the list.
    pub tool: ToolItem,
    /// The description in full.
    pub description: Option<String>,
    /// The definition, exactly as received.
    pub definition_json: String,
    /// `inputSchema`, exactly as received; none if missing or not an object.
    pub input_schema_json: Option<String>,
    /// `outputSchema`, exactly as received.
    pub output_schema_json: Option<String>,
    /// The record of the page that lists it.
    pub seq: Option<Seq>,
}

/// Parameters of `tool_call`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolCallParams {
    /// The server.
    pub server_id: ServerId,
    /// The tool's name.
    pub name: String,
    /// The arguments: JSON text of an object, sent exactly as written (key order, number text).
    pub arguments_json: String,
    /// Additional `_meta` members: JSON text of an object. They replace Patchbay's own, except for the progress token.
    pub meta_json: Option<String>,
    /// Timeouts instead of those in the server's settings.
    pub timeouts: Option<crate::Timeouts>,
    /// Run it as a task (2025-11-25). In the modern era the server decides, and this is not sent.
    #[serde(default)]
    #[cfg_attr(feature = "export", ts(optional))]
    pub as_task: Option<AsTask>,
}

/// Options of a call that runs as a task.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AsTask {
    /// How long the server is requested to keep the task, in milliseconds; its own choice if none.
    pub ttl_ms: Option<f64>,
}

/// A `CallToolResult`, decoded leniently.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolResultView {
    /// `isError`: the tool ran and failed.
    pub is_error: bool,
    /// The content blocks in order.
    pub content: Vec<ContentItem>,
    /// `structuredContent`, if present.
    pub structured: Option<StructuredView>,
    /// The tool declares an `outputSchema` but the result has no `structuredContent`.
    pub structured_missing: bool,
    /// Its problems.
    pub violations: Vec<ViolationItem>,
}

/// `structuredContent` and whether it matches the tool's `outputSchema`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StructuredView {
    /// Indented JSON.
    pub json: TextBody,
    /// The check against `outputSchema`; none if the tool declares none.
    pub check: Option<SchemaCheck>,
}

/// A JSON Schema check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SchemaCheck {
    /// It matches.
    Valid {},
    /// It does not match.
    Invalid {
        /// At most 100 problems.
        problems: Vec<SchemaProblem>,
    },
    /// It could not be checked (broken schema, network `$ref`, too large).
    NotChecked {
        /// The reason.
        reason: String,
    },
}

/// A place that does not match a schema.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SchemaProblem {
    /// JSON pointer into the value.
    pub pointer: String,
    /// The problem.
    pub message: String,
    /// JSON pointer into the schema.
    pub schema_pointer: String,
}

/// One content block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ContentItem {
    /// Text, perhaps Markdown or JSON.
    Text {
        /// The text.
        text: TextBody,
        /// `annotations`, exactly as received.
        annotations_json: Option<String>,
    },
    /// An image.
    Image {
        /// As the server says it (untrusted).
        mime_type: String,
        /// The decoded bytes.
        body: BodyId,
        /// The number of bytes.
        size: f64,
        /// `annotations`, exactly as received.
        annotations_json: Option<String>,
    },
    /// Audio.
    Audio {
        /// As the server says it (untrusted).
        mime_type: String,
        /// The decoded bytes.
        body: BodyId,
        /// The number of bytes.
        size: f64,
        /// `annotations`, exactly as received.
        annotations_json: Option<String>,
    },
    /// A link to a resource.
    ResourceLink {
        /// Its URI.
        uri: String,
        /// Its name.
        name: String,
        /// Its title.
        title: Option<String>,
        /// Its description.
        description: Option<String>,
        /// Its type, as the server says it.
        mime_type: Option<String>,
        /// Its size in bytes, as the server says it.
        size: Option<f64>,
        /// `annotations`, exactly as received.
        annotations_json: Option<String>,
    },
    /// An embedded resource of text.
    ResourceText {
        /// Its URI.
        uri: String,
        /// Its type, as the server says it.
        mime_type: Option<String>,
        /// The text.
        text: TextBody,
        /// `annotations`, exactly as received.
        annotations_json: Option<String>,
    },
    /// An embedded resource of bytes.
    ResourceBlob {
        /// Its URI.
        uri: String,
        /// Its type, as the server says it.
        mime_type: Option<String>,
        /// The decoded bytes.
        body: BodyId,
        /// The number of bytes.
        size: f64,
        /// `annotations`, exactly as received.
        annotations_json: Option<String>,
    },
    /// A block of a type we do not know, or one that is malformed.
    Unknown {
        /// Its `type`, if it has one.
        kind: Option<String>,
        /// The block, exactly as received.
        json: TextBody,
        /// Why it is not shown as another kind of block.
        reason: String,
    },
}
