//! `patchbay import`: adds servers of other hosts after a review. Starts and contacts nothing.

mod inputs;
mod list;
mod select;
mod source;

use std::{collections::BTreeMap, io::IsTerminal as _, path::PathBuf};

use patchbay_contract::{
    Done, HostInputAnswer, ServerAddParams, ServerAddResponse, ServerDraft, ServerItem, ServerListParams,
    ServerListResponse, ServerUpdateParams, TransportDraft,
};
use patchbay_engine::Engine;

use super::{
    terminal::{is_confirmed, report, show},
    until_signal,
};
use crate::{
    args::ImportArgs,
    exit::{Exit, Problem},
    oneshot::{
        answer,
        keyboard::Keyboard,
        passphrase::with_vault,
        server::{call, with_app},
    },
    output,
};
use select::Chosen;
use source::Source;

/// Finds the servers, shows what differs, asks, and adds them.
pub(crate) async fn run(
    data_dir: Option<PathBuf>,
    args: ImportArgs,
    json: bool,
) -> Result<Exit, (Exit, Problem)> {
    let failed = |problem: Problem| (Exit::Usage, problem);
    if !args.yes && !args.dry_run && !std::io::stdin().is_terminal() {
        return Err(failed(Problem::usage(
            "Nothing was imported: there is no terminal to ask at. Look at the servers with `--dry-run`, then add `--yes`.",
        )));
    }
    let source = Source::read(args.source.as_deref()).map_err(failed)?;
    let imported = with_app(data_dir, json, async |engine| {
        until_signal(import(engine, &args, &source, json)).await
    });
    imported.await.map_err(failed)?
}

async fn import(engine: &Engine, args: &ImportArgs, source: &Source, json: bool) -> Result<Exit, Problem> {
    let files = source.find(engine).await?;
    let chosen = select::chosen(&files, args)?;
    if args.dry_run {
        let list = list::of(&files, &chosen, json);
        if !list.is_empty() {
            answer(list).await.map_err(|(_, problem)| problem)?;
        }
        return Ok(Exit::Ok);
    }
    show(
        &list::of(&files, &chosen, false),
        &list::notes(&files, &chosen),
        !args.yes,
        json,
    );
    if chosen.is_empty() {
        Problem::notice("There is nothing to add.").say(json);
        return Ok(Exit::Ok);
    }
    let keyboard = Keyboard::default();
    if !args.yes && !is_confirmed(&keyboard, &question(&chosen)).await {
        output::words("Nothing was added.");
        return Ok(Exit::Usage);
    }
    let answers = inputs::answers(&chosen, args, &keyboard).await?;
    let ours: ServerListResponse = call(engine, "server_list", &ServerListParams {}).await?;
    let mut exit = Exit::Ok;
    for one in &chosen {
        let answers = answers.of(one);
        let known = one.update.and_then(|(server_id, transport)| {
            let known = ours.items.iter().find(|item| item.id == *server_id)?;
            Some((known, transport))
        });
        let done = match known {
            Some((known, transport)) => update(engine, args, known, transport.clone(), answers, json).await,
            None => add(engine, args, one.server.draft.clone(), answers, json).await,
        };
        // The others are imported all the same.
        if let Err(problem) = done {
            problem.say(json);
            exit = Exit::Usage;
        }
    }
    Ok(exit)
}

async fn add(
    engine: &Engine,
    args: &ImportArgs,
    draft: ServerDraft,
    input_answers: BTreeMap<String, HostInputAnswer>,
    json: bool,
) -> Result<(), Problem> {
    let name = draft.name.clone();
    let params = ServerAddParams {
        draft,
        plain_secrets: args.plain_secrets,
        input_answers,
        chosen_roots: Vec::new(),
    };
    let added: Result<ServerAddResponse, Problem> = with_vault(engine, "server_add", &params).await;
    let added = added.map_err(|problem| problem.of(&name))?;
    report("Added", &name, &added.server_id, json).await
}

/// Changes how a server is started or reached; its other settings stay.
async fn update(
    engine: &Engine,
    args: &ImportArgs,
    ours: &ServerItem,
    transport: TransportDraft,
    input_answers: BTreeMap<String, HostInputAnswer>,
    json: bool,
) -> Result<(), Problem> {
    let params = ServerUpdateParams {
        server_id: ours.id.clone(),
        draft: ServerDraft {
            transport,
            ..ours.draft.clone()
        },
        plain_secrets: args.plain_secrets,
        input_answers,
        chosen_roots: Vec::new(),
    };
    let name = &ours.draft.name;
    let updated: Result<Done, Problem> = with_vault(engine, "server_update", &params).await;
    updated.map_err(|problem| problem.of(name))?;
    report("Updated", name, &ours.id, json).await
}

/// `Add 2 servers and update 1`.
fn question(chosen: &[Chosen<'_>]) -> String {
    let updates = chosen.iter().filter(|one| one.update.is_some()).count();
    let servers = |count: usize| match count {
        1 => "1 server".to_owned(),
        count => format!("{count} servers"),
    };
    match (chosen.len() - updates, updates) {
        (adds, 0) => format!("Add {}", servers(adds)),
        (0, updates) => format!("Update {}", servers(updates)),
        (adds, updates) => format!("Add {} and update {updates}", servers(adds)),
    }
}

#[cfg(test)]
mod tests;
