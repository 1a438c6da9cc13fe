//! Which decoder reads which examples, and the corresponding definition of the schema.

use patchbay_protocol::{
    Era, Violation, checks, json, message, methods,
    views::{
        CallToolResult, Cancelled, ContentBlock, DiscoverResult, Elicitation, InputRequired, LogMessage,
        Progress, ResourceUpdated, Sampling, SubscriptionAcknowledged, ToolView, ToolsPage,
    },
};

/// A kind of example.
pub(super) struct Subject {
    /// The folder of its examples.
    pub(super) example: &'static str,
    /// The corresponding definition of the official schema.
    pub(super) definition: &'static str,
    /// Our violations.
    pub(super) violations: fn(&str) -> Vec<Violation>,
}

const fn subject(
    example: &'static str,
    definition: &'static str,
    violations: fn(&str) -> Vec<Violation>,
) -> Subject {
    Subject {
        example,
        definition,
        violations,
    }
}

/// Everything that our decoders read.
pub(super) const SUBJECTS: &[Subject] = &[
    subject("Tool", "Tool", |text| ToolView::parse(text).violations),
    subject("ListToolsResult", "ListToolsResult", |text| {
        let page = ToolsPage::parse(text);
        let tools = page.tools.into_iter().flat_map(|tool| tool.violations);
        tools
            .chain(page.violations)
            .chain(result(methods::TOOLS_LIST, text))
            .collect()
    }),
    subject("CallToolResult", "CallToolResult", |text| {
        both(
            CallToolResult::parse(text).violations,
            result(methods::TOOLS_CALL, text),
        )
    }),
    subject("TextContent", "ContentBlock", content),
    subject("ImageContent", "ContentBlock", content),
    subject("AudioContent", "ContentBlock", content),
    subject("ResourceLink", "ContentBlock", content),
    subject("EmbeddedResource", "ContentBlock", content),
    subject("DiscoverResult", "DiscoverResult", |text| {
        DiscoverResult::parse(text).violations
    }),
    subject("InputRequiredResult", "InputRequiredResult", |text| {
        both(
            InputRequired::parse(text).violations,
            result(methods::TOOLS_CALL, text),
        )
    }),
    subject("ElicitRequestFormParams", "ElicitRequestParams", |text| {
        Elicitation::parse(Some(text)).violations
    }),
    subject("ElicitRequestURLParams", "ElicitRequestParams", |text| {
        Elicitation::parse(Some(text)).violations
    }),
    subject(
        "CreateMessageRequestParams",
        "CreateMessageRequestParams",
        |text| Sampling::parse(Some(text)).violations,
    ),
    subject(
        "ProgressNotificationParams",
        "ProgressNotificationParams",
        |text| Progress::parse(Some(text)).violations,
    ),
    subject(
        "LoggingMessageNotificationParams",
        "LoggingMessageNotificationParams",
        |text| LogMessage::parse(Some(text)).violations,
    ),
    subject(
        "CancelledNotificationParams",
        "CancelledNotificationParams",
        |text| Cancelled::parse(Some(text)).violations,
    ),
    subject(
        "ResourceUpdatedNotificationParams",
        "ResourceUpdatedNotificationParams",
        |text| ResourceUpdated::parse(Some(text)).violations,
    ),
    subject(
        "SubscriptionsAcknowledgedNotification",
        "SubscriptionsAcknowledgedNotification",
        |text| {
            let params = json::Object::parse(text)
                .ok()
                .and_then(|object| object.get("params"));
            both(framing(text), SubscriptionAcknowledged::parse(params).violations)
        },
    ),
    // Only the freshness is checked here; the UI displays the rest as received.
    subject("ListResourcesResult", "CacheableResult", |text| {
        result(methods::RESOURCES_LIST, text)
    }),
    subject("ListResourceTemplatesResult", "CacheableResult", |text| {
        result(methods::RESOURCES_TEMPLATES_LIST, text)
    }),
    subject("ListPromptsResult", "CacheableResult", |text| {
        result(methods::PROMPTS_LIST, text)
    }),
    subject("ReadResourceResult", "CacheableResult", |text| {
        result(methods::RESOURCES_READ, text)
    }),
    // Only the members that every result has.
    subject("CompleteResult", "Result", |text| {
        result("completion/complete", text)
    }),
    subject("GetPromptResult", "Result", |text| {
        result(methods::PROMPTS_GET, text)
    }),
    subject("SubscriptionsListenResult", "Result", |text| {
        result("subscriptions/listen", text)
    }),
    subject("ParseError", "Error", error),
    subject("InternalError", "Error", error),
    subject("InvalidParamsError", "Error", error),
    subject("MethodNotFoundError", "Error", error),
    // Whole messages: their JSON-RPC members.
    subject("CallToolResultResponse", "JSONRPCResponse", framing),
    subject("CompleteResultResponse", "JSONRPCResponse", framing),
    subject("DiscoverResultResponse", "JSONRPCResponse", framing),
    subject("GetPromptResultResponse", "JSONRPCResponse", framing),
    subject("ListPromptsResultResponse", "JSONRPCResponse", framing),
    subject("ListResourceTemplatesResultResponse", "JSONRPCResponse", framing),
    subject("ListResourcesResultResponse", "JSONRPCResponse", framing),
    subject("ListToolsResultResponse", "JSONRPCResponse", framing),
    subject("ReadResourceResultResponse", "JSONRPCResponse", framing),
    subject("SubscriptionsListenResultResponse", "JSONRPCResponse", framing),
    subject("CancelledNotification", "JSONRPCMessage", framing),
    subject("LoggingMessageNotification", "JSONRPCMessage", framing),
    subject("ProgressNotification", "JSONRPCMessage", framing),
    subject("PromptListChangedNotification", "JSONRPCMessage", framing),
    subject("ResourceListChangedNotification", "JSONRPCMessage", framing),
    subject("ResourceUpdatedNotification", "JSONRPCMessage", framing),
    subject("ToolListChangedNotification", "JSONRPCMessage", framing),
    subject("CallToolRequest", "JSONRPCMessage", framing),
    subject("CompleteRequest", "JSONRPCMessage", framing),
    subject("DiscoverRequest", "JSONRPCMessage", framing),
    subject("GetPromptRequest", "JSONRPCMessage", framing),
    subject("ListPromptsRequest", "JSONRPCMessage", framing),
    subject("ListResourceTemplatesRequest", "JSONRPCMessage", framing),
    subject("ListResourcesRequest", "JSONRPCMessage", framing),
    subject("ListToolsRequest", "JSONRPCMessage", framing),
    subject("ReadResourceRequest", "JSONRPCMessage", framing),
    subject("SubscriptionsListenRequest", "JSONRPCMessage", framing),
    subject("HeaderMismatchError", "JSONRPCResponse", framing),
    subject("MissingRequiredClientCapabilityError", "JSONRPCResponse", framing),
    subject("UnsupportedProtocolVersionError", "JSONRPCResponse", framing),
];

/// Written by clients, or nested in something else without a separate decoder.
pub(super) const NOT_OURS_TO_JUDGE: &[&str] = &[
    "BlobResourceContents",
    "BooleanSchema",
    "CallToolRequestParams",
    "ClientCapabilities",
    "CompleteRequestParams",
    "CreateMessageRequest",
    "CreateMessageResult",
    "ElicitRequest",
    "ElicitResult",
    "GetPromptRequestParams",
    "InputRequests",
    "InputResponses",
    "ListRootsRequest",
    "ListRootsResult",
    "ModelPreferences",
    "NumberSchema",
    "PaginatedRequestParams",
    "Resource",
    "Root",
    "SamplingMessage",
    "ServerCapabilities",
    "StringSchema",
    "TextResourceContents",
    "TitledMultiSelectEnumSchema",
    "TitledSingleSelectEnumSchema",
    "ToolResultContent",
    "ToolUseContent",
    "UntitledMultiSelectEnumSchema",
    "UntitledSingleSelectEnumSchema",
];

fn content(text: &str) -> Vec<Violation> {
    ContentBlock::parse(text, String::new()).1
}

fn result(method: &str, text: &str) -> Vec<Violation> {
    checks::result(Era::Modern, method, text)
}

/// The violations of a message as such.
fn framing(text: &str) -> Vec<Violation> {
    let decoded = message::decode(text.as_bytes());
    let members = decoded
        .messages
        .into_iter()
        .flat_map(|located| located.violations);
    members.chain(decoded.violations).collect()
}

/// The violations of an error in a valid message.
fn error(text: &str) -> Vec<Violation> {
    framing(&format!(r#"{{"jsonrpc":"2.0","id":1,"error":{text}}}"#))
}

fn both(mut one: Vec<Violation>, other: Vec<Violation>) -> Vec<Violation> {
    one.extend(other);
    one
}
