//! The events that a run reports.

use std::time::SystemTime;

use patchbay_http::Url;
use patchbay_traffic::Seq;

use crate::{Failure, Question, Step};

/// The number of a run, unique with its provider; counts up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub u64);

/// Something that happened in a run. Carries no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEvent {
    /// In which run.
    pub run: RunId,
    /// When.
    pub at: SystemTime,
    /// What.
    pub what: RunEventKind,
}

/// What happened in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEventKind {
    /// It began.
    Begun {
        /// Why.
        cause: Cause,
        /// The steps that are to come, in their order.
        steps: Vec<Step>,
    },
    /// A step began.
    StepBegun(Step),
    /// A request of a step was answered, or failed.
    Attempt(Step, Attempt),
    /// The user is to agree in the browser; the address is whole, with state and challenge.
    Browser {
        /// The address that was, or is to be, opened.
        url: Url,
        /// Where the browser is sent back to.
        redirect_uri: String,
    },
    /// The user is asked.
    Asked(Step, Question),
    /// The user answered, or the browser returned: the step continues.
    Resumed(Step),
    /// A step is done.
    StepDone {
        /// Which.
        step: Step,
        /// The result, in a sentence.
        summary: String,
        /// What it found.
        facts: Vec<Fact>,
    },
    /// A step was not needed.
    StepSkipped {
        /// Which.
        step: Step,
        /// Why, in a sentence.
        why: String,
    },
    /// A step failed, and with it the run.
    StepFailed(Failure),
    /// It is over.
    Ended(Ending),
}

/// Why a run began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// 401.
    Challenge,
    /// 403 `insufficient_scope`.
    StepUp,
    /// The user.
    User,
    /// The token expires, or was refused.
    Refresh,
    /// The user forgets the tokens.
    Forget,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With a token (or, if that was wanted, without any).
    Done,
    /// A step failed.
    Failed,
    /// The user cancelled.
    Cancelled,
}

/// A request of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// Whereto.
    pub url: String,
    /// The exchange of the log; none if it could not even begin.
    pub exchange: Option<Seq>,
    /// The status of the answer.
    pub status: Option<u16>,
    /// What is made of it.
    pub verdict: AttemptVerdict,
    /// The same in a sentence.
    pub words: String,
}

/// What is made of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptVerdict {
    /// It is used.
    Ok,
    /// There is nothing there: the next place is tried.
    Absent,
    /// It is there and must not be used.
    Refused,
    /// It did not work.
    Failed,
}

/// Something a step found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// As the standards name it.
    pub name: &'static str,
    /// Its value; a secret is masked.
    pub value: String,
}
