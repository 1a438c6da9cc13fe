//! Connections: one lifetime of our client with one server.

use serde::{Deserialize, Serialize};

use crate::{ConnectionId, PathInfo, Seq, ServerId};

/// Where a connection is in its life.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ConnectionState {
    /// Never connected since the start of the app.
    #[default]
    Idle,
    /// The process is being started.
    Connecting,
    /// An OAuth run is under way.
    Authorizing,
    /// `server/discover` or `initialize` is under way.
    Negotiating,
    /// Requests can be sent.
    Ready,
    /// Being shut down.
    Closing,
    /// Shut down by the user.
    Closed,
    /// Could not be made, or broke; `failure` says why.
    Failed,
}

/// Which family of revisions a connection speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Era {
    /// Up to 2025-11-25: `initialize`.
    Legacy,
    /// From 2026-07-28: stateless, `server/discover`.
    Modern,
}

/// A connection as the rail shows it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionItem {
    /// None while `Idle`.
    pub connection_id: Option<ConnectionId>,
    /// Where it is in its life.
    pub state: ConnectionState,
    /// Known from `Ready` on.
    pub era: Option<Era>,
    /// The negotiated revision, e.g. `2025-11-25`.
    pub revision: Option<String>,
    /// The server's own name and version.
    pub server: Option<ImplementationItem>,
    /// Why it failed.
    pub failure: Option<FailureItem>,
    /// Violations recorded on this connection.
    pub problem_count: u32,
    /// Requests of ours that wait for an answer.
    pub pending_count: u32,
    /// When this state began, in ms since the Unix epoch.
    pub since_at_ms: f64,
}

/// `serverInfo` or `clientInfo`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImplementationItem {
    /// For programs.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// Its version, if it said one.
    pub version: Option<String>,
}

/// A failure in words: which step, what happened, what to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FailureItem {
    /// The step: `Start the program`, `Discover`, `Initialize`, `Read from the server` …
    pub step: String,
    /// What came back, in a sentence.
    pub cause: String,
    /// What to do next, in a sentence.
    pub next: String,
    /// More, where there is more (system error, server's answer, last stderr lines).
    pub detail: Option<String>,
}

/// The process of a stdio server, as it was really started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProcessItem {
    /// As configured.
    pub command: String,
    /// The file that was run; none if it was not found.
    pub resolved: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder it was started in.
    pub cwd: String,
    /// The PATH it got.
    pub path: PathInfo,
    /// Names of the variables set for this server (values may be secret).
    pub env_names: Vec<String>,
    /// Its process id while it runs or when it ended.
    pub pid: Option<u32>,
    /// `exit code 1`, `signal 9 (SIGKILL)`; none while it runs.
    pub exit: Option<String>,
}

/// How the era was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EraVerdict {
    /// A sentence: `server/discover answered` or `server/discover answered -32601 Method not found; initialize in a fresh process`.
    pub reason: String,
    /// The probe's request, if one was sent.
    pub probe_seq: Option<Seq>,
}

/// Parameters of `connection_open`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionOpenParams {
    /// Which server.
    pub server_id: ServerId,
}

/// Parameters of `connection_close`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionCloseParams {
    /// Which server.
    pub server_id: ServerId,
}

/// Parameters of `connection_restart`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionRestartParams {
    /// Which server.
    pub server_id: ServerId,
}

/// Parameters of `connection_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionGetParams {
    /// Which server.
    pub server_id: ServerId,
}

/// Answer of `connection_get`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionGetResponse {
    /// As in the rail.
    pub connection: ConnectionItem,
    /// The process; none before the first start.
    pub process: Option<ProcessItem>,
    /// How the era was found.
    pub era_verdict: Option<EraVerdict>,
    /// Revisions the server said it supports (modern era).
    pub supported_versions: Vec<String>,
    /// What the server declared, exactly as received.
    pub server_capabilities_json: Option<String>,
    /// What we declared.
    pub client_capabilities_json: Option<String>,
    /// The whole answer to `initialize` or `server/discover`, exactly as received.
    pub handshake_result_json: Option<String>,
    /// Where that answer stands in the log.
    pub handshake_seq: Option<Seq>,
    /// The server's instructions to the model.
    pub instructions: Option<String>,
    /// The last stderr lines (at most 20) as text.
    pub stderr_tail: Vec<String>,
}

/// Parameters of `connection_ping`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionPingParams {
    /// Which server.
    pub server_id: ServerId,
}

/// Answer of `connection_ping`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionPingResponse {
    /// How long the server took.
    pub duration_ms: f64,
}
