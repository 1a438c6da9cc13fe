//! A server within this program, and an example of a transport.
//!
//! A transport consists of a [`Connector`] that makes links, and a [`Link`] that
//! - records what is sent before it is sent ([`Link::record`]) and what comes before it is handed out ([`Link::next`]),
//!   through a [`Tap`];
//! - does its work, here: running the server, while `next` is awaited, so that dropping it stops everything;
//! - keeps in `self` whatever a dropped `next` must not lose;
//! - tells its end once, with the reason.
//!
//! ```ignore
//! let connector = InProcess::new("adder", |mut messages| async move {
//!     while let Some(frame) = messages.incoming.recv().await {
//!         let answer = adder::answer(&frame);
//!         if messages.outgoing.send(answer).await.is_err() {
//!             break;
//!         }
//!     }
//! });
//! ```

use std::{collections::VecDeque, fmt, future::pending, ops::Range, sync::Arc, time::Duration};

use bytes::Bytes;
use patchbay_traffic::{Description, FrameContext, Seq};
use tokio::{sync::mpsc, time::Instant};

use crate::{
    About, BoxFuture, Connector, Dialect, Ended, Event, Failure, Link, NotStarted, Outgoing, Peer, Received,
    SHUTDOWN_GRACE, Tap, UNSENT_LIMIT, at, ended::Cause,
};

/// The maximum number of queued messages in each direction.
const MESSAGES: usize = 64;

/// The server's ends of the two channels.
#[derive(Debug)]
pub struct Messages {
    /// Messages from the client; closed when the client has closed the connection, upon which the server should end.
    pub incoming: mpsc::Receiver<Bytes>,
    /// Messages to the client. Sending waits while the client is busy.
    pub outgoing: mpsc::Sender<Bytes>,
}

/// Makes links to a server within this program: one run of its function per link.
#[derive(Clone)]
pub struct InProcess {
    name: String,
    serve: Arc<dyn Fn(Messages) -> BoxFuture<'static, ()> + Send + Sync>,
}

impl InProcess {
    /// Takes a display name and the function that serves one connection. It runs in the task of its link; long computations
    /// should run in a separate task.
    pub fn new<S, F>(name: impl Into<String>, serve: S) -> Self
    where
        S: Fn(Messages) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        Self {
            name: name.into(),
            serve: Arc::new(move |messages| Box::pin(serve(messages))),
        }
    }
}

impl fmt::Debug for InProcess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("InProcess")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Connector for InProcess {
    fn connect(&self, _dialect: Dialect, tap: Tap) -> Result<Box<dyn Link>, Box<NotStarted>> {
        let (to_server, incoming) = mpsc::channel(MESSAGES);
        let (outgoing, from_server) = mpsc::channel(MESSAGES);
        Ok(Box::new(InProcessLink {
            name: self.name.clone(),
            tap,
            server: Some((self.serve)(Messages { incoming, outgoing })),
            to_server: Some(to_server),
            closed: false,
            from_server,
            line: VecDeque::new(),
            waiting: 0,
            arrived: None,
            until: None,
            cause: None,
            ended: false,
        }))
    }

    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::Modern, Dialect::Legacy]
    }
}

/// The result of a step.
enum Turn {
    Arrived(Bytes),
    Room,
    NoMoreTaken,
    Served,
    Late,
}

struct InProcessLink {
    name: String,
    tap: Tap,
    /// The server's future; none once it is done.
    server: Option<BoxFuture<'static, ()>>,
    /// None once closed, by either side.
    to_server: Option<mpsc::Sender<Bytes>>,
    closed: bool,
    from_server: mpsc::Receiver<Bytes>,
    /// Recorded, but not passed to the server yet.
    line: VecDeque<Bytes>,
    waiting: usize,
    /// Received, but not recorded yet.
    arrived: Option<Bytes>,
    /// How long the server may take to end.
    until: Option<Instant>,
    cause: Option<Cause>,
    ended: bool,
}

impl InProcessLink {
    async fn record(&mut self, message: &Outgoing) -> Result<Seq, Failure> {
        const STEP: &str = "Write to the server";
        if self.to_server.is_none() || self.ended {
            return Err(Failure::new(STEP, "The connection is closed.", "Connect again."));
        }
        if self.waiting > UNSENT_LIMIT {
            return Err(Failure::new(
                STEP,
                format!(
                    "The server does not take what is sent: {} bytes wait.",
                    self.waiting
                ),
                "Connect again.",
            ));
        }
        let recorded = self.tap.sent(message.frame.clone(), message.operation).await;
        recorded.map_err(|cause| self.broke_off(STEP, cause.into()))
    }

    async fn next(&mut self) -> Option<Event> {
        if self.ended {
            return None;
        }
        loop {
            if self.cause.is_some() {
                return Some(self.finish());
            }
            if let Some(frame) = self.arrived.clone() {
                return Some(self.received(frame).await);
            }
            if self.server.is_none() && self.from_server.is_empty() {
                return Some(self.finish());
            }
            match self.turn().await {
                Turn::Arrived(frame) => self.arrived = Some(frame),
                Turn::Room => self.hand_over(),
                // The server accepts no more messages; it may still send some.
                Turn::NoMoreTaken => self.to_server = None,
                Turn::Served => self.server = None,
                Turn::Late => return Some(self.finish()),
            }
        }
    }

    /// The next possible step.
    async fn turn(&mut self) -> Turn {
        tokio::select! {
            biased;
            Some(frame) = self.from_server.recv() => Turn::Arrived(frame),
            open = room(self.to_server.as_ref()), if !self.line.is_empty() => {
                if open { Turn::Room } else { Turn::NoMoreTaken }
            }
            () = served(&mut self.server) => Turn::Served,
            () = at(self.until) => Turn::Late,
        }
    }

    /// Passes queued messages to the server while there is room.
    fn hand_over(&mut self) {
        let Some(way) = &self.to_server else { return };
        while let Ok(permit) = way.try_reserve() {
            let Some(frame) = self.line.pop_front() else {
                return;
            };
            self.waiting = self.waiting.saturating_sub(frame.len());
            permit.send(frame);
        }
    }

    /// Records received messages and returns them.
    async fn received(&mut self, frame: Bytes) -> Event {
        let at_ns = self.tap.recorder().now_ns();
        let context = FrameContext {
            read_at_ns: Some(at_ns),
            ..FrameContext::default()
        };
        match self.tap.received(frame.clone(), context).await {
            Ok(seq) => {
                self.arrived = None;
                Event::Frame(Received {
                    seq,
                    at_ns,
                    frame,
                    terminated: true,
                    ..Received::default()
                })
            }
            Err(cause) => {
                self.cause = Some(cause.into());
                self.finish()
            }
        }
    }

    fn broke_off(&mut self, step: &'static str, cause: Cause) -> Failure {
        let failure = cause.words(step);
        self.cause = Some(cause);
        failure
    }

    fn finish(&mut self) -> Event {
        self.ended = true;
        self.server = None;
        self.to_server = None;
        let cause = self.cause.take().unwrap_or_else(|| {
            if self.closed {
                return Cause::Closed;
            }
            Cause::Failed(Failure::new(
                "Connection lost",
                "The server within this program has ended.",
                "Connect again.",
            ))
        });
        let mut ended = Ended::of(cause);
        ended.unwritten = self.line.len();
        Event::Ended(ended)
    }
}

impl Link for InProcessLink {
    fn record<'a>(&'a mut self, message: &'a Outgoing) -> BoxFuture<'a, Result<Seq, Failure>> {
        Box::pin(self.record(message))
    }

    fn queue(&mut self, _seq: Seq, message: Outgoing) {
        self.waiting += message.frame.len();
        self.line.push_back(message.frame);
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
        Box::pin(async move {
            let recorded = self.tap.member(frame, span, description).await;
            recorded.map_err(|cause| self.broke_off("Connection lost", cause.into()))
        })
    }

    fn close(&mut self, patience: Option<Duration>) {
        self.to_server = None;
        self.closed = true;
        let until = Instant::now() + patience.unwrap_or(SHUTDOWN_GRACE);
        self.until = Some(self.until.map_or(until, |known| known.min(until)));
    }

    fn about(&self) -> About {
        About::new(Peer::Other {
            name: self.name.clone(),
        })
    }
}

/// Completes when there is room for one more message (true), or the server accepts none any more; never without a channel.
async fn room(way: Option<&mpsc::Sender<Bytes>>) -> bool {
    match way {
        Some(way) => way.reserve().await.is_ok(),
        None => pending().await,
    }
}

/// Completes when the server is done; never if it is done already.
async fn served(server: &mut Option<BoxFuture<'static, ()>>) {
    match server {
        Some(server) => server.await,
        None => pending().await,
    }
}

#[cfg(test)]
mod tests;
