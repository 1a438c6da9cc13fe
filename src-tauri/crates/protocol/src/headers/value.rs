//! Header values: plain where HTTP allows it, otherwise base64 between markers.

use std::borrow::Cow;

use base64::{Engine as _, prelude::BASE64_STANDARD};

const OPEN: &str = "=?base64?";
const CLOSE: &str = "?=";

/// Encodes a value for a header ("Value Encoding").
#[must_use]
pub fn encode(value: &str) -> Cow<'_, str> {
    if is_plain(value) && !is_marked(value) {
        Cow::Borrowed(value)
    } else {
        Cow::Owned(format!("{OPEN}{}{CLOSE}", BASE64_STANDARD.encode(value)))
    }
}

/// Decodes a header. None if the text between the markers is not base64 of UTF-8.
#[must_use]
pub fn decode(header: &str) -> Option<Cow<'_, str>> {
    if !is_marked(header) {
        return Some(Cow::Borrowed(header));
    }
    let inner = header.strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
    let bytes = BASE64_STANDARD.decode(inner).ok()?;
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// Whether it is transmitted unchanged: visible ASCII, spaces and tabs, without leading or trailing ones.
fn is_plain(value: &str) -> bool {
    let padded = |text: &str| text.trim_matches([' ', '\t']).len() != text.len();
    value.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) && !padded(value)
}

/// Whether it looks encoded. The markers must not overlap.
fn is_marked(value: &str) -> bool {
    value.starts_with(OPEN) && value.ends_with(CLOSE) && value.len() >= OPEN.len() + CLOSE.len()
}
