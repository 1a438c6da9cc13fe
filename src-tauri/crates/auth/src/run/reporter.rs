//! Reports the progress of one run to the host, and tracks the current step.

use std::sync::{Arc, Mutex, PoisonError};

use patchbay_http::Url;
use patchbay_secret::Secret;
use tokio::sync::watch;

use crate::run::masked::masked;
use crate::{
    Answer, Attempt, Cause, Ending, Fact, Failure, Host, Question, RunEvent, RunEventKind, RunId, Step,
};

/// Shorter secrets are not masked: they would match too much text.
const SHORTEST: usize = 4;
/// The maximum number of characters of a fact. The exchange of the log has the rest.
const LONGEST_FACT: usize = 4096;

/// Reports the progress of one run to the host.
pub(crate) struct RunReporter {
    host: Arc<dyn Host>,
    run: RunId,
    step: Mutex<Step>,
    /// Secrets to mask in reports, because a server may echo them.
    hidden: Mutex<Vec<Secret>>,
    cancelled: watch::Receiver<bool>,
}

impl RunReporter {
    /// Starts the report of a run.
    pub(crate) fn begin(
        host: Arc<dyn Host>,
        run: RunId,
        cause: Cause,
        steps: Vec<Step>,
        cancelled: watch::Receiver<bool>,
    ) -> Self {
        let step = Mutex::new(steps.first().copied().unwrap_or(Step::Challenge));
        let reporter = Self {
            host,
            run,
            step,
            hidden: Mutex::default(),
            cancelled,
        };
        reporter.send(RunEventKind::Begun { cause, steps });
        reporter
    }

    fn send(&self, what: RunEventKind) {
        self.host.report(RunEvent {
            run: self.run,
            at: self.host.now(),
            what,
        });
    }

    /// The current step.
    pub(crate) fn at(&self) -> Step {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn step(&self, step: Step) {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = step;
        self.send(RunEventKind::StepBegun(step));
    }

    /// Masks these in reports from now on.
    pub(crate) fn hide(&self, secrets: &[Secret]) {
        let mut hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        hidden.extend_from_slice(secrets);
    }

    /// Masks secrets in text that may come from a server.
    fn masked_text(&self, mut text: String) -> String {
        let hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        for secret in hidden.iter().filter(|secret| secret.expose().len() >= SHORTEST) {
            if text.contains(secret.expose()) {
                text = text.replace(secret.expose(), &masked(secret));
            }
        }
        text
    }

    /// The failure with secrets masked.
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
        self.send(RunEventKind::Attempt(self.at(), attempt));
    }

    pub(crate) fn done(&self, summary: impl Into<String>, facts: Facts) {
        self.send(RunEventKind::StepDone {
            step: self.at(),
            summary: summary.into(),
            facts: facts.0,
        });
    }

    pub(crate) fn skipped(&self, step: Step, why: impl Into<String>) {
        self.send(RunEventKind::StepSkipped {
            step,
            why: why.into(),
        });
    }

    /// The browser was sent to this address.
    pub(crate) fn browser(&self, url: &Url, redirect_uri: &str) {
        self.send(RunEventKind::Browser {
            url: url.clone(),
            redirect_uri: redirect_uri.to_owned(),
        });
    }

    /// The user has returned from the browser.
    pub(crate) fn resumed(&self) {
        self.send(RunEventKind::Resumed(self.at()));
    }

    /// Asks the user. Cancelling ends the question also in a run that is always completed.
    pub(crate) async fn ask(&self, question: Question) -> Option<Answer> {
        // A question that is shown can be answered.
        let answer = self.host.ask(question.clone());
        self.send(RunEventKind::Asked(self.at(), question));
        let mut cancelled = self.cancelled.clone();
        let answer = tokio::select! {
            biased;
            Ok(_) = cancelled.wait_for(|cancelled| *cancelled) => None,
            answer = answer => answer,
        };
        if answer.is_some() {
            self.resumed();
        }
        answer
    }

    /// Reports the end of the run.
    pub(crate) fn end(&self, outcome: &Result<(), Failure>) {
        let ending = match outcome {
            Ok(()) => Ending::Done,
            Err(failure) => {
                if !failure.cancelled {
                    self.send(RunEventKind::StepFailed(failure.clone()));
                }
                if failure.cancelled {
                    Ending::Cancelled
                } else {
                    Ending::Failed
                }
            }
        };
        self.send(RunEventKind::Ended(ending));
    }
}

/// The facts that a step found.
#[derive(Default)]
pub(crate) struct Facts(Vec<Fact>);

impl Facts {
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        let mut value = value.into();
        if let Some((end, _)) = value.char_indices().nth(LONGEST_FACT) {
            let more = value[end..].chars().count();
            value.truncate(end);
            value.push_str(&format!("… ({more} more characters)"));
        }
        self.0.push(Fact { name, value });
        self
    }

    /// Adds the fact if there is a value.
    pub(crate) fn maybe(self, name: &'static str, value: Option<impl Into<String>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds the list if there is one, even if it is empty.
    pub(crate) fn list(self, name: &'static str, values: Option<&[String]>) -> Self {
        self.maybe(name, values.map(|values| values.join(" ")))
    }
}
