//! Fetches the pages of a list, within limits.

use patchbay_client::Connection;
use patchbay_contract::ErrorCode;
use patchbay_protocol::{Rule, json};
use patchbay_traffic::OperationId;

use super::{
    list::{List, NextPage, Room},
    listing::Stop,
    primitive::Primitive,
};
use crate::{
    calls::{Failed, Query},
    dispatch::error::fail_with,
    state::EngineState,
};

/// Requests the pages after those of `list`, until there are `wanted` pages or no further one. A list that could not be
/// completed gets a violation; one that is stopped can be continued. The requests belong to `operation`.
///
/// # Errors
/// Why there is not even one more page.
pub(super) async fn fetch<P: Primitive>(
    state: &EngineState,
    connection: &Connection,
    room: Room,
    mut list: List<P>,
    wanted: usize,
    operation: OperationId,
    stop: &Stop,
) -> Result<List<P>, Box<Failed>> {
    let before = list.pages.len();
    list.failed = None;
    let mut next = list.next.take().unwrap_or_default();
    loop {
        let failed = format!("The {} could not be listed", P::NOUN);
        let cursor = next.cursor.as_deref();
        let query = Query {
            state,
            connection,
            operation,
            method: P::METHOD,
            params: cursor.map(|cursor| format!("{{\"cursor\":{}}}", json::quote(cursor))),
            failed: &failed,
        };
        let page = match query.result_until(stop.stopped()).await {
            Ok(page) => page,
            Err(failed) if list.pages.len() == before => return Err(failed),
            Err(failed) => return Ok(ended_by(*failed, list, next, stop)),
        };
        // On a blocking thread: a page may hold thousands of rows.
        (list, next) = tokio::task::spawn_blocking(move || {
            next.cursor = list.add(page, &mut next.known, room);
            (list, next)
        })
        .await
        .map_err(|error| {
            let message = format!("The list of {} could not be read.", P::NOUN);
            Failed::inside(fail_with(ErrorCode::Internal, message, error))
        })?;
        let Some(cursor) = next.cursor.clone() else {
            return Ok(list);
        };
        let most = room.limits.list_pages;
        if list.pages.len() >= most {
            let message = format!("there is still a `nextCursor` after {most} pages");
            list.ends_early(Rule::ListEndless, message);
            return Ok(list);
        }
        let quoted = json::quote(&cursor);
        if !next.cursors.insert(cursor) {
            let message =
                format!("the server gave the cursor {quoted} twice; the list repeats and ends here");
            list.ends_early(Rule::ListCursorRepeated, message);
            return Ok(list);
        }
        if list.pages.len() >= wanted || stop.is_stopped() {
            list.next = Some(next);
            return Ok(list);
        }
    }
}

/// The list without the page whose request failed. One that was stopped can be continued with that page.
fn ended_by<P: Primitive>(failed: Failed, mut list: List<P>, next: NextPage, stop: &Stop) -> List<P> {
    if stop.is_stopped() {
        list.next = Some(next);
    } else {
        let pages = list.pages.len();
        let message = format!("the list broke off after page {pages}: {}", failed.error.message);
        list.ends_early(Rule::ListPageFailed, message);
    }
    list.failed = Some(failed.ended);
    list
}
