//! A server's tools: listed over all pages, kept per connection, shown a page at a time.

mod listing;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use patchbay_contract::*;
use patchbay_protocol::views::{ServerCapabilities, ToolView};

use crate::{connections::Live, convert, engine::Engine, error::fail, nudges::Topic};
use listing::ToolList;

/// Rows of one answer.
const PAGE: usize = 2_000;

/// The tools of one connection, as listed last.
#[derive(Debug, Default)]
pub(crate) struct ToolCache {
    /// Held while listing, so that two who ask at once ask the server once.
    listing: tokio::sync::Mutex<()>,
    list: Mutex<Option<Arc<ToolList>>>,
}

impl ToolCache {
    fn get(&self) -> Option<Arc<ToolList>> {
        self.lock().clone()
    }

    /// Keeps a list that was made just now and tells of it, which gives it its revision. Whoever hears of it finds it here.
    fn put(&self, mut list: ToolList, tell: impl FnOnce() -> u32) -> Arc<ToolList> {
        let mut kept = self.lock();
        list.revision = tell();
        let list = Arc::new(list);
        *kept = Some(list.clone());
        list
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<ToolList>>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The output schema of a tool, if it was listed with one.
    pub(crate) fn output_schema(&self, name: &str) -> Option<String> {
        let list = self.get()?;
        let tool = list.tools.iter().find(|tool| tool.item.name == name)?;
        ToolView::parse(list.definition(tool))
            .output_schema
            .map(str::to_owned)
    }
}

/// Lists the tools of a connection that has just become ready, if the server says it has any.
pub(crate) async fn list_when_ready(engine: Engine, id: ServerId) {
    let Ok((live, _)) = engine.inner.ready(&id) else {
        return;
    };
    if declares_tools(&live)
        && let Err(error) = list(&engine, &id, false).await
    {
        // The exchange is in the log, and whoever opens the tools asks again and is told.
        tracing::debug!(code = ?error.code, "tools were not listed");
    }
}

/// The list as it is, listed first if it never was or if `refresh` wants it.
async fn list(engine: &Engine, id: &ServerId, refresh: bool) -> Result<(Live, Arc<ToolList>), CommandError> {
    let live = engine.inner.live(id);
    if !refresh
        && let Some((live, list)) = live.and_then(|live| live.tools.get().map(|list| (live.clone(), list)))
    {
        return Ok((live, list));
    }
    let (live, connection) = engine.inner.ready(id)?;
    let before = live.tools.get();
    let _listing = live.tools.listing.lock().await;
    // Somebody else listed while we waited.
    if let Some(list) = live.tools.get()
        && before.is_none_or(|before| !Arc::ptr_eq(&before, &list))
    {
        drop(_listing);
        return Ok((live, list));
    }
    let listed = listing::list(&engine.inner, &connection, over_http(&live)).await?;
    let topic = Topic::Tools(id.clone());
    let listed = live.tools.put(listed, || engine.inner.nudges.changed(topic));
    drop(_listing);
    Ok((live, listed))
}

pub(crate) async fn tool_list(
    engine: &Engine,
    params: ToolListParams,
) -> Result<ToolListResponse, CommandError> {
    let offset = match &params.cursor {
        None => 0,
        Some(cursor) => cursor.parse::<usize>().map_err(|_| {
            fail(
                ErrorCode::InvalidParams,
                "The cursor is none that `tool_list` gave.",
            )
        })?,
    };
    let id = &params.server_id;
    let known = engine
        .inner
        .live(id)
        .is_some_and(|live| live.tools.get().is_some());
    if !params.refresh && !known {
        let (live, _) = engine.inner.ready(id)?;
        if !declares_tools(&live) {
            return Ok(ToolListResponse {
                items: Vec::new(),
                next_cursor: None,
                total: 0,
                supported: false,
                stale: None,
                freshness: None,
                violations: Vec::new(),
                revision: 0,
            });
        }
    }
    let (live, list) = list(engine, id, params.refresh).await?;
    let end = offset.saturating_add(PAGE).min(list.tools.len());
    Ok(ToolListResponse {
        items: list
            .tools
            .get(offset..end)
            .unwrap_or_default()
            .iter()
            .map(|tool| tool.item.clone())
            .collect(),
        next_cursor: (end < list.tools.len()).then(|| end.to_string()),
        total: convert::count(list.tools.len()),
        supported: declares_tools(&live),
        stale: staleness(&live, &list),
        freshness: list.freshness.clone(),
        violations: list.violations.clone(),
        revision: list.revision,
    })
}

pub(crate) fn tool_get(engine: &Engine, params: &ToolGetParams) -> Result<ToolGetResponse, CommandError> {
    engine.inner.servers.get(&params.server_id)?;
    let list = engine
        .inner
        .live(&params.server_id)
        .and_then(|live| live.tools.get());
    let list = list.ok_or_else(|| {
        fail(
            ErrorCode::NotFound,
            "The tools were not listed yet. List them first.",
        )
    })?;
    let tool = list.tools.get(params.index as usize).ok_or_else(|| {
        fail(
            ErrorCode::NotFound,
            format!(
                "There is no tool {} in the list any more. List the tools again.",
                params.index
            ),
        )
    })?;
    let definition = list.definition(tool);
    let view = ToolView::parse(definition);
    Ok(ToolGetResponse {
        tool: tool.item.clone(),
        description: view.description.map(Into::into),
        definition_json: definition.to_owned(),
        input_schema_json: view.input_schema.map(str::to_owned),
        output_schema_json: view.output_schema.map(str::to_owned),
        seq: Some(convert::seq(list.seq(tool))),
    })
}

/// Why the list may no longer be right. Nothing is asked for because of it: that is for whoever looks.
fn staleness(live: &Live, list: &ToolList) -> Option<Staleness> {
    let changed = live
        .connection
        .as_ref()
        .is_some_and(|now| now.notices().borrow().tools_changed > list.changes);
    match changed {
        true => Some(Staleness::Changed),
        false => list
            .freshness
            .as_ref()
            .is_some_and(|freshness| is_expired(freshness, convert::at_ms(SystemTime::now())))
            .then_some(Staleness::Expired),
    }
}

/// Whether a list is older than its server wants it kept. One that is never to be kept (0 ms) would be marked from its
/// first moment on and for ever: its freshness says it.
fn is_expired(freshness: &Freshness, now_at_ms: f64) -> bool {
    freshness.ttl_ms > 0.0 && now_at_ms > freshness.since_at_ms + freshness.ttl_ms
}

/// Whether the server is reached over HTTP, where some parameters travel in headers.
fn over_http(live: &Live) -> bool {
    live.status()
        .link
        .as_ref()
        .is_some_and(|link| link.http().is_some())
}

fn declares_tools(live: &Live) -> bool {
    let status = live.status();
    let capabilities = status
        .handshake
        .as_ref()
        .and_then(|handshake| handshake.capabilities_json.as_deref());
    capabilities.is_some_and(|raw| ServerCapabilities::new(raw).has("tools"))
}

#[cfg(test)]
mod tests;
