//! Judging what the browser, or the user, brings back: is it for this run, from this authorization server, and what is it.

use std::collections::HashMap;

use patchbay_http::Url;
use patchbay_secret::Secret;

use crate::{Clause, rules};

/// The most characters of a stranger's words that are shown.
const SHOWN: usize = 300;

/// What an answer must fit.
#[derive(Clone)]
pub(crate) struct Expected {
    pub(crate) state: Secret,
    /// The issuer as its metadata writes it.
    pub(crate) issuer: String,
    /// Its metadata promises `iss` in every answer.
    pub(crate) promises_iss: bool,
}

/// An answer, decoded.
#[derive(Default)]
pub(crate) struct Brought {
    parameters: HashMap<String, String>,
    /// A parameter that is there twice.
    twice: Option<String>,
    /// It is only a code: nobody knows for which run.
    bare: bool,
}

/// What it is.
pub(crate) enum Judged {
    /// The code.
    Code(Secret),
    /// It does not belong to this run, and why; the run keeps waiting.
    Foreign(&'static str),
    /// It ends the run.
    Refused(Refused),
}

/// Why an answer ends the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) cause: String,
    pub(crate) rule: Clause,
    pub(crate) next: &'static str,
}

impl Brought {
    /// From the query of the redirected address.
    pub(crate) fn query(query: &str) -> Self {
        let mut brought = Self::default();
        // Any URL will do: it is for the decoding of the form.
        let Ok(mut url) = Url::parse("http://localhost/") else {
            return brought;
        };
        url.set_query(Some(query));
        for (name, value) in url.query_pairs() {
            if brought
                .parameters
                .insert(name.to_string(), value.into_owned())
                .is_some()
            {
                brought.twice = Some(name.into_owned());
            }
        }
        brought
    }

    /// From what the user pasted: the whole redirected address, its query, `code#state`, or the code.
    pub(crate) fn pasted(text: &str) -> Self {
        let text = text.trim();
        if let Ok(url) = Url::parse(text)
            && let Some(query) = url.query()
        {
            return Self::query(query);
        }
        let query = text.trim_start_matches('?');
        if ["code=", "error=", "state="]
            .iter()
            .any(|name| query.starts_with(name) || query.contains(&format!("&{name}")))
        {
            return Self::query(query);
        }
        let (code, state) = match text.split_once('#') {
            Some((code, state)) => (code, Some(state)),
            None => (text, None),
        };
        let mut brought = Self {
            bare: state.is_none(),
            ..Self::default()
        };
        if !code.is_empty() {
            brought.parameters.insert("code".to_owned(), code.to_owned());
        }
        if let Some(state) = state {
            brought.parameters.insert("state".to_owned(), state.to_owned());
        }
        brought
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.parameters.get(name).map(String::as_str)
    }

    /// What it is: state first, then who it is from, and only then what it says.
    pub(crate) fn judge(&self, expected: &Expected) -> Judged {
        match self.get("state") {
            Some(state) if same(state, expected.state.expose()) => {}
            None if self.bare => {}
            None => {
                return Judged::Foreign(
                    "It has no state parameter, so it cannot be matched to an authorization.",
                );
            }
            Some(_) => {
                return Judged::Foreign("Its state does not match the authorization in progress.");
            }
        }
        match self.content(expected) {
            Ok(code) => Judged::Code(code),
            Err(refused) => Judged::Refused(refused),
        }
    }

    fn content(&self, expected: &Expected) -> Result<Secret, Refused> {
        if let Some(name) = &self.twice {
            return Err(Refused {
                cause: format!("the response contains the parameter {} twice", shown(name)),
                rule: rules::PARAMETERS_ONCE,
                next: "The authorization server must send each parameter once.",
            });
        }
        self.issuer(expected)?;
        if let Some(error) = self.get("error") {
            let description = self
                .get("error_description")
                .map(|text| format!(" ({})", shown(text)))
                .unwrap_or_default();
            return Err(Refused {
                cause: format!("the authorization server answered {}{description}", shown(error)),
                rule: rules::AUTHORIZATION_ERROR,
                next: advice(error),
            });
        }
        match self.get("code") {
            Some(code) if !code.is_empty() => Ok(Secret::new(code)),
            _ => Err(Refused {
                cause: "the response contains neither a code nor an error".to_owned(),
                rule: rules::AUTHORIZATION_RESPONSE,
                next: "The authorization server must redirect the browser back with a code.",
            }),
        }
    }

    /// Who it is from (RFC 9207): compared to the letter, whether promised or not.
    fn issuer(&self, expected: &Expected) -> Result<(), Refused> {
        let cause = match self.get("iss") {
            Some(iss) if iss == expected.issuer => return Ok(()),
            None if !expected.promises_iss => return Ok(()),
            // Nothing else of it is shown: it may be an attacker's.
            Some(iss) => format!(
                "the response names the issuer `{}`, not the expected `{}`; this may be a mix-up attack, so the \
                 response is not used",
                shown(iss),
                expected.issuer
            ),
            None if self.bare => {
                "a code alone does not name its issuer, which this authorization server promises to do; \
                 paste the whole address of the page"
                    .to_owned()
            }
            None => format!(
                "the response does not name its issuer, although {} promises to do so",
                expected.issuer
            ),
        };
        Err(Refused {
            cause,
            rule: rules::ISSUER_IN_RESPONSE,
            next: "The authorization server must send its issuer as `iss`, written as in its metadata. If you pasted a part of the address, \
                   paste all of it.",
        })
    }
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn same(one: &str, other: &str) -> bool {
    one.len() == other.len()
        && one
            .bytes()
            .zip(other.bytes())
            .fold(0, |differ, (one, other)| differ | (one ^ other))
            == 0
}

/// A stranger's words, on one line and not too many.
pub(crate) fn shown(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .take(SHOWN)
        .collect();
    clean.trim().to_owned()
}

/// What to do about an error of the authorization endpoint.
fn advice(error: &str) -> &'static str {
    match error {
        "access_denied" => "Authorize again and agree, or ask the server's operator for access.",
        "invalid_scope" => "Request other scopes.",
        "unauthorized_client" => "Register the client for this grant, or enter another client id.",
        "invalid_target" => {
            "The authorization server does not know this MCP server as a resource. Register it there."
        }
        "server_error" | "temporarily_unavailable" => "Try again later.",
        _ => "Check the authorization server's log.",
    }
}

#[cfg(test)]
mod tests;
