//! Shows a list page by page, and fetches it on demand.

mod compared;

use std::{sync::Arc, time::SystemTime};

use bytes::Bytes;
use patchbay_client::{Connection, State};
use patchbay_contract::*;
use patchbay_traffic::OperationId;

use super::{
    list::{List, Room},
    listing::{Listing, Refusal},
    pages::fetch,
    primitive::{Context, Primitive},
};
use crate::{
    calls::{Ended, Failed},
    connections::ConnectionHandle,
    convert,
    dispatch::error::fail,
    state::Engine,
};
pub(crate) use compared::begin as begin_comparing;

/// The maximum number of rows per response.
const PAGE: usize = 2_000;
/// The maximum number of rows of the first response, which is shown before the others are there.
const FIRST_PAGE: usize = 500;
/// The pages of a list, exactly as received.
#[derive(Debug, Clone)]
pub struct ListedPages {
    /// The `result` of each page, not masked.
    pub pages: Vec<Bytes>,
    /// Why the list ended early, if so: a repeated cursor or a limit.
    pub violations: Vec<ViolationItem>,
    /// The failure of the request for the next page, if there was one.
    pub failed: Option<Ended>,
}

/// How a list is looked up.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lookup {
    /// Request it from the server, even if it is known.
    pub(crate) refresh: bool,
    /// Request it if it is outdated, even if the user works with its rows.
    pub(crate) current: bool,
    /// Request all its pages, whatever the server's setting.
    pub(crate) whole: bool,
    /// What the listing is part of; none: an operation of its own. A listing that another caller has begun stays part of what
    /// began it.
    pub(crate) within: Option<OperationId>,
}

impl Lookup {
    /// As the commands that show a list do.
    pub(crate) fn shown(refresh: bool) -> Self {
        Self {
            refresh,
            ..Self::default()
        }
    }
}

type Found<P> = Result<(ConnectionHandle, Arc<List<P>>), Refusal>;

/// The current list. It is fetched if it never was, if it is to be refreshed, or if it changed before it was used.
async fn find_or_list<P: Primitive>(
    engine: &Engine,
    id: &ServerId,
    lookup: Lookup,
) -> Result<Found<P>, CommandError> {
    let mut relisted = false;
    if let Some(live) = engine.state.live(id) {
        let listing = live.lists.get::<P>();
        let is_wanted = lookup.refresh || (lookup.current && is_outdated(&live, &listing));
        if let (false, Some(known)) = (is_wanted, known(&live, &listing)) {
            return Ok(known.map(|list| (live, list)));
        }
        relisted = !is_wanted && listing.current().is_some();
    }
    let (live, connection) = engine.state.ready(id)?;
    let listing = live.lists.get::<P>();
    let before = listing.lock().rounds;
    let turn = listing.turn.lock().await;
    // Another caller fetched it while we waited.
    let meanwhile = {
        let state = listing.lock();
        (state.rounds != before).then(|| state.outcome()).flatten()
    };
    if let Some(outcome) = meanwhile {
        drop(turn);
        return Ok(outcome.map(|list| (live, list)));
    }
    if relisted {
        listing.relist();
    }
    let wanted = wanted_pages(engine, id, &listing, lookup.whole);
    let operation = lookup.within.unwrap_or_else(|| begin::<P>(engine));
    let found = loop {
        let begun_at = changes::<P>(&live);
        let room = room(&live, &connection, listing.bytes());
        let list = List::new(changes::<P>(&live));
        let stop = listing.stoppable();
        match fetch::<P>(&engine.state, &connection, room, list, wanted, operation, &stop).await {
            // It changed while it was being fetched. It was not shown yet, so it is fetched again.
            Ok(_) if !stop.is_stopped() && changes::<P>(&live) > begun_at && listing.relist() => {}
            Ok(made) => {
                break Ok(put_and_compare(engine, &live, &listing, made).await);
            }
            Err(failed) => {
                let Failed { error, ended } = *failed;
                let refusal = Refusal {
                    error,
                    ended,
                    changes: begun_at,
                };
                listing.refuse(refusal.clone());
                break Err(refusal);
            }
        }
    };
    drop(turn);
    Ok(found.map(|list| (live, list)))
}

/// Begins an operation that only lists.
fn begin<P: Primitive>(engine: &Engine) -> OperationId {
    engine.state.begin(P::COMMAND, P::METHOD)
}

/// The known list, unless it changed before it was used. While no request can be sent, what is known counts.
fn known<P: Primitive>(
    live: &ConnectionHandle,
    listing: &Listing<P>,
) -> Option<Result<Arc<List<P>>, Refusal>> {
    let reported = match live.status().state {
        State::Ready => changes::<P>(live),
        _ => 0,
    };
    listing.lock().known(reported)
}

/// Whether the server may list something else now than what is known. After a failed refresh only if it reported a change since:
/// it is not asked over and over.
fn is_outdated<P: Primitive>(live: &ConnectionHandle, listing: &Listing<P>) -> bool {
    let is_ready = live.status().state == State::Ready;
    let known = listing.lock().outcome();
    is_ready
        && match known {
            Some(Ok(list)) => staleness(live, &list).is_some(),
            Some(Err(refusal)) => changes::<P>(live) > refusal.changes,
            None => false,
        }
}

/// Stores a list and announces it. Definitions are compared meanwhile, which takes longer for thousands of tools; what needs
/// the comparison waits for it, as every call does.
async fn put_and_compare<P: Primitive>(
    engine: &Engine,
    live: &ConnectionHandle,
    listing: &Listing<P>,
    list: List<P>,
) -> Arc<List<P>> {
    let reserved = match P::REMEMBERED {
        true => Some(live.lists.reserve_comparison().await),
        false => None,
    };
    let list = put(engine, &live.server_id, listing, list);
    compared::compare(engine, live, &list, reserved);
    list
}

/// Stores a list and announces it.
fn put<P: Primitive>(engine: &Engine, id: &ServerId, listing: &Listing<P>, list: List<P>) -> Arc<List<P>> {
    let topic = P::topic(id.clone());
    listing.put(list, || {
        topic.map_or(0, |topic| engine.state.nudges.changed(topic))
    })
}

/// How many pages are requested: according to the server's setting, and at least as many as the user has seen. Definitions that
/// are compared are always requested whole.
fn wanted_pages<P: Primitive>(engine: &Engine, id: &ServerId, listing: &Listing<P>, whole: bool) -> usize {
    let server = engine.state.servers.get(id).ok();
    match server.and_then(|server| server.draft.list_paging) {
        Some(ListPaging::PageByPage) if !P::REMEMBERED && !whole => {
            listing.current().map_or(1, |list| list.pages.len().max(1))
        }
        _ => usize::MAX,
    }
}

/// Adds the next page, or all further pages, to a list that has been fetched page by page.
pub(super) async fn more<P: Primitive>(
    engine: &Engine,
    params: &ListMoreParams,
) -> Result<ListMoreResponse, CommandError> {
    let id = &params.server_id;
    let (live, connection) = engine.state.ready(id)?;
    let listing = live.lists.get::<P>();
    let turn = listing.turn.lock().await;
    let (_, mut list) = current::<P>(engine, id)?;
    if list.next.is_some() {
        let room = room(&live, &connection, listing.bytes());
        let wanted = if params.all {
            usize::MAX
        } else {
            list.pages.len() + 1
        };
        // Commands may be reading the list, so the longer one is a copy.
        let shorter = list.as_ref().clone();
        let operation = begin::<P>(engine);
        let stop = listing.stoppable();
        let longer = fetch::<P>(
            &engine.state,
            &connection,
            room,
            shorter,
            wanted,
            operation,
            &stop,
        )
        .await;
        match longer {
            Ok(longer) => list = put_and_compare(engine, &live, &listing, longer).await,
            // The user has ended it: the list is as it was.
            Err(_) if stop.is_stopped() => {}
            Err(failed) => return Err(failed.error),
        }
    }
    drop(turn);
    Ok(ListMoreResponse {
        total: convert::count(list.rows().len()),
        has_more: list.next.is_some(),
    })
}

/// Ends what is being fetched of a list, if anything is. What was received is kept.
pub(super) fn stop<P: Primitive>(engine: &Engine, id: &ServerId) {
    if let Some(live) = engine.state.live(id) {
        live.lists.get::<P>().stop();
    }
}

/// The list of [`find_or_list`], with the server's refusal as an error.
pub(crate) async fn all<P: Primitive>(
    engine: &Engine,
    id: &ServerId,
    lookup: Lookup,
) -> Result<(ConnectionHandle, Arc<List<P>>), CommandError> {
    find_or_list(engine, id, lookup).await?.map_err(|refusal| {
        let changes = engine.state.live(id).map_or(0, |live| changes::<P>(&live));
        refusal.reported(changes)
    })
}

/// A page of the list, for the commands that show it.
pub(crate) async fn page<P: Primitive>(
    engine: &Engine,
    params: ListParams,
) -> Result<ListPage<P::Item>, CommandError> {
    let offset = convert::offset(params.cursor.as_deref())?;
    let id = &params.server_id;
    let known = engine
        .state
        .live(id)
        .is_some_and(|live| live.lists.get::<P>().current().is_some());
    if !params.refresh && !known {
        let (live, _) = engine.state.ready(id)?;
        if !P::is_declared(&live.status()) {
            return Ok(ListPage::empty());
        }
    }
    // All pages show rows of one list: only the first page may fetch another.
    let (live, list) = match offset {
        0 => all::<P>(engine, id, Lookup::shown(params.refresh)).await?,
        _ => current(engine, id)?,
    };
    let rows = list.rows();
    let most = if offset == 0 { FIRST_PAGE } else { PAGE };
    let end = offset.saturating_add(most).min(rows.len());
    Ok(ListPage {
        items: rows
            .get(offset..end)
            .unwrap_or_default()
            .iter()
            .map(|row| row.item.clone())
            .collect(),
        next_cursor: (end < rows.len()).then(|| end.to_string()),
        total: convert::count(rows.len()),
        pages: convert::count(list.pages.len()),
        has_more: list.next.is_some(),
        supported: P::is_declared(&live.status()),
        stale: staleness(&live, &list),
        freshness: list.freshness.clone(),
        violations: list.violations.clone(),
        revision: list.revision,
    })
}

/// The room for a list that replaces one of this size.
fn room(live: &ConnectionHandle, connection: &Connection, replaced: usize) -> Room {
    let limits = *connection.limits();
    let left = live.lists.room_for(replaced, &limits);
    Room::new(Context::of(&live.status()), limits, left)
}

/// The known list, whatever happened to the connection.
fn current<P: Primitive>(
    engine: &Engine,
    id: &ServerId,
) -> Result<(ConnectionHandle, Arc<List<P>>), CommandError> {
    engine.state.servers.get(id)?;
    let found = engine.state.live(id).and_then(|live| {
        let list = live.lists.get::<P>().current()?;
        Some((live, list))
    });
    found.ok_or_else(|| {
        let message = format!("The {} are not listed yet. List them first.", P::NOUN);
        fail(ErrorCode::NotFound, message)
    })
}

/// A row that the user opens, as the list and the row's index.
pub(super) fn find<P: Primitive>(
    engine: &Engine,
    id: &ServerId,
    index: u32,
) -> Result<(Arc<List<P>>, usize), CommandError> {
    let (live, list) = current::<P>(engine, id)?;
    live.lists.get::<P>().used();
    let at = index as usize;
    match at < list.rows().len() {
        true => Ok((list, at)),
        false => Err(fail(
            ErrorCode::NotFound,
            format!(
                "Row {index} is no longer in the list of {}. Refresh the list.",
                P::NOUN
            ),
        )),
    }
}

/// A row in full.
pub(super) fn item<P: Primitive>(
    engine: &Engine,
    id: &ServerId,
    index: u32,
) -> Result<ListItemGetResponse, CommandError> {
    let (list, at) = find::<P>(engine, id, index)?;
    let row = &list.rows()[at];
    Ok(ListItemGetResponse {
        definition: list.body(row),
        description: P::description(&list.definition(row)),
        seq: convert::seq(list.seq(row)),
    })
}

/// The pages of the list exactly as received. They are always requested from the server.
pub(super) async fn exact<P: Primitive>(engine: &Engine, id: &ServerId) -> Result<ListedPages, CommandError> {
    let lookup = Lookup {
        refresh: true,
        whole: true,
        ..Lookup::default()
    };
    Ok(match find_or_list::<P>(engine, id, lookup).await? {
        Ok((_, list)) => ListedPages {
            pages: list.exact(),
            violations: list.violations.clone(),
            failed: list.failed.clone(),
        },
        Err(refusal) => ListedPages {
            pages: Vec::new(),
            violations: Vec::new(),
            failed: Some(refusal.ended),
        },
    })
}

/// Why the list may be outdated. Refreshing is left to the user.
fn staleness<P: Primitive>(live: &ConnectionHandle, list: &List<P>) -> Option<Staleness> {
    match changes::<P>(live) > list.changes {
        true => Some(Staleness::Changed),
        false => list
            .freshness
            .as_ref()
            .is_some_and(|freshness| is_expired(freshness, convert::at_ms(SystemTime::now())))
            .then_some(Staleness::Expired),
    }
}

/// How often the list may have changed: the server reported it, or lost the session. The next one may be with another instance of
/// it, which says nothing of what the earlier one listed.
pub(super) fn changes<P: Primitive>(live: &ConnectionHandle) -> u64 {
    live.connection.as_ref().map_or(0, |now| {
        let reported = P::changes(&now.notices().borrow());
        reported + live.status.borrow().sessions_lost
    })
}

/// Whether a list is older than its server allows. A list with a lifetime of 0 ms would always be outdated, so only its
/// freshness is shown.
fn is_expired(freshness: &Freshness, now_at_ms: f64) -> bool {
    freshness.ttl_ms > 0.0 && now_at_ms > freshness.since_at_ms + freshness.ttl_ms
}

#[cfg(test)]
mod tests;
