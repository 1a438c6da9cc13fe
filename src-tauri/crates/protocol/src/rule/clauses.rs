//! The clauses of the rules: page and heading of the specification in each revision, oldest first. An empty one: the revision
//! has no such clause, so a rule with it does not apply there.

/// A clause in each revision.
pub(super) type Clauses = [&'static str; 5];

/// The same in all legacy revisions, and in the modern one.
const fn eras(legacy: &'static str, modern: &'static str) -> Clauses {
    [legacy, legacy, legacy, legacy, modern]
}

const fn modern(clause: &'static str) -> Clauses {
    eras("", clause)
}

pub(super) const STDIO: Clauses = eras(
    "basic/transports#stdio",
    "basic/transports/stdio#sending-messages",
);
pub(super) const HTTP: Clauses = [
    "basic/transports#http-with-sse",
    "basic/transports#sending-messages-to-the-server",
    "basic/transports#sending-messages-to-the-server",
    "basic/transports#sending-messages-to-the-server",
    "basic/transports/streamable-http#sending-messages",
];
const SESSIONS: &str = "basic/transports#session-management";
pub(super) const SESSION: Clauses = ["", SESSIONS, SESSIONS, SESSIONS, ""];
pub(super) const HEADERS: Clauses =
    modern("basic/transports/streamable-http#custom-headers-from-tool-parameters");
pub(super) const MESSAGES: Clauses = [
    "basic/messages",
    "basic#messages",
    "basic#messages",
    "basic#messages",
    "basic#messages",
];
pub(super) const REQUESTS: Clauses = [
    "basic/messages#requests",
    "basic#requests",
    "basic#requests",
    "basic#requests",
    "basic#requests",
];
pub(super) const NOTIFICATIONS: Clauses = [
    "basic/messages#notifications",
    "basic#notifications",
    "basic#notifications",
    "basic#notifications",
    "basic#notifications",
];
pub(super) const RESPONSES: Clauses = [
    "basic/messages#responses",
    "basic#responses",
    "basic#responses",
    "basic#responses",
    "basic#responses",
];
pub(super) const ERRORS: Clauses = [
    "basic/messages#responses",
    "basic#responses",
    "basic#responses",
    "basic#error-responses",
    "basic#error-responses",
];
pub(super) const ERROR_CODES: Clauses = modern("basic#error-codes");
/// 2025-03-26 does not allow `initialize` in a batch.
pub(super) const NO_BATCHES: Clauses = [
    "",
    "basic/lifecycle#initialization",
    "changelog",
    "basic#messages",
    "basic#messages",
];
pub(super) const BATCHING: Clauses = [
    "basic/messages",
    "basic#batching",
    "changelog",
    "basic#messages",
    "basic#messages",
];
pub(super) const RESULT_TYPE: Clauses = modern("basic#resulttype");
pub(super) const META: Clauses = ["", "", "basic#meta", "basic#meta", "basic#meta"];
pub(super) const META_REQUIRED: Clauses = modern("basic#meta");
pub(super) const ICONS: Clauses = ["", "", "", "basic#icons", "basic#icons"];
/// Before 2025-06-18 the schema has no page.
pub(super) const SCHEMA: Clauses = ["basic#schema", "basic#schema", "schema", "schema", "schema"];
pub(super) const ONE_ERA: Clauses = eras("basic/lifecycle#version-negotiation", "changelog");
pub(super) const INITIALIZATION: Clauses = eras("basic/lifecycle#initialization", "");
pub(super) const HANDSHAKE: Clauses = eras("basic/lifecycle#initialization", "server/discover");
pub(super) const NEGOTIATION: Clauses = eras("basic/lifecycle#capability-negotiation", "basic/versioning");
pub(super) const VERSION_NEGOTIATION: Clauses =
    eras("basic/lifecycle#version-negotiation", "basic/versioning");
pub(super) const RELATED_TASKS: Clauses = [
    "",
    "",
    "",
    "basic/utilities/tasks#associating-task-related-messages",
    "",
];
pub(super) const CANCELLATION: Clauses = eras("basic/utilities/cancellation", "basic/patterns/cancellation");
pub(super) const CANCELLED_BY_SERVER: Clauses = modern("basic/patterns/cancellation#cancellation-flow");
pub(super) const PROGRESS: Clauses = eras("basic/utilities/progress", "basic/patterns/progress");
pub(super) const SUBSCRIPTIONS: Clauses = modern("basic/patterns/subscriptions");
pub(super) const ACKNOWLEDGMENT: Clauses = modern("basic/patterns/subscriptions#acknowledgment");
pub(super) const FILTER: Clauses = modern("basic/patterns/subscriptions#notification-filter");
pub(super) const RECEIVING: Clauses = modern("basic/patterns/subscriptions#receiving-notifications");
pub(super) const CACHING: Clauses = modern("server/utilities/caching");
pub(super) const ROUNDS: Clauses = modern("basic/patterns/mrtr#server-requirements-basic-workflow");
pub(super) const ROUNDS_OF: Clauses = modern("basic/patterns/mrtr#supported-requests");
pub(super) const PAGES: Clauses = eras("server/utilities/pagination", "server/utilities/pagination");
pub(super) const LISTS: Clauses = eras("server/tools#listing-tools", "server/tools#listing-tools");
pub(super) const TOOL: Clauses = eras("server/tools#tool", "server/tools#tool");
pub(super) const TOOL_NAMES: Clauses = ["", "", "", "server/tools#tool-names", "server/tools#tool-names"];
/// A name identifies a tool in every revision; there is a page about names since 2025-11-25.
pub(super) const TOOL_IDENTITY: Clauses = [
    "server/tools#tool",
    "server/tools#tool",
    "server/tools#tool",
    "server/tools#tool-names",
    "server/tools#tool-names",
];
pub(super) const OUTPUT_SCHEMA: Clauses = [
    "",
    "",
    "server/tools#output-schema",
    "server/tools#output-schema",
    "server/tools#output-schema",
];
pub(super) const STRUCTURED: Clauses = [
    "",
    "",
    "server/tools#structured-content",
    "server/tools#structured-content",
    "server/tools#structured-content",
];
pub(super) const STRUCTURED_LEGACY: Clauses = [
    "",
    "",
    "server/tools#structured-content",
    "server/tools#structured-content",
    "",
];
pub(super) const DIALECT: Clauses = ["", "", "", "basic#json-schema-usage", "basic#json-schema-usage"];
pub(super) const REFERENCES: Clauses = modern("basic#ref-resolution");
pub(super) const RESULT: Clauses = eras("server/tools#tool-result", "server/tools#tool-result");
pub(super) const LOGGING: Clauses = eras(
    "server/utilities/logging#log-levels",
    "server/utilities/logging#log-levels",
);
pub(super) const LOG_LEVEL: Clauses = eras(
    "server/utilities/logging#setting-log-level",
    "server/utilities/logging#per-request-log-level",
);
pub(super) const LOG_REQUESTED: Clauses = modern("server/utilities/logging#per-request-log-level");
pub(super) const FORMS: Clauses = [
    "",
    "",
    "client/elicitation#request-schema",
    "client/elicitation#requested-schema",
    "client/elicitation#requested-schema",
];
