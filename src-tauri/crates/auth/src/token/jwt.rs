//! Decodes a token that is a JWT (RFC 7519), for display. Nothing is validated: the token is meant for the server.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
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

/// The JSON object in a part, pretty-printed.
fn json(part: &str) -> Option<String> {
    let bytes = URL_SAFE_NO_PAD.decode(part.trim_end_matches('=')).ok()?;
    let value: Value = serde_json::from_slice(&bytes).ok()?;
    value.is_object().then(|| format!("{value:#}"))
}

#[cfg(test)]
mod tests;
