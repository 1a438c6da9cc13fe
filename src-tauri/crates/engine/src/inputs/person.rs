//! The last responder of an attended chain: the question waits in the queue until the user answers it.

use std::sync::{Arc, OnceLock};

use patchbay_client::{InputKind, InputReply, State, Status};
use patchbay_contract::InputId;
use patchbay_protocol::error_codes;
use patchbay_traffic::Recorder;
use tokio::sync::watch;

use super::{
    InputQueue,
    responder::{Answers, InputQuestion, Responder, Response},
};
use crate::calls::Exchanges;

/// Puts questions into the queue that `input_list` shows.
pub(crate) struct Person {
    queue: Arc<InputQueue>,
    exchanges: Arc<Exchanges>,
    recorder: Recorder,
    /// The connection of these questions; set when connecting begins.
    status: OnceLock<watch::Receiver<Arc<Status>>>,
}

impl std::fmt::Debug for Person {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Person")
    }
}

impl Person {
    pub(crate) fn new(queue: Arc<InputQueue>, exchanges: Arc<Exchanges>, recorder: Recorder) -> Self {
        Self {
            queue,
            exchanges,
            recorder,
            status: OnceLock::new(),
        }
    }

    /// Sets the connection, which later explains why a question was withdrawn.
    pub(crate) fn belongs_to(&self, status: watch::Receiver<Arc<Status>>) {
        // Set once, right after connecting has begun.
        let _ = self.status.set(status);
    }

    async fn ask(&self, question: &InputQuestion) -> InputReply {
        let masked = self.recorder.masked(question.params.clone().into());
        let params = String::from_utf8_lossy(&masked).into_owned();
        match self.queue.put(question, params) {
            Some((id, answered)) => {
                let waiting = Waiting {
                    person: self,
                    question,
                    id: Some(id),
                };
                let answer = answered.await.unwrap_or(InputReply::Cancelled);
                waiting.answered();
                answer
            }
            None => InputReply::Error {
                code: error_codes::INTERNAL_ERROR,
                message: "too many requests are already waiting for the user".to_owned(),
                data: None,
            },
        }
    }

    fn why_withdrawn(&self, question: &InputQuestion) -> &'static str {
        let is_ready = self
            .status
            .get()
            .is_some_and(|status| status.borrow().state == State::Ready && status.has_changed().is_ok());
        let runs = question.exchange.is_none_or(|id| self.exchanges.is_running(id));
        match (is_ready, runs) {
            (false, _) => "The connection ended.",
            (true, false) => "The call it belonged to has ended.",
            (true, true) => "The server withdrew it.",
        }
    }
}

impl Responder for Person {
    fn rule(&self) -> Option<String> {
        None
    }

    fn answers(&self) -> Vec<Answers> {
        // A person can also request tools in the model's place, and can open a URL.
        let all = [
            (InputKind::Roots, "{}"),
            (InputKind::Sampling, "{\"tools\":{}}"),
            (InputKind::Elicitation, "{\"form\":{},\"url\":{}}"),
        ];
        all.map(|(kind, capability)| Answers {
            kind,
            capability,
            always: true,
        })
        .into()
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        Box::pin(async { Some(self.ask(question).await) })
    }
}

/// A question in the queue. If dropped before it is answered, the question is withdrawn.
struct Waiting<'a> {
    person: &'a Person,
    question: &'a InputQuestion,
    id: Option<InputId>,
}

impl Waiting<'_> {
    fn answered(mut self) {
        self.id = None;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(id) = &self.id {
            let reason = self.person.why_withdrawn(self.question);
            self.person.queue.withdraw(id, reason);
        }
    }
}
