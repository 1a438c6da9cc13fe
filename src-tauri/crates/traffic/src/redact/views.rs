//! A text as its readers see it: with escapes, base64 and hex decoded, and without line breaks.
//!
//! [`super::forms`] has a secret as libraries write it. A hostile peer may write each character in its own way
//! (`\u0061%62&#99;`), wrap a value over lines, or encode what is encoded. So the text itself is decoded too, up to two codecs
//! deep, and searched again for every form: a secret is found below three encodings.
//!
//! Deliberately not here: content that has to be unpacked ([`super::packed`]) or decrypted.

use std::ops::Range;

use super::runs::{BASE32_LOWER, BASE32_UPPER, BASE64, Digits, HEX};

/// The number of bytes that are decoded at once: positions are kept for each byte.
const WINDOW: usize = 256 << 10;
/// How many codecs are undone after one another, not counting line breaks.
const DEPTH: usize = 2;
/// How many times as long as its longest form a secret may be in a text: two escapes of JSON take 36 bytes for one, the
/// longest form at least three.
const EXPANSION: usize = 12;

/// A way to write single characters.
#[derive(Clone, Copy, PartialEq)]
enum Codec {
    /// `\n`, `\u0061`, and `\x61`, which is not JSON.
    Json,
    /// `%61`.
    Percent,
    /// `&#97;`, `&amp;`.
    Entity,
    /// Line breaks with the indentation after them: folded header fields, wrapped base64.
    Wrapped,
}

/// A decoded text.
#[derive(Default)]
pub(super) struct View {
    pub(super) bytes: Vec<u8>,
    /// Where each byte begins in the encoded text, and where that ends.
    pub(super) at: Vec<u32>,
    /// The digits that the bytes were written in. Two neighbours may share one.
    pub(super) digits: Option<Digits>,
}

/// The range of a text that a range of its decoded form was written in.
type Source<'a> = &'a dyn Fn(Range<usize>) -> Range<usize>;

/// Calls `found` with each decoded form of the text, a function that maps its ranges to those of the text, and where the part of
/// the text ends that was decoded. `longest` is the length of the longest secret that is searched for.
pub(super) fn each(text: &[u8], longest: usize, mut found: impl FnMut(&[u8], Source<'_>, usize)) {
    let reach = reach(longest);
    let mut from = 0;
    loop {
        let end = text.len().min(from + WINDOW + reach);
        let window = |range: Range<usize>| from + range.start..from + range.end;
        decoded(&text[from..end], &window, DEPTH, &mut |view, source| {
            let mapped = |range: Range<usize>| {
                let last = range.end.checked_sub(1).and_then(|last| view.get(last)).copied();
                let Range { start, mut end } = source(range);
                // A line break after it, which the view leaves out, does not belong to it.
                let space = |byte: &u8| matches!(byte, b'\r' | b'\n' | b' ' | b'\t');
                if !last.as_ref().is_some_and(space) {
                    end -= text[start..end]
                        .iter()
                        .rev()
                        .take_while(|byte| space(byte))
                        .count();
                }
                start..end
            };
            found(view, &mapped, end);
        });
        if end == text.len() {
            return;
        }
        from += WINDOW;
    }
}

/// How many bytes a secret of this length may take when it is encoded.
pub(super) fn reach(longest: usize) -> usize {
    (longest * EXPANSION).clamp(64, WINDOW / 4)
}

fn decoded(text: &[u8], outer: Source<'_>, depth: usize, found: &mut dyn FnMut(&[u8], Source<'_>)) {
    if let Some(view) = Codec::Wrapped.decode(text) {
        found(&view.bytes, &|range| outer(view.source(text, range)));
    }
    if depth == 0 {
        return;
    }
    let mut each = |view: &View| {
        let source = |range: Range<usize>| outer(view.source(text, range));
        found(&view.bytes, &source);
        decoded(&view.bytes, &source, depth - 1, found);
    };
    for codec in [Codec::Json, Codec::Percent, Codec::Entity] {
        if let Some(view) = codec.decode(text) {
            each(&view);
        }
    }
    let runs = BASE64.runs(text);
    // The digits of the others are digits of base64.
    if !runs.is_empty() {
        for digits in [HEX, BASE32_UPPER, BASE32_LOWER] {
            digits.views(text, &digits.runs(text), &mut each);
        }
        BASE64.views(text, &runs, &mut each);
    }
}

impl Codec {
    /// The decoded text; none if nothing is written this way.
    fn decode(self, text: &[u8]) -> Option<View> {
        let (first, second) = match self {
            Self::Json => (b'\\', b'\\'),
            Self::Percent => (b'%', b'%'),
            Self::Entity => (b'&', b'&'),
            Self::Wrapped => (b'\n', b'\r'),
        };
        let mut next = memchr::memchr2(first, second, text)?;
        let mut view = View {
            bytes: Vec::with_capacity(text.len()),
            at: Vec::with_capacity(text.len() + 1),
            digits: None,
        };
        let mut from = 0;
        let mut changed = false;
        loop {
            view.copy(text, from..next);
            if next == text.len() {
                break;
            }
            let rest = &text[next..];
            let mut buffer = [0; 4];
            let (written, taken): (&[u8], usize) = match self {
                Self::Wrapped => (&[], line_break(rest)),
                Self::Percent => match hex(rest.get(1..3)) {
                    Some(value) => {
                        buffer[0] = value as u8;
                        (&buffer[..1], 3)
                    }
                    None => (&[], 0),
                },
                Self::Json => match json(rest) {
                    Some((character, taken)) => (character.encode_utf8(&mut buffer).as_bytes(), taken),
                    None => (&[], 0),
                },
                Self::Entity => match entity(rest) {
                    Some((character, taken)) => (character.encode_utf8(&mut buffer).as_bytes(), taken),
                    None => (&[], 0),
                },
            };
            if taken == 0 && self.is_begun(rest) {
                changed = true;
                break;
            }
            if taken == 0 {
                view.copy(text, next..next + 1);
                from = next + 1;
            } else {
                changed = true;
                view.bytes.extend_from_slice(written);
                view.at.resize(view.bytes.len(), next as u32);
                from = next + taken;
            }
            next = memchr::memchr2(first, second, &text[from..]).map_or(text.len(), |at| from + at);
        }
        view.at.push(text.len() as u32);
        changed.then_some(view)
    }

    /// Whether the text ends within an escape: it was cut off there. Such a rest is left out, so that what is before it is
    /// compared with the beginnings of secrets.
    fn is_begun(self, rest: &[u8]) -> bool {
        let longest = match self {
            Self::Json => 12,
            Self::Percent => 3,
            Self::Entity => 10,
            Self::Wrapped => 0,
        };
        let inside = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'\\');
        rest.len() < longest && rest[1..].iter().all(inside)
    }
}

impl View {
    /// Where the range was written in the encoded text.
    fn source(&self, text: &[u8], range: Range<usize>) -> Range<usize> {
        let at = |index: usize| self.at.get(index).map_or(text.len(), |at| *at as usize);
        let start = at(range.start);
        let end = match (self.digits, range.end.checked_sub(1)) {
            (Some(digits), Some(last)) if last >= range.start => digits.after(text, at(last)),
            _ => at(range.end),
        };
        start..end.max(start)
    }

    fn copy(&mut self, text: &[u8], range: Range<usize>) {
        self.bytes.extend_from_slice(&text[range.clone()]);
        self.at.extend(range.start as u32..range.end as u32);
    }
}

fn hex(digits: Option<&[u8]>) -> Option<u32> {
    let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// The character of an escape, and the bytes that it takes.
fn json(rest: &[u8]) -> Option<(char, usize)> {
    Some(match rest.get(1)? {
        b'n' => ('\n', 2),
        b'r' => ('\r', 2),
        b't' => ('\t', 2),
        b'b' => ('\u{8}', 2),
        b'f' => ('\u{c}', 2),
        plain @ (b'"' | b'\\' | b'/' | b'\'') => (char::from(*plain), 2),
        b'x' => (char::from_u32(hex(rest.get(2..4))?)?, 4),
        b'u' => {
            let high = hex(rest.get(2..6))?;
            if let Some(character) = char::from_u32(high) {
                return Some((character, 6));
            }
            let low = hex(rest.get(8..12)).filter(|_| rest[6..].starts_with(b"\\u"))?;
            let pair = char::decode_utf16([u16::try_from(high).ok()?, u16::try_from(low).ok()?]).next();
            (pair?.ok()?, 12)
        }
        _ => return None,
    })
}

fn entity(rest: &[u8]) -> Option<(char, usize)> {
    const NAMES: [(&[u8], char); 5] = [
        (b"&amp;", '&'),
        (b"&lt;", '<'),
        (b"&gt;", '>'),
        (b"&quot;", '"'),
        (b"&apos;", '\''),
    ];
    if let Some((name, character)) = NAMES.iter().find(|(name, _)| rest.starts_with(name)) {
        return Some((*character, name.len()));
    }
    let digits = rest.strip_prefix(b"&#")?;
    let end = digits.iter().take(9).position(|byte| *byte == b';')?;
    let code = match digits[..end]
        .strip_prefix(b"x")
        .or(digits[..end].strip_prefix(b"X"))
    {
        Some(digits) => hex(Some(digits))?,
        None => std::str::from_utf8(&digits[..end]).ok()?.parse().ok()?,
    };
    Some((char::from_u32(code)?, end + 3))
}

/// The length of a line break with the indentation after it.
fn line_break(rest: &[u8]) -> usize {
    let breaks = rest
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .count();
    let indent = rest[breaks..]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    breaks + indent
}
