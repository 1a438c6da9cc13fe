//! What servers list: tools, resources, resource templates, prompts, and tasks where they can be listed. One mechanism for
//! all of them: pages to the end, a refusal that is remembered, freshness, changes, budgets in bytes. To add a list,
//! implement [`Primitive`] in a new file.

mod cache;
pub(crate) mod handlers;
mod listing;
mod primitive;
mod prompts;
mod resources;
mod tasks;
mod templates;
mod tools;

use bytes::Bytes;
use patchbay_contract::*;

use crate::{calls::Ended, connections::ConnectionHandle, engine::Engine};
pub(crate) use cache::{Listing, all, page};
pub(crate) use primitive::{Context, Entry, Primitive};
pub(crate) use prompts::Prompts;
pub(crate) use resources::Resources;
pub(crate) use tasks::Tasks;
pub(crate) use templates::ResourceTemplates;
pub(crate) use tools::{Tools, output_schema, tool_get};

/// How many bytes the lists of one connection may hold together: pages as they came, and rows.
const CONNECTION_BYTES: usize = 128 * 1024 * 1024;

/// The lists of one connection, as listed last.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    tools: Listing<Tools>,
    resources: Listing<Resources>,
    templates: Listing<ResourceTemplates>,
    prompts: Listing<Prompts>,
    tasks: Listing<Tasks>,
}

impl Lists {
    /// The user works with the rows of a list from now on.
    pub(crate) fn used<P: Primitive>(&self) {
        P::of(self).used();
    }

    /// How many bytes one more list may hold that takes the place of one of these.
    fn room_for(&self, replaced: usize) -> usize {
        let all = self.tools.bytes()
            + self.resources.bytes()
            + self.templates.bytes()
            + self.prompts.bytes()
            + self.tasks.bytes();
        CONNECTION_BYTES.saturating_sub(all - replaced)
    }
}

/// The pages of a list, exactly as received.
#[derive(Debug, Clone)]
pub struct ListedPages {
    /// The `result` of each page: live bytes, nothing masked.
    pub pages: Vec<Bytes>,
    /// Why the list ended early, if it did: a repeated cursor, a limit.
    pub violations: Vec<ViolationItem>,
    /// How the request ended that should have brought the next page, if it failed.
    pub failed: Option<Ended>,
}

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
            ListKind::Tasks => cache::exact::<Tasks>(self, server).await,
        }
    }
}

/// Lists the tools of a connection that has just become ready, if the server says that it has any.
pub(crate) async fn list_when_ready(engine: Engine, id: ServerId) {
    let Ok((live, _)) = engine.inner.ready(&id) else {
        return;
    };
    if Tools::is_declared(&live)
        && let Err(error) = all::<Tools>(&engine, &id, false).await
    {
        // The exchange is in the log, and opening the tools shows the error.
        tracing::debug!(code = ?error.code, "tools were not listed");
    }
}

/// One row of a list in full.
pub(crate) fn item_get(
    engine: &Engine,
    params: &ListItemGetParams,
) -> Result<ListItemGetResponse, CommandError> {
    let (id, index) = (&params.server_id, params.index);
    match params.list {
        ListKind::Tools => cache::item::<Tools>(engine, id, index),
        ListKind::Resources => cache::item::<Resources>(engine, id, index),
        ListKind::ResourceTemplates => cache::item::<ResourceTemplates>(engine, id, index),
        ListKind::Prompts => cache::item::<Prompts>(engine, id, index),
        ListKind::Tasks => cache::item::<Tasks>(engine, id, index),
    }
}

/// Whether a server declared a capability.
fn declares(live: &ConnectionHandle, capability: &str) -> bool {
    let status = live.status();
    let capabilities = status
        .handshake
        .as_ref()
        .and_then(|handshake| handshake.capabilities_json.as_deref());
    capabilities.is_some_and(|raw| patchbay_protocol::views::ServerCapabilities::new(raw).has(capability))
}

/// The first characters of a description, for a row; the whole of it comes with the definition.
fn row_description(text: Option<&str>) -> Option<String> {
    const LONGEST: usize = 300;
    text.map(|text| text.chars().take(LONGEST).collect())
}
