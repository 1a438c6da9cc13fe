//! Masks secrets before anything is queued.
//!
//! Every secret of 8 characters or more is searched for verbatim and in its encoded forms ([`forms`]): JSON-escaped (once
//! and twice), percent-encoded, in hex, and within base64 at each of the three alignments; each long line of a secret with
//! several lines also alone. The decoded text is searched too ([`views`]), for escapes that no library would write and for
//! encodings of encodings. Shorter secrets count only as whole words ([`short`]). Matches are replaced with `*`. The length
//! stays, so that spans into the frame are valid, and values of at least 16 characters keep their last 4, so that tokens can
//! be compared; digits of a JSON number become other digits ([`numbers`]), so that a message stays JSON. Live bytes are never
//! changed: only the recorded copy is masked.
//!
//! Secrets and their forms are erased from memory when a redactor is dropped. The automaton of the search is not: it belongs
//! to `aho-corasick`, which has no way to overwrite it, and holds the bytes of the forms as edges between states. A redactor
//! is replaced only when secrets are added, and lives as long as the store: while it lives, the forms are in memory anyway,
//! and for as long as a server is connected so is its secret, in its headers or its environment. A search by keyed hashes of
//! a rolling window would leave no copy, but needs one window for each length of a form, which is about a hundred passes
//! over each frame instead of one.

mod body;
mod forms;
mod http;
mod names;
mod numbers;
mod packed;
mod runs;
mod short;
mod views;

use std::borrow::Cow;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use bytes::{Bytes, BytesMut};
use patchbay_secret::Secret;

use crate::Description;
use forms::Form;
use packed::Budget;

pub(crate) use body::BodyMask;
pub use names::is_credential_field;

/// Shorter values are masked as whole words only: they would match too much.
const SHORTEST: usize = 8;
/// The total size of all forms, in bytes, above which the search is optimized for memory instead of speed.
const LARGE: usize = 16 * 1024;
/// The lengths at which a summary may have been truncated, possibly within a secret.
const CUT: usize = 200;
/// So much at the end of a text may be the beginning of an encoded character.
const CUT_ESCAPE: usize = 36;
/// How often what was unpacked is unpacked again.
const UNPACKED: usize = 2;
/// So much of a secret counts at the end of compressed data that is cut off.
const LEAST: usize = 6;

/// What a search finds.
#[derive(Default)]
struct Found {
    /// The ranges to mask, in any order.
    ranges: Vec<Range<usize>>,
    /// Where compressed data begins that goes on at the end of the text and has no secret so far.
    unfinished: Option<usize>,
}

/// Whether a recorder that masks this secret would mask anything here. Prepares a search for it alone: for what is seldom asked.
#[must_use]
pub fn has_secret(bytes: &[u8], secret: &Secret) -> bool {
    let alone = Redactor::none().and(vec![secret.clone()]);
    alone.is_some_and(|alone| !alone.find(bytes).is_empty())
}

/// Finds all forms of all secrets in one pass.
pub(crate) struct Redactor {
    secrets: Vec<Secret>,
    forms: Vec<Form>,
    /// The length of the longest form, at least three times that of the longest secret.
    longest: usize,
    search: Option<AhoCorasick>,
}

impl Redactor {
    pub(crate) fn none() -> Self {
        Self {
            secrets: Vec::new(),
            forms: Vec::new(),
            longest: 0,
            search: None,
        }
    }

    /// Adds these secrets; none if it has them all.
    pub(crate) fn and(&self, more: Vec<Secret>) -> Option<Self> {
        let mut secrets = self.secrets.clone();
        for secret in more {
            if secret.expose().chars().count() >= short::SHORTEST && !secrets.contains(&secret) {
                secrets.push(secret);
            }
        }
        if secrets.len() == self.secrets.len() {
            return None;
        }
        let mut forms: Vec<Form> = secrets
            .iter()
            .flat_map(|secret| match secret.expose().chars().count() < SHORTEST {
                true => vec![Form::word(secret.expose())],
                false => forms::of(secret.expose()),
            })
            .collect();
        forms.sort_unstable();
        forms.dedup();
        // The fastest search needs several hundred times the memory of its patterns.
        let large = forms.iter().map(|form| form.bytes.len()).sum::<usize>() > LARGE;
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(large.then_some(AhoCorasickKind::ContiguousNFA))
            .build(forms.iter().map(|form| &form.bytes))
            .map_err(|error| tracing::error!(%error, "secrets cannot be masked"))
            .ok();
        Some(Self {
            longest: forms
                .iter()
                .map(|form| form.bytes.len())
                .chain(secrets.iter().map(|secret| secret.expose().len() * 3))
                .max()
                .unwrap_or(0),
            search,
            secrets,
            forms,
        })
    }

    /// Whether there are any secrets.
    fn masks(&self) -> bool {
        self.search.is_some()
    }

    /// How many bytes a secret may take, however it is escaped.
    fn reach(&self) -> usize {
        views::reach(self.longest)
    }

    /// The bytes with every secret masked, and the number of secrets. Copies only if there are any.
    pub(crate) fn bytes(&self, bytes: Bytes) -> (Bytes, u32) {
        let found = self.find(&bytes);
        if found.is_empty() {
            return (bytes, 0);
        }
        let mut copy = BytesMut::from(&bytes[..]);
        let in_numbers = numbers::among(&bytes, &found);
        let count = mask(&mut copy, found);
        numbers::mask(&mut copy, &bytes, &in_numbers);
        (copy.freeze(), count)
    }

    /// The text with every secret masked.
    pub(crate) fn text(&self, text: &mut String) -> u32 {
        if self.search.is_none() {
            return 0;
        }
        let mut found = self.find(text.as_bytes());
        self.cut(text, &mut found);
        if found.is_empty() {
            return 0;
        }
        let mut copy = std::mem::take(text).into_bytes();
        let count = mask(&mut copy, found);
        *text = match String::from_utf8_lossy(&copy) {
            Cow::Borrowed(text) => text.to_owned(),
            Cow::Owned(text) => text,
        };
        count
    }

    /// Masks all text of a description that came from the wire.
    pub(crate) fn description(&self, description: &mut Description) {
        if self.search.is_none() {
            return;
        }
        if let Some(Cow::Owned(method)) = &mut description.method {
            self.text(method);
        }
        let Description {
            rpc_id,
            summary,
            tool,
            logger,
            ..
        } = description;
        let texts = [rpc_id, summary, tool, logger];
        for text in texts.into_iter().flatten() {
            self.text(text);
        }
        for violation in &mut description.violations {
            self.text(&mut violation.message);
            if let Some(pointer) = &mut violation.pointer {
                self.text(pointer);
            }
        }
    }

    /// The ranges to mask, in any order.
    fn find(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        self.search(bytes).ranges
    }

    fn search(&self, bytes: &[u8]) -> Found {
        let mut found = Found::default();
        if self.search.is_none() {
            return found;
        }
        found.ranges = self.matches(bytes);
        let mut budget = Budget::new();
        self.packed(bytes, &|range| range, bytes.len(), &mut budget, &mut found);
        views::each(bytes, self.longest, |view, source, end| {
            found.ranges.extend(self.matches(view).into_iter().map(source));
            let mut within = Found::default();
            self.packed(view, source, end, &mut budget, &mut within);
            // Compressed data that goes on beyond the part that was decoded cannot be searched.
            if let Some(from) = within.unfinished.filter(|_| end < bytes.len()) {
                found.ranges.push(from..bytes.len());
            }
            found.unfinished = [found.unfinished, within.unfinished].into_iter().flatten().min();
            found.ranges.extend(within.ranges);
        });
        found
    }

    /// Searches what is compressed in a view of a text. `end` is where that part of the text ends.
    fn packed(
        &self,
        view: &[u8],
        source: &dyn Fn(Range<usize>) -> Range<usize>,
        end: usize,
        budget: &mut Budget,
        found: &mut Found,
    ) {
        let mut holds = |unpacked: &[u8], is_cut: bool, budget: &mut Budget| {
            self.holds(unpacked, is_cut, budget, UNPACKED)
        };
        for packed in packed::find(view, budget, &mut holds) {
            let range = source(packed.range);
            if packed.is_masked {
                found.ranges.push(range);
            } else if range.end + CUT_ESCAPE >= end {
                found.unfinished = found.unfinished.into_iter().chain([range.start]).min();
            }
        }
    }

    /// Whether an unpacked text has a secret, or the beginning of one if it `is_cut` off.
    fn holds(&self, bytes: &[u8], is_cut: bool, budget: &mut Budget, depth: usize) -> bool {
        let mut found = self.matches(bytes);
        if found.is_empty() && is_cut {
            self.begun(bytes, LEAST, &mut found);
        }
        let mut is_found = !found.is_empty();
        if !is_found {
            views::each(bytes, self.longest, |view, _, _| {
                is_found = is_found || !self.matches(view).is_empty();
            });
        }
        let mut again = |unpacked: &[u8], is_cut: bool, budget: &mut Budget| {
            depth > 0 && self.holds(unpacked, is_cut, budget, depth - 1)
        };
        is_found
            || depth > 0
                && packed::find(bytes, budget, &mut again)
                    .iter()
                    .any(|packed| packed.is_masked)
    }

    /// The ranges to mask where a form is written exactly.
    fn matches(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let Some(search) = &self.search else {
            return Vec::new();
        };
        // The plain search is fast; the overlapping one also finds secrets within secrets.
        if !search.is_match(bytes) {
            return Vec::new();
        }
        search
            .find_overlapping_iter(bytes)
            .filter_map(|found| self.forms[found.pattern().as_usize()].masked(found.range(), bytes))
            .collect()
    }

    /// The start of a secret at the end of a text that may be truncated there.
    fn cut(&self, text: &str, found: &mut Vec<Range<usize>>) {
        let end = text.trim_end_matches('…').len();
        if end >= CUT {
            self.begun(&text.as_bytes()[..end], 4, found);
        }
    }

    /// The beginning of a secret at the end of the bytes, encoded or not, if it has at least this many.
    fn begun(&self, bytes: &[u8], least: usize, found: &mut Vec<Range<usize>>) {
        found.extend(self.begun_plain(bytes, least));
        let reach = self.reach().min(bytes.len());
        let from = bytes.len() - reach;
        views::each(&bytes[from..], self.longest, |view, source, _| {
            let begun = self.begun_plain(view, least).map(source);
            // What is decoded may end before the text does, but only by an escape that was cut off.
            found.extend(
                begun
                    .filter(|range| range.end + CUT_ESCAPE >= reach)
                    .map(|range| from + range.start..bytes.len()),
            );
        });
    }

    fn begun_plain(&self, bytes: &[u8], least: usize) -> Option<Range<usize>> {
        let end = bytes.len();
        let first = end.saturating_sub(self.longest);
        (first..(end + 1).saturating_sub(least))
            .find(|start| self.begins(&bytes[*start..]))
            .map(|start| start..end)
    }

    /// Whether a form begins with these bytes and goes on. The forms are sorted.
    fn begins(&self, bytes: &[u8]) -> bool {
        let from = self.forms.partition_point(|form| form.bytes.as_slice() < bytes);
        self.forms[from..]
            .iter()
            .take_while(|form| form.bytes.starts_with(bytes))
            .any(|form| form.bytes.len() > bytes.len() && !form.is_word())
    }
}

/// Masks the ranges; overlapping ones count once.
fn mask(bytes: &mut [u8], mut found: Vec<Range<usize>>) -> u32 {
    found.sort_by_key(|range| (range.start, range.end));
    let mut count = 0;
    let mut end = 0;
    for range in found {
        if count == 0 || range.start >= end {
            count += 1;
        }
        end = end.max(range.end);
        bytes[range].fill(b'*');
    }
    count
}

#[cfg(test)]
mod tests;
