//! The one task that owns a connection: everything that happens to it is an [`Event`], handled one after the other.

mod authorizing;
mod handshake;
mod incoming;
mod inputs;
mod lifecycle;
mod outgoing;
mod raw_message;
mod responses;
mod rounds;
mod sessions;
mod supervision;
mod tasks;
mod tools;
mod unanswered;

use std::{collections::HashMap, pin::Pin, sync::Arc, thread, time::Duration};

use patchbay_observe::Observer;
use patchbay_protocol::{
    RequestId,
    limits::Limits,
    meta::RequestMeta,
    views::{ClientCapabilities, implementation_json},
};
use patchbay_traffic::{ConnectionRef, NewConnection, OperationId, Recorder, Seq, Status as RecordStatus};
use patchbay_transport::{Connector, Dialect, Event as LinkEvent, Link};
use tokio::{
    sync::{mpsc, watch},
    task::yield_now,
    time::{Instant, Sleep, sleep_until},
};

use crate::{
    ConnectOptions, EraChoice, InputReply, Notices, State, Status, TaskProgress, Timeouts,
    call::Call,
    command::Command,
    events::DeferredWakes,
    notifications::Watchers,
    pending::{PendingTable, RawRequest},
    pending_inputs::{PendingInputs, served_tasks::ServedTasks},
    round::Round,
    status_publisher::StatusPublisher,
};
use handshake::{ConnectDeadline, DialectFallback};
use sessions::lost::LostSessions;
use tools::KnownTools;

/// How many commands are taken at once.
const COMMAND_BATCH: usize = 64;
/// From so many pending requests on, messages are handled together where that takes no wait: callers are woken once everything
/// that is here was handled, and one write takes several requests. With fewer, each caller continues at once.
const MANY: usize = 8;
/// How long the actor looks for the next event before it parks its thread, if it has one to itself. A parked thread takes
/// tens of microseconds to wake, for the peer that wakes it too; in a run of calls the next event comes sooner than that.
const SPIN: Duration = Duration::from_micros(30);
/// How many events that have arrived are handled before requests time out. A server that floods does not delay that further.
const ARRIVED: usize = 256;
/// When nothing is due, the timer is set this far ahead.
const FAR: Duration = Duration::from_secs(3600);

/// Everything that can happen to a connection.
enum Event {
    /// Handles ask for something (in `Actor::batch`); none left if the last was dropped.
    Commands(usize),
    /// Something from the server; none when nothing is left of the link.
    Link(Option<LinkEvent>),
    /// An input that a server asked for was replied to.
    Replied(u64, InputReply),
    /// A time has come.
    Due,
}

/// What the actor is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Phase {
    /// `server/discover` is under way.
    Probing,
    /// The link is being ended; the next attempt follows on a fresh one. Why.
    Switching(String),
    /// `initialize` is under way.
    Initializing,
    /// Requests may be sent.
    Ready,
    /// The link is being ended; then this is the state.
    Ending(State),
    /// Nothing is left.
    Over,
}

/// A connection.
pub(crate) struct Actor {
    options: Options,
    client_info: String,
    recorder: Recorder,
    connection: ConnectionRef,
    commands: mpsc::Receiver<Command>,
    batch: Vec<Command>,
    /// Whether a handle is left that may ask for something.
    handles: bool,
    link: Option<Box<dyn Link>>,
    phase: Phase,
    /// The dialect of the link.
    dialect: Dialect,
    /// The dialects that are still to be tried.
    fallback: DialectFallback,
    /// When the connection must be ready.
    deadline: ConnectDeadline,
    /// Whether messages are in HTTP headers too.
    headed: bool,
    /// The parameters that are in headers, of the tools seen here; or why a tool must not be called.
    tools: KnownTools,
    /// What was declared to the server.
    declared: ClientCapabilities,
    /// What every request carries in the modern era.
    meta: Option<RequestMeta>,
    /// Decodes, pairs and describes everything that crosses.
    observer: Observer,
    pending: PendingTable,
    /// Calls that wait for input before their next leg.
    rounds: HashMap<u64, Round>,
    pending_inputs: PendingInputs,
    /// The last reply to the server could not be sent.
    replies_fail: bool,
    /// What the server had answered as tasks.
    served_tasks: ServedTasks,
    /// Requests that ended before their answer, and how: a late answer is still linked to them.
    abandoned: HashMap<i64, RecordStatus>,
    /// Requests that a user wrote whole: nobody waits for their answers.
    raw_requests: HashMap<RequestId, RawRequest>,
    next_id: i64,
    publisher: StatusPublisher,
    notices: watch::Sender<Notices>,
    task_progress: watch::Sender<TaskProgress>,
    watchers: Watchers,
    /// Callers that have something to read: woken whenever the actor waits.
    wakes: Arc<DeferredWakes>,
    /// Whether nothing else runs on this thread, so that it may look for events for [`SPIN`].
    pub(crate) owns_thread: bool,
    timer: Pin<Box<Sleep>>,
    probe_seq: Option<Seq>,
    /// When to ping next.
    ping_due: Option<Instant>,
    lost_sessions: LostSessions,
}

/// What was asked for at the beginning and never changes.
struct Options {
    server_id: String,
    server_name: String,
    era: EraChoice,
    connector: Arc<dyn Connector>,
    timeouts: Timeouts,
    offered_revision: Option<String>,
    any_revision: bool,
    capabilities: ClientCapabilities,
    inputs: Option<mpsc::Sender<crate::InputRequest>>,
    limits: Limits,
    health_ping: Option<Duration>,
    operation: Option<OperationId>,
}

impl From<ConnectOptions> for Options {
    fn from(options: ConnectOptions) -> Self {
        Self {
            server_id: options.server_id,
            server_name: options.server_name,
            era: options.era,
            connector: options.connector,
            timeouts: options.timeouts,
            offered_revision: options.offered_revision,
            any_revision: options.any_revision,
            capabilities: options.capabilities,
            inputs: options.inputs,
            limits: options.limits,
            health_ping: options.health_ping,
            operation: options.operation,
        }
    }
}

impl Actor {
    pub(crate) fn new(
        options: ConnectOptions,
        recorder: Recorder,
        commands: mpsc::Receiver<Command>,
        watchers: Watchers,
        task_progress: watch::Sender<TaskProgress>,
    ) -> (Self, watch::Receiver<Arc<Status>>, watch::Receiver<Notices>) {
        let connection = recorder.connection(NewConnection {
            server_id: options.server_id.clone(),
            server_name: options.server_name.clone(),
            origin: options.origin,
        });
        let (publisher, status) =
            StatusPublisher::new(Status::connecting(connection, options.capabilities.to_json()));
        let (notices, noticed) = watch::channel(Notices::default());
        let info = &options.client_info;
        let actor = Self {
            client_info: implementation_json(&info.name, &info.version, info.title.as_deref()),
            fallback: DialectFallback::new(options.connector.dialects(), options.era, options.remembered),
            deadline: ConnectDeadline::new(options.timeouts.request),
            recorder,
            connection,
            commands,
            batch: Vec::with_capacity(COMMAND_BATCH),
            handles: true,
            link: None,
            phase: Phase::Probing,
            dialect: Dialect::Modern,
            headed: false,
            tools: KnownTools::default(),
            declared: ClientCapabilities::none(),
            meta: None,
            observer: Observer::within(options.limits),
            pending: PendingTable::default(),
            rounds: HashMap::new(),
            pending_inputs: PendingInputs::default(),
            replies_fail: false,
            served_tasks: ServedTasks::default(),
            abandoned: HashMap::new(),
            raw_requests: HashMap::new(),
            next_id: 1,
            publisher,
            notices,
            task_progress,
            watchers,
            wakes: Arc::default(),
            owns_thread: false,
            timer: Box::pin(sleep_until(Instant::now() + FAR)),
            probe_seq: None,
            ping_due: None,
            lost_sessions: LostSessions::default(),
            options: options.into(),
        };
        (actor, status, noticed)
    }

    /// Handles what happens until nothing is left of the server.
    async fn live(&mut self) {
        // A timer belongs to the runtime that it was made in: from now on the one that drives this.
        self.timer = Box::pin(sleep_until(Instant::now() + FAR));
        self.begin().await;
        while self.phase != Phase::Over {
            // What one read brought is handled before anything is written or anybody is woken.
            let ready = self.link.as_mut().and_then(|link| link.ready());
            let event = match ready {
                Some(event) => Event::Link(Some(event)),
                None => self.next_event().await,
            };
            self.handle(event).await;
        }
    }

    /// Answers the commands that are left once the connection is over.
    async fn answer_the_rest(&mut self) {
        // What is sent in this very moment is answered too: a receiver that is just dropped may leave it in the queue, and
        // the caller would wait forever.
        self.commands.close();
        while let Some(command) = self.commands.recv().await {
            self.command(command).await;
        }
    }

    /// The next event. If the thread is the actor's, it first looks for one while callers wait for others to be woken with
    /// ([`DeferredWakes::batch_end`]), and then for a short [`SPIN`].
    async fn next_event(&mut self) -> Event {
        if self.owns_thread {
            if let Some(end) = self.wakes.batch_end(self.pending.len()) {
                self.wakes.hold(true);
                let event = self.look_until(end).await;
                self.wakes.hold(false);
                if let Some(event) = event {
                    return event;
                }
            }
            self.wakes.wake_all();
            if let Some(event) = self.look_until(std::time::Instant::now() + SPIN).await {
                return event;
            }
        }
        self.wait_for_event().await
    }

    /// An event that comes before `end`. The thread is not parked; other threads may run in between.
    async fn look_until(&mut self, end: std::time::Instant) -> Option<Event> {
        while std::time::Instant::now() < end {
            tokio::select! {
                biased;
                event = self.wait_for_event() => return Some(event),
                () = yield_now() => thread::yield_now(),
            }
        }
        None
    }

    async fn wait_for_event(&mut self) -> Event {
        self.arm_timer();
        let link = async {
            match &mut self.link {
                Some(link) => link.next().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            count = self.commands.recv_many(&mut self.batch, COMMAND_BATCH), if self.handles => Event::Commands(count),
            event = link => Event::Link(event),
            (key, reply) = self.pending_inputs.next(), if !self.pending_inputs.is_empty() => Event::Replied(key, reply),
            () = &mut self.timer => Event::Due,
        }
    }

    /// Sets the timer if something is due before it fires. (If it fires too early, the actor only looks again.)
    fn arm_timer(&mut self) {
        let due = [
            self.pending.next_look(),
            self.publisher.due,
            self.ping_due,
            self.served_tasks.next_expiry(),
            self.next_round_deadline(),
        ];
        let due = due.into_iter().flatten().min();
        if let Some(due) = due
            && due < self.timer.deadline()
        {
            self.timer.as_mut().reset(due);
        }
    }

    async fn handle(&mut self, event: Event) {
        match event {
            Event::Commands(0) => {
                self.handles = false;
                self.close().await;
            }
            Event::Commands(_) => {
                let mut batch = std::mem::take(&mut self.batch);
                for command in batch.drain(..) {
                    self.command(command).await;
                }
                self.batch = batch;
            }
            Event::Link(Some(event)) => self.link_event(event).await,
            Event::Link(None) => self.link_gone().await,
            Event::Replied(key, reply) => self.replied(key, reply).await,
            Event::Due => self.due().await,
        }
    }

    async fn link_event(&mut self, event: LinkEvent) {
        match event {
            LinkEvent::Frame(received) => self.frame(received).await,
            LinkEvent::Unanswered { id, why } => self.unanswered(&id, why),
            LinkEvent::Refused { frame, why } => self.refused(frame, why),
            LinkEvent::Authorizing { id, on } => self.authorizing(id.as_ref(), on),
            LinkEvent::Changed => self.link_changed(),
            LinkEvent::Ended(ended) => self.link_ended(ended),
        }
    }

    async fn due(&mut self) {
        self.take_arrived().await;
        let now = Instant::now();
        self.timer.as_mut().reset(now + FAR);
        while let Some((id, entry)) = self.pending.take_due(now) {
            self.timed_out(id, entry, now).await;
        }
        self.expire_tasks(now).await;
        self.expire_rounds(now);
        if self.publisher.due.is_some_and(|due| due <= now) {
            self.publisher.publish();
        }
        if self.ping_due.is_some_and(|due| due <= now) {
            self.ping().await;
        }
    }

    /// Handles what has arrived by now, up to a limit: a response that came in time is not late because the timer was looked at
    /// first, and it is recorded before the notification that would cancel its request.
    async fn take_arrived(&mut self) {
        for _ in 0..ARRIVED {
            let Some(link) = &mut self.link else {
                return;
            };
            let event = tokio::select! {
                biased;
                event = link.next() => event,
                () = std::future::ready(()) => return,
            };
            match event {
                Some(event) => self.link_event(event).await,
                None => return self.link_gone().await,
            }
        }
    }

    async fn command(&mut self, command: Command) {
        match command {
            Command::Request {
                request,
                exchange,
                events,
            } => self.exchange(request, exchange, events).await,
            Command::Notify { method, params } => self.notify(&method, params.as_deref(), None).await,
            Command::Message { message, sent } => {
                // An error means that the caller no longer waits.
                let _ = sent.send(self.raw_message(message).await);
            }
            Command::Cancel { exchange, reason } => self.cancel(exchange, reason).await,
            Command::LogLevel(level) => self.log_level(level),
            Command::WatchEnd { exchange, watched } => {
                let round = self.rounds.get_mut(&exchange).map(|round| &mut *round.call);
                let call = round.or_else(|| self.pending.call_of_exchange(exchange));
                // An error means that nobody waits for it any more.
                let _ = watched.send(call.map(Call::watch_end));
            }
            Command::Problems(count) => self.publisher.problems(count),
            Command::Died { task, cause } => self.task_died(task, &cause),
            Command::Close => self.close().await,
        }
    }
}

#[cfg(test)]
mod tests;
