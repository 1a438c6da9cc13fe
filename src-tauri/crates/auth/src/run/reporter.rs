//! What a run tells, and at which step it is.

use std::sync::{Arc, Mutex, PoisonError};

use patchbay_http::Url;
use patchbay_secret::Secret;

use crate::run::masked::masked;
use crate::{
    Answer, Attempt, Cause, Ending, Fact, Failure, Host, Question, RunEvent, RunEventKind, RunId, Step,
};

/// What is shorter would mask half of what is told.
const SHORTEST: usize = 4;

/// Tells the host what happens in one run.
pub(crate) struct RunReporter {
    host: Arc<dyn Host>,
    run: RunId,
    step: Mutex<Step>,
    /// What must not be told, though a server may say it back.
    hidden: Mutex<Vec<Secret>>,
}

impl RunReporter {
    /// A run begins.
    pub(crate) fn begin(host: Arc<dyn Host>, run: RunId, cause: Cause, steps: Vec<Step>) -> Self {
        let step = Mutex::new(steps.first().copied().unwrap_or(Step::Challenge));
        let reporter = Self {
            host,
            run,
            step,
            hidden: Mutex::default(),
        };
        reporter.tell(RunEventKind::Begun { cause, steps });
        reporter
    }

    fn tell(&self, what: RunEventKind) {
        self.host.report(RunEvent {
            run: self.run,
            at: self.host.now(),
            what,
        });
    }

    /// Where the run is.
    pub(crate) fn at(&self) -> Step {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn step(&self, step: Step) {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = step;
        self.tell(RunEventKind::StepBegun(step));
    }

    /// From now on these are masked in what is told.
    pub(crate) fn hide(&self, secrets: &[Secret]) {
        let mut hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        hidden.extend_from_slice(secrets);
    }

    /// Words that a server may have had a part in, without what is hidden.
    fn masked_text(&self, mut text: String) -> String {
        let hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        for secret in hidden.iter().filter(|secret| secret.expose().len() >= SHORTEST) {
            if text.contains(secret.expose()) {
                text = text.replace(secret.expose(), &masked(secret));
            }
        }
        text
    }

    /// A failure as it may be told.
    pub(crate) fn masked_failure(&self, failure: Failure) -> Failure {
        Failure {
            cause: self.masked_text(failure.cause),
            ..failure
        }
    }

    pub(crate) fn attempt(&self, attempt: Attempt) {
        let attempt = Attempt {
            words: self.masked_text(attempt.words),
            ..attempt
        };
        self.tell(RunEventKind::Attempt(self.at(), attempt));
    }

    pub(crate) fn done(&self, summary: impl Into<String>, facts: Facts) {
        self.tell(RunEventKind::StepDone {
            step: self.at(),
            summary: summary.into(),
            facts: facts.0,
        });
    }

    pub(crate) fn skipped(&self, step: Step, why: impl Into<String>) {
        self.tell(RunEventKind::StepSkipped {
            step,
            why: why.into(),
        });
    }

    /// The user is in the browser.
    pub(crate) fn browser(&self, url: &Url, redirect_uri: &str) {
        self.tell(RunEventKind::Browser {
            url: url.clone(),
            redirect_uri: redirect_uri.to_owned(),
        });
    }

    /// The user has come back.
    pub(crate) fn resumed(&self) {
        self.tell(RunEventKind::Resumed(self.at()));
    }

    /// Asks the user.
    pub(crate) async fn ask(&self, question: Question) -> Option<Answer> {
        self.tell(RunEventKind::Asked(self.at(), question.clone()));
        let answer = self.host.ask(question).await;
        if answer.is_some() {
            self.resumed();
        }
        answer
    }

    /// The run is over.
    pub(crate) fn end(&self, outcome: &Result<(), Failure>) {
        let ending = match outcome {
            Ok(()) => Ending::Done,
            Err(failure) => {
                if !failure.cancelled {
                    self.tell(RunEventKind::StepFailed(failure.clone()));
                }
                if failure.cancelled {
                    Ending::Cancelled
                } else {
                    Ending::Failed
                }
            }
        };
        self.tell(RunEventKind::Ended(ending));
    }
}

/// What a step found, as it comes together.
#[derive(Default)]
pub(crate) struct Facts(Vec<Fact>);

impl Facts {
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.0.push(Fact {
            name,
            value: value.into(),
        });
        self
    }

    /// Only if there is one.
    pub(crate) fn maybe(self, name: &'static str, value: Option<impl Into<String>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Only if there is one; an empty list is said to be.
    pub(crate) fn list(self, name: &'static str, values: Option<&[String]>) -> Self {
        self.maybe(name, values.map(|values| values.join(" ")))
    }
}
