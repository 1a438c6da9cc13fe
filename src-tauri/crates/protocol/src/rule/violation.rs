//! A peer's violations of the specification.

use crate::{Revision, Rule};

/// A violation of the specification by a peer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The rule that detected it.
    pub rule: Rule,
    /// The problem, in a sentence.
    pub message: String,
    /// JSON pointer to the location in the message (or in the view's own text), if there is a single one.
    pub pointer: Option<String>,
    /// The negotiated revision, whose text was violated.
    pub revision: Option<Revision>,
}

impl Violation {
    /// A violation of the whole message.
    pub fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
            pointer: None,
            revision: None,
        }
    }

    /// A violation at one location.
    pub fn at(rule: Rule, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
            pointer: Some(pointer.into()),
            revision: None,
        }
    }

    /// The violated clause, as a URL of the specification.
    #[must_use]
    pub fn spec(&self) -> String {
        self.rule.spec(self.revision)
    }
}
