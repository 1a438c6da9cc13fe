//! Servers of other hosts on this machine, and servers written for other hosts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{PlainSecretItem, ServerDraft, ServerId, TransportDraft};

/// Parameters of `host_find`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HostFindParams {}

/// Response of `host_find`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HostFindResponse {
    /// The files that exist, in the order of the hosts.
    pub files: Vec<HostFile>,
    /// Where a file was looked for and is not.
    pub absent: Vec<HostPlace>,
}

/// Parameters of `file_identify`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileIdentifyParams {
    /// The files, at most 20.
    pub files: Vec<FileText>,
}

/// A text file that the user dropped or named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileText {
    /// Its name or its path. The folders in it may say which host it is of; nothing is read from there.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// Response of `file_identify`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileIdentifyResponse {
    /// What each file is, in the same order.
    pub files: Vec<FileContent>,
}

/// What a file is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FileContent {
    /// The configuration of a host.
    Host {
        /// Its servers. The path of its place is the name that was given.
        file: HostFile,
    },
    /// A document of the MCP registry, for `registry_read`.
    Registry {},
    /// JSON with servers in another format, for `server_parse`.
    Servers {},
    /// Nothing with servers.
    Unknown {
        /// Why, in a sentence.
        reason: String,
    },
}

/// Parameters of `host_watch`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HostWatchParams {
    /// The files to watch, by their absolute paths. Only those that `host_find` looks for are watched.
    pub paths: Vec<String>,
}

/// A configuration of a host has other servers than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HostChange {
    /// Whose it is, and where.
    pub place: HostPlace,
    /// How many of its servers are new here, or differ from the configured ones. 0 if the file is gone.
    pub differing: u32,
}

/// A place for the configuration of a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HostPlace {
    /// The host, e.g. `Claude Desktop`.
    pub host: String,
    /// The absolute path.
    pub path: String,
}

/// The configuration of a host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HostFile {
    /// Whose it is, and where.
    pub place: HostPlace,
    /// Its servers, in order; none if it cannot be read.
    pub servers: Vec<HostServer>,
    /// What could not be read, in words.
    pub problems: Vec<String>,
}

/// A server of another host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HostServer {
    /// The settings as they would be added; secrets are in plain text. The name is unique among the configured servers.
    pub draft: ServerDraft,
    /// The name it has there.
    pub name: String,
    /// The folder of the project it belongs to, if the host limits it to one.
    pub project: Option<String>,
    /// Whether it is switched off there.
    pub disabled: bool,
    /// What was not taken over, in words.
    pub problems: Vec<String>,
    /// The secrets in plain text; they go into the vault when it is added.
    pub secrets: Vec<PlainSecretItem>,
    /// What the host asks its user for when it starts (VS Code), once each. `${input:ID}` in the draft means the answer.
    pub inputs: Vec<HostInput>,
    /// Whether it is configured here already.
    pub comparison: HostComparison,
}

/// A server of another host, beside the configured ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum HostComparison {
    /// None has its name, and none starts or reaches the same.
    New {},
    /// One is the same; values of secrets are not compared.
    Same {
        /// The configured server.
        server_id: ServerId,
        /// Its name.
        name: String,
    },
    /// One has the same name and other settings.
    Differs {
        /// The configured server.
        server_id: ServerId,
        /// Its name.
        name: String,
        /// What differs; never empty. Secrets are replaced by `${NAME}`.
        differences: Vec<HostDifference>,
        /// How an update starts or reaches it: as the other host does, with your proxy and CA file, and at the same origin with
        /// the certificates that you accepted or present.
        transport: TransportDraft,
    },
}

/// One setting that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HostDifference {
    /// The setting, e.g. `Arguments`.
    pub setting: String,
    /// Its value here; empty if there is none.
    pub ours: String,
    /// Its value there; empty if there is none.
    pub theirs: String,
}

/// Something that VS Code asks its user for (`inputs`). The name in `${input:ID}` is unique in its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HostInput {
    /// The name in `${input:ID}`.
    pub id: String,
    /// What is asked for.
    pub description: String,
    /// Whether the answer is a secret.
    pub password: bool,
    /// What is used if nothing is entered.
    pub default: Option<String>,
    /// What can be chosen from; empty if anything can be entered.
    pub options: Vec<String>,
}

/// The answer to an input of a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HostInputAnswer {
    /// What is filled in.
    pub text: String,
    /// Whether it becomes a secret of the server.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<bool>"))]
    pub is_secret: bool,
}

/// Answers to the inputs of a host, by id.
pub type HostInputAnswers = BTreeMap<String, HostInputAnswer>;

/// The host that a server is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum HostFormat {
    /// `mcpServers`, which most hosts read.
    #[default]
    McpServers,
    /// Claude Desktop: programs only.
    ClaudeDesktop,
    /// Claude Code.
    ClaudeCode,
    /// Cursor.
    Cursor,
    /// Windsurf.
    Windsurf,
    /// Cline.
    Cline,
    /// VS Code: `servers`, with `inputs` for the secrets.
    VsCode,
    /// Zed.
    Zed,
    /// Codex: TOML.
    Codex,
    /// Goose: YAML.
    Goose,
    /// Gemini CLI.
    GeminiCli,
    /// LM Studio.
    LmStudio,
}

/// The syntax of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum HostSyntax {
    /// JSON.
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}
