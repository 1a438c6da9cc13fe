//! `providers.json`: the providers without their keys, and the rules of servers for sampling.

use std::collections::BTreeMap;

use patchbay_contract::{ProviderApi, ProviderId, SamplingRules};
use serde::{Deserialize, Serialize};

/// The content of the file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Saved {
    pub(super) providers: Vec<SavedProvider>,
    /// By the id of the server.
    pub(super) sampling: BTreeMap<String, SamplingRules>,
}

/// A provider in the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SavedProvider {
    pub(super) id: ProviderId,
    pub(super) name: String,
    pub(super) api: ProviderApi,
    pub(super) base_url: String,
    #[serde(default)]
    pub(super) has_key: bool,
    /// The name of its key; none of a key of an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) key_name: Option<String>,
    #[serde(default)]
    pub(super) default_model: Option<String>,
}

impl SavedProvider {
    /// Whether it lists the same models as `other`: at the same address with the same key.
    pub(super) fn lists_as(&self, other: &Self) -> bool {
        let is_same_place = self.api == other.api && self.base_url == other.base_url;
        is_same_place && self.has_key == other.has_key && self.key_name == other.key_name
    }
}
