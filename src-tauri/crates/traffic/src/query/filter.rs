//! Filters: which records to show, written as text by people and programs.
//!
//! ```text
//! filter   = term*                     all of them must hold
//! term     = ["-"] (key ":" values | "dur" compare duration | "size" compare size | text)
//! values   = value ("," value)*        one of them must hold; a comma in quotes is a part of a value
//! value    = (character | "*")*        in names of methods, tools, rules and loggers, `*` matches any characters
//! text     = word | '"' … '"'          in the method, summary, id or body, also as JSON escapes it, ignoring the case of
//!                                      ASCII letters
//! ```
//!
//! Deliberately not here: finding the records ([`crate::query::view`]).

mod parse;

pub use parse::FilterError;

use crate::{ConnectionRef, Direction, Kind, LogClass, Origin, Seq, Status};

/// Which records to show. An empty filter shows all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    pub(crate) terms: Vec<Term>,
}

/// One condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Term {
    /// Matches the records for which the test fails.
    pub(crate) negated: bool,
    pub(crate) test: Test,
}

/// What a record is tested for. One of several values must match.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Test {
    /// Id or name of the server.
    Server(Vec<String>),
    Connection(i64),
    Origin(Vec<Origin>),
    Kind(Vec<Kind>),
    Direction(Vec<Direction>),
    Status(Vec<Status>),
    Method(Vec<Pattern>),
    Tool(Vec<Pattern>),
    Rule(Vec<Pattern>),
    /// It has a violation of a rule that is none of these.
    OtherRule(Vec<Pattern>),
    Log(Vec<LogClass>),
    Logger(Vec<Pattern>),
    /// Recorded after the record with this number.
    After(Seq),
    Operation(Vec<u64>),
    /// JSON text, or the content of a JSON string.
    Id(Vec<String>),
    /// It names one of these tasks: a member `taskId` with this value, at any place.
    Task(Vec<String>),
    /// It has a violation.
    Violation,
    /// The time from request to response, in nanoseconds.
    Duration(Limit),
    /// In bytes.
    Size(Limit),
    Text(String),
}

/// A name in which `*` matches any characters, ignoring the case of ASCII letters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Pattern {
    /// What is between the `*`, in lower case; one piece: the whole name.
    pieces: Vec<Vec<u8>>,
}

impl Pattern {
    /// With `*` between these pieces.
    fn new<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Self {
        let lower = |piece: &str| piece.to_ascii_lowercase().into_bytes();
        Self {
            pieces: pieces.into_iter().map(lower).collect(),
        }
    }

    /// Whether one of these matches a name.
    pub(crate) fn any(patterns: &[Self], name: &str) -> bool {
        patterns.iter().any(|pattern| pattern.matches(name))
    }

    /// In time proportional to the name and the pattern.
    pub(crate) fn matches(&self, name: &str) -> bool {
        let name = name.as_bytes();
        let [first, between @ .., last] = &self.pieces[..] else {
            return self.pieces.iter().any(|whole| name.eq_ignore_ascii_case(whole));
        };
        let Some((head, rest)) = name.split_at_checked(first.len()) else {
            return false;
        };
        let end = rest.len().checked_sub(last.len());
        let Some((middle, tail)) = end.and_then(|end| rest.split_at_checked(end)) else {
            return false;
        };
        if !head.eq_ignore_ascii_case(first) || !tail.eq_ignore_ascii_case(last) {
            return false;
        }
        if between.is_empty() {
            return true;
        }
        // The first occurrence of each piece leaves the most for the next ones.
        let middle = middle.to_ascii_lowercase();
        let mut left = middle.as_slice();
        between.iter().all(|piece| {
            let found = memchr::memmem::find(left, piece);
            found.is_some_and(|at| {
                left = &left[at + piece.len()..];
                true
            })
        })
    }
}

/// A bound on a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Limit {
    pub(crate) compare: Compare,
    pub(crate) value: u64,
}

/// How a number is compared with a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Compare {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

impl Limit {
    pub(crate) fn holds(self, value: u64) -> bool {
        match self.compare {
            Compare::Less => value < self.value,
            Compare::AtMost => value <= self.value,
            Compare::Equal => value == self.value,
            Compare::AtLeast => value >= self.value,
            Compare::More => value > self.value,
        }
    }
}

impl Filter {
    /// Whether it may leave out records between others of the same connection.
    pub(crate) fn may_leave_gaps(&self) -> bool {
        let leaves_none = |term: &Term| {
            matches!(
                term.test,
                Test::Server(_) | Test::Connection(_) | Test::Origin(_) | Test::After(_)
            )
        };
        !self.terms.iter().all(leaves_none)
    }

    /// Restricts it to the server with this id or name.
    #[must_use]
    pub fn server(self, id: impl Into<String>) -> Self {
        self.and(Test::Server(vec![id.into()]))
    }

    /// Restricts it to this connection.
    #[must_use]
    pub fn connection(self, connection: ConnectionRef) -> Self {
        self.and(Test::Connection(connection.id()))
    }

    /// Restricts it to these kinds; an empty list means all kinds.
    #[must_use]
    pub fn kinds(self, kinds: &[Kind]) -> Self {
        match kinds {
            [] => self,
            kinds => self.and(Test::Kind(kinds.to_vec())),
        }
    }

    /// Restricts it to records with this text in the method, summary, id or body, ignoring the case of ASCII letters.
    #[must_use]
    pub fn containing(self, text: &str) -> Self {
        match text {
            "" => self,
            text => self.and(Test::Text(text.to_owned())),
        }
    }

    fn and(mut self, test: Test) -> Self {
        self.terms.push(Term { negated: false, test });
        self
    }
}

#[cfg(test)]
mod tests;
