//! Finds the secrets in a response by field name before the response is recorded.

use bytes::Bytes;
use oauth2::url::form_urlencoded;
use patchbay_secret::Secret;
use serde_json::Value;

/// Fields whose value is a secret (RFC 6749 section 5.1, RFC 7591 section 3.2.1, RFC 8693 section 2.2), at any depth:
/// some servers issue several tokens at once.
const SECRET: &[&str] = &[
    "access_token",
    "refresh_token",
    "id_token",
    "client_secret",
    "registration_access_token",
    "assertion",
];
/// A secret at the top only: below, it is a word for an error.
const CODE: &str = "code";
/// Values shorter than this are not masked in the log, so they are removed from the response itself.
const SHORT: usize = 8;
/// The maximum number of secrets in one response. Each is searched for in all traffic, in about 40 forms.
const MOST_SECRETS: usize = 64;
/// The maximum length of a token or a client secret, in bytes.
pub(crate) const LONGEST_SECRET: usize = 16 << 10;
/// The maximum size of all secrets in one response, in bytes.
const MOST_SECRET_BYTES: usize = 128 << 10;

/// The response as it may be recorded, and its secrets, which are given to the recorder before. One that is not JSON may be a
/// form, as GitHub sends it. If it may have a secret that was not found, only its size is recorded.
///
/// # Errors
/// Why the response must not be used: it has more secrets than could be masked. Nothing of it may be recorded then.
pub(crate) fn answer(body: &Bytes) -> Result<(Bytes, Vec<Secret>), String> {
    let mut found = Found::default();
    let recorded = match serde_json::from_slice::<Value>(body) {
        Ok(mut value) => {
            found.walk(&mut value, true);
            // Of several members with one name, the value has the last only.
            found.scan(body);
            value.to_string()
        }
        Err(_) => {
            let recorded = match is_form(body) {
                true => found.form(body),
                false => found.text(body),
            };
            recorded.unwrap_or_else(|| not_recorded(body.len()))
        }
    };
    if let Some(excess) = found.excess {
        return Err(excess);
    }
    match found.changed {
        true => Ok((recorded.into(), found.secrets)),
        false => Ok((body.clone(), found.secrets)),
    }
}

fn not_recorded(size: usize) -> String {
    format!("[{size} bytes are not recorded: they may have a secret that could not be found.]")
}

/// A page may look like a form in a part, and a form has no white space, quotes or markup.
fn is_form(body: &[u8]) -> bool {
    let is_foreign = |byte: &u8| byte.is_ascii_whitespace() || b"\"<{".contains(byte);
    !body.trim_ascii().iter().any(is_foreign)
}

/// What was found in a response.
#[derive(Default)]
struct Found {
    secrets: Vec<Secret>,
    bytes: usize,
    /// Whether another text is recorded than the response: a value had to be removed.
    changed: bool,
    /// Why there are too many secrets.
    excess: Option<String>,
}

impl Found {
    /// Takes the secrets of a value. `serde_json` bounds its depth.
    fn walk(&mut self, value: &mut Value, is_top: bool) {
        match value {
            Value::Object(object) => {
                for (name, member) in object {
                    match member {
                        Value::String(text) => self.field(name, text, is_top),
                        other => self.walk(other, false),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.walk(item, false)),
            _ => {}
        }
    }

    /// Takes the secrets of a form, and returns it without the short ones; none if it may have others.
    fn form(&mut self, body: &[u8]) -> Option<String> {
        let mut recorded = form_urlencoded::Serializer::new(String::new());
        let mut is_complete = true;
        for (name, value) in form_urlencoded::parse(body.trim_ascii()) {
            let mut value = value.into_owned();
            if is_secret(&name, true) {
                self.field(&name, &mut value, true);
            } else {
                is_complete &= occurrences(name.as_bytes()).next().is_none() && self.scan(value.as_bytes());
            }
            recorded.append_pair(&name, &value);
        }
        self.changed |= !is_complete;
        is_complete.then(|| recorded.finish())
    }

    /// Takes the secrets of a text with JSON in it: bytes before or after it, which some parsers accept. None if it may have
    /// others than those that stay readable when they are masked.
    fn text(&mut self, body: &[u8]) -> Option<String> {
        // `"access\u005ftoken"` is a field that the search does not know.
        let may_hide_name = body.windows(4).any(|four| four == br"\u00");
        let is_complete = self.scan(body) && !self.changed && !may_hide_name;
        self.changed = !is_complete;
        is_complete.then(String::new)
    }

    /// Takes every `"name": "value"` of a text. Says whether that are all of its fields that may be secret.
    fn scan(&mut self, text: &[u8]) -> bool {
        let mut is_complete = true;
        for (name, end) in occurrences(text) {
            let (before, after) = (&text[..end - name.len()], &text[end..]);
            let value = before.ends_with(b"\"").then(|| value_of(after)).flatten();
            match value {
                Some(mut value) => self.field(name, &mut value, false),
                None => is_complete &= is_prose(before, after),
            }
        }
        is_complete
    }

    fn field(&mut self, name: &str, value: &mut String, is_top: bool) {
        if !is_secret(name, is_top) || value.is_empty() {
            return;
        }
        if value.chars().count() < SHORT {
            *value = "*".repeat(value.chars().count());
            self.changed = true;
            return;
        }
        if value.len() > LONGEST_SECRET {
            self.excess = Some(format!(
                "its {name} has {} bytes, more than {LONGEST_SECRET}",
                value.len()
            ));
        }
        // Never more than a few are compared.
        if self.excess.is_some()
            || self
                .secrets
                .iter()
                .any(|secret| secret.expose() == value.as_str())
        {
            return;
        }
        self.bytes += value.len();
        if self.secrets.len() == MOST_SECRETS || self.bytes > MOST_SECRET_BYTES {
            self.excess = Some(format!(
                "it has more than {MOST_SECRETS} tokens and client secrets, or more than {MOST_SECRET_BYTES} bytes of them"
            ));
            return;
        }
        self.secrets.push(Secret::new(value.clone()));
    }
}

fn is_secret(name: &str, is_top: bool) -> bool {
    SECRET.contains(&name) || is_top && name == CODE
}

/// Where the name of a secret field is a word of a text: the name and its end.
fn occurrences(text: &[u8]) -> impl Iterator<Item = (&'static str, usize)> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let in_text = move |name: &'static str| {
        let windows = text.windows(name.len()).enumerate();
        windows.filter_map(move |(at, window)| {
            let (before, end) = (text[..at].last(), at + name.len());
            let is_word = !before.is_some_and(is_part) && !text.get(end).is_some_and(is_part);
            (window == name.as_bytes() && is_word).then_some((name, end))
        })
    };
    SECRET.iter().copied().flat_map(in_text)
}

/// The value in `": "value"…`, which follows the name of a field.
fn value_of(text: &[u8]) -> Option<String> {
    let text = text.strip_prefix(b"\"")?.trim_ascii_start();
    let text = text.strip_prefix(b":")?.trim_ascii_start();
    let inner = text.strip_prefix(b"\"")?;
    let mut is_escaped = false;
    let end = inner.iter().position(|byte| match byte {
        _ if is_escaped => {
            is_escaped = false;
            false
        }
        b'\\' => {
            is_escaped = true;
            false
        }
        byte => *byte == b'"',
    })?;
    serde_json::from_slice(&text[..end + 2]).ok()
}

/// Whether the word between is one of a sentence, not the name of a field: `the refresh_token is expired`.
fn is_prose(before: &[u8], after: &[u8]) -> bool {
    let is_word = before
        .last()
        .is_none_or(|last| last.is_ascii_whitespace() || *last == b'(');
    let next = after.trim_ascii_start().first();
    is_word && next.is_none_or(|next| next.is_ascii_alphanumeric() || b".,;!?)<".contains(next))
}

#[cfg(test)]
mod tests;
