//! Which records to show: a filter, which people and programs write as text.
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

use crate::{ConnectionRef, Direction, Kind, Origin, Status};

/// Which records to show. Without a term it shows all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    pub(crate) terms: Vec<Term>,
}

/// One condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Term {
    /// Shows the records for which the test does not hold.
    pub(crate) negated: bool,
    pub(crate) test: Test,
}

/// What a record is tested for. Of several values, one must hold.
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
    Operation(Vec<u64>),
    /// JSON text, or the text of a JSON string.
    Id(Vec<String>),
    /// It has a violation.
    Violation,
    /// From request to response, in nanoseconds.
    Duration(Limit),
    /// In bytes.
    Size(Limit),
    Text(String),
}

/// A name, or its beginning.
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

/// A bound of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Limit {
    pub(crate) compare: Compare,
    pub(crate) value: u64,
}

/// How a number is compared with the bound.
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
    /// Only records of the server with this id or name.
    #[must_use]
    pub fn server(self, id: impl Into<String>) -> Self {
        self.and(Test::Server(vec![id.into()]))
    }

    /// Only records of this connection.
    #[must_use]
    pub fn connection(self, connection: ConnectionRef) -> Self {
        self.and(Test::Connection(connection.id()))
    }

    /// Only records of these kinds; without any, of all kinds.
    #[must_use]
    pub fn kinds(self, kinds: &[Kind]) -> Self {
        match kinds {
            [] => self,
            kinds => self.and(Test::Kind(kinds.to_vec())),
        }
    }

    /// Only records with this text in the method, summary, id or body, ignoring the case of ASCII letters.
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
