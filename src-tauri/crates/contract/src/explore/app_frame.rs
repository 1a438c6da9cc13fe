//! Apps of servers (MCP Apps): the document of an app's frame, its content security policy and its permissions.

use serde::{Deserialize, Serialize};

use crate::{AppFrameId, Seq, ServerId};

/// Parameters of `app_frame_open`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AppFrameOpenParams {
    /// The server.
    pub server_id: ServerId,
    /// The `ui://` URI that was read.
    pub uri: String,
    /// The record of the response to its `resources/read`.
    pub seq: Seq,
}

/// Response of `app_frame_open`: a document that the front serves to a frame, and what that frame may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AppFrameOpenResponse {
    /// Names the document; cannot be guessed.
    pub frame_id: AppFrameId,
    /// The size of the HTML in bytes.
    pub size: f64,
    /// The `Content-Security-Policy` of the document.
    pub policy: String,
    /// The origins that the resource declares and that are allowed.
    pub origins: AppOrigins,
    /// The granted permissions, as features of the permissions policy, such as `clipboard-write`.
    pub permissions: Vec<String>,
    /// What the resource declares but is not allowed, each with the reason, in a sentence; at most 50.
    pub refused: Vec<String>,
    /// `domain`, the origin that it would like. It has an opaque origin instead.
    pub domain: Option<String>,
    /// `prefersBorder`.
    pub prefers_border: Option<bool>,
}

/// The origins of an app, by purpose.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AppOrigins {
    /// `connectDomains`: requests.
    pub connect: Vec<String>,
    /// `resourceDomains`: images, scripts, styles, fonts and media.
    pub resource: Vec<String>,
    /// `frameDomains`: nested frames.
    pub frame: Vec<String>,
    /// `baseUriDomains`: base URIs.
    pub base_uri: Vec<String>,
}

/// Parameters of `app_frame_close`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AppFrameCloseParams {
    /// The document.
    pub frame_id: AppFrameId,
}
