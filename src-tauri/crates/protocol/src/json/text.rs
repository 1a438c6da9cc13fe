//! Parsing and writing JSON strings.

use std::borrow::Cow;

use super::{Scanner, trim};

/// Parses `text` as one JSON string and unescapes it. None if it is anything else.
///
/// An unpaired surrogate escape becomes U+FFFD, because Rust strings cannot hold it. The raw text is unchanged.
#[must_use]
pub fn string(text: &str) -> Option<Cow<'_, str>> {
    let text = trim(text);
    if !text.starts_with('"') {
        return None;
    }
    let mut scanner = Scanner::new(text);
    let escapes = scanner.skip_string().ok()?;
    (scanner.offset() == text.len()).then(|| match escapes {
        true => unescape(text),
        false => Cow::Borrowed(unquoted(text)),
    })
}

/// A scanned string without its quotes, as written.
pub(crate) fn unquoted(quoted: &str) -> &str {
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default()
}

/// Unescapes a scanned string with its quotes.
pub(crate) fn unescape(quoted: &str) -> Cow<'_, str> {
    let inner = unquoted(quoted);
    let Some(first) = memchr::memchr(b'\\', inner.as_bytes()) else {
        return Cow::Borrowed(inner);
    };
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    let mut escape = Some(first);
    while let Some(at) = escape {
        out.push_str(rest.get(..at).unwrap_or_default());
        let (character, length) = escaped(rest.as_bytes().get(at..).unwrap_or_default());
        out.push(character);
        rest = rest.get(at + length..).unwrap_or_default();
        escape = memchr::memchr(b'\\', rest.as_bytes());
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character of an escape and its length in bytes.
fn escaped(bytes: &[u8]) -> (char, usize) {
    match bytes.get(1) {
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(b'n') => ('\n', 2),
        Some(b'r') => ('\r', 2),
        Some(b't') => ('\t', 2),
        Some(b'u') => {
            let high = unit(bytes);
            if (0xd800..0xdc00).contains(&high)
                && let Some(rest) = bytes.get(6..)
                && rest.starts_with(b"\\u")
            {
                let low = unit(rest);
                if (0xdc00..0xe000).contains(&low) {
                    let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
                }
            }
            (char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER), 6)
        }
        Some(byte) => (char::from(*byte), 2),
        None => (char::REPLACEMENT_CHARACTER, 1),
    }
}

/// The four hexadecimal digits after `\u`.
fn unit(bytes: &[u8]) -> u32 {
    let digits = bytes.get(2..6).unwrap_or_default();
    digits.iter().fold(0, |value, digit| {
        value * 16 + char::from(*digit).to_digit(16).unwrap_or(0)
    })
}

/// A text as a JSON string.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(text, &mut out);
    out
}

/// Appends a text as a JSON string, escaping only where required.
pub fn push_quoted(text: &str, out: &mut String) {
    out.push('"');
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        let short = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..0x20 => "",
            _ => continue,
        };
        out.push_str(text.get(done..at).unwrap_or_default());
        if short.is_empty() {
            out.push_str("\\u00");
            out.push(char::from(b"0123456789abcdef"[usize::from(byte >> 4)]));
            out.push(char::from(b"0123456789abcdef"[usize::from(byte & 15)]));
        } else {
            out.push_str(short);
        }
        done = at + 1;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out.push('"');
}

/// A JSON text on one line, as stdio requires, with the same length: line breaks between tokens become spaces, and JSON
/// strings contain none.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(['\n', '\r'], " "))
}
