//! The events that a run reports.

use std::time::SystemTime;

use patchbay_http::Url;
use patchbay_traffic::Seq;

use crate::{Failure, Question, Step};

/// The number of a run, unique within its provider and increasing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub u64);

/// An event of a run. Contains no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEvent {
    /// The run.
    pub run: RunId,
    /// The time.
    pub at: SystemTime,
    /// The event.
    pub what: RunEventKind,
}

/// The kind of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEventKind {
    /// The run began.
    Begun {
        /// The cause.
        cause: Cause,
        /// The planned steps, in order.
        steps: Vec<Step>,
    },
    /// A step began.
    StepBegun(Step),
    /// A request of a step ended.
    Attempt(Step, Attempt),
    /// The user is asked to agree in the browser.
    Browser {
        /// The whole authorization URL, with state and challenge.
        url: Url,
        /// The redirect URI.
        redirect_uri: String,
    },
    /// A question was put to the user.
    Asked(Step, Question),
    /// The user answered, or the browser returned. The step continues.
    Resumed(Step),
    /// A step succeeded.
    StepDone {
        /// The step.
        step: Step,
        /// The result, in a sentence.
        summary: String,
        /// The facts it found.
        facts: Vec<Fact>,
    },
    /// A step was not needed.
    StepSkipped {
        /// The step.
        step: Step,
        /// The reason, in a sentence.
        why: String,
    },
    /// A step failed, which ends the run.
    StepFailed(Failure),
    /// The run ended.
    Ended(Ending),
}

/// The cause of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A 401 response.
    Challenge,
    /// A 403 response with `insufficient_scope`.
    StepUp,
    /// The user started it.
    User,
    /// The token expires soon, or was refused.
    Refresh,
    /// The user deletes the tokens.
    Forget,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Successfully.
    Done,
    /// A step failed.
    Failed,
    /// The user cancelled.
    Cancelled,
}

/// An attempted request of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// `GET` or `POST`, `paste` for a text that the user pasted instead of a response, or `open` for a browser that could not be
    /// started.
    pub method: &'static str,
    /// The address.
    pub url: String,
    /// The exchange of the log; none if the request could not be sent.
    pub exchange: Option<Seq>,
    /// The status of the response.
    pub status: Option<u16>,
    /// The verdict.
    pub verdict: AttemptVerdict,
    /// The verdict, in a sentence.
    pub words: String,
}

/// The verdict on a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptVerdict {
    /// The response is used.
    Ok,
    /// Nothing is there; the next address is tried.
    Absent,
    /// A document is there that must not be used.
    Refused,
    /// The request failed.
    Failed,
}

/// A fact that a step found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Its name in the standard.
    pub name: &'static str,
    /// Its value; secrets are masked.
    pub value: String,
}
