//! Command lines: `KEY=value npx -y server dir`, an address alone on its line, and the `… mcp add` lines that READMEs give
//! for other hosts.

use patchbay_contract::{EnvVar, HttpHeader, HttpKind};

use super::{Found, http, json, naming, stdio};
use crate::secrets::is_secret_name;

/// Operators that need a shell. Command lines are run without one.
const SHELL_SIGNS: &[&str] = &["|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1", "&>"];

/// Whether the text is `"C:\Program Files\x" args` or `"/my programs/x" args`, and not JSON.
pub(super) fn is_quoted_program(text: &str) -> bool {
    text.strip_prefix('"')
        .and_then(|rest| rest.split_once('"'))
        .is_some_and(|(_, after)| {
            !after.trim_start().starts_with(':')
                && (after.is_empty() || after.starts_with(char::is_whitespace))
        })
}

/// Reads one command line per line; a trailing backslash continues the line.
pub(super) fn read(text: &str, found: &mut Found) {
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    for line in joined.lines().map(str::trim) {
        let line = line
            .strip_prefix("$ ")
            .or_else(|| line.strip_prefix("> "))
            .unwrap_or(line)
            .trim();
        if !line.is_empty() && !line.starts_with('#') {
            read_line(line, found);
        }
    }
}

fn read_line(line: &str, found: &mut Found) {
    if read_address(line, found) {
        return;
    }
    let Some(words) = shlex::split(line) else {
        found.problems.push(format!("A quote is not closed in: {line}"));
        return;
    };
    if let Some((url, headers)) = curl(&words) {
        found
            .drafts
            .push(http(naming::of_url(&url), url, HttpKind::Auto, headers));
        return;
    }
    let (mut env, words) = assignments(words);
    let mut signs = signs(line);
    if let Some(added) = mcp_add(&words) {
        match added {
            Added::Command {
                name,
                env: more,
                words,
            } => {
                env.extend(more);
                command(line, &signs, Some(name), env, None, words, found);
            }
            Added::Json { name, text } => json::read_named(&name, &text, found),
            Added::Url {
                name,
                url,
                kind,
                headers,
            } => found.drafts.push(http(name, url, kind, headers)),
        }
        return;
    }
    // `cd folder && command` means a folder and a command.
    let (cwd, words) = match words.as_slice() {
        [cd, folder, and, rest @ ..] if cd == "cd" && and == "&&" && !rest.is_empty() => {
            let (more, rest) = assignments(rest.to_vec());
            env.extend(more);
            if let Some(at) = signs.iter().position(|sign| sign == and) {
                signs.remove(at);
            }
            (Some(folder.clone()), rest)
        }
        _ => (None, words),
    };
    command(line, &signs, None, env, cwd, words, found);
}

/// Reads a line that is an address, with or without a scheme; returns false for anything else.
fn read_address(line: &str, found: &mut Found) -> bool {
    let url = match without_scheme(line) {
        Some(url) => url,
        None if is_url(line) => line.to_owned(),
        None => return false,
    };
    match url.split_whitespace().nth(1) {
        None => found
            .drafts
            .push(http(naming::of_url(&url), url, HttpKind::Auto, Vec::new())),
        Some(more) => found
            .problems
            .push(format!("An address must be alone on its line; remove `{more}`.")),
    }
    true
}

/// The shell operators in a line. Quoted or escaped operators are ordinary words.
fn signs(line: &str) -> Vec<&str> {
    let mut signs = Vec::new();
    let (mut start, mut quote, mut escaped) = (0, None, false);
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (quote, c) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, _) if c.is_whitespace() => {
                signs.extend(line.get(start..at).filter(|word| SHELL_SIGNS.contains(word)));
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    signs
}

fn command(
    line: &str,
    signs: &[&str],
    name: Option<String>,
    env: Vec<EnvVar>,
    cwd: Option<String>,
    words: Vec<String>,
    found: &mut Found,
) {
    if let Some(sign) = signs.first() {
        found.problems.push(format!(
            "`{sign}` needs a shell, and none is used. Write it as: sh -c '…' (the line was: {line})"
        ));
        return;
    }
    let mut words = words.into_iter();
    let Some(program) = words.next() else {
        found.problems.push(format!("There is no program in: {line}"));
        return;
    };
    let args: Vec<String> = words.collect();
    let name = name.unwrap_or_else(|| naming::of_command(&program, &args));
    found.drafts.push(stdio(name, program, args, env, cwd));
}

/// Removes leading `KEY=value` words, with or without `env` before them.
fn assignments(words: Vec<String>) -> (Vec<EnvVar>, Vec<String>) {
    let mut env = Vec::new();
    let mut rest = words.into_iter().peekable();
    if rest.peek().is_some_and(|word| word == "env") {
        rest.next();
    }
    while let Some(var) = rest.peek().and_then(|word| assignment(word)) {
        env.push(var);
        rest.next();
    }
    (env, rest.collect())
}

fn assignment(word: &str) -> Option<EnvVar> {
    let (name, value) = word.split_once('=')?;
    let mut chars = name.chars();
    let begins = chars.next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic());
    (begins && chars.all(|c| c == '_' || c.is_ascii_alphanumeric())).then(|| EnvVar {
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

enum Added {
    Command {
        name: String,
        env: Vec<EnvVar>,
        words: Vec<String>,
    },
    Json {
        name: String,
        text: String,
    },
    Url {
        name: String,
        url: String,
        kind: HttpKind,
        headers: Vec<HttpHeader>,
    },
}

fn is_url(word: &str) -> bool {
    word.starts_with("http://") || word.starts_with("https://")
}

/// `localhost:3000/mcp` and `example.com/mcp` as an address: they are not plausible program names.
fn without_scheme(line: &str) -> Option<String> {
    let (authority, path) = match line.find('/') {
        Some(at) => line.split_at(at),
        None => (line, ""),
    };
    let (host, port) = match authority.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    };
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let is_local = host == "localhost" || host.parse::<std::net::Ipv4Addr>().is_ok();
    let is_domain = host.contains('.') && host.split('.').all(is_label);
    let is_endpoint = path.ends_with("/mcp") || path.ends_with("/sse");
    let is_address = match port {
        Some(port) => is_port(port) && (is_local || is_domain),
        None => is_local && !path.is_empty() || is_domain && is_endpoint,
    };
    let scheme = if is_local { "http" } else { "https" };
    (is_address && !line.contains(char::is_whitespace)).then(|| format!("{scheme}://{line}"))
}

/// Headers of a copied `curl` line that belong to the single request, not to the server.
const OF_ONE_REQUEST: &[&str] = &[
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "user-agent",
];

/// `curl -H 'Authorization: …' https://…/mcp`: the address and the headers.
fn curl(words: &[String]) -> Option<(String, Vec<HttpHeader>)> {
    let [program, rest @ ..] = words else { return None };
    if program != "curl" {
        return None;
    }
    let mut headers = Vec::new();
    let mut url = None;
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "-H" | "--header" => headers.extend(rest.next().and_then(|text| header(text))),
            "--url" => url = rest.next().cloned(),
            word if word.starts_with("-H") => headers.extend(header(&word["-H".len()..])),
            word if is_url(word) => url = Some(word.to_owned()),
            _ => {}
        }
    }
    headers.retain(|header| {
        let name = header.name.to_ascii_lowercase();
        !OF_ONE_REQUEST.contains(&name.as_str()) && !name.starts_with("mcp-")
    });
    Some((url?, headers))
}

/// `Authorization: Bearer …`, as `--header` takes it.
fn header(text: &str) -> Option<HttpHeader> {
    let (name, value) = text.split_once(':')?;
    let name = name.trim().to_owned();
    Some(HttpHeader {
        is_secret: is_secret_name(&name),
        value: value.trim().to_owned(),
        name,
    })
}

/// `claude mcp add [options] NAME [--] COMMAND…` and similar commands (codex, gemini, …).
fn mcp_add(words: &[String]) -> Option<Added> {
    let [_, mcp, verb, rest @ ..] = words else {
        return None;
    };
    if mcp != "mcp" || !matches!(verb.as_str(), "add" | "add-json") {
        return None;
    }
    let mut env = Vec::new();
    let mut plain: Vec<String> = Vec::new();
    let mut kind = None;
    let mut headers = Vec::new();
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--" => {
                plain.extend(rest.cloned());
                break;
            }
            "-e" | "--env" => env.extend(rest.next().and_then(|word| assignment(word))),
            "-t" | "--transport" => kind = rest.next().map(String::as_str),
            "-H" | "--header" => headers.extend(rest.next().and_then(|text| header(text))),
            "-s" | "--scope" => {
                rest.next();
            }
            // Codex passes the address as an option.
            "--url" => plain.extend(rest.next().cloned()),
            option if option.starts_with("--env=") => env.extend(assignment(&option["--env=".len()..])),
            option if option.starts_with("--header=") => {
                headers.extend(header(&option["--header=".len()..]));
            }
            option if option.starts_with("--transport=") => kind = option.strip_prefix("--transport="),
            option if option.starts_with("--") && plain.len() < 2 => {}
            _ => plain.push(word.clone()),
        }
    }
    let mut plain = plain.into_iter();
    let name = plain.next()?;
    let words: Vec<String> = plain.collect();
    if verb == "add-json" {
        return Some(Added::Json {
            name,
            text: words.into_iter().next()?,
        });
    }
    match words.first() {
        Some(url) if is_url(url) => Some(Added::Url {
            name,
            url: url.clone(),
            kind: match kind {
                Some("sse") => HttpKind::Sse,
                Some("http" | "streamable-http") => HttpKind::StreamableHttp,
                _ => HttpKind::Auto,
            },
            headers,
        }),
        Some(_) => Some(Added::Command { name, env, words }),
        None => None,
    }
}
