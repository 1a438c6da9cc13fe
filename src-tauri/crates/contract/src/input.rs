//! Input requests: what servers request from the user, in either era, in one queue.

use serde::{Deserialize, Serialize};

use crate::{ExchangeId, InputId, Seq, ServerId};

/// A request of a server that waits for an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputItem {
    /// Its id, to answer it.
    pub id: InputId,
    /// The server that asks.
    pub server_id: ServerId,
    /// The server's name, as configured.
    pub server_name: String,
    /// The kind of request.
    pub kind: InputKind,
    /// `sampling/createMessage`, `elicitation/create` or `roots/list`.
    pub method: String,
    /// The params, exactly as received; `{}` if there were none.
    pub params_json: String,
    /// The request to the server that it belongs to, where that is certain.
    pub about_seq: Option<Seq>,
    /// The exchange of that request.
    pub about_exchange: Option<ExchangeId>,
    /// The record it is in.
    pub seq: Seq,
    /// The round of the request that it belongs to (2026-07-28); none for a request that the server sent by itself.
    pub round: Option<u32>,
    /// When it was received, in ms since the Unix epoch.
    pub waiting_since_ms: f64,
}

/// What a server requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum InputKind {
    /// A model completion.
    Sampling,
    /// Input of the user.
    Elicitation,
    /// The folders it may work in.
    Roots,
}

/// Parameters of `input_list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct InputListParams {}

/// Response of `input_list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputListResponse {
    /// The pending requests, oldest first.
    pub items: Vec<InputItem>,
    /// The last 20 that ended without an answer of the user, newest first.
    pub withdrawn: Vec<WithdrawnInput>,
}

/// An input request that was withdrawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WithdrawnInput {
    /// The input request.
    pub id: InputId,
    /// The server that asked.
    pub server_name: String,
    /// The method.
    pub method: String,
    /// The reason, in a sentence.
    pub reason: String,
    /// When it was withdrawn, in ms since the Unix epoch.
    pub at_ms: f64,
}

/// Parameters of `input_answer`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputAnswerParams {
    /// The input request.
    pub input_id: InputId,
    /// The answer.
    pub answer: InputAnswer,
}

/// The answer to an input request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum InputAnswer {
    /// A result, e.g. `{"action":"accept","content":{…}}`, `{"action":"decline"}`, `{"roots":[]}`.
    Result {
        /// JSON text of an object, sent exactly as written.
        json: String,
    },
    /// A refusal. Of sampling the specification has code -1, "User rejected sampling request". In the modern era a
    /// request cannot transmit it: the request ends as cancelled, with this message.
    Error {
        /// JSON-RPC code.
        code: i32,
        /// The message.
        message: String,
    },
}
