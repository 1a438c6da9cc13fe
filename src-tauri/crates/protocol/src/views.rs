//! Lenient views: the readable parts of a result or a notification. They never fail; problems are in `violations`, and raw
//! values are slices of the source text (see [`crate::json::span_of`]).

mod apps;
mod caching;
mod content;
mod definition;
mod handshake;
mod inputs;
mod notifications;
mod page;
mod prompts;
pub(crate) mod reader;
mod resources;
pub(crate) mod schema;
mod subscriptions;
mod tasks;
mod tools;

pub use apps::{APP_MIME_TYPE, APP_SCHEME, APPS_EXTENSION, ResourceApp, ToolApp};
pub use caching::{CacheHint, CacheScope, cache_hint};
pub(crate) use content::base64_problem;
pub use content::{CallToolResult, ContentBlock, ContentKind, ResultType, result_type};
pub use definition::{
    DefinitionChange, DefinitionChanges, canonical_definition, definition_changes, with_controls_marked,
    with_hidden_marked,
};
pub use handshake::{
    ClientCapabilities, DiscoverResult, Implementation, InitializeResult, ServerCapabilities,
    implementation_json, initialize_params,
};
pub(crate) use handshake::{declares, declares_part};
pub use inputs::{
    Elicitation, ElicitationMode, InputAsked, InputRequired, Sampling, retry_params, update_params,
};
pub use notifications::{
    Cancelled, LogLevel, LogMessage, NotificationView, Progress, ResourceUpdated, SubscriptionAcknowledged,
};
pub use page::ListPage;
pub use prompts::{GetPromptResult, PromptArgument, PromptView};
pub use reader::below;
pub use resources::{
    Annotations, ReadResourceResult, ResourceTemplateView, ResourceView, SKILLS_EXTENSION, SkillFiles,
    SkillView,
};
pub use subscriptions::SubscriptionFilter;
pub use tasks::{RELATED_TASK, TASKS_EXTENSION, TaskStatus, TaskView};
pub use tools::{ToolAnnotations, ToolView, ToolsPage, in_tools, next_cursor};
