//! The handle of a connection.

pub(crate) mod panics;
pub(crate) mod supervisor;
mod thread;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use patchbay_protocol::{Era, limits::Limits, methods, views::LogLevel};
use patchbay_traffic::{OperationId, Recorder, Seq};
use tokio::sync::{mpsc, oneshot, watch};

use crate::{
    CallEnd, ConnectOptions, Exchange, Finished, Notices, RawMessage, Request, State, Status, TaskProgress,
    actor::Actor,
    command::Command,
    connection::supervisor::Supervisor,
    events,
    notifications::{NotificationReceiver, Watchers},
};

/// How many commands may wait for the actor.
const COMMANDS: usize = 256;

static NEXT_EXCHANGE: AtomicU64 = AtomicU64::new(1);

/// A connection with a server. Cheap to clone; when the last one is dropped everything is stopped.
#[derive(Debug, Clone)]
pub struct Connection {
    commands: mpsc::Sender<Command>,
    status: watch::Receiver<Arc<Status>>,
    notices: watch::Receiver<Notices>,
    task_progress: watch::Sender<TaskProgress>,
    watchers: Watchers,
    limits: Limits,
}

/// Starts a connection. Must be called within a Tokio runtime; returns at once, `status` tells how it goes.
#[must_use]
pub fn connect(options: ConnectOptions, recorder: Recorder) -> Connection {
    let (commands, receiver) = mpsc::channel(COMMANDS);
    let limits = options.limits;
    let own_thread = options.connector.own_thread();
    let watchers = Watchers::default();
    let task_progress = watch::Sender::default();
    let (actor, status, notices) = Actor::new(
        options,
        recorder,
        receiver,
        watchers.clone(),
        task_progress.clone(),
    );
    thread::start(actor, own_thread);
    Connection {
        commands,
        limits,
        status,
        notices,
        task_progress,
        watchers,
    }
}

impl Connection {
    /// What is known of it, now and whenever it changes.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<Arc<Status>> {
        self.status.clone()
    }

    /// What the server told without being asked, counted and coalesced.
    #[must_use]
    pub fn notices(&self) -> watch::Receiver<Notices> {
        self.notices.clone()
    }

    /// The latest progress of tasks, now and whenever the server reports some.
    #[must_use]
    pub fn task_progress(&self) -> watch::Receiver<TaskProgress> {
        self.task_progress.subscribe()
    }

    /// The notifications of changes that come from now on: of lists, resources and tasks. None of them is lost; see
    /// [`NotificationQueue`](crate::NotificationQueue).
    #[must_use]
    pub fn notifications(&self) -> NotificationReceiver {
        self.watchers.watch()
    }

    /// Waits until it is ready, or has failed or closed.
    pub async fn settled(&self) -> Arc<Status> {
        let mut status = self.status.clone();
        let settled =
            |status: &Arc<Status>| matches!(status.state, State::Ready | State::Failed | State::Closed);
        match status.wait_for(settled).await {
            Ok(status) => status.clone(),
            Err(_) => self.status.borrow().clone(),
        }
    }

    /// Sends a request. Waits only while very many others wait to be sent.
    pub async fn request(&self, request: Request) -> Exchange {
        let (events, receiver) = events::channel();
        let exchange = NEXT_EXCHANGE.fetch_add(1, Ordering::Relaxed);
        if let Err(refused) = self
            .commands
            .send(Command::Request {
                request,
                exchange,
                events,
            })
            .await
            && let Command::Request { events, .. } = refused.0
        {
            let finished = Finished::not_sent(self.status.borrow().why_not_ready());
            events.finish(finished, &events::DeferredWakes::default());
        }
        Exchange {
            id: exchange,
            events: receiver,
        }
    }

    /// Opens a stream of notifications (`subscriptions/listen`, modern era). `filter` is the JSON text of `notifications`.
    ///
    /// The exchange stays open and reports the acknowledgement and each notification. If the server ends it, the outcome is
    /// [`Outcome::Result`](crate::Outcome::Result) (or `EndedByServer`); after `cancel` it is `Cancelled`, after a disconnect
    /// `ConnectionLost` or `Unanswered`.
    pub async fn listen(&self, filter: &str) -> Exchange {
        let params = format!("{{\"notifications\":{filter}}}");
        self.request(Request::new(methods::SUBSCRIPTIONS_LISTEN, Some(params)))
            .await
    }

    /// From which level the server is to log. In the legacy era that is a request (`logging/setLevel`), which is returned;
    /// none of it is sent for no level, which that era does not have. In the modern era every request says it from now on.
    /// The request is recorded as part of `operation`.
    pub async fn set_log_level(
        &self,
        level: Option<LogLevel>,
        operation: Option<OperationId>,
    ) -> Option<Exchange> {
        let legacy = self.status.borrow().era != Some(Era::Modern);
        if !legacy {
            // An error means that nobody sends requests any more.
            let _ = self.commands.send(Command::LogLevel(level)).await;
            return None;
        }
        let level = level?;
        let params = format!("{{\"level\":\"{}\"}}", level.as_str());
        let request = Request {
            operation,
            ..Request::new(methods::LOGGING_SET_LEVEL, Some(params))
        };
        Some(self.request(request).await)
    }

    /// Sends a notification; false if the connection cannot send.
    pub async fn notify(&self, method: &str, params: Option<String>) -> bool {
        self.commands
            .send(Command::Notify {
                method: method.to_owned(),
                params,
            })
            .await
            .is_ok()
    }

    /// Sends a text as one message, exactly as written, whether or not it is valid. Returns its record once it is recorded
    /// and handed to the transport. What the server sends in return is recorded; nobody waits for it.
    ///
    /// # Errors
    /// Why nothing was sent, in a sentence.
    pub async fn send_message(&self, message: RawMessage) -> Result<Seq, String> {
        let (sent, done) = oneshot::channel();
        // If nobody takes the command, `sent` is dropped with it.
        let _ = self.commands.send(Command::Message { message, sent }).await;
        done.await
            .unwrap_or_else(|_| Err(self.status.borrow().why_not_ready()))
    }

    /// Cancels a request (`Exchange::id`): the server is notified (`notifications/cancelled`, or over HTTP in the modern era the
    /// end of the stream), inputs it waits for are withdrawn, the exchange ends as `Cancelled`. Does nothing if it has
    /// ended already.
    pub async fn cancel(&self, exchange: u64, reason: Option<String>) {
        // An error means that everything has ended already.
        let _ = self.commands.send(Command::Cancel { exchange, reason }).await;
    }

    /// Waits until a request (`Exchange::id`) has ended, and returns how; none at once if it is not in progress.
    pub async fn end_of(&self, exchange: u64) -> Option<CallEnd> {
        let (watched, answer) = oneshot::channel();
        let command = Command::WatchEnd { exchange, watched };
        self.commands.send(command).await.ok()?;
        let mut end = answer.await.ok()??;
        // Closed when it has ended.
        while end.changed().await.is_ok() {}
        Some(*end.borrow())
    }

    /// Counts problems that somebody else found in what the server sent (and recorded).
    pub async fn count_problems(&self, count: usize) {
        // An error means that nobody counts any more.
        let _ = self.commands.send(Command::Problems(count)).await;
    }

    /// What it may cost.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What tasks that work for this connection run under. It does not keep the connection open.
    #[must_use]
    pub fn supervisor(&self) -> Supervisor {
        Supervisor::new(self.commands.downgrade())
    }

    /// Shuts down: stdin is closed, the process group ended. Returns when nothing is left running.
    pub async fn close(&self) {
        let _ = self.commands.send(Command::Close).await;
        self.commands.closed().await;
    }
}
