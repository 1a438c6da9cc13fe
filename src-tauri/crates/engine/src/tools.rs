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
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// How often the server was asked to the end.
    rounds: u64,
    list: Option<Arc<ToolList>>,
    /// Why the last listing failed, if it did. The server is not asked again until somebody wants it, as with a list that is stale.
    refused: Option<Refusal>,
}

/// Why there is no list.
#[derive(Clone, Debug)]
struct Refusal {
    error: CommandError,
    /// How often the server had said that its tools changed when the listing began.
    changes: u64,
}

impl Kept {
    /// What the last listing came to; none before the first.
    fn outcome(&self) -> Option<Result<Arc<ToolList>, CommandError>> {
        match &self.refused {
            Some(refusal) => Some(Err(refusal.error.clone())),
            None => self.list.clone().map(Ok),
        }
    }
}

impl Refusal {
    /// What is told of it now.
    fn told(mut self, changes: u64) -> CommandError {
        if changes > self.changes {
            let message = &mut self.error.message;
            message.push_str(" Since then the server says that its list changed: list the tools again.");
        }
        self.error
    }
}

impl ToolCache {
    fn get(&self) -> Option<Arc<ToolList>> {
        self.lock().list.clone()
    }

    /// Keeps a list that was made just now and tells of it, which gives it its revision. Whoever hears of it finds it here.
    fn put(&self, mut list: ToolList, tell: impl FnOnce() -> u32) -> Arc<ToolList> {
        let mut kept = self.lock();
        list.revision = tell();
        let list = Arc::new(list);
        kept.rounds += 1;
        kept.refused = None;
        kept.list = Some(list.clone());
        list
    }

    /// Keeps why there is no list, or none newer than the one that is here.
    fn refuse(&self, error: CommandError, changes: u64) {
        let mut kept = self.lock();
        kept.rounds += 1;
        kept.refused = Some(Refusal { error, changes });
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
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
        // The exchange is in the log, and whoever opens the tools is told.
        tracing::debug!(code = ?error.code, "tools were not listed");
    }
}

/// The list as it is, listed first if it never was or if `refresh` wants it.
async fn list(engine: &Engine, id: &ServerId, refresh: bool) -> Result<(Live, Arc<ToolList>), CommandError> {
    if !refresh && let Some(live) = engine.inner.live(id) {
        let kept = live.tools.lock();
        // A list that could not be made anew is still the list.
        let list = kept.list.clone().map(Ok);
        let known = list.or_else(|| Some(Err(kept.refused.clone()?.told(changes(&live)))));
        drop(kept);
        if let Some(known) = known {
            return known.map(|list| (live, list));
        }
    }
    let (live, connection) = engine.inner.ready(id)?;
    let before = live.tools.lock().rounds;
    let listing = live.tools.listing.lock().await;
    // Somebody else listed while we waited.
    let meanwhile = {
        let kept = live.tools.lock();
        (kept.rounds != before).then(|| kept.outcome()).flatten()
    };
    let begun_at = changes(&live);
    let listed = match meanwhile {
        Some(outcome) => outcome,
        None => match listing::list(&engine.inner, &connection, over_http(&live)).await {
            Ok(made) => {
                let topic = Topic::Tools(id.clone());
                Ok(live.tools.put(made, || engine.inner.nudges.changed(topic)))
            }
            Err(error) => {
                live.tools.refuse(error.clone(), begun_at);
                Err(error)
            }
        },
    };
    drop(listing);
    listed.map(|list| (live, list))
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
    match changes(live) > list.changes {
        true => Some(Staleness::Changed),
        false => list
            .freshness
            .as_ref()
            .is_some_and(|freshness| is_expired(freshness, convert::at_ms(SystemTime::now())))
            .then_some(Staleness::Expired),
    }
}

/// How often the server said that its tools changed.
fn changes(live: &Live) -> u64 {
    live.connection
        .as_ref()
        .map_or(0, |now| now.notices().borrow().tools_changed)
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
