//! The encoded forms of a secret.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use data_encoding::{BASE32_NOPAD, BASE32HEX_NOPAD};
use zeroize::Zeroize as _;

use super::short;

/// Values of at least this length keep their last [`KEPT`] characters.
const LONG: usize = 16;
const KEPT: usize = 4;

/// Lines of a secret that are shorter than this are not searched for alone.
const LINE: usize = 12;

/// One form of a secret. Its memory is overwritten when it is dropped; that of the search, which has a copy, is not.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    pub(super) bytes: Vec<u8>,
    /// The number of final bytes that are kept.
    kept: usize,
    /// Whether the digits (of base64, of base32) before and after contain some of its bits too.
    before: bool,
    after: bool,
    /// Whether it counts as a whole word only.
    word: bool,
}

impl Drop for Form {
    fn drop(&mut self) {
        self.bytes.zeroize();
    }
}

impl Form {
    fn plain(bytes: Vec<u8>, kept: usize) -> Self {
        Self {
            bytes,
            kept,
            before: false,
            after: false,
            word: false,
        }
    }

    /// A short secret.
    pub(super) fn word(secret: &str) -> Self {
        let mut form = Self::plain(secret.as_bytes().to_vec(), 0);
        form.word = true;
        form
    }

    pub(super) fn is_word(&self) -> bool {
        self.word
    }

    /// The range to mask where the form was found; none if it does not count there.
    pub(super) fn masked(&self, found: Range<usize>, text: &[u8]) -> Option<Range<usize>> {
        if self.word {
            return short::is_whole(found.clone(), text).then_some(found);
        }
        let base64 = |at: usize| {
            text.get(at)
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte))
        };
        let before = self.before && found.start.checked_sub(1).is_some_and(base64);
        let after = self.after && base64(found.end);
        let start = found.start - usize::from(before);
        Some(match after {
            true => start..found.end + 1,
            false => start..found.end - self.kept,
        })
    }
}

/// All forms of a secret: of the whole text, and of each long line of it.
pub(super) fn of(secret: &str) -> Vec<Form> {
    let mut forms = of_text(secret);
    let whole = secret.trim();
    if whole.len() < secret.len() && whole.len() >= LINE {
        forms.extend(of_text(whole));
    }
    if whole.contains(['\n', '\r']) {
        let lines = whole.split(['\n', '\r']).map(str::trim);
        // The first and the last line of a PEM file are the same everywhere.
        for line in lines.filter(|line| line.len() >= LINE && !line.starts_with("-----")) {
            forms.extend(of_text(line));
        }
    }
    forms
}

/// The forms of a text without regard to its lines.
fn of_text(secret: &str) -> Vec<Form> {
    let long = secret.chars().count() >= LONG;
    // Kept only if the last characters are the same in every form: half an escape sequence would not be valid JSON.
    let plain_end = secret
        .bytes()
        .rev()
        .take(KEPT)
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
    let kept = if long && plain_end { KEPT } else { 0 };

    // Names of header fields and hosts arrive in lowercase.
    let mut texts = BTreeSet::from([
        secret.to_owned(),
        secret.to_ascii_lowercase(),
        secret.to_ascii_uppercase(),
    ]);
    // What is written as base64: the secret itself, or JSON with it.
    let mut encoded = BTreeSet::from([secret.to_owned()]);
    for escaping in ESCAPINGS {
        let once = json(secret, escaping);
        texts.insert(json(&once, escaping));
        encoded.insert(once.clone());
        texts.insert(once);
    }
    for (kept, plus) in UNESCAPED {
        for upper in [true, false] {
            texts.insert(percent(secret, kept, *plus, upper));
        }
    }
    let mut forms: Vec<Form> = texts
        .into_iter()
        .map(|text| Form::plain(text.into_bytes(), kept))
        .collect();
    forms.extend(in_hex(secret));
    forms.extend(in_utf16(secret));
    forms.extend(in_base32(secret));
    for mut text in encoded {
        forms.extend(in_base64(&text, long));
        text.zeroize();
    }
    forms
}

fn in_hex(secret: &str) -> [Form; 2] {
    let lower: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    let upper = lower.to_ascii_uppercase();
    [lower, upper].map(|text| Form::plain(text.into_bytes(), 0))
}

fn in_utf16(secret: &str) -> [Form; 2] {
    let little = secret.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big = secret.encode_utf16().flat_map(u16::to_be_bytes).collect();
    [little, big].map(|bytes| Form::plain(bytes, 0))
}

/// Within base32, at each of the five alignments, in both alphabets of RFC 4648 and in both cases.
fn in_base32(secret: &str) -> Vec<Form> {
    let mut forms = Vec::new();
    for alignment in 0..5 {
        let mut padded = vec![0; alignment];
        padded.extend_from_slice(secret.as_bytes());
        let whole = (alignment * 8).div_ceil(5)..padded.len() * 8 / 5;
        for mut text in [BASE32_NOPAD.encode(&padded), BASE32HEX_NOPAD.encode(&padded)] {
            let upper = &text[whole.clone()];
            for text in [upper.to_owned(), upper.to_ascii_lowercase()] {
                let mut form = Form::plain(text.into_bytes(), 0);
                form.before = !(alignment * 8).is_multiple_of(5);
                form.after = !(padded.len() * 8).is_multiple_of(5);
                forms.push(form);
            }
            text.zeroize();
        }
        padded.zeroize();
    }
    forms
}

/// Within base64, at each of the three alignments.
fn in_base64(secret: &str, long: bool) -> Vec<Form> {
    let mut forms = Vec::new();
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
                forms.push(Form {
                    bytes: text.into_bytes(),
                    kept,
                    before: alignment > 0,
                    after: !(padded.len() * 8).is_multiple_of(6),
                    word: false,
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
