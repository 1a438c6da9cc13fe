//! Command lines: `KEY=value npx -y server dir`, an address alone on its line, and the `… mcp add` lines that READMEs give
//! for other hosts.

use patchbay_contract::{EnvVar, HttpHeader, HttpKind};

use super::{
    Found, json,
    mcp_add::{self, Added},
    naming,
    parts::{assignment, header, http, stdio},
};
use crate::{
    command_words::{self, Word},
    entry::is_http_url,
};

/// Whether the text is `"C:\Program Files\x" args` or `"/my programs/x" args`, and not JSON.
pub(super) fn is_quoted_program(text: &str) -> bool {
    text.strip_prefix('"')
        .and_then(|rest| rest.split_once('"'))
        .is_some_and(|(_, after)| {
            !after.trim_start().starts_with(':')
                && (after.is_empty() || after.starts_with(char::is_whitespace))
        })
}

/// Reads one command line per line; a trailing backslash and an open quotation mark continue the line.
pub(super) fn read(text: &str, found: &mut Found) {
    let text = text.replace("\r\n", "\n");
    let mut rest = text.as_str();
    let mut is_joined = true;
    loop {
        rest = rest.trim_start();
        rest = rest
            .strip_prefix("$ ")
            .or_else(|| rest.strip_prefix("> "))
            .unwrap_or(rest);
        let first = rest.split('\n').next().unwrap_or_default();
        let mut end = first.len();
        // A comment, or the fence of Markdown around the lines.
        if !first.starts_with(['#', '`']) && !read_address(first.trim(), found) {
            // After a quotation mark that nothing closes, each line is read by itself: each could have the whole rest in it.
            match command_words::line(if is_joined { rest } else { first }) {
                Some((words, all)) => {
                    end = all;
                    read_line(&rest[..end], words, found);
                }
                None => {
                    is_joined = false;
                    found
                        .problems
                        .push(format!("A quote is not closed in: {}", first.trim()));
                }
            }
        }
        match rest.get(end + 1..) {
            Some(more) => rest = more,
            None => return,
        }
    }
}

/// Reads a line that is not an address.
fn read_line(line: &str, words: Vec<Word>, found: &mut Found) {
    if words.is_empty() {
        return;
    }
    let line = line.trim().replace("\\\n", " ");
    let line = line.as_str();
    let mut signs: Vec<String> = words
        .iter()
        .filter(|word| word.is_sign())
        .map(|word| word.text.clone())
        .collect();
    let words: Vec<String> = words.into_iter().map(|word| word.text).collect();
    if let Some((url, headers)) = curl(&words) {
        found
            .drafts
            .push(http(naming::of_url(&url), url, HttpKind::Auto, headers));
        return;
    }
    let (mut env, words) = assignments(words);
    match mcp_add::read(&words) {
        Some(Ok(mcp_add::Line { name, added, notes })) => {
            match added {
                Added::Command { env: more, words } => {
                    env.extend(more);
                    command(line, &signs, Some(name.clone()), env, None, words, found);
                }
                Added::Json(text) => json::read_named(&name, &text, found),
                Added::Url(draft) => found.drafts.push(*draft),
            }
            found
                .problems
                .extend(notes.into_iter().map(|note| format!("\"{name}\": {note}.")));
            return;
        }
        Some(Err(option)) => {
            found.problems.push(format!(
                "`{option}` is not known. Remove it, and its value if it has one, from: {line}"
            ));
            return;
        }
        None => {}
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
        None if is_http_url(line) => line.to_owned(),
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

fn command(
    line: &str,
    signs: &[String],
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

/// `localhost:3000/mcp` and `example.com/mcp` as an address: they are not plausible program names.
pub(super) fn without_scheme(line: &str) -> Option<String> {
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
            word if is_http_url(word) => url = Some(word.to_owned()),
            _ => {}
        }
    }
    headers.retain(|header| {
        let name = header.name.to_ascii_lowercase();
        !OF_ONE_REQUEST.contains(&name.as_str()) && !name.starts_with("mcp-")
    });
    Some((url?, headers))
}
