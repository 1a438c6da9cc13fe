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
    /// The step: `Start the program`, `Discover`, `Initialize`, `Connection lost` …
    pub step: String,
    /// What came back, in a sentence.
    pub cause: String,
    /// What to do next, in a sentence.
    pub next: String,
    /// More, where there is more (system error, server's answer, last stderr lines).
    pub detail: Option<String>,
    /// The HTTP status the server answered with; 401 means that it wants an authorization.
    pub http_status: Option<u32>,
    /// The server's certificate, if it was refused and could be accepted by its fingerprint.
    pub certificate: Option<CertificateItem>,
    /// The record to look at.
    pub seq: Option<Seq>,
}

/// A certificate that no authority vouches for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CertificateItem {
    /// SHA-256 in hex: what goes into `acceptedFingerprint`.
    pub fingerprint: String,
    /// Whom it names.
    pub subject: String,
    /// Why it was refused.
    pub reason: String,
}

/// Which HTTP transport is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum HttpDialect {
    /// Streamable HTTP.
    StreamableHttp,
    /// HTTP+SSE (2024-11-05).
    HttpSse,
}

/// What is known of a connection over HTTP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HttpItem {
    /// Where requests go (for HTTP+SSE: what the `endpoint` event named).
    pub url: String,
    /// Which transport; none before it is known.
    pub dialect: Option<HttpDialect>,
    /// `Mcp-Session-Id`, if the server gave one.
    pub session_id: Option<String>,
    /// How the stream for the server's own messages stands (legacy era).
    pub get_stream: GetStream,
    /// `HTTP/1.1` or `HTTP/2`, of the last answer.
    pub http_version: Option<String>,
}

/// How the GET stream of a legacy HTTP connection stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum GetStream {
    /// There is none (modern era, or not opened yet).
    #[default]
    None,
    /// Being opened, or opened again after it broke.
    Opening,
    /// Open.
    Open,
    /// The server has none (405).
    Refused,
    /// It broke, and was not opened again.
    Lost,
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
    /// It was found at an earlier connect and remembered; `server_era_forget` lets the next one probe again.
    pub remembered: bool,
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
    /// The process; none before the first start, and of a server at an address.
    pub process: Option<ProcessItem>,
    /// The HTTP connection; none of a program.
    pub http: Option<HttpItem>,
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
    /// Where that answer is in the log.
    pub handshake_seq: Option<Seq>,
    /// The server's instructions to the model.
    pub instructions: Option<String>,
    /// The last stderr lines (at most 20) as text.
    pub stderr_tail: Vec<String>,
    /// What `log_level_set` asked for; none: the server was not asked.
    pub log_level: Option<LogLevel>,
}

/// How grave a log message of a server is (RFC 5424).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum LogLevel {
    /// For programmers.
    Debug,
    /// For information.
    Info,
    /// Normal but noteworthy.
    Notice,
    /// Something may be wrong.
    Warning,
    /// Something failed.
    Error,
    /// A part has failed.
    Critical,
    /// Somebody must act now.
    Alert,
    /// Nothing works.
    Emergency,
}

/// Parameters of `log_level_set`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LogLevelSetParams {
    /// Which server.
    pub server_id: ServerId,
    /// The least grave that is wanted. None asks for no messages; only the modern era can say that.
    pub level: Option<LogLevel>,
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
