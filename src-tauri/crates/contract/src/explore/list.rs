//! The common parts of all lists of a server: tools, resources, resource templates, prompts, skills, tasks.

use serde::{Deserialize, Serialize};

use crate::{
    Freshness, PromptItem, ResourceItem, ResourceTemplateItem, Seq, ServerId, SkillItem, TaskItem, TextBody,
    ToolItem, ViolationItem,
};

/// A kind of list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ListKind {
    /// `tools/list`
    Tools,
    /// `resources/list`
    Resources,
    /// `resources/templates/list`
    ResourceTemplates,
    /// `prompts/list`
    Prompts,
    /// `skills/list` (extension `io.modelcontextprotocol/skills`)
    Skills,
    /// `tasks/list` (2025-11-25)
    Tasks,
}

/// Parameters of `tool_list`, `resource_list`, `resource_template_list`, `prompt_list`, `skill_list` and `task_list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListParams {
    /// The server.
    pub server_id: ServerId,
    /// Request all pages again instead of returning the known list.
    pub refresh: bool,
    /// `next_cursor` of the previous page; none for the first page.
    pub cursor: Option<String>,
}

/// How the pages of a server's lists are requested. Tools are always listed whole: their definitions are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ListPaging {
    /// All pages, one after the other.
    #[default]
    All,
    /// The first page; each further page when the user asks for it.
    PageByPage,
}

/// Parameters of `list_more`: adds the next page of the server, or all further pages, to a list that has been fetched page by
/// page. Does nothing if the list has no further page.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListMoreParams {
    /// The server.
    pub server_id: ServerId,
    /// The list.
    pub list: ListKind,
    /// Whether all further pages are requested.
    pub all: bool,
}

/// Parameters of `list_cancel`: cancels the request for a list that is in progress, if there is one. The pages that were received
/// are kept; `list_more` continues after them.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListCancelParams {
    /// The server.
    pub server_id: ServerId,
    /// The list.
    pub list: ListKind,
}

/// Response of `list_more`. The nudge of the list announces the new rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListMoreResponse {
    /// The number of rows on all pages requested so far.
    pub total: u32,
    /// Whether the server has a further page.
    pub has_more: bool,
}

/// Why a list may be outdated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Staleness {
    /// The server sent `list_changed` since it was listed.
    Changed,
    /// Its `ttlMs` has passed.
    Expired,
}

/// A page of any list, from which the engine makes the responses below.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPage<T> {
    /// At most 2,000 rows.
    pub items: Vec<T>,
    /// Pass it as `cursor` to get the next page; none on the last page.
    pub next_cursor: Option<String>,
    /// The number of rows on all pages.
    pub total: u32,
    /// The number of pages that the server returned; 0 if it lists nothing: the rows are then those known here.
    pub pages: u32,
    /// Whether the server has a further page that was not requested.
    pub has_more: bool,
    /// Whether the server declared the capability.
    pub supported: bool,
    /// Why the list may be outdated.
    pub stale: Option<Staleness>,
    /// How long the list is fresh.
    pub freshness: Option<Freshness>,
    /// Violations of the list itself.
    pub violations: Vec<ViolationItem>,
    /// The nudge that announced this list.
    pub revision: u32,
}

impl<T> ListPage<T> {
    /// The list of a server that was not asked for one.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            items: Vec::new(),
            next_cursor: None,
            total: 0,
            pages: 0,
            has_more: false,
            supported: false,
            stale: None,
            freshness: None,
            violations: Vec::new(),
            revision: 0,
        }
    }
}

macro_rules! responses {
    ($($(#[$doc:meta])* $name:ident($item:ident);)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "export", derive(ts_rs::TS))]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            /// At most 2,000 rows.
            pub items: Vec<$item>,
            /// Pass it as `cursor` to get the next page; none on the last page.
            pub next_cursor: Option<String>,
            /// The number of rows on all pages.
            pub total: u32,
            /// The number of pages that the server returned; 0 if it was not asked. Tasks that a server does not list
            /// are those created or reported on this connection.
            pub pages: u32,
            /// Whether the server has a further page that was not requested: `list_more` adds it.
            pub has_more: bool,
            /// False if the server did not declare the capability (it was not queried, or it responded anyway).
            pub supported: bool,
            /// Why the list may be outdated; the server is queried again only with `refresh`.
            pub stale: Option<Staleness>,
            /// How long the list is fresh according to the server: that of the page that expires first (2026-07-28).
            pub freshness: Option<Freshness>,
            /// Violations of the list itself: a repeated cursor, a failed page, a limit.
            pub violations: Vec<ViolationItem>,
            /// The revision of the nudge that announced this list: older nudges announce nothing new. 0 if nothing was
            /// listed.
            pub revision: u32,
        }

        impl From<ListPage<$item>> for $name {
            fn from(page: ListPage<$item>) -> Self {
                let ListPage { items, next_cursor, total, pages, has_more, supported, stale, freshness, violations, revision } = page;
                Self { items, next_cursor, total, pages, has_more, supported, stale, freshness, violations, revision }
            }
        }
    )*};
}

responses! {
    /// Response of `tool_list`.
    ToolListResponse(ToolItem);
    /// Response of `resource_list`.
    ResourceListResponse(ResourceItem);
    /// Response of `resource_template_list`.
    ResourceTemplateListResponse(ResourceTemplateItem);
    /// Response of `prompt_list`.
    PromptListResponse(PromptItem);
    /// Response of `skill_list`.
    SkillListResponse(SkillItem);
    /// Response of `task_list`: the list of the server, with what it has reported of its tasks since.
    TaskListResponse(TaskItem);
}

/// Parameters of `list_item_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListItemGetParams {
    /// The server.
    pub server_id: ServerId,
    /// The list.
    pub list: ListKind,
    /// `index` of the row.
    pub index: u32,
}

/// Response of `list_item_get`: one row of a list in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListItemGetResponse {
    /// The definition, exactly as received.
    pub definition: TextBody,
    /// The whole description; none if missing.
    pub description: Option<String>,
    /// The record of the page that contains it.
    pub seq: Seq,
}
