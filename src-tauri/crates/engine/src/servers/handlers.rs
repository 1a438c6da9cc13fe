//! Handlers of the configured servers and the secrets in their settings.

use std::collections::BTreeSet;

use patchbay_config::HostFolders;
use patchbay_contract::*;
use patchbay_protocol::limits::{Limits, Unit};

use crate::{
    dispatch::error::{blocking, fail},
    lists::definitions,
    servers::{bundles, changes, stored},
    state::Engine,
};

/// The most files that are looked at with one command.
const MOST_FILES: usize = 20;

pub(crate) async fn server_list(
    engine: &Engine,
    _: ServerListParams,
) -> Result<ServerListResponse, CommandError> {
    let servers = engine.state.servers.all();
    Ok(ServerListResponse {
        items: servers
            .into_iter()
            .map(|server| engine.state.server_item(server))
            .collect(),
        groups: engine.state.servers.groups(),
    })
}

pub(crate) async fn server_add(
    engine: &Engine,
    params: ServerAddParams,
) -> Result<ServerAddResponse, CommandError> {
    let rule = params.draft.roots.clone();
    engine.state.roots.check(rule.as_ref(), &params.chosen_roots)?;
    let server_id = stored::add(engine, params.draft, &params.input_answers, params.plain_secrets).await?;
    let stored = engine.roots_changed(&server_id, rule, &params.chosen_roots).await;
    added(engine, server_id, stored).await
}

/// The answer to adding a server whose roots were stored after it. If they were not, it is removed again, so that adding it
/// again does not add a second one.
async fn added(
    engine: &Engine,
    server_id: ServerId,
    stored: Result<(), CommandError>,
) -> Result<ServerAddResponse, CommandError> {
    let Err(error) = stored else {
        return Ok(ServerAddResponse { server_id });
    };
    let id = server_id.clone();
    match engine.change_servers(move |servers| servers.remove(&id)).await {
        Ok(()) => stored::forget(&engine.state, &server_id).await,
        Err(error) => {
            tracing::warn!(%error.message, "a server whose roots were not stored is still in the list")
        }
    }
    Err(error)
}

pub(crate) async fn server_add_demo(
    engine: &Engine,
    _: ServerAddDemoParams,
) -> Result<ServerAddResponse, CommandError> {
    if !engine.state.demo_available() {
        return Err(fail(
            ErrorCode::NotFound,
            "This program cannot act as the demo server.",
        ));
    }
    let server_id = engine.change_servers(|servers| servers.add_demo()).await?;
    Ok(ServerAddResponse { server_id })
}

pub(crate) async fn server_duplicate(
    engine: &Engine,
    params: ServerDuplicateParams,
) -> Result<ServerAddResponse, CommandError> {
    let server_id = stored::duplicate(engine, &params.server_id, params.name).await?;
    // The same program with the same settings: the user has decided.
    let copied = engine.state.roots.copy(&params.server_id, &server_id).await;
    added(engine, server_id, copied).await
}

pub(crate) async fn server_update(engine: &Engine, params: ServerUpdateParams) -> Result<Done, CommandError> {
    let id = params.server_id.clone();
    let chosen = params.chosen_roots.clone();
    engine.state.roots.check(params.draft.roots.as_ref(), &chosen)?;
    let before = engine.state.servers.get(&id)?.draft;
    stored::update(engine, params).await?;
    let draft = engine.state.servers.get(&id)?.draft;
    if !draft.automatic.clone().unwrap_or_default().reconnect {
        engine.taken_over(&id);
    }
    engine.file_watch_settings_changed(&id, &before, &draft);
    let rule = draft.roots;
    engine.roots_changed(&id, rule, &chosen).await?;
    Ok(Done {})
}

pub(crate) async fn server_remove(engine: &Engine, params: ServerRemoveParams) -> Result<Done, CommandError> {
    let id = params.server_id.clone();
    let server = engine.state.servers.get(&id)?;
    engine.change_servers(move |servers| servers.remove(&id)).await?;
    engine
        .state
        .eras
        .set(&server.id, &server.draft.transport, None)
        .await;
    stored::forget(&engine.state, &params.server_id).await;
    definitions::forget(engine, &params.server_id).await;
    changes::forget(engine, &params.server_id).await;
    bundles::forget(engine, &params.server_id, &server.draft).await;
    engine.state.sampling.forget(&params.server_id).await;
    let roots = &engine.state.roots;
    // Decisions about an id that is never used again are harmless.
    if let Err(error) = roots.keep_only(&params.server_id, &BTreeSet::new()).await {
        tracing::warn!(%error.message, "the decisions about roots of a removed server are still stored");
    }
    Ok(Done {})
}

pub(crate) async fn server_reorder(
    engine: &Engine,
    params: ServerReorderParams,
) -> Result<Done, CommandError> {
    engine
        .change_servers(move |servers| servers.reorder(&params.server_ids))
        .await?;
    Ok(Done {})
}

pub(crate) async fn limit_list(_: &Engine, _: LimitListParams) -> Result<LimitListResponse, CommandError> {
    let items = Limits::ALL.iter().map(|limit| LimitItem {
        name: limit.name.to_owned(),
        meaning: limit.meaning.to_owned(),
        unit: match limit.unit {
            Unit::Count => LimitUnit::Count,
            Unit::Bytes => LimitUnit::Bytes,
            Unit::Milliseconds => LimitUnit::Milliseconds,
        },
        default: limit.default,
        least: limit.least,
        most: limit.most,
    });
    Ok(LimitListResponse {
        items: items.collect(),
    })
}

pub(crate) async fn server_parse(
    engine: &Engine,
    params: ServerParseParams,
) -> Result<ServerParseResponse, CommandError> {
    let names: Vec<String> = engine
        .state
        .servers
        .all()
        .into_iter()
        .map(|server| server.draft.name)
        .collect();
    Ok(patchbay_config::parse(&params.text, |name| {
        names.iter().any(|taken| taken == name)
    }))
}

pub(crate) async fn server_export(
    engine: &Engine,
    params: ServerExportParams,
) -> Result<ServerExportResponse, CommandError> {
    let server = engine.state.servers.get(&params.server_id)?;
    let common = engine.state.servers.export(&params.server_id)?;
    let folders = HostFolders::of_user();
    let exported = patchbay_config::export_for(&server, params.format, common, folders.as_ref())?;
    Ok(ServerExportResponse {
        text: exported.text,
        syntax: exported.syntax,
        path: exported.path,
        notes: exported.notes,
    })
}

pub(crate) async fn debugger_preview(
    _: &Engine,
    params: DebuggerPreviewParams,
) -> Result<DebuggerPreviewResponse, CommandError> {
    let TransportDraft::Stdio { command, args, .. } = &params.transport else {
        let why = "Only a program can be started under a debugger.";
        return Err(fail(ErrorCode::InvalidParams, why));
    };
    let (name, debugger) = (&params.name, &params.debugger);
    Ok(patchbay_config::debugger_preview(name, command, args, debugger))
}

pub(crate) async fn host_find(engine: &Engine, _: HostFindParams) -> Result<HostFindResponse, CommandError> {
    let ours = engine.state.servers.all();
    let look = move || {
        let folders = HostFolders::of_user()?;
        Some(patchbay_config::find_hosts(&folders, &ours))
    };
    let found = blocking("Looking for other hosts was interrupted.", look).await?;
    found.ok_or_else(|| {
        fail(
            ErrorCode::Storage,
            "This user has no home folder, so there is nowhere to look for other hosts.",
        )
    })
}

pub(crate) async fn file_identify(
    engine: &Engine,
    params: FileIdentifyParams,
) -> Result<FileIdentifyResponse, CommandError> {
    let count = params.files.len();
    if count > MOST_FILES {
        let why = format!("{count} files were given. At most {MOST_FILES} are read at once.");
        return Err(fail(ErrorCode::InvalidParams, why));
    }
    let ours = engine.state.servers.all();
    let read = move || patchbay_config::identify(&params.files, &ours);
    let files = blocking("Reading the files was interrupted.", read).await?;
    Ok(FileIdentifyResponse { files })
}

pub(crate) async fn server_era_forget(
    engine: &Engine,
    params: ServerEraForgetParams,
) -> Result<Done, CommandError> {
    let server = engine.state.servers.get(&params.server_id)?;
    let eras = &engine.state.eras;
    if eras.set(&server.id, &server.draft.transport, None).await {
        engine.state.nudges.connection_changed(&server.id);
    }
    Ok(Done {})
}

pub(crate) async fn secret_find(
    engine: &Engine,
    _: SecretFindParams,
) -> Result<SecretFindResponse, CommandError> {
    Ok(stored::find(engine))
}

pub(crate) async fn secret_move(
    engine: &Engine,
    params: SecretMoveParams,
) -> Result<SecretMoveResponse, CommandError> {
    stored::move_all(engine, params.server_ids).await
}
