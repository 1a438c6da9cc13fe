//! The application itself: folders, environment, remembered UI state, nudges.

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
    /// Whether the running program can act as the demo server.
    pub demo_available: bool,
    /// Something the user should know since the start (e.g. an unreadable `servers.json` was set aside), or none.
    pub notices: Vec<String>,
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
    /// Why the login shell could not be asked, if it could not.
    pub problem: Option<String>,
}

/// Source of the environment of server processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum PathSource {
    /// Inherited: Patchbay was started from a terminal (or by a test).
    Inherited,
    /// Asked from the login shell: the window was started by the desktop.
    LoginShell,
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
    /// The address, which the user has seen.
    pub url: String,
}

/// Parameters of `app_watch`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct AppWatchParams {}

/// A nudge: pull what it names. Carries no content. `revision` only grows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AppEvent {
    /// The list of servers, or the state of a connection in it: pull `server_list`.
    ServersChanged {
        /// Grows with each change.
        revision: u32,
    },
    /// Details of one server's connection: pull `connection_get`.
    ConnectionChanged {
        /// Whose.
        server_id: ServerId,
        /// Grows with each change.
        revision: u32,
    },
    /// What servers ask of the user changed: pull `input_list`.
    InputsChanged {
        /// Grows with each change.
        revision: u32,
    },
    /// A server's token, or how one of its authorization runs stands: pull `authorization_get`.
    AuthorizationChanged {
        /// Whose.
        server_id: ServerId,
        /// Grows with each change.
        revision: u32,
    },
    /// How the vault stands changed: pull `vault_get`.
    VaultChanged {
        /// Grows with each change.
        revision: u32,
    },
    /// A server's tasks changed: what `task_list` gives is not what it was.
    TasksChanged {
        /// Whose.
        server_id: ServerId,
        /// Grows with each change.
        revision: u32,
    },
    /// A server's resources were listed again, or it said they changed: pull `resource_list`.
    ResourcesChanged {
        /// The server.
        server_id: ServerId,
        /// Grows with each change.
        revision: u32,
    },
    /// A server's resource templates were listed again, or it said they changed: pull `resource_template_list`.
    ResourceTemplatesChanged {
        /// The server.
        server_id: ServerId,
        /// Grows with each change.
        revision: u32,
    },
    /// A server's prompts were listed again, or it said they changed: pull `prompt_list`.
    PromptsChanged {
        /// The server.
        server_id: ServerId,
        /// Grows with each change.
        revision: u32,
    },
    /// A server's tools were listed again, or it said they changed: pull `tool_list`.
    ToolsChanged {
        /// Whose.
        server_id: ServerId,
        /// Grows with each change.
        revision: u32,
    },
}
