//! The index in memory: which records exist, which values they have, and which changed lately.
//!
//! For each value of each filterable column there is one compressed bitmap of the records with it, so that a filter is a
//! few set operations and a million records take a few MB. The writer updates it after every commit. Deliberately not here:
//! text ([`crate::query::grams`]), and the stored form ([`saved`]).

mod bounds;
mod saved;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

pub(crate) use roaring::RoaringTreemap as Set;

pub(crate) use saved::SEGMENT;

use crate::{Direction, Kind, LogClass, Origin, Seq, Status};

/// The number of changes that are remembered for views; a view that is further behind starts over.
const CHANGES: usize = 65_536;
/// The maximum number of methods, of tools, and of loggers, with a set each; a peer can invent any number of names.
const NAMES: usize = 4096;
/// Classes of numbers: two per power of two.
const CLASSES: usize = 128;

/// The values of a row that come from its connection.
#[derive(Clone)]
pub(crate) struct ConnectionInfo {
    pub(crate) server_id: Arc<str>,
    pub(crate) server_name: Arc<str>,
    pub(crate) origin: Origin,
    /// The wall clock of its run's anchor, in ns since the Unix epoch.
    pub(crate) wall_ns: i64,
}

/// The filterable values of a record, except for its text and id.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Facets {
    pub(crate) connection: i64,
    pub(crate) kind: Option<Kind>,
    pub(crate) direction: Option<Direction>,
    pub(crate) status: Option<Status>,
    pub(crate) latency_ns: Option<u64>,
    pub(crate) size: u64,
    pub(crate) method: Option<String>,
    pub(crate) tool: Option<String>,
    pub(crate) log: Option<LogClass>,
    pub(crate) logger: Option<String>,
    /// The rules with a violation in it.
    pub(crate) rules: Vec<String>,
}

/// A change of a record.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change {
    /// Of its row, and perhaps of its text.
    Row(Seq),
    /// Of its text only.
    Text(Seq),
}

/// The records by name, and those whose name has no set because of the limit.
#[derive(Default)]
struct Names {
    sets: HashMap<Box<str>, Set>,
    others: Set,
}

impl Names {
    fn insert(&mut self, name: &str, seq: Seq) {
        if let Some(set) = self.sets.get_mut(name) {
            set.insert(seq);
        } else if self.sets.len() < NAMES {
            self.sets.entry(name.into()).or_default().insert(seq);
        } else {
            self.others.insert(seq);
        }
    }

    fn remove(&mut self, name: &str, seq: Seq) {
        if let Some(set) = self.sets.get_mut(name) {
            set.remove(seq);
        }
        self.others.remove(seq);
    }
}

/// The index in memory.
#[derive(Default)]
pub(crate) struct Index {
    all: Set,
    kinds: [Set; Kind::ALL.len()],
    statuses: [Set; Status::ALL.len()],
    /// Sent, received.
    directions: [Set; 2],
    violations: Set,
    durations: Vec<Set>,
    sizes: Vec<Set>,
    methods: Names,
    tools: Names,
    logs: [Set; LogClass::ALL.len()],
    loggers: Names,
    rules: Names,
    by_connection: HashMap<i64, Set>,
    connections: HashMap<i64, ConnectionInfo>,
    /// The newest record ever, cleared or not.
    last: Seq,
    changes: VecDeque<Change>,
    /// The number of dropped changes, which is the position of the first remaining one.
    forgotten: u64,
    /// Incremented by every clear.
    epoch: u64,
}

/// The class of a number.
fn class(value: u64) -> usize {
    match value.checked_ilog2() {
        None => 0,
        Some(0) => 1,
        Some(power) => 2 * power as usize + usize::from(value >> (power - 1) & 1 == 1),
    }
}

/// The smallest and the largest number of a class. Class 0 holds only 0.
fn range(class: usize) -> (u64, u64) {
    let from = |class: usize| match class {
        0 => 0,
        1 => 1,
        class => (1 << (class / 2)) | ((class as u64 & 1) << (class / 2 - 1)),
    };
    let end = if class + 1 < CLASSES {
        from(class + 1) - 1
    } else {
        u64::MAX
    };
    (from(class), end)
}

fn set_of(sets: &mut Vec<Set>, class: usize) -> &mut Set {
    if sets.len() <= class {
        sets.resize_with(class + 1, Set::default);
    }
    &mut sets[class]
}

impl Index {
    pub(crate) fn connect(&mut self, id: i64, info: ConnectionInfo) {
        self.connections.insert(id, info);
    }

    pub(crate) fn connection(&self, id: i64) -> Option<&ConnectionInfo> {
        self.connections.get(&id)
    }

    /// Adds a record.
    pub(crate) fn insert(&mut self, seq: Seq, facets: &Facets) {
        self.all.insert(seq);
        self.kinds[facets.kind.unwrap_or(Kind::Invalid) as usize].insert(seq);
        if let Some(status) = facets.status {
            self.statuses[status as usize].insert(seq);
        }
        if let Some(direction) = facets.direction {
            self.directions[direction as usize].insert(seq);
        }
        if let Some(ns) = facets.latency_ns {
            set_of(&mut self.durations, class(ns)).insert(seq);
        }
        set_of(&mut self.sizes, class(facets.size)).insert(seq);
        if let Some(method) = &facets.method {
            self.methods.insert(method, seq);
        }
        if let Some(tool) = &facets.tool {
            self.tools.insert(tool, seq);
        }
        if let Some(log) = facets.log {
            self.logs[log as usize].insert(seq);
        }
        if let Some(logger) = &facets.logger {
            self.loggers.insert(logger, seq);
        }
        for rule in &facets.rules {
            self.violations.insert(seq);
            self.rules.insert(rule, seq);
        }
        self.by_connection
            .entry(facets.connection)
            .or_default()
            .insert(seq);
        self.last = self.last.max(seq);
    }

    /// Updates a record.
    pub(crate) fn change(&mut self, seq: Seq, was: &Facets, is: &Facets) {
        if !self.all.contains(seq) {
            return;
        }
        if was != is {
            self.kinds[was.kind.unwrap_or(Kind::Invalid) as usize].remove(seq);
            if let Some(status) = was.status {
                self.statuses[status as usize].remove(seq);
            }
            if let Some(ns) = was.latency_ns {
                set_of(&mut self.durations, class(ns)).remove(seq);
            }
            set_of(&mut self.sizes, class(was.size)).remove(seq);
            if let Some(method) = &was.method {
                self.methods.remove(method, seq);
            }
            if let Some(tool) = &was.tool {
                self.tools.remove(tool, seq);
            }
            if let Some(log) = was.log {
                self.logs[log as usize].remove(seq);
            }
            if let Some(logger) = &was.logger {
                self.loggers.remove(logger, seq);
            }
            self.insert(seq, is);
        }
        self.changed(Change::Row(seq));
    }

    /// Notes that there is more of a record to search, while its row is as before.
    pub(crate) fn grow(&mut self, seq: Seq) {
        if self.all.contains(seq) {
            self.changed(Change::Text(seq));
        }
    }

    fn changed(&mut self, change: Change) {
        if self.changes.len() == CHANGES {
            self.changes.pop_front();
            self.forgotten += 1;
        }
        self.changes.push_back(change);
    }

    /// Marks numbers up to this one as used, though their records are gone.
    pub(crate) fn reach(&mut self, last: Seq) {
        self.last = self.last.max(last);
    }

    /// Removes these records.
    pub(crate) fn forget(&mut self, gone: &Set) {
        for set in self.every_set() {
            *set -= gone;
        }
        self.by_connection.retain(|_, set| !set.is_empty());
        self.epoch += 1;
    }

    fn every_set(&mut self) -> impl Iterator<Item = &mut Set> {
        let names = [
            &mut self.methods,
            &mut self.tools,
            &mut self.loggers,
            &mut self.rules,
        ];
        std::iter::once(&mut self.all)
            .chain(std::iter::once(&mut self.violations))
            .chain(&mut self.kinds)
            .chain(&mut self.statuses)
            .chain(&mut self.directions)
            .chain(&mut self.logs)
            .chain(&mut self.durations)
            .chain(&mut self.sizes)
            .chain(self.by_connection.values_mut())
            .chain(
                names
                    .into_iter()
                    .flat_map(|names| names.sets.values_mut().chain(std::iter::once(&mut names.others))),
            )
    }

    pub(crate) fn all(&self) -> &Set {
        &self.all
    }

    /// The records of a server, by its id.
    pub(crate) fn of_server(&self, server_id: &str) -> Set {
        self.of_connections(|info| &*info.server_id == server_id)
    }

    fn of_connections(&self, wanted: impl Fn(&ConnectionInfo) -> bool) -> Set {
        let mut found = Set::default();
        for (id, set) in &self.by_connection {
            if self.connections.get(id).is_some_and(&wanted) {
                found |= set;
            }
        }
        found
    }

    pub(crate) fn last(&self) -> Seq {
        self.last
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The position after the newest change.
    pub(crate) fn position(&self) -> u64 {
        self.forgotten + self.changes.len() as u64
    }

    /// The changes from `position` on; `None` if some of them were dropped.
    pub(crate) fn changes_since(&self, position: u64) -> Option<impl Iterator<Item = Change> + '_> {
        let skip = position.checked_sub(self.forgotten)?;
        Some(self.changes.iter().skip(skip as usize).copied())
    }
}

#[cfg(test)]
mod tests;
