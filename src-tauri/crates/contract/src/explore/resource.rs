//! Resources and resource templates: rows of their lists, and reading one. The result of a read is in `exchange.rs`.

use serde::{Deserialize, Serialize};

use crate::{NamedText, ServerId, Timeouts, ViolationItem};

/// One row of the list of resources. A malformed resource is a row with violations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ResourceItem {
    /// Its index in the list as received, over all pages. URIs may repeat; the index does not.
    pub index: u32,
    /// Its URI; empty if it has none.
    pub uri: String,
    /// Its name; empty if it has none.
    pub name: String,
    /// `title`, if it has one.
    pub title: Option<String>,
    /// The first 300 characters of the description.
    pub description: Option<String>,
    /// `mimeType`, as the server writes it.
    pub mime_type: Option<String>,
    /// Its size in bytes, if the server states it.
    pub size: Option<f64>,
    /// `annotations.audience`: `user`, `assistant`; at most ten.
    pub audience: Vec<String>,
    /// `annotations.priority`, from 0 to 1.
    pub priority: Option<f64>,
    /// `annotations.lastModified`, as the server writes it.
    pub last_modified: Option<String>,
    /// The first icon that is a `data:` URI of an image (not SVG) and at most 8 KiB long. Icons at other addresses are not fetched.
    pub icon: Option<String>,
    /// Violations of its definition.
    pub violations: Vec<ViolationItem>,
}

/// One row of the list of resource templates. A malformed template is a row with violations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplateItem {
    /// Its index in the list as received, over all pages.
    pub index: u32,
    /// `uriTemplate` (RFC 6570); empty if it has none.
    pub uri_template: String,
    /// Its name; empty if it has none.
    pub name: String,
    /// `title`, if it has one.
    pub title: Option<String>,
    /// The first 300 characters of the description.
    pub description: Option<String>,
    /// `mimeType` of all matching resources, as the server writes it.
    pub mime_type: Option<String>,
    /// Violations of its definition.
    pub violations: Vec<ViolationItem>,
}

/// Parameters of `resource_read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ResourceReadParams {
    /// The server.
    pub server_id: ServerId,
    /// The URI, sent exactly as written.
    pub uri: String,
    /// Timeouts instead of those in the server's settings.
    pub timeouts: Option<Timeouts>,
    /// The `ui://` URI of the app that reads it; none if the user does.
    #[serde(default)]
    #[cfg_attr(feature = "export", ts(optional))]
    pub by_app: Option<String>,
}

/// Parameters of `resource_template_expand`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplateExpandParams {
    /// The template (RFC 6570).
    pub uri_template: String,
    /// The values of its variables; a variable without one is undefined.
    pub values: Vec<TemplateValue>,
}

/// The value of one variable of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TemplateValue {
    /// The variable.
    pub name: String,
    /// Its value.
    pub value: TemplateValueKind,
}

/// The kinds of values a variable can have (RFC 6570 §2.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TemplateValueKind {
    /// A string.
    Text {
        /// The string.
        text: String,
    },
    /// A list of strings; an empty one counts as undefined.
    List {
        /// The strings.
        items: Vec<String>,
    },
    /// An associative array; an empty one counts as undefined.
    Pairs {
        /// Its members in order.
        pairs: Vec<NamedText>,
    },
}

/// Response of `resource_template_expand`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplateExpandResponse {
    /// The names of the template's variables, without duplicates, in order.
    pub variables: Vec<String>,
    /// The URI.
    pub uri: String,
}
