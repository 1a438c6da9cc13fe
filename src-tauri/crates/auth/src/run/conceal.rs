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

/// The response as it may be recorded, after its secrets were given to the recorder. One that is not JSON may be a form, as
/// GitHub sends it.
pub(crate) fn answer(body: &Bytes) -> (Bytes, Vec<Secret>) {
    let mut found = Found::default();
    let recorded = match serde_json::from_slice::<Value>(body) {
        Ok(mut value) => {
            found.walk(&mut value, true);
            value.to_string()
        }
        // A page may look like a form in a part, and a form has no white space.
        Err(_) if body.trim_ascii().iter().any(u8::is_ascii_whitespace) => return (body.clone(), Vec::new()),
        Err(_) => found.form(body),
    };
    match found.short {
        true => (recorded.into(), found.secrets),
        false => (body.clone(), found.secrets),
    }
}

/// What was found in a response.
#[derive(Default)]
struct Found {
    secrets: Vec<Secret>,
    /// Whether there was a value that had to be removed.
    short: bool,
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

    /// Takes the secrets of a form, and returns it without the short ones.
    fn form(&mut self, body: &[u8]) -> String {
        let mut recorded = form_urlencoded::Serializer::new(String::new());
        for (name, value) in form_urlencoded::parse(body.trim_ascii()) {
            let mut value = value.into_owned();
            self.field(&name, &mut value, true);
            recorded.append_pair(&name, &value);
        }
        recorded.finish()
    }

    fn field(&mut self, name: &str, value: &mut String, is_top: bool) {
        if !(SECRET.contains(&name) || is_top && name == CODE) || value.is_empty() {
            return;
        }
        if value.chars().count() < SHORT {
            *value = "*".repeat(value.chars().count());
            self.short = true;
        } else {
            self.secrets.push(Secret::new(value.clone()));
        }
    }
}

#[cfg(test)]
mod tests;
