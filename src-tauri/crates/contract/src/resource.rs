//! Resources and resource templates: rows of their lists, and reading one. What a read gives: `exchange.rs`.

use serde::{Deserialize, Serialize};

use crate::{ServerId, Timeouts, ViolationItem};

/// One row of the list of resources. A malformed resource is a row with violations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ResourceItem {
    /// Its place in the list as received, over all pages. URIs may repeat; this does not.
    pub index: u32,
    /// Its URI; empty if it has none.
    pub uri: String,
    /// Its name; empty if it has none.
    pub name: String,
    /// `title`, if it has one.
    pub title: Option<String>,
    /// The first 300 characters of the description.
    pub description: Option<String>,
    /// `mimeType`, as the server gives it.
    pub mime_type: Option<String>,
    /// Its size in bytes, if the server gives it.
    pub size: Option<f64>,
    /// Problems of its definition.
    pub violations: Vec<ViolationItem>,
}

/// One row of the list of resource templates. A malformed template is a row with violations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplateItem {
    /// Its place in the list as received, over all pages.
    pub index: u32,
    /// `uriTemplate` (RFC 6570); empty if it has none.
    pub uri_template: String,
    /// Its name; empty if it has none.
    pub name: String,
    /// `title`, if it has one.
    pub title: Option<String>,
    /// The first 300 characters of the description.
    pub description: Option<String>,
    /// `mimeType` of all resources that match it, as the server gives it.
    pub mime_type: Option<String>,
    /// Problems of its definition.
    pub violations: Vec<ViolationItem>,
}

/// Parameters of `resource_read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ResourceReadParams {
    /// The server.
    pub server_id: ServerId,
    /// The URI, sent exactly as it stands.
    pub uri: String,
    /// Instead of the server's setting.
    pub timeouts: Option<Timeouts>,
}
