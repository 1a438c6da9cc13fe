//! From the first link to the last: every attempt to connect, and every way to the end.

use std::time::Duration;

use bytes::Bytes;
use patchbay_observe::Observer;
use patchbay_protocol::{
    Direction, Era, Revision, Violation, json::Object, meta::RequestMeta, methods, views::LogLevel,
};
use patchbay_traffic::{Answer as RecordAnswer, Recorder, Seq, Status as RecordStatus};
use patchbay_transport::{Dialect, Ended, Failure, NotStarted, Peer, ProcessInfo, SHUTDOWN_GRACE, Tap};

use super::{Actor, Phase, outgoing::Outgoing, tools::KnownTools};
use crate::{Challenge, EraChoice, EraVerdict, Request, State, Timeouts, pending::Purpose};

pub(super) const DISCOVER: &str = "Discover";
pub(super) const INITIALIZE: &str = "Initialize";
/// What to do about a server that does not answer.
pub(super) const SLOW: &str = "Look at its output; if it is only slow, raise the timeout of this server.";
/// The same, if it was probed before.
pub(super) const SLOW_OR_PROBED: &str = "Look at its output; if it is only slow, raise the timeout of this server. If it cannot take server/discover, set its era to legacy.";
/// How long a probe waits at most, if another dialect can be tried: a legacy server may say nothing at all to it. Over stdio
/// `initialize` then follows in the same process, so that a slow start costs nothing. It never takes more than half of the
/// time that is left.
const PROBE_PATIENCE: Duration = Duration::from_secs(10);
/// How long a process that has not answered may take to end by itself or to answer after all. Every second of it is taken
/// from the fresh process, or from the user who waits for the end.
pub(super) const SILENT_PATIENCE: Duration = Duration::from_secs(1);
/// How much of a line that is not a message is kept.
const STRAY_CHARS: usize = 200;

impl Actor {
    // ---- beginnings

    /// Makes the first attempt.
    pub(super) async fn begin(&mut self) {
        self.deadline.restart();
        if self.options.era == EraChoice::Legacy {
            self.verdict("set to legacy: initialize without a probe".to_owned());
        } else if self.fallback.is_remembered() {
            self.verdict("remembered from an earlier connection".to_owned());
        }
        self.attempt().await;
    }

    /// Tries the next dialect on a fresh link.
    async fn attempt(&mut self) {
        if self.deadline.left().is_zero() {
            return self.fail(no_time_left(self.deadline.limit()));
        }
        match self.fallback.step() {
            None => self.fail(Failure::new(
                "Connect",
                "This transport cannot speak the era that is set.",
                "Set the era of this server to auto.",
            )),
            Some(dialect) => {
                self.dialect = dialect;
                match dialect.era() {
                    Era::Modern => self.discover().await,
                    Era::Legacy => self.initialize().await,
                }
            }
        }
    }

    async fn discover(&mut self) {
        if self.start() {
            self.discover_here().await;
        }
    }

    /// Sends `server/discover` on the link that is there.
    pub(super) async fn discover_here(&mut self) {
        self.phase = Phase::Probing;
        self.publisher.state(State::Negotiating);
        let revision = self.offer(Revision::LATEST_MODERN);
        if let Some(link) = &mut self.link {
            // Over HTTP the revision is in a header too.
            link.agreed(Era::Modern, &revision);
        }
        self.meta = Some(RequestMeta {
            revision,
            client_capabilities: self.declared.to_json(),
            client_info: Some(self.client_info.clone()),
            log_level: self.log_level_text(),
        });
        self.probe().await;
    }

    pub(super) async fn probe(&mut self) {
        let left = self.deadline.left();
        let patience = if self.fallback.next().is_some() {
            PROBE_PATIENCE.min(left / 2)
        } else {
            left
        };
        let asked = self
            .ask_handshake(methods::SERVER_DISCOVER, None, patience, Purpose::Discover)
            .await;
        match asked {
            Ok(seq) => self.probe_seq = Some(seq),
            Err(failure) => self.fail(failure),
        }
    }

    async fn initialize(&mut self) {
        if self.start()
            && let Err(failure) = self.ask_initialize().await
        {
            self.fail(failure);
        }
    }

    /// The revision to offer. What is declared from now on is what that revision has.
    pub(super) fn offer(&mut self, newest: Revision) -> String {
        let offered = self.options.offered_revision.as_deref();
        let known = offered.map_or(Some(newest), Revision::parse);
        self.declared = self.options.capabilities.in_revision(known);
        offered.unwrap_or(newest.as_str()).to_owned()
    }

    /// Sends a request of the handshake, which waits for `patience` at most.
    pub(super) async fn ask_handshake(
        &mut self,
        method: &str,
        params: Option<&str>,
        patience: Duration,
        purpose: Purpose,
    ) -> Result<Seq, Failure> {
        let outgoing = Outgoing {
            params,
            timeouts: Timeouts {
                request: patience,
                max_total: patience,
                reset_on_progress: false,
                count_input_wait: false,
            },
            operation: self.options.operation,
            ..Outgoing::new(method)
        };
        self.request(outgoing, purpose).await
    }

    /// Makes a link; a failure ends the connection.
    fn start(&mut self) -> bool {
        self.publisher.state(State::Connecting);
        let tap = Tap::new(self.recorder.clone(), self.connection).within(self.options.limits);
        let linked = self.options.connector.connect(self.dialect, tap);
        match linked {
            Ok(link) => {
                let about = link.about();
                match &about.peer {
                    Peer::Process(process) => self.log(started(process), Some(where_started(process))),
                    Peer::Http(http) => self.log(
                        format!("Connecting to {} ({})", http.url, words(self.dialect)),
                        None,
                    ),
                    Peer::Other { name } => self.log(format!("Connecting to {name}"), None),
                }
                self.headed = self.dialect == Dialect::Modern && about.http().is_some();
                let status = &mut self.publisher.status;
                status.stderr_tail = about.stderr_tail.clone();
                status.process = about.process().cloned();
                status.link = Some(about);
                self.link = Some(link);
                true
            }
            Err(not_started) => {
                let NotStarted { about, failure } = *not_started;
                self.publisher.status.process = about.process().cloned();
                self.publisher.status.link = Some(about);
                self.fail(failure);
                false
            }
        }
    }

    // ---- ends

    /// The server's side ended.
    pub(super) fn link_ended(&mut self, ended: Ended) {
        if let Some(process) = &mut self.publisher.status.process {
            process.exit = ended.exit;
        }
        self.log(ended.summary(), None);
        let step = match self.phase {
            Phase::Probing if self.fallback.next().is_some() && !ended.is_ours() => {
                let reason = format!("it ended on server/discover: {}", ended.failure(DISCOVER).cause);
                self.lose_all(&ended.failure(DISCOVER));
                return self.not_modern_here(reason.trim_end_matches('.').to_owned(), SHUTDOWN_GRACE);
            }
            Phase::Initializing if !ended.is_ours() => {
                let failure = ended.failure(INITIALIZE);
                let cause = failure.cause.trim_end_matches('.');
                if self.fallback.probed {
                    let reason = format!("it ended on initialize: {cause}");
                    self.lose_all(&failure);
                    if self.initialize_afresh(reason, SHUTDOWN_GRACE) {
                        return;
                    }
                } else if self.fallback.may_be_outdated()
                    && failure.refusal.is_none()
                    && !failure.is_unreached()
                {
                    let reason = format!("initialize failed: {cause}");
                    self.lose_all(&failure);
                    return self.try_next(reason, SHUTDOWN_GRACE);
                }
                INITIALIZE
            }
            Phase::Probing => DISCOVER,
            Phase::Initializing => INITIALIZE,
            Phase::Ready => "Connection lost",
            Phase::Switching(_) | Phase::Ending(_) | Phase::Over => return self.publisher.publish(),
        };
        self.fail(ended.failure(step));
    }

    /// Nothing is left of the process.
    pub(super) async fn link_gone(&mut self) {
        self.link = None;
        self.abandoned.clear();
        for waiting in self.observer.drain() {
            if waiting.direction == Direction::ServerToClient {
                let lost = RecordAnswer {
                    response: None,
                    status: RecordStatus::Lost,
                    latency_ns: None,
                };
                self.recorder.answer(waiting.seq, lost);
            }
        }
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Switching(reason) => {
                let failure = Failure::new(DISCOVER, reason.clone(), "");
                self.lose_all(&failure);
                self.observer = Observer::within(self.options.limits);
                self.tools = KnownTools::default();
                let next = self.fallback.next();
                if self.publisher.status.era.is_none()
                    && let Some(next) = next
                {
                    let how = match (next, self.publisher.status.process.is_some()) {
                        (Dialect::Modern, _) => "server/discover",
                        (_, true) => "initialize in a fresh process",
                        (Dialect::Legacy, false) => "initialize",
                        (Dialect::HttpSse, false) => "HTTP+SSE",
                    };
                    self.verdict(format!("{reason}; {how}"));
                }
                self.attempt().await;
            }
            Phase::Ending(state) => {
                if state == State::Closed {
                    self.log("Closed".to_owned(), None);
                    self.publisher.state(State::Closed);
                } else {
                    self.publisher.publish();
                }
            }
            Phase::Probing | Phase::Initializing | Phase::Ready | Phase::Over => {}
        }
    }

    /// Shuts down as asked (or because nobody is left who could ask anything).
    pub(super) async fn close(&mut self) {
        if matches!(self.phase, Phase::Ending(_) | Phase::Over) {
            return;
        }
        self.phase = Phase::Ending(State::Closed);
        self.publisher.state(State::Closing);
        self.lose_all(&Failure::new(
            "Close",
            "The connection was closed.",
            "Connect again.",
        ));
        self.end_link().await;
    }

    /// Ends the connection as failed.
    pub(super) fn fail(&mut self, mut failure: Failure) {
        let patience = self.end_patience();
        if self.publisher.status.handshake.is_none()
            && let Some(line) = &self.publisher.status.stray_line
        {
            let more = format!(" It wrote a line to stdout that is not JSON-RPC: \u{201c}{line}\u{201d}.");
            failure.cause.push_str(&more);
            failure.next = "Have the server log to stderr: its stdout may carry only messages.".to_owned();
        }
        if let Some(said) = self.fallback.said() {
            let detail = failure
                .detail
                .take()
                .map(|detail| format!("{detail}\n"))
                .unwrap_or_default();
            failure.detail = Some(format!("{detail}Tried before: {said}"));
        }
        if let (Some(refusal), None) = (&failure.refusal, &self.publisher.status.challenge) {
            self.publisher.status.challenge = Some(Challenge::of(refusal));
        }
        let text = format!("Failed: {}: {}", failure.step, failure.cause);
        self.log(text, failure.detail.clone());
        self.lose_all(&failure);
        self.publisher.fail(failure);
        self.phase = if self.link.is_some() {
            Phase::Ending(State::Failed)
        } else {
            Phase::Over
        };
        if let Some(link) = &mut self.link {
            link.close(patience);
        }
    }

    /// Something came that is not a message. Said at once: it may be why the server never answers.
    pub(super) fn not_a_message(&mut self, text: &str) {
        let status = &mut self.publisher.status;
        let line = text.trim();
        if status.handshake.is_none()
            && status.stray_line.is_none()
            && status.process.is_some()
            && !line.is_empty()
        {
            let line = masked(&self.recorder, line);
            status.stray_line = Some(line.chars().take(STRAY_CHARS).collect());
            self.publisher.publish();
        }
    }

    async fn end_link(&mut self) {
        let patience = self.end_patience();
        match &mut self.link {
            Some(link) => link.close(patience),
            None => self.link_gone().await,
        }
    }

    /// How long the link may take to end by itself; none is the usual time. A server that was never ready has nothing to
    /// finish, and the user waits.
    fn end_patience(&self) -> Option<Duration> {
        self.publisher
            .status
            .handshake
            .is_none()
            .then_some(SILENT_PATIENCE)
    }

    /// From which level requests of the modern era ask for log messages.
    pub(super) fn log_level(&mut self, level: Option<LogLevel>) {
        self.publisher.status.log_level = level;
        let text = self.log_level_text();
        if let Some(meta) = &mut self.meta {
            meta.log_level = text;
        }
        self.publisher.publish();
    }

    /// In the legacy era the level holds once the server has accepted it, also if a user sent the request by hand.
    pub(super) fn level_is_set(&mut self, request: &Request) {
        if request.method != methods::LOGGING_SET_LEVEL || self.is_modern() {
            return;
        }
        let params = request.params.as_deref().map(Object::parse);
        let level = params
            .and_then(Result::ok)
            .and_then(|params| LogLevel::parse(&params.string("level")?));
        if level.is_some() {
            self.log_level(level);
        }
    }

    fn log_level_text(&self) -> Option<String> {
        let level = self.publisher.status.log_level?;
        Some(level.as_str().to_owned())
    }

    // ---- words

    pub(super) fn verdict(&mut self, reason: String) {
        self.publisher.status.era_verdict = Some(EraVerdict {
            reason,
            probe_seq: self.probe_seq,
            remember: None,
        });
    }

    /// A text of the server as it is shown: with secrets masked, and no longer than `most` bytes.
    pub(super) fn shown(&self, text: &str, most: usize) -> String {
        shown(&self.recorder, text, most)
    }

    pub(super) fn log(&self, text: String, detail: Option<String>) {
        // Until the handshake is done, everything happens because of connecting.
        let connecting = self.publisher.status.handshake.is_none();
        let operation = self.options.operation.filter(|_| connecting);
        // A closed store is met by the next frame.
        let _ = self.recorder.lifecycle(self.connection, text, detail, operation);
    }

    /// Adds what is wrong with a message that was described already.
    pub(super) fn found(&mut self, seq: Seq, violations: Vec<Violation>) {
        if !violations.is_empty() {
            self.publisher.problems(violations.len());
            self.recorder.violations(seq, violations);
        }
    }
}

/// As [`Actor::shown`].
pub(super) fn shown(recorder: &Recorder, text: &str, most: usize) -> String {
    let mut text = masked(recorder, text);
    if text.len() > most {
        text.truncate(text.floor_char_boundary(most));
        text.push('\u{2026}');
    }
    text
}

/// A text of the server, masked: of one longer than `most` bytes the beginning and its size, both in no more than `most`.
pub(super) fn beginning(recorder: &Recorder, text: &str, most: usize) -> String {
    let mut text = masked(recorder, text);
    if text.len() > most {
        let size = format!("\u{2026} [the beginning of {} bytes]", text.len());
        text.truncate(text.floor_char_boundary(most.saturating_sub(size.len())));
        text.push_str(&size);
    }
    text
}

/// A text with secrets masked. That comes before any cut: part of a secret is not recognized as one.
fn masked(recorder: &Recorder, text: &str) -> String {
    let masked = recorder.masked(Bytes::copy_from_slice(text.as_bytes()));
    String::from_utf8_lossy(&masked).into_owned()
}

/// A dialect, for people.
pub(super) fn words(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Modern => "2026-07-28",
        Dialect::Legacy => "initialize",
        Dialect::HttpSse => "HTTP+SSE",
    }
}

/// The limit was used up by the attempts that failed.
fn no_time_left(limit: Duration) -> Failure {
    Failure::new(
        "Connect",
        format!("The server did not answer within {} s.", tenths(limit)),
        SLOW,
    )
}

/// Seconds, to a tenth.
pub(super) fn tenths(time: Duration) -> f64 {
    (time.as_secs_f64() * 10.0).round() / 10.0
}

fn started(process: &ProcessInfo) -> String {
    let words = std::iter::once(&process.command).chain(&process.args);
    let line = words.map(String::as_str).collect::<Vec<_>>().join(" ");
    match process.pid {
        Some(pid) => format!("Started {line} (process {pid})"),
        None => format!("Started {line}"),
    }
}

fn where_started(process: &ProcessInfo) -> String {
    let program = process
        .resolved
        .as_deref()
        .unwrap_or_else(|| process.command.as_ref());
    format!(
        "Program: {}\nFolder: {}\nPATH: {}",
        program.display(),
        process.cwd.display(),
        process.path
    )
}
