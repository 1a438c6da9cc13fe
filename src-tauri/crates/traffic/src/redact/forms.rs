//! The encoded forms of a secret.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// Values of at least this length keep their last [`KEPT`] characters.
const LONG: usize = 16;
const KEPT: usize = 4;

/// One form of a secret.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    pub(super) bytes: Vec<u8>,
    /// The number of final bytes that are kept.
    kept: usize,
    /// Whether the base64 characters before and after contain some of its bits too.
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

    /// The range to mask where the form was found.
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
    // Kept only if the last characters are the same in every form: half an escape sequence would not be valid JSON.
    let plain_end = secret
        .bytes()
        .rev()
        .take(KEPT)
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
    let kept = if long && plain_end { KEPT } else { 0 };

    let mut texts = BTreeSet::from([secret.to_owned()]);
    for escaping in ESCAPINGS {
        let once = json(secret, escaping);
        texts.insert(json(&once, escaping));
        texts.insert(once);
    }
    for (kept, plus) in UNESCAPED {
        for upper in [true, false] {
            texts.insert(percent(secret, kept, *plus, upper));
        }
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
            let text = &text[whole.clone()];
            // In a query, `+` and `/` are escaped again; the kept part may then be half an escape.
            for (text, kept) in [
                (text.to_owned(), if long { KEPT } else { 0 }),
                (percent(text, "-_", false, true), 0),
                (percent(text, "-_", false, false), 0),
            ] {
                forms.insert(Form {
                    bytes: text.into_bytes(),
                    kept,
                    before: alignment > 0,
                    after: !(padded.len() * 8).is_multiple_of(6),
                });
            }
        }
    }
    forms
}

/// How a JSON writer escapes optional characters.
#[derive(Clone, Copy)]
struct Escaping {
    /// `/` as `\/`.
    slash: bool,
    /// These as `\u…`, including a quotation mark.
    more: &'static str,
    /// All non-ASCII characters as `\u…`.
    ascii: bool,
    /// With uppercase digits.
    upper: bool,
}

const fn escaping(slash: bool, more: &'static str, ascii: bool, upper: bool) -> Escaping {
    Escaping {
        slash,
        more,
        ascii,
        upper,
    }
}

/// The defaults of the libraries of most languages.
const ESCAPINGS: [Escaping; 9] = [
    // JavaScript, Rust, and Python with `ensure_ascii=False`.
    escaping(false, "", false, false),
    // Python, Ruby.
    escaping(false, "", true, false),
    escaping(false, "", true, true),
    // PHP.
    escaping(true, "", true, false),
    escaping(true, "", false, false),
    escaping(true, "", true, true),
    // Go.
    escaping(false, "<>&\u{2028}\u{2029}", false, false),
    // Java's Gson.
    escaping(false, "<>&='\u{2028}\u{2029}", false, false),
    // .NET.
    escaping(false, "\"&'+<>`\u{7f}", true, true),
];

/// As the content of a JSON string.
fn json(text: &str, escaping: Escaping) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let more = escaping.more.contains(character) || (escaping.ascii && !character.is_ascii());
        match character {
            _ if more => unicode(character, escaping.upper, &mut out),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '/' if escaping.slash => out.push_str("\\/"),
            other if other < ' ' => unicode(other, escaping.upper, &mut out),
            other => out.push(other),
        }
    }
    out
}

fn unicode(character: char, upper: bool, out: &mut String) {
    for unit in character.encode_utf16(&mut [0; 2]) {
        let _ = match upper {
            true => write!(out, "\\u{unit:04X}"),
            false => write!(out, "\\u{unit:04x}"),
        };
    }
}

/// The unescaped characters besides letters and digits, and whether a space becomes `+`.
const UNESCAPED: &[(&str, bool)] = &[
    // RFC 3986: unreserved characters.
    ("-_.~", false),
    ("-_.~", true),
    // `encodeURIComponent`.
    ("-_.~!'()*", false),
    // `encodeURI`.
    ("-_.~!'()*;,/?:@&=+$#", false),
    // A form (WHATWG).
    ("-_.*", true),
    // A query (WHATWG), of http and of other schemes.
    ("-_.~!$%&()*+,/:;=?@[\\]^`{|}", false),
    ("-_.~!$%&'()*+,/:;=?@[\\]^`{|}", false),
    // User and password in a URL (WHATWG).
    ("-_.~!$%&'()*+,", false),
    // Nothing.
    ("", false),
];

/// As in a URL or a form.
fn percent(text: &str, kept: &str, plus: bool, upper: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            _ if byte.is_ascii_alphanumeric() || kept.as_bytes().contains(&byte) => {
                out.push(char::from(byte));
            }
            b' ' if plus => out.push('+'),
            _ => {
                let _ = match upper {
                    true => write!(out, "%{byte:02X}"),
                    false => write!(out, "%{byte:02x}"),
                };
            }
        }
    }
    out
}
