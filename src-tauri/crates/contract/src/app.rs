//! The application itself: folders, environment, stored UI state, nudges.

use serde::{Deserialize, Serialize};

use crate::ServerId;

/// A response without content.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct Done {}

/// Parameters of `app_info`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct AppInfoParams {}

/// Response of `app_info`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AppInfoResponse {
    /// Patchbay's version.
    pub version: String,
    /// `linux`, `macos` or `windows`.
    pub platform: String,
    /// Path of `servers.json`.
    pub config_file: String,
    /// Path of the traffic store.
    pub store_file: String,
    /// Path of Patchbay's own diagnostics.
    pub log_file: String,
    /// The PATH that server processes get.
    pub path: PathInfo,
    /// A message for the user since the start (for example: an unreadable `servers.json` was set aside), or none.
    pub notices: Vec<String>,
    /// Why the traffic log cannot be written at present, with the next action; none if it can be.
    pub log_problem: Option<String>,
}

/// The PATH that server processes get, and its source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PathInfo {
    /// The value.
    pub value: String,
    /// Its source.
    pub source: PathSource,
    /// The shell that was run, or should have been; none if none had to be.
    pub shell: Option<String>,
    /// Why it was not read from the shell, if so.
    pub problem: Option<String>,
}

/// Source of the environment of server processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum PathSource {
    /// Inherited: Patchbay was started from a terminal (or by a test), no shell is wanted, or the shell failed.
    Inherited,
    /// Determined by running the login shell.
    LoginShell,
    /// Determined by running the shell of the settings.
    ChosenShell,
}

/// Parameters of `ui_state_get`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct UiStateGetParams {}

/// Response of `ui_state_get`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct UiStateGetResponse {
    /// What `ui_state_set` stored last; none at the first start.
    pub state_json: Option<String>,
}

/// Parameters of `ui_state_set`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct UiStateSetParams {
    /// JSON text, at most 1 MiB.
    pub state_json: String,
}

/// Parameters of `link_open`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LinkOpenParams {
    /// The address, as shown to the user.
    pub url: String,
}

/// Parameters of `deep_link_take`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct DeepLinkTakeParams {}

/// Response of `deep_link_take`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DeepLinkTakeResponse {
    /// The links, as they came.
    pub links: Vec<String>,
}

/// Parameters of `app_watch`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct AppWatchParams {}

/// Something changed and should be pulled. An event says what changed, not how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AppEvent {
    /// What changed.
    pub topic: AppTopic,
    /// The server it belongs to; none for topics that belong to no server.
    pub server_id: Option<ServerId>,
    /// Increases with each change, over all topics.
    pub revision: u32,
}

/// The topics of nudges, each with the command that pulls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum AppTopic {
    /// The list of servers, or the state of a connection in it: `server_list`.
    Servers,
    /// The details of a server's connection: `connection_get`.
    Connection,
    /// A server's tools: `tool_list`.
    Tools,
    /// The differences between a server's tools and the remembered ones: `tool_definitions_get`.
    ToolDefinitions,
    /// What changed on a server since an earlier connection: `server_changes_get`.
    ServerChanges,
    /// A server's resources: `resource_list`.
    Resources,
    /// A server's resource templates: `resource_template_list`.
    ResourceTemplates,
    /// A server's prompts: `prompt_list`.
    Prompts,
    /// A server's tasks: `task_list`.
    Tasks,
    /// A server's token, or the state of one of its authorization runs: `authorization_get`.
    Authorization,
    /// The vault: `vault_get`.
    Vault,
    /// The pending requests of servers: `input_list`.
    Inputs,
    /// The model providers: `provider_list`.
    Providers,
    /// The shared sets of roots, what the user decided about roots, or the state of a folder: `root_set_list`, `roots_get`.
    Roots,
    /// The list of conversations, and the rules that run calls: `chat_list`, `chat_rules_get`.
    Chats,
    /// The program was started with a link: `deep_link_take`.
    DeepLinks,
    /// Whether the traffic log can be written: `app_info`.
    Log,
}
