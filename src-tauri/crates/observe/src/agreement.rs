//! What client and server negotiated in their handshake: era, revision, capabilities.

use std::sync::Arc;

use patchbay_protocol::{
    Direction, Era, Negotiated, Revision, Rule, Violation,
    checks::Conversation,
    json::{self, Object},
    message::{Message, Outcome},
    meta::{self, ProbeVerdict, probe_verdict},
    methods, negotiate, shapes,
    views::{ClientCapabilities, DiscoverResult, InitializeResult, TASKS_EXTENSION},
};

use crate::{
    requests::{self, Request},
    results::below_result,
};

/// The negotiated parameters so far. Empty before the handshake.
#[derive(Debug, Default)]
pub(crate) struct Agreement {
    pub(crate) era: Option<Era>,
    pub(crate) revision: Option<Revision>,
    /// Whether both sides declared the extension for tasks in the handshake.
    tasks: bool,
    /// Whether the server did.
    server_tasks: bool,
    /// Whether the handshake is not known, so that nothing counts as not declared.
    is_assumed: bool,
    /// The capabilities that the client declared in the handshake.
    pub(crate) client: Option<ClientCapabilities>,
}

impl Agreement {
    pub(crate) fn is_modern(&self) -> bool {
        self.era == Some(Era::Modern)
    }

    /// The capabilities that the client declared in a request that the server may answer with a task, or with requests for input.
    /// In the modern era each request has its own.
    pub(crate) fn client_of(&self, method: &str, params: Option<&str>) -> Option<Arc<ClientCapabilities>> {
        if !(self.is_modern() && (requests::may_nest(method) || method == methods::TASKS_GET)) {
            return None;
        }
        let declared = meta::member(params, meta::CLIENT_CAPABILITIES)?;
        Some(Arc::new(ClientCapabilities::parse(declared)))
    }

    /// Whether a request may be answered with a task: both sides declared the extension.
    pub(crate) fn has_tasks(&self, request: &Request) -> bool {
        match &request.client {
            _ if self.is_assumed => true,
            Some(client) => self.server_tasks && declares(&client.to_json(), TASKS_EXTENSION),
            None => self.tasks,
        }
    }

    /// Reads the client's declarations from a handshake request.
    pub(crate) fn requested(&mut self, method: &str, params: Option<&str>) {
        let declared = match method {
            methods::INITIALIZE => params
                .and_then(|params| Object::parse(params).ok())
                .and_then(|params| params.get("capabilities")),
            methods::SERVER_DISCOVER => meta::member(params, meta::CLIENT_CAPABILITIES),
            _ => return,
        };
        self.client = declared.map(ClientCapabilities::parse);
    }

    /// Adds the violations of params. Before the handshake, those of its own requests.
    pub(crate) fn shape(&self, method: &str, params: Option<&str>, violations: &mut Vec<Violation>) {
        let revision = match method {
            methods::INITIALIZE => Some(Revision::LATEST_LEGACY),
            methods::SERVER_DISCOVER => Some(Revision::LATEST_MODERN),
            _ => self.revision,
        };
        if let Some(revision) = revision {
            shapes::drop_absent(revision, method, violations);
            shapes::add(revision, violations, shapes::params(revision, method, params));
        }
    }

    /// Adds the violations of an error, and of a result of the client. A result of the server is examined later.
    pub(crate) fn shape_answer(
        &self,
        from_server: bool,
        method: Option<&str>,
        outcome: &Outcome<'_>,
        violations: &mut Vec<Violation>,
    ) {
        let Some(revision) = self.revision else {
            return;
        };
        let found = match (outcome, method) {
            (Outcome::Error(error), _) => shapes::error(revision, error),
            (Outcome::Result(result), Some(method)) if !from_server => {
                shapes::result(revision, method, result)
            }
            _ => return,
        };
        shapes::add(revision, violations, found);
    }

    /// Reads the response to a handshake request and returns its violations.
    pub(crate) fn answered(
        &mut self,
        method: &str,
        outcome: &Outcome<'_>,
        conversation: &mut Conversation,
    ) -> Vec<Violation> {
        match (method, outcome) {
            (methods::INITIALIZE, Outcome::Result(result)) => {
                let mut view = InitializeResult::parse(result);
                let revision = match negotiate(Era::Legacy, &[&*view.protocol_version]) {
                    Negotiated::Agreed(revision) => Some(revision),
                    Negotiated::Refused { .. } if view.protocol_version.is_empty() => None,
                    // A client that goes on nevertheless can only be judged by a revision that is known.
                    Negotiated::Refused { .. } => {
                        let what = match Revision::parse(&view.protocol_version) {
                            Some(_) => "has no initialize",
                            None => "is not known",
                        };
                        let message = format!("revision {:?}, which {what}", view.protocol_version);
                        let found = Violation::at(Rule::RevisionUnknown, "/protocolVersion", message);
                        view.violations.push(found);
                        Some(Revision::LATEST_LEGACY)
                    }
                };
                if let Some(revision) = revision {
                    self.agree(revision, &view.capabilities.raw, conversation);
                }
                self.shaped(method, result, view.violations)
            }
            (methods::SERVER_DISCOVER, Outcome::Result(result)) => {
                let ProbeVerdict::Modern { versions } = probe_verdict(outcome) else {
                    return Vec::new();
                };
                let mut view = DiscoverResult::parse(result);
                let revision = match negotiate(Era::Modern, &versions) {
                    Negotiated::Agreed(revision) => revision,
                    // A server of legacy revisions, which follow with `initialize`.
                    Negotiated::Refused { .. }
                        if matches!(negotiate(Era::Legacy, &versions), Negotiated::Agreed(_)) =>
                    {
                        return Vec::new();
                    }
                    Negotiated::Refused { .. } => {
                        let message = "none of the supported revisions is known";
                        let found = Violation::at(Rule::RevisionUnknown, "/supportedVersions", message);
                        view.violations.push(found);
                        Revision::LATEST_MODERN
                    }
                };
                self.agree(revision, &view.capabilities.raw, conversation);
                self.shaped(method, result, view.violations)
            }
            _ => Vec::new(),
        }
    }

    /// The violations of a handshake's result, with pointers into the message.
    fn shaped(&self, method: &str, result: &str, found: Vec<Violation>) -> Vec<Violation> {
        let mut violations = below_result(found);
        if let Some(revision) = self.revision {
            shapes::drop_absent(revision, method, &mut violations);
            shapes::add(
                revision,
                &mut violations,
                shapes::result(revision, method, result),
            );
        }
        violations
    }

    /// Takes a revision as negotiated, without knowing what was declared.
    pub(crate) fn assume(&mut self, revision: Revision, conversation: &mut Conversation) {
        self.agree(revision, "{}", conversation);
        self.is_assumed = true;
    }

    fn agree(&mut self, revision: Revision, server: &str, conversation: &mut Conversation) {
        let client = self.client.clone().unwrap_or_else(ClientCapabilities::none);
        conversation.agree(revision, server, &client);
        self.is_assumed = false;
        self.server_tasks = declares(server, TASKS_EXTENSION);
        self.tasks = self.server_tasks && declares(&client.to_json(), TASKS_EXTENSION);
        self.era = Some(revision.era());
        self.revision = Some(revision);
    }
}

/// Whether a message restarts the connection: a legacy handshake, in a new process or session.
pub(crate) fn restarts(direction: Direction, message: &Message<'_>) -> bool {
    matches!(
        (direction, message),
        (Direction::ClientToServer, Message::Request { method, .. }) if *method == methods::INITIALIZE
    )
}

fn declares(capabilities: &str, extension: &str) -> bool {
    Object::parse(capabilities)
        .ok()
        .and_then(|all| Object::parse(all.get("extensions")?).ok())
        .and_then(|extensions| extensions.get(extension))
        .is_some_and(|value| json::kind(value) == json::Kind::Object)
}
