//! Header values: plain where HTTP carries them safely, else base64 between markers.

use std::borrow::Cow;

use base64::{Engine as _, prelude::BASE64_STANDARD};

const OPEN: &str = "=?base64?";
const CLOSE: &str = "?=";

/// A value as a header carries it ("Value Encoding").
#[must_use]
pub fn encode(value: &str) -> Cow<'_, str> {
    if is_plain(value) && !is_marked(value) {
        Cow::Borrowed(value)
    } else {
        Cow::Owned(format!("{OPEN}{}{CLOSE}", BASE64_STANDARD.encode(value)))
    }
}

/// The value that a header carries. None if the text between the markers is not base64 of UTF-8.
#[must_use]
pub fn decode(header: &str) -> Option<Cow<'_, str>> {
    if !is_marked(header) {
        return Some(Cow::Borrowed(header));
    }
    let inner = header.strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
    let bytes = BASE64_STANDARD.decode(inner).ok()?;
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// Whether it reaches the other side as it is: visible ASCII, spaces and tabs, but none at its ends.
fn is_plain(value: &str) -> bool {
    let padded = |text: &str| text.trim_matches([' ', '\t']).len() != text.len();
    value.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) && !padded(value)
}

/// Whether it looks like an encoded one. The markers may not share characters.
fn is_marked(value: &str) -> bool {
    value.starts_with(OPEN) && value.ends_with(CLOSE) && value.len() >= OPEN.len() + CLOSE.len()
}
