//! Tools, resources, prompts and tasks: rows of lists, and the results that hold them.

use super::content::{ANNOTATIONS, BLOCKS, ICON};
use super::handshake::IMPLEMENTATION;
use super::table::{Record, Revisions, Shape, opt, req};
use crate::Revision;

const V2025_03_26: Revision = Revision::V2025_03_26;
const V2025_06_18: Revision = Revision::V2025_06_18;
const V2025_11_25: Revision = Revision::V2025_11_25;
const ONLY_2025_11_25: Revisions = Revisions::only(V2025_11_25);

static TOOL_ANNOTATIONS: Record = Record {
    name: "ToolAnnotations",
    fields: &[
        opt("title", Shape::Text),
        opt("readOnlyHint", Shape::Boolean),
        opt("destructiveHint", Shape::Boolean),
        opt("idempotentHint", Shape::Boolean),
        opt("openWorldHint", Shape::Boolean),
    ],
};

static EXECUTION: Record = Record {
    name: "ToolExecution",
    fields: &[opt(
        "taskSupport",
        Shape::Word(&["forbidden", "optional", "required"]),
    )],
};

pub(super) static TOOL: Record = Record {
    name: "Tool",
    fields: &[
        req("name", Shape::Text),
        opt("title", Shape::Text).since(V2025_06_18),
        opt("description", Shape::Text),
        // The view of a tool looks into its schemas.
        req("inputSchema", Shape::Object),
        opt("outputSchema", Shape::Object).since(V2025_06_18),
        opt("annotations", Shape::Record(&TOOL_ANNOTATIONS)).since(V2025_03_26),
        opt("execution", Shape::Record(&EXECUTION)).within(ONLY_2025_11_25),
        opt("icons", Shape::List(&Shape::Record(&ICON))).since(V2025_11_25),
    ],
};

static RESOURCE: Record = Record {
    name: "Resource",
    fields: &[
        req("uri", Shape::Text),
        req("name", Shape::Text),
        opt("title", Shape::Text).since(V2025_06_18),
        opt("description", Shape::Text),
        opt("mimeType", Shape::Text),
        opt("size", Shape::Integer),
        opt("annotations", Shape::Record(&ANNOTATIONS)),
        opt("icons", Shape::List(&Shape::Record(&ICON))).since(V2025_11_25),
    ],
};

static TEMPLATE: Record = Record {
    name: "ResourceTemplate",
    fields: &[
        req("uriTemplate", Shape::Text),
        req("name", Shape::Text),
        opt("title", Shape::Text).since(V2025_06_18),
        opt("description", Shape::Text),
        opt("mimeType", Shape::Text),
        opt("annotations", Shape::Record(&ANNOTATIONS)),
        opt("icons", Shape::List(&Shape::Record(&ICON))).since(V2025_11_25),
    ],
};

static ARGUMENT: Record = Record {
    name: "PromptArgument",
    fields: &[
        req("name", Shape::Text),
        opt("title", Shape::Text).since(V2025_06_18),
        opt("description", Shape::Text),
        opt("required", Shape::Boolean),
    ],
};

static PROMPT: Record = Record {
    name: "Prompt",
    fields: &[
        req("name", Shape::Text),
        opt("title", Shape::Text).since(V2025_06_18),
        opt("description", Shape::Text),
        opt("arguments", Shape::List(&Shape::Record(&ARGUMENT))),
        opt("icons", Shape::List(&Shape::Record(&ICON))).since(V2025_11_25),
    ],
};

static PROMPT_MESSAGE: Record = Record {
    name: "PromptMessage",
    fields: &[
        req("role", Shape::Word(&["user", "assistant"])),
        req("content", Shape::Tagged(BLOCKS)),
    ],
};

/// A task of 2025-11-25.
const STATUSES: &[&str] = &["working", "input_required", "completed", "failed", "cancelled"];

pub(super) static TASK: Record = Record {
    name: "Task",
    fields: &[
        req("taskId", Shape::Text),
        req("status", Shape::Word(STATUSES)),
        opt("statusMessage", Shape::Text),
        req("createdAt", Shape::Text),
        req("lastUpdatedAt", Shape::Text),
        req("ttl", Shape::IntegerOrNull),
        opt("pollInterval", Shape::Integer),
    ],
};

pub(super) static CREATED_TASK: Record = Record {
    name: "CreateTaskResult",
    fields: &[req("task", Shape::Record(&TASK))],
};

pub(super) static TOOLS: Record = Record {
    name: "ListToolsResult",
    fields: &[
        req("tools", Shape::List(&Shape::Record(&TOOL))),
        opt("nextCursor", Shape::Text),
    ],
};

pub(super) static RESOURCES: Record = Record {
    name: "ListResourcesResult",
    fields: &[
        req("resources", Shape::List(&Shape::Record(&RESOURCE))),
        opt("nextCursor", Shape::Text),
    ],
};

pub(super) static TEMPLATES: Record = Record {
    name: "ListResourceTemplatesResult",
    fields: &[
        req("resourceTemplates", Shape::List(&Shape::Record(&TEMPLATE))),
        opt("nextCursor", Shape::Text),
    ],
};

pub(super) static PROMPTS: Record = Record {
    name: "ListPromptsResult",
    fields: &[
        req("prompts", Shape::List(&Shape::Record(&PROMPT))),
        opt("nextCursor", Shape::Text),
    ],
};

pub(super) static TASKS: Record = Record {
    name: "ListTasksResult",
    fields: &[
        req("tasks", Shape::List(&Shape::Record(&TASK))),
        opt("nextCursor", Shape::Text),
    ],
};

pub(super) static CALLED: Record = Record {
    name: "CallToolResult",
    fields: &[
        req("content", Shape::List(&Shape::Tagged(BLOCKS))),
        // `structuredContent` is checked with the tool's schema and by revision.
        opt("structuredContent", Shape::Any).since(V2025_06_18),
        opt("isError", Shape::Boolean),
    ],
};

pub(super) static READ: Record = Record {
    name: "ReadResourceResult",
    fields: &[req("contents", Shape::List(&Shape::Contents))],
};

pub(super) static GOT_PROMPT: Record = Record {
    name: "GetPromptResult",
    fields: &[
        opt("description", Shape::Text),
        req("messages", Shape::List(&Shape::Record(&PROMPT_MESSAGE))),
    ],
};

static COMPLETION: Record = Record {
    name: "CompleteResult/completion",
    fields: &[
        // "Must not exceed 100 items" (`CompleteResult` in every schema).
        req("values", Shape::Most(100, &Shape::Text)),
        opt("total", Shape::Integer),
        opt("hasMore", Shape::Boolean),
    ],
};

pub(super) static COMPLETED: Record = Record {
    name: "CompleteResult",
    fields: &[req("completion", Shape::Record(&COMPLETION))],
};

static SUBSCRIBED_META: Record = Record {
    name: "SubscriptionsListenResultMetaObject",
    fields: &[
        req("io.modelcontextprotocol/subscriptionId", Shape::Id),
        opt(
            "io.modelcontextprotocol/serverInfo",
            Shape::Record(&IMPLEMENTATION),
        ),
    ],
};

pub(super) static LISTENED: Record = Record {
    name: "SubscriptionsListenResult",
    fields: &[req("_meta", Shape::Record(&SUBSCRIBED_META))],
};

pub(super) static FILTER: Record = Record {
    name: "SubscriptionFilter",
    fields: &[
        opt("toolsListChanged", Shape::Boolean),
        opt("promptsListChanged", Shape::Boolean),
        opt("resourcesListChanged", Shape::Boolean),
        opt("resourceSubscriptions", Shape::List(&Shape::Text)),
    ],
};
