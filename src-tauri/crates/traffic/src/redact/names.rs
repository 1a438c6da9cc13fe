//! Which names on the wire mean that a value is a secret.
//!
//! Only what certainly says who somebody is counts: the log would be useless with session ids and idempotency keys masked.
//! Names in a server's settings are judged by `patchbay-config`. `tests/fixtures/secret-names.json` has the cases of both.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

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

#[cfg(test)]
mod tests;
