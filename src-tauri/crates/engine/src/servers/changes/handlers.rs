//! Handlers of what changed on servers.

use std::time::SystemTime;

use patchbay_contract::*;

use super::compare::Item;
use crate::{
    convert,
    dispatch::{
        error::{blocking, fail, fail_with},
        nudges::Topic,
    },
    state::Engine,
};

/// The maximum number of items per response.
const PAGE: usize = 2_000;

pub(crate) async fn server_changes_get(
    engine: &Engine,
    params: ServerChangesGetParams,
) -> Result<ServerChangesGetResponse, CommandError> {
    engine.state.servers.get(&params.server_id)?;
    let changes = engine.state.changes.get(&params.server_id);
    let start = convert::offset(params.cursor.as_deref())?;
    let differing = || changes.lists.iter().filter(|(_, list)| !list.items.is_empty());
    let all = differing().flat_map(|(_, list)| &list.items);
    let total: usize = differing().map(|(_, list)| list.items.len()).sum();
    let end = start.saturating_add(PAGE).min(total);
    let lists = differing().map(|(kind, list)| {
        let number = |change| convert::count(list.items.iter().filter(|item| item.change == change).count());
        ListChanges {
            list: *kind,
            added: number(ItemChange::Added),
            changed: number(ItemChange::Changed),
            removed: number(ItemChange::Removed),
            complete: list.complete,
        }
    });
    Ok(ServerChangesGetResponse {
        since_at_ms: changes.since_ms,
        facts: changes.facts.clone(),
        lists: lists.collect(),
        items: all.skip(start).take(PAGE).cloned().collect(),
        next_cursor: (end < total).then(|| end.to_string()),
        token: changes.revision.to_string(),
    })
}

pub(crate) async fn server_change_diff(
    engine: &Engine,
    params: ServerChangeDiffParams,
) -> Result<ServerChangeDiffResponse, CommandError> {
    let state = engine.state.clone();
    let ServerChangeDiffParams { server_id, list, id } = params;
    let known = state.changes.get(&server_id);
    let item = known.lists.get(&list).and_then(|compared| {
        let mut items = compared.items.iter();
        items.find(|item| item.id == id).cloned()
    });
    let item = item.ok_or_else(|| fail(ErrorCode::NotFound, format!("{id:?} did not change.")))?;
    let compare = move || {
        let (before, after) = state.changes.definitions(&server_id, list, &id);
        difference(item.change, before, after)
    };
    blocking("The definitions were not compared.", compare).await
}

fn difference(change: ItemChange, before: Option<Item>, after: Option<Item>) -> ServerChangeDiffResponse {
    let texts =
        |item: Option<Item>, wanted: bool| item.filter(|_| wanted).map(|item| item.texts).unwrap_or_default();
    let before = texts(before, change != ItemChange::Added);
    let after = texts(after, change != ItemChange::Removed);
    let not_kept =
        before.is_empty() && change != ItemChange::Added || after.is_empty() && change != ItemChange::Removed;
    let (changes, more) = convert::definition_changes(&before, &after);
    ServerChangeDiffResponse {
        before,
        after,
        changes,
        more,
        not_kept,
    }
}

pub(crate) async fn server_changes_seen(
    engine: &Engine,
    params: ServerChangesSeenParams,
) -> Result<Done, CommandError> {
    let (state, server) = (engine.state.clone(), params.server_id.clone());
    state.servers.get(&server)?;
    let changed = || {
        let message = "More has changed on the server since its changes were shown. Look at them again.";
        fail(ErrorCode::InvalidParams, message)
    };
    let revision: u64 = params.token.parse().map_err(|_| changed())?;
    let now_ms = convert::at_ms(SystemTime::now());
    let seen = tokio::task::spawn_blocking(move || state.changes.seen(&server, revision, now_ms)).await;
    let seen = seen.map_err(|error| error.to_string()).and_then(|seen| seen);
    let seen = seen.map_err(|error| {
        let message = "That the changes were seen was not stored.";
        fail_with(ErrorCode::Storage, message, error)
    })?;
    if !seen {
        return Err(changed());
    }
    engine
        .state
        .nudges
        .changed(Topic::ServerChanges(params.server_id));
    Ok(Done {})
}
