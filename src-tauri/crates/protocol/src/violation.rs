//! What a peer did against the specification, and the closed list of rules that find it.

/// How bad a violation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Against a SHOULD, or known to break some hosts.
    Warning,
    /// Against a MUST, or not decodable.
    Error,
}

/// Something a peer did against the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The rule that found it.
    pub rule: Rule,
    /// What is wrong, in a sentence.
    pub message: String,
    /// JSON pointer to the place in the message (or in the view's own text), if it is in one place.
    pub pointer: Option<String>,
}

impl Violation {
    /// A violation of the whole.
    pub fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
            pointer: None,
        }
    }

    /// A violation at one place.
    pub fn at(rule: Rule, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
            pointer: Some(pointer.into()),
        }
    }
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $name:ident = $id:literal, $severity:ident, $spec:literal;)+) => {
        /// A rule, with an id that never changes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule { $($(#[doc = $doc])+ $name,)+ }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Its stable id, in kebab-case.
            #[must_use]
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)+ }
            }

            /// How bad it is to break it.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)+ }
            }

            /// The clause it comes from: an address on the specification's site.
            #[must_use]
            pub fn spec(self) -> &'static str {
                match self { $(Self::$name => concat!("https://modelcontextprotocol.io/specification/", $spec),)+ }
            }
        }
    };
}

rules! {
    /// A frame is not UTF-8.
    NotUtf8 = "not-utf8", Error, "2025-11-25/basic/transports#stdio";
    /// A frame starts with a byte order mark.
    ByteOrderMark = "byte-order-mark", Warning, "2025-11-25/basic/transports#stdio";
    /// A line ends with CR LF.
    CarriageReturn = "carriage-return", Warning, "2025-11-25/basic/transports#stdio";
    /// A blank line where a message was due.
    BlankLine = "blank-line", Warning, "2025-11-25/basic/transports#stdio";
    /// Something that is not JSON stands where only messages may stand, such as a log line on stdout.
    NotJson = "not-json", Error, "2025-11-25/basic/transports#stdio";
    /// Valid JSON that is not a JSON-RPC message.
    NotAMessage = "not-a-message", Error, "2025-11-25/basic#messages";
    /// stdout ended in the middle of a line.
    LineUnterminated = "line-unterminated", Error, "2025-11-25/basic/transports#stdio";
    /// An HTTP body or an event stream ended in the middle of a message.
    MessageCutOff = "message-cut-off", Error, "2025-11-25/basic/transports#sending-messages-to-the-server";
    /// A message came under a content type that is not its own.
    ContentType = "content-type", Error, "2025-11-25/basic/transports#sending-messages-to-the-server";
    /// The server gave several session ids at once.
    SessionIdRepeated = "session-id-repeated", Error, "2025-11-25/basic/transports#session-management";
    /// Several messages on one line.
    SeveralMessages = "several-messages-on-a-line", Error, "2025-11-25/basic/transports#stdio";
    /// A batch in a revision that has none.
    BatchNotAllowed = "batch-not-allowed", Error, "2025-06-18/changelog";
    /// A batch without members.
    BatchEmpty = "batch-empty", Error, "2025-03-26/basic#batching";
    /// `jsonrpc` is missing or not `"2.0"`.
    JsonRpcVersion = "jsonrpc-version", Error, "2025-11-25/basic#messages";
    /// A member of a message is given twice; the last one counts.
    DuplicateMember = "duplicate-member", Warning, "2025-11-25/basic#messages";
    /// An id is `null`.
    IdNull = "id-null", Error, "2025-11-25/basic#requests";
    /// An id is neither a string nor an integer.
    IdType = "id-type", Error, "2025-11-25/basic#requests";
    /// An integer id is written as a fraction or with an exponent.
    IdNumberText = "id-number-text", Warning, "2025-11-25/basic#requests";
    /// `method` is not a string.
    MethodType = "method-type", Error, "2025-11-25/basic#requests";
    /// `params` is not an object.
    ParamsType = "params-type", Error, "2025-11-25/basic#requests";
    /// A message has both a method and a result or error.
    MethodAndOutcome = "method-and-outcome", Error, "2025-11-25/basic#messages";
    /// A response has both a result and an error.
    ResultAndError = "result-and-error", Error, "2025-11-25/basic#responses";
    /// A response has no id, so that it answers nothing.
    ResponseWithoutId = "response-without-id", Error, "2025-11-25/basic#responses";
    /// `result` is not an object.
    ResultType = "result-not-object", Error, "2025-11-25/basic#responses";
    /// `error` is not an object.
    ErrorType = "error-not-object", Error, "2025-11-25/basic#responses";
    /// An error code is missing or not an integer.
    ErrorCode = "error-code-type", Error, "2025-11-25/basic#responses";
    /// An error has no message, or one that is not a string.
    ErrorMessage = "error-message-type", Error, "2025-11-25/basic#responses";

    /// A request has the id of one that still waits.
    DuplicateId = "duplicate-id", Error, "2025-11-25/basic#requests";
    /// A request has an id that was used before.
    IdReused = "id-reused", Error, "2025-11-25/basic#requests";
    /// A response to a request that was never made.
    UnknownResponse = "response-unknown-id", Error, "2025-11-25/basic#responses";
    /// A second response to one request.
    AnsweredTwice = "answered-twice", Error, "2025-11-25/basic#responses";
    /// A response came after the request was cancelled (it may have crossed the cancellation).
    AnswerAfterCancel = "answer-after-cancel", Warning, "2025-11-25/basic/utilities/cancellation";
    /// A cancellation names no request that is known.
    CancelUnknown = "cancel-unknown-request", Warning, "2025-11-25/basic/utilities/cancellation";
    /// `initialize` was cancelled.
    CancelInitialize = "cancel-initialize", Error, "2025-11-25/basic/utilities/cancellation";
    /// Progress for a token no request gave.
    ProgressUnknownToken = "progress-unknown-token", Error, "2025-11-25/basic/utilities/progress";
    /// Progress without a token.
    ProgressNoToken = "progress-without-token", Error, "2025-11-25/basic/utilities/progress";
    /// Progress that does not increase.
    ProgressNotIncreasing = "progress-not-increasing", Error, "2025-11-25/basic/utilities/progress";
    /// Progress after the answer.
    ProgressAfterAnswer = "progress-after-answer", Error, "2025-11-25/basic/utilities/progress";
    /// A progress token that another waiting request uses.
    ProgressTokenReused = "progress-token-reused", Error, "2025-11-25/basic/utilities/progress";

    /// A request before the handshake allowed it.
    BeforeInitialized = "request-before-initialized", Warning, "2025-11-25/basic/lifecycle#initialization";
    /// Something that the capabilities did not declare was used.
    UndeclaredCapability = "undeclared-capability", Error, "2025-11-25/basic/lifecycle#capability-negotiation";
    /// A request or notification that the era does not have.
    WrongEra = "method-not-in-era", Error, "2026-07-28/changelog";
    /// A request lacks a `_meta` member that the modern era demands.
    MetaMissing = "meta-missing", Error, "2026-07-28/basic";
    /// `resultType` is missing.
    ResultTypeMissing = "result-type-missing", Error, "2026-07-28/basic#responses";
    /// `resultType` is not a string, or one nobody knows.
    ResultTypeUnknown = "result-type-unknown", Error, "2026-07-28/basic#responses";
    /// A notification of a subscription does not name it.
    SubscriptionIdMissing = "subscription-id-missing", Error, "2026-07-28/basic/patterns/subscriptions";
    /// A result that may be cached lacks `ttlMs` or `cacheScope`.
    CacheHintMissing = "cache-hint-missing", Error, "2026-07-28/server/utilities/caching";
    /// `ttlMs` is not an integer from 0 on, or `cacheScope` is neither `public` nor `private`.
    CacheHintInvalid = "cache-hint-invalid", Error, "2026-07-28/server/utilities/caching";
    /// `input_required` answers a method that may not ask for input.
    InputRequiredMisplaced = "input-required-misplaced", Error, "2026-07-28/basic/patterns/mrtr#supported-requests";
    /// `input_required` with neither `inputRequests` nor `requestState`.
    InputRequiredEmpty = "input-required-empty", Error, "2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow";
    /// An input request that is none of the three.
    InputRequestUnknown = "input-request-unknown", Error, "2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow";
    /// A notification on a subscription before its acknowledgement.
    SubscriptionBeforeAcknowledged = "subscription-before-acknowledged", Error, "2026-07-28/basic/patterns/subscriptions#acknowledgment";
    /// A notification of a kind that the subscription did not ask for, or the server did not grant.
    SubscriptionUninvited = "subscription-uninvited", Error, "2026-07-28/basic/patterns/subscriptions#opening-a-stream";
    /// A server granted more than was asked for.
    SubscriptionBeyondFilter = "subscription-beyond-filter", Error, "2026-07-28/basic/patterns/subscriptions#acknowledgment";
    /// A notification names a subscription that is not open.
    SubscriptionUnknown = "subscription-unknown", Warning, "2026-07-28/basic/patterns/subscriptions#receiving-notifications";
    /// A modern server cancelled something else than a subscription.
    ServerCancelled = "server-cancelled", Error, "2026-07-28/basic/patterns/cancellation";
    /// A handshake result lacks a member it must have, or has one of the wrong type.
    HandshakeMember = "handshake-member", Error, "2025-11-25/basic/lifecycle#initialization";

    /// A list is missing or not an array.
    ListMissing = "list-missing", Error, "2025-11-25/server/tools#listing-tools";
    /// A cursor that is not a string.
    CursorType = "cursor-type", Error, "2025-11-25/server/utilities/pagination";
    /// A tool that is not an object.
    ToolNotObject = "tool-not-object", Error, "2025-11-25/server/tools#tool";
    /// A tool without a name.
    ToolNameMissing = "tool-name-missing", Error, "2025-11-25/server/tools#tool";
    /// A tool name with other characters than letters, digits, `_`, `-` and `.`, or longer than 128.
    ToolNameCharacters = "tool-name-characters", Warning, "2025-11-25/server/tools#tool-names";
    /// Two tools of one name.
    ToolNameDuplicate = "tool-name-duplicate", Error, "2025-11-25/server/tools#tool-names";
    /// A tool without `inputSchema`.
    ToolInputSchemaMissing = "tool-input-schema-missing", Error, "2025-11-25/server/tools#tool";
    /// An `inputSchema` that is not an object, or whose `type` is not `"object"`.
    ToolInputSchemaType = "tool-input-schema-type", Error, "2025-11-25/server/tools#tool";
    /// An `outputSchema` that is not a schema object.
    ToolOutputSchemaType = "tool-output-schema-type", Error, "2025-11-25/server/tools#output-schema";
    /// An `x-mcp-header` is invalid: over HTTP the tool must be excluded.
    ToolHeaderInvalid = "tool-header-invalid", Error, "2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters";
    /// A schema in an old dialect that some hosts reject.
    SchemaDialect = "schema-dialect", Warning, "2025-11-25/basic#json-schema-usage";
    /// `required` stands inside `properties`, where it names a property instead of demanding some.
    SchemaRequiredMisplaced = "schema-required-misplaced", Warning, "2025-11-25/server/tools#tool";
    /// A keyword of a schema has a value of the wrong type.
    SchemaKeywordType = "schema-keyword-type", Error, "2025-11-25/server/tools#tool";
    /// A `$ref` to the network, which nobody may follow.
    SchemaNetworkRef = "schema-network-ref", Warning, "2026-07-28/server/tools";
    /// A member has a value of the wrong type.
    MemberType = "member-type", Error, "2025-11-25/schema";
    /// A member that must be there is missing.
    MemberMissing = "member-missing", Error, "2025-11-25/schema";

    /// A tool result without `content`.
    ContentMissing = "content-missing", Error, "2025-11-25/server/tools#tool-result";
    /// A content block that is malformed.
    ContentMalformed = "content-malformed", Error, "2025-11-25/server/tools#tool-result";
    /// A content block of a type nobody knows.
    ContentTypeUnknown = "content-type-unknown", Error, "2025-11-25/server/tools#tool-result";
    /// Data that is not base64.
    ContentBase64 = "content-not-base64", Error, "2025-11-25/server/tools#tool-result";
    /// `structuredContent` does not fit the tool's `outputSchema`.
    StructuredMismatch = "structured-content-mismatch", Error, "2025-11-25/server/tools#structured-content";
    /// The tool declares an `outputSchema`, but its result has no `structuredContent`.
    StructuredMissing = "structured-content-missing", Error, "2025-11-25/server/tools#structured-content";
    /// `structuredContent` is not an object, which revisions before 2026-07-28 demand.
    StructuredType = "structured-content-type", Error, "2025-11-25/server/tools#structured-content";
    /// Structured content without the text block that older hosts read.
    StructuredWithoutText = "structured-content-without-text", Warning, "2025-11-25/server/tools#structured-content";
    /// A log message with a level outside the eight.
    LogLevel = "log-level-unknown", Error, "2025-11-25/server/utilities/logging";
    /// A log message nobody asked for.
    LogUninvited = "log-uninvited", Error, "2026-07-28/server/utilities/logging";
}
