//! `server.json` of the MCP registry: what it describes, and adding a server of it.

use serde::{Deserialize, Serialize};

use crate::{BundleLink, EnvVar};

/// Where a `server.json` is read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RegistrySource {
    /// Its text.
    Text {
        /// JSON.
        text: String,
    },
    /// An address that the user gave. It is requested once; the exchange is in the log.
    Url {
        /// `http://` or `https://`.
        url: String,
    },
}

/// Parameters of `registry_read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RegistryReadParams {
    /// The document.
    pub source: RegistrySource,
}

/// Response of `registry_read`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RegistryReadResponse {
    /// The text of the document, for `registry_add`.
    pub text: String,
    /// Its servers, or the versions of one, in order. Every text is foreign.
    pub servers: Vec<RegistryServer>,
}

/// A server of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RegistryServer {
    /// Its name in the registry.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The proposed name here, unique among the configured servers.
    pub proposed_name: String,
    /// What it is; empty if its author does not say.
    pub description: String,
    /// Its version; empty if its author does not say.
    pub version: String,
    /// Pages about it.
    pub links: Vec<BundleLink>,
    /// What the registry says of it if it should not be used, e.g. `deprecated`.
    pub status: Option<String>,
    /// How it can be run or reached.
    pub options: Vec<RegistryOption>,
}

/// One of the ways to run or reach a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RegistryOption {
    /// What it is, e.g. `npm: @ada/weather 1.0.0`.
    pub label: String,
    /// The program that would be started; none for an address, or if Patchbay has none for this package. `{NAME}` is a value of
    /// the form.
    pub command: Option<String>,
    /// Its arguments, in the same form.
    pub args: Vec<String>,
    /// The URL that would be reached; none for a program.
    pub url: Option<String>,
    /// Its variables or headers, in the same form.
    pub members: Vec<EnvVar>,
    /// The file that the program was found as.
    pub program: Option<String>,
    /// What it asks its user for, as a JSON Schema; none if nothing. Secrets have the format `password`.
    pub schema_json: Option<String>,
    /// The values to begin with, as a JSON object.
    pub values_json: String,
    /// Why it cannot be added here, in words.
    pub blocker: Option<String>,
    /// What the user should know, in words.
    pub notes: Vec<String>,
}

/// Parameters of `registry_add`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RegistryAddParams {
    /// The text of the document, as `registry_read` returned it.
    pub text: String,
    /// The index of the server in it.
    pub server: u32,
    /// The index of the option among those of the server.
    pub option: u32,
    /// The name of the server, which must not be taken.
    pub name: String,
    /// The values of the form, as a JSON object. Secrets go into the vault; `VaultNeeded` if it is not open.
    pub values_json: String,
    /// Store secrets in plain text in `servers.json` instead, at the user's request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<bool>"))]
    pub plain_secrets: bool,
}
