//! The servers in a host's file as drafts: each syntax becomes JSON, and each dialect the members of `mcpServers`.

use patchbay_contract::{HostComparison, HostFile, HostFormat, HostPlace, HostServer};
use serde_json::{Map, Value, value::to_raw_value};

use super::{
    inputs,
    rows::{MCP_SERVERS, Row, Syntax},
};
use crate::{
    entry::{self, Members},
    parse::{left_out, restrict, tidy, without_comments},
    secrets,
};

/// The most servers that are taken from one file.
const MOST: usize = 500;

/// Reads a file's text. Never fails.
pub(super) fn read(row: &Row, place: HostPlace, text: &str) -> HostFile {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return nothing(place);
    }
    match parse(row.syntax, text) {
        Ok(document) => of_document(row, place, &document),
        Err(problem) => HostFile {
            problems: vec![problem],
            ..nothing(place)
        },
    }
}

fn nothing(place: HostPlace) -> HostFile {
    HostFile {
        place,
        servers: Vec::new(),
        problems: Vec::new(),
    }
}

/// The servers in a document.
pub(super) fn of_document(row: &Row, place: HostPlace, document: &Value) -> HostFile {
    let mut file = nothing(place);
    let mut list = Some(document);
    for name in row.list {
        list = list.and_then(|value| value.get(name));
    }
    add(&mut file, row, list, None);
    // Claude Code limits servers to a project beside those of the user.
    let projects = document.get("projects").and_then(Value::as_object);
    for (folder, project) in projects.into_iter().flatten().filter(|_| row.list == MCP_SERVERS) {
        add(&mut file, row, project.get("mcpServers"), Some(folder));
    }
    let asked = document
        .get("inputs")
        .or_else(|| document.get("mcp")?.get("inputs"));
    inputs::assign(&mut file.servers, asked);
    file
}

/// The document, whatever its syntax. The error is a sentence with the line.
pub(super) fn parse(syntax: Syntax, text: &str) -> Result<Value, String> {
    match syntax {
        Syntax::Json => serde_json::from_str(&without_comments(text))
            .map_err(|error| format!("It is not valid JSON: {error}.")),
        Syntax::Toml => toml::from_str(text)
            .map_err(|error| format!("It is not valid TOML: {}.", one_line(&error.to_string()))),
        // `y` and `no` are texts: Goose reads YAML 1.2.
        Syntax::Yaml => {
            serde_saphyr::from_str_with_options(text, serde_saphyr::options! { strict_booleans: true })
                .map_err(|error| format!("It is not valid YAML: {}.", one_line(&error.to_string())))
        }
    }
}

/// The first lines of an error without the picture of the place.
fn one_line(error: &str) -> String {
    let words: Vec<&str> = error
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.contains('|') && !line.starts_with("-->"))
        .take(2)
        .collect();
    words.join(": ").trim_end_matches('.').to_owned()
}

fn add(file: &mut HostFile, row: &Row, list: Option<&Value>, project: Option<&str>) {
    let Some(list) = list.filter(|list| !list.is_null()) else {
        return;
    };
    let Some(list) = list.as_object() else {
        file.problems.push(format!(
            "`{}` is not a list of servers by name.",
            row.list.join(".")
        ));
        return;
    };
    for (name, value) in list {
        if file.servers.len() == MOST {
            file.problems
                .push(format!("Only its first {MOST} servers are shown."));
            return;
        }
        let Some(members) = value.as_object() else {
            file.problems.push(format!("\"{name}\" is not a server."));
            continue;
        };
        if is_built_in(row, members) {
            continue;
        }
        match server(row, name, members) {
            Ok(mut server) => {
                server.project = project.map(str::to_owned);
                file.servers.push(server);
            }
            Err(why) => file.problems.push(format!("\"{name}\": {why}.")),
        }
    }
}

/// A part of the host itself: extensions of Goose and of Zed that are not programs of their own.
fn is_built_in(row: &Row, members: &Map<String, Value>) -> bool {
    let kind = members.get("type").and_then(Value::as_str).unwrap_or_default();
    let of_goose = matches!(kind, "builtin" | "platform" | "frontend" | "inline_python");
    let of_zed = members.get("source").and_then(Value::as_str) == Some("extension")
        || row.format == HostFormat::Zed
            && members.contains_key("settings")
            && !members.contains_key("command")
            && !members.contains_key("url");
    of_goose || of_zed
}

fn server(row: &Row, name: &str, members: &Map<String, Value>) -> Result<HostServer, String> {
    let mut members = members.clone();
    if row.format == HostFormat::GeminiCli {
        members.values_mut().for_each(brace_variables);
    }
    let members = standard(members).map_err(|error| error.to_string())?;
    let read = entry::read(name, &members)?;
    let (mut draft, mut problems) = (read.draft, read.notes);
    problems.extend(left_out(&members));
    problems.extend(restrict(&mut draft));
    // No host has these: only our own settings may say them.
    draft.roots = None;
    draft.authorization = None;
    draft.limits.clear();
    draft.disabled |= entry::is_not_enabled(&members);
    draft.name = tidy(name);
    Ok(HostServer {
        name: name.to_owned(),
        project: None,
        disabled: draft.disabled,
        problems,
        secrets: secrets::plain(None, &draft),
        inputs: Vec::new(),
        comparison: HostComparison::New {},
        draft,
    })
}

/// Codex's and Goose's names, as `mcpServers` has them.
fn standard(mut out: Map<String, Value>) -> serde_json::Result<Members> {
    for (theirs, ours) in [("cmd", "command"), ("envs", "env"), ("http_headers", "headers")] {
        if let Some(value) = out.remove(theirs) {
            out.entry(ours).or_insert(value);
        }
    }
    // The host takes these from its own environment or keychain: placeholders, which the user fills in.
    let reference = |name: &str| Value::from(format!("${{{name}}}"));
    let names = |value: Option<Value>| {
        let list = value.as_ref().and_then(Value::as_array).cloned();
        list.unwrap_or_default()
            .into_iter()
            // Codex has `{name, source}` too.
            .filter_map(|name| name.get("name").unwrap_or(&name).as_str().map(str::to_owned))
    };
    let held: Vec<String> = names(out.remove("env_keys"))
        .chain(names(out.remove("env_vars")))
        .collect();
    for name in held {
        into(&mut out, "env", &name, reference(&name));
    }
    if let Some(Value::Object(headers)) = out.remove("env_http_headers") {
        for (header, variable) in headers {
            into(
                &mut out,
                "headers",
                &header,
                reference(variable.as_str().unwrap_or_default()),
            );
        }
    }
    if let Some(variable) = out.remove("bearer_token_env_var") {
        let value = format!("Bearer ${{{}}}", variable.as_str().unwrap_or_default());
        into(&mut out, "headers", "Authorization", Value::from(value));
    }
    if let Some(token) = out.remove("bearer_token") {
        let value = format!("Bearer {}", token.as_str().unwrap_or_default());
        into(&mut out, "headers", "Authorization", Value::from(value));
    }
    // Their timeouts have other units and meanings.
    out.remove("timeouts");
    let members = out
        .iter()
        .map(|(name, value)| Ok((name.clone(), to_raw_value(value)?)));
    members.collect()
}

/// Writes `$NAME`, which Gemini CLI takes for a variable, as `${NAME}` in all texts of a value.
fn brace_variables(value: &mut Value) {
    match value {
        Value::String(text) => *text = braced(text),
        Value::Array(items) => items.iter_mut().for_each(brace_variables),
        Value::Object(members) => members.values_mut().for_each(brace_variables),
        _ => {}
    }
}

/// A `$NAME` that begins a word, and ends with it, in braces: a `$` within a password is not the begin of a name.
fn braced(text: &str) -> String {
    let mut done = String::new();
    let mut rest = text;
    let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
    while let Some(at) = rest.find('$') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        let begins = before
            .chars()
            .next_back()
            .or(done.chars().next_back())
            .is_none_or(|c| !c.is_alphanumeric());
        let end = after.find(|c| !is_part(c)).unwrap_or(after.len());
        let (name, next) = after.split_at(end);
        let is_name = name.starts_with(|c: char| !c.is_ascii_digit()) && !next.starts_with('$');
        done.push_str(before);
        match begins && is_name {
            true => done.push_str(&format!("${{{name}}}")),
            false => done.push_str(&rest[at..=at + end]),
        }
        rest = next;
    }
    done + rest
}

/// Adds a member to an object within an object, unless it is there.
fn into(of: &mut Map<String, Value>, object: &str, name: &str, value: Value) {
    let inner = of.entry(object).or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(inner) = inner {
        inner.entry(name).or_insert(value);
    }
}
