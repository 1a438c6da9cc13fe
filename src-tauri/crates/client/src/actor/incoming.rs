//! What the server sends: frames taken apart, each message described, and what follows from it.

use std::ops::Range;

use bytes::Bytes;
use patchbay_protocol::{
    Direction, Era, RequestId, Rule, Violation, checks, error_codes,
    json::{self, Object},
    message::{Decoded, Message, Outcome as Said, Text},
    methods,
    pairing::Observation,
    views::{
        CallToolResult, Cancelled, LogMessage, Progress as ProgressView, ResultType, ToolsPage, result_type,
    },
};
use patchbay_traffic::{Answer as RecordAnswer, Description, Kind, Seq, Status as RecordStatus};
use patchbay_transport::Received;
use tokio::time::Instant;

use super::{Actor, Phase, outgoing::finish};
use crate::{Answer, ExchangeEvent, Notices, Outcome, Progress, pending::Purpose};

/// A message of the server, and where it is.
struct Arrived<'a> {
    seq: Seq,
    at_ns: u64,
    frame: &'a Bytes,
    text: &'a str,
    span: Range<usize>,
}

impl Actor {
    /// A frame came.
    pub(super) async fn frame(&mut self, received: Received) {
        let Received {
            seq,
            at_ns,
            frame,
            terminated,
            ..
        } = received;
        let text = Text::of(&frame);
        let Decoded {
            mut messages,
            batch,
            mut violations,
        } = text.decode();
        if !terminated {
            let words = "stdout ended in the middle of this line";
            violations.push(Violation::new(Rule::LineUnterminated, words));
        }
        let at = |span, seq| Arrived {
            seq,
            at_ns,
            frame: &frame,
            text: text.as_str(),
            span,
        };
        if messages.len() == 1 && !batch {
            if let Some(located) = messages.pop() {
                violations.extend(located.violations);
                self.message(at(located.span, seq), &located.message, violations)
                    .await;
            }
            return;
        }
        let mut whole = Description::new(if messages.is_empty() {
            Kind::Invalid
        } else {
            Kind::Batch
        });
        if batch {
            violations.extend(checks::batch(self.board.status.revision));
        }
        if !messages.is_empty() {
            whole.summary = Some(format!("{} messages", messages.len()));
        }
        whole.violations = violations;
        self.describe(seq, whole);
        for located in messages {
            let kind = kind_of(&located.message);
            let Some(link) = &mut self.link else { return };
            let member = link.member(seq, located.span.clone(), Description::new(kind));
            // A store that takes nothing ends the connection: that comes next.
            let Ok(member) = member.await else { return };
            self.message(at(located.span, member), &located.message, located.violations)
                .await;
        }
    }

    async fn message(&mut self, at: Arrived<'_>, message: &Message<'_>, mut violations: Vec<Violation>) {
        let observed = self
            .pairing
            .observe(Direction::ServerToClient, at.seq, at.at_ns, message);
        let mut description = Description::new(kind_of(message));
        violations.extend(observed.violations.iter().cloned());
        violations.extend(self.conversation.observe(Direction::ServerToClient, message));
        description.violations = violations;
        match message {
            Message::Request { id, method, params } => {
                description.method = Some(method.to_string());
                description.rpc_id = Some(id.to_json());
                description.summary = methods::summary(method, *params);
                description.status = Some(RecordStatus::Pending);
                self.describe(at.seq, description);
                self.serve(id, method, at.seq).await;
            }
            Message::Notification { method, params } => {
                description.method = Some(method.to_string());
                description.summary = methods::summary(method, *params);
                description.related_to = observed.related;
                description.violations.extend(malformed(method, *params));
                self.describe(at.seq, description);
                self.notified(method, *params, at.seq, &observed);
            }
            Message::Response { id, outcome } => {
                self.response(&at, id.as_ref(), outcome, observed, description)
                    .await;
            }
            Message::Invalid { reason } => {
                description.summary = Some(methods::clip(at.text.get(at.span.clone()).unwrap_or(at.text)));
                if description.violations.is_empty() {
                    description
                        .violations
                        .push(Violation::new(Rule::NotAMessage, reason.clone()));
                }
                self.describe(at.seq, description);
            }
        }
    }

    fn is_modern(&self) -> bool {
        self.board.status.era == Some(Era::Modern)
    }

    // ---- requests and notifications

    /// Answers a request of the server. In the modern era a client never answers.
    async fn serve(&mut self, id: &RequestId, method: &str, seq: Seq) {
        if self.is_modern() || matches!(self.phase, Phase::Switching(_) | Phase::Ending(_) | Phase::Over) {
            return;
        }
        if method == methods::PING {
            self.respond(id, method, seq, None).await;
        } else {
            let words = format!("Method not found: {method}");
            self.respond(id, method, seq, Some((error_codes::METHOD_NOT_FOUND, &words)))
                .await;
        }
    }

    fn notified(&mut self, method: &str, params: Option<&str>, seq: Seq, observed: &Observation) {
        let count: fn(&mut Notices) = match method {
            methods::PROGRESS => return self.progress(params, observed),
            methods::TOOLS_LIST_CHANGED => |notices| notices.tools_changed += 1,
            methods::PROMPTS_LIST_CHANGED => |notices| notices.prompts_changed += 1,
            methods::RESOURCES_LIST_CHANGED => |notices| notices.resources_changed += 1,
            methods::RESOURCES_UPDATED => |notices| notices.resource_updates += 1,
            methods::MESSAGE => |notices| notices.log_messages += 1,
            _ => return,
        };
        self.notices.send_modify(|notices| {
            count(notices);
            if method == methods::MESSAGE {
                notices.last_log = Some(seq);
            }
        });
    }

    fn progress(&mut self, params: Option<&str>, observed: &Observation) {
        let view = ProgressView::parse(params);
        let Some(entry) = observed
            .related
            .and_then(|request| self.pending.get_by_token(request, view.token.as_ref()))
        else {
            return;
        };
        entry.touch(Instant::now());
        let Purpose::Exchange { events, .. } = &entry.purpose else {
            return;
        };
        // The last place is kept for the end.
        if events.capacity() > 1 && !view.progress.is_nan() {
            let _ = events.try_send(ExchangeEvent::Progress(Box::new(Progress {
                progress: view.progress,
                total: view.total,
                message: view.message.map(std::borrow::Cow::into_owned),
                count: entry.progress,
            })));
        }
    }

    // ---- responses

    async fn response(
        &mut self,
        at: &Arrived<'_>,
        id: Option<&RequestId>,
        said: &Said<'_>,
        observed: Observation,
        mut description: Description,
    ) {
        let (body_text, mut status) = match said {
            Said::Result(result) => (*result, RecordStatus::Ok),
            Said::Error(error) => (error.raw, RecordStatus::Error),
        };
        let mut outcome = if status == RecordStatus::Ok {
            Outcome::Result
        } else {
            Outcome::Error
        };
        let method = observed.method.as_deref();
        if let (Said::Result(result), Some(method)) = (said, method) {
            if method == methods::TOOLS_CALL && is_error(result) {
                status = RecordStatus::ToolError;
            }
            outcome = self.result_outcome(method, result, &mut description.violations);
        }
        if let Said::Error(error) = said {
            description.summary = Some(methods::error_summary(error));
        }
        let number = match id {
            Some(RequestId::Int(number)) => Some(*number),
            _ => None,
        };
        let entry = number
            .filter(|_| !observed.late)
            .and_then(|number| self.pending.remove(number));
        let abandoned = number.and_then(|number| self.abandoned.remove(&number));
        description.rpc_id = id.map(RequestId::to_json);
        description.status = Some(status);
        description.pair = observed.request_seq;
        description.latency_ns = observed.latency_ns;
        description.method = method.map(str::to_owned);
        self.describe(at.seq, description);
        if let Some(request) = observed.request_seq
            && (entry.is_some() || abandoned.is_some())
        {
            let status = abandoned.unwrap_or(status);
            let latency_ns = observed.latency_ns;
            self.recorder.answer(
                request,
                RecordAnswer {
                    response: Some(at.seq),
                    status,
                    latency_ns,
                },
            );
        }
        let Some(entry) = entry else { return };
        self.board.pending(self.pending.len());
        let body = json::span_of(at.text, body_text);
        let answer = Answer {
            seq: at.seq,
            frame: at.frame.clone(),
            message: at.span.clone(),
            body,
        };
        let method = entry.method.clone();
        if matches!(entry.purpose, Purpose::Exchange { .. }) {
            finish(entry, outcome, Some(answer), Instant::now());
            // The answer is on its way already: what follows delays nobody.
            if let Said::Result(result) = said {
                self.examine(at.seq, &method, result);
            }
        } else {
            self.handshake(entry, said, answer).await;
        }
    }

    /// What kind of result it is. Before the modern era all are complete.
    fn result_outcome(&self, method: &str, result: &str, violations: &mut Vec<Violation>) -> Outcome {
        if !self.is_modern() {
            return Outcome::Result;
        }
        let (kind, violation) = result_type(result);
        let unknown = violation
            .as_ref()
            .is_some_and(|violation| violation.rule == Rule::ResultTypeUnknown);
        let unfit = checks::result(Era::Modern, method, result);
        violations.extend(unfit.into_iter().map(|violation| prefixed(violation, "/result")));
        match kind {
            ResultType::Complete => Outcome::Result,
            ResultType::InputRequired => Outcome::InputRequired("nobody is there to give it".to_owned()),
            ResultType::Other(name) if unknown => Outcome::UnknownResultType(name),
            ResultType::Other(_) => Outcome::Result,
        }
    }

    /// Adds what is wrong within a result.
    fn examine(&mut self, seq: Seq, method: &str, result: &str) {
        let mut found = Vec::new();
        match method {
            methods::TOOLS_CALL => found = CallToolResult::parse(result).violations,
            methods::TOOLS_LIST => {
                let page = ToolsPage::parse(result);
                found = page.violations;
                for (index, mut tool) in page.tools.into_iter().enumerate() {
                    for violation in &mut tool.violations {
                        let within = violation.pointer.take().unwrap_or_default();
                        violation.pointer = Some(format!("/tools/{index}{within}"));
                    }
                    found.append(&mut tool.violations);
                }
            }
            _ => {}
        }
        // `resultType` has been looked at, for the era that has it.
        found
            .retain(|violation| !matches!(violation.rule, Rule::ResultTypeMissing | Rule::ResultTypeUnknown));
        if !found.is_empty() {
            prefix(&mut found, "/result");
            self.board.problems(found.len());
            self.recorder.violations(seq, found);
        }
    }
}

fn kind_of(message: &Message<'_>) -> Kind {
    match message {
        Message::Request { .. } => Kind::Request,
        Message::Notification { .. } => Kind::Notification,
        Message::Response { .. } => Kind::Response,
        Message::Invalid { .. } => Kind::Invalid,
    }
}

/// Whether a tool result says that the tool failed.
fn is_error(result: &str) -> bool {
    // Only a result that has the word is worth taking apart.
    memchr::memmem::find(result.as_bytes(), b"\"isError\"").is_some()
        && Object::parse(result)
            .ok()
            .and_then(|object| object.get("isError"))
            .and_then(json::boolean)
            == Some(true)
}

fn prefixed(mut violation: Violation, prefix: &str) -> Violation {
    if let Some(pointer) = &mut violation.pointer {
        pointer.insert_str(0, prefix);
    }
    violation
}

pub(super) fn prefix(violations: &mut [Violation], prefix: &str) {
    for violation in violations {
        if let Some(pointer) = &mut violation.pointer {
            pointer.insert_str(0, prefix);
        }
    }
}

/// What is wrong with a notification in itself.
fn malformed(method: &str, params: Option<&str>) -> Vec<Violation> {
    let mut found = match method {
        methods::PROGRESS => ProgressView::parse(params).violations,
        methods::CANCELLED => Cancelled::parse(params).violations,
        methods::MESSAGE => LogMessage::parse(params).violations,
        _ => Vec::new(),
    };
    prefix(&mut found, "/params");
    found
}
