//! A server's process and its three pipes: frames in, frames out, and the end.

mod command;
#[cfg(test)]
mod doomed;
mod environment;
mod guardian;
#[cfg(windows)]
mod job;
mod outbox;
mod output;
mod process;
mod program;
mod run;
mod stderr;
mod strays;
mod terminal;

pub use command::{NotStarted, ProcessInfo, StdioConfig};
pub use environment::{Environment, EnvironmentSource};
pub use output::output_of;
pub use process::Exit;
pub use program::find_program;
pub use run::run_to_end;
pub use stderr::StderrTail;
pub use terminal::{TerminalRun, open_terminal};

use std::{future::pending, ops::Range, panic::resume_unwind, path::Path, time::Duration};

use bytes::Bytes;
use patchbay_traffic::{Description, FrameContext, Seq};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    task::{JoinError, JoinHandle},
    time::Instant,
};

use crate::{
    About, BoxFuture, Connector, Dialect, Ended, Event, Failure, Link, NotRecorded, Outgoing, OutgoingKind,
    Peer, Received, Tap, UNSENT_LIMIT, at,
    ended::Cause,
    framing::lines::{Fill, Line, Lines},
};
use outbox::Outbox;
use process::{Pipes, Process};

/// How long the rest of what a server wrote is waited for once it has exited or closed its stdout.
const DRAIN: Duration = Duration::from_millis(500);
/// How much more is read when that time is over and there is always something to read: what the pipe may have held then.
const PIPE: usize = 64 * 1024;
/// How long a server gets to react to a closed stdin, and again to SIGTERM.
pub const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// A started server. Dropping it ends the process and all that it started.
pub struct Stdio {
    tap: Tap,
    lines: Lines,
    /// When the lines that are here were read, on the recorder's clock.
    read_at_ns: u64,
    /// A line that the store has not taken yet.
    pending: Option<Line>,
    outbox: Outbox,
    process: Option<Process>,
    info: ProcessInfo,
    tail: StderrTail,
    stderr: Option<JoinHandle<()>>,
    exit: Option<Exit>,
    /// How long the rest of what the server wrote is waited for.
    drain: Duration,
    /// Set when the end is certain: until then what the server wrote before is waited for.
    drain_until: Option<Instant>,
    /// How much was read after that.
    read_late: usize,
    /// What made the end certain, unless it was the server's exit.
    cause: Option<Cause>,
    ended: bool,
}

impl Stdio {
    /// Starts a server. Must be called within a Tokio runtime.
    ///
    /// # Errors
    /// The folder or program cannot be used; `NotStarted` says which and why.
    #[expect(clippy::disallowed_methods, reason = "the link keeps the handle")]
    pub fn start(config: &StdioConfig, grace: Duration, tap: Tap) -> Result<Self, Box<NotStarted>> {
        let (command, mut info) = command::prepare(config)?;
        match Process::start(command, grace) {
            Ok((
                process,
                Pipes {
                    stdin,
                    stdout,
                    stderr,
                },
            )) => {
                info.pid = Some(process.pid);
                let tail = StderrTail::default();
                let recorder = tap.recorder().clone();
                let recording = stderr::record(Box::new(stderr), recorder, tap.connection(), tail.clone());
                let mut stdio = Self::over(Box::new(stdout), Box::new(stdin), info, tap);
                stdio.tail = tail;
                stdio.stderr = Some(tokio::spawn(recording));
                stdio.process = Some(process);
                Ok(stdio)
            }
            Err(error) => {
                let program = info.resolved.as_deref().unwrap_or(Path::new(""));
                let failure = program::spawn_failure(program, &error);
                Err(NotStarted::process(info, failure))
            }
        }
    }

    /// Speaks over any two byte streams instead of a process's: for tests.
    #[must_use]
    pub fn over(
        reader: Box<dyn AsyncRead + Send + Unpin>,
        writer: Box<dyn AsyncWrite + Send + Unpin>,
        info: ProcessInfo,
        tap: Tap,
    ) -> Self {
        Self {
            read_at_ns: tap.recorder().now_ns(),
            tap,
            lines: Lines::new(reader),
            pending: None,
            outbox: Outbox::new(writer),
            process: None,
            info,
            tail: StderrTail::default(),
            stderr: None,
            exit: None,
            drain: DRAIN,
            drain_until: None,
            read_late: 0,
            cause: None,
            ended: false,
        }
    }

    /// Waits so long for the rest of what the server wrote once it has exited or closed its stdout: for tests.
    #[must_use]
    pub fn draining_within(mut self, drain: Duration) -> Self {
        self.drain = drain;
        self
    }

    /// The process as it was started, and how it ended if it has.
    #[must_use]
    pub fn info(&self) -> ProcessInfo {
        ProcessInfo {
            exit: self.exit,
            ..self.info.clone()
        }
    }

    /// The last lines of stderr, live.
    #[must_use]
    pub fn stderr_tail(&self) -> StderrTail {
        self.tail.clone()
    }

    /// Records a frame that [`Link::queue`] is to write. Waits only for the store.
    async fn record(&mut self, message: &Outgoing) -> Result<Seq, Failure> {
        const STEP: &str = "Write to the server";
        if !self.outbox.is_open() {
            return Err(Failure::new(
                STEP,
                "The server's stdin is closed.",
                "Restart the server.",
            ));
        }
        // What it asked for is limited by not reading what it asks.
        let is_reply = matches!(message.kind, OutgoingKind::Response { .. });
        if self.outbox.waiting() > UNSENT_LIMIT && !is_reply {
            let bytes = self.outbox.waiting();
            return Err(Failure::new(
                STEP,
                format!("The server does not read its stdin: {bytes} bytes wait to be taken."),
                "Restart the server, or find out what keeps it busy.",
            ));
        }
        let recorded = self.tap.sent(message.frame.clone(), message.operation).await;
        recorded.map_err(|cause| self.broke_off(STEP, cause.into()))
    }

    /// Closes stdin and begins to end the process group; what still comes is delivered, then `Ended`.
    pub fn close(&mut self) {
        let grace = self
            .process
            .as_ref()
            .map_or(Duration::ZERO, |process| process.grace);
        self.close_within(grace);
    }

    /// As [`Self::close`], but the process gets `patience` to end by itself before it is asked to. A second call with
    /// less patience counts.
    pub fn close_within(&mut self, patience: Duration) {
        self.outbox.close();
        match &self.process {
            Some(process) => process.end(patience),
            // Nobody makes this peer end.
            None => self.drain_until = self.drain_until.or_else(|| Some(Instant::now() + self.drain)),
        }
    }

    /// What happens next; none when nothing is left of the process. Writes what waits to be written. Cancel safe.
    pub async fn next(&mut self) -> Option<Event> {
        if self.ended {
            if let Some(process) = &mut self.process {
                process.gone().await;
            }
            return None;
        }
        loop {
            if let Some(received) = self.buffered().await {
                return Some(Event::Frame(received));
            }
            if self.is_over() {
                return Some(Event::Ended(self.finish()));
            }
            let Self {
                outbox,
                lines,
                process,
                stderr,
                ..
            } = self;
            // A peer that does not read must not make us collect replies for it. Once it has ended, none are. What else waits for it
            // is no reason: it may read on only when its output is read.
            let collects = outbox.is_open() && self.exit.is_none();
            let is_behind = collects && outbox.replies() > UNSENT_LIMIT;
            let reads = !lines.ended() && !is_behind && self.read_late < PIPE;
            let before = lines.unfinished();
            tokio::select! {
                biased;
                written = outbox.flush(), if outbox.is_open() && outbox.waiting() > 0 => {
                    if let Err(error) = written {
                        self.begin_drain(Cause::Write(error.to_string()));
                    }
                }
                // Before what is read: what the server started may keep its stdout open, and write all the time.
                exit = exited(process.as_mut()), if self.exit.is_none() => {
                    self.exit = Some(exit);
                    self.drain_until.get_or_insert_with(|| Instant::now() + self.drain);
                }
                filled = lines.fill(), if reads => match filled {
                    Ok(Fill::More) => {
                        if self.drain_until.is_some_and(|until| until <= Instant::now()) {
                            self.read_late += lines.unfinished() - before;
                        }
                        self.read_at_ns = self.tap.recorder().now_ns();
                    }
                    Ok(Fill::End) => self.begin_drain(Cause::StdoutClosed),
                    Err(error) => self.begin_drain(Cause::Read(error.to_string())),
                },
                () = joined(stderr) => self.stderr = None,
                () = at(self.drain_until) => return Some(Event::Ended(self.finish())),
            }
        }
    }

    /// A line that is here already, recorded. Waits for the store.
    async fn buffered(&mut self) -> Option<Received> {
        let (frame, context) = self.next_line()?;
        let recorded = self.tap.received(frame, context).await;
        self.handed_on(recorded.map(Some))
    }

    /// A line that is here already, recorded without a wait.
    fn ready(&mut self) -> Option<Received> {
        if self.ended {
            return None;
        }
        let (frame, context) = self.next_line()?;
        let recorded = self.tap.try_received(frame, context);
        self.handed_on(recorded)
    }

    /// The bytes of the next line that is here already. It stays `pending` until it is recorded.
    fn next_line(&mut self) -> Option<(Bytes, FrameContext)> {
        if self.pending.is_none() {
            self.pending = self.lines.take().or_else(|| self.too_long());
        }
        let context = FrameContext {
            read_at_ns: Some(self.read_at_ns),
            ..FrameContext::default()
        };
        Some((self.pending.as_ref()?.bytes.clone(), context))
    }

    /// The pending line, if it was recorded.
    fn handed_on(&mut self, recorded: Result<Option<Seq>, NotRecorded>) -> Option<Received> {
        match recorded {
            Ok(seq) => {
                let seq = seq?;
                let line = self.pending.take()?;
                Some(Received {
                    seq,
                    at_ns: self.read_at_ns,
                    frame: line.bytes,
                    terminated: line.terminated,
                    ..Received::default()
                })
            }
            Err(cause) => {
                self.begin_drain(cause.into());
                None
            }
        }
    }

    /// The beginning of a line that is longer than any we take.
    fn too_long(&mut self) -> Option<Line> {
        let limit = self.tap.limits().frame_bytes;
        if self.lines.unfinished() < limit {
            return None;
        }
        self.begin_drain(Cause::LineTooLong(limit));
        self.lines.take_unfinished()
    }

    fn broke_off(&mut self, step: &'static str, cause: Cause) -> Failure {
        let failure = cause.words(step);
        self.begin_drain(cause);
        failure
    }

    /// The end has begun: what is still on its way gets a moment to arrive.
    fn begin_drain(&mut self, cause: Cause) {
        let patience = if cause.is_immediate() {
            Duration::ZERO
        } else {
            self.drain
        };
        let until = Instant::now() + patience;
        self.drain_until = Some(self.drain_until.map_or(until, |known| known.min(until)));
        // A closed stdout is a less specific cause than the events before or after it.
        if self
            .cause
            .as_ref()
            .is_none_or(|known| matches!(known, Cause::StdoutClosed))
        {
            self.cause = Some(cause);
        }
    }

    /// Whether there is nothing left to wait for.
    fn is_over(&self) -> bool {
        let exited = self.process.is_none() || self.exit.is_some();
        self.cause.as_ref().is_some_and(Cause::is_immediate)
            || (self.lines.ended() && exited && self.stderr.is_none())
    }

    fn finish(&mut self) -> Ended {
        self.ended = true;
        let unwritten = self.outbox.frames();
        self.close();
        Ended {
            exit: self.exit,
            cause: self.cause.take(),
            unwritten,
            stderr: self.tail.lines(),
        }
    }
}

impl Link for Stdio {
    fn record<'a>(&'a mut self, message: &'a Outgoing) -> BoxFuture<'a, Result<Seq, Failure>> {
        Box::pin(self.record(message))
    }

    fn queue(&mut self, _seq: Seq, message: Outgoing) {
        let is_reply = matches!(message.kind, OutgoingKind::Response { .. });
        self.outbox.push(message.frame, is_reply);
    }

    fn flush(&mut self) {
        if let Err(error) = self.outbox.flush_now() {
            self.begin_drain(Cause::Write(error.to_string()));
        }
    }

    fn ready(&mut self) -> Option<Event> {
        self.ready().map(Event::Frame)
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
        match patience {
            Some(patience) => self.close_within(patience),
            None => self.close(),
        }
    }

    fn about(&self) -> About {
        About {
            peer: Peer::Process(self.info()),
            stderr_tail: self.stderr_tail(),
        }
    }
}

impl Connector for StdioConfig {
    fn connect(&self, _dialect: Dialect, tap: Tap) -> Result<Box<dyn Link>, Box<NotStarted>> {
        let stdio = Stdio::start(self, SHUTDOWN_GRACE, tap)?;
        Ok(Box::new(stdio))
    }

    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::Modern, Dialect::Legacy]
    }

    fn own_thread(&self) -> bool {
        true
    }
}

impl Drop for Stdio {
    fn drop(&mut self) {
        if let Some(stderr) = &self.stderr {
            stderr.abort();
        }
    }
}

/// When the process has exited; never without one.
async fn exited(process: Option<&mut Process>) -> Exit {
    let Some(process) = process else {
        return pending().await;
    };
    if let Ok(exit) = process.exit.wait_for(Option::is_some).await {
        return exit.unwrap_or(Exit::Code(-1));
    }
    // Nobody watches the process any more.
    process.joined().await;
    Exit::Code(-1)
}

/// When a task has ended; never without one.
async fn joined(task: &mut Option<JoinHandle<()>>) {
    match task {
        Some(task) => alive(task.await),
        None => pending().await,
    }
}

/// A panic in a task of a link is one of the link itself: its connection reports the end.
fn alive(ended: Result<(), JoinError>) {
    if let Err(error) = ended
        && let Ok(panic) = error.try_into_panic()
    {
        resume_unwind(panic);
    }
}

#[cfg(test)]
mod tests;
