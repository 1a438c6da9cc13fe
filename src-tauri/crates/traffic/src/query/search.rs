//! Reads records for which the index cannot decide whether a filter matches: their text, their id, a number near a bound.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use aho_corasick::AhoCorasick;
use bytes::Bytes;
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use crate::disk::read::{bytes_of, member_bytes, stages_hold};
use crate::query::filter::{Filter, Limit, Pattern, Test};
use crate::query::grams::{BLOCK, Needed, PAGE};
use crate::query::index::Set;
use crate::shared::Shared;
use crate::{Kind, Seq};

/// With fewer candidates in a block, each is read separately.
const SPARSE: u64 = 12;
/// As many pages are searched in one snapshot: taking one costs as much as reading a word of the index. A snapshot that is held
/// for long keeps the write-ahead log from being emptied.
const SNAPSHOT: u32 = 16;

/// The limits of a search.
pub(crate) struct SearchLimits<'a> {
    /// Set when nobody waits for it any more.
    pub(crate) given_up: &'a AtomicBool,
    /// It pauses at this time.
    pub(crate) until: Option<Instant>,
    /// It pauses after this many matches.
    pub(crate) enough: u64,
}

impl SearchLimits<'_> {
    fn is_over(&self, found: u64) -> bool {
        self.given_up.load(Ordering::Relaxed)
            || found >= self.enough
            || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

enum Look {
    /// `None`: a text that cannot occur anywhere.
    Text(Option<AhoCorasick>),
    Id(Vec<String>),
    /// The ids as JSON strings.
    Task(Vec<String>),
    Duration(Limit),
    Size(Limit),
    Method(Vec<Pattern>),
    Tool(Vec<Pattern>),
    Rule(Vec<Pattern>),
    OtherRule(Vec<Pattern>),
    Logger(Vec<Pattern>),
}

/// The tests that require reading a record.
pub(crate) struct Search {
    /// With whether the test is negated.
    looks: Vec<(bool, Look)>,
    needed: Vec<Needed>,
    reads_text: bool,
}

/// Caches of a search.
#[derive(Default)]
struct Caches {
    /// Whether a body that several records share contains the text of a test.
    blobs: HashMap<(usize, i64), bool>,
    /// The frame read last, because members are mostly consecutive.
    frame: Option<(i64, Bytes)>,
}

impl Search {
    /// `None` if the index alone is sufficient.
    pub(crate) fn new(filter: &Filter) -> Option<Self> {
        let mut search = Self {
            looks: Vec::new(),
            needed: Vec::new(),
            reads_text: false,
        };
        for term in &filter.terms {
            let look = match &term.test {
                Test::Text(text) if text.is_empty() => continue,
                Test::Text(text) => {
                    search.reads_text = true;
                    let forms = forms(text);
                    if !term.negated {
                        search.needs(&forms);
                    }
                    let builder = AhoCorasick::builder().ascii_case_insensitive(true).build(forms);
                    Look::Text(builder.ok())
                }
                Test::Id(ids) => {
                    // The id as JSON text, or the content of a JSON string.
                    let quoted = ids.iter().filter_map(|id| serde_json::to_string(id).ok());
                    let ids: Vec<String> = ids.iter().cloned().chain(quoted).collect();
                    if !term.negated {
                        search.needed.push(Needed::ids(&ids));
                    }
                    Look::Id(ids)
                }
                Test::Task(ids) => {
                    search.reads_text = true;
                    let quoted: Vec<String> = ids
                        .iter()
                        .filter_map(|id| serde_json::to_string(id).ok())
                        .collect();
                    if !term.negated {
                        search.needs(&quoted);
                    }
                    Look::Task(quoted)
                }
                Test::Duration(limit) => Look::Duration(*limit),
                Test::Size(limit) => Look::Size(*limit),
                Test::Method(patterns) => Look::Method(patterns.clone()),
                Test::Tool(patterns) => Look::Tool(patterns.clone()),
                Test::Rule(patterns) => Look::Rule(patterns.clone()),
                Test::OtherRule(patterns) => Look::OtherRule(patterns.clone()),
                Test::Logger(patterns) => Look::Logger(patterns.clone()),
                Test::Server(_)
                | Test::Connection(_)
                | Test::Origin(_)
                | Test::Kind(_)
                | Test::Direction(_)
                | Test::Status(_)
                | Test::Operation(_)
                | Test::Log(_)
                | Test::After(_)
                | Test::Violation => continue,
            };
            search.looks.push((term.negated, look));
        }
        (!search.looks.is_empty()).then_some(search)
    }

    /// Adds that a record must have one of these texts.
    fn needs(&mut self, texts: &[String]) {
        self.needed.push(Needed::texts(texts.iter().map(String::as_str)));
    }

    /// Whether it reads the text of records.
    pub(crate) fn reads_text(&self) -> bool {
        self.reads_text
    }

    /// Reads candidates, newest first, until a limit is reached. They are removed from `candidates`, and matches are added
    /// to `found`.
    pub(crate) fn advance(
        &self,
        db: &Connection,
        shared: &Shared,
        candidates: &mut Set,
        found: &mut Set,
        limits: &SearchLimits<'_>,
    ) -> rusqlite::Result<()> {
        let mut caches = Caches::default();
        let mut page: Option<(u64, u64)> = None;
        let mut pages = 0_u32;
        let mut snapshot = None;
        while let Some(newest) = candidates.max() {
            if limits.is_over(found.len()) {
                return Ok(());
            }
            let number = newest / PAGE;
            let blocks = match page {
                Some((known, blocks)) if known == number => blocks,
                _ => {
                    if pages.is_multiple_of(SNAPSHOT) {
                        drop(snapshot.take());
                        snapshot = Some(db.unchecked_transaction()?);
                    }
                    pages += 1;
                    let mut blocks = u64::MAX;
                    for needed in &self.needed {
                        blocks &= needed.blocks(number, db, &shared.text)?;
                    }
                    page = Some((number, blocks));
                    blocks
                }
            };
            let block = newest % PAGE / BLOCK;
            // Only blocks up to this one are left.
            match blocks & u64::MAX >> (63 - block) {
                0 => {
                    candidates.remove_range(number * PAGE..=newest);
                }
                left => {
                    let worth = 63 - u64::from(left.leading_zeros());
                    let first = number * PAGE + worth * BLOCK;
                    self.block(db, first, candidates, found, &mut caches)?;
                    candidates.remove_range(first..=newest);
                }
            }
        }
        Ok(())
    }

    fn block(
        &self,
        db: &Connection,
        first: Seq,
        candidates: &Set,
        found: &mut Set,
        caches: &mut Caches,
    ) -> rusqlite::Result<()> {
        let last = first + BLOCK - 1;
        let few = candidates.range_cardinality(first..=last);
        if few >= SPARSE {
            return self.scan(db, first, last, candidates, found, caches);
        }
        let mut iter = candidates.iter();
        iter.advance_to(first);
        for seq in iter.take_while(|seq| *seq <= last) {
            self.scan(db, seq, seq, candidates, found, caches)?;
        }
        Ok(())
    }

    fn scan(
        &self,
        db: &Connection,
        first: Seq,
        last: Seq,
        candidates: &Set,
        found: &mut Set,
        caches: &mut Caches,
    ) -> rusqlite::Result<()> {
        let mut select = db.prepare_cached(match self.reads_text {
            true => {
                "SELECT r.seq, r.method, r.summary, r.rpc_id, r.tool, r.latency_ns, r.size, r.kind, r.blob, r.batch, \
                 r.span_start, r.span_end, b.bytes, r.logger FROM record r LEFT JOIN body b ON b.seq = r.seq \
                 WHERE r.seq BETWEEN ?1 AND ?2"
            }
            false => {
                "SELECT seq, method, summary, rpc_id, tool, latency_ns, size, kind, logger FROM record \
                 WHERE seq BETWEEN ?1 AND ?2"
            }
        })?;
        let mut rows = select.query((first as i64, last as i64))?;
        while let Some(row) = rows.next()? {
            let seq = row.get::<_, i64>(0)? as u64;
            if !candidates.contains(seq) {
                continue;
            }
            let mut matches = true;
            for (at, (negated, look)) in self.looks.iter().enumerate() {
                matches = look.holds(at, db, row, caches)? != *negated;
                if !matches {
                    break;
                }
            }
            if matches {
                found.insert(seq);
            }
        }
        Ok(())
    }
}

impl Look {
    fn holds(
        &self,
        at: usize,
        db: &Connection,
        row: &rusqlite::Row<'_>,
        caches: &mut Caches,
    ) -> rusqlite::Result<bool> {
        let text = |column: usize| {
            row.get_ref(column)
                .map(|value| value.as_str_or_null().unwrap_or_default().map(str::to_owned))
        };
        let number = |column: usize| row.get::<_, Option<i64>>(column);
        let named = |patterns: &[Pattern], name: Option<String>| {
            name.is_some_and(|name| Pattern::any(patterns, &name))
        };
        Ok(match self {
            Self::Text(None) => false,
            Self::Text(Some(wanted)) => holds(&|bytes| wanted.is_match(bytes), at, db, row, caches)?,
            Self::Task(ids) => holds(&|bytes| names_task(bytes, ids), at, db, row, caches)?,
            Self::Id(ids) => text(3)?.is_some_and(|id| ids.contains(&id)),
            Self::Duration(limit) => number(5)?.is_some_and(|ns| limit.holds(ns as u64)),
            Self::Size(limit) => number(6)?.is_some_and(|size| limit.holds(size as u64)),
            Self::Method(patterns) => named(patterns, text(1)?),
            Self::Tool(patterns) => named(patterns, text(4)?),
            Self::Logger(patterns) => {
                let logger = row.as_ref().column_index("logger")?;
                named(patterns, text(logger)?)
            }
            Self::Rule(patterns) => any_rule(db, row, |rule| Pattern::any(patterns, rule))?,
            Self::OtherRule(patterns) => any_rule(db, row, |rule| !Pattern::any(patterns, rule))?,
        })
    }
}

/// Whether a record violates such a rule.
fn any_rule(
    db: &Connection,
    row: &rusqlite::Row<'_>,
    wanted: impl Fn(&str) -> bool,
) -> rusqlite::Result<bool> {
    let mut select = db.prepare_cached("SELECT rule FROM violation WHERE seq = ?1")?;
    let rules = select.query_map([row.get::<_, i64>(0)?], |found| found.get::<_, String>(0))?;
    for rule in rules {
        if wanted(&rule?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The forms in which a text may be written: as it is, in a JSON string, and in one that has only ASCII. Most texts have one.
fn forms(text: &str) -> Vec<String> {
    let mut forms = vec![text.to_owned()];
    let quoted = patchbay_protocol::json::quote(text);
    let escaped = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let mut ascii = String::new();
    let mut units = [0; 2];
    for char in escaped.unwrap_or_default().chars() {
        match char.is_ascii() {
            true => ascii.push(char),
            false => {
                let units = char.encode_utf16(&mut units).iter();
                ascii.extend(units.map(|unit| format!("\\u{unit:04x}")));
            }
        }
    }
    forms.extend(escaped.map(str::to_owned));
    forms.push(ascii);
    forms.dedup();
    forms
}

/// Whether a JSON text has a member `taskId`, at any place, whose value is one of these JSON strings.
fn names_task(json: &[u8], ids: &[String]) -> bool {
    const NAME: &[u8] = b"\"taskId\"";
    memchr::memmem::find_iter(json, NAME).any(|at| {
        let after = json.get(at + NAME.len()..).unwrap_or_default().trim_ascii_start();
        let value = after.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        value.is_some_and(|value| ids.iter().any(|id| value.starts_with(id.as_bytes())))
    })
}

/// Whether the method, summary, id, body or HTTP stages are what is wanted.
fn holds(
    wanted: &dyn Fn(&[u8]) -> bool,
    at: usize,
    db: &Connection,
    row: &rusqlite::Row<'_>,
    caches: &mut Caches,
) -> rusqlite::Result<bool> {
    for column in [1, 2, 3, 12] {
        if let ValueRef::Text(bytes) | ValueRef::Blob(bytes) = row.get_ref(column)?
            && wanted(bytes)
        {
            return Ok(true);
        }
    }
    if let Some(blob) = row.get::<_, Option<i64>>(8)? {
        if let Some(known) = caches.blobs.get(&(at, blob)) {
            return Ok(*known);
        }
        let holds = wanted(&bytes_of(db, 0, Some(blob))?);
        caches.blobs.insert((at, blob), holds);
        return Ok(holds);
    }
    if let Some(frame) = row.get::<_, Option<i64>>(9)? {
        let span = (row.get::<_, Option<i64>>(10)?, row.get::<_, Option<i64>>(11)?);
        return Ok(wanted(&member_bytes(db, frame, span, &mut caches.frame)?));
    }
    if row.get::<_, i64>(7)? == Kind::Http.code() {
        return stages_hold(db, row.get(0)?, wanted);
    }
    Ok(false)
}

#[cfg(test)]
mod tests;
