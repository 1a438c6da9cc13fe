//! Decodes a token that is a JWT (RFC 7519), for display. Nothing is validated: the token is meant for the server.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use patchbay_protocol::json::pretty;
use serde_json::Value;

use crate::Jwt;

/// Decodes a token if it is a signed JWT.
pub(crate) fn read(token: &str) -> Option<Jwt> {
    let mut parts = token.split('.');
    let (header, claims, _signature) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    Some(Jwt {
        header: json(header)?,
        claims: json(claims)?,
    })
}

/// The JSON object in a part, indented. Nothing else of it changes: a repeated member and a long number are shown as they are.
fn json(part: &str) -> Option<String> {
    let bytes = URL_SAFE_NO_PAD.decode(part.trim_end_matches('=')).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let value: Value = serde_json::from_str(&text).ok()?;
    value.is_object().then(|| {
        let mut indented = String::new();
        pretty(&text, &mut indented);
        indented
    })
}

#[cfg(test)]
mod tests;
