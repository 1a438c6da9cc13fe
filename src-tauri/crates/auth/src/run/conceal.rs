//! Finds the secrets in a response by field name before the response is recorded.

use bytes::Bytes;
use patchbay_secret::Secret;
use serde_json::Value;

/// Fields whose value is a secret (RFC 6749 section 5.1, RFC 7591 section 3.2.1, RFC 8693 section 2.2).
const SECRET: &[&str] = &[
    "access_token",
    "refresh_token",
    "id_token",
    "client_secret",
    "registration_access_token",
    "code",
    "assertion",
];
/// Values shorter than this are not masked in the log, so they are removed from the response itself.
const SHORT: usize = 8;

/// The response as it may be recorded, after its secrets were given to the recorder.
pub(crate) fn answer(body: &Bytes) -> (Bytes, Vec<Secret>) {
    let Ok(Value::Object(mut object)) = serde_json::from_slice(body) else {
        return (body.clone(), Vec::new());
    };
    let mut secrets = Vec::new();
    let mut short = false;
    for name in SECRET {
        let Some(Value::String(value)) = object.get_mut(*name) else {
            continue;
        };
        if value.chars().count() < SHORT {
            *value = "*".repeat(value.chars().count());
            short = true;
        } else {
            secrets.push(Secret::new(value.clone()));
        }
    }
    if short {
        return (Value::Object(object).to_string().into(), secrets);
    }
    (body.clone(), secrets)
}

#[cfg(test)]
mod tests;
