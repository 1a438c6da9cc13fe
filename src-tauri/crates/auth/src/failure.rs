//! A failure in words: which step, what came back, the rule it broke, what to do.

use patchbay_http::Denial;
use patchbay_traffic::Seq;

use crate::{Step, TokenStoreError};

/// A run that did not come to a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{title}: {cause}", title = step.title())]
pub struct Failure {
    /// At which step.
    pub step: Step,
    /// What came back, in a sentence.
    pub cause: String,
    /// The rule that was broken, if one was.
    pub rule: Option<Clause>,
    /// The exchange of the log where it was seen.
    pub exchange: Option<Seq>,
    /// What the user or the author of the server can do, in a sentence.
    pub next: String,
    /// The user cancelled.
    pub cancelled: bool,
}

/// A clause of a standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clause {
    /// `RFC 8414 section 3.3`.
    pub name: &'static str,
    /// Where it can be read.
    pub url: &'static str,
}

impl Failure {
    pub(crate) fn new(step: Step, cause: impl Into<String>, next: impl Into<String>) -> Self {
        Self {
            step,
            cause: cause.into(),
            rule: None,
            exchange: None,
            next: next.into(),
            cancelled: false,
        }
    }

    /// It breaks this rule.
    pub(crate) fn against(self, rule: Clause) -> Self {
        Self {
            rule: Some(rule),
            ..self
        }
    }

    /// It was seen in this exchange.
    pub(crate) fn seen_in(self, exchange: impl Into<Option<Seq>>) -> Self {
        Self {
            exchange: exchange.into(),
            ..self
        }
    }

    /// The user cancelled.
    pub(crate) fn cancelled(step: Step) -> Self {
        Self {
            cancelled: true,
            ..Self::new(step, "it was cancelled", "Authorize again when you are ready.")
        }
    }

    /// The stored tokens cannot be read or written.
    pub(crate) fn storage(step: Step, error: TokenStoreError) -> Self {
        Self::new(step, error.cause, error.next)
    }
}

impl From<Failure> for Denial {
    fn from(failure: Failure) -> Self {
        Self {
            step: failure.step.title(),
            cause: failure.cause,
            next: failure.next,
            rule: failure.rule.map(|rule| format!("{}: {}", rule.name, rule.url)),
        }
    }
}
