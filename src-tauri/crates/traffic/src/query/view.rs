//! A filter and the records it matches, kept up to date by looking only at what is new or changed.
//!
//! One kind of view serves pages, counts, places and tails. What the index knows is there at once; what has to be read from
//! the disk is searched from the newest record to the oldest, and may pause in between.

use std::sync::Arc;

use rusqlite::Connection;

use crate::Seq;
use crate::query::filter::{Filter, Test};
use crate::query::index::Set;
use crate::query::search::{Patience, Search};
use crate::shared::Shared;

/// More changes than this are not told one by one.
pub(crate) const CHANGED: usize = 200;

#[derive(Clone)]
pub(crate) struct View {
    filter: Filter,
    search: Option<Arc<Search>>,
    matches: Set,
    /// May match, but nobody has looked yet.
    pending: Set,
    /// Whether it has looked at the log at all.
    seen: bool,
    upto: Seq,
    position: u64,
    epoch: u64,
}

/// What an advance brought.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct News {
    /// Records may have gone: begin again.
    pub(crate) reset: bool,
    /// Matching records above this number are new.
    pub(crate) above: Seq,
    /// Records from before that changed, in the order of their numbers.
    pub(crate) changed: Vec<Seq>,
    /// More changed than that, or records from before began or ceased to match.
    pub(crate) changed_missed: bool,
}

impl View {
    pub(crate) fn new(filter: Filter) -> Self {
        Self {
            search: Search::new(&filter).map(Arc::new),
            filter,
            matches: Set::default(),
            pending: Set::default(),
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

    /// Whether older records have yet to be looked at.
    pub(crate) fn is_searching(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Whether looking at it costs more than the index.
    pub(crate) fn is_costly(&self) -> bool {
        self.search.is_some()
    }

    /// Takes in what happened since, and goes on searching until the patience is over. On an error nothing is lost: the next
    /// advance begins where this one did. Once given up, nobody may look at it any more.
    pub(crate) fn advance(
        &mut self,
        db: &Connection,
        shared: &Shared,
        patience: &Patience<'_>,
    ) -> rusqlite::Result<News> {
        let operations = self.operations(db)?;
        let mut news = News {
            above: self.upto,
            ..News::default()
        };
        let mut touched = Set::default();
        let (bounds, epoch, position, last) = {
            let index = shared.index();
            match index.changes_since(self.position) {
                _ if !self.seen => {}
                Some(changes) => {
                    touched.extend(changes.filter(|seq| *seq <= self.upto));
                }
                None => *self = Self::new(self.filter.clone()),
            }
            if !self.seen || self.epoch != index.epoch() {
                news.reset = true;
                self.matches &= index.all();
                self.pending &= index.all();
            }
            let mut among = touched.clone();
            if self.upto < index.last() {
                among.insert_range(self.upto + 1..=index.last());
            }
            let bounds = index.bounds(&self.filter.terms, &among, &operations);
            (bounds, index.epoch(), index.position(), index.last())
        };
        let mut found = bounds.sure;
        let mut candidates = bounds.possible - &found;
        if let Some(search) = &self.search {
            // Of what has changed it must be known at once whether it still matches.
            let mut first = &candidates & &touched;
            candidates -= &first;
            let all = Patience {
                until: None,
                enough: u64::MAX,
                ..*patience
            };
            search.advance(db, shared, &mut first, &mut found, &all)?;
        }
        for seq in &touched {
            let (was, is) = (self.matches.contains(seq), found.contains(seq));
            news.changed_missed |= was != is;
            if was && is && news.changed.len() < CHANGED {
                news.changed.push(seq);
            } else {
                news.changed_missed |= was && is;
            }
        }
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
            search.advance(db, shared, pending, matches, patience)?;
            // What was found among the records from before is in the middle.
            let older = before.is_some() && pending.max().is_none_or(|left| Some(left) < before);
            news.changed_missed |= older && matches.len() > known;
        }
        Ok(news)
    }

    /// The records of the operations that the filter names, in the order of its terms.
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
