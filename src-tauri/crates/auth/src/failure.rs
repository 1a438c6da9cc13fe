//! A failure for the user: the step, the cause, the rule that was broken, and what to do next.

use patchbay_http::Denial;
use patchbay_traffic::Seq;

use crate::Step;

/// The failure of a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{title}: {cause}", title = step.title())]
pub struct Failure {
    /// The step that failed.
    pub step: Step,
    /// The cause, in a sentence.
    pub cause: String,
    /// The rule that was broken, if any.
    pub rule: Option<Clause>,
    /// The exchange of the log that shows it.
    pub exchange: Option<Seq>,
    /// What the user or the server's author can do, in a sentence.
    pub next: String,
    /// Whether the user cancelled.
    pub cancelled: bool,
}

/// A clause of a standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clause {
    /// Such as `RFC 8414 section 3.3`.
    pub name: &'static str,
    /// Its URL.
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

    /// Adds the rule that was broken.
    pub(crate) fn against(self, rule: Clause) -> Self {
        Self {
            rule: Some(rule),
            ..self
        }
    }

    /// Adds the exchange that shows it.
    pub(crate) fn seen_in(self, exchange: impl Into<Option<Seq>>) -> Self {
        Self {
            exchange: exchange.into(),
            ..self
        }
    }

    /// The failure of a run that the user cancelled.
    pub(crate) fn cancelled(step: Step) -> Self {
        Self {
            cancelled: true,
            ..Self::new(step, "it was cancelled", "Authorize again when you are ready.")
        }
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
