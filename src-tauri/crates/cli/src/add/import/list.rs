//! The servers that were found, and what differs. Secrets are not shown.

use patchbay_contract::{HostComparison, HostFile, HostServer, TransportDraft};
use patchbay_engine::without_secrets;
use serde_json::json;

use super::select::Chosen;
use crate::{add::lines_of, output::visible};

/// All servers of all files, as text or as one JSON object a line.
pub(super) fn of(files: &[HostFile], chosen: &[Chosen<'_>], json: bool) -> String {
    let is_chosen = |server: &HostServer| chosen.iter().any(|one| std::ptr::eq(one.server, server));
    let mut lines = Vec::new();
    for file in files {
        if json {
            lines.extend(
                file.servers
                    .iter()
                    .map(|server| as_json(file, server, is_chosen(server))),
            );
            lines.extend(file.problems.iter().map(|problem| {
                let place = &file.place;
                json!({ "host": place.host, "path": place.path, "problem": problem }).to_string()
            }));
            continue;
        }
        lines.push(format!(
            "{}  {}",
            visible(&file.place.host),
            visible(&file.place.path)
        ));
        for server in &file.servers {
            lines.extend(in_words(server, is_chosen(server)));
        }
        lines.extend(
            file.problems
                .iter()
                .map(|problem| format!("  Note: {}", visible(problem))),
        );
    }
    if !json {
        lines.push(match files.is_empty() {
            true => "No servers of other hosts were found on this machine.".to_owned(),
            false => "Nothing is started until you connect.".to_owned(),
        });
    }
    lines.join("\n")
}

/// What is not understood in the files, and in the servers that are imported, each with where that is.
pub(super) fn notes(files: &[HostFile], chosen: &[Chosen<'_>]) -> Vec<String> {
    let of_files = files.iter().flat_map(|file| {
        let problems = file.problems.iter();
        problems.map(|problem| format!("{}: {problem}", file.place.path))
    });
    let of_servers = chosen.iter().flat_map(|one| {
        let problems = one.server.problems.iter();
        problems.map(|problem| format!("{}: {problem}", one.server.name))
    });
    of_files.chain(of_servers).collect()
}

fn in_words(server: &HostServer, is_chosen: bool) -> Vec<String> {
    let mark = if is_chosen { '+' } else { ' ' };
    let mut about = vec![match &server.comparison {
        HostComparison::New {} => "new".to_owned(),
        HostComparison::Same { name, .. } => format!("same as {}", visible(name)),
        HostComparison::Differs { name, .. } => format!("differs from {}", visible(name)),
    }];
    if server.disabled {
        about.push("disabled in the host".to_owned());
    }
    if let Some(project) = &server.project {
        about.push(format!("only in {}", visible(project)));
    }
    match server.secrets.len() {
        0 => {}
        1 => about.push("1 secret in plaintext".to_owned()),
        count => about.push(format!("{count} secrets in plaintext")),
    }
    let mut lines = vec![format!("{mark} {}  {}", visible(&server.name), about.join(", "))];
    match &server.comparison {
        HostComparison::Same { .. } => {}
        HostComparison::New {} => lines.extend(lines_of(&server.draft)),
        HostComparison::Differs { differences, .. } => {
            for each in differences {
                lines.push(format!("    {}", each.setting));
                lines.push(format!("      in Patchbay  {}", shown(&each.ours)));
                lines.push(format!("      in the host  {}", shown(&each.theirs)));
            }
        }
    }
    lines.extend(
        server
            .problems
            .iter()
            .map(|problem| format!("    Note: {}", visible(problem))),
    );
    lines
}

/// Several values on one line.
fn shown(value: &str) -> String {
    match value.is_empty() {
        true => "–".to_owned(),
        false => visible(&value.replace('\n', " ")),
    }
}

fn as_json(file: &HostFile, server: &HostServer, is_chosen: bool) -> String {
    let (state, differences) = match &server.comparison {
        HostComparison::New {} => ("new", None),
        HostComparison::Same { .. } => ("same", None),
        HostComparison::Differs { differences, .. } => ("differs", Some(differences)),
    };
    let reached = match without_secrets(&server.draft).transport {
        TransportDraft::Stdio { command, args, .. } => json!({ "command": command, "args": args }),
        TransportDraft::Http { url, .. } => json!({ "url": url }),
    };
    json!({
        "host": file.place.host,
        "path": file.place.path,
        "name": server.name,
        "addedAs": server.draft.name,
        "state": state,
        "chosen": is_chosen,
        "disabled": server.disabled,
        "project": server.project,
        "reached": reached,
        "secrets": server.secrets.iter().map(|secret| &secret.name).collect::<Vec<_>>(),
        "differences": differences,
        "problems": server.problems,
    })
    .to_string()
}
