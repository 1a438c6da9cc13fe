//! A filter and its matches, updated by looking only at new and changed records.
//!
//! The same view serves pages, counts, positions and tails. Matches known from the index are there at once; others are
//! searched on disk from the newest record to the oldest, with pauses.
//!
//! The text of an HTTP exchange grows while it goes on, perhaps for hours, and is searched from its beginning each time. So that
//! this takes a tenth of the time at most, a search of exchanges that only grew is followed by a pause in proportion.

use std::sync::Arc;
use std::time::Instant;

use rusqlite::Connection;

use crate::Seq;
use crate::query::filter::{Filter, Test};
use crate::query::index::{Change, Index, Set};
use crate::query::search::{Search, SearchLimits};
use crate::shared::Shared;

/// The maximum number of changes that are reported individually.
pub(crate) const CHANGED: usize = 200;
/// How long records that only grew are not searched again, as a multiple of the time that it took.
const REST: u32 = 9;

#[derive(Clone)]
pub(crate) struct View {
    filter: Filter,
    search: Option<Arc<Search>>,
    matches: Set,
    /// Candidates that were not read yet.
    pending: Set,
    /// Records whose text grew since it was searched, and when they may be searched again.
    grown: Set,
    rests_until: Option<Instant>,
    /// Whether it has read the log at all.
    seen: bool,
    upto: Seq,
    position: u64,
    epoch: u64,
}

/// The result of an update.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Changes {
    /// Matching records were removed, or it is the first update: start over.
    pub(crate) reset: bool,
    /// Matching records above this number are new.
    pub(crate) above: Seq,
    /// Changed older records, in order of their numbers.
    pub(crate) changed: Vec<Seq>,
    /// More records changed, or older records started or stopped matching.
    pub(crate) changed_missed: bool,
}

/// What is new in the index.
struct News {
    /// Older records that changed, or that are to be searched again.
    touched: Set,
    /// Those of which only the text changed.
    grown: Set,
    /// The new and the changed records.
    among: Set,
    epoch: u64,
    position: u64,
    last: Seq,
}

impl View {
    pub(crate) fn new(filter: Filter) -> Self {
        Self {
            search: Search::new(&filter).map(Arc::new),
            filter,
            matches: Set::default(),
            pending: Set::default(),
            grown: Set::default(),
            rests_until: None,
            seen: false,
            upto: 0,
            position: 0,
            epoch: 0,
        }
    }

    pub(crate) fn filter(&self) -> &Filter {
        &self.filter
    }

    pub(crate) fn matches(&self) -> &Set {
        &self.matches
    }

    /// Whether older records have yet to be searched.
    pub(crate) fn is_searching(&self) -> bool {
        !self.pending.is_empty()
    }

    /// When there is something to do, even if nothing changes until then.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.rests_until.filter(|_| !self.grown.is_empty())
    }

    /// Whether it requires reading records.
    pub(crate) fn is_costly(&self) -> bool {
        self.search.is_some()
    }

    /// Processes new and changed records, and continues the search until a limit is reached. After an error, the next
    /// update repeats the same work. A view that was given up must not be used any more.
    pub(crate) fn advance(
        &mut self,
        db: &Connection,
        shared: &Shared,
        limits: &SearchLimits<'_>,
    ) -> rusqlite::Result<Changes> {
        let mut changes = Changes {
            above: self.upto,
            ..Changes::default()
        };
        let News {
            touched,
            grown,
            among,
            epoch,
            position,
            last,
        } = self.news(&shared.index(), limits, &mut changes);
        // A record is in the file before it is in the index, so the file has the operations of all these. Reading them takes
        // time in which the index may go on; what is new then is left to the next update.
        let operations = self.operations(db)?;
        let bounds = shared.index().bounds(&self.filter.terms, &among, &operations);
        let mut found = bounds.sure;
        let mut candidates = bounds.possible - &found;
        if let Some(search) = &self.search {
            // Changed records must be checked at once.
            let mut first = &candidates & &touched;
            candidates -= &first;
            let all = SearchLimits {
                until: None,
                enough: u64::MAX,
                ..*limits
            };
            let begun = Instant::now();
            search.advance(db, shared, &mut first, &mut found, &all)?;
            if !grown.is_empty() {
                self.rests_until = Some(Instant::now() + REST * begun.elapsed());
            }
        }
        self.report(&touched, &grown, &found, &mut changes);
        self.matches -= &touched;
        self.pending -= &touched;
        self.matches |= found;
        let before = self.pending.max();
        self.pending |= candidates;
        self.epoch = epoch;
        self.position = position;
        self.upto = last;
        self.seen = true;
        if let Some(search) = self.search.clone() {
            let known = self.matches.len();
            let Self { pending, matches, .. } = self;
            search.advance(db, shared, pending, matches, limits)?;
            // Older records that were found are in the middle of the list.
            let older = before.is_some() && pending.max().is_none_or(|left| Some(left) < before);
            changes.changed_missed |= older && matches.len() > known;
        }
        Ok(changes)
    }

    /// Reports the changed records that match, or did. The rows of those that only grew are as before.
    fn report(&self, touched: &Set, grown: &Set, found: &Set, changes: &mut Changes) {
        for seq in touched {
            let (was, is) = (self.matches.contains(seq), found.contains(seq));
            changes.changed_missed |= was != is;
            if !(was && is) || grown.contains(seq) {
                continue;
            }
            if changes.changed.len() < CHANGED {
                changes.changed.push(seq);
            } else {
                changes.changed_missed = true;
            }
        }
    }

    /// What the index has to say since the last update.
    fn news(&mut self, index: &Index, limits: &SearchLimits<'_>, changes: &mut Changes) -> News {
        let mut touched = Set::default();
        let reads_text = self.search.as_ref().is_some_and(|search| search.reads_text());
        match index.changes_since(self.position) {
            _ if !self.seen => {}
            Some(since) => {
                for change in since {
                    match change {
                        Change::Row(seq) if seq <= self.upto => touched.insert(seq),
                        Change::Text(seq) if seq <= self.upto && reads_text => self.grown.insert(seq),
                        _ => false,
                    };
                }
            }
            None => *self = Self::new(self.filter.clone()),
        }
        changes.reset = !self.seen;
        if self.epoch != index.epoch() {
            // The removal of records that do not match moves no row.
            let before = self.matches.len();
            self.matches &= index.all();
            self.pending &= index.all();
            self.grown &= index.all();
            changes.reset |= self.matches.len() < before;
        }
        self.grown -= &touched;
        // Who waits for the whole result does not wait for the next one.
        let rests = limits.until.is_some() && self.rests_until.is_some_and(|until| Instant::now() < until);
        let grown = match rests {
            true => Set::default(),
            false => std::mem::take(&mut self.grown),
        };
        touched |= &grown;
        let mut among = touched.clone();
        if self.upto < index.last() {
            among.insert_range(self.upto + 1..=index.last());
        }
        News {
            touched,
            grown,
            among,
            epoch: index.epoch(),
            position: index.position(),
            last: index.last(),
        }
    }

    /// The records of the operations in the filter, in order of its terms.
    fn operations(&self, db: &Connection) -> rusqlite::Result<Vec<Set>> {
        let mut sets = Vec::new();
        for term in &self.filter.terms {
            let Test::Operation(ids) = &term.test else {
                continue;
            };
            let mut set = Set::default();
            let mut select = db.prepare_cached("SELECT seq FROM record WHERE operation = ?1")?;
            for id in ids {
                let seqs = select.query_map([*id as i64], |row| row.get::<_, i64>(0))?;
                for seq in seqs {
                    set.insert(seq? as u64);
                }
            }
            sets.push(set);
        }
        Ok(sets)
    }
}

#[cfg(test)]
mod tests;
