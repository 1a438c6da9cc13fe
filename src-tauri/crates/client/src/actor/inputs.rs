//! Input that the server asks for: who was asked, and what becomes of the reply.

use patchbay_protocol::{RequestId, checks, error_codes, json, message, methods};
use patchbay_traffic::{Answer as RecordAnswer, OperationId, Seq, Status as RecordStatus};
use patchbay_transport::OutgoingKind;
use tokio::sync::oneshot;

use super::{
    Actor, Phase,
    outgoing::SendContext,
    tasks::{related, related_task},
};
use crate::{
    Input, InputKind, InputReply, InputRequest, InputWatch, OpenExchange, pending::Purpose,
    pending_inputs::ReplyTarget,
};

impl Actor {
    /// Hands a request for input to its responders.
    ///
    /// # Errors
    /// Nobody takes it; why, in a sentence.
    pub(super) fn ask(&mut self, request: Question<'_>, wanted: ReplyTarget) -> Result<(), String> {
        let Some(inputs) = &self.options.inputs else {
            return Err("nobody is there to answer".to_owned());
        };
        const TOO_MANY: &str = "too many requests for input wait already, or nobody answers them any more";
        let bytes = request.params.map_or(0, str::len) + request.key.len();
        if !self.pending_inputs.has_room(bytes, &self.options.limits) {
            return Err(TOO_MANY.to_owned());
        }
        let (reply, replied) = oneshot::channel();
        let input = Input {
            server_id: self.options.server_id.clone(),
            server_name: self.options.server_name.clone(),
            connection: self.connection,
            key: request.key,
            task: request.task,
            kind: request.kind,
            method: request.method.to_owned(),
            params: request.params.unwrap_or("{}").to_owned(),
            about: request.about,
            exchange: request.exchange,
            operation: request.operation,
            during: request.during,
            seq: request.seq,
            round: request.round,
            watch: request.watch.clone(),
        };
        let sent = inputs.try_send(InputRequest { input, reply });
        if sent.is_err() {
            return Err(TOO_MANY.to_owned());
        }
        self.pending_inputs.wait(replied, wanted, bytes, request.watch);
        Ok(())
    }

    /// Answers a request of the server (legacy era). In the modern era a client never answers.
    pub(super) async fn serve(
        &mut self,
        id: &RequestId,
        method: &str,
        params: Option<&str>,
        seq: Seq,
        about: Option<i64>,
    ) {
        if self.is_modern() || matches!(self.phase, Phase::Switching(_) | Phase::Ending(_) | Phase::Over) {
            return;
        }
        if method == methods::PING {
            return self.respond(id, Ok("{}")).await;
        }
        let refusal = checks::undeclared_input(&self.declared, method, params);
        if let Some((code, words)) = refusal {
            return self.respond(id, Err(Refusal::new(code, &words))).await;
        }
        let Some(kind) = InputKind::of(method) else {
            return self.serve_tasks(id, method, params, seq).await;
        };
        let held = self.pending.hold(about);
        let whose = about.and_then(|about| self.caller(about));
        let question = Question {
            key: id.to_json(),
            task: None,
            kind,
            method,
            params,
            about: whose.map(|(seq, ..)| seq),
            exchange: whose.and_then(|(_, exchange, _)| exchange),
            operation: whose.and_then(|(.., operation)| operation),
            during: match whose {
                None => self.pending.open_exchanges(),
                Some(_) => Vec::new(),
            },
            seq,
            round: None,
            watch: InputWatch::of(self.pending.watch_ends(whose.and(about))),
        };
        if let Some(ttl_ms) = self.task_wanted(kind, params) {
            return self.serve_as_task(id, ttl_ms, held, question).await;
        }
        let wanted = ReplyTarget::Request {
            id: id.clone(),
            method: methods::intern(method),
            seq,
            related: related_task(params),
            held: held.clone(),
        };
        if let Err(why) = self.ask(question, wanted) {
            self.pending.release(&held);
            let words = format!("{method} is not answered: {why}");
            self.respond(id, Err(Refusal::new(error_codes::INTERNAL_ERROR, &words)))
                .await;
        }
    }

    /// A request of ours, its exchange and its operation.
    fn caller(&mut self, id: i64) -> Option<(Seq, Option<u64>, Option<OperationId>)> {
        let entry = self.pending.get_mut(id)?;
        let exchange = match &entry.purpose {
            Purpose::Exchange(call) => Some(call.exchange),
            _ => None,
        };
        Some((entry.seq, exchange, entry.operation))
    }

    /// Somebody replied to a request for input (or nobody will).
    pub(super) async fn replied(&mut self, key: u64, reply: InputReply) {
        match self.pending_inputs.take(key) {
            Some(ReplyTarget::Request {
                id,
                method,
                held,
                related: task,
                ..
            }) => {
                self.pending.release(&held);
                match given(&method, reply) {
                    Ok(result) => self.respond(&id, Ok(&related(&result, task))).await,
                    Err(refusal) => self.respond(&id, Err(refusal)).await,
                }
            }
            Some(ReplyTarget::Task { task, method }) => self.task_replied(&task, &method, reply).await,
            Some(ReplyTarget::Round { exchange, index }) => self.round_replied(exchange, index, reply).await,
            Some(ReplyTarget::Later { exchange }) => self.asked_again(exchange).await,
            None => {}
        }
    }

    /// The server no longer wants an answer to its request.
    pub(super) fn server_cancelled(&mut self, wanted: &RequestId, reason: Option<&str>) {
        // Masked before it is shortened: a secret that is cut in two would not be found.
        let reason = reason.map(|reason| {
            let masked = self.recorder.masked(reason.to_owned().into());
            String::from_utf8_lossy(&masked).into_owned()
        });
        let withdrawn = self.pending_inputs.withdraw(
            reason.as_deref(),
            |known| matches!(known, ReplyTarget::Request { id, .. } if id == wanted),
        );
        self.forget(withdrawn, RecordStatus::Cancelled);
        self.task_result_cancelled(wanted);
    }

    /// Nothing can be answered any more.
    pub(super) fn withdraw_all(&mut self) {
        let withdrawn = self.pending_inputs.withdraw(None, |_| true);
        self.forget(withdrawn, RecordStatus::Lost);
    }

    fn forget(&mut self, withdrawn: Vec<ReplyTarget>, status: RecordStatus) {
        for wanted in withdrawn {
            if let ReplyTarget::Request { seq, held, .. } = wanted {
                self.pending.release(&held);
                let answer = RecordAnswer {
                    response: None,
                    status,
                    latency_ns: None,
                };
                self.recorder.answer(seq, answer);
            }
        }
    }

    /// Answers a request of the server. If that fails, the log says so: once, until a reply is sent again.
    pub(super) async fn respond(&mut self, id: &RequestId, said: Result<&str, Refusal>) {
        let text = match &said {
            Ok(result) => message::response_result(id, result),
            Err(refusal) => {
                message::response_error(Some(id), refusal.code, &refusal.message, refusal.data.as_deref())
            }
        };
        let kind = OutgoingKind::Response { id: id.clone() };
        match self.send(text, kind, Vec::new(), SendContext::default()).await {
            Ok(_) => self.replies_fail = false,
            Err(failure) => {
                if !std::mem::replace(&mut self.replies_fail, true) {
                    self.log(format!("A reply was not sent: {}", failure.cause), failure.detail);
                }
            }
        }
    }
}

/// What is asked.
pub(super) struct Question<'a> {
    pub(super) key: String,
    pub(super) task: Option<String>,
    pub(super) kind: InputKind,
    pub(super) method: &'a str,
    pub(super) params: Option<&'a str>,
    pub(super) about: Option<Seq>,
    pub(super) exchange: Option<u64>,
    pub(super) operation: Option<OperationId>,
    pub(super) during: Vec<OpenExchange>,
    pub(super) seq: Seq,
    pub(super) round: Option<u32>,
    pub(super) watch: InputWatch,
}

/// An error as an answer.
pub(super) struct Refusal {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<String>,
}

impl Refusal {
    pub(super) fn new(code: i64, message: &str) -> Self {
        Self {
            code,
            message: message.to_owned(),
            data: None,
        }
    }
}

/// The result that a reply means, or why there is none.
pub(super) fn given(method: &str, reply: InputReply) -> Result<String, Refusal> {
    match reply {
        // What is not JSON would break the frame it is in.
        InputReply::Result(text) if json::well_formed(&text).is_ok() => Ok(text),
        InputReply::Result(_) => {
            let words = "the answer that was given is not JSON";
            Err(Refusal::new(error_codes::INTERNAL_ERROR, words))
        }
        InputReply::Error { code, message, data } => Err(Refusal { code, message, data }),
        InputReply::Cancelled if method == methods::ELICITATION_CREATE => {
            Ok("{\"action\":\"cancel\"}".to_owned())
        }
        InputReply::Cancelled if method == methods::SAMPLING_CREATE_MESSAGE => {
            let words = "User rejected sampling request";
            Err(Refusal::new(error_codes::USER_REJECTED, words))
        }
        InputReply::Cancelled => Err(Refusal::new(error_codes::INTERNAL_ERROR, "Nobody answered")),
    }
}
