//! Checks that depend on the state of a connection: the revision, the handshake, the capabilities.
//!
//! Violations of a single message are found by [`crate::message`] and [`crate::views`], violations of ids and tokens by
//! [`crate::pairing`].

mod conversation;
mod declared;
mod levels;

use crate::json;
use crate::message::{Located, Message};
use crate::views::{
    CallToolResult, ClientCapabilities, ContentKind, Elicitation, ElicitationMode, NotificationView,
    ResultType, Sampling, ServerCapabilities, ToolView, cache_hint, result_type,
};
use crate::{Era, Revision, Rule, Violation, error_codes, methods};

pub use conversation::{Carrier, Conversation};

/// Checks whether the negotiated revision allows a batch of these messages. Before the negotiation, only one with `initialize` is
/// reported, which no revision allows (2025-03-26, `basic/lifecycle`, "Initialization").
#[must_use]
pub fn batch(revision: Option<Revision>, messages: &[Located<'_>]) -> Option<Violation> {
    match revision {
        // 2024-11-05 does not mention batches, which JSON-RPC allows.
        Some(revision) if !revision.allows_batches() && revision != Revision::V2024_11_05 => {
            Some(Violation::new(
                Rule::BatchNotAllowed,
                format!("a batch, which revision {revision} does not allow (only 2025-03-26 does)"),
            ))
        }
        _ => messages.iter().any(is_initialize).then(|| {
            let message = "`initialize` in a batch: nothing else can be sent before it is answered";
            Violation::new(Rule::BatchNotAllowed, message)
        }),
    }
}

fn is_initialize(located: &Located<'_>) -> bool {
    matches!(&located.message, Message::Request { method, .. } if *method == methods::INITIALIZE)
}

/// Violations of a result of `method` that do not depend on its content: `resultType`, and the caching hints.
#[must_use]
pub fn result(era: Era, method: &str, result: &str) -> Vec<Violation> {
    if era == Era::Legacy {
        return Vec::new();
    }
    let (kind, violation) = result_type(result);
    let mut violations: Vec<Violation> = violation.into_iter().collect();
    let cacheable = matches!(
        method,
        methods::SERVER_DISCOVER
            | methods::TOOLS_LIST
            | methods::PROMPTS_LIST
            | methods::RESOURCES_LIST
            | methods::RESOURCES_TEMPLATES_LIST
            | methods::RESOURCES_READ
            | methods::SKILLS_LIST
            | methods::SKILLS_GET
    );
    if cacheable && kind == ResultType::Complete {
        violations.extend(cache_hint(result).1);
    }
    violations
}

/// Violations of the structured content of a complete `tools/call` result in the negotiated revision.
#[must_use]
pub fn structured_content(revision: Revision, result: &CallToolResult<'_>) -> Vec<Violation> {
    let Some(structured) = result.structured.filter(|_| revision >= Revision::V2025_06_18) else {
        return Vec::new();
    };
    let mut violations = Vec::new();
    if revision.era() == Era::Legacy && json::kind(structured) != json::Kind::Object {
        violations.push(Violation::at(
            Rule::StructuredType,
            "/structuredContent",
            format!("`structuredContent` must be an object in revision {revision}"),
        ));
    }
    let text = |kind: &ContentKind<'_>| matches!(kind, ContentKind::Text { .. });
    if !result.content.iter().any(|block| text(&block.kind)) {
        violations.push(Violation::at(
            Rule::StructuredWithoutText,
            "/content",
            "structured content without a text block: older hosts show nothing",
        ));
    }
    violations
}

/// The violation of a tool's output schema that only some revisions do not allow: another `type` than an object.
#[must_use]
pub fn output_schema(revision: Revision, tool: &ToolView<'_>) -> Option<Violation> {
    let is_strict = matches!(revision, Revision::V2025_06_18 | Revision::V2025_11_25);
    let schema = tool.output_schema.filter(|_| is_strict)?;
    let kind = json::member(schema, "type");
    let message = match kind {
        Some(kind) if json::string(kind).as_deref() == Some("object") => return None,
        Some(kind) => {
            format!(
                "the `type` of `outputSchema` is {}; revision {revision} allows only \"object\"",
                methods::clip(kind)
            )
        }
        None => format!("`outputSchema` has no `type`; in revision {revision} it must be \"object\""),
    };
    Some(Violation::at(
        Rule::ToolOutputSchemaType,
        "/outputSchema",
        message,
    ))
}

/// Violations of a notification itself in the negotiated revision. Pointers are into `params`.
#[must_use]
pub fn notification(revision: Option<Revision>, view: &NotificationView<'_>) -> Vec<Violation> {
    let mut violations = view.violations().to_vec();
    // 2025-11-25 made `requestId` optional (`CancelledNotificationParams`); 2026-07-28 requires it again.
    if revision == Some(Revision::V2025_11_25) && matches!(view, NotificationView::Cancelled(_)) {
        violations.retain(|violation| violation.rule != Rule::MemberMissing);
    }
    violations
}

/// The capability that a client did not declare, though a server needs it for this request: `sampling`, or a part such as
/// `sampling.tools`.
#[must_use]
pub fn missing_capability(
    declared: &ClientCapabilities,
    method: &str,
    params: Option<&str>,
) -> Option<&'static str> {
    let capability = match method {
        methods::SAMPLING_CREATE_MESSAGE => "sampling",
        methods::ELICITATION_CREATE => "elicitation",
        methods::ROOTS_LIST => "roots",
        methods::TASKS_GET | methods::TASKS_RESULT | methods::TASKS_LIST | methods::TASKS_CANCEL => "tasks",
        _ => return None,
    };
    let declared = ServerCapabilities::new(declared.value(capability).unwrap_or("null"));
    if json::kind(&declared.raw) != json::Kind::Object {
        return Some(capability);
    }
    let (part, whole) = match method {
        // `{}` means forms (2025-11-25, client/elicitation, "Capabilities").
        methods::ELICITATION_CREATE => match Elicitation::parse(params).mode {
            Some(ElicitationMode::Url) => ("url", "elicitation.url"),
            Some(ElicitationMode::Form) if declared.has("url") => ("form", "elicitation.form"),
            Some(ElicitationMode::Form) | None => return None,
        },
        methods::SAMPLING_CREATE_MESSAGE if Sampling::parse(params).tools => ("tools", "sampling.tools"),
        methods::TASKS_LIST => ("list", "tasks.list"),
        methods::TASKS_CANCEL => ("cancel", "tasks.cancel"),
        _ => return None,
    };
    (!declared.has(part)).then_some(whole)
}

/// Why a client must refuse a request of the server: its capability was not declared. Code and message of the error.
#[must_use]
pub fn undeclared_input(
    declared: &ClientCapabilities,
    method: &str,
    params: Option<&str>,
) -> Option<(i64, String)> {
    let known = matches!(
        method,
        methods::SAMPLING_CREATE_MESSAGE
            | methods::ELICITATION_CREATE
            | methods::ROOTS_LIST
            | methods::TASKS_GET
            | methods::TASKS_RESULT
            | methods::TASKS_LIST
            | methods::TASKS_CANCEL
    );
    if !known {
        let words = format!("Method not found: {method}");
        return Some((error_codes::METHOD_NOT_FOUND, words));
    }
    match missing_capability(declared, method, params) {
        // A part of `tasks` is a method of its own.
        Some(part) if part.contains('.') && !part.starts_with("tasks") => {
            let words = format!("Invalid params: this client did not declare `{part}`");
            Some((error_codes::INVALID_PARAMS, words))
        }
        Some(capability) => {
            let words = format!("Method not found: {method}; this client did not declare `{capability}`");
            Some((error_codes::METHOD_NOT_FOUND, words))
        }
        None if method == methods::ELICITATION_CREATE && Elicitation::parse(params).mode.is_none() => {
            let words = "Invalid params: unknown `mode` of elicitation";
            Some((error_codes::INVALID_PARAMS, words.to_owned()))
        }
        None => None,
    }
}

#[cfg(test)]
mod tests;
