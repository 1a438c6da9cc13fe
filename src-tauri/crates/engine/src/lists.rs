//! The lists of servers: tools, resources, resource templates, prompts, skills, and tasks where they can be listed. All share one
//! mechanism: paging, stored refusals, freshness, changes, size limits. To add a list, implement [`Primitive`] in a new
//! file.

mod cache;
pub(crate) mod definitions;
pub(crate) mod handlers;
mod list;
mod listing;
mod pages;
mod primitive;
mod prompts;
mod resources;
mod skills;
mod table;
mod tasks;
mod templates;
mod tool;
mod tools;

use patchbay_contract::*;

use crate::state::Engine;
pub use cache::ListedPages;
pub(crate) use cache::{Lookup, all, begin_comparing, page};
pub(crate) use primitive::{Primitive, calls_as_tasks};
pub(crate) use prompts::Prompts;
pub(crate) use resources::{Resources, definition_of as resource_definition};
pub(crate) use skills::Skills;
pub(crate) use table::Lists;
pub(crate) use tasks::{Tasks, reported_since as tasks_reported_since};
pub(crate) use templates::ResourceTemplates;
pub(crate) use tool::{listed_tool, output_schema, tool_get, tools_of};
pub(crate) use tools::Tools;

impl Engine {
    /// Lists everything of one kind on a ready connection, and returns the pages exactly as received.
    ///
    /// # Errors
    /// `NotConnected` if nothing could be sent.
    pub async fn list_pages(&self, server: &ServerId, list: ListKind) -> Result<ListedPages, CommandError> {
        match list {
            ListKind::Tools => cache::exact::<Tools>(self, server).await,
            ListKind::Resources => cache::exact::<Resources>(self, server).await,
            ListKind::ResourceTemplates => cache::exact::<ResourceTemplates>(self, server).await,
            ListKind::Prompts => cache::exact::<Prompts>(self, server).await,
            ListKind::Skills => cache::exact::<Skills>(self, server).await,
            ListKind::Tasks => cache::exact::<Tasks>(self, server).await,
        }
    }
}

/// Lists the tools of a connection that has just become ready, if the server has any.
pub(crate) async fn list_when_ready(engine: Engine, id: ServerId) {
    let Ok((live, _)) = engine.state.ready(&id) else {
        return;
    };
    begin_comparing(&engine, &live).await;
    if Tools::is_declared(&live.status())
        && let Err(error) = all::<Tools>(&engine, &id, Lookup::default()).await
    {
        // The exchange is in the log, and opening the tools shows the error.
        tracing::debug!(code = ?error.code, "tools were not listed");
    }
}
