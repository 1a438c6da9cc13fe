//! A failure in words.

use patchbay_http::{Denial, Refusal, TlsProblem};

/// What went wrong between us and a server: which step, what came back, what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{step}: {cause}")]
pub struct Failure {
    /// The step: `Start the program`, `Discover`, `Initialize`, `Connection lost` …
    pub step: &'static str,
    /// What came back, in a sentence.
    pub cause: String,
    /// What to do next, in a sentence.
    pub next: String,
    /// More, where there is more: system error, the server's answer, last stderr lines.
    pub detail: Option<String>,
    /// The server's certificate, if that is what was refused: the user may accept it by its fingerprint.
    pub certificate: Option<Box<TlsProblem>>,
    /// The server refused us without a credential.
    pub refusal: Option<Box<Refusal>>,
}

impl Failure {
    /// A failure without further detail.
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

    /// The same failure with detail.
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
