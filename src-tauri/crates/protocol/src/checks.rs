//! Checks that depend on the state of a connection: the revision, the handshake, the capabilities.
//!
//! Violations of a single message are found by [`crate::message`] and [`crate::views`], violations of ids and tokens by
//! [`crate::pairing`].

use std::collections::HashSet;

use crate::json;
use crate::message::Message;
use crate::views::{
    CallToolResult, ClientCapabilities, ContentKind, Elicitation, ElicitationMode, NotificationView,
    ResultType, Sampling, ServerCapabilities, cache_hint, result_type,
};
use crate::{Direction, Era, RequestId, Revision, Rule, Violation, error_codes, meta, methods};

/// Checks whether the negotiated revision allows batches. Before the negotiation nothing is reported.
#[must_use]
pub fn batch(revision: Option<Revision>) -> Option<Violation> {
    match revision {
        Some(revision) if !revision.allows_batches() => Some(Violation::new(
            Rule::BatchNotAllowed,
            format!("a batch, which revision {revision} does not allow (only 2025-03-26 does)"),
        )),
        _ => None,
    }
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
        methods::TOOLS_LIST
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

/// Why a client must refuse an input request: its capability was not declared. Code and message of the error.
#[must_use]
pub fn undeclared_input(
    declared: &ClientCapabilities,
    method: &str,
    params: Option<&str>,
) -> Option<(i64, String)> {
    let capability = match method {
        methods::SAMPLING_CREATE_MESSAGE => "sampling",
        methods::ELICITATION_CREATE => "elicitation",
        methods::ROOTS_LIST => "roots",
        _ => {
            return Some((
                error_codes::METHOD_NOT_FOUND,
                format!("Method not found: {method}"),
            ));
        }
    };
    let declared = ServerCapabilities::new(declared.value(capability).unwrap_or("null"));
    if json::kind(&declared.raw) != json::Kind::Object {
        let words = format!("Method not found: {method}; this client did not declare `{capability}`");
        return Some((error_codes::METHOD_NOT_FOUND, words));
    }
    let part = match method {
        // `{}` means forms (2025-11-25, client/elicitation, "Capabilities").
        methods::ELICITATION_CREATE => match Elicitation::parse(params).mode {
            Some(ElicitationMode::Url) => "url",
            Some(ElicitationMode::Form) if declared.has("url") => "form",
            Some(ElicitationMode::Form) => return None,
            None => {
                let words = "Invalid params: unknown `mode` of elicitation";
                return Some((error_codes::INVALID_PARAMS, words.to_owned()));
            }
        },
        methods::SAMPLING_CREATE_MESSAGE if Sampling::parse(params).tools => "tools",
        _ => return None,
    };
    (!declared.has(part)).then(|| {
        let words = format!("Invalid params: this client did not declare `{capability}.{part}`");
        (error_codes::INVALID_PARAMS, words)
    })
}

/// What was negotiated on a connection, and the progress of its handshake.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    agreed: Option<Agreed>,
    initialized: bool,
    /// Modern requests that are pending and asked for log messages.
    listeners: HashSet<RequestId>,
}

#[derive(Debug, Clone)]
struct Agreed {
    era: Era,
    server: ServerCapabilities<'static>,
    client: ServerCapabilities<'static>,
}

impl Conversation {
    /// For a new connection. Until [`Self::agree`] only the order of the handshake is checked.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Completes the handshake. Capabilities are JSON texts of objects.
    pub fn agree(&mut self, era: Era, server_capabilities: &str, client_capabilities: &str) {
        let owned = |text: &str| ServerCapabilities {
            raw: text.to_owned().into(),
        };
        self.agreed = Some(Agreed {
            era,
            server: owned(server_capabilities),
            client: owned(client_capabilities),
        });
    }

    /// Processes a message, in the order of the wire, and returns its violations of what was negotiated.
    pub fn observe(&mut self, direction: Direction, message: &Message<'_>) -> Vec<Violation> {
        match (direction, message) {
            (Direction::ServerToClient, Message::Request { method, .. }) => self.server_request(method),
            (Direction::ServerToClient, Message::Notification { method, params }) => {
                self.server_notification(method, *params)
            }
            (Direction::ServerToClient, Message::Response { id: Some(id), .. }) => {
                self.listeners.remove(id);
                Vec::new()
            }
            (Direction::ClientToServer, Message::Request { id, method, params }) => {
                self.client_request(id, method, *params)
            }
            (Direction::ClientToServer, Message::Notification { method, .. }) => {
                self.initialized |= *method == methods::INITIALIZED;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn era(&self) -> Option<Era> {
        self.agreed.as_ref().map(|agreed| agreed.era)
    }

    fn server_request(&self, method: &str) -> Vec<Violation> {
        if self.era() == Some(Era::Modern) {
            let message =
                format!("a request ({method}) from the server, which the modern era does not allow");
            return vec![Violation::new(Rule::WrongEra, message)];
        }
        let mut violations = Vec::new();
        if !self.initialized && method != methods::PING {
            let message = format!("{method} before the client sent `notifications/initialized`");
            violations.push(Violation::new(Rule::BeforeInitialized, message));
        }
        let needed = match method {
            methods::SAMPLING_CREATE_MESSAGE => Some("sampling"),
            methods::ELICITATION_CREATE => Some("elicitation"),
            methods::ROOTS_LIST => Some("roots"),
            _ => None,
        };
        if let (Some(needed), Some(agreed)) = (needed, &self.agreed)
            && !agreed.client.has(needed)
        {
            let message = format!("{method}, but the client did not declare `{needed}`");
            violations.push(Violation::new(Rule::UndeclaredCapability, message));
        }
        violations
    }

    fn server_notification(&self, method: &str, params: Option<&str>) -> Vec<Violation> {
        let Some(agreed) = &self.agreed else {
            return Vec::new();
        };
        let server = &agreed.server;
        let mut violations = Vec::new();
        let missing = match method {
            methods::TOOLS_LIST_CHANGED if !server.has_part("tools", "listChanged") => {
                Some("tools.listChanged")
            }
            methods::PROMPTS_LIST_CHANGED if !server.has_part("prompts", "listChanged") => {
                Some("prompts.listChanged")
            }
            methods::RESOURCES_LIST_CHANGED if !server.has_part("resources", "listChanged") => {
                Some("resources.listChanged")
            }
            methods::RESOURCES_UPDATED if !server.has_part("resources", "subscribe") => {
                Some("resources.subscribe")
            }
            methods::MESSAGE if !server.has("logging") => Some("logging"),
            _ => None,
        };
        if let Some(missing) = missing {
            let message = format!("{method}, but the server did not declare `{missing}`");
            violations.push(Violation::new(Rule::UndeclaredCapability, message));
        }
        if agreed.era == Era::Modern {
            let subscribed = matches!(
                method,
                methods::TOOLS_LIST_CHANGED
                    | methods::PROMPTS_LIST_CHANGED
                    | methods::RESOURCES_LIST_CHANGED
                    | methods::RESOURCES_UPDATED
                    | methods::SUBSCRIPTIONS_ACKNOWLEDGED
            );
            if subscribed && meta::subscription_id(params).is_none() {
                let message = format!("{method} does not say which subscription it belongs to");
                let pointer = format!("/params/_meta/{}", meta::SUBSCRIPTION_ID.replace('/', "~1"));
                violations.push(Violation::at(Rule::SubscriptionIdMissing, pointer, message));
            }
            if method == methods::MESSAGE && self.listeners.is_empty() {
                let message = "a log message, but no pending request asked for a log level";
                violations.push(Violation::new(Rule::LogUninvited, message));
            }
        }
        violations
    }

    fn client_request(&mut self, id: &RequestId, method: &str, params: Option<&str>) -> Vec<Violation> {
        let mut violations = Vec::new();
        let Some(agreed) = &self.agreed else {
            return violations;
        };
        let needed = match method.split_once('/') {
            Some(("tools", _)) => Some("tools"),
            Some(("prompts", _)) => Some("prompts"),
            Some(("resources", _)) => Some("resources"),
            Some(("completion", _)) => Some("completions"),
            Some(("logging", _)) => Some("logging"),
            _ => None,
        };
        if let Some(needed) = needed
            && !agreed.server.has(needed)
        {
            let message = format!("{method}, but the server did not declare `{needed}`");
            violations.push(Violation::new(Rule::UndeclaredCapability, message));
        }
        if agreed.era == Era::Modern {
            for name in [meta::PROTOCOL_VERSION, meta::CLIENT_CAPABILITIES] {
                if meta::member(params, name).is_none() {
                    let message = format!("the request has no `{name}` in its `_meta`");
                    violations.push(Violation::at(Rule::MetaMissing, "/params/_meta", message));
                }
            }
            if meta::member(params, meta::LOG_LEVEL).is_some() {
                self.listeners.insert(id.clone());
            }
        } else if !self.initialized && method != methods::PING && method != methods::INITIALIZE {
            let message = format!("{method} before `notifications/initialized`");
            violations.push(Violation::new(Rule::BeforeInitialized, message));
        }
        violations
    }
}

#[cfg(test)]
mod tests;
