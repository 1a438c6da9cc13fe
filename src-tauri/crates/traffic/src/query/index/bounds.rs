//! The matches of a filter, as far as the index can determine them.

use super::{Index, Names, Set, range};
use crate::query::filter::{Limit, Pattern, Term, Test};

/// A lower and an upper bound of a set.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Bounds {
    /// These records match.
    pub(crate) sure: Set,
    /// No other records can match. Those that are not certain must be read.
    pub(crate) possible: Set,
}

impl Bounds {
    fn exact(set: Set) -> Self {
        Self {
            sure: set.clone(),
            possible: set,
        }
    }
}

impl Index {
    /// The bounds of the records in `among` that match these terms. `operations` has the records of the operation terms, in
    /// order.
    pub(crate) fn bounds(&self, terms: &[Term], among: &Set, operations: &[Set]) -> Bounds {
        let mut all = Bounds::exact(&self.all & among);
        let mut operations = operations.iter();
        for term in terms {
            let one = match &term.test {
                Test::Operation(_) => Bounds::exact(operations.next().cloned().unwrap_or_default()),
                test => self.one(test),
            };
            let (sure, possible) = match term.negated {
                false => (one.sure, one.possible),
                true => (among - one.possible, among - one.sure),
            };
            all.sure &= sure;
            all.possible &= possible;
        }
        all
    }

    fn one(&self, test: &Test) -> Bounds {
        let union = |sets: &mut dyn Iterator<Item = &Set>| {
            let mut union = Set::default();
            for set in sets {
                union |= set;
            }
            Bounds::exact(union)
        };
        match test {
            Test::Server(names) => Bounds::exact(self.of_connections(|info| {
                names
                    .iter()
                    .any(|name| **name == *info.server_id || name.eq_ignore_ascii_case(&info.server_name))
            })),
            Test::Connection(id) => Bounds::exact(self.by_connection.get(id).cloned().unwrap_or_default()),
            Test::Origin(origins) => {
                Bounds::exact(self.of_connections(|info| origins.contains(&info.origin)))
            }
            Test::Kind(kinds) => union(&mut kinds.iter().map(|kind| &self.kinds[*kind as usize])),
            Test::Status(statuses) => {
                union(&mut statuses.iter().map(|status| &self.statuses[*status as usize]))
            }
            Test::Direction(ways) => union(&mut ways.iter().map(|way| &self.directions[*way as usize])),
            Test::Violation => Bounds::exact(self.violations.clone()),
            Test::Method(patterns) => named(&self.methods, |name| Pattern::any(patterns, name)),
            Test::Tool(patterns) => named(&self.tools, |name| Pattern::any(patterns, name)),
            Test::Rule(patterns) => named(&self.rules, |name| Pattern::any(patterns, name)),
            Test::OtherRule(patterns) => named(&self.rules, |name| !Pattern::any(patterns, name)),
            Test::Log(classes) => union(&mut classes.iter().map(|class| &self.logs[*class as usize])),
            Test::Logger(patterns) => named(&self.loggers, |name| Pattern::any(patterns, name)),
            Test::After(seq) => {
                let mut after = self.all.clone();
                after.remove_range(0..=*seq);
                Bounds::exact(after)
            }
            Test::Duration(limit) => limited(&self.durations, *limit),
            Test::Size(limit) => limited(&self.sizes, *limit),
            Test::Operation(_) => Bounds::default(),
            Test::Id(_) | Test::Task(_) => Bounds {
                sure: Set::default(),
                possible: self.all.clone(),
            },
            Test::Text(text) if text.is_empty() => Bounds::exact(self.all.clone()),
            Test::Text(_) => Bounds {
                sure: Set::default(),
                possible: self.all.clone(),
            },
        }
    }
}

/// The records that have such a name.
fn named(names: &Names, wanted: impl Fn(&str) -> bool) -> Bounds {
    let mut sure = Set::default();
    for (name, set) in &names.sets {
        if wanted(name) {
            sure |= set;
        }
    }
    Bounds {
        possible: &sure | &names.others,
        sure,
    }
}

fn limited(sets: &[Set], limit: Limit) -> Bounds {
    let mut bounds = Bounds::default();
    for (class, set) in sets.iter().enumerate() {
        let (from, to) = range(class);
        let (first, last) = (limit.holds(from), limit.holds(to));
        if first && last {
            bounds.sure |= set;
        }
        if first || last || (from..=to).contains(&limit.value) {
            bounds.possible |= set;
        }
    }
    bounds
}
