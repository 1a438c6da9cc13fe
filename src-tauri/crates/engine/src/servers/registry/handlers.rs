//! Handlers of `server.json`.

use std::ffi::OsStr;

use patchbay_config::{
    free_name,
    registry::{self, FillError, Filled, InstallKind, InstallOption, Listed},
};
use patchbay_contract::*;
use patchbay_transport::find_program;
use patchbay_vault::random_name;

use super::{MAX_BYTES, fetch};
use crate::{
    dispatch::error::{fail, fail_with, vault_failed},
    servers::{bundles::not_found, stored},
    state::Engine,
};

pub(crate) async fn registry_read(
    engine: &Engine,
    params: RegistryReadParams,
) -> Result<RegistryReadResponse, CommandError> {
    let text = match params.source {
        RegistrySource::Text { text } => text,
        RegistrySource::Url { url } => fetch(&engine.state, &url).await?,
    };
    let servers = read(&text)?;
    let environment = engine.state.environment.get().await;
    let taken = engine.state.servers.names();
    let shown = servers
        .into_iter()
        .map(|listed| {
            let name = free_name(&listed.title, |name| taken.iter().any(|one| one == name));
            server(listed, name, environment.get("PATH"))
        })
        .collect::<Result<_, _>>()?;
    Ok(RegistryReadResponse { text, servers: shown })
}

pub(crate) async fn registry_add(
    engine: &Engine,
    params: RegistryAddParams,
) -> Result<ServerAddResponse, CommandError> {
    let Filled { transport, secrets } = filled(engine, &params).await?;
    let draft = ServerDraft::new(params.name, transport);
    let server_id = stored::add_with(engine, draft, secrets, params.plain_secrets, |_| {}).await?;
    Ok(ServerAddResponse { server_id })
}

/// The server with the values that were entered.
async fn filled(engine: &Engine, params: &RegistryAddParams) -> Result<Filled, CommandError> {
    let servers = read(&params.text)?;
    let option = servers
        .get(params.server as usize)
        .and_then(|server| server.options.get(params.option as usize))
        .ok_or_else(|| {
            fail(
                ErrorCode::NotFound,
                "The document has no such server. Read it again.",
            )
        })?;
    let environment = engine.state.environment.get().await;
    if let (Some(blocker), _) = program(option, environment.get("PATH")) {
        return Err(fail(ErrorCode::InvalidParams, blocker));
    }
    option
        .fill(&params.values_json, random_name)
        .map_err(|error| match error {
            FillError::Value(why) => fail(ErrorCode::InvalidParams, why),
            FillError::Name(error) => vault_failed(error),
        })
}

fn read(text: &str) -> Result<Vec<Listed>, CommandError> {
    if text.len() > MAX_BYTES {
        return Err(fail(
            ErrorCode::InvalidParams,
            "Reading server.json failed: it has more than 4 MiB. Choose the file of one server.",
        ));
    }
    registry::read(text).map_err(|why| {
        fail(
            ErrorCode::InvalidParams,
            format!("Reading server.json failed: {why} Choose another file, or paste what it has."),
        )
    })
}

/// Why an option cannot be added, and the file that its program was found as.
fn program(option: &InstallOption, path: Option<&OsStr>) -> (Option<String>, Option<String>) {
    if let Some(blocker) = &option.blocker {
        return (Some(blocker.clone()), None);
    }
    let Some(name) = &option.program else {
        return (None, None);
    };
    match find_program(name, path) {
        Some(file) => (None, Some(file.display().to_string())),
        None => {
            let blocker = format!("The package is {}, then read server.json again.", not_found(name));
            (Some(blocker), None)
        }
    }
}

fn server(
    listed: Listed,
    proposed_name: String,
    path: Option<&OsStr>,
) -> Result<RegistryServer, CommandError> {
    Ok(RegistryServer {
        proposed_name,
        links: listed
            .links
            .into_iter()
            .map(|(label, url)| BundleLink {
                label: label.to_owned(),
                url,
            })
            .collect(),
        options: listed
            .options
            .iter()
            .map(|one| shown(one, path))
            .collect::<Result<_, _>>()?,
        name: listed.name,
        title: listed.title,
        description: listed.description,
        version: listed.version,
        status: listed.status,
    })
}

fn shown(option: &InstallOption, path: Option<&OsStr>) -> Result<RegistryOption, CommandError> {
    let not_written = |error| {
        fail_with(
            ErrorCode::Internal,
            "The settings of the server could not be written.",
            error,
        )
    };
    let (blocker, program) = program(option, path);
    let member = |(name, value)| EnvVar { name, value };
    let (command, args, url, members) = match &option.kind {
        InstallKind::Program { command, args, env } => {
            // Without a program nothing is run: the blocker says what to do instead.
            let command = (!command.is_empty()).then(|| command.clone());
            let args = if command.is_some() { &args[..] } else { &[] };
            (
                command,
                args.iter().flat_map(registry::Element::words).collect(),
                None,
                env.iter().map(|one| member(one.shown())).collect(),
            )
        }
        InstallKind::Remote { url, headers, .. } => (
            None,
            Vec::new(),
            Some(url.shown()),
            headers.iter().map(|one| member(one.shown())).collect(),
        ),
    };
    Ok(RegistryOption {
        label: option.label.clone(),
        command,
        args,
        url,
        members,
        program,
        schema_json: option.schema().map_err(not_written)?,
        values_json: option.defaults().map_err(not_written)?,
        blocker,
        notes: option.notes.clone(),
    })
}
