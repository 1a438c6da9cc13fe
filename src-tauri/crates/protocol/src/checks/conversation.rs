//! What was negotiated on a connection, and the messages that do not fit it.

use super::declared::Declared;
use super::levels::Levels;
use super::missing_capability;
use crate::message::{Message, Outcome};
use crate::shapes;
use crate::views::{ClientCapabilities, LogLevel, NotificationView};
use crate::{Direction, Era, RequestId, Revision, Rule, Violation, json, meta, methods};

/// What carried a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier<'a> {
    /// A pipe: messages arrive in the order in which they were sent.
    Pipe,
    /// The HTTP response to this request of the client.
    Response(&'a RequestId),
    /// Another HTTP exchange.
    Stream,
}

/// What was negotiated on a connection, and the progress of its handshake.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    agreed: Option<Agreed>,
    /// The `initialize` that is not answered.
    initialize: Option<RequestId>,
    initialized: bool,
    levels: Levels,
    /// The level that `logging/setLevel` set (legacy era). It counts from the response on.
    level: Option<LogLevel>,
    setting: Option<(RequestId, LogLevel)>,
}

#[derive(Debug, Clone)]
struct Agreed {
    revision: Revision,
    server: Declared,
    client: ClientCapabilities,
    of_client: Declared,
}

impl Conversation {
    /// For a new connection. Until [`Self::agree`] only the order of the handshake is checked.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Completes the handshake. The server's capabilities are the JSON text of an object.
    pub fn agree(&mut self, revision: Revision, server: &str, client: &ClientCapabilities) {
        self.agreed = Some(Agreed {
            revision,
            server: Declared::of(server),
            client: client.clone(),
            of_client: Declared::of(&client.to_json()),
        });
    }

    /// Processes a message, in the order of the wire, and returns its violations of what was negotiated.
    pub fn observe(
        &mut self,
        direction: Direction,
        message: &Message<'_>,
        view: &NotificationView<'_>,
        carrier: Carrier<'_>,
    ) -> Vec<Violation> {
        match (direction, message) {
            (Direction::ServerToClient, Message::Request { method, params, .. }) => {
                self.server_request(method, *params)
            }
            (Direction::ServerToClient, Message::Notification { method, params }) => {
                let mut violations = self.server_notification(method, *params);
                if let NotificationView::Log(log) = view {
                    violations.extend(self.log(log.level, carrier));
                }
                violations
            }
            (
                Direction::ServerToClient,
                Message::Response {
                    id: Some(id),
                    outcome,
                },
            ) => {
                self.answered(id, outcome);
                Vec::new()
            }
            (Direction::ClientToServer, Message::Request { id, method, params }) => {
                self.client_request(id, method, *params)
            }
            (Direction::ClientToServer, Message::Notification { method, .. }) => {
                self.initialized |= *method == methods::INITIALIZED;
                if let NotificationView::Cancelled(cancelled) = view
                    && let Some(id) = &cancelled.request_id
                {
                    self.cancelled(id);
                }
                self.client_notification(method)
            }
            _ => Vec::new(),
        }
    }

    /// Records that the client cancelled or abandoned a request.
    pub fn cancelled(&mut self, id: &RequestId) {
        self.levels.cancelled(id);
    }

    fn is_modern(&self) -> bool {
        let agreed = self.agreed.as_ref();
        agreed.is_some_and(|agreed| agreed.revision.era() == Era::Modern)
    }

    fn misuse(&self, direction: Direction, method: &str, has_id: bool) -> Option<Violation> {
        let revision = self.agreed.as_ref()?.revision;
        shapes::misuse(revision, direction, method, has_id)
    }

    fn answered(&mut self, id: &RequestId, outcome: &Outcome<'_>) {
        self.levels.answered(id);
        self.initialize.take_if(|initialize| initialize == id);
        if let Some((_, level)) = self.setting.take_if(|(setting, _)| setting == id)
            && matches!(outcome, Outcome::Result(_))
        {
            self.level = Some(level);
            if !self.is_modern() {
                // What the server sent for a request that is pending may be of either level.
                self.levels.lower(level);
            }
        }
    }

    fn server_request(&self, method: &str, params: Option<&str>) -> Vec<Violation> {
        if self.is_modern() {
            let message =
                format!("a request ({method}) from the server, which the modern era does not allow");
            return vec![Violation::new(Rule::WrongEra, message)];
        }
        let mut violations: Vec<_> = self
            .misuse(Direction::ServerToClient, method, true)
            .into_iter()
            .collect();
        if !self.initialized && method != methods::PING {
            let message = format!("{method} before the client sent `notifications/initialized`");
            violations.push(Violation::new(Rule::BeforeInitialized, message));
        }
        if let Some(agreed) = &self.agreed
            && let Some(missing) = missing_capability(&agreed.client, method, params)
            // Parts of capabilities exist since 2025-11-25.
            && (agreed.revision >= Revision::V2025_11_25 || !missing.contains('.'))
        {
            let message = format!("{method}, but the client did not declare `{missing}`");
            violations.push(Violation::new(Rule::UndeclaredCapability, message));
        }
        violations
    }

    fn server_notification(&self, method: &str, params: Option<&str>) -> Vec<Violation> {
        let Some(agreed) = &self.agreed else {
            return Vec::new();
        };
        let mut violations: Vec<_> = self
            .misuse(Direction::ServerToClient, method, false)
            .into_iter()
            .collect();
        let needed = match method {
            methods::TOOLS_LIST_CHANGED => Some("tools.listChanged"),
            methods::PROMPTS_LIST_CHANGED => Some("prompts.listChanged"),
            methods::RESOURCES_LIST_CHANGED => Some("resources.listChanged"),
            methods::RESOURCES_UPDATED => Some("resources.subscribe"),
            methods::MESSAGE => Some("logging"),
            _ => None,
        };
        if let Some(missing) = needed.filter(|needed| !agreed.server.has(needed)) {
            let message = format!("{method}, but the server did not declare `{missing}`");
            violations.push(Violation::new(Rule::UndeclaredCapability, message));
        }
        let subscribed = matches!(
            method,
            methods::TOOLS_LIST_CHANGED
                | methods::PROMPTS_LIST_CHANGED
                | methods::RESOURCES_LIST_CHANGED
                | methods::RESOURCES_UPDATED
                | methods::SUBSCRIPTIONS_ACKNOWLEDGED
                | methods::TASKS
        );
        if self.is_modern() && subscribed && meta::subscription_id(params).is_none() {
            let message = format!("{method} does not say which subscription it belongs to");
            let pointer = format!("/params/_meta/{}", meta::SUBSCRIPTION_ID.replace('/', "~1"));
            violations.push(Violation::at(Rule::SubscriptionIdMissing, pointer, message));
        }
        violations
    }

    /// Whether a log message was asked for. Over HTTP, only a message in the response of a request certainly came after the
    /// level of that request was known.
    fn log(&self, sent: Option<LogLevel>, carrier: Carrier<'_>) -> Option<Violation> {
        let wanted = match carrier {
            // While another level is being set, which one is in force is not known.
            _ if !self.is_modern() && self.setting.is_some() => None,
            // It may be for a request whose level is not remembered.
            _ if !self.levels.is_complete() => return None,
            Carrier::Response(id) => self.levels.of(id),
            // Which request it belongs to is not said: the lowest level of all.
            Carrier::Pipe if self.is_modern() => self.levels.lowest(),
            Carrier::Pipe => self.level,
            Carrier::Stream => None,
        };
        if self.is_modern() && wanted.is_none() && carrier != Carrier::Stream {
            let message = match carrier {
                Carrier::Response(_) => "a log message, but its request asked for none, or is a subscription",
                _ => "a log message, but no pending request asked for a log level",
            };
            return Some(Violation::new(Rule::LogUninvited, message));
        }
        let (sent, wanted) = (sent?, wanted?);
        (sent < wanted).then(|| {
            let message = format!(
                "a log message of level {}, but the client asked for {} and above",
                sent.as_str(),
                wanted.as_str()
            );
            Violation::at(Rule::LogBelowLevel, "/params/level", message)
        })
    }

    fn client_request(&mut self, id: &RequestId, method: &str, params: Option<&str>) -> Vec<Violation> {
        let mut violations: Vec<_> = self
            .misuse(Direction::ClientToServer, method, true)
            .into_iter()
            .collect();
        self.remember_level(id, method, params);
        let Some(agreed) = &self.agreed else {
            if method == methods::INITIALIZE {
                self.initialize = Some(id.clone());
            } else if self.initialize.is_some() && method != methods::PING {
                let message = format!("{method} before `initialize` was answered");
                violations.push(Violation::new(Rule::BeforeInitialized, message));
            }
            return violations;
        };
        if let Some(needed) = needed_by(method, agreed.revision)
            && !agreed.server.has(needed)
        {
            // What lacks the whole does not need the part.
            let whole = needed.split('.').next().filter(|whole| !agreed.server.has(whole));
            let message = format!(
                "{method}, but the server did not declare `{}`",
                whole.unwrap_or(needed)
            );
            violations.push(Violation::new(Rule::UndeclaredCapability, message));
        }
        if self.is_modern() {
            for name in [meta::PROTOCOL_VERSION, meta::CLIENT_CAPABILITIES] {
                if meta::member(params, name).is_none() {
                    let message = format!("the request has no `{name}` in its `_meta`");
                    violations.push(Violation::at(Rule::MetaMissing, "/params/_meta", message));
                }
            }
        } else if !self.initialized && method != methods::PING && method != methods::INITIALIZE {
            let message = format!("{method} before `notifications/initialized`");
            violations.push(Violation::new(Rule::BeforeInitialized, message));
        }
        violations
    }

    fn remember_level(&mut self, id: &RequestId, method: &str, params: Option<&str>) {
        let level = |text: &str| LogLevel::parse(&json::string(text)?);
        if method == methods::LOGGING_SET_LEVEL {
            let params = params.and_then(|params| json::Object::parse(params).ok());
            let asked = params.and_then(|params| level(params.get("level")?));
            self.setting = asked.map(|level| (id.clone(), level));
        }
        let of_request = match self.is_modern() {
            // A subscription has no log messages, whatever its request asks for.
            true if method == methods::SUBSCRIPTIONS_LISTEN => None,
            true => meta::member(params, meta::LOG_LEVEL).and_then(level),
            // While another level is being set, which one is in force is not known.
            false => self.level.filter(|_| self.setting.is_none()),
        };
        self.levels.sent(id, of_request);
    }

    fn client_notification(&self, method: &str) -> Vec<Violation> {
        let mut violations: Vec<_> = self
            .misuse(Direction::ClientToServer, method, false)
            .into_iter()
            .collect();
        if let Some(agreed) = &self.agreed
            && method == methods::ROOTS_LIST_CHANGED
            && !agreed.of_client.has("roots.listChanged")
        {
            let message = format!("{method}, but the client did not declare `roots.listChanged`");
            violations.push(Violation::new(Rule::UndeclaredCapability, message));
        }
        violations
    }
}

/// The capability that a server must have declared for a request of the client: `resources`, or a part such as
/// `resources.subscribe`.
fn needed_by(method: &str, revision: Revision) -> Option<&'static str> {
    Some(match method {
        methods::RESOURCES_SUBSCRIBE | methods::RESOURCES_UNSUBSCRIBE => "resources.subscribe",
        // In the modern era they belong to an extension.
        methods::TASKS_GET | methods::TASKS_RESULT if revision == Revision::V2025_11_25 => "tasks",
        methods::TASKS_LIST if revision == Revision::V2025_11_25 => "tasks.list",
        methods::TASKS_CANCEL if revision == Revision::V2025_11_25 => "tasks.cancel",
        _ => match method.split_once('/')?.0 {
            "tools" => "tools",
            "prompts" => "prompts",
            "resources" => "resources",
            // 2024-11-05 has completion, but no capability for it.
            "completion" if revision >= Revision::V2025_03_26 => "completions",
            "logging" => "logging",
            _ => return None,
        },
    })
}
