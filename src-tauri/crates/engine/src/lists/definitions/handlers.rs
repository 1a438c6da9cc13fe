//! Handlers of remembered definitions.

use std::sync::Arc;

use patchbay_contract::*;

use super::{
    compare::Remembered,
    remember::{blocking, now_ms, stored, trust_of},
    snapshot::Snapshot,
    store::StoredDefinitions,
};
use crate::{
    convert,
    dispatch::{error::fail, nudges::Topic},
    state::Engine,
};

/// The maximum number of tools per response.
const PAGE: usize = 2_000;

pub(crate) async fn tool_definitions_get(
    engine: &Engine,
    params: ToolDefinitionsGetParams,
) -> Result<ToolDefinitionsGetResponse, CommandError> {
    let id = &params.server_id;
    engine.state.servers.get(id)?;
    let trust = trust_of(&engine.state, id);
    let listed = listed(engine, id).await;
    let stored = stored(engine, id).await?;
    let all = match (&stored, &listed) {
        (StoredDefinitions::Remembered(known), Some(listed)) => known.differences(listed, trust),
        (StoredDefinitions::Damaged(_), Some(listed)) => unknown(listed, trust),
        _ => Vec::new(),
    };
    let start = convert::offset(params.cursor.as_deref())?;
    let end = start.saturating_add(PAGE).min(all.len());
    let number = |change| convert::count(all.iter().filter(|item| item.change == change).count());
    Ok(ToolDefinitionsGetResponse {
        memory: memory(&stored),
        changed: number(ToolChange::Changed),
        added: number(ToolChange::Added),
        removed: number(ToolChange::Removed),
        refused: convert::count(all.iter().filter(|item| item.refused).count()),
        tools: all.get(start..end).unwrap_or_default().to_vec(),
        next_cursor: (end < all.len()).then(|| end.to_string()),
        listing: listed.map(|listed| listed.token.clone()),
    })
}

pub(crate) async fn tool_definition_diff(
    engine: &Engine,
    params: ToolDefinitionDiffParams,
) -> Result<ToolDefinitionDiffResponse, CommandError> {
    let (id, name) = (&params.server_id, params.name);
    let trust = trust_of(&engine.state, id);
    let listed = listed(engine, id).await.ok_or_else(not_listed)?;
    let known = match stored(engine, id).await? {
        StoredDefinitions::Remembered(known) => known,
        StoredDefinitions::Nothing => Arc::default(),
        StoredDefinitions::Damaged(why) => return Err(fail(ErrorCode::Storage, why)),
    };
    let tool = known.difference(&listed, &name, trust).ok_or_else(|| {
        let message = format!("The definition of {name:?} did not change.");
        fail(ErrorCode::NotFound, message)
    })?;
    blocking(move || difference(tool, &known, &listed)).await
}

fn difference(tool: ChangedToolItem, known: &Remembered, listed: &Snapshot) -> ToolDefinitionDiffResponse {
    let before = match tool.change {
        ToolChange::Added => Vec::new(),
        ToolChange::Changed | ToolChange::Removed => known.reviewed(&tool.name).texts,
    };
    let after = listed.get(&tool.name).cloned().unwrap_or_default().texts;
    let (changes, more) = convert::definition_changes(&before, &after);
    ToolDefinitionDiffResponse {
        tool,
        before,
        after,
        changes,
        more,
        listing: listed.token.clone(),
    }
}

pub(crate) async fn tool_definitions_accept(
    engine: &Engine,
    params: ToolDefinitionsAcceptParams,
) -> Result<Done, CommandError> {
    let id = params.server_id;
    engine.state.servers.get(&id)?;
    let listed = listed(engine, &id).await.ok_or_else(not_listed)?;
    if listed.token != params.listing {
        let message = "The server has listed other definitions since they were shown. Review them again.";
        return Err(fail(ErrorCode::InvalidParams, message));
    }
    let stored = stored(engine, &id).await?;
    let is_known = |name: &String| {
        listed.get(name).is_some()
            || matches!(&stored, StoredDefinitions::Remembered(known) if known.tools.contains_key(name))
    };
    if let Some(name) = params.names.iter().flatten().find(|name| !is_known(name)) {
        let message = format!("The server has no tool {name:?}, and none of that name is remembered.");
        return Err(fail(ErrorCode::NotFound, message));
    }
    let (state, server) = (engine.state.clone(), id.clone());
    blocking(move || {
        let done = state.definitions.change(&server, |stored| {
            Some(accepted(stored, &listed, params.names.as_deref()))
        });
        state.definitions.note_unreviewed(&server, &listed);
        let reviewed = match state.definitions.get(&server) {
            StoredDefinitions::Remembered(known) => {
                known.differences(&listed, DefinitionTrust::Ask).is_empty()
            }
            StoredDefinitions::Nothing | StoredDefinitions::Damaged(_) => false,
        };
        // The user who has accepted all tools has seen what changed in them.
        if reviewed && let Err(error) = state.changes.seen_list(&server, ListKind::Tools) {
            tracing::warn!(error, "changes of tools are still shown");
        }
        done
    })
    .await??;
    engine.state.nudges.changed(Topic::ServerChanges(id.clone()));
    engine.state.nudges.changed(Topic::ToolDefinitions(id));
    Ok(Done {})
}

fn accepted(stored: &StoredDefinitions, listed: &Snapshot, names: Option<&[String]>) -> Remembered {
    let mut next = match stored {
        StoredDefinitions::Remembered(known) => Remembered::clone(known),
        StoredDefinitions::Nothing => Remembered::first(&Snapshot::default(), now_ms()),
        // Nothing in the file counts any more. What is not accepted now stays refused: no text means the same as this one.
        StoredDefinitions::Damaged(_) => Remembered::unreadable(listed, now_ms()),
    };
    let all: Vec<String> = match names {
        Some(names) => names.to_vec(),
        None => {
            let listed = listed.tools.iter().map(|tool| &tool.name);
            listed.chain(next.tools.keys()).cloned().collect()
        }
    };
    next.accept(listed, &all, now_ms());
    next
}

/// After its file was damaged, nothing is known about any tool.
fn unknown(listed: &Snapshot, trust: DefinitionTrust) -> Vec<ChangedToolItem> {
    let item = |name: &String| ChangedToolItem {
        name: name.clone(),
        change: ToolChange::Changed,
        refused: trust == DefinitionTrust::Ask,
    };
    listed.tools.iter().map(|tool| item(&tool.name)).collect()
}

fn memory(stored: &StoredDefinitions) -> DefinitionMemory {
    match stored {
        StoredDefinitions::Nothing => DefinitionMemory::Nothing {},
        StoredDefinitions::Remembered(known) => DefinitionMemory::Remembered {
            tools: convert::count(known.tools.len()),
            first_at_ms: known.first_at_ms,
            accepted_at_ms: known.accepted_at_ms,
        },
        StoredDefinitions::Damaged(message) => DefinitionMemory::Damaged {
            message: message.clone(),
        },
    }
}

/// The definitions as last listed on the current or last connection.
async fn listed(engine: &Engine, id: &ServerId) -> Option<Arc<Snapshot>> {
    engine.state.live(id)?.lists.definitions().await
}

fn not_listed() -> CommandError {
    fail(
        ErrorCode::NotFound,
        "The tools are not listed yet. Connect to the server first.",
    )
}
