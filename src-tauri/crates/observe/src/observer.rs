//! The observer of one connection: it processes every frame in the order of the wire and describes each message.

mod adopt;
mod assumed;
mod cancelled;
mod order;
mod overtaken;
mod renewal;
mod tasks;

use patchbay_protocol::{
    Direction, Era, RequestId, Revision, Rule, Violation, checks,
    checks::Conversation,
    limits::Limits,
    message::{Decoded, Located, Message, Outcome, Text},
    methods,
    pairing::{Observation, Pairing, Pending},
    views::NotificationView,
};

use crate::{
    Answer, Crossing, Description, Examination, Kind, LogClass, ResultKind, Seq, Status, StreamEvent,
    agreement::{Agreement, restarts},
    related_task,
    requests::{self, Request, Requests},
    results::{self, below},
    streams::Streams,
};
use overtaken::Overtaken;
use renewal::Renewal;

/// Observes one connection.
#[derive(Debug, Default)]
pub struct Observer {
    pairing: Pairing,
    conversation: Conversation,
    agreement: Agreement,
    requests: Requests,
    streams: Streams,
    overtaken: Overtaken,
    renewal: Renewal,
    /// Whether the client sent something that the server may not have been able to read.
    unread: bool,
    limits: Limits,
}

/// A decoded frame.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservedFrame<'a> {
    /// The description of the frame as a whole, unless it contains exactly one message. Otherwise each message is a
    /// separate record.
    pub whole: Option<Description>,
    /// Its messages, in order.
    pub messages: Vec<Located<'a>>,
}

/// The result for one message.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed<'a> {
    /// The message. An error response without an id has the id of the request it answers.
    pub message: Message<'a>,
    /// The description for the log.
    pub description: Description,
    /// The request record that it completes, and how.
    pub completes: Option<(Seq, Answer)>,
    /// The result of pairing.
    pub pairing: Observation,
    /// Its meaning for the connection.
    pub meaning: Meaning<'a>,
}

/// The meaning of a message for the connection, with its typed view.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning<'a> {
    /// A request, an error, or something that is not a message.
    Plain,
    /// A result.
    Result(ResultKind<'a>),
    /// A notification.
    Notification(NotificationView<'a>),
    /// A notification of an open stream (modern era).
    Stream {
        /// The id of the stream's request.
        id: RequestId,
        /// Its meaning for the stream.
        event: StreamEvent<'a>,
    },
    /// The server ends a stream (modern era).
    StreamEnded {
        /// The id of the stream's request.
        id: RequestId,
        /// The server's reason.
        reason: Option<String>,
    },
}

impl Observer {
    /// For a new connection. All state is derived from the traffic.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// As [`Self::new`], within these limits.
    #[must_use]
    pub fn within(limits: Limits) -> Self {
        Self {
            pairing: Pairing::within(limits),
            limits,
            ..Self::default()
        }
    }

    /// The negotiated era, after the handshake.
    #[must_use]
    pub fn era(&self) -> Option<Era> {
        self.agreement.era
    }

    /// The negotiated revision, after the handshake.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.agreement.revision
    }

    /// Removes all pending requests, oldest first, because the link has ended.
    pub fn drain(&mut self) -> Vec<Pending> {
        let mut all = self.pairing.drain();
        all.extend(self.renewal.drain());
        all.sort_by_key(|pending| pending.seq);
        all
    }

    /// Decodes a frame. `violations` are those of the transport.
    pub fn frame<'a>(
        &mut self,
        text: &'a Text<'_>,
        crossing: &Crossing<'_>,
        violations: Vec<Violation>,
    ) -> ObservedFrame<'a> {
        let Decoded {
            mut messages,
            batch,
            violations: mut found,
        } = text.decode_within(&self.limits);
        found.extend(violations);
        found.extend(crossing.violations());
        if let ([located], false) = (&mut messages[..], batch) {
            found.append(&mut located.violations);
            located.violations = found;
            return ObservedFrame {
                whole: None,
                messages,
            };
        }
        self.unread |= crossing.direction == Direction::ClientToServer;
        let mut whole = Description::new(if messages.is_empty() {
            Kind::Invalid
        } else {
            Kind::Batch
        });
        if batch {
            found.extend(checks::batch(self.agreement.revision, &messages));
        }
        if !messages.is_empty() {
            whole.summary = Some(methods::message_count(messages.len()));
        }
        self.date(&mut found);
        whole.violations = found;
        whole.operation = crossing.operation;
        ObservedFrame {
            whole: Some(whole),
            messages,
        }
    }

    /// Observes the next message. `seq` is its record; `text` the text of its frame.
    pub fn message<'a>(
        &mut self,
        seq: Seq,
        crossing: &Crossing<'_>,
        text: &str,
        located: Located<'a>,
    ) -> Observed<'a> {
        if let Some(renewed) = self.renewal.adopted(crossing.direction, &located.message) {
            *self = renewed;
        }
        let aside = self.renewal.aside(crossing, &located.message, self.limits);
        let observed = match aside {
            Some(aside) => aside.observe(seq, crossing, text, located),
            None => self.observe(seq, crossing, text, located),
        };
        self.renewal
            .seen(crossing.direction, &observed.message, self.agreement.era);
        observed
    }

    fn observe<'a>(
        &mut self,
        seq: Seq,
        crossing: &Crossing<'_>,
        text: &str,
        located: Located<'a>,
    ) -> Observed<'a> {
        let Located {
            span,
            message,
            mut violations,
        } = located;
        let message = self.adopt(message, crossing, &mut violations);
        if restarts(crossing.direction, &message) {
            self.restart(seq);
        }
        self.recall_probe(crossing.direction, &message);
        let view = match &message {
            Message::Notification { method, params } => NotificationView::parse(method, *params),
            _ => NotificationView::Other,
        };
        let (direction, at_ns) = (crossing.direction, crossing.at_ns);
        let mut pairing = self
            .pairing
            .observe_parsed(direction, seq, at_ns, &message, &view);
        self.drop_unordered(crossing, &mut pairing);
        violations.append(&mut pairing.violations);
        violations.extend(
            self.conversation
                .observe(direction, &message, &view, crossing.carrier()),
        );
        let mut observed = Observed {
            description: Description {
                violations,
                operation: crossing.operation,
                ..Description::new(Kind::of(&message))
            },
            message: message.clone(),
            completes: None,
            pairing,
            meaning: Meaning::Plain,
        };
        match message {
            Message::Request { id, method, params } => {
                self.request(seq, crossing, &id, &method, params, &mut observed);
            }
            Message::Notification { method, params } => {
                self.notification(crossing, &method, params, view, &mut observed);
            }
            Message::Response { id, outcome } => {
                self.response(seq, crossing, id.as_ref(), &outcome, &mut observed);
            }
            Message::Invalid { reason } => {
                invalid(&mut observed.description, text.get(span).unwrap_or(text), reason);
            }
        }
        self.date(&mut observed.description.shortened().violations);
        observed
    }

    /// Drops violations of rules that the revision does not have, keeps as many as a record has, and sets their revision.
    fn date(&self, violations: &mut Vec<Violation>) {
        if let Some(revision) = self.agreement.revision {
            violations.retain(|violation| violation.rule.applies(revision));
        }
        let most = self.limits.violations_per_message;
        if violations.len() > most {
            let more = violations.len() - most;
            violations.truncate(most);
            violations.push(Violation::new(
                Rule::LimitExceeded,
                format!("{more} more violations of this message are not listed"),
            ));
        }
        for violation in violations {
            violation.revision = self.agreement.revision;
        }
    }

    fn request(
        &mut self,
        seq: Seq,
        crossing: &Crossing<'_>,
        id: &RequestId,
        method: &str,
        params: Option<&str>,
        observed: &mut Observed<'_>,
    ) {
        let description = &mut observed.description;
        self.agreement.shape(method, params, &mut description.violations);
        description.method = Some(methods::intern(method));
        description.rpc_id = Some(id.to_json());
        description.summary = methods::summary(method, params);
        description.status = Some(Status::Pending);
        let mut request = Request {
            may_nest: requests::may_nest(method),
            client: self.agreement.client_of(method, params),
            ..Request::default()
        };
        if crossing.direction == Direction::ClientToServer {
            if !self.renewal.is_in_use() {
                self.agreement.requested(method, params);
            }
            if method == methods::TOOLS_CALL {
                request.tool = description.summary.clone();
                request.asked_for_task = related_task::asks(params);
            }
            if method == methods::SUBSCRIPTIONS_LISTEN && self.agreement.is_modern() {
                self.streams.open(id, seq, params);
            }
            if method == methods::TASKS_RESULT && !self.agreement.is_modern() {
                request.task = related_task::task_id(params);
            }
        } else {
            request.asked_for_task = related_task::asks(params);
            description.related_to = crossing
                .reply_to()
                .and_then(|id| self.pairing.seq_of(Direction::ClientToServer, id));
            let caller = description
                .related_to
                .and_then(|caller| self.requests.get(caller));
            description.operation = match caller {
                Some(caller) => caller.operation,
                None if crossing.http.is_none() => self.requests.only_nesting(),
                None => None,
            };
            // What a server asks for while the result of a task is awaited, in its response, belongs to that task.
            if let Some(task) = caller.and_then(|caller| caller.task.as_deref())
                && related_task::may_need(method)
            {
                let found = related_task::unrelated("/params", params, task);
                description.violations.extend(found);
            }
        }
        description.tool = request.tool.clone();
        request.operation = description.operation;
        self.requests.sent(crossing.direction, seq, request);
    }

    fn notification<'a>(
        &mut self,
        crossing: &Crossing<'_>,
        method: &str,
        params: Option<&'a str>,
        view: NotificationView<'a>,
        observed: &mut Observed<'a>,
    ) {
        let description = &mut observed.description;
        description.method = Some(methods::intern(method));
        description.summary = methods::notification_summary(method, params, &view);
        description.related_to = observed.pairing.related;
        let from_server = crossing.direction == Direction::ServerToClient;
        let found = checks::notification(self.agreement.revision, &view);
        description.violations.extend(below("/params", found));
        self.agreement.shape(method, params, &mut description.violations);
        if from_server && let NotificationView::Log(log) = &view {
            description.log = Some(LogClass::of(log.level));
            description.logger = log.logger.as_deref().map(methods::clip);
        }
        let mut meaning = None;
        if from_server && self.agreement.is_modern() {
            let (reply_to, violations) = (crossing.reply_to(), &mut description.violations);
            let found = self
                .streams
                .notified((method, params), reply_to, &self.pairing, violations);
            if let Some((stream, id, event)) = found {
                description.related_to = description.related_to.or(Some(stream));
                meaning = Some(Meaning::Stream { id, event });
            }
        }
        if let NotificationView::Cancelled(cancelled) = &view {
            let ended = self.cancelled(crossing.direction, cancelled.request_id.as_ref(), description);
            if let Some(id) = ended {
                let reason = cancelled.reason.as_deref().map(str::to_owned);
                meaning = Some(Meaning::StreamEnded { id, reason });
            }
        }
        if matches!(method, methods::TASKS | methods::TASKS_STATUS) {
            self.task_notified(crossing.direction, method, params, description);
        }
        let caller = description
            .related_to
            .or_else(|| {
                self.pairing
                    .seq_of(Direction::ClientToServer, crossing.reply_to()?)
            })
            .and_then(|request| self.requests.get(request));
        if let Some(caller) = caller {
            description.operation = description.operation.or(caller.operation);
            description.tool.clone_from(&caller.tool);
        }
        observed.meaning = meaning.unwrap_or(Meaning::Notification(view));
    }

    fn response<'a>(
        &mut self,
        seq: Seq,
        crossing: &Crossing<'_>,
        id: Option<&RequestId>,
        outcome: &Outcome<'a>,
        observed: &mut Observed<'a>,
    ) {
        let pairing = &observed.pairing;
        let description = &mut observed.description;
        let mut status = match outcome {
            Outcome::Result(_) => Status::Ok,
            Outcome::Error(_) => Status::Error,
        };
        let request = self.requests.of(pairing.request_seq);
        let from_server = crossing.direction == Direction::ServerToClient;
        let method = pairing.method.as_deref();
        self.agreement
            .shape_answer(from_server, method, outcome, &mut description.violations);
        match (outcome, method) {
            (Outcome::Result(result), Some(method)) if from_server => {
                if method == methods::TOOLS_CALL && results::is_tool_error(result) {
                    status = Status::ToolError;
                }
                let kind = self.classify((id, method), &request, result, &mut description.violations);
                observed.meaning = Meaning::Result(kind);
            }
            (Outcome::Result(result), _) => {
                self.created_by_client(crossing.direction, id, &request, result);
                observed.meaning = Meaning::Result(ResultKind::Complete);
            }
            (Outcome::Error(error), _) => description.summary = Some(methods::error_summary(error)),
        }
        let may_agree = from_server && self.may_agree(pairing);
        if let (true, Some(method)) = (may_agree, pairing.method.as_deref()) {
            let found = self.handshake_answered(method, outcome);
            results::add_unknown(&mut description.violations, found);
            if let Some(era) = self.agreement.era {
                self.pairing.set_era(era);
            }
            if let Some(id) = id {
                self.streams.close(id);
            }
        }
        description.rpc_id = id.map(RequestId::to_json);
        description.status = Some(status);
        description.pair = pairing.request_seq;
        description.latency_ns = pairing.latency_ns;
        description.method.clone_from(&pairing.method);
        if let (Outcome::Result(result), Some(method)) = (outcome, method) {
            description.summary = results::summary(method, request.tool.as_deref(), result);
        }
        description.tool = request.tool;
        description.operation = description.operation.or(request.operation);
        if let (Some(answered), false) = (pairing.request_seq, pairing.repeated) {
            self.requests.ended(answered);
            let answer = Answer {
                response: Some(seq),
                status: if pairing.late { Status::Cancelled } else { status },
                latency_ns: pairing.latency_ns,
            };
            observed.completes = Some((answered, answer));
        }
    }

    /// The kind of a result of the server, with its violations.
    fn classify<'a>(
        &mut self,
        (id, method): (Option<&RequestId>, &str),
        request: &Request,
        result: &'a str,
        violations: &mut Vec<Violation>,
    ) -> ResultKind<'a> {
        let kind = results::classify(&self.agreement, method, request, result, violations);
        if let ResultKind::Task(task) = &kind {
            self.became_task(Direction::ClientToServer, id, Some(&task.id));
        }
        let task = request.task.as_deref();
        violations.extend(task.and_then(|task| related_task::unrelated("/result", Some(result), task)));
        kind
    }

    /// Examines a complete result. This is slower, so do it after the result was passed on.
    pub fn examine<'a>(&mut self, method: &str, result: &'a str) -> Examination<'a> {
        let mut examined = results::examine(&self.agreement, method, result);
        self.date(&mut examined.violations);
        if let Some((task, true)) = &examined.task {
            self.pairing.task_ended(Direction::ClientToServer, task);
        }
        examined
    }
}

/// Describes a text that is not a message.
fn invalid(description: &mut Description, text: &str, reason: String) {
    description.summary = Some(methods::clip(text));
    if description.violations.is_empty() {
        let violation = Violation::new(Rule::NotAMessage, reason);
        description.violations.push(violation);
    }
}

#[cfg(test)]
mod tests;
