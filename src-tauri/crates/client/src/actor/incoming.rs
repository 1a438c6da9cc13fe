//! What the server sends: each message is described, and what follows from it happens.

use std::ops::Range;

use bytes::Bytes;
use patchbay_observe::{Crossing, HttpContext, Meaning, Observed, ObservedFrame, StreamEvent};
use patchbay_protocol::{
    Direction, Era, RequestId,
    limits::{ID_BYTES, TEXT_BYTES},
    message::{Message, Text},
    methods,
    pairing::Observation,
    views::{NotificationView, Progress as ProgressView},
};
use patchbay_traffic::{Description, Kind, Seq, Status as RecordStatus};
use patchbay_transport::Received;
use tokio::time::Instant;

use super::{
    Actor, MANY,
    lifecycle::{beginning, shown},
};
use crate::{
    ExchangeEvent, Notices, Outcome, Progress, TaskReport, notifications, pending::Purpose,
    status::task_progress::MESSAGE_BYTES,
};

/// How many states of tasks that the server reported are kept until they are read.
const REPORTS: usize = 32;
/// The maximum size of a reported state of a task, in bytes. A larger one is only counted and recorded.
const REPORT_BYTES: usize = 64 * 1024;
/// The most bytes of what a notification of a stream is about. What is longer is only counted and recorded.
const SUBJECT_BYTES: usize = 64 * 1024;

/// A message from the server, and where it is.
pub(super) struct Incoming<'a> {
    pub(super) seq: Seq,
    pub(super) frame: &'a Bytes,
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
    /// The HTTP exchange it came in, and its status.
    pub(super) http: Option<Seq>,
    pub(super) status: Option<u16>,
    /// The request of ours in whose response it came.
    reply_to: Option<&'a RequestId>,
}

impl Incoming<'_> {
    /// The number of the request in whose response it came.
    fn reply_to_number(&self) -> Option<i64> {
        self.reply_to.and_then(number)
    }
}

/// The id of a request of ours, which is a number.
pub(super) fn number(id: &RequestId) -> Option<i64> {
    match id {
        RequestId::Int(number) => Some(*number),
        RequestId::Text(_) | RequestId::Other(_) => None,
    }
}

impl Actor {
    /// A frame arrived.
    pub(super) async fn frame(&mut self, received: Received) {
        let Received {
            seq,
            at_ns,
            frame,
            terminated,
            http,
            reply_to,
            status,
            violations,
        } = received;
        self.wakes.defer(self.pending.len() >= MANY);
        let text = Text::of(&frame);
        let crossing = Crossing {
            terminated,
            http: http.map(|_| HttpContext {
                reply_to: reply_to.as_ref(),
            }),
            ..Crossing::new(Direction::ServerToClient, at_ns)
        };
        let ObservedFrame { whole, messages } = self.observer.frame(&text, &crossing, violations);
        let several = whole.is_some();
        if let Some(whole) = whole {
            self.describe(seq, whole);
        }
        for located in messages {
            let span = located.span.clone();
            let record = if several {
                let kind = Kind::of(&located.message);
                let Some(link) = &mut self.link else { return };
                // A store that takes nothing ends the connection next.
                let Ok(member) = link.member(seq, span.clone(), Description::new(kind)).await else {
                    return;
                };
                member
            } else {
                seq
            };
            let observed = self.observer.message(record, &crossing, text.as_str(), located);
            let at = Incoming {
                seq: record,
                frame: &frame,
                text: text.as_str(),
                span,
                http,
                status,
                reply_to: reply_to.as_ref(),
            };
            self.message(at, observed).await;
        }
    }

    async fn message(&mut self, at: Incoming<'_>, observed: Observed<'_>) {
        if let Message::Response { id, .. } = &observed.message {
            self.answer_came(&at, id.as_ref());
            return self.response(&at, observed).await;
        }
        self.describe(at.seq, observed.description);
        match observed.message {
            Message::Request { id, method, params } => {
                let about = at.reply_to_number();
                if !id.is_allowed() && !self.is_modern() {
                    // A response may only carry a string or an integer as its id: there is no valid answer.
                    let why = match id.is_long() {
                        true => format!("its id is longer than {ID_BYTES} bytes"),
                        false => "its id is not a string or an integer".to_owned(),
                    };
                    let words = format!("Request {} ({method}) was not answered: {why}", at.seq);
                    return self.log(words, None);
                }
                self.serve(&id, &method, params, at.seq, about).await;
            }
            Message::Notification { method, params } => {
                self.notified(&method, params, at.seq, &observed.pairing, observed.meaning);
            }
            Message::Invalid { .. } => {
                self.not_a_message(at.text.get(at.span).unwrap_or_default());
            }
            Message::Response { .. } => {}
        }
    }

    /// Tells the link of an answer that it does not see: one that is not in the response to its request.
    fn answer_came(&mut self, at: &Incoming<'_>, id: Option<&RequestId>) {
        if let (Some(id), Some(link)) = (id.filter(|id| at.reply_to != Some(*id)), &mut self.link) {
            link.answered(id);
        }
    }

    pub(super) fn is_modern(&self) -> bool {
        self.publisher.status.era == Some(Era::Modern)
    }

    fn notified(
        &mut self,
        method: &str,
        params: Option<&str>,
        seq: Seq,
        paired: &Observation,
        meaning: Meaning<'_>,
    ) {
        match meaning {
            Meaning::Notification(NotificationView::Progress(view)) => return self.progress(view, paired),
            Meaning::Notification(NotificationView::Cancelled(view)) => {
                if let (Some(id), false) = (view.request_id, self.is_modern()) {
                    self.server_cancelled(&id, view.reason.as_deref());
                }
                return;
            }
            Meaning::StreamEnded { id, reason } => return self.stream_ended(&id, reason),
            Meaning::Stream { id, event } => self.stream_event(&id, event, (method, params), seq),
            Meaning::Notification(_) | Meaning::Plain | Meaning::Result(_) => {}
        }
        let count: fn(&mut Notices) = match method {
            methods::TOOLS_LIST_CHANGED => |notices| notices.tools_changed += 1,
            methods::PROMPTS_LIST_CHANGED => |notices| notices.prompts_changed += 1,
            methods::RESOURCES_LIST_CHANGED => |notices| notices.resources_changed += 1,
            methods::RESOURCES_UPDATED => |notices| notices.resource_updates += 1,
            methods::MESSAGE => |notices| notices.log_messages += 1,
            methods::TASKS | methods::TASKS_STATUS => |notices| notices.task_updates += 1,
            _ => return,
        };
        if method != methods::MESSAGE {
            self.watchers.announce(method, params, seq);
        }
        self.notices.send_modify(|notices| {
            count(notices);
            match method {
                methods::MESSAGE => notices.last_log = Some(seq),
                methods::TASKS | methods::TASKS_STATUS => keep_report(notices, params, seq),
                _ => {}
            }
        });
    }

    fn progress(&mut self, view: ProgressView<'_>, paired: &Observation) {
        if let Some(task_id) = &paired.task {
            let task_id = task_id.clone();
            self.task_progress
                .send_modify(|table| table.report(task_id, view));
            return;
        }
        let Some(entry) = paired
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
        let recorder = &self.recorder;
        let message = |message: &str| beginning(recorder, message, MESSAGE_BYTES);
        if !view.progress.is_nan() {
            call.send_if_room(|| {
                ExchangeEvent::Progress(Box::new(Progress {
                    progress: view.progress,
                    total: view.total,
                    message: view.message.as_deref().map(message),
                    count,
                }))
            });
        }
    }

    /// A notification belongs to an open stream of ours.
    fn stream_event(
        &mut self,
        id: &RequestId,
        event: StreamEvent<'_>,
        (method, params): (&str, Option<&str>),
        seq: Seq,
    ) {
        let RequestId::Int(number) = id else { return };
        let Some(entry) = self.pending.get_mut(*number) else {
            return;
        };
        if let StreamEvent::Acknowledged { .. } = event {
            entry.stays_open();
        }
        let Purpose::Exchange(call) = &mut entry.purpose else {
            return;
        };
        let recorder = &self.recorder;
        match event {
            StreamEvent::Acknowledged { granted } => call.send(ExchangeEvent::Acknowledged {
                seq,
                granted: granted.into(),
            }),
            StreamEvent::Notified => {
                call.stream_notifications += 1;
                let count = call.stream_notifications;
                call.send_if_room(|| ExchangeEvent::Notified {
                    seq,
                    method: shown(recorder, method, TEXT_BYTES).into(),
                    subject: notifications::subject(method, params)
                        .filter(|subject| subject.len() <= SUBJECT_BYTES),
                    count,
                });
            }
        }
    }

    /// The server ended a stream of ours.
    fn stream_ended(&mut self, id: &RequestId, reason: Option<String>) {
        let RequestId::Int(number) = *id else { return };
        if let Some(entry) = self.pending.remove(number) {
            let reason = reason.map(|reason| self.shown(&reason, TEXT_BYTES));
            if let Some(link) = &mut self.link {
                link.answered(id);
            }
            self.give_up(number, entry, Outcome::EndedByServer(reason), RecordStatus::Ok);
        }
    }
}

/// Keeps the state of a task that the server reported.
fn keep_report(notices: &mut Notices, params: Option<&str>, seq: Seq) {
    let Some(params) = params.filter(|params| params.len() <= REPORT_BYTES) else {
        return;
    };
    if notices.task_reports.len() == REPORTS {
        notices.task_reports.pop_front();
    }
    notices.task_reports.push_back(TaskReport {
        seq,
        params: params.into(),
    });
}
