//! Secrets within the numbers of a JSON text. With `*` in it a number would not be JSON, and neither would the message.
//!
//! Each digit is masked with the same digit instead: signs, the point and the exponent stay, so that it is a number still.

use std::ops::Range;

/// Masks a digit. Not `0`, which a longer number may not begin with.
const DIGIT: u8 = b'9';

/// The ranges of those that were found which are within a number.
pub(super) fn among(text: &[u8], found: &[Range<usize>]) -> Vec<Range<usize>> {
    let is_like_number = |range: &&Range<usize>| text[(*range).clone()].iter().all(in_number);
    let mut ranges: Vec<_> = found.iter().filter(is_like_number).cloned().collect();
    let first = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    if ranges.is_empty() || !matches!(first.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return Vec::new();
    }
    ranges.sort_by_key(|range| range.start);
    let (mut at, mut in_string) = (0, false);
    ranges.retain(|range| {
        while at < range.start {
            match text[at] {
                b'"' => in_string = !in_string,
                b'\\' if in_string => at += 1,
                _ => {}
            }
            at += 1;
        }
        !in_string && is_in_number(text, range)
    });
    ranges
}

/// Masks these ranges of `masked`, which were written as in `text`.
pub(super) fn mask(masked: &mut [u8], text: &[u8], ranges: &[Range<usize>]) {
    for at in ranges.iter().cloned().flatten() {
        masked[at] = match text[at].is_ascii_digit() {
            true => DIGIT,
            false => text[at],
        };
    }
}

/// Whether a range outside of strings is within a number, which is the value of a member or an element.
fn is_in_number(text: &[u8], range: &Range<usize>) -> bool {
    let before = text[..range.start]
        .iter()
        .rev()
        .take_while(|byte| in_number(byte))
        .count();
    let after = text[range.end..]
        .iter()
        .take_while(|byte| in_number(byte))
        .count();
    let number = range.start - before..range.end + after;
    let follows = text[..number.start].trim_ascii_end().last();
    let next = text[number.end..].trim_ascii_start().first();
    matches!(follows, Some(b':' | b',' | b'['))
        && matches!(next, Some(b',' | b'}' | b']'))
        && serde_json::from_slice::<serde::de::IgnoredAny>(&text[number]).is_ok()
}

fn in_number(byte: &u8) -> bool {
    byte.is_ascii_digit() || b"+-.eE".contains(byte)
}
