//! `claude mcp add [options] NAME [--] COMMAND…` and the same command of other hosts (codex, gemini, …).

use std::slice::Iter;

use patchbay_contract::{AuthorizationDraft, EnvVar, HttpHeader, HttpKind, ServerDraft};

use super::parts::{assignment, header, http};
use crate::entry::is_http_url;

/// What such a line adds, and what of it is left out or missing.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) added: Added,
    pub(super) notes: Vec<String>,
}

pub(super) enum Added {
    Command { env: Vec<EnvVar>, words: Vec<String> },
    Json(String),
    Url(Box<ServerDraft>),
}

/// The words that are not options, and what the options say.
#[derive(Default)]
struct Read {
    plain: Vec<String>,
    env: Vec<EnvVar>,
    kind: HttpKind,
    headers: Vec<HttpHeader>,
    authorization: AuthorizationDraft,
    notes: Vec<String>,
}

/// Reads the words of a line; none if it is another command. The error names an option that is not known: a word after it may be
/// its value or the name of the server.
pub(super) fn read(words: &[String]) -> Option<Result<Line, String>> {
    let [_, mcp, verb, rest @ ..] = words else {
        return None;
    };
    if mcp != "mcp" || !matches!(verb.as_str(), "add" | "add-json") {
        return None;
    }
    let mut read = Read::default();
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        if word == "--" {
            read.plain.extend(rest.by_ref().cloned());
        } else if let Err(unknown) = read.word(word, &mut rest) {
            return Some(Err(unknown));
        }
    }
    read.line(verb == "add-json").map(Ok)
}

impl Read {
    /// Reads a word, and its value if it is an option that has one.
    fn word(&mut self, word: &str, rest: &mut Iter<'_, String>) -> Result<(), String> {
        let (option, given) = match word.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option, Some(value.to_owned())),
            _ => (word, None),
        };
        let mut value = || given.clone().or_else(|| rest.next().cloned());
        match option {
            "-e" | "--env" => self.env.extend(value().and_then(|word| assignment(&word))),
            "-t" | "--transport" => self.kind = kind(value().as_deref()),
            "-H" | "--header" => self.headers.extend(value().and_then(|text| header(&text))),
            "-s" | "--scope" if given.is_none() => drop(value()),
            // Codex passes the address as an option.
            "--url" => self.plain.extend(value()),
            // The program's own options begin after it; an address has none.
            _ if !option.starts_with("--")
                || self.plain.get(1).is_some_and(|second| !is_http_url(second)) =>
            {
                self.plain.push(word.to_owned());
            }
            "--type" => self.kind = kind(value().as_deref()),
            "--client-id" => self.authorization.client_id = value(),
            "--callback-port" => {
                self.authorization.redirect_port = value().and_then(|port| port.parse().ok());
            }
            "--bearer-token-env-var" => self.headers.extend(value().map(|name| HttpHeader {
                name: "Authorization".to_owned(),
                value: format!("Bearer ${{{name}}}"),
                is_secret: true,
            })),
            "--client-secret" => {
                let note = "`--client-secret` is left out: the client secret is entered in the dialog";
                self.notes.push(note.to_owned());
            }
            "--include-tools" | "--exclude-tools" => {
                value();
                self.notes
                    .push(format!("`{option}` is left out: all tools are shown"));
            }
            "--scope" | "--description" | "--timeout" => drop(value()),
            // Trust is a decision of the user, not of the author of the line.
            "--trust" => {}
            _ if self.plain.len() > 1 => self
                .notes
                .push(format!("`{option}` is left out: it is not known")),
            _ => return Err(option.to_owned()),
        }
        Ok(())
    }

    /// What the line adds; none without a name and what is added.
    fn line(mut self, is_json: bool) -> Option<Line> {
        let mut plain = self.plain.into_iter();
        let name = plain.next()?;
        let words: Vec<String> = plain.collect();
        let first = words.first()?;
        let added = if is_json {
            Added::Json(first.clone())
        } else if is_http_url(first) {
            let placeholders = self.headers.iter().filter(|header| header.value.contains("${"));
            self.notes
                .extend(placeholders.map(|HttpHeader { name, value, .. }| {
                    format!("the header `{name}` is a placeholder ({value}); fill it in")
                }));
            let is_set = self.authorization != AuthorizationDraft::default();
            Added::Url(Box::new(ServerDraft {
                authorization: is_set.then_some(self.authorization),
                ..http(name.clone(), first.clone(), self.kind, self.headers)
            }))
        } else {
            Added::Command { env: self.env, words }
        };
        Some(Line {
            name,
            added,
            notes: self.notes,
        })
    }
}

fn kind(word: Option<&str>) -> HttpKind {
    match word {
        Some("sse") => HttpKind::Sse,
        Some("http" | "streamable-http") => HttpKind::StreamableHttp,
        _ => HttpKind::Auto,
    }
}
