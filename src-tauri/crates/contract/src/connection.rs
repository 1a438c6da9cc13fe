//! Connections: one lifetime of the client with one server.

use serde::{Deserialize, Serialize};

use crate::{ConnectionId, PathInfo, Seq, ServerId};

/// State of a connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ConnectionState {
    /// Never connected since the start of the app.
    #[default]
    Idle,
    /// The process is being started.
    Connecting,
    /// An OAuth run is in progress.
    Authorizing,
    /// `server/discover` or `initialize` is in progress.
    Negotiating,
    /// Requests can be sent.
    Ready,
    /// It is being closed.
    Closing,
    /// Closed by the user.
    Closed,
    /// Could not be established, or was lost; `failure` says why.
    Failed,
}

/// The protocol era of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Era {
    /// Up to 2025-11-25: `initialize`.
    Legacy,
    /// From 2026-07-28: stateless, `server/discover`.
    Modern,
}

/// A connection, as the list of servers shows it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionItem {
    /// None while `Idle`.
    pub connection_id: Option<ConnectionId>,
    /// Its state.
    pub state: ConnectionState,
    /// Known from `Ready` on.
    pub era: Option<Era>,
    /// The negotiated revision, e.g. `2025-11-25`.
    pub revision: Option<String>,
    /// The server's own name and version.
    pub server: Option<ImplementationItem>,
    /// The extensions that the server declared, by their identifiers; at most 20.
    pub extensions: Vec<String>,
    /// Why it failed.
    pub failure: Option<FailureItem>,
    /// Violations recorded on this connection.
    pub problem_count: u32,
    /// Pending requests to the server.
    pub pending_count: u32,
    /// When this state started, in ms since the Unix epoch.
    pub since_at_ms: f64,
}

/// `serverInfo` or `clientInfo`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImplementationItem {
    /// Name for programs.
    pub name: String,
    /// Display name.
    pub title: Option<String>,
    /// Its version, if given.
    pub version: Option<String>,
}

/// A failure for the user: the step, the cause, the next action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FailureItem {
    /// The step: `Start the program`, `Discover`, `Initialize`, `Connection lost` …
    pub step: String,
    /// The cause, in a sentence.
    pub cause: String,
    /// What to do next, in a sentence.
    pub next: String,
    /// Further detail: the system error, the server's response, the last stderr lines.
    pub detail: Option<String>,
    /// The HTTP status of the server's response; 401 means that it requires authorization.
    pub http_status: Option<u32>,
    /// The server's certificate, if it was rejected and can be accepted by its fingerprint.
    pub certificate: Option<CertificateItem>,
    /// The relevant record.
    pub seq: Option<Seq>,
}

/// A certificate that no known authority has signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CertificateItem {
    /// SHA-256 in hex, for `acceptedFingerprint`.
    pub fingerprint: String,
    /// Its subject.
    pub subject: String,
    /// Why it was rejected.
    pub reason: String,
}

/// The HTTP transport in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum HttpDialect {
    /// Streamable HTTP.
    StreamableHttp,
    /// HTTP+SSE (2024-11-05).
    HttpSse,
}

/// Details of an HTTP connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HttpItem {
    /// Where requests are sent (for HTTP+SSE: the URL in the `endpoint` event).
    pub url: String,
    /// The transport; none before it is known.
    pub dialect: Option<HttpDialect>,
    /// `Mcp-Session-Id`, if the server gave one.
    pub session_id: Option<String>,
    /// State of the stream for unrequested messages of the server (legacy era).
    pub get_stream: GetStream,
    /// `HTTP/1.1` or `HTTP/2`, of the last response.
    pub http_version: Option<String>,
}

/// State of the GET stream of a legacy HTTP connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum GetStream {
    /// There is none (modern era, or not opened yet).
    #[default]
    None,
    /// Being opened, or reopened after an interruption.
    Opening,
    /// Open.
    Open,
    /// The server has none (405).
    Refused,
    /// It was lost, and not reopened.
    Lost,
}

/// The process of a stdio server, as it was actually started.
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
    /// The PATH it was started with.
    pub path: PathInfo,
    /// Names of the variables set for this server (values may be secret).
    pub env_names: Vec<String>,
    /// Names of the variables it got from Patchbay's environment, sorted.
    pub inherited_names: Vec<String>,
    /// The number of variables of Patchbay's environment that it did not get.
    pub withheld: u32,
    /// Its process id while it runs or when it ended.
    pub pid: Option<u32>,
    /// `exit code 1`, `signal 9 (SIGKILL)`; none while it runs.
    pub exit: Option<String>,
    /// Whether it runs with another environment than it would be started with now.
    pub environment_outdated: bool,
}

/// How the era was determined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EraVerdict {
    /// A sentence: `server/discover answered` or `server/discover answered -32601 Method not found; initialize in the same process`.
    pub reason: String,
    /// The probe's request, if one was sent.
    pub probe_seq: Option<Seq>,
    /// Whether it was determined at an earlier connect; after `server_era_forget` the next connect probes again.
    pub remembered: bool,
}

/// Parameters of `connection_open`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionOpenParams {
    /// The server.
    pub server_id: ServerId,
}

/// Parameters of `connection_close`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionCloseParams {
    /// The server.
    pub server_id: ServerId,
}

/// Parameters of `connection_restart`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionRestartParams {
    /// The server.
    pub server_id: ServerId,
}

/// Parameters of `connection_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionGetParams {
    /// The server.
    pub server_id: ServerId,
}

/// Response of `connection_get`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionGetResponse {
    /// As in the list of servers.
    pub connection: ConnectionItem,
    /// The process; none before the first start and for an HTTP server.
    pub process: Option<ProcessItem>,
    /// The HTTP connection; none for a program.
    pub http: Option<HttpItem>,
    /// How the era was determined.
    pub era_verdict: Option<EraVerdict>,
    /// Revisions the server said it supports (modern era).
    pub supported_versions: Vec<String>,
    /// What the server declared, exactly as received.
    pub server_capabilities_json: Option<String>,
    /// What Patchbay declared.
    pub client_capabilities_json: Option<String>,
    /// The whole response to `initialize` or `server/discover`, exactly as received.
    pub handshake_result_json: Option<String>,
    /// The record of that response.
    pub handshake_seq: Option<Seq>,
    /// The server's instructions to the model.
    pub instructions: Option<String>,
    /// The last stderr lines (at most 20) as text.
    pub stderr_tail: Vec<String>,
    /// The start of the first line on stdout that was not JSON-RPC, written before the server was ready.
    pub stray_line: Option<String>,
    /// The level that `log_level_set` requested; none if it was not called.
    pub log_level: Option<LogLevel>,
}

/// Severity of a log message of a server (RFC 5424).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum LogLevel {
    /// Debugging detail.
    Debug,
    /// Information.
    Info,
    /// Normal but noteworthy.
    Notice,
    /// A possible problem.
    Warning,
    /// An error.
    Error,
    /// A component has failed.
    Critical,
    /// Immediate action is required.
    Alert,
    /// The system is unusable.
    Emergency,
}

/// Parameters of `log_level_set`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LogLevelSetParams {
    /// The server.
    pub server_id: ServerId,
    /// The lowest severity to receive. None requests no messages, which only the modern era can express.
    pub level: Option<LogLevel>,
}

/// Parameters of `connection_ping`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionPingParams {
    /// The server.
    pub server_id: ServerId,
}

/// Response of `connection_ping`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionPingResponse {
    /// How long the server took to respond.
    pub duration_ms: f64,
}
