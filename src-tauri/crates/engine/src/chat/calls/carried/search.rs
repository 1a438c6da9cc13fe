//! Finds the parts of a call's arguments in other texts: whole values, words that are not ordinary ones (an address, a number, a
//! key), and runs of several words. It finds what was copied, not what was rephrased or encoded.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use aho_corasick::AhoCorasick;
use patchbay_protocol::json;

/// The minimum length of a compared value or word, in characters: shorter ones are too common.
const SHORTEST: usize = 8;
/// The minimum length of a value that has only letters, in characters.
const SHORTEST_WORD: usize = 12;
/// The maximum number of digits, with the separators between them, that still counts as common.
const MOST_COMMON_DIGITS: usize = 9;
/// The minimum length of a word without a digit that is compared by itself, in characters.
const LONG_WORD: usize = 20;
/// The number of words in a row that are compared as one run.
const RUN: usize = 6;
/// The minimum length of a run, in bytes.
const RUN_BYTES: usize = 28;
/// The maximum length of a value that is compared whole, in bytes; longer ones are compared by their words and runs.
const LONGEST_VALUE: usize = 4 << 10;
/// The maximum number of parts of the arguments that are searched for.
const MOST_PARTS: usize = 5_000;
/// The maximum number of bytes of these parts together.
const MOST_PART_BYTES: usize = 512 << 10;
/// The maximum time of one search.
const MOST_TIME: Duration = Duration::from_secs(2);
/// The length in bytes from which a word is not compared, which is said: nothing but encoded data has such words.
const LARGE_WORD: usize = 64 << 10;

/// The parts of arguments that say where they are from.
#[derive(Debug, Default)]
pub(in crate::chat) struct Parts {
    texts: Vec<String>,
    bytes: usize,
    /// Whether some were left out, because there are too many.
    pub(in crate::chat) is_cut: bool,
}

/// Where a part was found: the number of the part, and that of the text.
pub(super) type Hit = (usize, usize);

impl Parts {
    /// The parts of arguments: JSON text.
    pub(in crate::chat) fn of(arguments: &str) -> Self {
        let mut parts = Self::default();
        each_value(arguments, |value| parts.take(value));
        parts
    }

    pub(super) fn text(&self, number: usize) -> &str {
        self.texts.get(number).map_or("", |text| text)
    }

    pub(in crate::chat) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    fn take(&mut self, value: &str) {
        let whole = value.trim();
        if whole.len() <= LONGEST_VALUE && is_telling_value(whole) {
            self.push(whole);
        }
        for word in words(whole) {
            if word.len() >= LARGE_WORD {
                self.is_cut = true;
            } else if word.len() < whole.len() && is_telling_word(word) {
                self.push(word);
            }
        }
        let places: Vec<Range<usize>> = places(whole).collect();
        for run in places.windows(RUN) {
            if let [first, .., last] = run
                && last.end - first.start >= RUN_BYTES
                && last.end - first.start < whole.len()
            {
                self.push(&whole[first.start..last.end]);
            }
        }
    }

    fn push(&mut self, part: &str) {
        if self.texts.len() >= MOST_PARTS || self.bytes + part.len() > MOST_PART_BYTES {
            self.is_cut = true;
            return;
        }
        self.bytes += part.len();
        self.texts.push(part.to_owned());
    }

    /// Where the parts are in these texts, each pair once; and whether all texts were looked at.
    pub(super) fn find<'a>(&self, texts: impl Iterator<Item = &'a str>) -> (Vec<Hit>, bool) {
        let begun = Instant::now();
        let Ok(search) = AhoCorasick::new(&self.texts) else {
            return (Vec::new(), false);
        };
        let mut hits = Vec::new();
        let mut seen = vec![usize::MAX; self.texts.len()];
        let mut places: u32 = 0;
        for (number, text) in texts.enumerate() {
            if begun.elapsed() > MOST_TIME {
                return (hits, false);
            }
            for found in search.find_overlapping_iter(text) {
                // A part can be at each place of a text of megabytes.
                places = places.wrapping_add(1);
                if places.is_multiple_of(4_096) && begun.elapsed() > MOST_TIME {
                    return (hits, false);
                }
                let part = found.pattern().as_usize();
                if seen[part] != number && is_apart(text, found.range()) {
                    seen[part] = number;
                    hits.push((part, number));
                }
            }
        }
        (hits, true)
    }
}

/// Whether a place in a text begins and ends where a word does.
fn is_apart(text: &str, range: Range<usize>) -> bool {
    let joins = |before: Option<char>, after: Option<char>| {
        before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
    };
    let part = &text[range.clone()];
    let (before, after) = (&text[..range.start], &text[range.end..]);
    !joins(before.chars().next_back(), part.chars().next())
        && !joins(part.chars().next_back(), after.chars().next())
}

/// Whether a whole value says where it is from.
fn is_telling_value(value: &str) -> bool {
    let length = value.chars().count();
    let least = match value.chars().all(|c| c.is_alphabetic() || c.is_whitespace()) {
        true => SHORTEST_WORD,
        false => SHORTEST,
    };
    length >= least && !is_common_number(value) && has_variety(value)
}

fn is_telling_word(word: &str) -> bool {
    let length = word.chars().count();
    let is_special = word.contains(|c: char| c.is_ascii_digit() || c == '@');
    let is_long = length >= SHORTEST && is_special || length >= LONG_WORD;
    is_long && !is_common_number(word) && has_variety(word)
}

/// A date, a time, or another number that is not long.
fn is_common_number(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    digits <= MOST_COMMON_DIGITS && text.chars().all(|c| !c.is_alphabetic())
}

/// `--------` and `00000000` say nothing.
fn has_variety(text: &str) -> bool {
    let mut seen: Vec<char> = Vec::new();
    for c in text.chars() {
        if !seen.contains(&c) {
            seen.push(c);
        }
        if seen.len() > 3 {
            return true;
        }
    }
    false
}

/// The words of a text: what is between spaces and punctuation, but for what is within addresses, numbers and keys.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | '+' | ':');
    text.split(move |c: char| !inner(c))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
}

/// Where the runs of characters between white space are.
fn places(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_whitespace().map(move |word| json::span_of(text, word))
}

/// Calls `take` with each string and each number of a JSON text, decoded; of one that is not JSON, with what looks like
/// them. One pass, however deep it is.
pub(in crate::chat) fn each_value(raw: &str, mut take: impl FnMut(&str)) {
    let bytes = raw.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        match byte {
            b'"' => {
                at += 1;
                while bytes.get(at).is_some_and(|byte| *byte != b'"') {
                    at += match bytes[at] {
                        b'\\' => 2,
                        _ => 1,
                    };
                }
                at = (at + 1).min(bytes.len());
                if let Some(text) = raw.get(start..at).and_then(json::string) {
                    take(&text);
                }
            }
            b'-' | b'0'..=b'9' => {
                let is_in = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                at += bytes[at..].iter().take_while(|byte| is_in(byte)).count();
                take(&raw[start..at]);
            }
            _ => at += 1,
        }
    }
}
