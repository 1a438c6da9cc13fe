//! The link: sends messages in order, and returns one event after the other until the end.

use std::{collections::VecDeque, ops::Range, sync::Arc, time::Duration};

use futures_util::{StreamExt as _, stream::FuturesUnordered};
use patchbay_protocol::{Era, RequestId};
use patchbay_traffic::{Description, Seq};
use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};

use super::{
    INITIALIZED, listen,
    post::{self, Post},
    shared::{Ending, Open, Shared},
    sse_stream,
};
use crate::{
    About, BoxFuture, Dialect, Ended, Event, Failure, Link, Outgoing, OutgoingKind, SHUTDOWN_GRACE, Tap,
    UNSENT_LIMIT, at, ended::Cause,
};

/// The maximum number of concurrent requests; further ones are queued.
const REQUESTS_AT_ONCE: usize = 256;
/// The maximum number of concurrent replies and notifications, whatever the number of requests: these may depend on them.
const REPLIES_AT_ONCE: usize = 64;
/// How long an abandoned request of a legacy session may still yield messages: it was cancelled, not disconnected.
const ABANDONED_PATIENCE: Duration = Duration::from_secs(10);
/// What a queued message takes beside its frame, in bytes. Most replies are far smaller.
const QUEUED_COST: usize = 512;
/// The time limit for ending the session if closing took too long before.
const LAST_PATIENCE: Duration = Duration::from_millis(500);

/// A completed future of the link.
enum Done {
    /// The exchange of a message.
    Post {
        seq: Seq,
        is_request: bool,
        is_initialized: bool,
    },
    /// The GET stream, or the end of the session.
    Other,
}

type Running = BoxFuture<'static, (Done, Result<(), Cause>)>;

enum Phase {
    Open,
    /// Closing: the last messages are sent first, then the session is ended.
    Closing {
        until: Instant,
        deleted: bool,
    },
    Ended,
}

/// Messages of which only so many are in progress at once.
struct Lane {
    queued: VecDeque<Post>,
    /// The memory of what is queued.
    bytes: usize,
    in_progress: usize,
    most: usize,
}

impl Lane {
    fn new(most: usize) -> Self {
        Self {
            queued: VecDeque::new(),
            bytes: 0,
            in_progress: 0,
            most,
        }
    }

    fn push(&mut self, post: Post) {
        self.bytes += cost(&post);
        self.queued.push_back(post);
    }

    /// Takes a message out of the queue.
    fn take(&mut self, at: usize) -> Option<Post> {
        let post = self.queued.remove(at)?;
        self.bytes = self.bytes.saturating_sub(cost(&post));
        Some(post)
    }

    /// The record of the message that may start.
    fn next(&self) -> Option<Seq> {
        let first = self.queued.front().filter(|_| self.in_progress < self.most);
        first.map(|post| post.seq)
    }
}

fn cost(post: &Post) -> usize {
    post.message.frame.len() + QUEUED_COST
}

/// A link to a server over HTTP.
pub(crate) struct HttpLink {
    shared: Arc<Shared>,
    running: FuturesUnordered<Running>,
    events: mpsc::Receiver<Event>,
    requests: Lane,
    /// Replies and notifications.
    replies: Lane,
    /// Requests that were queued when the link was closed.
    unsent: usize,
    /// `notifications/initialized` is in progress: a server may refuse messages before it is received.
    initializing: bool,
    initialized: bool,
    agreed: bool,
    /// Ends the stream that is not part of an exchange.
    stream: Option<oneshot::Sender<Ending>>,
    phase: Phase,
    /// The end of the link, returned after all earlier events.
    broke: Option<Cause>,
    tap: Tap,
}

impl HttpLink {
    pub(crate) fn new(shared: Shared, events: mpsc::Receiver<Event>) -> Self {
        let dialect = shared.dialect;
        let tap = shared.tap.clone();
        let mut link = Self {
            shared: Arc::new(shared),
            running: FuturesUnordered::new(),
            events,
            requests: Lane::new(REQUESTS_AT_ONCE),
            replies: Lane::new(REPLIES_AT_ONCE),
            unsent: 0,
            initializing: false,
            initialized: false,
            agreed: false,
            stream: None,
            phase: Phase::Open,
            broke: None,
            tap,
        };
        if dialect == Dialect::HttpSse {
            let (end, ended) = oneshot::channel();
            link.stream = Some(end);
            let shared = link.shared.clone();
            link.run(async move { (Done::Other, sse_stream::run(shared, ended).await) });
        }
        link
    }

    fn run(&self, future: impl Future<Output = (Done, Result<(), Cause>)> + Send + 'static) {
        self.running.push(Box::pin(future));
    }

    async fn record(&mut self, message: &Outgoing) -> Result<Seq, Failure> {
        const STEP: &str = "Send to the server";
        if !matches!(self.phase, Phase::Open) {
            return Err(Failure::new(STEP, "The connection is closed.", "Connect again."));
        }
        // Requests may depend on replies.
        let is_request = message.kind.may_be_answered();
        if self.lane(is_request).bytes > UNSENT_LIMIT {
            return Err(Failure::new(
                STEP,
                format!(
                    "{} messages wait for the server to answer earlier ones.",
                    self.queued()
                ),
                "Wait for it, cancel some, or connect again.",
            ));
        }
        let recorded = self.tap.sent(message.frame.clone(), message.operation).await;
        recorded.map_err(|cause| self.broke_off(STEP, cause.into()))
    }

    fn queue(&mut self, seq: Seq, message: Outgoing) {
        let open = Open::new(&message.kind);
        let post = Post {
            seq,
            on_wire: open.on_wire.clone(),
            message,
        };
        self.shared.state().open.insert(seq, open);
        self.lane(post.message.kind.may_be_answered()).push(post);
    }

    fn lane(&mut self, is_request: bool) -> &mut Lane {
        match is_request {
            true => &mut self.requests,
            false => &mut self.replies,
        }
    }

    /// The number of queued messages.
    fn queued(&self) -> usize {
        self.requests.queued.len() + self.replies.queued.len()
    }

    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Ok(event) = self.events.try_recv() {
                return Some(event);
            }
            if let Some(cause) = self.broke.take() {
                return Some(self.finish(Ended::of(cause)));
            }
            let until = match self.phase {
                Phase::Ended => return None,
                Phase::Open => {
                    self.start();
                    None
                }
                Phase::Closing { until, deleted } => {
                    self.start();
                    if self.running.is_empty() && (deleted || !self.has_session()) {
                        return Some(self.finish(Ended::closed()));
                    }
                    if self.running.is_empty() {
                        self.phase = Phase::Closing { until, deleted: true };
                        let shared = self.shared.clone();
                        self.run(async move {
                            shared.delete_session().await;
                            (Done::Other, Ok(()))
                        });
                    }
                    Some(until)
                }
            };
            tokio::select! {
                biased;
                Some(event) = self.events.recv() => return Some(event),
                Some((done, outcome)) = self.running.next(), if !self.running.is_empty() => {
                    self.done(done);
                    // Earlier events come first.
                    self.broke = outcome.err();
                }
                () = at(until) => match self.phase {
                    // Exchanges in progress do not end, but the session is still ended.
                    Phase::Closing { until, deleted: false } if self.has_session() && !self.running.is_empty() => {
                        self.running.clear();
                        self.phase = Phase::Closing {
                            until: until + LAST_PATIENCE,
                            deleted: false,
                        };
                    }
                    _ => return Some(self.finish(Ended::closed())),
                },
            }
        }
    }

    /// Starts queued messages within the limits.
    fn start(&mut self) {
        if self.shared.dialect == Dialect::HttpSse && self.shared.state().endpoint.is_none() {
            return;
        }
        while !self.initializing
            && let Some(post) = self.take_next()
        {
            self.begin(post);
        }
    }

    /// The first queued message, in the order of the log, that may start.
    fn take_next(&mut self) -> Option<Post> {
        let is_request = match (self.requests.next(), self.replies.next()) {
            (Some(request), Some(reply)) => request < reply,
            (None, None) => return None,
            (request, _) => request.is_some(),
        };
        self.lane(is_request).take(0)
    }

    fn begin(&mut self, post: Post) {
        let is_request = post.message.kind.may_be_answered();
        let is_initialized =
            matches!(&post.message.kind, OutgoingKind::Notification { method } if method == INITIALIZED);
        self.lane(is_request).in_progress += 1;
        self.initializing = is_initialized;
        let (end, ended) = oneshot::channel();
        let seq = post.seq;
        if let Some(open) = self.shared.state().open.get_mut(&seq) {
            open.end = Some(end);
            if open.answered {
                open.end_answered();
            }
        }
        let done = Done::Post {
            seq,
            is_request,
            is_initialized,
        };
        let shared = self.shared.clone();
        self.run(async move { (done, post::run(shared, post, ended).await) });
    }

    fn done(&mut self, done: Done) {
        let Done::Post {
            seq,
            is_request,
            is_initialized,
        } = done
        else {
            return;
        };
        self.shared.state().open.remove(&seq);
        self.lane(is_request).in_progress -= 1;
        if is_initialized {
            self.initializing = false;
            self.initialized = true;
            self.listen();
        }
    }

    /// Opens the GET stream after the handshake.
    fn listen(&mut self) {
        let due = self.agreed && self.initialized && matches!(self.phase, Phase::Open);
        if self.shared.dialect == Dialect::Legacy && due && self.stream.is_none() {
            let (end, ended) = oneshot::channel();
            self.stream = Some(end);
            let shared = self.shared.clone();
            self.run(async move { (Done::Other, listen::run(shared, ended).await) });
        }
    }

    async fn member(
        &mut self,
        frame: Seq,
        span: Range<usize>,
        description: Description,
    ) -> Result<Seq, Failure> {
        let recorded = self.tap.member(frame, span, description).await;
        recorded.map_err(|cause| self.broke_off("Connection lost", cause.into()))
    }

    fn broke_off(&mut self, step: &'static str, cause: Cause) -> Failure {
        let failure = cause.words(step);
        self.running.clear();
        self.broke = Some(cause);
        failure
    }

    fn has_session(&self) -> bool {
        let state = self.shared.state();
        state.session.is_some() && !state.session_lost
    }

    fn finish(&mut self, mut ended: Ended) -> Event {
        ended.unwritten = self.unsent + self.queued();
        self.phase = Phase::Ended;
        self.running.clear();
        self.requests.queued.clear();
        self.replies.queued.clear();
        self.shared.state().open.clear();
        while self.events.try_recv().is_ok() {}
        Event::Ended(ended)
    }
}

impl Link for HttpLink {
    fn record<'a>(&'a mut self, message: &'a Outgoing) -> BoxFuture<'a, Result<Seq, Failure>> {
        Box::pin(self.record(message))
    }

    fn queue(&mut self, seq: Seq, message: Outgoing) {
        self.queue(seq, message);
    }

    fn next<'a>(&'a mut self) -> BoxFuture<'a, Option<Event>> {
        Box::pin(self.next())
    }

    fn member<'a>(
        &'a mut self,
        frame: Seq,
        span: Range<usize>,
        description: Description,
    ) -> BoxFuture<'a, Result<Seq, Failure>> {
        Box::pin(self.member(frame, span, description))
    }

    fn agreed(&mut self, era: Era, revision: &str) {
        self.agreed = era == Era::Legacy;
        self.shared.state().revision = Some(revision.to_owned());
        self.listen();
    }

    fn abandon(&mut self, id: &RequestId) -> bool {
        let mut queued = self.requests.queued.iter();
        let found = queued.position(|post| post.message.kind.request_id() == Some(id));
        if let Some(post) = found.and_then(|at| self.requests.take(at)) {
            // It was never sent.
            self.shared.state().open.remove(&post.seq);
            return true;
        }
        let is_modern = self.shared.dialect == Dialect::Modern;
        let (mut is_open, mut is_on_wire) = (false, false);
        let mut state = self.shared.state();
        let open = state.open.values_mut().filter(|open| !open.answered);
        for open in open.filter(|open| open.request.as_ref() == Some(id)) {
            is_open = true;
            is_on_wire |= open.on_wire.get();
            open.on_wire.cancel();
            let ending = if open.on_wire.get() && !is_modern {
                Ending::Within(ABANDONED_PATIENCE)
            } else {
                // What is not on the wire (it is about to connect, or waits for a credential) is never sent.
                Ending::Now
            };
            if let Some(end) = open.end.take() {
                let _ = end.send(ending);
            }
        }
        is_modern || (is_open && !is_on_wire)
    }

    fn answered(&mut self, id: &RequestId) {
        let mut state = self.shared.state();
        let open = state.open.values_mut().filter(|open| !open.answered);
        for open in open.filter(|open| open.request.as_ref() == Some(id)) {
            open.answered = true;
            open.end_answered();
        }
    }

    fn close(&mut self, patience: Option<Duration>) {
        let until = Instant::now() + patience.unwrap_or(SHUTDOWN_GRACE);
        match &mut self.phase {
            Phase::Ended => return,
            Phase::Closing { until: known, .. } => {
                *known = until.min(*known);
                return;
            }
            Phase::Open => {
                self.phase = Phase::Closing {
                    until,
                    deleted: false,
                }
            }
        }
        if let Some(stream) = self.stream.take() {
            let _ = stream.send(Ending::Now);
        }
        self.unsent = self.requests.queued.len();
        self.requests.queued.clear();
        for open in self.shared.state().open.values_mut() {
            // Notifications and replies are completed.
            if open.request.is_some()
                && let Some(end) = open.end.take()
            {
                let _ = end.send(Ending::Now);
            }
        }
    }

    fn about(&self) -> About {
        self.shared.about()
    }
}
