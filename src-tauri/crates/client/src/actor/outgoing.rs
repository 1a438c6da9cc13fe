//! What we send: requests, notifications, cancellations.

use std::borrow::Cow;

use bytes::Bytes;
use patchbay_observe::{Crossing, ObservedFrame};
use patchbay_protocol::{
    Direction, RequestId, headers, json,
    message::{self, Message, Text},
    meta, methods,
    views::retry_params,
};
use patchbay_traffic::{Answer as RecordAnswer, Description, Kind, OperationId, Seq, Status as RecordStatus};
use patchbay_transport::{Failure, Outgoing as Sending, OutgoingKind};
use tokio::time::Instant;

use super::{
    Actor, MANY, Phase,
    tools::{NOT_LISTED, give_back},
};
use crate::{
    Finished, Outcome, Request, Timeouts,
    call::Call,
    events::EventSender,
    pending::{Entry, Purpose},
};

/// What to send as a request.
pub(super) struct Outgoing<'a> {
    pub(super) method: &'a str,
    pub(super) params: Option<&'a str>,
    pub(super) meta: &'a [(String, String)],
    pub(super) progress: bool,
    /// The revision it names, if that is another than the connection's.
    pub(super) revision: Option<&'static str>,
    /// The record it follows from.
    pub(super) related: Option<Seq>,
    /// The operation it belongs to.
    pub(super) operation: Option<OperationId>,
    /// What of it is in headers.
    pub(super) headers: Option<&'a [headers::ParamHeader]>,
    pub(super) timeouts: Timeouts,
}

impl<'a> Outgoing<'a> {
    pub(super) fn new(method: &'a str) -> Self {
        Self {
            method,
            params: None,
            meta: &[],
            progress: false,
            revision: None,
            related: None,
            operation: None,
            headers: None,
            timeouts: Timeouts::default(),
        }
    }
}

/// What is known of a message of ours beside its text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SendContext {
    /// The record it follows from.
    pub(super) related: Option<Seq>,
    /// The operation it belongs to.
    pub(super) operation: Option<OperationId>,
}

/// A request that was sent.
pub(super) struct Sent {
    pub(super) id: i64,
    pub(super) seq: Seq,
    pub(super) method: Cow<'static, str>,
    pub(super) operation: Option<OperationId>,
    pub(super) timeouts: Timeouts,
}

impl Actor {
    /// Sends what somebody asked for.
    pub(super) async fn exchange(&mut self, request: Request, exchange: u64, events: EventSender) {
        if self.phase != Phase::Ready {
            let finished = Finished::not_sent(self.publisher.status.why_not_ready());
            events.finish(finished, &self.wakes);
            return;
        }
        let timeouts = request.timeouts.unwrap_or(self.options.timeouts);
        let call = Box::new(Call::new(request, exchange, events, timeouts));
        self.leg(call).await;
    }

    /// Sends the next leg of a call.
    pub(super) async fn leg(&mut self, mut call: Box<Call>) {
        let timeouts = match call.legs {
            0 => call.timeouts,
            _ => call.timeouts_left(),
        };
        if call.legs > 0 && timeouts.max_total.is_zero() {
            // The server would run what nobody waits for.
            let after = call.served();
            return call.finish(&self.wakes, Outcome::TimedOut { after }, None, None);
        }
        let again = call.given.as_ref().map(|given| {
            retry_params(
                call.request.params.as_deref(),
                &given.responses,
                given.state.as_deref(),
            )
        });
        let params = again.as_deref().or(call.request.params.as_deref());
        let tool = match self.param_headers(&call.request.method, params) {
            Ok(tool) => tool.to_vec(),
            Err(reason) => return call.finish(&self.wakes, Outcome::NotSent(reason), None, None),
        };
        let outgoing = Outgoing {
            method: &call.request.method,
            params,
            meta: &call.request.meta,
            progress: call.request.progress,
            revision: call.revision.map(patchbay_protocol::Revision::as_str),
            related: call.latest.or(call.request.repeats),
            operation: call.request.operation,
            headers: Some(&tool),
            timeouts,
        };
        match self.send_request(outgoing).await {
            Ok(sent) => {
                call.sent(sent.seq);
                if self.headed {
                    call.param_values = self.param_values(&call);
                }
                self.wait_for(sent, Purpose::Exchange(call));
            }
            Err(failure) => {
                let why = format!("{} {}", failure.cause, failure.next);
                call.finish(&self.wakes, Outcome::NotSent(why), None, None);
            }
        }
    }

    /// Sends a request and registers it as pending.
    pub(super) async fn request(&mut self, outgoing: Outgoing<'_>, purpose: Purpose) -> Result<Seq, Failure> {
        let sent = self.send_request(outgoing).await?;
        let seq = sent.seq;
        self.wait_for(sent, purpose);
        Ok(seq)
    }

    /// Registers a request as pending.
    pub(super) fn wait_for(&mut self, sent: Sent, purpose: Purpose) {
        let entry = Entry::new(sent.seq, sent.method, sent.operation, purpose, sent.timeouts);
        self.pending.insert(sent.id, entry);
        self.publisher.pending(self.pending.len());
    }

    pub(super) async fn send_request(&mut self, outgoing: Outgoing<'_>) -> Result<Sent, Failure> {
        let number = self.next_id;
        let id = RequestId::Int(number);
        let params = self.params(&outgoing, number);
        let text = message::request(&id, outgoing.method, params.as_deref());
        let method = methods::intern(outgoing.method);
        let in_headers = if self.headed {
            headers::of_request(
                outgoing.method,
                params.as_deref(),
                outgoing.headers.unwrap_or_default(),
            )
        } else {
            Vec::new()
        };
        let kind = OutgoingKind::Request {
            id: id.clone(),
            method: method.clone(),
        };
        let context = SendContext {
            related: outgoing.related,
            operation: outgoing.operation,
        };
        let seq = self.send(text, kind, in_headers, context).await?;
        self.next_id += 1;
        Ok(Sent {
            id: number,
            seq,
            method,
            operation: outgoing.operation,
            timeouts: outgoing.timeouts,
        })
    }

    /// The params as they go out: as given, plus the `_meta` the protocol and the request demand.
    fn params(&self, outgoing: &Outgoing<'_>, id: i64) -> Option<String> {
        let token = outgoing.progress.then(|| id.to_string());
        let mut members: Vec<(&str, &str)> = outgoing
            .meta
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let mut modern = self
            .meta
            .as_ref()
            .map(meta::RequestMeta::members)
            .unwrap_or_default();
        // What somebody asked to send goes before what we would say.
        let is_given = |name: &str| meta::member(outgoing.params, name).is_some();
        if let Some(revision) = outgoing.revision {
            modern.retain(|(name, _)| *name != meta::PROTOCOL_VERSION);
            modern.insert(0, (meta::PROTOCOL_VERSION, json::quote(revision)));
        }
        for (name, value) in modern.iter().rev() {
            let demanded = outgoing.revision.is_some() && *name == meta::PROTOCOL_VERSION;
            if demanded || !is_given(name) && !members.iter().any(|(known, _)| known == name) {
                members.retain(|(known, _)| known != name);
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

    /// Sends a notification that belongs to an operation, if to any.
    pub(super) async fn notify(
        &mut self,
        method: &str,
        params: Option<&str>,
        operation: Option<OperationId>,
    ) {
        if !matches!(self.phase, Phase::Ready | Phase::Initializing) {
            return;
        }
        let text = message::notification(method, params);
        let kind = OutgoingKind::Notification {
            method: methods::intern(method),
        };
        let in_headers = if self.headed {
            headers::of_request(method, params, &[])
        } else {
            Vec::new()
        };
        let context = SendContext {
            operation,
            ..SendContext::default()
        };
        // A link that cannot send reports its end next.
        let _ = self.send(text, kind, in_headers, context).await;
    }

    /// Records a message, hands it to the transport and describes it.
    pub(super) async fn send(
        &mut self,
        text: String,
        kind: OutgoingKind,
        headers: Vec<(String, String)>,
        context: SendContext,
    ) -> Result<Seq, Failure> {
        let Some(link) = &mut self.link else {
            return Err(Failure::new(
                "Write to the server",
                "The server is not running.",
                "Connect again.",
            ));
        };
        // A frame is a line. Outside strings a line break means no more than a space, and inside there is none.
        let text = if text.contains(['\n', '\r']) {
            text.replace(['\n', '\r'], " ")
        } else {
            text
        };
        let frame = Bytes::from(text);
        let at_ns = self.recorder.now_ns();
        let sent = Sending {
            frame: frame.clone(),
            kind,
            headers,
            operation: context.operation,
        };
        let seq = link.record(&sent).await?;
        link.queue(seq, sent);
        if self.pending.len() < MANY {
            // The server works while its message is described. With many requests pending one write takes several.
            link.flush();
        }
        self.observe_sent(seq, at_ns, &frame, context).await;
        Ok(seq)
    }

    /// Describes a frame of ours. What is wrong with it is only noted: what a user asks to send is sent.
    async fn observe_sent(&mut self, seq: Seq, at_ns: u64, frame: &Bytes, context: SendContext) {
        let text = Text::of(frame);
        let crossing = Crossing {
            operation: context.operation,
            ..Crossing::new(Direction::ClientToServer, at_ns)
        };
        let ObservedFrame { whole, messages } = self.observer.frame(&text, &crossing, Vec::new());
        let several = whole.is_some();
        if let Some(whole) = whole {
            self.describe(seq, whole);
        }
        for located in messages {
            let record = match (several, &mut self.link) {
                (false, _) => seq,
                (true, Some(link)) => {
                    let description = Description::new(Kind::of(&located.message));
                    match link.member(seq, located.span.clone(), description).await {
                        Ok(member) => member,
                        // A store that takes nothing ends the connection next.
                        Err(_) => return,
                    }
                }
                (true, None) => return,
            };
            let mut observed = self.observer.message(record, &crossing, text.as_str(), located);
            if let (true, Message::Request { id, .. }) = (several, &observed.message) {
                self.track_raw_request(id.clone(), seq, record);
            }
            if context.related.is_some() {
                observed.description.related_to = context.related;
            }
            self.describe(record, observed.description);
            if let Some((request, answer)) = observed.completes {
                self.recorder.answer(request, answer);
            }
        }
    }

    /// Describes a record and counts what is wrong with it.
    pub(super) fn describe(&mut self, seq: Seq, description: Description) {
        self.publisher.problems(description.violations.len());
        self.recorder.describe(seq, description);
    }

    /// Somebody no longer wants an answer.
    pub(super) async fn cancel(&mut self, exchange: u64, reason: Option<String>) {
        if let Some((call, _)) = self.end_round(exchange) {
            // Nothing is under way at the server: it only waits to be asked again.
            return call.finish(&self.wakes, Outcome::Cancelled, None, None);
        }
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
        let after = entry.served(now);
        match entry.purpose {
            Purpose::Exchange(_) | Purpose::Relist(_) | Purpose::Ping => {
                self.tell_cancelled(id, &entry, Some("The request timed out."))
                    .await;
                self.give_up(id, entry, Outcome::TimedOut { after }, RecordStatus::TimedOut);
            }
            Purpose::Discover | Purpose::Initialize => {
                self.finish_record(&entry, RecordStatus::TimedOut);
                self.abandoned.insert(id, RecordStatus::TimedOut);
                self.publisher.pending(self.pending.len());
                self.no_handshake(&entry.purpose, after).await;
            }
        }
    }

    /// Tells the server that an answer is no longer wanted, except for `initialize` (the specification forbids it).
    async fn tell_cancelled(&mut self, id: i64, entry: &Entry, reason: Option<&str>) {
        if entry.method == methods::INITIALIZE {
            return;
        }
        let told = self
            .link
            .as_mut()
            .is_some_and(|link| link.abandon(&RequestId::Int(id)));
        if told {
            // No message to observe: over HTTP, closing the stream tells the server (2026-07-28), or the request never reached it.
            self.observer.abandoned(&RequestId::Int(id));
            return;
        }
        let reason = reason
            .map(|reason| format!(",\"reason\":{}", json::quote(reason)))
            .unwrap_or_default();
        self.notify(
            methods::CANCELLED,
            Some(&format!("{{\"requestId\":{id}{reason}}}")),
            entry.operation,
        )
        .await;
    }

    /// Ends a request whose answer may still come.
    pub(super) fn give_up(&mut self, id: i64, entry: Entry, outcome: Outcome, status: RecordStatus) {
        self.finish_record(&entry, status);
        self.abandoned.insert(id, status);
        self.publisher.pending(self.pending.len());
        self.over(entry, outcome);
    }

    /// Ends all requests: no answer can come any more.
    pub(super) fn lose_all(&mut self, failure: &Failure) {
        self.withdraw_all();
        self.lose_tasks();
        self.lose_raw_requests();
        for (id, entry) in self.pending.drain() {
            self.finish_record(&entry, RecordStatus::Lost);
            self.abandoned.insert(id, RecordStatus::Lost);
            self.over(entry, Outcome::ConnectionLost(failure.clone()));
        }
        for (_, round) in self.rounds.drain() {
            let outcome = Outcome::ConnectionLost(failure.clone());
            round.call.finish(&self.wakes, outcome, None, None);
        }
        self.publisher.pending(0);
    }

    /// Reports to the caller that no response arrived. For a request of the handshake, the connection status reports it.
    pub(super) fn over(&mut self, entry: Entry, outcome: Outcome) {
        match entry.purpose {
            Purpose::Exchange(mut call) => {
                call.human_wait += entry.held;
                call.finish(&self.wakes, outcome, None, None);
            }
            Purpose::Relist(relist) => match outcome {
                Outcome::Cancelled => relist.call.finish(&self.wakes, outcome, None, None),
                // The call itself was answered.
                _ => give_back(*relist, NOT_LISTED, &self.wakes),
            },
            Purpose::Ping if self.phase == Phase::Ready => self.ping_failed(match outcome {
                Outcome::TimedOut { .. } => "no answer in time",
                _ => "no answer",
            }),
            Purpose::Ping | Purpose::Discover | Purpose::Initialize => {}
        }
    }

    pub(super) fn finish_record(&self, entry: &Entry, status: RecordStatus) {
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
