//! What we send: requests, notifications, cancellations, and how a request ends.

use bytes::Bytes;
use patchbay_protocol::{
    Direction, RequestId, json,
    message::{self, Message},
    meta, methods,
};
use patchbay_traffic::{Answer as RecordAnswer, Description, Kind, Seq, Status as RecordStatus};
use patchbay_transport::{Failure, OutgoingKind};
use tokio::{sync::mpsc, time::Instant};

use super::{Actor, Phase};
use crate::{
    Answer, ExchangeEvent, Finished, Outcome, Request, Timeouts,
    pending::{Entry, Purpose},
};

/// What to send as a request.
pub(super) struct Outgoing<'a> {
    pub(super) method: &'a str,
    pub(super) params: Option<&'a str>,
    pub(super) meta: &'a [(String, String)],
    pub(super) progress: bool,
    pub(super) timeouts: Timeouts,
}

impl Actor {
    /// Sends what somebody asked for.
    pub(super) async fn exchange(
        &mut self,
        request: Request,
        exchange: u64,
        events: mpsc::Sender<ExchangeEvent>,
    ) {
        if self.phase != Phase::Ready {
            let finished = Finished::not_sent(self.board.status.why_not_ready());
            let _ = events.try_send(ExchangeEvent::Finished(Box::new(finished)));
            return;
        }
        let outgoing = Outgoing {
            method: &request.method,
            params: request.params.as_deref(),
            meta: &request.meta,
            progress: request.progress,
            timeouts: request.timeouts.unwrap_or(self.timeouts),
        };
        let purpose = Purpose::Exchange {
            exchange,
            events: events.clone(),
        };
        let event = match self.request(outgoing, purpose).await {
            Ok(seq) => ExchangeEvent::Sent { seq },
            Err(failure) => {
                let why = format!("{} {}", failure.cause, failure.next);
                ExchangeEvent::Finished(Box::new(Finished::not_sent(why)))
            }
        };
        // The channel is empty yet; if nobody listens any more, nobody is told.
        let _ = events.try_send(event);
    }

    /// Sends a request and registers it as pending.
    pub(super) async fn request(&mut self, outgoing: Outgoing<'_>, purpose: Purpose) -> Result<Seq, Failure> {
        let number = self.next_id;
        let id = RequestId::Int(number);
        let params = self.params(&outgoing, number);
        let text = message::request(&id, outgoing.method, params.as_deref());
        let at_ns = self.recorder.now_ns();
        let method = methods::intern(outgoing.method);
        let kind = OutgoingKind::Request {
            id: id.clone(),
            method: method.clone(),
        };
        let seq = self.send(text, kind).await?;
        self.next_id += 1;
        let message = Message::Request {
            id,
            method: method.clone(),
            params: params.as_deref(),
        };
        let observed = self
            .pairing
            .observe(Direction::ClientToServer, seq, at_ns, &message);
        let mut description = Description::new(Kind::Request);
        description.rpc_id = Some(number.to_string());
        description.summary = methods::summary(&method, params.as_deref());
        description.status = Some(RecordStatus::Pending);
        description.violations = observed.violations;
        // Notes only: what somebody asked to send is sent.
        let unfit = self.conversation.observe(Direction::ClientToServer, &message);
        description.violations.extend(unfit);
        description.method = Some(method.clone().into_owned());
        self.describe(seq, description);
        self.pending.insert(
            number,
            Entry::new(seq, method, purpose, Instant::now(), outgoing.timeouts),
        );
        self.board.pending(self.pending.len());
        Ok(seq)
    }

    /// The params as they go out: as given, plus the `_meta` the protocol and the request demand.
    fn params(&self, outgoing: &Outgoing<'_>, id: i64) -> Option<String> {
        let token = outgoing.progress.then(|| id.to_string());
        let mut members: Vec<(&str, &str)> = outgoing
            .meta
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let modern = self
            .meta
            .as_ref()
            .map(meta::RequestMeta::members)
            .unwrap_or_default();
        // What somebody asked to send goes before what we would say.
        let is_given = |name: &str| meta::member(outgoing.params, name).is_some();
        for (name, value) in modern.iter().rev() {
            if !is_given(name) && !members.iter().any(|(known, _)| known == name) {
                members.insert(0, (name, value));
            }
        }
        if let Some(token) = &token {
            members.push((meta::PROGRESS_TOKEN, token));
        }
        if members.is_empty() {
            outgoing.params.map(str::to_owned)
        } else {
            Some(json::with_meta(outgoing.params, &members))
        }
    }

    /// Sends a notification; `related` is the request it is about.
    pub(super) async fn notify(&mut self, method: &str, params: Option<&str>) {
        if !matches!(self.phase, Phase::Ready | Phase::Initializing) {
            return;
        }
        let text = message::notification(method, params);
        let at_ns = self.recorder.now_ns();
        let kind = OutgoingKind::Notification {
            method: methods::intern(method),
        };
        let Ok(seq) = self.send(text, kind).await else {
            return;
        };
        let message = Message::Notification {
            method: method.into(),
            params,
        };
        let observed = self
            .pairing
            .observe(Direction::ClientToServer, seq, at_ns, &message);
        let mut description = Description::new(Kind::Notification);
        description.method = Some(method.to_owned());
        description.summary = methods::summary(method, params);
        description.violations = observed.violations;
        let unfit = self.conversation.observe(Direction::ClientToServer, &message);
        description.violations.extend(unfit);
        description.related_to = observed.related;
        self.describe(seq, description);
    }

    /// Sends a response to the server's request `request`.
    pub(super) async fn respond(
        &mut self,
        id: &RequestId,
        method: &str,
        request: Seq,
        error: Option<(i64, &str)>,
    ) {
        let text = match error {
            None => message::response_result(id, "{}"),
            Some((code, words)) => message::response_error(Some(id), code, words, None),
        };
        let at_ns = self.recorder.now_ns();
        let kind = OutgoingKind::Response { id: id.clone() };
        let Ok(seq) = self.send(text, kind).await else {
            return;
        };
        // The error's texts are not needed again: only who answers whom.
        let message = Message::Response {
            id: Some(id.clone()),
            outcome: message::Outcome::Result("{}"),
        };
        let observed = self
            .pairing
            .observe(Direction::ClientToServer, seq, at_ns, &message);
        let status = if error.is_some() {
            RecordStatus::Error
        } else {
            RecordStatus::Ok
        };
        let mut description = Description::new(Kind::Response);
        description.method = Some(method.to_owned());
        description.rpc_id = Some(id.to_json());
        description.status = Some(status);
        description.summary = error.map(|(code, words)| format!("{code} {words}"));
        description.pair = Some(request);
        description.latency_ns = observed.latency_ns;
        self.describe(seq, description);
        self.recorder.answer(
            request,
            RecordAnswer {
                response: Some(seq),
                status,
                latency_ns: observed.latency_ns,
            },
        );
    }

    /// Records a message and hands it to the pipe.
    async fn send(&mut self, text: String, kind: OutgoingKind) -> Result<Seq, Failure> {
        let Some(link) = &mut self.link else {
            return Err(Failure::new(
                "Write to the server",
                "The server does not run.",
                "Connect again.",
            ));
        };
        // A frame is a line. Outside strings a line break means no more than a space, and inside there is none.
        let text = if text.contains(['\n', '\r']) {
            text.replace(['\n', '\r'], " ")
        } else {
            text
        };
        link.send(patchbay_transport::Outgoing {
            frame: Bytes::from(text),
            kind,
            headers: Vec::new(),
        })
        .await
    }

    /// Describes a record and counts what is wrong with it.
    pub(super) fn describe(&mut self, seq: Seq, description: Description) {
        self.board.problems(description.violations.len());
        self.recorder.describe(seq, description);
    }

    /// Somebody no longer wants an answer.
    pub(super) async fn cancel(&mut self, exchange: u64, reason: Option<String>) {
        let Some(id) = self.pending.id_of_exchange(exchange) else {
            return;
        };
        let Some(entry) = self.pending.remove(id) else {
            return;
        };
        self.tell_cancelled(id, &entry, reason.as_deref()).await;
        self.give_up(id, entry, Outcome::Cancelled, RecordStatus::Cancelled);
    }

    /// A request's time is over.
    pub(super) async fn timed_out(&mut self, id: i64, entry: Entry, now: Instant) {
        let after = entry.waited(now);
        if matches!(entry.purpose, Purpose::Exchange { .. }) {
            self.tell_cancelled(id, &entry, Some("The request timed out."))
                .await;
            self.give_up(id, entry, Outcome::TimedOut { after }, RecordStatus::TimedOut);
        } else {
            self.finish_record(&entry, RecordStatus::TimedOut);
            self.abandoned.insert(id, RecordStatus::TimedOut);
            self.board.pending(self.pending.len());
            self.no_handshake(&entry.purpose, after);
        }
    }

    /// Tells the server that an answer is no longer wanted. Never of `initialize` (the specification forbids it).
    async fn tell_cancelled(&mut self, id: i64, entry: &Entry, reason: Option<&str>) {
        if entry.method == methods::INITIALIZE {
            return;
        }
        let reason = reason
            .map(|reason| format!(",\"reason\":{}", json::quote(reason)))
            .unwrap_or_default();
        self.notify(
            methods::CANCELLED,
            Some(&format!("{{\"requestId\":{id}{reason}}}")),
        )
        .await;
    }

    /// Ends a request whose answer may still come.
    fn give_up(&mut self, id: i64, entry: Entry, outcome: Outcome, status: RecordStatus) {
        self.finish_record(&entry, status);
        self.abandoned.insert(id, status);
        self.board.pending(self.pending.len());
        finish(entry, outcome, None, Instant::now());
    }

    /// Ends all requests: no answer can come any more.
    pub(super) fn lose_all(&mut self, failure: &Failure) {
        let now = Instant::now();
        for (id, entry) in self.pending.drain() {
            self.finish_record(&entry, RecordStatus::Lost);
            self.abandoned.insert(id, RecordStatus::Lost);
            finish(entry, Outcome::ConnectionLost(failure.clone()), None, now);
        }
        self.board.pending(0);
    }

    fn finish_record(&self, entry: &Entry, status: RecordStatus) {
        let latency_ns = u64::try_from(entry.waited(Instant::now()).as_nanos()).ok();
        self.recorder.answer(
            entry.seq,
            RecordAnswer {
                response: None,
                status,
                latency_ns,
            },
        );
    }
}

/// Tells whoever asked how it ended. Of a handshake's request nobody is told: the status says it.
pub(super) fn finish(entry: Entry, outcome: Outcome, response: Option<Answer>, now: Instant) {
    let duration = entry.waited(now);
    if let Purpose::Exchange { events, .. } = entry.purpose {
        let finished = Finished {
            outcome,
            request_seq: Some(entry.seq),
            response,
            duration,
            human_wait: std::time::Duration::ZERO,
            legs: 1,
            advice: None,
        };
        // One place is always kept free for this (see `progress`); if nobody listens any more, nobody is told.
        let _ = events.try_send(ExchangeEvent::Finished(Box::new(finished)));
    }
}
