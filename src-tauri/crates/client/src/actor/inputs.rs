//! Input that the server asks for: who was asked, and what becomes of the reply.

use patchbay_protocol::{RequestId, checks, error_codes, json, message, methods};
use patchbay_traffic::{Answer as RecordAnswer, OperationId, Seq, Status as RecordStatus};
use patchbay_transport::OutgoingKind;
use tokio::sync::oneshot;

use super::{Actor, Phase, outgoing::SendContext};
use crate::{InputKind, InputReply, InputRequest, pending_inputs::ReplyTarget};

impl Actor {
    /// Hands a request for input to its responders.
    ///
    /// # Errors
    /// Nobody takes it; why, in a sentence.
    pub(super) fn ask(&mut self, request: Question<'_>, wanted: ReplyTarget) -> Result<(), String> {
        let Some(inputs) = &self.options.inputs else {
            return Err("nobody is there to answer".to_owned());
        };
        let (reply, replied) = oneshot::channel();
        let sent = inputs.try_send(InputRequest {
            server_id: self.options.server_id.clone(),
            server_name: self.options.server_name.clone(),
            connection: self.connection,
            key: request.key,
            kind: request.kind,
            method: request.method.to_owned(),
            params: request.params.unwrap_or("{}").to_owned(),
            about: request.about,
            exchange: request.exchange,
            operation: request.operation,
            during: request.during,
            seq: request.seq,
            round: request.round,
            reply,
        });
        if sent.is_err() {
            return Err(
                "too many requests for input wait already, or nobody answers them any more".to_owned(),
            );
        }
        self.pending_inputs.wait(replied, wanted);
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
        let refusal = checks::undeclared_input(&self.options.capabilities, method, params);
        let Some(kind) = InputKind::of(method).filter(|_| refusal.is_none()) else {
            let not_found = || {
                (
                    error_codes::METHOD_NOT_FOUND,
                    format!("Method not found: {method}"),
                )
            };
            let (code, words) = refusal.unwrap_or_else(not_found);
            return self.respond(id, Err(Refusal::new(code, &words))).await;
        };
        let held = self.pending.hold(about);
        let whose = about.and_then(|about| self.pending.get_mut(about)).map(|entry| {
            let exchange = match &entry.purpose {
                crate::pending::Purpose::Exchange(call) => Some(call.exchange),
                _ => None,
            };
            (entry.seq, exchange, entry.operation)
        });
        let question = Question {
            key: id.to_json(),
            kind,
            method,
            params,
            about: whose.map(|(seq, ..)| seq),
            exchange: whose.and_then(|(_, exchange, _)| exchange),
            operation: whose.and_then(|(.., operation)| operation),
            during: if whose.is_none() {
                self.pending.exchanges(&held)
            } else {
                Vec::new()
            },
            seq,
            round: None,
        };
        let wanted = ReplyTarget::Request {
            id: id.clone(),
            method: methods::intern(method),
            seq,
            held: held.clone(),
        };
        if let Err(why) = self.ask(question, wanted) {
            self.pending.release(&held);
            let words = format!("{method} is not answered: {why}");
            self.respond(id, Err(Refusal::new(error_codes::INTERNAL_ERROR, &words)))
                .await;
        }
    }

    /// Somebody replied to a request for input (or nobody will).
    pub(super) async fn replied(&mut self, key: u64, reply: InputReply) {
        match self.pending_inputs.take(key) {
            Some(ReplyTarget::Request { id, method, held, .. }) => {
                self.pending.release(&held);
                match given(&method, reply) {
                    Ok(result) => self.respond(&id, Ok(&result)).await,
                    Err(refusal) => self.respond(&id, Err(refusal)).await,
                }
            }
            Some(ReplyTarget::Round { exchange, index }) => self.round_replied(exchange, index, reply).await,
            Some(ReplyTarget::Later { exchange }) => self.asked_again(exchange).await,
            None => {}
        }
    }

    /// The server no longer wants an answer to its request.
    pub(super) fn server_cancelled(&mut self, wanted: &RequestId) {
        let withdrawn = self
            .pending_inputs
            .withdraw(|known| matches!(known, ReplyTarget::Request { id, .. } if id == wanted));
        self.forget(withdrawn, RecordStatus::Cancelled);
    }

    /// Nothing can be answered any more.
    pub(super) fn withdraw_all(&mut self) {
        let withdrawn = self.pending_inputs.withdraw(|_| true);
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

    /// Answers a request of the server.
    pub(super) async fn respond(&mut self, id: &RequestId, said: Result<&str, Refusal>) {
        let text = match &said {
            Ok(result) => message::response_result(id, result),
            Err(refusal) => {
                message::response_error(Some(id), refusal.code, &refusal.message, refusal.data.as_deref())
            }
        };
        let kind = OutgoingKind::Response { id: id.clone() };
        // What could not be sent is in the log as the link's failure.
        let _ = self.send(text, kind, Vec::new(), SendContext::default()).await;
    }
}

/// What is asked.
pub(super) struct Question<'a> {
    pub(super) key: String,
    pub(super) kind: InputKind,
    pub(super) method: &'a str,
    pub(super) params: Option<&'a str>,
    pub(super) about: Option<Seq>,
    pub(super) exchange: Option<u64>,
    pub(super) operation: Option<OperationId>,
    pub(super) during: Vec<(Seq, u64)>,
    pub(super) seq: Seq,
    pub(super) round: Option<u32>,
}

/// An error as an answer.
pub(super) struct Refusal {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<String>,
}

impl Refusal {
    fn new(code: i64, message: &str) -> Self {
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
