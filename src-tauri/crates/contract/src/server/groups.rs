//! Disabled servers, and groups of servers.

use serde::{Deserialize, Serialize};

use crate::ServerId;

/// Parameters of `server_disabled_set`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerDisabledSetParams {
    /// The servers.
    pub server_ids: Vec<ServerId>,
    /// Whether they are disabled from now on.
    pub disabled: bool,
}

/// Parameters of `server_groups_set`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerGroupsSetParams {
    /// The server.
    pub server_id: ServerId,
    /// The names of the groups it is in from now on.
    pub groups: Vec<String>,
}

/// Parameters of `group_save`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GroupSaveParams {
    /// The name of the group that is changed; a new group if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub group: Option<String>,
    /// Its name from now on: not empty, at most 100 characters, and of no other group, upper and lower case being the same.
    pub name: String,
    /// The servers that are in it from now on, and no others.
    pub server_ids: Vec<ServerId>,
}

/// Parameters of `group_remove`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GroupRemoveParams {
    /// Its name.
    pub group: String,
}

/// Parameters of `group_reorder`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GroupReorderParams {
    /// The name of every group, in the new order.
    pub groups: Vec<String>,
}
