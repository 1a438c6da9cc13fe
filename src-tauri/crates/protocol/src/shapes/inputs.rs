//! What servers ask clients for, and the answers: elicitation, sampling, roots.

use super::content::SAMPLED;
use super::lists::TOOL;
use super::table::{Record, Revisions, Shape, opt, req};
use crate::Revision;

const V2025_06_18: Revision = Revision::V2025_06_18;
const V2025_11_25: Revision = Revision::V2025_11_25;
const ONLY_2025_11_25: Revisions = Revisions::only(V2025_11_25);
const ROLES: &[&str] = &["user", "assistant"];

pub(super) static TASK_METADATA: Record = Record {
    name: "TaskMetadata",
    fields: &[opt("ttl", Shape::Integer)],
};

pub(super) static FORM: Record = Record {
    name: "ElicitRequestFormParams",
    fields: &[
        opt("mode", Shape::Word(&["form"])).since(V2025_11_25),
        req("message", Shape::Text),
        req("requestedSchema", Shape::RequestedSchema),
        opt("task", Shape::Record(&TASK_METADATA)).within(ONLY_2025_11_25),
    ],
};

pub(super) static URL: Record = Record {
    name: "ElicitRequestURLParams",
    fields: &[
        req("mode", Shape::Word(&["url"])),
        req("message", Shape::Text),
        req("url", Shape::Text),
        req("elicitationId", Shape::Text).within(ONLY_2025_11_25),
        opt("task", Shape::Record(&TASK_METADATA)).within(ONLY_2025_11_25),
    ],
};

/// The data of error -32042 (2025-11-25).
pub(super) static URL_REQUIRED: Record = Record {
    name: "URLElicitationRequiredError/error/data",
    fields: &[req("elicitations", Shape::List(&Shape::Record(&URL)))],
};

pub(super) static ELICITED: Record = Record {
    name: "ElicitResult",
    fields: &[
        req("action", Shape::Word(&["accept", "decline", "cancel"])),
        opt("content", Shape::Map(&Shape::FormValue)),
    ],
};

static HINT: Record = Record {
    name: "ModelHint",
    fields: &[opt("name", Shape::Text)],
};

static PREFERENCES: Record = Record {
    name: "ModelPreferences",
    fields: &[
        opt("hints", Shape::List(&Shape::Record(&HINT))),
        opt("costPriority", Shape::Fraction),
        opt("speedPriority", Shape::Fraction),
        opt("intelligencePriority", Shape::Fraction),
    ],
};

static MESSAGE: Record = Record {
    name: "SamplingMessage",
    fields: &[
        req("role", Shape::Word(ROLES)),
        req("content", Shape::OneOrList(V2025_11_25, &Shape::Tagged(SAMPLED))),
    ],
};

static TOOL_CHOICE: Record = Record {
    name: "ToolChoice",
    fields: &[opt("mode", Shape::Word(&["auto", "required", "none"]))],
};

pub(super) static SAMPLING: Record = Record {
    name: "CreateMessageRequestParams",
    fields: &[
        req("messages", Shape::List(&Shape::Record(&MESSAGE))),
        req("maxTokens", Shape::Integer),
        opt("modelPreferences", Shape::Record(&PREFERENCES)),
        opt("systemPrompt", Shape::Text),
        opt(
            "includeContext",
            Shape::Word(&["none", "thisServer", "allServers"]),
        ),
        opt("temperature", Shape::Number),
        opt("stopSequences", Shape::List(&Shape::Text)),
        opt("metadata", Shape::Object),
        opt("tools", Shape::List(&Shape::Record(&TOOL))).since(V2025_11_25),
        opt("toolChoice", Shape::Record(&TOOL_CHOICE)).since(V2025_11_25),
        opt("task", Shape::Record(&TASK_METADATA)).within(ONLY_2025_11_25),
    ],
};

pub(super) static SAMPLED_RESULT: Record = Record {
    name: "CreateMessageResult",
    fields: &[
        req("role", Shape::Word(ROLES)),
        req("content", Shape::OneOrList(V2025_11_25, &Shape::Tagged(SAMPLED))),
        req("model", Shape::Text),
        opt("stopReason", Shape::Text),
    ],
};

static ROOT: Record = Record {
    name: "Root",
    fields: &[req("uri", Shape::FileUri), opt("name", Shape::Text)],
};

pub(super) static ROOTS: Record = Record {
    name: "ListRootsResult",
    fields: &[req("roots", Shape::List(&Shape::Record(&ROOT)))],
};

pub(super) static INPUT_REQUIRED: Record = Record {
    name: "InputRequiredResult",
    fields: &[
        opt("inputRequests", Shape::Map(&Shape::InputRequest)),
        opt("requestState", Shape::Text),
    ],
};

/// An option of a choice with titles.
pub(super) static TITLED: Record = Record {
    name: "TitledSingleSelectEnumSchema/oneOf",
    fields: &[req("const", Shape::Text), req("title", Shape::Text)],
};

pub(super) static TEXT_FIELD: Record = Record {
    name: "StringSchema",
    fields: &[
        opt("title", Shape::Text),
        opt("description", Shape::Text),
        opt("minLength", Shape::Integer),
        opt("maxLength", Shape::Integer),
        opt("format", Shape::Word(&["email", "uri", "date", "date-time"])),
        opt("default", Shape::Text).since(V2025_11_25),
    ],
};

pub(super) static CHOICE_FIELD: Record = Record {
    name: "LegacyTitledEnumSchema",
    fields: &[
        opt("title", Shape::Text),
        opt("description", Shape::Text),
        opt("enum", Shape::List(&Shape::Text)),
        opt("enumNames", Shape::List(&Shape::Text)),
        opt("default", Shape::Text).since(V2025_11_25),
    ],
};

pub(super) static TITLED_CHOICE_FIELD: Record = Record {
    name: "TitledSingleSelectEnumSchema",
    fields: &[
        opt("title", Shape::Text),
        opt("description", Shape::Text),
        req("oneOf", Shape::List(&Shape::Record(&TITLED))),
        opt("default", Shape::Text),
    ],
};

pub(super) static NUMBER_FIELD: Record = Record {
    name: "NumberSchema",
    fields: &[
        opt("title", Shape::Text),
        opt("description", Shape::Text),
        opt("minimum", Shape::Number),
        opt("maximum", Shape::Number),
        opt("default", Shape::Number).since(V2025_11_25),
    ],
};

pub(super) static BOOLEAN_FIELD: Record = Record {
    name: "BooleanSchema",
    fields: &[
        opt("title", Shape::Text),
        opt("description", Shape::Text),
        opt("default", Shape::Boolean),
    ],
};

static ITEMS: Record = Record {
    name: "UntitledMultiSelectEnumSchema/items",
    fields: &[
        req("type", Shape::Word(&["string"])),
        req("enum", Shape::List(&Shape::Text)),
    ],
};

static TITLED_ITEMS: Record = Record {
    name: "TitledMultiSelectEnumSchema/items",
    fields: &[req("anyOf", Shape::List(&Shape::Record(&TITLED)))],
};

pub(super) static CHOICES_FIELD: Record = Record {
    name: "UntitledMultiSelectEnumSchema",
    fields: &[
        opt("title", Shape::Text),
        opt("description", Shape::Text),
        opt("minItems", Shape::Integer),
        opt("maxItems", Shape::Integer),
        req("items", Shape::Record(&ITEMS)),
        opt("default", Shape::List(&Shape::Text)),
    ],
};

pub(super) static TITLED_CHOICES_FIELD: Record = Record {
    name: "TitledMultiSelectEnumSchema",
    fields: &[
        opt("title", Shape::Text),
        opt("description", Shape::Text),
        opt("minItems", Shape::Integer),
        opt("maxItems", Shape::Integer),
        req("items", Shape::Record(&TITLED_ITEMS)),
        opt("default", Shape::List(&Shape::Text)),
    ],
};

/// Where a form may be requested.
pub(super) const WITH_ELICITATION: Revisions = Revisions::from(V2025_06_18);
