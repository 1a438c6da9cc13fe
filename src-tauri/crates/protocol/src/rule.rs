//! The rules that detect violations: one table, one row per rule.
//!
//! A row has the rule's title (its doc comment, one line), its id, which never changes, its severity, and its clause in the
//! specification: the page and heading in the legacy revisions and in the modern one, empty where that era has none. To add a
//! rule, add a row, emit it where its view or check is ([`crate::checks`], [`crate::views`], [`crate::pairing`]), and test it there:
//! `tests/it/source/architecture.rs` fails for a row that nothing emits or no test names. `checks/tests.rs` has an example,
//! `structured_content_is_judged_by_the_revision`.

use crate::{Era, Revision};

/// The severity of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Violates a SHOULD, or is known to break some hosts.
    Warning,
    /// Violates a MUST, or cannot be decoded.
    Error,
}

const SITE: &str = "https://modelcontextprotocol.io/specification/";

macro_rules! rules {
    ($(#[doc = $title:literal] $name:ident = $id:literal, $severity:ident, $legacy:literal, $modern:literal;)+) => {
        /// A rule, with an id that never changes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule { $(#[doc = $title] $name,)+ }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Its stable id, in kebab-case.
            #[must_use]
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)+ }
            }

            /// The rule's title, one sentence.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title.trim_ascii(),)+ }
            }

            /// Its severity.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)+ }
            }

            /// The page and heading of its clause in the legacy revisions and in the modern one.
            fn clauses(self) -> (&'static str, &'static str) {
                match self { $(Self::$name => ($legacy, $modern),)+ }
            }
        }
    };
}

impl Rule {
    /// The clause in a revision, as a URL of the specification. If the revision has no such clause, that of the nearest one
    /// is used.
    #[must_use]
    pub fn spec(self, revision: Option<Revision>) -> String {
        let (legacy, modern) = self.clauses();
        let wants_modern = revision.is_some_and(|revision| revision.era() == Era::Modern);
        if legacy.is_empty() || (wants_modern && !modern.is_empty()) {
            return format!("{SITE}{}/{modern}", Revision::LATEST_MODERN);
        }
        // A clause of a single revision names it. Before 2025-06-18 the pages were organized differently.
        if legacy.starts_with("20") {
            return format!("{SITE}{legacy}");
        }
        let revision = revision
            .filter(|revision| *revision == Revision::V2025_06_18)
            .unwrap_or(Revision::V2025_11_25);
        format!("{SITE}{revision}/{legacy}")
    }
}

rules! {
    /// A frame is not UTF-8.
    NotUtf8 = "not-utf8", Error, "basic/transports#stdio", "basic/transports/stdio";
    /// A frame starts with a byte order mark.
    ByteOrderMark = "byte-order-mark", Warning, "basic/transports#stdio", "basic/transports/stdio";
    /// A line ends with CR LF.
    CarriageReturn = "carriage-return", Warning, "basic/transports#stdio", "basic/transports/stdio";
    /// A blank line instead of a message.
    BlankLine = "blank-line", Warning, "basic/transports#stdio", "basic/transports/stdio";
    /// Text that is not JSON where only messages are allowed, such as a log line on stdout.
    NotJson = "not-json", Error, "basic/transports#stdio", "basic/transports/stdio";
    /// Valid JSON that is not a JSON-RPC message.
    NotAMessage = "not-a-message", Error, "basic#messages", "basic#messages";
    /// stdout ended in the middle of a line.
    LineUnterminated = "line-unterminated", Error, "basic/transports#stdio", "basic/transports/stdio";
    /// An HTTP body or an event stream ended in the middle of a message.
    MessageCutOff = "message-cut-off", Error, "basic/transports#sending-messages-to-the-server", "basic/transports/streamable-http";
    /// A message with the wrong content type.
    ContentType = "content-type", Error, "basic/transports#sending-messages-to-the-server", "basic/transports/streamable-http";
    /// The server sent several session ids at once.
    SessionIdRepeated = "session-id-repeated", Error, "basic/transports#session-management", "";
    /// Several messages on one line.
    SeveralMessages = "several-messages-on-a-line", Error, "basic/transports#stdio", "basic/transports/stdio";
    /// A batch in a revision that does not allow batches.
    BatchNotAllowed = "batch-not-allowed", Error, "2025-06-18/changelog", "";
    /// A batch without members.
    BatchEmpty = "batch-empty", Error, "2025-03-26/basic#batching", "";
    /// `jsonrpc` is missing or not `"2.0"`.
    JsonRpcVersion = "jsonrpc-version", Error, "basic#messages", "basic#messages";
    /// A member of a message occurs twice; the last one counts.
    DuplicateMember = "duplicate-member", Warning, "basic#messages", "basic#messages";
    /// An id is `null`.
    IdNull = "id-null", Error, "basic#requests", "basic#requests";
    /// An id is neither a string nor an integer.
    IdType = "id-type", Error, "basic#requests", "basic#requests";
    /// An integer id is written as a fraction or with an exponent.
    IdNumberText = "id-number-text", Warning, "basic#requests", "basic#requests";
    /// `method` is not a string.
    MethodType = "method-type", Error, "basic#requests", "basic#requests";
    /// `params` is not an object.
    ParamsType = "params-type", Error, "basic#requests", "basic#requests";
    /// A message has both a method and a result or error.
    MethodAndOutcome = "method-and-outcome", Error, "basic#messages", "basic#messages";
    /// A response has both a result and an error.
    ResultAndError = "result-and-error", Error, "basic#responses", "basic#responses";
    /// A response has no id, so that it belongs to no request.
    ResponseWithoutId = "response-without-id", Error, "basic#responses", "basic#responses";
    /// `result` is not an object.
    ResultType = "result-not-object", Error, "basic#responses", "basic#responses";
    /// `error` is not an object.
    ErrorType = "error-not-object", Error, "basic#responses", "basic#responses";
    /// An error code is missing or not an integer.
    ErrorCode = "error-code-type", Error, "basic#responses", "basic#responses";
    /// An error has no message, or one that is not a string.
    ErrorMessage = "error-message-type", Error, "basic#responses", "basic#responses";

    /// A request reuses the id of a pending request.
    DuplicateId = "duplicate-id", Error, "basic#requests", "basic#requests";
    /// A request reuses an id.
    IdReused = "id-reused", Error, "basic#requests", "basic#requests";
    /// A response to an unknown request.
    UnknownResponse = "response-unknown-id", Error, "basic#responses", "basic#responses";
    /// A second response to one request.
    AnsweredTwice = "answered-twice", Error, "basic#responses", "basic#responses";
    /// A response arrived after the request was cancelled (it may have crossed the cancellation).
    AnswerAfterCancel = "answer-after-cancel", Warning, "basic/utilities/cancellation", "basic/patterns/cancellation";
    /// A cancellation of an unknown request.
    CancelUnknown = "cancel-unknown-request", Warning, "basic/utilities/cancellation", "basic/patterns/cancellation";
    /// `initialize` was cancelled.
    CancelInitialize = "cancel-initialize", Error, "basic/utilities/cancellation", "basic/patterns/cancellation";
    /// Progress for an unknown token.
    ProgressUnknownToken = "progress-unknown-token", Error, "basic/utilities/progress", "";
    /// Progress without a token.
    ProgressNoToken = "progress-without-token", Error, "basic/utilities/progress", "";
    /// Progress that does not increase.
    ProgressNotIncreasing = "progress-not-increasing", Error, "basic/utilities/progress", "";
    /// Progress after the response.
    ProgressAfterAnswer = "progress-after-answer", Error, "basic/utilities/progress", "";
    /// A progress token that another pending request uses.
    ProgressTokenReused = "progress-token-reused", Error, "basic/utilities/progress", "";

    /// A request before the handshake allows it.
    BeforeInitialized = "request-before-initialized", Warning, "basic/lifecycle#initialization", "";
    /// A capability was used that was not declared.
    UndeclaredCapability = "undeclared-capability", Error, "basic/lifecycle#capability-negotiation", "";
    /// A request or notification that does not exist in this era.
    WrongEra = "method-not-in-era", Error, "", "changelog";
    /// A request lacks a `_meta` member that the modern era requires.
    MetaMissing = "meta-missing", Error, "", "basic";
    /// `resultType` is missing.
    ResultTypeMissing = "result-type-missing", Error, "", "basic#responses";
    /// `resultType` is not a string, or has an unknown value.
    ResultTypeUnknown = "result-type-unknown", Error, "", "basic#responses";
    /// A notification of a subscription does not name it.
    SubscriptionIdMissing = "subscription-id-missing", Error, "", "basic/patterns/subscriptions";
    /// A cacheable result lacks `ttlMs` or `cacheScope`.
    CacheHintMissing = "cache-hint-missing", Error, "", "server/utilities/caching";
    /// `ttlMs` is not a non-negative integer, or `cacheScope` is neither `public` nor `private`.
    CacheHintInvalid = "cache-hint-invalid", Error, "", "server/utilities/caching";
    /// `input_required` in response to a method that does not allow it.
    InputRequiredMisplaced = "input-required-misplaced", Error, "", "basic/patterns/mrtr#supported-requests";
    /// `input_required` with neither `inputRequests` nor `requestState`.
    InputRequiredEmpty = "input-required-empty", Error, "", "basic/patterns/mrtr#server-requirements-basic-workflow";
    /// An input request with a method that is not allowed.
    InputRequestUnknown = "input-request-unknown", Error, "", "basic/patterns/mrtr#server-requirements-basic-workflow";
    /// A notification on a subscription before its acknowledgement.
    SubscriptionBeforeAcknowledged = "subscription-before-acknowledged", Error, "", "basic/patterns/subscriptions#acknowledgment";
    /// A notification of a kind that the subscription did not request, or the server did not grant.
    SubscriptionUninvited = "subscription-uninvited", Error, "", "basic/patterns/subscriptions#opening-a-stream";
    /// A server granted more than was requested.
    SubscriptionBeyondFilter = "subscription-beyond-filter", Error, "", "basic/patterns/subscriptions#acknowledgment";
    /// A notification names a subscription that is not open.
    SubscriptionUnknown = "subscription-unknown", Warning, "", "basic/patterns/subscriptions#receiving-notifications";
    /// A modern server cancelled something other than a subscription.
    ServerCancelled = "server-cancelled", Error, "", "basic/patterns/cancellation";
    /// A handshake result lacks a required member, or has one of the wrong type.
    HandshakeMember = "handshake-member", Error, "basic/lifecycle#initialization", "";

    /// A list is missing or not an array.
    ListMissing = "list-missing", Error, "server/tools#listing-tools", "server/tools#listing-tools";
    /// A cursor that is not a string.
    CursorType = "cursor-type", Error, "server/utilities/pagination", "server/utilities/pagination";
    /// Two items of a list have the same identity: a name, a URI or an id.
    ListItemDuplicate = "list-item-duplicate", Warning, "server/utilities/pagination", "server/utilities/pagination";
    /// A list exceeds the size limit.
    ListTooLarge = "list-too-large", Error, "server/utilities/pagination", "server/utilities/pagination";
    /// A later page of a list could not be read.
    ListPageFailed = "list-page-failed", Error, "server/utilities/pagination", "server/utilities/pagination";
    /// A list has more pages than the limit.
    ListEndless = "list-endless", Error, "server/utilities/pagination", "server/utilities/pagination";
    /// A page repeats an earlier cursor, so that the list would never end.
    ListCursorRepeated = "list-cursor-repeated", Error, "server/utilities/pagination", "server/utilities/pagination";
    /// A tool that is not an object.
    ToolNotObject = "tool-not-object", Error, "server/tools#tool", "server/tools#tool";
    /// A tool without a name.
    ToolNameMissing = "tool-name-missing", Error, "server/tools#tool", "server/tools#tool";
    /// A tool name with other characters than letters, digits, `_`, `-` and `.`, or longer than 128.
    ToolNameCharacters = "tool-name-characters", Warning, "server/tools#tool-names", "server/tools#tool-names";
    /// Two tools have the same name.
    ToolNameDuplicate = "tool-name-duplicate", Error, "server/tools#tool-names", "server/tools#tool-names";
    /// A tool without `inputSchema`.
    ToolInputSchemaMissing = "tool-input-schema-missing", Error, "server/tools#tool", "server/tools#tool";
    /// An `inputSchema` that is not an object, or whose `type` is not `"object"`.
    ToolInputSchemaType = "tool-input-schema-type", Error, "server/tools#tool", "server/tools#tool";
    /// An `outputSchema` that is not a schema object.
    ToolOutputSchemaType = "tool-output-schema-type", Error, "server/tools#output-schema", "server/tools#output-schema";
    /// An `x-mcp-header` is invalid: over HTTP the tool must be excluded.
    ToolHeaderInvalid = "tool-header-invalid", Error, "", "basic/transports/streamable-http#custom-headers-from-tool-parameters";
    /// A schema in an old dialect that some hosts reject.
    SchemaDialect = "schema-dialect", Warning, "basic#json-schema-usage", "basic#json-schema-usage";
    /// `required` is inside `properties`, where it names a property instead of requiring some.
    SchemaRequiredMisplaced = "schema-required-misplaced", Warning, "server/tools#tool", "server/tools#tool";
    /// A keyword of a schema has a value of the wrong type.
    SchemaKeywordType = "schema-keyword-type", Error, "server/tools#tool", "server/tools#tool";
    /// A `$ref` to the network, which must not be followed.
    SchemaNetworkRef = "schema-network-ref", Warning, "", "server/tools";
    /// A member has a value of the wrong type.
    MemberType = "member-type", Error, "schema", "schema";
    /// A required member is missing.
    MemberMissing = "member-missing", Error, "schema", "schema";

    /// A tool result without `content`.
    ContentMissing = "content-missing", Error, "server/tools#tool-result", "server/tools#tool-result";
    /// A content block that is malformed.
    ContentMalformed = "content-malformed", Error, "server/tools#tool-result", "server/tools#tool-result";
    /// A content block of an unknown type.
    ContentTypeUnknown = "content-type-unknown", Error, "server/tools#tool-result", "server/tools#tool-result";
    /// Data that is not base64.
    ContentBase64 = "content-not-base64", Error, "server/tools#tool-result", "server/tools#tool-result";
    /// `structuredContent` does not match the tool's `outputSchema`.
    StructuredMismatch = "structured-content-mismatch", Error, "server/tools#structured-content", "server/tools#structured-content";
    /// The tool declares an `outputSchema`, but its result has no `structuredContent`.
    StructuredMissing = "structured-content-missing", Error, "server/tools#structured-content", "server/tools#structured-content";
    /// `structuredContent` is not an object, which revisions before 2026-07-28 require.
    StructuredType = "structured-content-type", Error, "server/tools#structured-content", "server/tools#structured-content";
    /// Structured content without the text block that older hosts need.
    StructuredWithoutText = "structured-content-without-text", Warning, "server/tools#structured-content", "server/tools#structured-content";
    /// A log message with an unknown level.
    LogLevel = "log-level-unknown", Error, "server/utilities/logging", "server/utilities/logging";
    /// A log message that was not requested.
    LogUninvited = "log-uninvited", Error, "", "server/utilities/logging";
}
