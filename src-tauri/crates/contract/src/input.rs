//! Input requests: what servers ask of the user, in either era, in one queue.

use serde::{Deserialize, Serialize};

use crate::{ExchangeId, InputId, Seq, ServerId};

/// A request of a server that waits for an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputItem {
    /// To answer it.
    pub id: InputId,
    /// Who asks.
    pub server_id: ServerId,
    /// The server's name, as configured.
    pub server_name: String,
    /// What is asked.
    pub kind: InputKind,
    /// `sampling/createMessage`, `elicitation/create` or `roots/list`.
    pub method: String,
    /// The params, exactly as received; `{}` if there were none.
    pub params_json: String,
    /// The request of ours that it belongs to, where that is certain.
    pub about_seq: Option<Seq>,
    /// The exchange that request began.
    pub about_exchange: Option<ExchangeId>,
    /// The record it is in.
    pub seq: Seq,
    /// Which round of a request of ours it is (2026-07-28); none of a request the server sent by itself.
    pub round: Option<u32>,
    /// When it came, in ms since the Unix epoch.
    pub waiting_since_ms: f64,
}

/// What a server asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum InputKind {
    /// A model's answer.
    Sampling,
    /// The user's answer.
    Elicitation,
    /// Which folders it may work in.
    Roots,
}

/// Parameters of `input_list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct InputListParams {}

/// Answer of `input_list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputListResponse {
    /// Those that wait, oldest first.
    pub items: Vec<InputItem>,
    /// The last 20 that went away without an answer of the user, newest first.
    pub withdrawn: Vec<WithdrawnInput>,
}

/// An input request that is no longer wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WithdrawnInput {
    /// Which.
    pub id: InputId,
    /// Who asked.
    pub server_name: String,
    /// What was asked.
    pub method: String,
    /// Why it went, in a sentence.
    pub reason: String,
    /// When, in ms since the Unix epoch.
    pub at_ms: f64,
}

/// Parameters of `input_answer`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputAnswerParams {
    /// Which.
    pub input_id: InputId,
    /// What to answer.
    pub answer: InputAnswer,
}

/// The answer to an input request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum InputAnswer {
    /// A result, e.g. `{"action":"accept","content":{…}}`, `{"action":"decline"}`, `{"roots":[]}`.
    Result {
        /// JSON text of an object, sent exactly as it stands.
        json: String,
    },
    /// A refusal. Of sampling the specification has code -1, "User rejected sampling request". In the modern era a
    /// request of ours cannot carry it on: it ends as cancelled, with these words.
    Error {
        /// JSON-RPC code.
        code: i32,
        /// In words.
        message: String,
    },
}
