//! JSON as hosts and READMEs write it: `mcpServers`, VS Code's `servers`, Zed's `context_servers`, a map of servers, one
//! server, a list of named servers, or a single member of one of these. Comments and trailing commas are allowed.

use std::borrow::Cow;

use patchbay_contract::TransportDraft;
use serde_json::value::RawValue;

use super::{Found, foreign, naming};
use crate::entry::{self, Members};

const LISTS: &[&str] = &["mcpServers", "servers", "context_servers", "mcp_servers"];

pub(super) fn read(text: &str, found: &mut Found) {
    let mut text = without_comments(text);
    // `"name": {…}`, as READMEs show it.
    if text.trim_start().starts_with('"') {
        text = Cow::Owned(format!("{{{}}}", text.trim_end().trim_end_matches(',')));
    }
    if text.trim_start().starts_with('[') {
        match serde_json::from_str::<Vec<Box<RawValue>>>(&text) {
            Ok(list) => list.iter().for_each(|raw| item(raw, found)),
            Err(_) if is_toml(&text) => found.problems.push(
                "This is TOML, as in Codex's config.toml. Paste the server's command line, its address or JSON instead."
                    .to_owned(),
            ),
            Err(error) => found.problems.push(format!("This is not valid JSON: {error}.")),
        }
        return;
    }
    match serde_json::from_str::<Members>(&text) {
        Ok(members) => object(&members, found),
        Err(error) => found.problems.push(format!("This is not valid JSON: {error}.")),
    }
}

/// `[mcp_servers.name]` on a separate line.
fn is_toml(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default().trim_end();
    let table = first.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    table.is_some_and(|name| {
        let is_part = |c: char| c.is_alphanumeric() || "-_. \"[]".contains(c);
        name.starts_with(|c: char| c.is_alphabetic() || c == '[') && name.chars().all(is_part)
    })
}

/// Reads one server's JSON, with its name given separately.
pub(super) fn read_named(name: &str, text: &str, found: &mut Found) {
    match serde_json::from_str::<Members>(&without_comments(text)) {
        Ok(members) => server(name, &members, found),
        Err(error) => found
            .problems
            .push(format!("\"{name}\": its JSON is not valid: {error}.")),
    }
}

fn item(raw: &RawValue, found: &mut Found) {
    match serde_json::from_str::<Members>(raw.get()) {
        Ok(members) => object(&members, found),
        Err(_) => found.problems.push(format!("Not a server: {}", short(raw.get()))),
    }
}

fn object(members: &Members, found: &mut Found) {
    if is_server(members) {
        let name = members
            .get("name")
            .and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
        let before = found.drafts.len();
        server(name.as_deref().unwrap_or_default(), members, found);
        if name.is_none() {
            found.drafts.iter_mut().skip(before).for_each(|draft| {
                draft.name = match &draft.transport {
                    TransportDraft::Stdio { command, args, .. } => naming::of_command(command, args),
                    TransportDraft::Http { url, .. } => naming::of_url(url),
                };
            });
        }
        return;
    }
    // VS Code's settings nest the list under `mcp`.
    let nested = members
        .get("mcp")
        .and_then(|raw| serde_json::from_str::<Members>(raw.get()).ok());
    for members in [Some(members), nested.as_ref()].into_iter().flatten() {
        let lists: Vec<_> = LISTS
            .iter()
            .filter_map(|name| Some((name, members.get(*name)?)))
            .collect();
        for (name, raw) in &lists {
            match serde_json::from_str::<Members>(raw.get()) {
                Ok(list) => servers(&list, found),
                Err(_) => found
                    .problems
                    .push(format!("`{name}` is not an object of servers.")),
            }
        }
        if !lists.is_empty() {
            return;
        }
    }
    // A bare map of servers. Other members are reported.
    servers(members, found);
}

fn servers(list: &Members, found: &mut Found) {
    for (name, raw) in list {
        match serde_json::from_str::<Members>(raw.get()) {
            Ok(members) => server(name, &members, found),
            Err(_) => found
                .problems
                .push(format!("\"{name}\": not a server but {}.", short(raw.get()))),
        }
    }
}

fn server(name: &str, members: &Members, found: &mut Found) {
    let shown = if name.is_empty() { "The server" } else { name };
    match entry::read(name, members) {
        Ok(mut read) => {
            read.notes.extend(foreign::left_out(members));
            read.notes.extend(foreign::restrict(&mut read.draft));
            read.draft.disabled |= entry::is_not_enabled(members);
            found
                .problems
                .extend(read.notes.into_iter().map(|note| format!("\"{shown}\": {note}.")));
            found.drafts.push(read.draft);
        }
        Err(why) => found.problems.push(format!("\"{shown}\": {why}.")),
    }
}

fn is_server(members: &Members) -> bool {
    ["command", "url", "serverUrl", "httpUrl"]
        .iter()
        .any(|name| members.get(*name).is_some_and(|raw| raw.get().starts_with('"')))
        || members.get("command").is_some_and(|raw| {
            let nested = serde_json::from_str::<Members>(raw.get());
            nested.is_ok_and(|nested| nested.get("path").is_some_and(|raw| raw.get().starts_with('"')))
        })
}

fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// What follows white space and comments; nothing if a comment is not closed.
pub(super) fn after_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        let rest = if let Some(comment) = text.strip_prefix("//") {
            comment.split_once('\n')
        } else if let Some(comment) = text.strip_prefix("/*") {
            comment.split_once("*/")
        } else {
            return text;
        };
        text = rest.map_or("", |(_, rest)| rest);
    }
}

/// Replaces `//` and `/* */` comments and trailing commas with spaces, so lines and columns are unchanged.
pub(crate) fn without_comments(text: &str) -> Cow<'_, str> {
    let mut out = text.as_bytes().to_vec();
    let mut at = 0;
    let mut comma = None;
    while let Some(&byte) = out.get(at) {
        match (byte, out.get(at + 1)) {
            (b'"', _) => {
                comma = None;
                at += 1;
                while let Some(&byte) = out.get(at).filter(|byte| **byte != b'"') {
                    at += if byte == b'\\' { 2 } else { 1 };
                }
            }
            (b'/', Some(b'/')) => {
                while let Some(byte) = out.get_mut(at).filter(|byte| **byte != b'\n') {
                    *byte = b' ';
                    at += 1;
                }
                continue;
            }
            (b'/', Some(b'*')) => {
                let end = text[at + 2..]
                    .find("*/")
                    .map_or(out.len(), |end| at + 2 + end + 2);
                out[at..end]
                    .iter_mut()
                    .filter(|byte| **byte != b'\n')
                    .for_each(|byte| *byte = b' ');
                at = end;
                continue;
            }
            (b',', _) => comma = Some(at),
            (b'}' | b']', _) => {
                if let Some(comma) = comma.take() {
                    out[comma] = b' ';
                }
            }
            (byte, _) if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        at += 1;
    }
    // Only whole ASCII bytes and whole comments were replaced.
    String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned)
}
