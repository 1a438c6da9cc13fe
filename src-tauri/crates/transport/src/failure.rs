//! A failure with a message for the user.

use patchbay_http::{Denial, Refusal, Step as HttpStep, TlsProblem};

/// A failure in the communication with a server: the step, the cause, the next action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{step}: {cause}")]
pub struct Failure {
    /// The step: `Start the program`, `Discover`, `Initialize`, `Connection lost` …
    pub step: &'static str,
    /// The cause, in a sentence.
    pub cause: String,
    /// The next action, in a sentence.
    pub next: String,
    /// Details, if any: the system error, the server's response, the last stderr lines.
    pub detail: Option<String>,
    /// The server's certificate, if it was rejected: the user may accept it by its fingerprint.
    pub certificate: Option<Box<TlsProblem>>,
    /// The server's refusal, if it requires authorization.
    pub refusal: Option<Box<Refusal>>,
}

impl Failure {
    /// A failure without details.
    pub fn new(step: &'static str, cause: impl Into<String>, next: impl Into<String>) -> Self {
        Self {
            step,
            cause: cause.into(),
            next: next.into(),
            detail: None,
            certificate: None,
            refusal: None,
        }
    }

    /// Whether the server was never reached, so that this tells nothing of what it speaks.
    #[must_use]
    pub fn is_unreached(&self) -> bool {
        let before = [HttpStep::Resolve, HttpStep::Connect, HttpStep::Tls];
        self.certificate.is_some() || before.iter().any(|step| step.title() == self.step)
    }

    /// Adds details.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}

impl From<Denial> for Failure {
    fn from(denial: Denial) -> Self {
        Self {
            detail: denial.rule,
            ..Self::new(denial.step, denial.cause, denial.next)
        }
    }
}
