//! Lenient views: what a result or a notification says, as far as it can be read. They never fail; what is wrong is in
//! `violations`, and what is handed out raw are slices of the text that came in (see [`crate::json::span_of`]).

mod content;
mod handshake;
mod notifications;
mod reader;
mod schema;
mod tools;

pub use content::{CallToolResult, ContentBlock, ContentKind, ResultType, result_type};
pub use handshake::{
    ClientCapabilities, DiscoverResult, Implementation, InitializeResult, ServerCapabilities,
    implementation_json, initialize_params,
};
pub use notifications::{
    Cancelled, LogLevel, LogMessage, Progress, ResourceUpdated, SubscriptionAcknowledged,
};
pub use tools::{ToolAnnotations, ToolView, ToolsPage, next_cursor};
