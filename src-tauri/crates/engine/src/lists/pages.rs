//! Fetches all pages of a list, within limits.

use std::collections::{HashMap, HashSet};

use patchbay_client::Connection;
use patchbay_contract::ErrorCode;
use patchbay_protocol::{Rule, json};

use super::{
    list::{Limits, List},
    primitive::Primitive,
};
use crate::{
    calls::{Failed, ask_typed},
    dispatch::error::fail_with,
    state::EngineState,
};

/// The maximum number of pages.
const MOST_PAGES: usize = 1_000;

/// Requests all pages. A list that could not be completed gets a violation.
///
/// # Errors
/// Why there is not even a first page.
pub(super) async fn all_pages<P: Primitive>(
    state: &EngineState,
    connection: &Connection,
    limits: Limits,
) -> Result<List<P>, Box<Failed>> {
    let mut list = List::new(P::changes(&connection.notices().borrow()));
    let mut known = HashMap::new();
    let mut cursors = HashSet::new();
    let mut params = None;
    let operation = state.begin(P::COMMAND, P::METHOD);
    loop {
        let failed = format!("The {} could not be listed", P::NOUN);
        let page = match ask_typed(state, connection, operation, P::METHOD, params, &failed).await {
            Ok(page) => page,
            Err(failed) if list.pages.is_empty() => return Err(failed),
            Err(failed) => {
                let pages = list.pages.len();
                let message = format!("the list broke off after page {pages}: {}", failed.error.message);
                list.ends_early(Rule::ListPageFailed, message);
                list.failed = Some(failed.ended);
                return Ok(list);
            }
        };
        // On a blocking thread: a page may hold thousands of rows.
        let next;
        (list, known, next) = tokio::task::spawn_blocking(move || {
            let next = list.add(page, &mut known, limits);
            (list, known, next)
        })
        .await
        .map_err(|error| {
            let message = format!("The list of {} could not be read.", P::NOUN);
            Failed::inside(fail_with(ErrorCode::Internal, message, error))
        })?;
        let Some(cursor) = next else { return Ok(list) };
        if list.pages.len() >= MOST_PAGES {
            let message = format!("there is still a `nextCursor` after {MOST_PAGES} pages");
            list.ends_early(Rule::ListEndless, message);
            return Ok(list);
        }
        let quoted = json::quote(&cursor);
        if !cursors.insert(cursor) {
            let message =
                format!("the server gave the cursor {quoted} twice; the list repeats and ends here");
            list.ends_early(Rule::ListCursorRepeated, message);
            return Ok(list);
        }
        params = Some(format!("{{\"cursor\":{quoted}}}"));
    }
}
