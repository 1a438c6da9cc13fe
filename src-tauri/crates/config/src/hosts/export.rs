//! One server as another host writes it. Secrets are `${NAME}` by then, as the text leaves this machine.

use std::fmt::Write as _;

use indexmap::IndexMap;
use patchbay_contract::{HostFormat, HostSyntax, HttpHeader, HttpKind, ServerDraft, TransportDraft};
use serde_json::{Value, json};

use super::rows::{HostFolders, ROWS, Syntax};

type Table = IndexMap<String, Value>;

/// A server for another host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The part of the host's configuration that holds it.
    pub text: String,
    /// The syntax of the text.
    pub syntax: HostSyntax,
    /// The file it belongs into on this machine.
    pub path: Option<String>,
    /// What the host cannot do with it, in words.
    pub notes: Vec<String>,
}

/// Writes `draft`, whose secrets are placeholders, for a host. `common` is its text in the format that most hosts read.
///
/// # Errors
/// It cannot be written in that syntax.
pub(super) fn export(
    draft: &ServerDraft,
    format: HostFormat,
    common: String,
    folders: Option<&HostFolders>,
) -> Result<Exported, String> {
    let rows = || ROWS.iter().filter(|row| row.format == format);
    // The first file of a host that exists on this system.
    let place = rows().find_map(|row| Some((row, folders?.path(row)?)));
    let row = place.as_ref().map(|(row, _)| *row).or_else(|| rows().next());
    let mut notes = Vec::new();
    if draft.disabled && !has_switch(format) {
        notes.push(
            "The server is disabled here. This host cannot disable a server in this file: it would start it."
                .to_owned(),
        );
    }
    let text = match format {
        HostFormat::McpServers | HostFormat::ClaudeCode | HostFormat::Cursor | HostFormat::LmStudio => common,
        HostFormat::ClaudeDesktop => {
            if matches!(draft.transport, TransportDraft::Http { .. }) {
                notes.push(
                    "Claude Desktop starts programs only from this file. Add the URL under Settings > Connectors."
                        .to_owned(),
                );
            }
            common
        }
        HostFormat::Windsurf | HostFormat::Cline | HostFormat::GeminiCli => written(&list(
            "mcpServers",
            draft,
            switch_off(of_common(draft, format), draft, format),
        ))?,
        HostFormat::Zed => written(&list(
            "context_servers",
            draft,
            switch_off(of_common(draft, format), draft, format),
        ))?,
        HostFormat::VsCode => written(&vs_code(draft))?,
        HostFormat::Codex => codex(draft, &mut notes)?,
        HostFormat::Goose => goose(draft)?,
    };
    Ok(Exported {
        text,
        syntax: match row.map(|row| row.syntax) {
            Some(Syntax::Toml) => HostSyntax::Toml,
            Some(Syntax::Yaml) => HostSyntax::Yaml,
            Some(Syntax::Json) | None => HostSyntax::Json,
        },
        path: place.map(|(_, path)| path.display().to_string()),
        notes,
    })
}

/// Whether the configuration of a host can say that a server is disabled.
fn has_switch(format: HostFormat) -> bool {
    use HostFormat::{Cline, Codex, Goose, McpServers, Windsurf, Zed};
    matches!(format, McpServers | Windsurf | Cline | Zed | Codex | Goose)
}

/// Says that a server is disabled in the words of the host.
fn switch_off(mut table: Table, draft: &ServerDraft, format: HostFormat) -> Table {
    match format {
        HostFormat::Zed | HostFormat::Codex if draft.disabled => {
            table.insert("enabled".to_owned(), json!(false));
        }
        HostFormat::Windsurf | HostFormat::Cline if draft.disabled => {
            table.insert("disabled".to_owned(), json!(true));
        }
        _ => {}
    }
    table
}

fn list(name: &str, draft: &ServerDraft, server: Table) -> IndexMap<String, IndexMap<String, Table>> {
    let servers = IndexMap::from([(draft.name.clone(), server)]);
    IndexMap::from([(name.to_owned(), servers)])
}

fn written(value: &impl serde::Serialize) -> Result<String, String> {
    let text = serde_json::to_string(value).map_err(|error| error.to_string())?;
    let mut indented = String::new();
    patchbay_protocol::json::pretty(&text, &mut indented);
    Ok(indented)
}

/// A program's members; none for an HTTP server.
fn program(transport: &TransportDraft) -> Option<Table> {
    let TransportDraft::Stdio {
        command,
        args,
        env,
        cwd,
    } = transport
    else {
        return None;
    };
    let mut table = Table::from([
        ("command".to_owned(), json!(command)),
        ("args".to_owned(), json!(args)),
    ]);
    if !env.is_empty() {
        let env: IndexMap<_, _> = env.iter().map(|var| (&var.name, &var.value)).collect();
        table.insert("env".to_owned(), json!(env));
    }
    if let Some(cwd) = cwd {
        table.insert("cwd".to_owned(), json!(cwd));
    }
    Some(table)
}

/// The address, the transport and the headers of an HTTP server.
fn http(transport: &TransportDraft) -> Option<(&str, HttpKind, &[HttpHeader])> {
    match transport {
        TransportDraft::Http {
            url, kind, headers, ..
        } => Some((url, *kind, headers)),
        TransportDraft::Stdio { .. } => None,
    }
}

/// The hosts that differ from each other only in their names for an HTTP server.
fn of_common(draft: &ServerDraft, format: HostFormat) -> Table {
    let Some((url, kind, headers)) = http(&draft.transport) else {
        return program(&draft.transport).unwrap_or_default();
    };
    let sse = kind == HttpKind::Sse;
    let address = match format {
        HostFormat::Windsurf => "serverUrl",
        HostFormat::GeminiCli if !sse => "httpUrl",
        _ => "url",
    };
    let mut table = Table::new();
    if format == HostFormat::Cline {
        table.insert(
            "type".to_owned(),
            json!(if sse { "sse" } else { "streamableHttp" }),
        );
    }
    table.insert(address.to_owned(), json!(url));
    insert_headers(&mut table, "headers", headers.iter());
    table
}

fn insert_headers<'a>(table: &mut Table, name: &str, headers: impl Iterator<Item = &'a HttpHeader>) {
    let headers: IndexMap<_, _> = headers.map(|header| (&header.name, &header.value)).collect();
    if !headers.is_empty() {
        table.insert(name.to_owned(), json!(headers));
    }
}

/// VS Code asks for each secret when the server starts and keeps it.
fn vs_code(draft: &ServerDraft) -> IndexMap<String, Value> {
    let table = match http(&draft.transport) {
        None => {
            let mut table = program(&draft.transport).unwrap_or_default();
            table.shift_insert(0, "type".to_owned(), json!("stdio"));
            table
        }
        Some((url, kind, headers)) => {
            let kind = if kind == HttpKind::Sse { "sse" } else { "http" };
            let mut table = Table::from([("type".to_owned(), json!(kind)), ("url".to_owned(), json!(url))]);
            insert_headers(&mut table, "headers", headers.iter());
            table
        }
    };
    let mut asked: Vec<String> = Vec::new();
    let mut server = json!(table);
    for_each_text(&mut server, &mut |text| {
        let mut rest = std::mem::take(text);
        while let Some((before, name, after)) = placeholder(&rest) {
            let _ = write!(text, "{before}${{input:{name}}}");
            if !asked.iter().any(|known| known == name) {
                asked.push(name.to_owned());
            }
            rest = after.to_owned();
        }
        text.push_str(&rest);
    });
    let servers = IndexMap::from([(&draft.name, server)]);
    let mut all = IndexMap::from([("servers".to_owned(), json!(servers))]);
    if !asked.is_empty() {
        let inputs = asked.iter().map(|name| {
            json!({"type": "promptString", "id": name, "description": format!("{name} of {}", draft.name), "password": true})
        });
        all.insert("inputs".to_owned(), inputs.collect());
    }
    all
}

fn for_each_text(value: &mut Value, change: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| for_each_text(item, change)),
        Value::Object(members) => members.values_mut().for_each(|item| for_each_text(item, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The first `${NAME}` of a text: what is before it, the name, what is after it.
fn placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("${")?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

/// The name of a value that is nothing but a placeholder.
fn only_placeholder(value: &str) -> Option<&str> {
    let (before, name, after) = placeholder(value)?;
    (before.is_empty() && after.is_empty()).then_some(name)
}

/// Codex takes secrets from the environment it runs in.
fn codex(draft: &ServerDraft, notes: &mut Vec<String>) -> Result<String, String> {
    let mut table = match http(&draft.transport) {
        None => program(&draft.transport).unwrap_or_default(),
        Some((url, kind, headers)) => {
            if kind == HttpKind::Sse {
                notes.push("Codex speaks Streamable HTTP only, not HTTP+SSE.".to_owned());
            }
            let mut table = Table::from([("url".to_owned(), json!(url))]);
            let bearer = |header: &HttpHeader| {
                let is_authorization = header.name.eq_ignore_ascii_case("authorization");
                let token = header.value.strip_prefix("Bearer ").filter(|_| is_authorization);
                token.and_then(only_placeholder).map(str::to_owned)
            };
            if let Some(variable) = headers.iter().find_map(bearer) {
                table.insert("bearer_token_env_var".to_owned(), json!(variable));
            }
            let others = || headers.iter().filter(|header| bearer(header).is_none());
            insert_headers(
                &mut table,
                "http_headers",
                others().filter(|header| only_placeholder(&header.value).is_none()),
            );
            let named: IndexMap<_, _> = others()
                .filter_map(|header| Some((&header.name, only_placeholder(&header.value)?)))
                .collect();
            if !named.is_empty() {
                table.insert("env_http_headers".to_owned(), json!(named));
            }
            table
        }
    };
    let held = take_held(&mut table, "env");
    if !held.is_empty() {
        table.insert("env_vars".to_owned(), json!(held));
    }
    let name: String = draft
        .name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect();
    if name != draft.name {
        notes.push("Codex takes names of letters, digits, - and _ only; the name was changed.".to_owned());
    }
    let table = switch_off(table, draft, HostFormat::Codex);
    let servers = IndexMap::from([(name, table)]);
    toml::to_string(&IndexMap::from([("mcp_servers", servers)])).map_err(|error| error.to_string())
}

/// Removes the variables whose value is only a placeholder, and returns their names: the host gets each under its own name from
/// elsewhere, whatever the placeholder is called.
fn take_held(table: &mut Table, env: &str) -> Vec<String> {
    let Some(Value::Object(variables)) = table.get_mut(env) else {
        return Vec::new();
    };
    let is_held = |value: &Value| value.as_str().and_then(only_placeholder).is_some();
    let held: Vec<String> = variables
        .iter()
        .filter(|(_, value)| is_held(value))
        .map(|(name, _)| name.clone())
        .collect();
    variables.retain(|_, value| !is_held(value));
    if variables.is_empty() {
        table.shift_remove(env);
    }
    held
}

/// Goose keeps the secrets it knows the names of in its keychain.
fn goose(draft: &ServerDraft) -> Result<String, String> {
    let mut table = Table::from([
        ("name".to_owned(), json!(draft.name)),
        ("enabled".to_owned(), json!(!draft.disabled)),
    ]);
    match http(&draft.transport) {
        None => {
            let mut program = program(&draft.transport).unwrap_or_default();
            let held = take_held(&mut program, "env");
            table.insert("type".to_owned(), json!("stdio"));
            for (ours, theirs) in [
                ("command", "cmd"),
                ("args", "args"),
                ("env", "envs"),
                ("cwd", "cwd"),
            ] {
                if let Some(value) = program.shift_remove(ours) {
                    table.insert(theirs.to_owned(), value);
                }
            }
            if !held.is_empty() {
                table.insert("env_keys".to_owned(), json!(held));
            }
        }
        Some((url, kind, headers)) => {
            let kind = if kind == HttpKind::Sse {
                "sse"
            } else {
                "streamable_http"
            };
            table.insert("type".to_owned(), json!(kind));
            table.insert("uri".to_owned(), json!(url));
            insert_headers(&mut table, "headers", headers.iter());
        }
    }
    // Seconds; Goose has no default for a file.
    table.insert("timeout".to_owned(), json!(300));
    let extensions = IndexMap::from([(&draft.name, table)]);
    serde_saphyr::to_string(&IndexMap::from([("extensions", extensions)])).map_err(|error| error.to_string())
}
