//! Secrets of configured servers: moved into the vault when a server is saved, resolved when it is connected, and searched
//! for in plain text.
//!
//! New secrets go into the vault. Secrets that are already in plain text in `servers.json` stay there until the user moves
//! them: the file belongs to the user, and other programs may read it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use patchbay_contract::{
    CommandError, ErrorCode, HostInputAnswer, SecretFindResponse, SecretMoveResponse, ServerDraft, ServerId,
    ServerUpdateParams,
};
use patchbay_secret::Secret;
use patchbay_vault::{SecretId, random_name};

use crate::{
    convert,
    dispatch::error::{fail, vault_failed as failed},
    state::{Engine, EngineState},
};
use patchbay_config::{Server, Servers, checked, new_id, secrets};

/// Adds a server with these answers to what its host asks for. Its secrets, and those among the answers, go into the vault unless the
/// user wants them in plain text.
pub(crate) async fn add(
    engine: &Engine,
    mut draft: ServerDraft,
    answers: &BTreeMap<String, HostInputAnswer>,
    plain: bool,
) -> Result<ServerId, CommandError> {
    let known = secrets::take_inputs(&mut draft, answers, random_name).map_err(failed)?;
    add_with(engine, draft, known, plain, |_| {}).await
}

/// Adds a server that refers to `known` secrets, by name. They go into the vault with those that are found, unless the user wants
/// them in plain text. `written` runs as soon as the settings are, whether somebody still waits for the answer or not.
pub(crate) async fn add_with(
    engine: &Engine,
    draft: ServerDraft,
    known: Vec<(String, Secret)>,
    plain: bool,
    written: impl FnOnce(&ServerId) + Send + 'static,
) -> Result<ServerId, CommandError> {
    let id = new_id();
    let mut draft = checked(draft)?;
    let names: BTreeSet<String> = known.iter().map(|(name, _)| name.clone()).collect();
    reject_foreign(&draft, &names)?;
    let kept = keep_with(&engine.state, &id, &mut draft, None, known, plain).await?;
    add_checked(engine, id, draft, kept, written).await
}

/// Adds a copy of a server under another name. The secrets in the vault are copied too, so that removing one server does
/// not affect the other.
pub(crate) async fn duplicate(
    engine: &Engine,
    original: &ServerId,
    name: String,
) -> Result<ServerId, CommandError> {
    let state = &engine.state;
    let id = new_id();
    let draft = state.servers.get(original)?.draft;
    let values = held(state, original, &draft).await?;
    let mut draft = checked(ServerDraft { name, ..draft })?;
    if !state.stores_servers() {
        secrets::fill_in(&mut draft, &values);
        return add_checked(engine, id, draft, Vec::new(), |_| {}).await;
    }
    let kept = values.keys().cloned().collect();
    put(state, &id, values).await?;
    add_checked(engine, id, draft, kept, |_| {}).await
}

/// Changes a server's settings to these. What the draft has from the list in memory was not changed by the user, and stays as it is
/// in the file now. Secrets that are no longer referenced are deleted from the vault.
pub(crate) async fn update(engine: &Engine, params: ServerUpdateParams) -> Result<(), CommandError> {
    let id = params.server_id;
    let before = engine.state.servers.get(&id)?.draft;
    let mut draft = params.draft;
    let known = secrets::take_inputs(&mut draft, &params.input_answers, random_name).map_err(failed)?;
    let mut draft = checked(draft)?;
    let names = secrets::names_of(&before);
    let answered = known.iter().map(|(name, _)| name);
    reject_foreign(&draft, &names.iter().chain(answered).cloned().collect())?;
    let plain = params.plain_secrets;
    let kept = keep_with(&engine.state, &id, &mut draft, Some(&before), known, plain).await?;
    // A checked draft differs from settings that are only spelled differently.
    let base = checked(before.clone()).unwrap_or(before);
    let changed = change(engine, &id, kept, move |servers, id| {
        servers.merge(id, &base, &draft)
    })
    .await?;
    let still = secrets::names_of(&changed);
    forget_these(&engine.state, &id, names.difference(&still).cloned().collect()).await;
    Ok(())
}

/// The plain-text secrets in `servers.json`.
pub(crate) fn find(engine: &Engine) -> SecretFindResponse {
    let servers = engine.state.servers.all();
    SecretFindResponse {
        items: servers
            .iter()
            .flat_map(|server| secrets::plain(Some(&server.id), &server.draft))
            .collect(),
    }
}

/// Moves the plain-text secrets of these servers into the vault.
pub(crate) async fn move_all(
    engine: &Engine,
    ids: Vec<ServerId>,
) -> Result<SecretMoveResponse, CommandError> {
    let mut moved = 0;
    for id in ids {
        moved += move_of(engine, &id).await?;
    }
    Ok(SecretMoveResponse {
        moved: convert::count(moved),
    })
}

/// Moves the plain-text secrets of a server. Returns how many.
async fn move_of(engine: &Engine, id: &ServerId) -> Result<usize, CommandError> {
    loop {
        let before = engine.state.servers.get(id)?.draft;
        let mut draft = before.clone();
        let kept = keep_new(&engine.state, id, &mut draft, None, false).await?;
        let moved = kept.len();
        if moved == 0 {
            return Ok(0);
        }
        // The keychain may have asked the user, who may have changed the settings meanwhile.
        let is_same = change(engine, id, kept.clone(), move |servers, id| {
            servers.edit(id, |now| {
                let is_same = *now == before;
                if is_same {
                    *now = draft;
                }
                is_same
            })
        });
        if is_same.await? {
            return Ok(moved);
        }
        forget_these(&engine.state, id, kept).await;
    }
}

/// The server with its references resolved.
///
/// # Errors
/// `VaultNeeded` if the vault is not open; `NotFound` if a secret is missing.
pub(crate) async fn resolved(state: &EngineState, server: &Server) -> Result<Server, CommandError> {
    let values = held(state, &server.id, &server.draft).await?;
    let held = values.keys().cloned().collect();
    if let Some(place) = secrets::unknown(&server.draft, &held) {
        return Err(fail(
            ErrorCode::NotFound,
            format!(
                "The vault does not hold what {place} of \"{}\" refers to: it was kept in memory only, or the vault was set \
                 aside. Edit the server and enter the value again.",
                server.draft.name
            ),
        ));
    }
    let mut server = server.clone();
    secrets::fill_in(&mut server.draft, &values);
    Ok(server)
}

/// Deletes the secrets of a removed server from the vault, also from one that is not open: its id is never used again.
pub(crate) async fn forget(state: &EngineState, server: &ServerId) {
    if state.stores_servers()
        && let Err(error) = state.vault.remove_below(&id_of(server, "").0).await
    {
        tracing::warn!(%error, "secrets of a removed server are still in the vault");
    }
}

/// The secrets in the vault that a server's settings refer to, by name.
async fn held(
    state: &EngineState,
    id: &ServerId,
    draft: &ServerDraft,
) -> Result<HashMap<String, Secret>, CommandError> {
    let mut values = HashMap::new();
    for name in secrets::names_of(draft) {
        if let Some(value) = state.vault.get(&id_of(id, &name)).await.map_err(failed)? {
            values.insert(name, value);
        }
    }
    Ok(values)
}

fn id_of(server: &ServerId, name: &str) -> SecretId {
    SecretId(format!("server/{server}/{name}"))
}

/// Rejects references to anything but this server's own secrets: they come from foreign settings.
fn reject_foreign(draft: &ServerDraft, own: &BTreeSet<String>) -> Result<(), CommandError> {
    match secrets::unknown(draft, own) {
        None => Ok(()),
        Some(place) => Err(fail(
            ErrorCode::InvalidParams,
            format!("What {place} refers to is not in the vault for this server. Enter the value itself."),
        )),
    }
}

/// Stores the secrets that a draft refers to (`known`) and its new ones, unless they stay in plain text. Returns their names.
async fn keep_with(
    state: &EngineState,
    id: &ServerId,
    draft: &mut ServerDraft,
    before: Option<&ServerDraft>,
    known: Vec<(String, Secret)>,
    plain: bool,
) -> Result<Vec<String>, CommandError> {
    if plain || !state.stores_servers() {
        secrets::fill_in(draft, &known.into_iter().collect());
        return Ok(Vec::new());
    }
    let mut kept: Vec<String> = known.iter().map(|(name, _)| name.clone()).collect();
    put(state, id, known).await?;
    match keep_new(state, id, draft, before, plain).await {
        Ok(found) => kept.extend(found),
        Err(error) => {
            forget_these(state, id, kept).await;
            return Err(error);
        }
    }
    Ok(kept)
}

/// Stores the new secrets of a draft in the vault and replaces them with references. Returns their names.
async fn keep_new(
    state: &EngineState,
    id: &ServerId,
    draft: &mut ServerDraft,
    before: Option<&ServerDraft>,
    plain: bool,
) -> Result<Vec<String>, CommandError> {
    // Servers that are not written to disk need no vault.
    if plain || !state.stores_servers() {
        return Ok(Vec::new());
    }
    let taken = secrets::take(draft, before, random_name).map_err(failed)?;
    let names = taken.iter().map(|(name, _)| name.clone()).collect();
    put(state, id, taken).await?;
    Ok(names)
}

/// Stores values in the vault as a server's own.
async fn put(
    state: &EngineState,
    id: &ServerId,
    values: impl IntoIterator<Item = (String, Secret)>,
) -> Result<(), CommandError> {
    let values: Vec<(SecretId, Secret)> = values
        .into_iter()
        .map(|(name, value)| (id_of(id, &name), value))
        .collect();
    if values.is_empty() {
        return Ok(());
    }
    state.vault.put(values).await.map_err(failed)
}

/// Adds a server. If that fails, its secrets are deleted from the vault.
async fn add_checked(
    engine: &Engine,
    id: ServerId,
    draft: ServerDraft,
    kept: Vec<String>,
    written: impl FnOnce(&ServerId) + Send + 'static,
) -> Result<ServerId, CommandError> {
    let server = id.clone();
    let added = engine
        .change_servers(move |servers| {
            let added = servers.add(server, draft)?;
            written(&added);
            Ok(added)
        })
        .await;
    if added.is_err() {
        forget_these(&engine.state, &id, kept).await;
    }
    added
}

/// Changes a server's settings as they are now. If that fails, their new secrets are deleted from the vault.
async fn change<T: Send + 'static>(
    engine: &Engine,
    id: &ServerId,
    kept: Vec<String>,
    edit: impl FnOnce(&Servers, &ServerId) -> Result<T, CommandError> + Send + 'static,
) -> Result<T, CommandError> {
    let server = id.clone();
    let changed = engine.change_servers(move |servers| edit(servers, &server)).await;
    if changed.is_err() {
        forget_these(&engine.state, id, kept).await;
    }
    changed
}

async fn forget_these(state: &EngineState, server: &ServerId, names: Vec<String>) {
    remove(state, names.iter().map(|name| id_of(server, name)).collect()).await;
}

/// If servers are not written to disk, the user's file still refers to the secrets. Secrets that cannot be deleted now are
/// harmless, because nothing refers to them.
async fn remove(state: &EngineState, ids: Vec<SecretId>) {
    if state.stores_servers()
        && !ids.is_empty()
        && let Err(error) = state.vault.remove(ids).await
    {
        tracing::warn!(%error, "secrets that nothing refers to are still in the vault");
    }
}

#[cfg(test)]
mod tests;
