//! Which names mean that a value is a secret: the only place where that is decided.
//!
//! Two questions are asked. Of a name in somebody's *settings* (a variable, an option, a header of one's own) it is
//! asked whether its value is to be kept from sight; there a word like `KEY` is enough. Of a name on the *wire* it is asked
//! whether its value says who somebody is; there only what is certain counts, as the log would be of no use with session
//! ids and idempotency keys masked. `tests/fixtures/secret-names.json` says what the answers are.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Words in a setting's name that mean its value must not be shown.
const WORDS: &[&str] = &[
    "ACCESSKEY",
    "APIKEY",
    "AUTH",
    "AUTHORIZATION",
    "AUTHTOKEN",
    "BEARER",
    "COOKIE",
    "CREDENTIAL",
    "DSN",
    "KEY",
    "PASSPHRASE",
    "PASSWD",
    "PASSWORD",
    "PAT",
    "PRIVATE",
    "PWD",
    "SECRET",
    "SECRETKEY",
    "SESSION",
    "TOKEN",
];
/// Last words of names whose values tell where or what kind of thing it is: masking those would only falsify the log.
const HARMLESS_ENDS: &[&str] = &[
    "FILE", "PATH", "DIR", "FOLDER", "SOCK", "SOCKET", "URL", "URI", "HOST", "PORT", "ADDRESS", "NAME",
    "TYPE", "MODE", "CLASS", "DESKTOP", "ENABLED", "TIMEOUT", "TTL", "SIZE",
];
/// Names that would seem to mean a secret: two folders and a desktop.
const NOT: &[&str] = &["PWD", "OLDPWD", "DESKTOP_SESSION"];

/// Finds them in one pass, in any case.
static WIRE_PART: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(WIRE_PARTS)
        .ok()
});
/// Parts of a name on the wire whose value is a secret.
const WIRE_PARTS: &[&str] = &[
    "api-key",
    "api_key",
    "apikey",
    "token",
    "secret",
    "password",
    "passwd",
    "credential",
    "signature",
    "x-auth",
    "subscription-key",
    "access-key",
    "access_key",
];
/// Whole names of HTTP fields whose value is one.
const WIRE_FIELDS: &[&str] = &["authorization", "proxy-authorization", "cookie", "set-cookie"];
/// Whole names whose value is one, in a query or a form.
const WIRE_PARAMETERS: &[&str] = &[
    "assertion",
    "client_assertion",
    "code",
    "code_verifier",
    "key",
    "sig",
];
/// Names of parameters that hold such a part, and none.
const HARMLESS_PARAMETERS: &[&str] = &[
    "token_endpoint",
    "token_type",
    "token_type_hint",
    "subject_token_type",
    "requested_token_type",
];

/// Whether a setting of this name holds a secret: `GITHUB_TOKEN`, `apiKey`, `--db-password`, `Authorization`; not `MONKEY`,
/// `PATH`, `AUTHOR`, `SSL_KEY_FILE`.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    let words: Vec<String> = words(name).collect();
    let harmless = words
        .last()
        .is_some_and(|last| HARMLESS_ENDS.contains(&last.as_str()));
    let is_one = |word: &String| {
        let one = word.strip_suffix('S').unwrap_or(word);
        WORDS.contains(&word.as_str()) || WORDS.contains(&one)
    };
    !harmless && !NOT.contains(&name) && words.iter().any(is_one)
}

/// Whether an HTTP field of this name says who somebody is: its value is masked in the log.
#[must_use]
pub fn is_credential_field(name: &str) -> bool {
    is_any(WIRE_FIELDS, name) || has_wire_part(name) && !name.to_ascii_lowercase().contains("ratelimit")
}

/// Whether a parameter of a query or a form is a secret.
pub(super) fn is_secret_parameter(name: &str) -> bool {
    !is_any(HARMLESS_PARAMETERS, name) && (is_any(WIRE_PARAMETERS, name) || has_wire_part(name))
}

fn has_wire_part(name: &str) -> bool {
    WIRE_PART.as_ref().is_none_or(|parts| parts.is_match(name))
}

fn is_any(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// The words of `SNAKE_CASE`, `--kebab-case` and `camelCase`, in capitals.
pub fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() || (after_lower && c.is_ascii_uppercase()) {
            words.push(String::new());
        }
        after_lower = c.is_ascii_lowercase();
        if c.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_uppercase());
        }
    }
    words.into_iter().filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
