//! What changed on a server since an earlier connection: its own description and its lists.

use serde::{Deserialize, Serialize};

use crate::{DefinitionChangeItem, ListKind, ServerId};

/// Parameters of `server_changes_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerChangesGetParams {
    /// The server.
    pub server_id: ServerId,
    /// `next_cursor` of the previous page; none for the first page.
    pub cursor: Option<String>,
}

/// Response of `server_changes_get`. Everything is empty if nothing changed, or if the server was never connected before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerChangesGetResponse {
    /// When the server was last connected as it is compared with, in ms since the Unix epoch; none if nothing is kept.
    pub since_at_ms: Option<f64>,
    /// What changed in its description of itself.
    pub facts: Vec<FactChangeItem>,
    /// The lists that differ, of those that were requested on the current or last connection.
    pub lists: Vec<ListChanges>,
    /// At most 2,000 of the items that differ, list by list: added and changed ones in the order of the list, then removed ones.
    pub items: Vec<ChangedItem>,
    /// Pass it as `cursor` to get the next page; none on the last page.
    pub next_cursor: Option<String>,
    /// Names these changes, for marking them as seen.
    pub token: String,
}

/// A part of what a server says about itself when it is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ServerFact {
    /// `serverInfo.name`
    Name,
    /// `serverInfo.title`
    Title,
    /// `serverInfo.version`
    Version,
    /// The negotiated protocol revision.
    Revision,
    /// `capabilities`, as JSON text.
    Capabilities,
    /// `instructions`
    Instructions,
}

/// A changed part of what a server says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FactChangeItem {
    /// The part.
    pub fact: ServerFact,
    /// Before; none if there was none. At most 64 KiB, with secrets masked.
    pub before: Option<String>,
    /// Now.
    pub after: Option<String>,
}

/// The number of items of a list that differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListChanges {
    /// The list.
    pub list: ListKind,
    /// New items.
    pub added: u32,
    /// Items with another definition.
    pub changed: u32,
    /// Items that are no longer listed. 0 if the list is incomplete.
    pub removed: u32,
    /// Whether the list was read to its end. If not, a missing item may still exist.
    pub complete: bool,
}

/// How a listed item differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ItemChange {
    /// It is new.
    Added,
    /// Its definition has another meaning. The size of a resource and the time of its last change do not count.
    Changed,
    /// It is no longer listed.
    Removed,
}

/// An item of a list that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChangedItem {
    /// Its list.
    pub list: ListKind,
    /// Its name, URI or URI template.
    pub id: String,
    /// How it differs.
    pub change: ItemChange,
}

/// Parameters of `server_change_diff`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerChangeDiffParams {
    /// The server.
    pub server_id: ServerId,
    /// The list of the item.
    pub list: ListKind,
    /// Its name, URI or URI template.
    pub id: String,
}

/// Response of `server_change_diff`. Definitions are as received, with secrets masked; there are several if the server lists
/// the same item several times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerChangeDiffResponse {
    /// The definitions before; empty if it is new, or if they were too large to be kept.
    pub before: Vec<String>,
    /// The definitions now; empty if it was removed, or if they were too large to be kept.
    pub after: Vec<String>,
    /// The differences of the first definition of each; empty if it was added or removed.
    pub changes: Vec<DefinitionChangeItem>,
    /// Whether there are more changes than are listed.
    pub more: bool,
    /// Whether definitions are missing here because the list is too large to be kept whole.
    pub not_kept: bool,
}

/// Parameters of `server_changes_seen`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerChangesSeenParams {
    /// The server.
    pub server_id: ServerId,
    /// `token` of the response that was shown. `InvalidParams` if more has changed since.
    pub token: String,
}
