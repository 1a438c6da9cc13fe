//! `patchbay add`: adds servers to the app after a review. Starts and contacts nothing.

mod bundle;
mod form;
pub(crate) mod import;
mod registry;
mod terminal;

use std::{
    io::IsTerminal as _,
    path::{Path, PathBuf},
};

use patchbay_contract::{
    ServerAddParams, ServerAddResponse, ServerDraft, ServerParseParams, ServerParseResponse, TransportDraft,
};
use patchbay_engine::{Engine, is_bare_address, is_json, quoted, read_text, read_text_from, without_secrets};

use terminal::{add_how_many, is_confirmed, report, show};

use crate::{
    args::AddArgs,
    exit::{Exit, Problem},
    oneshot::{
        keyboard::Keyboard,
        passphrase::with_vault,
        server::{call, with_app},
    },
    output::{self, visible},
    signals::Signals,
};

/// The maximum size of a text on stdin, in bytes.
const MAX_STDIN: u64 = 1 << 20;
/// The maximum size of a configuration in a file, in bytes.
const MAX_FILE: u64 = 4 << 20;

/// Shows what the text says, asks, and adds it.
pub(crate) async fn run(
    data_dir: Option<PathBuf>,
    args: AddArgs,
    json: bool,
) -> Result<Exit, (Exit, Problem)> {
    let failed = |problem: Problem| (Exit::Usage, problem);
    let from_stdin = args.text == "-";
    let asks = !args.yes;
    if asks && (from_stdin || !std::io::stdin().is_terminal()) {
        return Err(failed(Problem::usage(
            "Nothing was added: there is no terminal to ask at. Look at the text, then add `--yes`.",
        )));
    }
    let text = match from_stdin {
        true => stdin().map_err(failed)?,
        false => file_or_text(&args.text).map_err(failed)?,
    };
    let added = with_app(data_dir, json, async |engine| {
        until_signal(async {
            match !from_stdin && bundle::is_bundle(&text) {
                true => bundle::add(engine, &args, json).await,
                false => add(engine, &args, text, json).await,
            }
        })
        .await
    });
    added.await.map_err(failed)?
}

fn stdin() -> Result<String, Problem> {
    read_text_from(std::io::stdin().lock(), MAX_STDIN)
        .map_err(|error| Problem::usage(format!("The text on stdin was not read: {error}.")))
}

async fn add(engine: &Engine, args: &AddArgs, text: String, json: bool) -> Result<Exit, Problem> {
    let parsed: ServerParseResponse = call(engine, "server_parse", &ServerParseParams { text }).await?;
    if let Some(source) = parsed.registry {
        return registry::add(engine, args, source, json).await;
    }
    // They would be ignored.
    if args.package.is_some() || !args.set.is_empty() {
        return Err(Problem::usage(
            "`--package` and `--set` are for a bundle or a server.json, and the text is neither. Leave them out.",
        ));
    }
    let mut drafts = parsed.drafts;
    if drafts.is_empty() {
        return Err(Problem::usage(parsed.problems.join("\n")));
    }
    match (&args.name, drafts.as_mut_slice()) {
        (Some(name), [draft]) => draft.name.clone_from(name),
        (Some(_), _) => {
            return Err(Problem::usage(
                "`--name` needs a text with one server. Leave it out; each server has its own name.",
            ));
        }
        (None, _) => {}
    }
    show(
        &review(&drafts, &parsed.problems),
        &parsed.problems,
        !args.yes,
        json,
    );
    let question = add_how_many(drafts.len());
    if !args.yes && !is_confirmed(&Keyboard::default(), &question).await {
        output::words("Nothing was added.");
        return Ok(Exit::Usage);
    }
    let mut exit = Exit::Ok;
    for draft in drafts {
        let name = draft.name.clone();
        let params = ServerAddParams {
            draft,
            plain_secrets: false,
            input_answers: Default::default(),
            chosen_roots: Vec::new(),
        };
        let added: Result<ServerAddResponse, Problem> = with_vault(engine, "server_add", &params).await;
        let told = match added {
            Ok(added) => report("Added", &name, &added.server_id, json).await,
            Err(problem) => Err(problem.of(&name)),
        };
        // The others are added all the same.
        if let Err(problem) = told {
            problem.say(json);
            exit = Exit::Usage;
        }
    }
    Ok(exit)
}

/// The content of a configuration that is named by its path, or the text itself.
fn file_or_text(text: &str) -> Result<String, Problem> {
    let path = Path::new(text);
    let ending = ending(text);
    let is_known = matches!(
        ending.as_str(),
        "json" | "jsonc" | "toml" | "yaml" | "yml" | "mcpb" | "dxt"
    );
    // A program is not called so; an address and a link may end so.
    let is_one = !text.contains(char::is_whitespace) && !text.contains("://") && !is_bare_address(text);
    let unreadable = |cause: &dyn std::fmt::Display| {
        Problem::usage(format!(
            "{} cannot be read ({cause}). Check the path, and try again.",
            visible(text)
        ))
    };
    match ending.as_str() {
        _ if !is_known || !(path.exists() || is_one) => Ok(text.to_owned()),
        "mcpb" | "dxt" if path.exists() => Ok(text.to_owned()),
        "toml" | "yaml" | "yml" if path.is_file() => Err(Problem::usage(format!(
            "{} is the configuration of a host. Import its servers with `patchbay import {}`.",
            visible(text),
            visible(&quoted(text))
        ))),
        _ => {
            let content = read_text(path, MAX_FILE).map_err(|error| unreadable(&error))?;
            match is_json(&content) {
                true => Ok(content),
                // Its lines are not commands.
                false => Err(unreadable(&"it is not JSON")),
            }
        }
    }
}

/// The ending of a file's name, in lower case.
fn ending(text: &str) -> String {
    let ending = Path::new(text).extension().unwrap_or_default();
    ending.to_string_lossy().to_lowercase()
}

/// Runs work until it ends, or until a signal: then nothing more is asked or added. A question without echo, which Ctrl-C ends,
/// restores the terminal first.
async fn until_signal(work: impl Future<Output = Result<Exit, Problem>>) -> Result<Exit, (Exit, Problem)> {
    let signals = Signals::listen().map_err(|error| Problem::internal("Signals cannot be caught.", &error));
    let mut signals = signals.map_err(|problem| (Exit::Usage, problem))?;
    tokio::select! {
        ended = work => ended.map_err(|problem| (Exit::Usage, problem)),
        number = signals.next() => {
            Err((Exit::Signal(number), Problem::new("interrupted", "Interrupted.")))
        }
    }
}

/// What would be started or contacted, one member a line. Values that may be secret are not shown.
fn review(drafts: &[ServerDraft], problems: &[String]) -> String {
    let mut lines = Vec::new();
    for draft in drafts {
        lines.push(visible(&draft.name));
        lines.extend(lines_of(draft));
    }
    lines.extend(
        problems
            .iter()
            .map(|problem| format!("Note: {}", visible(problem))),
    );
    lines.push("Nothing is started until you connect.".to_owned());
    lines.join("\n")
}

/// How a server is started or reached, one member a line. Secrets are replaced by their names.
pub(crate) fn lines_of(draft: &ServerDraft) -> Vec<String> {
    let mut lines = Vec::new();
    match without_secrets(draft).transport {
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            lines.push(format!("  starts     {}", visible(&command)));
            lines.extend(args.iter().map(|arg| format!("  argument   {}", visible(arg))));
            lines.extend(
                env.iter()
                    .map(|one| format!("  variable   {}", visible(&one.name))),
            );
            lines.extend(cwd.iter().map(|cwd| format!("  in folder  {}", visible(cwd))));
        }
        TransportDraft::Http { url, headers, .. } => {
            lines.push(format!("  contacts   {}", visible(&url)));
            lines.extend(
                headers
                    .iter()
                    .map(|one| format!("  header     {}", visible(&one.name))),
            );
        }
    }
    lines
}

#[cfg(test)]
mod tests;
