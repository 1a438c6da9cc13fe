//! MCP bundles (`.mcpb`): what one contains, and adding its server.

use serde::{Deserialize, Serialize};

use crate::{BundleId, EnvVar};

/// Where a bundle is read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BundleSource {
    /// A file on this machine.
    Path {
        /// Its path.
        path: String,
    },
    /// What `bundle_upload` received.
    Upload {
        /// Its id.
        bundle_id: BundleId,
    },
}

/// Parameters of `bundle_upload`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BundleUploadParams {
    /// The bundle that the bytes continue; none for the first part.
    pub bundle_id: Option<BundleId>,
    /// The next bytes of the file, in base64.
    pub data: String,
}

/// Response of `bundle_upload`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BundleUploadResponse {
    /// The id for the next part, and for `bundle_open`.
    pub bundle_id: BundleId,
}

/// Parameters of `bundle_open`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BundleOpenParams {
    /// The bundle.
    pub source: BundleSource,
}

/// What a bundle contains, for a review. Every text is foreign.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BundleReview {
    /// Its id for `bundle_add`, until `bundle_close`.
    pub bundle_id: BundleId,
    /// The proposed name of the server, unique among the configured ones.
    pub name: String,
    /// What its author calls it.
    pub title: String,
    /// The version of the server.
    pub version: String,
    /// The version of its manifest.
    pub manifest_version: String,
    /// What it is, in a sentence.
    pub description: String,
    /// What it is, at length, in Markdown; none if its author does not say.
    pub long_description: Option<String>,
    /// Who made it.
    pub author: String,
    /// Its license.
    pub license: Option<String>,
    /// Pages about it.
    pub links: Vec<BundleLink>,
    /// `node`, `python`, `binary` or `uv`.
    pub server_type: String,
    /// The program that would be started. `${__dirname}` is the folder that the bundle is unpacked into.
    pub command: String,
    /// Its arguments; `${user_config.NAME}` is a value of the form.
    pub args: Vec<String>,
    /// Its variables, in the same form.
    pub env: Vec<EnvVar>,
    /// The tools it declares.
    pub tools: Vec<BundleItem>,
    /// Whether it has more tools when it runs.
    pub tools_generated: bool,
    /// The prompts it declares.
    pub prompts: Vec<BundleItem>,
    /// Whether it has more prompts when it runs.
    pub prompts_generated: bool,
    /// The systems it is for, as it names them (`darwin`, `win32`, `linux`); empty: all.
    pub platforms: Vec<String>,
    /// The runtimes it needs, each with the versions that it accepts. They are not compared with what is installed.
    pub runtimes: Vec<BundleRuntime>,
    /// The file that the program was found as; none if it is in the bundle, or was not found.
    pub program: Option<String>,
    /// Whether it is signed.
    pub signature: BundleSignature,
    /// The SHA-256 of the file, in hex.
    pub sha256: String,
    /// The size of the file, in bytes.
    pub size: f64,
    /// How many files it has.
    pub files: u32,
    /// Their size when unpacked, in bytes.
    pub unpacked_size: f64,
    /// The folder that it is unpacked below.
    pub folder: String,
    /// What it asks its user for, as a JSON Schema; none if nothing. Secrets have the format `password`.
    pub schema_json: Option<String>,
    /// The values to begin with, as a JSON object.
    pub values_json: String,
    /// Why it cannot be added here, in words.
    pub blockers: Vec<String>,
    /// What differs from the manifest, in words.
    pub notes: Vec<String>,
}

/// A page about a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BundleLink {
    /// What it is.
    pub label: String,
    /// Its address, as the bundle gives it.
    pub url: String,
}

/// A tool or a prompt that a bundle declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BundleItem {
    /// Its name.
    pub name: String,
    /// What it does; empty if its author does not say.
    pub description: String,
}

/// A runtime that a bundle needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BundleRuntime {
    /// Its name, e.g. `node`.
    pub name: String,
    /// The versions, e.g. `>=16.0.0`.
    pub versions: String,
}

/// Whether a bundle is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum BundleSignature {
    /// It is not.
    None,
    /// It has a signature, which Patchbay does not verify.
    Unverified,
    /// It has the end of a signature only.
    Damaged,
}

/// Parameters of `bundle_add`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BundleAddParams {
    /// The bundle, as `bundle_open` named it.
    pub bundle_id: BundleId,
    /// The name of the server, which must not be taken.
    pub name: String,
    /// The values of its settings, as a JSON object. Secrets go into the vault; `VaultNeeded` if it is not open.
    pub values_json: String,
    /// Store secrets in plain text in `servers.json` instead, at the user's request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<bool>"))]
    pub plain_secrets: bool,
}

/// Parameters of `bundle_close`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BundleCloseParams {
    /// The bundle.
    pub bundle_id: BundleId,
}
