//! Handlers of terminals.

use std::sync::Arc;

use patchbay_client::Environment;
use patchbay_config::Server;
use patchbay_contract::*;
use patchbay_transport::{TerminalRun, open_terminal};

use crate::{
    connections::{self, environment::path_info},
    dispatch::error::fail,
    servers::stored,
    state::Engine,
};

pub(crate) async fn terminal_open(
    engine: &Engine,
    params: TerminalOpenParams,
) -> Result<TerminalOpenResponse, CommandError> {
    let state = &engine.state;
    let server = state.servers.get(&params.server_id)?;
    let shown = super::shown(&words(engine, &server)?);
    let chosen = match params.terminal.as_deref().map(str::trim) {
        None | Some("") => Vec::new(),
        Some(line) => {
            let (program, words) = patchbay_config::command_words(line).ok_or_else(|| {
                let message =
                    "The command of the terminal (Settings > Servers) has a quotation mark without its end.";
                fail(ErrorCode::InvalidParams, message)
            })?;
            std::iter::once(program).chain(words).collect()
        }
    };
    let resolved = stored::resolved(state, &server).await?;
    let desktop = state.environment.get().await;
    let config = connections::program_of(state, &resolved, desktop.clone()).ok_or_else(no_program)?;
    connections::mask_settings(state, &resolved, &config.environment);
    let shown = state.masked(shown);
    let run = TerminalRun {
        config: &config,
        shown: &shown,
        title: &server.draft.name,
        chosen: &chosen,
        desktop: &desktop,
    };
    let terminal = open_terminal(&run).await.map_err(|failure| CommandError {
        code: ErrorCode::NotFound,
        message: format!("{} {}", failure.cause, failure.next),
        detail: failure.detail.map(|detail| state.masked(detail)),
    })?;
    Ok(TerminalOpenResponse { terminal })
}

pub(crate) async fn terminal_command(
    engine: &Engine,
    params: TerminalCommandParams,
) -> Result<TerminalCommandResponse, CommandError> {
    let state = &engine.state;
    let server = state.servers.get(&params.server_id)?;
    let TransportDraft::Stdio { env, .. } = &server.draft.transport else {
        return Err(no_program());
    };
    let words = words(engine, &server)?;
    let environment: Arc<Environment> = state.environment.get().await;
    let path = path_info(&environment).value;
    // Only for the folder: nothing of it that is secret is used.
    let config = connections::program_of(state, &server, environment).ok_or_else(no_program)?;
    let own_path = env.iter().rev().find(|var| var.name == "PATH");
    let path = own_path.map_or(path, |var| var.value.clone());
    let others: Vec<EnvVar> = env.iter().filter(|var| var.name != "PATH").cloned().collect();
    let found = super::command_line(&config.working_folder(), &path, &others, &words);
    Ok(TerminalCommandResponse {
        command: state.masked(found.command),
        ..found
    })
}

/// The program and its arguments, with references in place of secrets.
fn words(engine: &Engine, server: &Server) -> Result<Vec<String>, CommandError> {
    match engine.state.transport_of(server) {
        TransportDraft::Stdio { command, args, .. } => Ok(std::iter::once(command).chain(args).collect()),
        TransportDraft::Http { .. } => Err(no_program()),
    }
}

fn no_program() -> CommandError {
    let message = "This server is reached over HTTP: there is no program to run in a terminal.";
    fail(ErrorCode::InvalidParams, message)
}
