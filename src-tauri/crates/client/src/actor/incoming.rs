//! What the server sends: frames taken apart, each message described, and what follows from it.

use std::ops::Range;

use bytes::Bytes;
use patchbay_protocol::{
    Direction, Era, RequestId, Rule, Violation, checks,
    message::{Decoded, Message, Text},
    methods,
    pairing::Observation,
    views::{Cancelled, LogMessage, Progress as ProgressView, completed_elicitation},
};
use patchbay_traffic::{Description, Kind, Seq, Status as RecordStatus};
use patchbay_transport::Received;
use tokio::time::Instant;

use super::Actor;
use crate::{ExchangeEvent, Notices, Progress, pending::Purpose};

/// How many ids of elicitations that are complete are kept.
const COMPLETED: usize = 32;

/// A message of the server, and where it is.
pub(super) struct Arrived<'a> {
    pub(super) seq: Seq,
    at_ns: u64,
    pub(super) frame: &'a Bytes,
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
    /// The HTTP exchange it came in, and its status.
    pub(super) http: Option<Seq>,
    pub(super) status: Option<u16>,
    /// The request of ours in whose answer it came.
    reply_to: Option<&'a RequestId>,
}

impl Arrived<'_> {
    /// The number of the request in whose answer it came.
    fn reply_to_number(&self) -> Option<i64> {
        match self.reply_to {
            Some(RequestId::Int(number)) => Some(*number),
            _ => None,
        }
    }
}

impl Actor {
    /// A frame came.
    pub(super) async fn frame(&mut self, received: Received) {
        let Received {
            seq,
            at_ns,
            frame,
            terminated,
            http,
            reply_to,
            status,
            violations: of_transport,
        } = received;
        let text = Text::of(&frame);
        let Decoded {
            mut messages,
            batch,
            mut violations,
        } = text.decode();
        violations.extend(of_transport);
        if !terminated && http.is_none() {
            let words = "stdout ended in the middle of this line";
            violations.push(Violation::new(Rule::LineUnterminated, words));
        }
        let at = |span, seq| Arrived {
            seq,
            at_ns,
            frame: &frame,
            text: text.as_str(),
            span,
            http,
            status,
            reply_to: reply_to.as_ref(),
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
        let adopted;
        let message = match (message, at.reply_to) {
            // Over HTTP an error may leave its id out: it answers the request in whose answer it came.
            (Message::Response { id: None, outcome }, Some(id)) => {
                violations.retain(|violation| violation.rule != Rule::ResponseWithoutId);
                adopted = Message::Response {
                    id: Some(id.clone()),
                    outcome: outcome.clone(),
                };
                &adopted
            }
            _ => message,
        };
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
                let about = at.reply_to_number();
                description.related_to = about
                    .and_then(|about| self.pending.get_mut(about))
                    .map(|entry| entry.seq);
                self.describe(at.seq, description);
                self.serve(id, method, *params, at.seq, about).await;
            }
            Message::Notification { method, params } => {
                description.method = Some(method.to_string());
                description.summary = methods::summary(method, *params);
                description.related_to = observed.related;
                description.violations.extend(malformed(method, *params));
                self.notified(method, *params, &at, &observed, &mut description);
                self.describe(at.seq, description);
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

    pub(super) fn is_modern(&self) -> bool {
        self.board.status.era == Some(Era::Modern)
    }

    fn notified(
        &mut self,
        method: &str,
        params: Option<&str>,
        at: &Arrived<'_>,
        observed: &Observation,
        description: &mut Description,
    ) {
        if self.is_modern() {
            let stream = self.streamed(method, params, at.seq, at.reply_to, &mut description.violations);
            description.related_to = description.related_to.or(stream);
        }
        let count: fn(&mut Notices) = match method {
            methods::PROGRESS => return self.progress(params, observed),
            methods::CANCELLED if self.is_modern() => {
                return self.ended_by_server(params, &mut description.violations);
            }
            methods::CANCELLED => {
                if let Some(id) = Cancelled::parse(params).request_id {
                    self.server_cancelled(&id);
                }
                return;
            }
            methods::TOOLS_LIST_CHANGED => |notices| notices.tools_changed += 1,
            methods::PROMPTS_LIST_CHANGED => |notices| notices.prompts_changed += 1,
            methods::RESOURCES_LIST_CHANGED => |notices| notices.resources_changed += 1,
            methods::RESOURCES_UPDATED => |notices| notices.resource_updates += 1,
            methods::MESSAGE => |notices| notices.log_messages += 1,
            methods::TASKS | methods::TASKS_STATUS => |notices| notices.task_updates += 1,
            methods::ELICITATION_COMPLETE => |notices| notices.elicitations_complete += 1,
            _ => return,
        };
        self.notices.send_modify(|notices| {
            count(notices);
            match method {
                methods::MESSAGE => notices.last_log = Some(at.seq),
                methods::ELICITATION_COMPLETE => {
                    if notices.completed_elicitations.len() == COMPLETED {
                        notices.completed_elicitations.pop_front();
                    }
                    let id = completed_elicitation(params).unwrap_or_default();
                    notices.completed_elicitations.push_back(id.into_owned());
                }
                _ => {}
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
        let count = entry.progress;
        let Purpose::Exchange(call) = &entry.purpose else {
            return;
        };
        if !view.progress.is_nan() {
            call.mention(|| {
                ExchangeEvent::Progress(Box::new(Progress {
                    progress: view.progress,
                    total: view.total,
                    message: view.message.map(std::borrow::Cow::into_owned),
                    count,
                }))
            });
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
