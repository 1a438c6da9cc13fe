//! Masks secrets before anything is queued.
//!
//! Every secret of 8 characters or more is searched for verbatim and in its encoded forms ([`forms`]): JSON-escaped (once
//! and twice), percent-encoded, in hex, and within base64 at each of the three alignments; each long line of a secret with
//! several lines also alone. The decoded text is searched too ([`views`]), for escapes that no library would write. Shorter
//! secrets count only as whole words ([`short`]). Matches are replaced with `*`. The length stays, so that spans into the
//! frame are valid, and values of at least 16 characters keep their last 4, so that tokens can be compared. Live bytes are
//! never changed: only the recorded copy is masked.

mod body;
mod forms;
mod http;
mod names;
mod short;
mod views;

use std::borrow::Cow;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use bytes::{Bytes, BytesMut};
use patchbay_secret::Secret;

use crate::Description;
use forms::Form;

pub(crate) use body::BodyMask;
pub use names::is_credential_field;

/// Shorter values are masked as whole words only: they would match too much.
const SHORTEST: usize = 8;
/// The total size of all forms, in bytes, above which the search is optimized for memory instead of speed.
const LARGE: usize = 16 * 1024;
/// The lengths at which a summary may have been truncated, possibly within a secret.
const CUT: usize = 200;

/// Finds all forms of all secrets in one pass.
pub(crate) struct Redactor {
    secrets: Vec<Secret>,
    forms: Vec<Form>,
    /// The length of the longest form.
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
            longest: forms.iter().map(|form| form.bytes.len()).max().unwrap_or(0),
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
        let count = mask(&mut copy, found);
        (copy.freeze(), count)
    }

    /// The text with every secret masked.
    pub(crate) fn text(&self, text: &mut String) -> u32 {
        if self.search.is_none() {
            return 0;
        }
        let mut found = self.find(text.as_bytes());
        found.extend(self.cut(text));
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
        if self.search.is_none() {
            return Vec::new();
        }
        let mut found = self.matches(bytes);
        views::each(bytes, self.longest, |view, source| {
            found.extend(self.matches(view).into_iter().map(source));
        });
        found
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
    fn cut(&self, text: &str) -> Option<Range<usize>> {
        let end = text.trim_end_matches('…').len();
        let bytes = &text.as_bytes()[..end];
        if end < CUT {
            return None;
        }
        self.begun(bytes, 4)
    }

    /// The beginning of a secret at the end of the bytes, if it has at least this many.
    fn begun(&self, bytes: &[u8], least: usize) -> Option<Range<usize>> {
        let longest = |form: &Form| {
            (least..form.bytes.len().min(bytes.len() + 1))
                .rev()
                .find(|length| bytes.ends_with(&form.bytes[..*length]))
        };
        let forms = self.forms.iter().filter(|form| !form.is_word());
        let longest = forms.filter_map(longest).max()?;
        Some(bytes.len() - longest..bytes.len())
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
