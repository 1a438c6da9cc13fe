//! Answers of a model to what a server asks (`sampling/createMessage`), and the rules that decide in place of the user.

use serde::{Deserialize, Serialize};

use crate::{InputId, ModelFailure, ProviderId, ServerId};

/// Parameters of `sampling_generate`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SamplingGenerateParams {
    /// The pending input request.
    pub input_id: InputId,
    /// The provider.
    pub provider_id: ProviderId,
    /// The model.
    pub model: String,
    /// The request as the user wants it sent: JSON text of the params of `sampling/createMessage`.
    pub params_json: String,
}

/// An event of `sampling_generate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SamplingEvent {
    /// More text of the answer.
    Text {
        /// The text.
        text: String,
    },
    /// More of what the model thinks before it answers. It is not part of the answer.
    Thinking {
        /// The text.
        text: String,
    },
    /// The model calls a tool; its arguments follow.
    ToolUse {
        /// The tool's name.
        name: String,
    },
    /// More of the arguments of the last called tool.
    ToolInput {
        /// A piece of JSON text.
        text: String,
    },
    /// The answer is complete. The last event.
    Finished {
        /// The result of `sampling/createMessage`: JSON text.
        result_json: String,
        /// The tokens of the request, if the provider says so.
        input_tokens: Option<u32>,
        /// The tokens of the answer, if the provider says so.
        output_tokens: Option<u32>,
        /// The time until the answer was complete.
        took_ms: f64,
    },
    /// There is no answer, or an incomplete one. The last event.
    Failed {
        /// The reason.
        failure: ModelFailure,
    },
}

/// Parameters of `sampling_choose`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SamplingChooseParams {
    /// JSON text of the params of `sampling/createMessage`.
    pub params_json: String,
}

/// Response of `sampling_choose`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SamplingChooseResponse {
    /// The chosen model; none if no provider has a default model or a list of models.
    pub choice: Option<ModelChoice>,
}

/// The model that is chosen for a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ModelChoice {
    /// The provider.
    pub provider_id: ProviderId,
    /// The model.
    pub model: String,
    /// The reason, in a sentence.
    pub reason: String,
}

/// The rules of one server for sampling. The limits are for automatic requests only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SamplingRules {
    /// Whether a request is sent to a model.
    pub request: SamplingRequestRule,
    /// Whether the model's answer is sent to the server.
    pub answer: SamplingAnswerRule,
    /// The provider that is used automatically; none: chosen by the server's hints.
    pub provider_id: Option<ProviderId>,
    /// Its model; none: chosen by the server's hints.
    pub model: Option<String>,
    /// How many requests a minute are sent automatically; the user is asked about further ones.
    pub per_minute: u32,
    /// How many tokens are used automatically on one connection; the user is asked about further requests.
    pub token_budget: u32,
}

/// Whether a request is sent to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum SamplingRequestRule {
    /// The user decides.
    Ask,
    /// Send it, as long as the current connection lasts; then ask.
    ThisConnection,
    /// Send it.
    Always,
    /// Reject it.
    Never,
}

/// Whether a model's answer to an automatic request is sent to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum SamplingAnswerRule {
    /// The user decides.
    Ask,
    /// Send it, as long as the current connection lasts; then ask.
    ThisConnection,
    /// Send it.
    Always,
}

/// Parameters of `sampling_rules_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SamplingRulesGetParams {
    /// The server.
    pub server_id: ServerId,
}

/// Response of `sampling_rules_get`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SamplingRulesGetResponse {
    /// The rules.
    pub rules: SamplingRules,
    /// The tokens that were used automatically on the current connection.
    pub used_tokens: u32,
}

/// Parameters of `sampling_rules_set`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SamplingRulesSetParams {
    /// The server.
    pub server_id: ServerId,
    /// The rules.
    pub rules: SamplingRules,
}
