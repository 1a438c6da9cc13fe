//! The forms a secret takes on the way.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// From this many characters on, the last [`KEPT`] stay.
const LONG: usize = 16;
const KEPT: usize = 4;

/// One form of a secret.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    pub(super) bytes: Vec<u8>,
    /// How many of its last bytes stay.
    kept: usize,
    /// A base64 character before and after holds some of its bits too.
    before: bool,
    after: bool,
}

impl Form {
    fn plain(bytes: Vec<u8>, kept: usize) -> Self {
        Self {
            bytes,
            kept,
            before: false,
            after: false,
        }
    }

    /// What to mask where the form was found.
    pub(super) fn masked(&self, found: Range<usize>, text: &[u8]) -> Range<usize> {
        let base64 = |at: usize| {
            text.get(at)
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte))
        };
        let before = self.before && found.start.checked_sub(1).is_some_and(base64);
        let after = self.after && base64(found.end);
        if after {
            return found.start - usize::from(before)..found.end + 1;
        }
        found.start - usize::from(before)..found.end - self.kept
    }
}

/// All forms of a secret.
pub(super) fn of(secret: &str) -> BTreeSet<Form> {
    let long = secret.chars().count() >= LONG;
    // Kept only if the last characters look the same in every form: half an escape sequence would not be JSON any more.
    let plain_end = secret
        .bytes()
        .rev()
        .take(KEPT)
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
    let kept = if long && plain_end { KEPT } else { 0 };

    let mut texts = BTreeSet::from([secret.to_owned()]);
    for slash in [false, true] {
        for unicode in [Unicode::Plain, Unicode::Lower, Unicode::Upper] {
            let once = json(secret, slash, unicode);
            texts.insert(json(&once, slash, unicode));
            texts.insert(once);
        }
    }
    for (upper, form) in [(true, false), (false, false), (true, true), (false, true)] {
        texts.insert(percent(secret, upper, form));
    }
    let mut forms: BTreeSet<Form> = texts
        .into_iter()
        .map(|text| Form::plain(text.into_bytes(), kept))
        .collect();
    for alignment in 0..3 {
        let mut padded = vec![0; alignment];
        padded.extend_from_slice(secret.as_bytes());
        let whole = (alignment * 8).div_ceil(6)..padded.len() * 8 / 6;
        for text in [STANDARD_NO_PAD.encode(&padded), URL_SAFE_NO_PAD.encode(&padded)] {
            forms.insert(Form {
                bytes: text.as_bytes()[whole.clone()].to_vec(),
                kept: if long { KEPT } else { 0 },
                before: alignment > 0,
                after: !(padded.len() * 8).is_multiple_of(6),
            });
        }
    }
    forms
}

#[derive(Clone, Copy, PartialEq)]
enum Unicode {
    Plain,
    Lower,
    Upper,
}

/// As the inside of a JSON string.
fn json(text: &str, slash: bool, unicode: Unicode) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '/' if slash => out.push_str("\\/"),
            other if other < ' ' || (!other.is_ascii() && unicode != Unicode::Plain) => {
                for unit in other.encode_utf16(&mut [0; 2]) {
                    let _ = match unicode {
                        Unicode::Upper => write!(out, "\\u{unit:04X}"),
                        _ => write!(out, "\\u{unit:04x}"),
                    };
                }
            }
            other => out.push(other),
        }
    }
    out
}

/// As in a URL (`form`: as in a form body, with `+` for a space).
fn percent(text: &str, upper: bool, form: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            b' ' if form => out.push('+'),
            _ => {
                let _ = if upper {
                    write!(out, "%{byte:02X}")
                } else {
                    write!(out, "%{byte:02x}")
                };
            }
        }
    }
    out
}
