//! How to connect.

use std::time::Duration;

use patchbay_transport::StdioConfig;

/// Which era to speak.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EraChoice {
    /// `server/discover` first (a visible probe), `initialize` in a fresh process if that fails.
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
    /// Whether a progress notification starts `request` anew.
    pub reset_on_progress: bool,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            request: Duration::from_secs(60),
            max_total: Duration::from_secs(600),
            reset_on_progress: true,
        }
    }
}

/// What we say of ourselves (`clientInfo`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientInfo {
    /// For programs.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// Our version.
    pub version: String,
}

/// How to connect to one server.
#[derive(Debug, Clone)]
pub struct ConnectOptions {
    /// The configured server's id, for the log.
    pub server_id: String,
    /// Its name, for the log.
    pub server_name: String,
    /// Which era to speak.
    pub era: EraChoice,
    /// How to start it.
    pub stdio: StdioConfig,
    /// Time-outs of requests that bring none of their own, and of the handshake.
    pub timeouts: Timeouts,
    /// What we say of ourselves.
    pub client_info: ClientInfo,
}
