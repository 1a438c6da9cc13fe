//! The traffic log: rows, filters, deltas, single records.

use serde::{Deserialize, Serialize};

use crate::{BodyId, ConnectionId, Seq, ServerId, TextBody, ViolationItem};

/// Kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RecordKind {
    /// A JSON-RPC request.
    Request,
    /// A JSON-RPC notification.
    Notification,
    /// A JSON-RPC response, with a result or an error.
    Response,
    /// A frame with several messages; its members follow as separate records.
    Batch,
    /// A frame that is not a JSON-RPC message (a stray line on stdout).
    Invalid,
    /// A line the server wrote to stderr.
    Stderr,
    /// An event of the connection: started, ready, exited.
    Lifecycle,
    /// Skipped lines of stderr, counted.
    Gap,
    /// An HTTP exchange: a request and its response, with the messages it carried.
    Http,
}

/// Who opened a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RecordOrigin {
    /// Patchbay's own client, for its user.
    Client,
    /// Another host whose traffic is tapped.
    Tap,
    /// A model hosted by Patchbay.
    Model,
    /// A diagnosis of why a server cannot be reached.
    Doctor,
    /// An imported recording.
    Import,
}

/// Direction of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// From Patchbay to the server.
    ClientToServer,
    /// From the server to Patchbay.
    ServerToClient,
}

/// The outcome of a request or of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RecordStatus {
    /// A request without a response yet.
    Pending,
    /// Answered with a result.
    Ok,
    /// Answered with a JSON-RPC error.
    Error,
    /// A tool result with `isError`.
    ToolError,
    /// Cancelled before a response.
    Cancelled,
    /// Timed out.
    TimedOut,
    /// The connection ended before a response.
    Lost,
}

/// What a record says as a line of the server's log: the severity of a log message (RFC 5424), or where else it is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum LogClass {
    /// `debug`.
    Debug,
    /// `info`.
    Info,
    /// `notice`.
    Notice,
    /// `warning`.
    Warning,
    /// `error`.
    Error,
    /// `critical`.
    Critical,
    /// `alert`.
    Alert,
    /// `emergency`.
    Emergency,
    /// A log message whose level is missing or is none of the eight.
    Unknown,
    /// A line of stderr.
    Stderr,
    /// A count of stderr lines that were skipped.
    Gap,
}

/// One row of the log, without its body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficRow {
    /// Its number.
    pub seq: Seq,
    /// When it was recorded, in ms since the Unix epoch, with microseconds as fraction.
    pub at_ms: f64,
    /// The server.
    pub server_id: ServerId,
    /// The server's name when the connection was opened.
    pub server_name: String,
    /// The connection.
    pub connection_id: ConnectionId,
    /// Who opened that connection.
    pub origin: RecordOrigin,
    /// The operation: everything that one action of a user or of a model caused.
    pub operation: Option<String>,
    /// Its kind.
    pub kind: RecordKind,
    /// Its direction; none for stderr, lifecycle and gap.
    pub direction: Option<Direction>,
    /// The method; for a response that of its request.
    pub method: Option<String>,
    /// The called tool, also for the response.
    pub tool: Option<String>,
    /// Its class as a line of the server's log: a log message, stderr, a gap in stderr. None for any other record.
    pub log: Option<LogClass>,
    /// The logger of a log message, at most 300 characters.
    pub logger: Option<String>,
    /// The JSON-RPC id as JSON text (`1` or `"1"`).
    pub rpc_id: Option<String>,
    /// A one-line summary: tool name, resource URI, log text, stderr line, first 300 characters of a stray line.
    pub summary: Option<String>,
    /// The size in bytes as received.
    pub size: f64,
    /// Its outcome; none if not applicable.
    pub status: Option<RecordStatus>,
    /// The record of the response or the request.
    pub pair_seq: Option<Seq>,
    /// Milliseconds from request to response, on both.
    pub latency_ms: Option<f64>,
    /// The number of its violations.
    pub violation_count: u32,
    /// The rules that it violates, each once, at most 20.
    pub rules: Vec<String>,
    /// The batch it is a member of.
    pub batch_seq: Option<Seq>,
    /// The HTTP exchange that carried it.
    pub http_seq: Option<Seq>,
}

/// Parameters of `traffic_tail`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficTailParams {
    /// The filter as text: terms separated by spaces, all of which must match; empty: all records. Invalid text fails with
    /// `invalidParams`, whose `detail` is `{"at":4,"length":8}`, the position in characters. `server:id,name`
    /// `connection:1` `origin:client,tap,model,doctor,import` `op:1` `kind:request,http` `dir:sent,received`
    /// `status:ok,error` `method:tools/*` `tool:name` `id:1` `task:id` (messages with this `taskId`) `has:violation`
    /// `rule:name` `otherrule:name` (violates a rule other than these) `level:error,stderr` `logger:db.*` `after:12` (records
    /// with a higher number) `dur>500ms` `size>10kb`; any other word, or quoted text, must occur in the method, summary, id or
    /// body, ignoring the case of ASCII letters. `-` before a term negates it.
    pub filter: String,
}

/// The first delta is the snapshot (`reset`), the others are changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficDelta {
    /// Discard all rows: this is the whole state (first delta, after a clear).
    pub reset: bool,
    /// The current number of matching rows.
    pub total: u32,
    /// The newest added rows, oldest first, at most 200. The last one has index `total - 1`.
    pub added: Vec<TrafficRow>,
    /// Changed older rows (answered, violation found), at most 200.
    pub changed: Vec<TrafficRow>,
    /// More than 200 rows changed: fetch the visible rows again.
    pub changed_missed: bool,
    /// Older records are still being searched: `total` grows, each time with `changedMissed`.
    pub searching: bool,
    /// Why new records cannot be shown at present, if so. That they cannot be written is a part of `app_info`.
    pub store_problem: Option<String>,
}

/// Parameters of `traffic_rows`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficRowsParams {
    /// The filter, as in `traffic_tail`.
    pub filter: String,
    /// The first row's index in the filtered log.
    pub offset: u32,
    /// The number of rows, at most 500.
    pub limit: u32,
}

/// Response of `traffic_rows`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficRowsResponse {
    /// Oldest first, from `offset` on.
    pub rows: Vec<TrafficRow>,
    /// The current number of matching rows.
    pub total: u32,
}

/// Parameters of `traffic_locate`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficLocateParams {
    /// The filter, as in `traffic_tail`.
    pub filter: String,
    /// The record.
    pub seq: Seq,
}

/// Response of `traffic_locate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficLocateResponse {
    /// Its index in the filtered log; none if the filter hides it.
    pub index: Option<u32>,
}

/// Parameters of `traffic_record`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficRecordParams {
    /// The record.
    pub seq: Seq,
}

/// Response of `traffic_record`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficRecordResponse {
    /// The row in the log.
    pub row: TrafficRow,
    /// The frame as text (bytes that are not UTF-8 are replaced here; `bytes` has them unchanged).
    pub raw: TextBody,
    /// The frame, byte for byte.
    pub bytes: BodyId,
    /// Whether it was UTF-8.
    pub is_utf8: bool,
    /// The number of masked secrets.
    pub redactions: u32,
    /// Its violations.
    pub violations: Vec<ViolationItem>,
    /// The record of the response or the request.
    pub pair: Option<TrafficRow>,
    /// Related records, oldest first, at most 200: members of the batch, progress, cancellation; for an HTTP exchange the
    /// messages it carried.
    pub related: Vec<TrafficRow>,
    /// The HTTP exchange, for a record of that kind and for one carried by it.
    pub http: Option<HttpExchangeItem>,
    /// The name that a conversation had when its turn caused this record, may be empty; none if no turn did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub chat_title: Option<String>,
}

/// Parameters of `traffic_message`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficMessageParams {
    /// The record of a message. At most 16 MiB can be sent again in this way.
    pub seq: Seq,
}

/// Response of `traffic_message`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficMessageResponse {
    /// The server it was sent to or came from.
    pub server_id: ServerId,
    /// The whole message, as recorded.
    pub text: String,
    /// Its method, if it is a request.
    pub request_method: Option<String>,
    /// The params of a request as JSON text, without the `_meta` members that a client adds to every request.
    pub params_json: Option<String>,
    /// How many values of secrets are masked in it. They are sent masked.
    pub redactions: u32,
}

/// An HTTP exchange, possibly incomplete. Values of secret headers are masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HttpExchangeItem {
    /// Its record.
    pub seq: Seq,
    /// `POST`, `GET`, `DELETE`.
    pub method: String,
    /// Its URL.
    pub url: String,
    /// `HTTP/1.1` or `HTTP/2`; empty before the head of the response.
    pub version: String,
    /// The request's headers, in order.
    pub request_headers: Vec<HttpHeaderItem>,
    /// The request's body, if it is not a record itself.
    pub request_body: Option<String>,
    /// The size of that body in bytes, if only its beginning is recorded.
    pub request_body_size: Option<f64>,
    /// The response's status; none before its head.
    pub status: Option<u32>,
    /// The reason phrase of the status.
    pub reason: Option<String>,
    /// The response's headers, in order.
    pub response_headers: Vec<HttpHeaderItem>,
    /// Its timings.
    pub timing: Option<HttpTimingItem>,
    /// Its events, in order, at most 500: the first ones, and its end.
    pub stages: Vec<HttpStageItem>,
    /// The number of further events.
    pub stages_omitted: u32,
    /// The response's body, decoded and with secrets masked, if it is stored apart from the messages it carried.
    pub body: Option<TextBody>,
    /// The bytes of that body.
    pub body_bytes: Option<BodyId>,
    /// The record of the message that the request carried.
    pub request_seq: Option<Seq>,
}

/// A header as sent or received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HttpHeaderItem {
    /// Its name.
    pub name: String,
    /// Its value; masked if it is secret.
    pub value: String,
}

/// Timings of an HTTP exchange, in milliseconds. None: not needed, or not reached yet.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HttpTimingItem {
    /// Name resolution.
    pub dns_ms: Option<f64>,
    /// TCP connect.
    pub connect_ms: Option<f64>,
    /// TLS handshake.
    pub tls_ms: Option<f64>,
    /// From sending to the first byte of the response.
    pub first_byte_ms: Option<f64>,
    /// Whether a pooled connection was reused.
    pub reused: bool,
    /// Address and port of the peer: the server or the proxy.
    pub remote: Option<String>,
    /// The proxy, if one was used.
    pub proxy: Option<String>,
    /// The TLS session.
    pub tls: Option<HttpTlsItem>,
}

/// The TLS session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HttpTlsItem {
    /// `TLS 1.3`.
    pub version: String,
    /// The cipher suite.
    pub cipher: String,
    /// `h2` or `http/1.1`, if negotiated.
    pub alpn: Option<String>,
    /// Subject of the server's certificate.
    pub subject: String,
    /// Its issuer.
    pub issuer: String,
    /// When it expires, as an RFC 3339 date-time.
    pub not_after: String,
    /// Its SHA-256 in hex.
    pub fingerprint: String,
    /// Whether the normal check failed and the certificate was accepted by its fingerprint.
    pub accepted_by_user: bool,
}

/// An event of an HTTP exchange.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HttpStageItem {
    /// Milliseconds after the exchange began.
    pub after_ms: f64,
    /// `sent`, `connected`, `head`, `sseId`, `sseRetry`, `sseComment`, `redirect`, `end`, `failed` or `aborted`.
    pub stage: String,
    /// Details of the event.
    pub text: String,
}

/// Parameters of `traffic_usage`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficUsageParams {}

/// The size of the log, and its limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficUsageResponse {
    /// Bytes in use.
    pub bytes: f64,
    /// The number of records.
    pub records: u32,
    /// The time of the oldest record, in ms since the Unix epoch.
    pub oldest_at_ms: Option<f64>,
    /// The maximum size in bytes; beyond that the oldest records are removed.
    pub max_bytes: Option<f64>,
    /// The maximum age of a record, in ms.
    pub max_age_ms: Option<f64>,
    /// The number of records removed because of these limits since the log was created.
    pub removed: f64,
    /// The time of the newest removed record, in ms since the Unix epoch.
    pub removed_upto_ms: Option<f64>,
}

/// Parameters of `traffic_set_quota`. Records over a limit are removed, the oldest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficSetQuotaParams {
    /// The maximum size of the log in bytes, at least 1 MiB (1048576); none: limited by the disk.
    pub max_bytes: Option<f64>,
    /// The maximum age of a record, in ms, at least one minute (60000); none: unlimited.
    pub max_age_ms: Option<f64>,
}

/// Parameters of `traffic_clear`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficClearParams {
    /// The server whose records to delete; those of all servers if none.
    pub server_id: Option<ServerId>,
}
