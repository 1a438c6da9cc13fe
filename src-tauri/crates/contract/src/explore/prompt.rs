//! Prompts: rows of their list, and getting one. The result is in `exchange.rs`.

use serde::{Deserialize, Serialize};

use crate::{ServerId, Timeouts, ViolationItem};

/// One row of the list of prompts. A malformed prompt is a row with violations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PromptItem {
    /// Its index in the list as received, over all pages. Names may repeat; the index does not.
    pub index: u32,
    /// Its name; empty if it has none.
    pub name: String,
    /// `title`, if it has one.
    pub title: Option<String>,
    /// The first 300 characters of the description.
    pub description: Option<String>,
    /// Its arguments in order; at most 100.
    pub arguments: Vec<PromptArgumentItem>,
    /// The first icon that is a `data:` URI of an image (not SVG) and at most 8 KiB long. Icons at other addresses are not fetched.
    pub icon: Option<String>,
    /// Violations of its definition.
    pub violations: Vec<ViolationItem>,
}

/// An argument of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PromptArgumentItem {
    /// Its name.
    pub name: String,
    /// `title`, if it has one.
    pub title: Option<String>,
    /// The first 300 characters of the description.
    pub description: Option<String>,
    /// Whether it is required.
    pub required: bool,
}

/// Parameters of `prompt_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PromptGetParams {
    /// The server.
    pub server_id: ServerId,
    /// The prompt's name.
    pub name: String,
    /// The arguments: JSON text of an object of strings, sent exactly as written; none sends no `arguments`.
    pub arguments_json: Option<String>,
    /// Timeouts instead of those in the server's settings.
    pub timeouts: Option<Timeouts>,
}
