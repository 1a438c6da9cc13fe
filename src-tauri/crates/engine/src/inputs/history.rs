//! What was requested of the user and how it was answered, by whom. In memory: the log has the whole of it.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use patchbay_client::{InputKind as Kind, InputReply};
use patchbay_contract::{AnswerOutcome, AnsweredInput, InputKind};
use patchbay_protocol::json;

use crate::dispatch::nudges::{Nudges, Topic};

/// The maximum number of answers that are remembered.
const MOST: usize = 100;

/// The last answers, over all connections.
#[derive(Debug)]
pub(crate) struct History {
    nudges: Arc<Nudges>,
    answered: Mutex<VecDeque<AnsweredInput>>,
}

impl History {
    pub(super) fn new(nudges: Arc<Nudges>) -> Self {
        Self {
            nudges,
            answered: Mutex::default(),
        }
    }

    /// The answers, newest first.
    pub(super) fn list(&self) -> Vec<AnsweredInput> {
        self.lock().iter().cloned().collect()
    }

    /// Remembers an answer.
    pub(super) fn put(&self, answered: AnsweredInput) {
        let mut all = self.lock();
        all.push_front(answered);
        all.truncate(MOST);
        drop(all);
        self.nudges.changed(Topic::Inputs);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<AnsweredInput>> {
        self.answered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a reply means.
pub(super) fn outcome_of(reply: &InputReply) -> AnswerOutcome {
    match reply {
        InputReply::Error { .. } => AnswerOutcome::Refused,
        InputReply::Cancelled => AnswerOutcome::Cancelled,
        InputReply::Result(result) => {
            let result = json::Object::parse(result).ok();
            let action = result.as_ref().and_then(|result| result.string("action"));
            match action.as_deref() {
                Some("decline") => AnswerOutcome::Declined,
                Some("cancel") => AnswerOutcome::Cancelled,
                _ => AnswerOutcome::Accepted,
            }
        }
    }
}

/// The kind of a request in the contract.
pub(super) fn kind_of(kind: Kind) -> InputKind {
    match kind {
        Kind::Sampling => InputKind::Sampling,
        Kind::Elicitation => InputKind::Elicitation,
        Kind::Roots => InputKind::Roots,
    }
}
