//! Validates an authorization response: that it belongs to this run and this authorization server, and what it contains.

use std::collections::HashMap;

use patchbay_http::Url;
use patchbay_secret::Secret;

use crate::{Clause, rules};

/// The maximum number of characters of foreign text that is shown.
const SHOWN: usize = 300;

/// What a response must match.
#[derive(Clone)]
pub(crate) struct Expected {
    pub(crate) state: Secret,
    /// The issuer, exactly as in its metadata.
    pub(crate) issuer: String,
    /// Whether its metadata promises `iss` in every response.
    pub(crate) promises_iss: bool,
}

/// A decoded response.
#[derive(Default)]
pub(crate) struct CallbackParams {
    parameters: HashMap<String, String>,
    /// A parameter that occurs twice.
    twice: Option<String>,
    /// Only a code was pasted, without a state.
    bare: bool,
    /// Why the pasted text is neither a response nor a code.
    foreign: Option<&'static str>,
}

/// The result of validation.
pub(crate) enum Checked {
    /// An authorization code.
    Code(Secret),
    /// A response that does not belong to this run, and why. The run keeps waiting.
    Foreign(&'static str),
    /// A response that ends the run.
    Refused(Refused),
}

/// Why a response ends the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) cause: String,
    pub(crate) rule: Clause,
    pub(crate) next: &'static str,
}

impl CallbackParams {
    /// Parses the query of the redirected address.
    pub(crate) fn query(query: &str) -> Self {
        let mut brought = Self::default();
        // Any base URL works: it is only needed to decode the form.
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

    /// Parses pasted text: the whole redirected address, its query, `code#state`, or the code.
    pub(crate) fn pasted(text: &str) -> Self {
        let text = text.trim();
        if let Ok(url) = Url::parse(text) {
            match url.query() {
                Some(query) => return Self::query(query),
                None if matches!(url.scheme(), "http" | "https") => {
                    return Self::foreign("It is a URL without a code.");
                }
                None => {}
            }
        }
        let query = text.trim_start_matches('?');
        if ["code=", "error=", "state="]
            .iter()
            .any(|name| query.starts_with(name) || query.contains(&format!("&{name}")))
        {
            return Self::query(query);
        }
        if text.contains(char::is_whitespace) {
            return Self::foreign("A code has no white space in it.");
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

    fn foreign(why: &'static str) -> Self {
        Self {
            foreign: Some(why),
            ..Self::default()
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.parameters.get(name).map(String::as_str)
    }

    /// Validates in this order: the state, the issuer, the content.
    pub(crate) fn judge(&self, expected: &Expected) -> Checked {
        if let Some(why) = self.foreign {
            return Checked::Foreign(why);
        }
        match self.get("state") {
            Some(state) if same(state, expected.state.expose()) => {}
            None if self.bare => {}
            None => {
                return Checked::Foreign(
                    "It has no state parameter, so it cannot be matched to an authorization.",
                );
            }
            Some(_) => {
                return Checked::Foreign("Its state does not match the authorization in progress.");
            }
        }
        match self.content(expected) {
            Ok(code) => Checked::Code(code),
            Err(refused) => Checked::Refused(refused),
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

    /// Checks the issuer (RFC 9207): compared exactly, whether promised or not.
    fn issuer(&self, expected: &Expected) -> Result<(), Refused> {
        let cause = match self.get("iss") {
            Some(iss) if iss == expected.issuer => return Ok(()),
            None if !expected.promises_iss => return Ok(()),
            // Nothing else of the response is shown: it may come from an attacker.
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

/// Compares two texts in constant time.
fn same(one: &str, other: &str) -> bool {
    one.len() == other.len()
        && one
            .bytes()
            .zip(other.bytes())
            .fold(0, |differ, (one, other)| differ | (one ^ other))
            == 0
}

/// Foreign text on one line, truncated.
pub(crate) fn shown(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .take(SHOWN)
        .collect();
    clean.trim().to_owned()
}

/// The advice for an error of the authorization endpoint.
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
