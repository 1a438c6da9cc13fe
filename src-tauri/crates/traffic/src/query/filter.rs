//! Filters: which records to show, written as text by people and programs.
//!
//! ```text
//! filter   = term*                     all of them must hold
//! term     = ["-"] (key ":" values | "dur" compare duration | "size" compare size | text)
//! values   = value ("," value)*        one of them must hold
//! text     = word | '"' … '"'          in the method, summary, id or body, ignoring the case of ASCII letters
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

/// A name or a prefix.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Pattern {
    /// In lower case.
    name: String,
    is_prefix: bool,
}

impl Pattern {
    fn new(text: &str) -> Self {
        let name = text.strip_suffix('*');
        Self {
            name: name.unwrap_or(text).to_ascii_lowercase(),
            is_prefix: name.is_some(),
        }
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        let (own, other) = (self.name.as_bytes(), name.as_bytes());
        match self.is_prefix {
            true => other
                .get(..own.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(own)),
            false => other.eq_ignore_ascii_case(own),
        }
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
