//! Decides by name whether a value on the wire is a secret.
//!
//! Only names that certainly identify a credential count: the log would be useless with session ids and idempotency keys
//! masked. Names in a server's settings are handled by `patchbay-config`. `tests/fixtures/secret-names.json` has the cases
//! of both.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Finds the parts in one pass, ignoring case.
static WIRE_PART: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(WIRE_PARTS)
        .ok()
});
/// Parts of a name whose value is a secret.
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
/// Names of header fields whose value is a secret.
const WIRE_FIELDS: &[&str] = &["authorization", "proxy-authorization", "cookie", "set-cookie"];
/// Names of parameters in a query or a form whose value is a secret.
const WIRE_PARAMETERS: &[&str] = &[
    "assertion",
    "client_assertion",
    "code",
    "code_verifier",
    "key",
    "sig",
];
/// Exceptions: parameter names that contain such a part.
const HARMLESS_PARAMETERS: &[&str] = &[
    "token_endpoint",
    "token_type",
    "token_type_hint",
    "subject_token_type",
    "requested_token_type",
];

/// Whether a header field with this name holds a credential, which is masked in the log.
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
