//! Secrets of configured servers: into the vault when a server is saved, out of it when one is connected, and found where
//! they still stand readable.
//!
//! A secret that is new goes into the vault. One that stands readable in `servers.json` already stays there until the user has
//! it moved: the file is the user's, and other programs may read it too.

use std::collections::{BTreeSet, HashMap};

use patchbay_contract::{
    CommandError, ErrorCode, SecretFindResponse, SecretMoveResponse, ServerDraft, ServerId,
    ServerUpdateParams,
};
use patchbay_secret::Secret;
use patchbay_vault::{SecretId, random_name};

use crate::{
    dispatch::error::fail,
    servers::vault::failed,
    state::{Engine, EngineState},
};
use patchbay_config::{Server, checked, new_id, secrets};

/// Adds a server, its secrets in the vault unless the user wants them readable.
pub(crate) async fn add(engine: &Engine, draft: ServerDraft, plain: bool) -> Result<ServerId, CommandError> {
    let id = new_id();
    let mut draft = checked(draft)?;
    refuse_strange(&draft, &BTreeSet::new())?;
    let kept = keep_new(&engine.inner, &id, &mut draft, None, plain).await?;
    add_checked(engine, id, draft, kept).await
}

/// Adds a copy of a server under another name. What the vault holds for the one it holds for the other too, so that neither
/// loses a secret with the other.
pub(crate) async fn duplicate(
    engine: &Engine,
    original: &ServerId,
    name: String,
) -> Result<ServerId, CommandError> {
    let inner = &engine.inner;
    let id = new_id();
    let draft = inner.servers.get(original)?.draft;
    let values = held(inner, original, &draft).await?;
    let mut draft = checked(ServerDraft { name, ..draft })?;
    if !inner.keeps_servers() {
        secrets::fill_in(&mut draft, &values);
        return add_checked(engine, id, draft, Vec::new()).await;
    }
    let kept = values.keys().cloned().collect();
    put(inner, &id, values).await?;
    add_checked(engine, id, draft, kept).await
}

/// Replaces a server's settings; what was in the vault and is referred to no more goes.
pub(crate) async fn update(engine: &Engine, params: ServerUpdateParams) -> Result<(), CommandError> {
    let id = params.server_id;
    let before = engine.inner.servers.get(&id)?.draft;
    let mut draft = checked(params.draft)?;
    let names = secrets::names_of(&before);
    refuse_strange(&draft, &names)?;
    let kept = keep_new(
        &engine.inner,
        &id,
        &mut draft,
        Some(&before),
        params.plain_secrets,
    )
    .await?;
    let still = secrets::names_of(&draft);
    change(engine, &id, draft, kept).await?;
    forget_these(&engine.inner, &id, names.difference(&still).cloned().collect()).await;
    Ok(())
}

/// What stands readable in `servers.json`.
pub(crate) fn find(engine: &Engine) -> SecretFindResponse {
    let servers = engine.inner.servers.all();
    SecretFindResponse {
        items: servers
            .iter()
            .flat_map(|server| secrets::plain(Some(&server.id), &server.draft))
            .collect(),
    }
}

/// Moves what stands readable of these servers into the vault.
pub(crate) async fn move_all(
    engine: &Engine,
    ids: Vec<ServerId>,
) -> Result<SecretMoveResponse, CommandError> {
    let mut moved = 0;
    for id in ids {
        let mut draft = engine.inner.servers.get(&id)?.draft;
        let kept = keep_new(&engine.inner, &id, &mut draft, None, false).await?;
        moved += u32::try_from(kept.len()).unwrap_or(u32::MAX);
        if !kept.is_empty() {
            change(engine, &id, draft, kept).await?;
        }
    }
    Ok(SecretMoveResponse { moved })
}

/// The server with its secrets in place of references.
///
/// # Errors
/// `VaultNeeded` if the vault is not open; `NotFound` if it does not hold one of them.
pub(crate) async fn resolved(inner: &EngineState, server: &Server) -> Result<Server, CommandError> {
    let values = held(inner, &server.id, &server.draft).await?;
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

/// Forgets all that the vault holds of a server that is gone.
pub(crate) async fn forget(inner: &EngineState, server: &ServerId) {
    let prefix = id_of(server, "").0;
    let all = inner.vault.ids().await.unwrap_or_default();
    let own: Vec<SecretId> = all.into_iter().filter(|id| id.0.starts_with(&prefix)).collect();
    remove(inner, own).await;
}

/// What the vault holds of what a server's settings refer to, by name.
async fn held(
    inner: &EngineState,
    id: &ServerId,
    draft: &ServerDraft,
) -> Result<HashMap<String, Secret>, CommandError> {
    let mut values = HashMap::new();
    for name in secrets::names_of(draft) {
        if let Some(value) = inner.vault.get(&id_of(id, &name)).await.map_err(failed)? {
            values.insert(name, value);
        }
    }
    Ok(values)
}

fn id_of(server: &ServerId, name: &str) -> SecretId {
    SecretId(format!("server/{server}/{name}"))
}

/// A reference to something else than this server's own secrets came with settings from elsewhere.
fn refuse_strange(draft: &ServerDraft, own: &BTreeSet<String>) -> Result<(), CommandError> {
    match secrets::unknown(draft, own) {
        None => Ok(()),
        Some(place) => Err(fail(
            ErrorCode::InvalidParams,
            format!("What {place} refers to is not in the vault for this server. Enter the value itself."),
        )),
    }
}

/// Puts what is new of a draft's secrets into the vault and references in their place; answers their names.
async fn keep_new(
    inner: &EngineState,
    id: &ServerId,
    draft: &mut ServerDraft,
    before: Option<&ServerDraft>,
    plain: bool,
) -> Result<Vec<String>, CommandError> {
    // Servers that are not written down need no vault.
    if plain || !inner.keeps_servers() {
        return Ok(Vec::new());
    }
    let taken = secrets::take(draft, before, random_name).map_err(failed)?;
    let names = taken.iter().map(|(name, _)| name.clone()).collect();
    put(inner, id, taken).await?;
    Ok(names)
}

/// Puts values into the vault as a server's own.
async fn put(
    inner: &EngineState,
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
    inner.vault.put(values).await.map_err(failed)
}

/// Adds a server; if that fails, what was put into the vault for it goes.
async fn add_checked(
    engine: &Engine,
    id: ServerId,
    draft: ServerDraft,
    kept: Vec<String>,
) -> Result<ServerId, CommandError> {
    let server = id.clone();
    let added = engine
        .change_servers(move |servers| servers.add(server, draft))
        .await;
    if added.is_err() {
        forget_these(&engine.inner, &id, kept).await;
    }
    added
}

/// Writes the settings; if that fails, what was put into the vault for them goes.
async fn change(
    engine: &Engine,
    id: &ServerId,
    draft: ServerDraft,
    kept: Vec<String>,
) -> Result<(), CommandError> {
    let server = id.clone();
    let changed = engine
        .change_servers(move |servers| servers.update(&server, draft))
        .await;
    if changed.is_err() {
        forget_these(&engine.inner, id, kept).await;
    }
    changed
}

async fn forget_these(inner: &EngineState, server: &ServerId, names: Vec<String>) {
    remove(inner, names.iter().map(|name| id_of(server, name)).collect()).await;
}

/// Where servers are not written down, the user's file refers to them as before. What cannot be removed now is of no use to
/// anybody, as nothing refers to it.
async fn remove(inner: &EngineState, ids: Vec<SecretId>) {
    if inner.keeps_servers()
        && !ids.is_empty()
        && let Err(error) = inner.vault.remove(ids).await
    {
        tracing::warn!(%error, "secrets that nothing refers to are still in the vault");
    }
}

#[cfg(test)]
mod tests;
