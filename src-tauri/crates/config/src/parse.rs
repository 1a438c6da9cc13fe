//! Parses what users paste to add a server: a command line, an address, a link (`patchbay://add?…`), or JSON in any format that
//! hosts and READMEs use.
//!
//! Nothing is executed or added here. Unreadable parts are reported as problems.

mod command_line;
mod foreign;
mod json;
mod link;
mod mcp_add;
mod naming;
mod parts;

pub(crate) use foreign::{left_out, restrict};
pub(crate) use json::without_comments;
pub(crate) use naming::tidy;
pub use parts::http;

use patchbay_contract::{HttpKind, RegistrySource, ServerDraft, ServerParseResponse};

use crate::{registry, secrets, servers::unique_name};

/// The maximum size of a pasted text, in bytes.
const LARGEST: usize = 1024 * 1024;

/// Drafts and problems found in a text.
#[derive(Debug, Default)]
struct Found {
    drafts: Vec<ServerDraft>,
    problems: Vec<String>,
}

/// Parses `text`. Names are made unique among themselves and `taken`.
pub fn parse(text: &str, taken: impl Fn(&str) -> bool) -> ServerParseResponse {
    let text = content(text);
    let mut found = Found::default();
    let registry = registry::source(text);
    if let Some(RegistrySource::Text { .. }) = registry {
        return ServerParseResponse {
            drafts: Vec::new(),
            problems: Vec::new(),
            secrets: Vec::new(),
            registry,
        };
    }
    if text.len() > LARGEST {
        found
            .problems
            .push("The text is larger than 1 MiB; paste only the servers.".to_owned());
    } else if text.is_empty() {
        found.problems.push("There is nothing to read yet.".to_owned());
    } else if link::is_link(text) {
        if let Err(why) = read_link(text, &mut found) {
            found.drafts.clear();
            found.problems = vec![format!("The link is refused: {why}")];
        }
    } else if is_json(text) {
        json::read(text, &mut found);
    } else {
        command_line::read(text, &mut found);
    }
    let mut names: Vec<String> = Vec::new();
    for draft in &mut found.drafts {
        draft.name = unique_name(&naming::tidy(&draft.name), |name| {
            taken(name) || names.iter().any(|n| n == name)
        });
        names.push(draft.name.clone());
    }
    if found.drafts.is_empty() && found.problems.is_empty() {
        found
            .problems
            .push("No server was found in this text.".to_owned());
    }
    let secrets = found
        .drafts
        .iter()
        .flat_map(|draft| secrets::plain(None, draft))
        .collect();
    ServerParseResponse {
        drafts: found.drafts,
        problems: found.problems,
        secrets,
        registry,
    }
}

/// Whether a text is read as JSON: it begins like JSON, after comments and the fence of Markdown.
pub fn is_json(text: &str) -> bool {
    let text = json::after_comments(content(text));
    text.starts_with(['{', '[', '"']) && !command_line::is_quoted_program(text)
}

/// Whether a text is read as an address although it has no scheme.
pub fn is_bare_address(text: &str) -> bool {
    command_line::without_scheme(text).is_some()
}

/// A text without a byte order mark, white space and the fence of Markdown around it.
fn content(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}').trim();
    match text
        .strip_prefix("```")
        .and_then(|fenced| fenced.split_once('\n'))
    {
        Some((_, fenced)) => fenced.strip_suffix("```").unwrap_or(fenced).trim(),
        None => text,
    }
}

/// A foreign name as a server can have it, which is not taken.
pub fn free_name(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    unique_name(&naming::tidy(wanted), taken)
}

/// Reads a link. What it may not say is left out, with a problem; a link that would run code is refused.
fn read_link(text: &str, found: &mut Found) -> Result<(), String> {
    let said = link::read(text)?;
    match said.is_config {
        true => json::read(&said.text, found),
        false => command_line::read(&said.text, found),
    }
    if !said.is_config && found.drafts.len() > 1 {
        return Err("it names more than one server. Several need config.".to_owned());
    }
    for draft in &mut found.drafts {
        link::check(draft)?;
        if link::reduce(draft) {
            found.problems.push(format!(
                "\"{}\": a link sets only how a server is reached; its other settings are left out.",
                draft.name
            ));
        }
    }
    if let (Some(name), [draft]) = (said.name, found.drafts.as_mut_slice()) {
        draft.name = name;
    }
    Ok(())
}

/// An address as a draft, named after its host. For one-shot commands.
pub fn one_url(url: &str) -> ServerDraft {
    http(naming::of_url(url), url.to_owned(), HttpKind::Auto, Vec::new())
}

/// A command line as a draft without a name. For one-shot commands.
pub fn one_command(line: &str) -> Result<ServerDraft, String> {
    let mut found = Found::default();
    command_line::read(line, &mut found);
    match (found.drafts.len(), found.problems.first()) {
        (1, None) => Ok(found.drafts.remove(0)),
        (0 | 1, Some(problem)) => Err(problem.clone()),
        _ => Err("One command line was expected.".to_owned()),
    }
}

#[cfg(test)]
mod tests;
