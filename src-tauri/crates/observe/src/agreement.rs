//! What client and server negotiated in their handshake: era, revision, capabilities.

use patchbay_protocol::{
    Direction, Era, Negotiated, Revision, Violation,
    checks::Conversation,
    json::{self, Object},
    message::{Message, Outcome},
    meta::{self, ProbeVerdict, probe_verdict},
    methods, negotiate,
    views::{ClientCapabilities, DiscoverResult, InitializeResult, TASKS_EXTENSION},
};

/// The negotiated parameters so far. Empty before the handshake.
#[derive(Debug, Default)]
pub(crate) struct Agreement {
    pub(crate) era: Option<Era>,
    pub(crate) revision: Option<Revision>,
    /// Whether both sides declared the extension for tasks.
    pub(crate) tasks: bool,
    /// The capabilities that the client declared in the handshake.
    pub(crate) client: Option<ClientCapabilities>,
}

impl Agreement {
    pub(crate) fn is_modern(&self) -> bool {
        self.era == Some(Era::Modern)
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
        self.client = declared.map(capabilities);
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
                let view = InitializeResult::parse(result);
                if let Negotiated::Agreed(revision) = negotiate(Era::Legacy, &[&*view.protocol_version]) {
                    self.agree(Era::Legacy, revision, &view.capabilities.raw, conversation);
                }
                view.violations
            }
            (methods::SERVER_DISCOVER, Outcome::Result(result)) => {
                let ProbeVerdict::Modern { versions } = probe_verdict(outcome) else {
                    return Vec::new();
                };
                let Negotiated::Agreed(revision) = negotiate(Era::Modern, &versions) else {
                    return Vec::new();
                };
                let view = DiscoverResult::parse(result);
                self.agree(Era::Modern, revision, &view.capabilities.raw, conversation);
                view.violations
            }
            _ => Vec::new(),
        }
    }

    fn agree(&mut self, era: Era, revision: Revision, server: &str, conversation: &mut Conversation) {
        let client = self.client.clone().unwrap_or_else(ClientCapabilities::none);
        let client_text = client.to_json();
        conversation.agree(era, server, &client_text);
        self.tasks = declares(&client_text, TASKS_EXTENSION) && declares(server, TASKS_EXTENSION);
        self.era = Some(era);
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

fn capabilities(text: &str) -> ClientCapabilities {
    let Ok(object) = Object::parse(text) else {
        return ClientCapabilities::none();
    };
    object
        .iter()
        .fold(ClientCapabilities::none(), |all, (name, value)| {
            all.with(name, value)
        })
}

fn declares(capabilities: &str, extension: &str) -> bool {
    Object::parse(capabilities)
        .ok()
        .and_then(|all| Object::parse(all.get("extensions")?).ok())
        .and_then(|extensions| extensions.get(extension))
        .is_some_and(|value| json::kind(value) == json::Kind::Object)
}
