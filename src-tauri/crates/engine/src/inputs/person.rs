//! The last responder of an attended chain: the question waits in the queue until the user answers it.

use std::sync::{Arc, OnceLock};

use patchbay_client::{CallEnd, InputKind, InputReply, State, Status};
use patchbay_contract::{AnsweredInput, ExchangeId, InputCallEnd, InputCause, SimulatedInput};
use patchbay_protocol::error_codes;
use patchbay_traffic::Recorder;
use tokio::sync::{oneshot, watch};

use super::{
    InputQueue, Queued, Shown,
    responder::{Answers, InputQuestion, Responder, Response, record},
};
use crate::{calls::Exchanges, convert};

/// Why a request is refused without a person, for the log and the history.
pub(super) const FULL: &str = "too many requests wait for the user";
const WITHDRAWN_BY_SERVER: &str = "The server withdrew it.";

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

    /// Puts a question into the queue; the error is the reply if that is full.
    pub(super) fn show<'a>(
        &'a self,
        question: &'a InputQuestion,
        simulated: Option<SimulatedInput>,
    ) -> Result<Waiting<'a>, InputReply> {
        let causes = question.input.during.iter().map(|call| InputCause {
            seq: convert::seq(call.seq),
            exchange: ExchangeId(call.exchange.to_string()),
            turn: self.queue.turns.of(call.operation),
        });
        let masked = self.recorder.masked(question.input.params.clone().into());
        let shown = Shown {
            params_json: String::from_utf8_lossy(&masked).into_owned(),
            turn: self.queue.turns.of(question.input.operation),
            during: causes.collect(),
            simulated,
        };
        match self.queue.put(question, shown) {
            Some(queued) => Ok(Waiting {
                person: self,
                question,
                is_waiting: true,
                queued,
            }),
            None => {
                // The user never saw it. Set once: the question ends here.
                let _ = question.decision.set(Some(FULL.to_owned()));
                Err(InputReply::Error {
                    code: error_codes::INTERNAL_ERROR,
                    message: FULL.to_owned(),
                    data: None,
                })
            }
        }
    }

    async fn ask(&self, question: &InputQuestion) -> InputReply {
        match self.show(question, None) {
            Ok(mut waiting) => waiting.answer().await,
            Err(reply) => {
                record(&self.recorder, question, &reply, FULL);
                reply
            }
        }
    }

    /// Remembers how a question ended.
    pub(super) fn remember(&self, ended: AnsweredInput) {
        self.queue.remember_ended(ended);
    }

    fn why_withdrawn(&self, question: &InputQuestion) -> &'static str {
        let is_ready = self
            .status
            .get()
            .is_some_and(|status| status.borrow().state == State::Ready && status.has_changed().is_ok());
        let runs = question
            .input
            .exchange
            .is_none_or(|id| self.exchanges.is_running(id));
        match (is_ready, runs, question.input.task.is_some()) {
            (false, ..) => "The connection ended.",
            _ if question.input.watch.withdrawn_because().is_some() => WITHDRAWN_BY_SERVER,
            (true, _, true) => "The server cancelled its task, or the task's time to live is over.",
            (true, false, false) => "The call it belonged to has ended.",
            (true, true, false) => WITHDRAWN_BY_SERVER,
        }
    }
}

impl Responder for Person {
    fn rule(&self) -> Option<String> {
        None
    }

    fn answers(&self) -> Vec<Answers> {
        // A person can also request tools in the model's place, add context, and open a URL.
        let all = [
            (InputKind::Roots, "{}"),
            (InputKind::Sampling, "{\"tools\":{},\"context\":{}}"),
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

    fn withdrawn_unseen(&self, question: &InputQuestion) {
        // One that leaves the queue unanswered is remembered as withdrawn.
        drop(self.show(question, None));
    }
}

/// A question in the queue. If dropped before it is answered, the question is withdrawn.
pub(super) struct Waiting<'a> {
    person: &'a Person,
    question: &'a InputQuestion,
    is_waiting: bool,
    queued: Queued,
}

/// What the user does with a question that the simulator holds back.
pub(super) enum UserAct {
    /// They answered.
    Answered(InputReply),
    /// They will answer.
    TakenOver,
}

impl Waiting<'_> {
    /// The user's answer. The call may end meanwhile: a server need not care that it was cancelled.
    pub(super) async fn answer(&mut self) -> InputReply {
        let Queued { id, answered, .. } = &mut self.queued;
        let reply = tokio::select! {
            biased;
            reply = &mut *answered => reply,
            end = self.question.input.watch.calls_ended() => {
                self.person.queue.calls_ended(id, call_end(end));
                answered.await
            }
        };
        self.is_waiting = false;
        reply.unwrap_or(InputReply::Cancelled)
    }

    /// What the user does first.
    pub(super) async fn act(&mut self) -> UserAct {
        let taken_over = async |receiver: &mut oneshot::Receiver<()>| {
            if receiver.await.is_err() {
                // The question has left the queue.
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            biased;
            reply = &mut self.queued.answered => {
                self.is_waiting = false;
                UserAct::Answered(reply.unwrap_or(InputReply::Cancelled))
            }
            () = taken_over(&mut self.queued.taken_over) => UserAct::TakenOver,
        }
    }

    /// Removes it from the queue; false if the user has just answered.
    pub(super) fn remove(&mut self) -> bool {
        let is_removed = self.person.queue.remove(&self.queued.id);
        self.is_waiting &= !is_removed;
        is_removed
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.is_waiting {
            let reason = self.person.why_withdrawn(self.question);
            let of_server = self.question.input.watch.withdrawn_because();
            self.person
                .queue
                .withdraw(&self.queued.id, reason, of_server.map(str::to_owned));
        }
    }
}

fn call_end(end: CallEnd) -> InputCallEnd {
    match end {
        CallEnd::Ended => InputCallEnd::Ended,
        CallEnd::TimedOut => InputCallEnd::TimedOut,
        CallEnd::Cancelled => InputCallEnd::Cancelled,
    }
}
