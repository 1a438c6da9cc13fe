//! Model providers, for what servers ask of a model (`sampling/createMessage`).

use serde::{Deserialize, Serialize};

use crate::ProviderId;

/// Parameters of `provider_list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct ProviderListParams {}

/// Response of `provider_list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProviderListResponse {
    /// The configured providers, in the order they were added.
    pub items: Vec<ProviderItem>,
}

/// A configured provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProviderItem {
    /// Its id.
    pub id: ProviderId,
    /// Its name.
    pub name: String,
    /// The API that it speaks.
    pub api: ProviderApi,
    /// The part of its addresses before `/messages` or `/chat/completions`.
    pub base_url: String,
    /// Whether a key is stored in the vault.
    pub has_key: bool,
    /// The model that is used if the server's hints match none.
    pub default_model: Option<String>,
    /// Its models as last listed since Patchbay was started; none if they were not.
    pub models: Option<Vec<ModelItem>>,
}

/// The API of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ProviderApi {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's Chat Completions API, or one that is compatible with it.
    ChatCompletions,
}

/// A model of a provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ModelItem {
    /// Its id.
    pub id: String,
    /// Its display name, if the provider has one.
    pub name: Option<String>,
    /// The size of its context in tokens, if the provider says so.
    pub context: Option<u32>,
    /// Its price, if the provider says so.
    pub price: Option<ModelPrice>,
    /// Whether it takes images, if the provider says so.
    pub images: Option<bool>,
}

/// A price, in US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ModelPrice {
    /// Of the request.
    pub input: f64,
    /// Of the answer.
    pub output: f64,
}

/// Parameters of `provider_save`. May contain a secret, so it is not printed.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProviderSaveParams {
    /// The provider to replace; none adds one.
    pub provider_id: Option<ProviderId>,
    /// Its name.
    pub name: String,
    /// The API that it speaks.
    pub api: ProviderApi,
    /// The part of its addresses before `/messages` or `/chat/completions`: `https://api.openai.com/v1`.
    pub base_url: String,
    /// Its key.
    pub key: ProviderKey,
    /// The model that is used if the server's hints match none.
    pub default_model: Option<String>,
}

/// What to do with the key of a provider. May contain a secret, so it is not printed.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProviderKey {
    /// Keep the stored one, or none. It is not kept if the base URL gets another origin.
    Keep,
    /// Store no key.
    None,
    /// Store this one in the vault.
    Set {
        /// The key.
        text: String,
    },
}

/// Response of `provider_save`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProviderSaveResponse {
    /// The provider.
    pub provider_id: ProviderId,
}

/// Parameters of `provider_remove`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProviderRemoveParams {
    /// The provider.
    pub provider_id: ProviderId,
}

/// Parameters of `provider_models`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProviderModelsParams {
    /// The provider.
    pub provider_id: ProviderId,
}

/// Response of `provider_models`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProviderModelsResponse {
    /// The provider listed its models.
    Listed {
        /// The models; at most 5,000.
        models: Vec<ModelItem>,
    },
    /// It did not.
    Failed {
        /// The reason.
        failure: ModelFailure,
    },
}

/// Parameters of `provider_test`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProviderTestParams {
    /// The provider.
    pub provider_id: ProviderId,
    /// The model that is asked for a few tokens.
    pub model: String,
}

/// Response of `provider_test`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProviderTestResponse {
    /// The model answered.
    Works {
        /// The time until its answer was complete.
        took_ms: f64,
    },
    /// It did not.
    Failed {
        /// The reason.
        failure: ModelFailure,
    },
}

/// Why a provider did not answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ModelFailure {
    /// The cause, in a sentence. It may quote the provider.
    pub cause: String,
    /// The next action, in a sentence.
    pub next: String,
    /// How long the provider asks to wait; at most a day.
    pub retry_after_ms: Option<f64>,
}

/// Parameters of `provider_find`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct ProviderFindParams {}

/// Response of `provider_find`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProviderFindResponse {
    /// The programs that were asked for their models.
    pub items: Vec<FoundProvider>,
}

/// A program on this machine that may offer models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FoundProvider {
    /// The name of the program that usually listens there.
    pub name: String,
    /// Its base URL.
    pub base_url: String,
    /// Its models; none if nothing listens there, or another program.
    pub models: Option<Vec<ModelItem>>,
    /// Why there are none, in a sentence; none if nothing listens there.
    pub problem: Option<String>,
}
