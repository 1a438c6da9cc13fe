//! Handshakes: implementations, capabilities, the results of `initialize` and `server/discover`, and what every modern request
//! carries in `_meta`.

use super::content::ICON;
use super::table::{Field, Record, Revisions, Shape, opt, req};
use crate::{Revision, meta};

const V2025_03_26: Revision = Revision::V2025_03_26;
const V2025_06_18: Revision = Revision::V2025_06_18;
const V2025_11_25: Revision = Revision::V2025_11_25;
const ONLY_2025_11_25: Revisions = Revisions::only(V2025_11_25);

pub(super) const LEVELS: &[&str] = &[
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

pub(super) static IMPLEMENTATION: Record = Record {
    name: "Implementation",
    fields: &[
        req("name", Shape::Text),
        req("version", Shape::Text),
        opt("title", Shape::Text).since(V2025_06_18),
        opt("description", Shape::Text).since(V2025_11_25),
        opt("websiteUrl", Shape::Text).since(V2025_11_25),
        opt("icons", Shape::List(&Shape::Record(&ICON))).since(V2025_11_25),
    ],
};

static LIST_CHANGED: Record = Record {
    name: "ServerCapabilities/tools",
    fields: &[opt("listChanged", Shape::Boolean)],
};

static ROOTS: Record = Record {
    name: "ClientCapabilities/roots",
    fields: &[opt("listChanged", Shape::Boolean).within(Revisions::LEGACY)],
};

static RESOURCES: Record = Record {
    name: "ServerCapabilities/resources",
    fields: &[
        opt("listChanged", Shape::Boolean),
        opt("subscribe", Shape::Boolean),
    ],
};

static SERVER: Record = Record {
    name: "ServerCapabilities",
    fields: &[
        opt("tools", Shape::Record(&LIST_CHANGED)),
        opt("prompts", Shape::Record(&LIST_CHANGED)),
        opt("resources", Shape::Record(&RESOURCES)),
        opt("logging", Shape::Object),
        opt("completions", Shape::Object).since(V2025_03_26),
        opt("tasks", Shape::Object).within(ONLY_2025_11_25),
        opt("experimental", Shape::Map(&Shape::Object)),
        opt("extensions", Shape::Map(&Shape::Object)).within(Revisions::MODERN),
    ],
};

static ELICITATION: Record = Record {
    name: "ClientCapabilities/elicitation",
    fields: &[
        opt("form", Shape::Object).since(V2025_11_25),
        opt("url", Shape::Object).since(V2025_11_25),
    ],
};

static SAMPLING: Record = Record {
    name: "ClientCapabilities/sampling",
    fields: &[
        opt("tools", Shape::Object).since(V2025_11_25),
        opt("context", Shape::Object).since(V2025_11_25),
    ],
};

static CLIENT: Record = Record {
    name: "ClientCapabilities",
    fields: &[
        opt("roots", Shape::Record(&ROOTS)),
        opt("sampling", Shape::Record(&SAMPLING)),
        opt("elicitation", Shape::Record(&ELICITATION)).since(V2025_06_18),
        opt("tasks", Shape::Object).within(ONLY_2025_11_25),
        opt("experimental", Shape::Map(&Shape::Object)),
        opt("extensions", Shape::Map(&Shape::Object)).within(Revisions::MODERN),
    ],
};

pub(super) static INITIALIZE: Record = Record {
    name: "InitializeRequestParams",
    fields: &[
        req("protocolVersion", Shape::Text),
        req("capabilities", Shape::Record(&CLIENT)),
        req("clientInfo", Shape::Record(&IMPLEMENTATION)),
    ],
};

pub(super) static INITIALIZED: Record = Record {
    name: "InitializeResult",
    fields: &[
        req("protocolVersion", Shape::Text),
        req("capabilities", Shape::Record(&SERVER)),
        req("serverInfo", Shape::Record(&IMPLEMENTATION)),
        opt("instructions", Shape::Text),
    ],
};

pub(super) static DISCOVERED: Record = Record {
    name: "DiscoverResult",
    fields: &[
        req("supportedVersions", Shape::List(&Shape::Text)),
        req("capabilities", Shape::Record(&SERVER)),
        opt("instructions", Shape::Text),
    ],
};

/// The data of error -32022.
pub(super) static UNSUPPORTED_VERSION: Record = Record {
    name: "UnsupportedProtocolVersionError/error/data",
    fields: &[
        req("supported", Shape::List(&Shape::Text)),
        req("requested", Shape::Text),
    ],
};

/// The data of error -32021.
pub(super) static MISSING_CAPABILITY: Record = Record {
    name: "MissingRequiredClientCapabilityError/error/data",
    fields: &[req("requiredCapabilities", Shape::Record(&CLIENT))],
};

static RELATED_TASK: Record = Record {
    name: "RelatedTaskMetadata",
    fields: &[req("taskId", Shape::Text)],
};

/// The members of any `_meta` whose values the specification defines. Which of them a message must have depends on the
/// message ([`crate::checks`]).
pub(super) static META: &[Field] = &[
    opt(meta::PROGRESS_TOKEN, Shape::Id),
    opt(meta::PROTOCOL_VERSION, Shape::Text).within(Revisions::MODERN),
    opt(meta::CLIENT_CAPABILITIES, Shape::Record(&CLIENT)).within(Revisions::MODERN),
    opt(meta::CLIENT_INFO, Shape::Record(&IMPLEMENTATION)).within(Revisions::MODERN),
    opt(meta::LOG_LEVEL, Shape::Word(LEVELS)).within(Revisions::MODERN),
    opt(meta::SUBSCRIPTION_ID, Shape::Id).within(Revisions::MODERN),
    opt(meta::SERVER_INFO, Shape::Record(&IMPLEMENTATION)).within(Revisions::MODERN),
    opt(crate::views::RELATED_TASK, Shape::Record(&RELATED_TASK)).within(ONLY_2025_11_25),
    opt("traceparent", Shape::Text).within(Revisions::MODERN),
    opt("tracestate", Shape::Text).within(Revisions::MODERN),
    opt("baggage", Shape::Text).within(Revisions::MODERN),
];
