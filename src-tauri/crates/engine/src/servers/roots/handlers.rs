//! Handlers of roots, shared sets and decisions about them.

use std::{path::PathBuf, sync::Arc};

use patchbay_contract::*;

use super::{announce, entries, folders, store::MOST_FOLDERS};
use crate::{
    connections::ConnectionHandle,
    dispatch::error::fail,
    state::{Engine, EngineState},
};

pub(crate) async fn folder_check(
    engine: &Engine,
    params: FolderCheckParams,
) -> Result<FolderCheckResponse, CommandError> {
    if params.paths.len() > MOST_FOLDERS {
        let why = format!("At most {MOST_FOLDERS} folders are checked at once.");
        return Err(fail(ErrorCode::InvalidParams, why));
    }
    let paths = params.paths.iter().map(|path| PathBuf::from(path.trim()));
    let folders = engine.state.roots.facts(paths.collect()).await;
    Ok(FolderCheckResponse { folders })
}

pub(crate) async fn roots_get(
    engine: &Engine,
    params: RootsGetParams,
) -> Result<RootsGetResponse, CommandError> {
    let state = &engine.state;
    let rule = state.servers.get(&params.server_id)?.draft.roots;
    match state.live(&params.server_id) {
        Some(live) if live.is_open() => {
            announce(&live).await;
            Ok(live.roots.response())
        }
        ended => {
            // Nothing is remembered of it, so nobody is notified: who asks again for each notification would not end.
            let entries = entries::entries(rule.as_ref(), &state.roots, &params.server_id);
            let paths = entries.iter().map(|entry| PathBuf::from(&entry.path));
            let found = state.roots.facts(paths.collect()).await;
            let folders = entries.iter().zip(found);
            Ok(RootsGetResponse {
                asked_at_ms: ended.and_then(|live| live.roots.response().asked_at_ms),
                folders: folders.map(|(entry, found)| entry.item(found.state)).collect(),
            })
        }
    }
}

pub(crate) async fn roots_decide(engine: &Engine, params: RootsDecideParams) -> Result<Done, CommandError> {
    let state = &engine.state;
    let rule = state.servers.get(&params.server_id)?.draft.roots;
    let known = entries::folders_of(rule.as_ref(), &state.roots, &params.server_id);
    let is_known = |path: &String| known.contains(&folders::spelled(path));
    if let Some(path) = params.paths.iter().find(|path| !is_known(path)) {
        let why = format!("“{path}” is not a root of this server any more.");
        return Err(fail(ErrorCode::NotFound, why));
    }
    let live = ready(state, &params.server_id).await;
    state
        .roots
        .decide(&params.server_id, &params.paths, params.is_allowed)
        .await?;
    announce_to(live).await;
    Ok(Done {})
}

pub(crate) async fn root_set_list(
    engine: &Engine,
    _: RootSetListParams,
) -> Result<RootSetListResponse, CommandError> {
    let servers = engine.state.servers.all();
    let sets = engine.state.roots.sets()?;
    let items = sets.into_iter().map(|set| RootSetItem {
        used_by: servers
            .iter()
            .filter(|server| uses(server.draft.roots.as_ref(), &set.id))
            .map(|server| server.id.clone())
            .collect(),
        id: set.id,
        name: set.name,
        folders: set.folders,
    });
    Ok(RootSetListResponse {
        items: items.collect(),
    })
}

pub(crate) async fn root_set_save(
    engine: &Engine,
    params: RootSetSaveParams,
) -> Result<RootSetSaveResponse, CommandError> {
    let state = &engine.state;
    let using = match &params.root_set_id {
        Some(id) => users(state, id).await,
        None => Vec::new(),
    };
    let root_set_id = state
        .roots
        .save(params.root_set_id, &params.name, params.folders)
        .await?;
    forget_decisions(engine, &root_set_id).await?;
    announce_to(using).await;
    Ok(RootSetSaveResponse { root_set_id })
}

pub(crate) async fn root_set_remove(
    engine: &Engine,
    params: RootSetRemoveParams,
) -> Result<Done, CommandError> {
    let state = &engine.state;
    let id = params.root_set_id;
    let servers: Vec<_> = state.servers.all();
    let servers: Vec<_> = servers
        .into_iter()
        .filter(|server| uses(server.draft.roots.as_ref(), &id))
        .collect();
    if !servers.is_empty() && !params.despite_use {
        let names: Vec<&str> = servers.iter().map(|server| &*server.draft.name).collect();
        let why = format!("The set is used by {}. Remove it there first.", names.join(", "));
        return Err(fail(ErrorCode::InvalidParams, why));
    }
    let using = users(state, &id).await;
    state.roots.remove(&id).await?;
    for server in servers {
        let (server, id) = (server.id.clone(), id.clone());
        let changed = server.clone();
        let left = engine
            .change_servers(move |servers| {
                servers.edit(&changed, |draft| {
                    if let Some(RootsRule::Folders { sets, .. }) = &mut draft.roots {
                        sets.retain(|set| *set != id);
                    }
                })
            })
            .await;
        // The set is removed whatever happens here, and a reference to it means nothing any more.
        if let Err(error) = left.and(settle(engine, &server).await) {
            tracing::warn!(%error.message, "a removed set of roots was not forgotten by a server that used it");
        }
    }
    announce_to(using).await;
    Ok(Done {})
}

impl Engine {
    /// Applies changed roots of a server: `chosen` are those that the user chose for it, which is consent. A connected server
    /// is notified.
    pub(crate) async fn roots_changed(
        &self,
        server: &ServerId,
        rule: Option<RootsRule>,
        chosen: &[String],
    ) -> Result<(), CommandError> {
        let state = &self.state;
        let own: Vec<String> = match &rule {
            Some(RootsRule::Folders { paths, .. }) => {
                paths.iter().map(|path| folders::spelled(path)).collect()
            }
            _ => Vec::new(),
        };
        let chosen: Vec<String> = chosen
            .iter()
            .map(|path| folders::spelled(path))
            .filter(|path| own.contains(path))
            .collect();
        let live = ready(state, server).await;
        state.roots.decide(server, &chosen, true).await?;
        settle(self, server).await?;
        announce_to(live).await;
        Ok(())
    }

    /// Checks the names of shared sets, before anything is started.
    ///
    /// # Errors
    /// There is no such set.
    pub fn check_root_sets(&self, names: &[String]) -> Result<(), CommandError> {
        let sets = self.state.roots.sets()?;
        let Some(unknown) = names
            .iter()
            .find(|name| sets.iter().all(|set| set.name != **name))
        else {
            return Ok(());
        };
        let known: Vec<String> = sets.iter().map(|set| format!("“{}”", set.name)).collect();
        let known = match known.is_empty() {
            true => "There is none yet: add one in Patchbay's UI.".to_owned(),
            false => format!("There are {}.", known.join(", ")),
        };
        let why = format!("There is no shared set of roots named “{unknown}”. {known}");
        Err(fail(ErrorCode::NotFound, why))
    }
}

/// Lets the connection of a server know its rule, and forgets the decisions about folders that are no longer roots of it. The
/// rule is the one of now: who calls this may have waited since it was changed.
async fn settle(engine: &Engine, server: &ServerId) -> Result<(), CommandError> {
    let Ok(now) = engine.state.servers.get(server) else {
        // Who removes a server forgets them.
        return Ok(());
    };
    let rule = now.draft.roots;
    let store = &engine.state.roots;
    if let Some(live) = engine.state.live(server) {
        live.roots.set(rule.clone());
    }
    store
        .keep_only(server, &entries::folders_of(rule.as_ref(), store, server))
        .await
}

/// Forgets the decisions about folders that are not in a set any more.
async fn forget_decisions(engine: &Engine, set: &RootSetId) -> Result<(), CommandError> {
    for server in engine.state.servers.all() {
        if uses(server.draft.roots.as_ref(), set) {
            settle(engine, &server.id).await?;
        }
    }
    Ok(())
}

/// The open connections of servers that use a set. They know their list from now on, so that a change of it is noticed.
async fn users(state: &Arc<EngineState>, set: &RootSetId) -> Vec<ConnectionHandle> {
    let open = state.connections.open();
    let using: Vec<_> = open.into_iter().filter(|live| live.roots.uses(set)).collect();
    for live in &using {
        announce(live).await;
    }
    using
}

/// The open connection of a server, which knows its list from now on.
async fn ready(state: &EngineState, server: &ServerId) -> Vec<ConnectionHandle> {
    let live = state.live(server).filter(ConnectionHandle::is_open);
    if let Some(live) = &live {
        announce(live).await;
    }
    live.into_iter().collect()
}

async fn announce_to(servers: Vec<ConnectionHandle>) {
    for live in &servers {
        announce(live).await;
    }
}

fn uses(rule: Option<&RootsRule>, set: &RootSetId) -> bool {
    matches!(rule, Some(RootsRule::Folders { sets, .. }) if sets.contains(set))
}

#[cfg(test)]
mod tests;
