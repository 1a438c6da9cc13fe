//! Matches responses to requests: one table per direction; ids keep their JSON type.
//!
//! An open request is kept until it is answered or the connection ends; of those that were cancelled, which need no answer, only
//! the latest are. Answered requests are remembered for a while, to
//! distinguish a second response from a response to an unknown request.

mod cancelled;
mod memory;
mod task_progress;

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use crate::limits::{Limits, shorten};
use crate::message::{Message, Outcome};
use crate::views::NotificationView;
use crate::{Direction, Era, RequestId, Rule, Violation, meta, methods};
use memory::{Finished, Memory};
use task_progress::TaskProgress;

/// A pending request.
#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    /// Its record.
    pub seq: u64,
    /// When it was recorded, in ns of the recorder's clock.
    pub at_ns: u64,
    /// The direction of the request.
    pub direction: Direction,
    /// Its id.
    pub id: RequestId,
    /// Its method.
    pub method: Cow<'static, str>,
    /// Whether it was cancelled: by its sender, or a subscription by the server.
    pub cancelled: bool,
    withdrawn: bool,
    token: Option<RequestId>,
    progress: Option<f64>,
}

/// The result of pairing one message.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Observation {
    /// For a response: the record of its request, if known.
    pub request_seq: Option<u64>,
    /// For a response: the method of its request.
    pub method: Option<Cow<'static, str>>,
    /// For a response: the time since its request, in ns.
    pub latency_ns: Option<u64>,
    /// For a response: its request was cancelled or already answered, so nothing waits for it.
    pub late: bool,
    /// For a response: its request was already answered by an earlier one.
    pub repeated: bool,
    /// For progress, a cancellation or a subscription's notification: the record of its request.
    pub related: Option<u64>,
    /// For progress of a request that continues as a task: the id of the task, unless it is very long.
    pub task: Option<String>,
    /// Its violations in relation to earlier messages.
    pub violations: Vec<Violation>,
}

impl Observation {
    fn wrong(&mut self, rule: Rule, message: String) {
        self.violations.push(Violation::new(rule, message));
    }
}

/// The requests of one direction.
#[derive(Debug, Default)]
struct Table {
    /// By id. Several only if the peer reuses an id: the first response then belongs to the first request.
    waiting: HashMap<RequestId, Vec<Pending>>,
    /// The number of pending requests that were not cancelled.
    open: usize,
    /// The latest cancelled requests, oldest first. Some were answered nevertheless.
    cancelled: VecDeque<(RequestId, u64)>,
    /// The progress tokens of pending requests, with the request's id.
    tokens: HashMap<RequestId, RequestId>,
    finished: Memory,
    /// Answered requests that continue as tasks: their progress tokens are still valid.
    tasks: TaskProgress,
}

/// The pairing of one connection.
#[derive(Debug, Default)]
pub struct Pairing {
    by_client: Table,
    by_server: Table,
    modern: bool,
    limits: Limits,
}

impl Pairing {
    /// For a new connection of the legacy era, until [`Self::set_era`] changes it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// As [`Self::new`], within these limits.
    #[must_use]
    pub fn within(limits: Limits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// Sets the era. In the modern era, an id may be reused after its request is answered.
    pub fn set_era(&mut self, era: Era) {
        self.modern = era == Era::Modern;
    }

    /// Processes a message, in the order of the wire. `at_ns` uses the same clock for all messages.
    pub fn observe(
        &mut self,
        direction: Direction,
        seq: u64,
        at_ns: u64,
        message: &Message<'_>,
    ) -> Observation {
        let view = match message {
            Message::Notification { method, params } => NotificationView::parse(method, *params),
            _ => NotificationView::Other,
        };
        self.observe_parsed(direction, seq, at_ns, message, &view)
    }

    /// As [`Self::observe`], with the parsed notification.
    pub fn observe_parsed(
        &mut self,
        direction: Direction,
        seq: u64,
        at_ns: u64,
        message: &Message<'_>,
        view: &NotificationView<'_>,
    ) -> Observation {
        let mut observation = Observation::default();
        match message {
            Message::Request { id, method, params } => {
                let mut method = methods::intern(method);
                if let Cow::Owned(unknown) = &mut method {
                    shorten(unknown);
                }
                let pending = Pending {
                    seq,
                    at_ns,
                    direction,
                    id: id.clone(),
                    method,
                    cancelled: false,
                    withdrawn: false,
                    token: meta::progress_token(*params),
                    progress: None,
                };
                let once = !self.modern;
                let most = self.limits.open_requests;
                self.table(direction)
                    .begin(pending, (once, most), &mut observation);
            }
            Message::Response {
                id: Some(id),
                outcome,
            } => {
                self.table(direction.reverse())
                    .answer(id, at_ns, outcome, &mut observation);
            }
            Message::Notification { params, .. } => {
                self.notification(direction, *params, view, &mut observation);
            }
            Message::Response { id: None, .. } | Message::Invalid { .. } => {}
        }
        observation
    }

    /// Records that the request `id`, sent in `direction`, was answered with a task: its progress token stays valid until
    /// the task ends (2025-11-25, `basic/utilities/tasks`, "Task Progress Notifications"). In the modern era it does not, but
    /// what the server sends nevertheless belongs to that task.
    pub fn became_task(&mut self, direction: Direction, id: &RequestId, task_id: &str) {
        let table = self.table(direction);
        if let Some(finished) = table.finished.get(id)
            && let Some(token) = &finished.token
        {
            table.tasks.insert(token.clone(), finished.seq, task_id);
        }
    }

    /// Records that the task of a request sent in `direction` has ended. Later progress is late.
    pub fn task_ended(&mut self, direction: Direction, task_id: &str) {
        self.table(direction).tasks.remove(task_id);
    }

    /// Whether a request with this id, sent in `direction`, is pending.
    #[must_use]
    pub fn is_open(&self, direction: Direction, id: &RequestId) -> bool {
        self.open_method(direction, id).is_some()
    }

    /// Whether the client cancelled the subscription with this id. What the server sent before it knew may still arrive.
    #[must_use]
    pub fn is_unsubscribed(&self, id: &RequestId) -> bool {
        let latest = self.by_client.waiting.get(id).and_then(|all| all.last());
        latest.is_some_and(|pending| pending.withdrawn && pending.method == methods::SUBSCRIPTIONS_LISTEN)
    }

    /// The record of the request with this id, if one was sent in `direction`.
    #[must_use]
    pub fn seq_of(&self, direction: Direction, id: &RequestId) -> Option<u64> {
        match direction {
            Direction::ClientToServer => self.by_client.seq_of(id),
            Direction::ServerToClient => self.by_server.seq_of(id),
        }
    }

    /// The pending requests, including cancelled ones, oldest first.
    #[must_use]
    pub fn pending(&self) -> Vec<&Pending> {
        let tables = [&self.by_client, &self.by_server];
        let mut all: Vec<_> = tables
            .into_iter()
            .flat_map(|table| table.waiting.values().flatten())
            .collect();
        all.sort_by_key(|pending| pending.seq);
        all
    }

    /// The client's latest pending request of this method.
    #[must_use]
    pub fn unanswered(&self, method: &str) -> Option<Pending> {
        let all = self.by_client.waiting.values().flatten();
        let of_method = all.filter(|pending| pending.method == method && !pending.cancelled);
        of_method.max_by_key(|pending| pending.seq).cloned()
    }

    /// Adds a request that was sent before everything that is known, because its response has arrived.
    pub fn recall(&mut self, pending: Pending) {
        let table = self.table(pending.direction);
        table.open += usize::from(!pending.cancelled);
        table.waiting.entry(pending.id.clone()).or_default().push(pending);
    }

    /// Removes all pending requests, oldest first, because the connection has ended.
    pub fn drain(&mut self) -> Vec<Pending> {
        let mut all = Vec::new();
        for table in [&mut self.by_client, &mut self.by_server] {
            table.tokens.clear();
            table.cancelled.clear();
            table.open = 0;
            all.extend(table.waiting.drain().flat_map(|(_, pending)| pending));
        }
        all.sort_by_key(|pending| pending.seq);
        all
    }

    /// The requests sent in this direction.
    fn table(&mut self, direction: Direction) -> &mut Table {
        match direction {
            Direction::ClientToServer => &mut self.by_client,
            Direction::ServerToClient => &mut self.by_server,
        }
    }

    fn notification(
        &mut self,
        direction: Direction,
        params: Option<&str>,
        view: &NotificationView<'_>,
        observation: &mut Observation,
    ) {
        match view {
            NotificationView::Progress(progress) => {
                if let Some(token) = &progress.token {
                    let is_modern = self.modern;
                    self.table(direction.reverse()).progress(
                        token,
                        (progress.progress, is_modern),
                        observation,
                    );
                }
            }
            NotificationView::Cancelled(cancelled) => {
                if let Some(id) = &cancelled.request_id {
                    // Only the sender of a request may cancel it, except that a server may end a subscription this way.
                    let own = self.table(direction).knows(id);
                    let asker = if own { direction } else { direction.reverse() };
                    let most = self.limits.open_requests;
                    self.table(asker).cancel(id, (own, most), observation);
                    if let (false, false, Some(seq)) = (own, self.modern, observation.related) {
                        let message = format!(
                            "request #{seq} with the id {id} is of the other side, which alone may cancel it"
                        );
                        observation.wrong(Rule::CancelUnknown, message);
                    }
                }
            }
            NotificationView::Log(_) | NotificationView::Other => {
                if let Some(id) = meta::subscription_id(params) {
                    observation.related = self.table(direction.reverse()).seq_of(&id);
                }
            }
        }
    }
}

impl Table {
    fn begin(&mut self, pending: Pending, (once, most): (bool, usize), observation: &mut Observation) {
        // Ours end by their timeouts. A server may send any number and, in the modern era, gets no answer.
        if pending.direction == Direction::ServerToClient && self.open >= most {
            let message = format!("{most} earlier requests are pending; it is not paired with its answer");
            return observation.wrong(Rule::LimitExceeded, message);
        }
        self.open += 1;
        let id = &pending.id;
        if let Some(earlier) = self.waiting.get(id).and_then(|all| all.last()) {
            let message = format!(
                "id {id} is also that of request #{} ({}), which is still pending",
                earlier.seq, earlier.method
            );
            observation.wrong(Rule::DuplicateId, message);
        } else if once && let Some(earlier) = self.finished.get(id) {
            let message = format!(
                "id {id} was already used by request #{} ({})",
                earlier.seq, earlier.method
            );
            observation.wrong(Rule::IdReused, message);
        }
        if let Some(token) = &pending.token
            && let Some(other) = self.tokens.insert(token.clone(), id.clone())
        {
            let message =
                format!("progress token {token} is also that of request {other}, which is still pending");
            observation.wrong(Rule::ProgressTokenReused, message);
        }
        self.waiting
            .entry(id.clone())
            .or_insert_with(|| Vec::with_capacity(1))
            .push(pending);
    }

    fn answer(&mut self, id: &RequestId, at_ns: u64, outcome: &Outcome<'_>, observation: &mut Observation) {
        let Some(pending) = self.take(id) else {
            self.stray_answer(id, outcome, observation);
            return;
        };
        observation.request_seq = Some(pending.seq);
        observation.latency_ns = Some(at_ns.saturating_sub(pending.at_ns));
        observation.method = Some(pending.method.clone());
        if pending.cancelled && pending.method != methods::SUBSCRIPTIONS_LISTEN {
            observation.late = true;
            let message = "it came after the request was cancelled (the two may have crossed)".to_owned();
            observation.wrong(Rule::AnswerAfterCancel, message);
        }
        let token = pending.token.clone();
        self.finished.remember(
            pending.id,
            Finished {
                seq: pending.seq,
                method: pending.method,
                token,
            },
        );
    }

    fn take(&mut self, id: &RequestId) -> Option<Pending> {
        let all = self.waiting.get_mut(id)?;
        let pending = if all.len() > 1 { Some(all.remove(0)) } else { None };
        let pending = match pending {
            Some(pending) => pending,
            None => self.waiting.remove(id)?.pop()?,
        };
        self.open = self.open.saturating_sub(usize::from(!pending.cancelled));
        if let Some(token) = &pending.token
            && self.tokens.get(token) == Some(id)
        {
            self.tokens.remove(token);
        }
        Some(pending)
    }

    fn stray_answer(&self, id: &RequestId, outcome: &Outcome<'_>, observation: &mut Observation) {
        let what = if matches!(outcome, Outcome::Result(_)) {
            "result"
        } else {
            "error"
        };
        match self.finished.get(id) {
            Some(earlier) => {
                observation.request_seq = Some(earlier.seq);
                observation.method = Some(earlier.method.clone());
                observation.late = true;
                observation.repeated = true;
                let message = format!(
                    "a second answer (this {what}) to request #{} ({})",
                    earlier.seq, earlier.method
                );
                observation.wrong(Rule::AnsweredTwice, message);
            }
            None => {
                // A frequent cause, worth a hint: the id came back with another JSON type.
                let other = match id {
                    RequestId::Int(number) => Some(RequestId::Text(number.to_string())),
                    RequestId::Text(text) => text.parse().ok().map(RequestId::Int),
                    RequestId::Other(_) => None,
                };
                let hint = match other.filter(|other| self.waiting.contains_key(other)) {
                    Some(other) => format!("; {other} is pending, but that is another id"),
                    None => String::new(),
                };
                observation.wrong(
                    Rule::UnknownResponse,
                    format!("no request has the id {id} of this {what}{hint}"),
                );
            }
        }
    }

    fn progress(
        &mut self,
        token: &RequestId,
        (progress, is_modern): (f64, bool),
        observation: &mut Observation,
    ) {
        let pending = self
            .tokens
            .get(token)
            .and_then(|id| self.waiting.get_mut(id)?.last_mut());
        let Some(pending) = pending else {
            if let Some(task) = self.tasks.get_mut(token) {
                observation.related = Some(task.seq);
                observation.task = task.id().map(str::to_owned);
                check_increasing(&mut task.progress, progress, observation);
                if is_modern {
                    let message = format!(
                        "progress for request #{} after its answer: tasks of the modern era have none",
                        task.seq
                    );
                    observation.wrong(Rule::ProgressAfterAnswer, message);
                }
                return;
            }
            match self.finished.by_token(token) {
                Some(earlier) => {
                    observation.related = Some(earlier.seq);
                    let message = format!(
                        "progress for request #{} ({}) after its answer",
                        earlier.seq, earlier.method
                    );
                    observation.wrong(Rule::ProgressAfterAnswer, message);
                }
                None => {
                    observation.wrong(
                        Rule::ProgressUnknownToken,
                        format!("no pending request has the token {token}"),
                    );
                }
            }
            return;
        };
        observation.related = Some(pending.seq);
        check_increasing(&mut pending.progress, progress, observation);
    }

    fn knows(&self, id: &RequestId) -> bool {
        self.seq_of(id).is_some()
    }

    fn seq_of(&self, id: &RequestId) -> Option<u64> {
        let waiting = self
            .waiting
            .get(id)
            .and_then(|all| all.last())
            .map(|pending| pending.seq);
        waiting.or_else(|| self.finished.get(id).map(|finished| finished.seq))
    }
}

/// Progress must increase with each notification.
fn check_increasing(latest: &mut Option<f64>, progress: f64, observation: &mut Observation) {
    if let Some(before) = *latest
        && progress <= before
    {
        observation.wrong(
            Rule::ProgressNotIncreasing,
            format!("progress {progress} after {before}"),
        );
    }
    if progress.is_finite() {
        *latest = Some(progress);
    }
}

#[cfg(test)]
mod tests;
