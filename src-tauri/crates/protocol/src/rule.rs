//! The rules that detect violations: one table, one row per rule.
//!
//! A row has the rule's title (its doc comment, one line), its id, which never changes, its severity, and its clause in each
//! revision of the specification ([`clauses`]); it applies to the revisions that have one. To add a rule, add a row, emit it where its view or check is ([`crate::checks`], [`crate::views`], [`crate::pairing`]), and test it there:
//! `tests/it/source/architecture.rs` fails for a row that nothing emits or no test names. `checks/tests.rs` has an example,
//! `structured_content_is_judged_by_the_revision`.

mod clauses;
mod violation;

use crate::Revision;
use clauses::Clauses;
pub use violation::Violation;

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
    ($(#[doc = $title:literal] $name:ident = $id:literal, $severity:ident, $clauses:ident;)+) => {
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

            /// Its clause in each revision.
            fn clauses(self) -> Clauses {
                match self { $(Self::$name => clauses::$clauses,)+ }
            }
        }
    };
}

impl Rule {
    /// The rule with this id.
    #[must_use]
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.id() == id)
    }

    /// Whether a revision has the rule. Otherwise breaking it is not a violation there.
    #[must_use]
    pub fn applies(self, revision: Revision) -> bool {
        !self.clause(revision).is_empty()
    }

    /// Whether it is found on a live connection only: a recording has neither the transport, nor limits of the client, nor lists and
    /// schemas that are put together from several messages.
    #[must_use]
    pub fn is_live_only(self) -> bool {
        matches!(
            self,
            Self::LineUnterminated
                | Self::MessageCutOff
                | Self::ContentType
                | Self::SessionIdRepeated
                | Self::ListItemDuplicate
                | Self::ListTooLarge
                | Self::ListPageFailed
                | Self::ListEndless
                | Self::ListCursorRepeated
                | Self::StructuredMismatch
                | Self::StructuredMissing
        )
    }

    fn clause(self, revision: Revision) -> &'static str {
        let index = usize::from(revision.index());
        self.clauses().get(index).copied().unwrap_or_default()
    }

    /// The clause in a revision, as a URL of the specification. Without a revision, and where the revision has no such clause:
    /// that of the latest revision that has one.
    #[must_use]
    pub fn spec(self, revision: Option<Revision>) -> String {
        let latest = || {
            Revision::ALL
                .into_iter()
                .rev()
                .find(|revision| self.applies(*revision))
        };
        let revision = revision
            .filter(|revision| self.applies(*revision))
            .or_else(latest);
        let Some(revision) = revision else {
            return SITE.to_owned();
        };
        format!("{SITE}{revision}/{}", self.clause(revision))
    }
}

rules! {
    /// A frame is not UTF-8.
    NotUtf8 = "not-utf8", Error, STDIO;
    /// A frame starts with a byte order mark.
    ByteOrderMark = "byte-order-mark", Warning, STDIO;
    /// A line ends with CR LF.
    CarriageReturn = "carriage-return", Warning, STDIO;
    /// A blank line instead of a message.
    BlankLine = "blank-line", Warning, STDIO;
    /// Text that is not JSON where only messages are allowed, such as a log line on stdout.
    NotJson = "not-json", Error, STDIO;
    /// Valid JSON that is not a JSON-RPC message.
    NotAMessage = "not-a-message", Error, MESSAGES;
    /// stdout ended in the middle of a line.
    LineUnterminated = "line-unterminated", Error, STDIO;
    /// An HTTP body or an event stream ended in the middle of a message.
    MessageCutOff = "message-cut-off", Error, HTTP;
    /// A message with the wrong content type.
    ContentType = "content-type", Error, HTTP;
    /// The server sent several session ids at once.
    SessionIdRepeated = "session-id-repeated", Error, SESSION;
    /// Several messages on one line.
    SeveralMessages = "several-messages-on-a-line", Error, STDIO;
    /// A batch in a revision that does not allow batches, or one with `initialize` in it.
    BatchNotAllowed = "batch-not-allowed", Error, NO_BATCHES;
    /// A batch without members.
    BatchEmpty = "batch-empty", Error, BATCHING;
    /// `jsonrpc` is missing or not `"2.0"`.
    JsonRpcVersion = "jsonrpc-version", Error, MESSAGES;
    /// A member of a message occurs twice; the last one counts.
    DuplicateMember = "duplicate-member", Warning, MESSAGES;
    /// An id is `null`.
    IdNull = "id-null", Error, REQUESTS;
    /// An id is neither a string nor an integer.
    IdType = "id-type", Error, REQUESTS;
    /// An integer id is written as a fraction or with an exponent.
    IdNumberText = "id-number-text", Warning, REQUESTS;
    /// `method` is not a string.
    MethodType = "method-type", Error, REQUESTS;
    /// `params` is not an object.
    ParamsType = "params-type", Error, REQUESTS;
    /// A message has both a method and a result or error.
    MethodAndOutcome = "method-and-outcome", Error, MESSAGES;
    /// A response has both a result and an error.
    ResultAndError = "result-and-error", Error, RESPONSES;
    /// A response has no id, so that it belongs to no request.
    ResponseWithoutId = "response-without-id", Error, RESPONSES;
    /// `result` is not an object.
    ResultType = "result-not-object", Error, RESPONSES;
    /// `error` is not an object.
    ErrorType = "error-not-object", Error, ERRORS;
    /// An error code is missing or not an integer.
    ErrorCode = "error-code-type", Error, ERRORS;
    /// An error code that the modern era reserves: one of an earlier revision, or one that is not defined.
    ErrorCodeReserved = "error-code-reserved", Error, ERROR_CODES;
    /// An error has no message, or one that is not a string.
    ErrorMessage = "error-message-type", Error, ERRORS;

    /// A request reuses the id of a pending request.
    DuplicateId = "duplicate-id", Error, REQUESTS;
    /// A request reuses an id.
    IdReused = "id-reused", Error, REQUESTS;
    /// A response to an unknown request.
    UnknownResponse = "response-unknown-id", Error, RESPONSES;
    /// A second response to one request.
    AnsweredTwice = "answered-twice", Error, RESPONSES;
    /// A response arrived after the request was cancelled (it may have crossed the cancellation).
    AnswerAfterCancel = "answer-after-cancel", Warning, CANCELLATION;
    /// A cancellation of a request that its sender did not send.
    CancelUnknown = "cancel-unknown-request", Warning, CANCELLATION;
    /// `initialize` was cancelled.
    CancelInitialize = "cancel-initialize", Error, CANCELLATION;
    /// Progress for an unknown token.
    ProgressUnknownToken = "progress-unknown-token", Error, PROGRESS;
    /// Progress without a token.
    ProgressNoToken = "progress-without-token", Error, PROGRESS;
    /// Progress that does not increase.
    ProgressNotIncreasing = "progress-not-increasing", Error, PROGRESS;
    /// Progress after the response.
    ProgressAfterAnswer = "progress-after-answer", Error, PROGRESS;
    /// A progress token that another pending request uses.
    ProgressTokenReused = "progress-token-reused", Error, PROGRESS;

    /// A request before the handshake allows it.
    BeforeInitialized = "request-before-initialized", Warning, INITIALIZATION;
    /// A capability was used that was not declared.
    UndeclaredCapability = "undeclared-capability", Error, NEGOTIATION;
    /// A method was sent by the side that may not send it.
    WrongDirection = "method-wrong-direction", Error, SCHEMA;
    /// A request without an id, or a notification with one.
    MethodKind = "method-kind", Error, NOTIFICATIONS;
    /// A method that does not exist in this revision, but in another one of the same era.
    MethodNotInRevision = "method-not-in-revision", Error, SCHEMA;
    /// A part of a message that does not exist in this revision, such as a type of content.
    FeatureNotInRevision = "feature-not-in-revision", Error, SCHEMA;
    /// A request or notification that does not exist in this era.
    WrongEra = "method-not-in-era", Error, ONE_ERA;
    /// A request lacks a `_meta` member that the modern era requires.
    MetaMissing = "meta-missing", Error, META_REQUIRED;
    /// A member of `_meta` has a name of another form than the specification allows.
    MetaKeyName = "meta-key-name", Error, META;
    /// `resultType` is missing.
    ResultTypeMissing = "result-type-missing", Error, RESULT_TYPE;
    /// `resultType` is not a string, or has an unknown value.
    ResultTypeUnknown = "result-type-unknown", Error, RESULT_TYPE;
    /// A notification of a subscription does not name it.
    SubscriptionIdMissing = "subscription-id-missing", Error, SUBSCRIPTIONS;
    /// A cacheable result lacks `ttlMs` or `cacheScope`.
    CacheHintMissing = "cache-hint-missing", Error, CACHING;
    /// `ttlMs` is not a non-negative integer, or `cacheScope` is neither `public` nor `private`.
    CacheHintInvalid = "cache-hint-invalid", Error, CACHING;
    /// `input_required` in response to a method that does not allow it.
    InputRequiredMisplaced = "input-required-misplaced", Error, ROUNDS_OF;
    /// `input_required` with neither `inputRequests` nor `requestState`.
    InputRequiredEmpty = "input-required-empty", Error, ROUNDS;
    /// An input request with a method that is not allowed.
    InputRequestUnknown = "input-request-unknown", Error, ROUNDS;
    /// A notification on a subscription before its acknowledgement.
    SubscriptionBeforeAcknowledged = "subscription-before-acknowledged", Error, ACKNOWLEDGMENT;
    /// A notification of a kind that the subscription did not request, or the server did not grant.
    SubscriptionUninvited = "subscription-uninvited", Error, FILTER;
    /// A server granted more than was requested.
    SubscriptionBeyondFilter = "subscription-beyond-filter", Error, ACKNOWLEDGMENT;
    /// A notification names a subscription that is not open.
    SubscriptionUnknown = "subscription-unknown", Warning, RECEIVING;
    /// A modern server cancelled something other than a subscription.
    ServerCancelled = "server-cancelled", Error, CANCELLED_BY_SERVER;
    /// A handshake result lacks a required member, or has one of the wrong type.
    HandshakeMember = "handshake-member", Error, HANDSHAKE;
    /// The server answered the handshake with a revision that is not known.
    RevisionUnknown = "revision-unknown", Warning, VERSION_NEGOTIATION;
    /// A message that belongs to a task does not name it.
    RelatedTaskMissing = "related-task-missing", Error, RELATED_TASKS;

    /// A list is missing or not an array.
    ListMissing = "list-missing", Error, LISTS;
    /// A cursor that is not a string.
    CursorType = "cursor-type", Error, PAGES;
    /// Two items of a list have the same identity: a name, a URI or an id.
    ListItemDuplicate = "list-item-duplicate", Warning, PAGES;
    /// A list exceeds the size limit.
    ListTooLarge = "list-too-large", Error, PAGES;
    /// A later page of a list could not be read.
    ListPageFailed = "list-page-failed", Error, PAGES;
    /// A list has more pages than the limit.
    ListEndless = "list-endless", Error, PAGES;
    /// A page repeats an earlier cursor, so that the list would never end.
    ListCursorRepeated = "list-cursor-repeated", Error, PAGES;
    /// A tool that is not an object.
    ToolNotObject = "tool-not-object", Error, TOOL;
    /// A tool without a name.
    ToolNameMissing = "tool-name-missing", Error, TOOL;
    /// A tool name with other characters than letters, digits, `_`, `-` and `.`, or that is empty or longer than 128.
    ToolNameCharacters = "tool-name-characters", Warning, TOOL_NAMES;
    /// Two tools have the same name.
    ToolNameDuplicate = "tool-name-duplicate", Warning, TOOL_IDENTITY;
    /// A tool without `inputSchema`.
    ToolInputSchemaMissing = "tool-input-schema-missing", Error, TOOL;
    /// An `inputSchema` that is not an object, or whose `type` is not `"object"`.
    ToolInputSchemaType = "tool-input-schema-type", Error, TOOL;
    /// An `outputSchema` that is not an object, or, before 2026-07-28, whose `type` is not `"object"`.
    ToolOutputSchemaType = "tool-output-schema-type", Error, OUTPUT_SCHEMA;
    /// An `x-mcp-header` is invalid: over HTTP the tool must be excluded.
    ToolHeaderInvalid = "tool-header-invalid", Error, HEADERS;
    /// A schema in an old dialect that some hosts reject.
    SchemaDialect = "schema-dialect", Warning, DIALECT;
    /// `required` is inside `properties`, where it names a property instead of requiring some.
    SchemaRequiredMisplaced = "schema-required-misplaced", Warning, TOOL;
    /// A keyword of a schema has a value of the wrong type.
    SchemaKeywordType = "schema-keyword-type", Error, TOOL;
    /// A `$ref` to the network, which must not be followed.
    SchemaNetworkRef = "schema-network-ref", Warning, REFERENCES;
    /// A member has a value of the wrong type.
    MemberType = "member-type", Error, SCHEMA;
    /// A required member is missing.
    MemberMissing = "member-missing", Error, SCHEMA;

    /// A member has a value of the right type that is not allowed.
    MemberValue = "member-value", Error, SCHEMA;
    /// An icon that clients must not load: its address is neither http(s) nor data.
    IconSource = "icon-source", Warning, ICONS;
    /// The schema of a form is not a flat object with properties of primitive types.
    ElicitationSchema = "elicitation-schema", Error, FORMS;

    /// A tool result without `content`.
    ContentMissing = "content-missing", Error, RESULT;
    /// A content block that is malformed.
    ContentMalformed = "content-malformed", Error, RESULT;
    /// A content block of an unknown type.
    ContentTypeUnknown = "content-type-unknown", Error, RESULT;
    /// Data that is not base64.
    ContentBase64 = "content-not-base64", Error, RESULT;
    /// `structuredContent` does not match the tool's `outputSchema`.
    StructuredMismatch = "structured-content-mismatch", Error, STRUCTURED;
    /// The tool declares an `outputSchema`, but its result has no `structuredContent`.
    StructuredMissing = "structured-content-missing", Error, STRUCTURED;
    /// `structuredContent` is not an object, which revisions before 2026-07-28 require.
    StructuredType = "structured-content-type", Error, STRUCTURED_LEGACY;
    /// Structured content without the text block that older hosts need.
    StructuredWithoutText = "structured-content-without-text", Warning, STRUCTURED;
    /// A log message with an unknown level.
    LogLevel = "log-level-unknown", Error, LOGGING;
    /// A log message below the level that the client asked for.
    LogBelowLevel = "log-below-level", Warning, LOG_LEVEL;
    /// A message is larger than Patchbay reads; what is beyond the limit was recorded and not read.
    LimitExceeded = "limit-exceeded", Warning, MESSAGES;
    /// A log message that was not requested.
    LogUninvited = "log-uninvited", Error, LOG_REQUESTED;
}
