//! Roots: the folders that servers may work in, shared sets of them, and what the user allowed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{RootSetId, ServerId};

/// The response to `roots/list`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RootsRule {
    /// An empty list.
    None {},
    /// The user is asked each time.
    Ask {},
    /// These folders, and those of the shared sets: each once, without those that cannot be read and those that the user
    /// has not allowed.
    Folders {
        /// Absolute paths.
        paths: Vec<String>,
        /// The names of roots, by path; a root without one is named after its folder.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        #[cfg_attr(feature = "export", ts(optional, type = "{ [path: string]: string }"))]
        names: BTreeMap<String, String>,
        /// The shared sets that it uses too. One that does not exist (any more) has no folders.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "export", ts(optional, as = "Option<Vec<RootSetId>>"))]
        sets: Vec<RootSetId>,
    },
}

/// A folder of a shared set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RootFolder {
    /// Its absolute path.
    pub path: String,
    /// The name of the root; after its folder if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub name: Option<String>,
}

/// A shared set of roots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RootSetItem {
    /// Its id, which stays when it is renamed.
    pub id: RootSetId,
    /// Its name, unique among the sets.
    pub name: String,
    /// Its folders.
    pub folders: Vec<RootFolder>,
    /// The servers that use it, in the user's order.
    pub used_by: Vec<ServerId>,
}

/// Parameters of `root_set_list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct RootSetListParams {}

/// Response of `root_set_list`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RootSetListResponse {
    /// By name.
    pub items: Vec<RootSetItem>,
}

/// Parameters of `root_set_save`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RootSetSaveParams {
    /// The set to replace; none adds one.
    #[serde(default)]
    pub root_set_id: Option<RootSetId>,
    /// Its name: not empty, not taken, at most 100 characters.
    pub name: String,
    /// Its folders, at most 1,000. A path that is not absolute is refused; a folder that does not exist is not.
    pub folders: Vec<RootFolder>,
}

/// Response of `root_set_save`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RootSetSaveResponse {
    /// The set's id.
    pub root_set_id: RootSetId,
}

/// Parameters of `root_set_remove`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RootSetRemoveParams {
    /// The set.
    pub root_set_id: RootSetId,
    /// Remove it although servers use it; it is removed from their settings too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<bool>"))]
    pub despite_use: bool,
}

/// Parameters of `roots_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RootsGetParams {
    /// The server.
    pub server_id: ServerId,
}

/// Response of `roots_get`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RootsGetResponse {
    /// Its own folders first, then those of its shared sets; each once. Empty unless its settings name folders.
    pub folders: Vec<RootItem>,
    /// When it last asked during its current or last connection, in milliseconds since 1970; none if it did not.
    pub asked_at_ms: Option<f64>,
}

/// A folder that is configured as a root of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RootItem {
    /// Its path, as configured.
    pub path: String,
    /// The name that is sent; none for the root of a file system.
    pub name: Option<String>,
    /// The `file:` URI that is sent; none if the path is not absolute.
    pub uri: Option<String>,
    /// Whether it can be a root. It is sent only if it is `ready` and `allowed`.
    pub state: FolderState,
    /// The user's decision.
    pub consent: RootConsent,
    /// Whether it is in the settings of the server itself.
    pub is_own: bool,
    /// The shared sets of the server that contain it, by id.
    pub sets: Vec<RootSetId>,
}

/// What the user decided about a folder and a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RootConsent {
    /// Nothing yet: it is not sent.
    Open,
    /// It is sent.
    Allowed,
    /// It is not sent.
    Declined,
}

/// Parameters of `roots_decide`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RootsDecideParams {
    /// The server.
    pub server_id: ServerId,
    /// The paths of the folders, as `roots_get` lists them.
    pub paths: Vec<String>,
    /// Whether the server gets them.
    pub is_allowed: bool,
}

/// Parameters of `folder_check`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FolderCheckParams {
    /// Paths as typed, at most 1,000.
    pub paths: Vec<String>,
}

/// Response of `folder_check`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FolderCheckResponse {
    /// In the order of the paths.
    pub folders: Vec<FolderFacts>,
}

/// What a folder would be as a root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FolderFacts {
    /// Whether it can be a root.
    pub state: FolderState,
    /// The `file:` URI that is sent; none if the path is not absolute.
    pub uri: Option<String>,
    /// The root of the repository that contains it, if that is another folder.
    pub repository: Option<String>,
    /// The folder that it leads to, if there is a symbolic link in its path.
    pub target: Option<String>,
}

/// Whether a folder can be a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum FolderState {
    /// It exists and can be read.
    Ready,
    /// The path does not begin at the root of the file system, or contains `..`.
    NotAbsolute,
    /// There is nothing at this path.
    Missing,
    /// A file, not a folder.
    NotAFolder,
    /// The user may not read it.
    Unreadable,
    /// Its file system did not answer in time.
    NotAnswering,
}
