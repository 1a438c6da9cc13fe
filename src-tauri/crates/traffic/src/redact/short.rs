//! Secrets of a few characters. They are masked only where they stand alone, because they also occur within other words.
//!
//! Values of up to three characters are never masked: a log without every `1` or `on` could not be read, and they protect
//! nothing.

use std::ops::Range;

/// Shorter values are never masked.
pub(super) const SHORTEST: usize = 4;

/// Whether the range is a whole word. What JSON writes without quotes (a number, `true`, `null`) must be in quotes or follow
/// `=`: a masked number would not be JSON.
pub(super) fn is_whole(range: Range<usize>, text: &[u8]) -> bool {
    let before = range.start.checked_sub(1).and_then(|at| text.get(at)).copied();
    let after = text.get(range.end).copied();
    let value = &text[range];
    if is_json_literal(value) {
        let quote = |byte: Option<u8>| matches!(byte, Some(b'"' | b'\'' | b'`'));
        return quote(before) && quote(after) || before == Some(b'=') && !after.is_some_and(in_word);
    }
    !before.is_some_and(in_word) && !after.is_some_and(in_word)
}

/// Whether a byte continues a word. `tools/list` and `a.b` are words.
fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/') || byte >= 0x80
}

fn is_json_literal(value: &[u8]) -> bool {
    matches!(value, b"true" | b"false" | b"null")
        || value
            .iter()
            .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
}
