//! What a file is that the user dropped or named: the configuration of a host, a document of the registry, or JSON with servers.
//! Its content decides; its name only says which host it is of.

use std::cmp::Reverse;

use patchbay_contract::{FileContent, FileText, HostFormat, HostPlace, RegistrySource};
use serde_json::Value;

use super::{
    compare, convert, file,
    rows::{Base, MCP_SERVERS, Os, ROWS, Row, Syntax, row},
};
use crate::{Server, parse, registry};

/// A configuration that several hosts read, under a name that says nothing.
const ANY_HOST: Row = row(
    "Host configuration",
    HostFormat::McpServers,
    (Os::Any, Base::Home),
    "",
    Syntax::Json,
    MCP_SERVERS,
);

/// Says what each file is. Servers are compared with the configured ones, and get names that are free. Never fails. Blocking.
#[must_use]
pub fn identify(files: &[FileText], ours: &[Server]) -> Vec<FileContent> {
    let mut found: Vec<FileContent> = files.iter().map(one).collect();
    let hosts = found.iter_mut().filter_map(|content| match content {
        FileContent::Host { file } => Some(file),
        _ => None,
    });
    compare::all(hosts.flat_map(|file| &mut file.servers), ours);
    found
}

fn unknown(reason: impl Into<String>) -> FileContent {
    FileContent::Unknown {
        reason: reason.into(),
    }
}

fn one(FileText { name, text }: &FileText) -> FileContent {
    if text.len() as u64 > file::LARGEST {
        return unknown(file::TOO_LARGE);
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return unknown("It is empty.");
    }
    if let Some(RegistrySource::Text { .. }) = registry::source(text) {
        return FileContent::Registry {};
    }
    let Some(syntax) = syntax(name, text) else {
        return unknown("It is not a file with MCP servers.");
    };
    let document = match convert::parse(syntax, text) {
        Ok(document) => document,
        Err(problem) => return unknown(problem),
    };
    let rows = || ROWS.iter().filter(move |row| row.syntax == syntax);
    let chosen = chosen(rows().filter(|row| has_list(row, &document)), name)
        .or_else(|| chosen(rows().filter(|row| likeness(row, name) > 0), name));
    if let Some(row) = chosen {
        let place = HostPlace {
            host: row.host.to_owned(),
            path: name.clone(),
        };
        let file = convert::of_document(row, place, &document);
        if !file.servers.is_empty() || (likeness(row, name) > 0 && !file.problems.is_empty()) {
            return FileContent::Host { file };
        }
        if let Some(problem) = file.problems.first() {
            return unknown(format!("It has no MCP servers. {problem}"));
        }
    }
    // What READMEs show: one server, or a list without the member around it.
    match syntax == Syntax::Json && is_list(&document) && !parse(text, |_| false).drafts.is_empty() {
        true => FileContent::Servers {},
        false => unknown("It has no MCP servers."),
    }
}

/// The syntax of a file by its name; without one that says it, JSON is known by its first character.
fn syntax(name: &str, text: &str) -> Option<Syntax> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    match last
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase())
    {
        Some(ending) if ending == "toml" => Some(Syntax::Toml),
        Some(ending) if ending == "yaml" || ending == "yml" => Some(Syntax::Yaml),
        Some(ending) if ending.starts_with("json") => Some(Syntax::Json),
        _ => text.starts_with('{').then_some(Syntax::Json),
    }
}

/// The row whose path is most like the name; if those are of several hosts, the one that names none.
fn chosen(rows: impl Iterator<Item = &'static Row>, name: &str) -> Option<&'static Row> {
    let mut rows: Vec<&Row> = rows.collect();
    // Stable: the first of equals stays the first.
    rows.sort_by_key(|row| Reverse(likeness(row, name)));
    let first = *rows.first()?;
    let best = likeness(first, name);
    let is_clear = rows
        .iter()
        .filter(|row| likeness(row, name) == best)
        .all(|row| row.format == first.format);
    Some(if is_clear { first } else { &ANY_HOST })
}

/// How many names at the end of both paths are the same.
fn likeness(row: &Row, name: &str) -> usize {
    if row.path.is_empty() {
        return 0;
    }
    row.path
        .rsplit('/')
        .zip(name.rsplit(['/', '\\']))
        .take_while(|(ours, theirs)| ours.eq_ignore_ascii_case(theirs))
        .count()
}

fn has_list(row: &Row, document: &Value) -> bool {
    let mut list = Some(document);
    for name in row.list {
        list = list.and_then(|value| value.get(name));
    }
    list.is_some_and(Value::is_object)
}

/// Whether a document may be one server, or a list of servers, and nothing else: any object may have an address in it.
fn is_list(document: &Value) -> bool {
    match document {
        Value::Object(members) => {
            let names = ["command", "url", "serverUrl", "httpUrl"];
            names
                .iter()
                .any(|name| members.get(*name).is_some_and(Value::is_string))
                || members.values().all(Value::is_object)
        }
        Value::Array(items) => items.iter().all(Value::is_object),
        _ => false,
    }
}
