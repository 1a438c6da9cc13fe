//! Tools: rows of their list, definitions, results of calls. The exchange of a call is in `exchange.rs`.

use serde::{Deserialize, Serialize};

use crate::{BodyId, Seq, ServerId, TextBody};

/// One row of the tool list. A malformed tool is a row with violations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolItem {
    /// Its index in the list as received, over all pages. Names may repeat; the index does not.
    pub index: u32,
    /// Its name; empty if it has none.
    pub name: String,
    /// `title`, else `annotations.title`.
    pub title: Option<String>,
    /// The first 300 characters of the description.
    pub description: Option<String>,
    /// The first icon that is a `data:` URI of an image (not SVG) and at most 8 KiB long. Icons at other addresses are not fetched.
    pub icon: Option<String>,
    /// The server's claims (untrusted).
    pub hints: ToolHints,
    /// `execution.taskSupport`: `optional` or `required`; none if forbidden or absent, or if a legacy server did not declare
    /// `tasks.requests.tools.call`.
    pub task_support: Option<String>,
    /// Whether it declares an `outputSchema`.
    pub has_output_schema: bool,
    /// `_meta.ui` (MCP Apps), if it has one.
    pub app: Option<ToolAppItem>,
    /// Whether it can be called: it has a name and is not excluded. (An invalid schema does not prevent a call.)
    pub callable: bool,
    /// Why the specification forbids calling it (2026-07-28: an invalid `x-mcp-header`).
    pub excluded: Option<String>,
    /// Violations of its definition.
    pub violations: Vec<ViolationItem>,
}

/// `_meta.ui` of a tool (MCP Apps): the app that shows its results, and who may call it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolAppItem {
    /// The URI of its app, as the server writes it. Anything but a `ui://` URI is not opened.
    pub resource_uri: Option<String>,
    /// Whether models may call it; otherwise it is only for the apps of its server.
    pub for_models: bool,
    /// Whether the apps of its server may call it.
    pub for_apps: bool,
}

/// `annotations` of a tool: untrusted hints from the server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolHints {
    /// `readOnlyHint`, if present.
    pub read_only: Option<bool>,
    /// `destructiveHint`, if present.
    pub destructive: Option<bool>,
    /// `idempotentHint`, if present.
    pub idempotent: Option<bool>,
    /// `openWorldHint`, if present.
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
    /// Its location in the message (JSON pointer), if there is a single one.
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
    /// The row in the list.
    pub tool: ToolItem,
    /// The whole description.
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
    /// The `ui://` URI of the app that makes the call; none if the user does. Refused if the tool is not for apps.
    #[serde(default)]
    #[cfg_attr(feature = "export", ts(optional))]
    pub by_app: Option<String>,
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
    /// How long the server is asked to keep the task, in milliseconds; its own choice if none.
    pub ttl_ms: Option<f64>,
}

/// A `CallToolResult`, decoded leniently.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolResultView {
    /// `isError`: the tool reported an error.
    pub is_error: bool,
    /// The content blocks in order.
    pub content: Vec<ContentItem>,
    /// `structuredContent`, if present.
    pub structured: Option<StructuredView>,
    /// The tool declares an `outputSchema` but the result has no `structuredContent`.
    pub structured_missing: bool,
    /// Its violations.
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

/// A mismatch with a schema.
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
    /// Text, possibly Markdown or JSON.
    Text {
        /// The text.
        text: TextBody,
        /// `annotations`, exactly as received.
        annotations_json: Option<String>,
    },
    /// An image.
    Image {
        /// As the server writes it (untrusted).
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
        /// As the server writes it (untrusted).
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
        /// Its MIME type, as the server writes it.
        mime_type: Option<String>,
        /// Its size in bytes, as the server writes it.
        size: Option<f64>,
        /// `annotations`, exactly as received.
        annotations_json: Option<String>,
    },
    /// An embedded resource of text.
    ResourceText {
        /// Its URI.
        uri: String,
        /// Its MIME type, as the server writes it.
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
        /// Its MIME type, as the server writes it.
        mime_type: Option<String>,
        /// The decoded bytes.
        body: BodyId,
        /// The number of bytes.
        size: f64,
        /// `annotations`, exactly as received.
        annotations_json: Option<String>,
    },
    /// A block of an unknown type, or a malformed one.
    Unknown {
        /// Its `type`, if it has one.
        kind: Option<String>,
        /// The block, exactly as received.
        json: TextBody,
        /// Why it is not shown as another kind of block.
        reason: String,
    },
}
