//! Validates a server's settings before anything is started.

mod advertised;
mod authorization;
mod file_watch;

use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
};

use patchbay_contract::{
    CommandError, DebuggerDraft, EnvVar, ErrorCode, HttpHeader, ProxyDraft, ServerDraft, TransportDraft,
};
use patchbay_protocol::limits::Limits;
use url::Url;

use crate::{debugged, entry, files, group_names::groups_of, secrets::is_secret_name};

/// Headers that only the HTTP client may set, because wrong values break the framing.
const FRAMING: &[&str] = &[
    "connection",
    "content-length",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The draft as stored, or what is wrong with it.
pub fn checked(mut draft: ServerDraft) -> Result<ServerDraft, CommandError> {
    settings(&mut draft).map_err(|why| CommandError::new(ErrorCode::InvalidParams, why))?;
    Ok(draft)
}

fn settings(draft: &mut ServerDraft) -> Result<(), String> {
    draft.name = draft.name.trim().to_owned();
    if draft.name.is_empty() {
        return Err("The server needs a name.".to_owned());
    }
    if draft.name.chars().count() > 100 || draft.name.contains(char::is_control) {
        return Err("A server's name has at most 100 characters and no line breaks.".to_owned());
    }
    if draft.timeouts.request_ms == 0 || draft.timeouts.max_total_ms == 0 {
        return Err("A timeout of 0 would end every request at once.".to_owned());
    }
    draft.file_watch = match &draft.transport {
        TransportDraft::Stdio { .. } => file_watch::checked(draft.file_watch.take())?,
        TransportDraft::Http { .. } => None,
    };
    draft.groups = groups_of(std::mem::take(&mut draft.groups))?;
    draft.advertised = advertised::checked(draft.advertised.take())?;
    limits(&mut draft.limits)?;
    draft.authorization = match &draft.transport {
        TransportDraft::Stdio { .. } => None,
        TransportDraft::Http { .. } => authorization::checked(draft.authorization.take())?,
    };
    match &mut draft.transport {
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            program(command, args, env, cwd)?;
            debugger(command, args, draft.debugger.as_ref())
        }
        TransportDraft::Http {
            url,
            headers,
            proxy,
            ca_file,
            client_certificate,
            accepted_fingerprint,
            kind: _,
        } => {
            *url = address(url)?;
            self::headers(headers)?;
            self::proxy(proxy)?;
            file("CA file", ca_file)?;
            file("client certificate", client_certificate)?;
            fingerprint(accepted_fingerprint)?;
            draft.debugger = None;
            Ok(())
        }
    }
}

/// Only a program that can be started under its debugger is stored with one.
fn debugger(command: &str, args: &[String], debugger: Option<&DebuggerDraft>) -> Result<(), String> {
    let Some(debugger) = debugger else {
        return Ok(());
    };
    if debugger.port < 1024 {
        return Err("The port of a debugger is between 1024 and 65535.".to_owned());
    }
    debugged(command, args, debugger).map(drop)
}

/// Only changes are stored.
fn limits(changed: &mut BTreeMap<String, u32>) -> Result<(), String> {
    let all = changed.iter().map(|(name, value)| (name.as_str(), *value));
    Limits::with(all).map_err(|error| error.to_string())?;
    let default = |name: &str| Limits::ALL.iter().find(|limit| limit.name == name);
    changed.retain(|name, value| default(name).is_none_or(|limit| limit.default != *value));
    Ok(())
}

fn program(
    command: &mut String,
    args: &mut Vec<String>,
    env: &[EnvVar],
    cwd: &mut Option<String>,
) -> Result<(), String> {
    *command = command.trim().to_owned();
    if command.is_empty() {
        return Err("The server needs a command: a program's name or path.".to_owned());
    }
    (*command, *args) = entry::split_command(std::mem::take(command), std::mem::take(args));
    for (index, var) in env.iter().enumerate() {
        if var.name.is_empty() || var.name.contains('=') {
            return Err(format!(
                "`{}` cannot be the name of an environment variable.",
                var.name
            ));
        }
        if env[..index].iter().any(|other| other.name == var.name) {
            return Err(format!("The environment variable `{}` is set twice.", var.name));
        }
    }
    *cwd = path(cwd.take());
    let words = [command.as_str()]
        .into_iter()
        .chain(args.iter().map(String::as_str))
        .chain(cwd.as_deref());
    if words
        .chain(env.iter().flat_map(|var| [&*var.name, &*var.value]))
        .any(|word| word.contains('\0'))
    {
        return Err("A command, argument, variable or folder cannot hold a NUL character.".to_owned());
    }
    Ok(())
}

/// The address as stored: as written, without the fragment, which is never sent.
fn address(text: &str) -> Result<String, String> {
    let text = text.trim();
    let text = text.split('#').next().unwrap_or_default();
    if text.is_empty() {
        return Err("The server needs an address, like https://example.com/mcp.".to_owned());
    }
    let url = Url::parse(text).map_err(|why| format!("`{text}` is not an address: {why}."))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!(
            "An MCP server's address begins with http:// or https://, not {}:.",
            url.scheme()
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "User and password do not belong into the address: add the header `Authorization: Basic …`."
                .to_owned(),
        );
    }
    Ok(text.to_owned())
}

fn headers(headers: &mut Vec<HttpHeader>) -> Result<(), String> {
    headers.retain(|header| !(header.name.trim().is_empty() && header.value.is_empty()));
    let mut seen = HashSet::new();
    for header in headers {
        header.name = header.name.trim().to_owned();
        header.value = header.value.trim().to_owned();
        header.is_secret |= is_secret_name(&header.name);
        let name = header.name.to_ascii_lowercase();
        let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if name.is_empty() || !name.chars().all(is_token) {
            return Err(format!("`{}` cannot be the name of a header.", header.name));
        }
        if FRAMING.contains(&name.as_str()) {
            return Err(format!(
                "The header `{}` is set by the HTTP client itself and cannot be chosen.",
                header.name
            ));
        }
        if header.value.chars().any(|c| c.is_control() && c != '\t') {
            return Err(format!(
                "The value of the header `{}` cannot hold line breaks or other control characters.",
                header.name
            ));
        }
        if !seen.insert(name) {
            return Err(format!("The header `{}` is set twice.", header.name));
        }
    }
    Ok(())
}

fn proxy(proxy: &mut ProxyDraft) -> Result<(), String> {
    let ProxyDraft::Url { url } = proxy else {
        return Ok(());
    };
    *url = url.trim().to_owned();
    let parsed = Url::parse(url).map_err(|why| format!("`{url}` is not a proxy's address: {why}."))?;
    match parsed.scheme() {
        "http" | "https" | "socks5" | "socks5h" => Ok(()),
        other => Err(format!(
            "A proxy's address begins with http://, https:// or socks5://, not {other}:."
        )),
    }
}

/// Requires an existing file.
fn file(what: &str, name: &mut Option<String>) -> Result<(), String> {
    *name = path(name.take());
    match name {
        Some(name) if !Path::new(name).is_file() => {
            Err(format!("The {what} `{name}` is not there, or is not a file."))
        }
        _ => Ok(()),
    }
}

/// A path as stored; an empty one is dropped.
fn path(path: Option<String>) -> Option<String> {
    path.map(|path| path.trim().to_owned())
        .filter(|path| !path.is_empty())
        .map(|path| files::expand_home(&path))
}

/// A SHA-256 fingerprint in lowercase hex, without separators.
fn fingerprint(fingerprint: &mut Option<String>) -> Result<(), String> {
    let Some(text) = fingerprint.take() else {
        return Ok(());
    };
    let digits: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != ':')
        .collect::<String>()
        .to_ascii_lowercase();
    let digits = digits.strip_prefix("sha256").unwrap_or(&digits).to_owned();
    if digits.is_empty() {
        return Ok(());
    }
    if digits.len() != 64 || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
        return Err("A certificate's fingerprint is SHA-256: 64 hexadecimal digits.".to_owned());
    }
    *fingerprint = Some(digits);
    Ok(())
}
