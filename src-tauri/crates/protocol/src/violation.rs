//! What a peer did against the specification.

use crate::{Revision, Rule};

/// Something a peer did against the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The rule that found it.
    pub rule: Rule,
    /// What is wrong, in a sentence.
    pub message: String,
    /// JSON pointer to the place in the message (or in the view's own text), if it is in one place.
    pub pointer: Option<String>,
    /// The revision that was agreed when it was found: its text is the one that was broken.
    pub revision: Option<Revision>,
}

impl Violation {
    /// A violation of the whole.
    pub fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
            pointer: None,
            revision: None,
        }
    }

    /// A violation at one place.
    pub fn at(rule: Rule, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
            pointer: Some(pointer.into()),
            revision: None,
        }
    }

    /// The clause that was broken: an address on the specification's site.
    #[must_use]
    pub fn spec(&self) -> String {
        self.rule.spec(self.revision)
    }
}
