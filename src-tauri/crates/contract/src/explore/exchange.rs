//! Exchanges: a request to a server, its progress, and its outcome.

use serde::{Deserialize, Serialize};

use crate::{
    BodyId, ContentItem, ExchangeId, FailureItem, Seq, ServerId, TaskItem, Timeouts, ToolResultView,
    ViolationItem,
};

/// Text of any size: short text inline, all of it with `body(id)` as UTF-8.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TextBody {
    /// The text, if it is at most 64 KiB.
    pub inline: Option<String>,
    /// The body.
    pub body: BodyId,
    /// Its size in bytes (for indented forms: before indenting).
    pub size: f64,
    /// The indented body; none if it is not JSON.
    pub pretty: Option<BodyId>,
}

/// The latest progress of a request, or of the task that it became.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RequestProgress {
    /// The progress so far.
    pub progress: f64,
    /// The total, if the server knows it.
    pub total: Option<f64>,
    /// The server's message.
    pub message: Option<String>,
}

/// Parameters of `request_send`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RequestSendParams {
    /// The server.
    pub server_id: ServerId,
    /// The method. Any text is sent.
    pub method: String,
    /// The params: JSON text of an object, sent verbatim (plus the `_meta` members that the protocol requires).
    pub params_json: Option<String>,
    /// Timeouts instead of those in the server's settings.
    pub timeouts: Option<Timeouts>,
    /// The record of the request that it repeats; the log relates the two.
    pub repeats: Option<Seq>,
    /// Send it although it calls a tool whose definition changed and was not accepted. Without it such a message is refused
    /// with `DefinitionChanged`. The operation in the log says that the user confirmed it.
    #[serde(default)]
    #[cfg_attr(feature = "export", ts(optional))]
    pub despite_changes: Option<bool>,
}

/// Parameters of `message_send`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MessageSendParams {
    /// The server.
    pub server_id: ServerId,
    /// The text. It is sent exactly as written, valid or not, except that line breaks become spaces.
    pub text: String,
    /// The record of the message that it repeats; the log relates the two.
    pub repeats: Option<Seq>,
    /// Send it although it calls a tool whose definition changed and was not accepted. Without it such a message is refused
    /// with `DefinitionChanged`. The operation in the log says that the user confirmed it.
    #[serde(default)]
    #[cfg_attr(feature = "export", ts(optional))]
    pub despite_changes: Option<bool>,
}

/// Response of `message_send`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MessageSendResponse {
    /// Its record.
    pub seq: Seq,
}

/// The events of an exchange, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExchangeEvent {
    /// The request was recorded and sent.
    Started {
        /// The id for cancelling it.
        exchange_id: ExchangeId,
        /// Its record.
        seq: Seq,
    },
    /// The server reported progress. Only the newest is sent, at most one per 50 ms.
    Progress {
        /// The progress so far.
        progress: f64,
        /// The total, if the server knows it.
        total: Option<f64>,
        /// The server's message.
        message: Option<String>,
        /// The number of reports so far.
        count: u32,
    },
    /// The server requires input (2026-07-28): the requests are in `input_list`. Once all are answered
    /// the request is sent again, with the answers.
    InputRound {
        /// The number of the round, starting at 1.
        round: u32,
        /// The number of requests.
        count: u32,
        /// The response with the requests.
        seq: Seq,
    },
    /// The request was sent again: with input, or after a refusal before it ran.
    Resent {
        /// The record of the new request.
        seq: Seq,
        /// The reason, in a sentence.
        reason: String,
    },
    /// The task that runs the request, with its last known state (`task_result`).
    Task {
        /// The task.
        task: TaskItem,
    },
    /// The exchange has ended. The last event.
    Finished {
        /// The outcome.
        outcome: ExchangeOutcome,
        /// From sending to the end.
        duration_ms: f64,
        /// The time that was spent waiting for the user's input.
        human_wait_ms: f64,
        /// The request's record, if it was sent.
        request_seq: Option<Seq>,
        /// The response's record, if there is one.
        response_seq: Option<Seq>,
    },
}

/// How an exchange ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExchangeOutcome {
    /// A result.
    Result {
        /// The `result`, exactly as received.
        raw: TextBody,
        /// Its content, by the kind of the request.
        view: ResultView,
        /// How long it may be reused, if the server says so (2026-07-28).
        freshness: Option<Freshness>,
    },
    /// A result that the specification does not allow: one whose `resultType` is neither known nor declared (2026-07-28), or the
    /// last state of a task that does not say how it ended.
    InvalidResult {
        /// The `result`, exactly as received.
        raw: TextBody,
        /// What is wrong with it, in a sentence.
        reason: String,
    },
    /// A task was created; `task_result` returns its result.
    Task {
        /// The task.
        task: TaskItem,
        /// The `result`, exactly as received.
        raw: TextBody,
    },
    /// The server responded over HTTP without a JSON-RPC message: with a status, perhaps a web page.
    HttpStatus {
        /// The status, e.g. 500.
        status: u32,
        /// What it means and what to do, in a sentence.
        message: String,
        /// Whether the request may have run.
        may_have_run: bool,
        /// The HTTP exchange.
        http_seq: Option<Seq>,
        /// Whether the server requires authorization: 401, or 403 with missing scopes.
        unauthorized: bool,
    },
    /// A JSON-RPC error: the request was refused.
    RpcError {
        /// The `error`, exactly as received.
        raw: TextBody,
        /// The code's text as received (may not be a number).
        code: String,
        /// The error's message.
        message: String,
        /// The meaning of the code in the specification, if known.
        meaning: Option<String>,
        /// What to do about it, if known.
        advice: Option<String>,
        /// `data`, exactly as received.
        data_json: Option<String>,
    },
    /// The server requires input (2026-07-28 `input_required`) that is not available: no responder answers such requests,
    /// or there were too many rounds.
    InputRequired {
        /// The `result`, exactly as received.
        raw: TextBody,
        /// Why there was no answer.
        reason: String,
    },
    /// No response in time; `notifications/cancelled` was sent.
    TimedOut {
        /// How long Patchbay waited.
        after_ms: f64,
    },
    /// Cancelled by the user.
    Cancelled {},
    /// The server ended the request with `notifications/cancelled` and without a response.
    CancelledByServer {
        /// The server's reason, if it gave one.
        reason: Option<String>,
    },
    /// The connection was lost before a response arrived.
    ConnectionLost {
        /// The failure.
        failure: FailureItem,
        /// Whether the request may have run.
        may_have_run: bool,
    },
    /// Nothing was sent.
    NotSent {
        /// Why, and what to do next.
        message: String,
    },
}

/// Content of a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ResultView {
    /// Of a tool call.
    Tool {
        /// The result of the tool.
        tool: ToolResultView,
    },
    /// Of `resources/read`.
    Resource {
        /// The contents in order: `resourceText`, `resourceBlob`, or `unknown` if malformed.
        contents: Vec<ContentItem>,
        /// Problems of the result.
        violations: Vec<ViolationItem>,
    },
    /// Of `prompts/get`.
    Prompt {
        /// The prompt's description, if it has one.
        description: Option<String>,
        /// The messages in order.
        messages: Vec<PromptMessageItem>,
        /// Problems of the result.
        violations: Vec<ViolationItem>,
    },
    /// Of any other request.
    Any {},
}

/// A message of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PromptMessageItem {
    /// `user` or `assistant`, or any other value that the server writes; empty if missing.
    pub role: String,
    /// Its content.
    pub content: ContentItem,
}

/// How long a response may be reused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Freshness {
    /// `ttlMs`: how long it is fresh.
    pub ttl_ms: f64,
    /// `cacheScope`: `public` or `private`, as the server says it.
    pub scope: Option<String>,
    /// When it was received, in ms since the Unix epoch.
    pub since_at_ms: f64,
}

/// Parameters of `exchange_follow`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ExchangeFollowParams {
    /// The server that was asked. It must still be connected.
    pub server_id: ServerId,
    /// The exchange, so that it can be cancelled again.
    pub exchange_id: ExchangeId,
    /// The record of its request.
    pub seq: Seq,
}

/// Parameters of `exchange_cancel`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ExchangeCancelParams {
    /// The exchange.
    pub exchange_id: ExchangeId,
}
