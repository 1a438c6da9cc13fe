//! How to connect.

use std::{sync::Arc, time::Duration};

use patchbay_protocol::{Era, limits::Limits, views::ClientCapabilities};
use patchbay_traffic::{OperationId, Origin};
use patchbay_transport::{Connector, Dialect};
use tokio::sync::mpsc;

use crate::InputRequest;

/// Which era to speak.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EraChoice {
    /// `server/discover` first (a visible probe), then `initialize` if that fails: over stdio in the same process, or in a fresh one if that ended.
    #[default]
    Auto,
    /// `initialize` only; never probes.
    Legacy,
    /// `server/discover` only.
    Modern,
}

/// How long a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// How long a request may be silent.
    pub request: Duration,
    /// How long it may take at most, whatever progress comes.
    pub max_total: Duration,
    /// Whether a progress notification starts `request` again.
    pub reset_on_progress: bool,
    /// Whether the time in which the server waits for input of people counts too.
    pub count_input_wait: bool,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            request: Duration::from_secs(60),
            max_total: Duration::from_secs(600),
            reset_on_progress: true,
            count_input_wait: false,
        }
    }
}

/// What we send as `clientInfo`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientInfo {
    /// For programs.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// Our version.
    pub version: String,
}

/// What was found out about a server's era, to be remembered and given back at the next connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Its era.
    pub era: Era,
    /// How it wants to be spoken to; of stdio no more than the era.
    pub dialect: Dialect,
}

/// How to connect to one server.
#[derive(Clone)]
pub struct ConnectOptions {
    /// The configured server's id, for the log.
    pub server_id: String,
    /// Who opens the connection, as the traffic log names it.
    pub origin: Origin,
    /// Its name, for the log.
    pub server_name: String,
    /// How it is reached.
    pub connector: Arc<dyn Connector>,
    /// Which era to speak.
    pub era: EraChoice,
    /// What an earlier connection found out: tried first where `era` leaves the choice.
    pub remembered: Option<Verdict>,
    /// Timeouts of requests that bring none of their own, and of the handshake.
    pub timeouts: Timeouts,
    /// What we send as `clientInfo`.
    pub client_info: ClientInfo,
    /// The revision to offer, sent as it is; none for the newest one of the era.
    pub offered_revision: Option<String>,
    /// Whether to go on with a revision of the server's that is not known.
    pub any_revision: bool,
    /// What we declare, exactly, in the revisions that have it. Nothing is declared that `inputs` could not answer: that is the caller's promise.
    pub capabilities: ClientCapabilities,
    /// Who answers sampling, elicitation and roots; without it all are refused.
    pub inputs: Option<mpsc::Sender<InputRequest>>,
    /// What the connection may cost.
    pub limits: Limits,
    /// How often to ping a server of the legacy era; never without it.
    pub health_ping: Option<Duration>,
    /// The operation of connecting. The handshake of every era that is tried is recorded as part of it, with the HTTP
    /// exchanges and the authorization that it causes.
    pub operation: Option<OperationId>,
}

impl ConnectOptions {
    /// With nothing declared, nothing remembered, and the usual timeouts.
    pub fn new(
        server_id: impl Into<String>,
        server_name: impl Into<String>,
        connector: Arc<dyn Connector>,
        client_info: ClientInfo,
    ) -> Self {
        Self {
            server_id: server_id.into(),
            origin: Origin::Client,
            server_name: server_name.into(),
            connector,
            era: EraChoice::Auto,
            remembered: None,
            timeouts: Timeouts::default(),
            client_info,
            offered_revision: None,
            any_revision: false,
            capabilities: ClientCapabilities::none(),
            inputs: None,
            limits: Limits::default(),
            health_ping: None,
            operation: None,
        }
    }
}

impl std::fmt::Debug for ConnectOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ConnectOptions")
            .field("server_id", &self.server_id)
            .field("era", &self.era)
            .finish_non_exhaustive()
    }
}
