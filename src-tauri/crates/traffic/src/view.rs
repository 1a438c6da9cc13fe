//! A filter and the records it matches, kept up to date by looking only at what is new or changed.
//!
//! One kind of view serves pages, counts, places and tails. Text is the only thing looked up on disk; a view that has
//! been looked at once costs only the news after that, however long the log is.

use std::sync::atomic::AtomicBool;

use rusqlite::Connection;

use crate::read::Search;
use crate::seq_set::SeqSet;
use crate::shared::Shared;
use crate::{Filter, Seq};

/// More changes than this are not told one by one.
pub(crate) const CHANGED: usize = 200;

#[derive(Clone)]
pub(crate) struct View {
    filter: Filter,
    search: Option<Search>,
    matches: SeqSet,
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
        let search = filter
            .text
            .as_deref()
            .filter(|text| !text.is_empty())
            .and_then(Search::new);
        Self {
            filter,
            search,
            matches: SeqSet::default(),
            seen: false,
            upto: 0,
            position: 0,
            epoch: 0,
        }
    }

    pub(crate) fn filter(&self) -> &Filter {
        &self.filter
    }

    pub(crate) fn matches(&self) -> &SeqSet {
        &self.matches
    }

    /// Takes in what happened since. On an error nothing is lost: the next advance begins where this one did. Once
    /// `given_up`, nobody may look at it any more.
    pub(crate) fn advance(
        &mut self,
        db: &Connection,
        shared: &Shared,
        given_up: &AtomicBool,
    ) -> rusqlite::Result<News> {
        let mut news = News {
            above: self.upto,
            ..News::default()
        };
        let mut touched = SeqSet::default();
        let (new, epoch, position, last) = {
            let index = shared.index();
            match index.changes_since(self.position) {
                _ if !self.seen => {}
                Some(changes) => {
                    for seq in changes.filter(|seq| *seq <= self.upto) {
                        touched.insert(seq);
                    }
                }
                None => *self = Self::new(self.filter.clone()),
            }
            if !self.seen || self.epoch != index.epoch() {
                news.reset = true;
                self.matches.intersect(index.all());
            }
            // Those touched that still pass join the new ones, so that their text is looked up too.
            let mut new = index.passing(&self.filter, self.upto + 1);
            for seq in touched
                .iter_from(0)
                .filter(|seq| index.passes(&self.filter, *seq))
            {
                new.insert(seq);
            }
            (new, index.epoch(), index.position(), index.last())
        };
        let found = match &self.search {
            Some(search) => search.among(db, &new, given_up)?,
            None => new,
        };
        for seq in touched.iter_from(0) {
            let (was, is) = (self.matches.contains(seq), found.contains(seq));
            news.changed_missed |= was != is;
            if was && is && news.changed.len() < CHANGED {
                news.changed.push(seq);
            } else {
                news.changed_missed |= was && is;
            }
            if !is {
                self.matches.remove(seq);
            }
        }
        self.matches.union(&found);
        self.epoch = epoch;
        self.position = position;
        self.upto = last;
        self.seen = true;
        Ok(news)
    }
}
