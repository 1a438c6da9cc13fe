//! Input requests of servers to the user, in both eras, in one queue.

use serde::{Deserialize, Serialize};

use crate::{ChatId, ExchangeId, InputId, Seq, ServerId, SimulatedInput};

/// An input request that waits for an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputItem {
    /// Its id.
    pub id: InputId,
    /// The server that sent it.
    pub server_id: ServerId,
    /// The server's name, as configured.
    pub server_name: String,
    /// The kind of request.
    pub kind: InputKind,
    /// `sampling/createMessage`, `elicitation/create` or `roots/list`.
    pub method: String,
    /// The params, exactly as received; `{}` if there were none.
    pub params_json: String,
    /// The id of the JSON-RPC request, as JSON text; in the modern era the key in `inputRequests`. At most 100 characters.
    pub key: String,
    /// The task that answers it, if the server asked for one (2025-11-25). The server may then poll and cancel it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub task_id: Option<String>,
    /// The request to the server that it belongs to, if that is certain.
    pub about_seq: Option<Seq>,
    /// The exchange of that request.
    pub about_exchange: Option<ExchangeId>,
    /// The requests to the server that were under way when it came, where it is not certain to which one it belongs: the
    /// oldest 20. Over stdio, nothing in a request says so.
    pub during: Vec<InputCause>,
    /// The turn of a conversation that the request belongs to, if that is certain and it does to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub turn: Option<InputTurn>,
    /// How the request to the server ended that it belongs to, or all of those that it may belong to; none while one is
    /// under way. The server still waits for the answer: it withdraws what it no longer needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub call_end: Option<InputCallEnd>,
    /// The record that contains it.
    pub seq: Seq,
    /// The round of its request (2026-07-28); none for a request that the server sent independently.
    pub round: Option<u32>,
    /// When it was received, in ms since the Unix epoch.
    pub waiting_since_ms: f64,
    /// What a rule did before the user was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub proposal: Option<InputProposal>,
    /// What the simulator does with it, unless the user takes it over; none if the user is to answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub simulated: Option<SimulatedInput>,
}

/// A request to the server that an input request may belong to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputCause {
    /// Its record.
    pub seq: Seq,
    /// Its exchange.
    pub exchange: ExchangeId,
    /// The turn of a conversation that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub turn: Option<InputTurn>,
}

/// The turn of a conversation in which an input request came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputTurn {
    /// The conversation.
    pub chat_id: ChatId,
    /// Its name at that time; empty if it had none.
    pub title: String,
    /// The number of the turn in the conversation, from 1.
    pub number: u32,
}

/// How a request to the server ended, before the server got what it had asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum InputCallEnd {
    /// It was answered.
    Ended,
    /// Its time was over.
    TimedOut,
    /// The user cancelled it, or stopped the turn that it belongs to.
    Cancelled,
}

/// What a rule did with an input request before it left the decision to the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputProposal {
    /// The proposed result: JSON text; none if there is no answer.
    pub result_json: Option<String>,
    /// What was done, or why nothing was, in a sentence.
    pub reason: String,
}

/// The kind of an input request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum InputKind {
    /// A model completion.
    Sampling,
    /// Input of the user.
    Elicitation,
    /// User input.
    Roots,
}

/// Parameters of `input_list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputListParams {
    /// The pending requests that the caller has already: of them only the ids are returned, unless they changed
    /// since.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<Vec<InputId>>"))]
    pub known: Vec<InputId>,
}

/// Response of `input_list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputListResponse {
    /// The known requests that are still pending, oldest first. They are older than `items`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<Vec<InputId>>"))]
    pub still: Vec<InputId>,
    /// The other pending requests, oldest first.
    pub items: Vec<InputItem>,
    /// The last 20 that ended without an answer from the user, newest first.
    pub withdrawn: Vec<WithdrawnInput>,
    /// The last 100 that were answered since Patchbay was started, by anyone, newest first.
    pub answered: Vec<AnsweredInput>,
}

/// An input request that was answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AnsweredInput {
    /// The server that sent it.
    pub server_id: ServerId,
    /// The server's name, as configured.
    pub server_name: String,
    /// The kind of request.
    pub kind: InputKind,
    /// The record of the request.
    pub seq: Seq,
    /// The request to the server that it belongs to, if that is certain.
    pub about_seq: Option<Seq>,
    /// What was answered.
    pub outcome: AnswerOutcome,
    /// The rule that answered; none if the user did.
    pub rule: Option<String>,
    /// When it was answered, in ms since the Unix epoch.
    pub at_ms: f64,
}

/// What was answered to an input request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum AnswerOutcome {
    /// A result; for an elicitation, `accept`.
    Accepted,
    /// An elicitation was declined.
    Declined,
    /// An elicitation was cancelled, or the request was ended without an answer.
    Cancelled,
    /// A JSON-RPC error.
    Refused,
    /// Nothing, until the server gave up: the simulator left it unanswered.
    Unanswered,
}

/// An input request that was withdrawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WithdrawnInput {
    /// The input request.
    pub id: InputId,
    /// The server that sent it.
    pub server_id: ServerId,
    /// The server's name, as configured.
    pub server_name: String,
    /// The kind of request.
    pub kind: InputKind,
    /// The method.
    pub method: String,
    /// The record of the request.
    pub seq: Seq,
    /// The request to the server that it belongs to, if that is certain.
    pub about_seq: Option<Seq>,
    /// The reason, in a sentence.
    pub reason: String,
    /// The reason that the server gave, at most 500 characters; none if it gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub server_reason: Option<String>,
    /// How long it had been waiting, in ms.
    pub waited_ms: f64,
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
    /// A refusal. The specification defines code -1, "User rejected sampling request", for sampling. A modern request
    /// cannot transmit it: the request ends as cancelled, with this message.
    Error {
        /// JSON-RPC code.
        code: i32,
        /// The message.
        message: String,
    },
}
