//! A page of any list: its rows, raw, and the next cursor.

use std::borrow::Cow;

use super::{reader::Reader, tools::next_cursor};
use crate::{Rule, Violation};

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ListPage<'a> {
    /// The rows in order, raw, including malformed ones.
    pub elements: Vec<&'a str>,
    /// The cursor of the next page.
    pub next_cursor: Option<Cow<'a, str>>,
    /// Violations of the page itself. Pointers are into the result.
    pub violations: Vec<Violation>,
}

impl<'a> ListPage<'a> {
    /// Parses a result whose rows are in `member`: `tools`, `resources`.
    #[must_use]
    pub fn parse(result: &'a str, member: &str) -> Self {
        let mut reader = Reader::new(result);
        let elements = match reader.elements(member) {
            Some(Some(elements)) => elements,
            Some(None) => {
                reader.push(Rule::ListMissing, member, format!("`{member}` is not an array"));
                Vec::new()
            }
            None => {
                reader.push(Rule::ListMissing, member, format!("`{member}` is missing"));
                Vec::new()
            }
        };
        let (next_cursor, cursor_violation) = next_cursor(result);
        let mut violations = reader.violations;
        violations.extend(cursor_violation);
        Self {
            elements,
            next_cursor,
            violations,
        }
    }
}
