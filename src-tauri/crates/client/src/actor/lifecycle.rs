//! From the first process to the last: the handshakes of both eras, and every way to the end.

use std::{sync::Arc, time::Duration};

use patchbay_protocol::{
    Direction, Era, Negotiated, Revision,
    checks::Conversation,
    message::{Outcome as Said, RpcError},
    meta::{ProbeVerdict, RequestMeta, probe_verdict},
    methods, negotiate,
    pairing::Pairing,
    views::{DiscoverResult, Implementation, InitializeResult, LogLevel, initialize_params},
};
use patchbay_traffic::{Answer as RecordAnswer, Status as RecordStatus};
use patchbay_transport::{Dialect, Ended, Failure, NotStarted, ProcessInfo, SHUTDOWN_GRACE};

use super::{Actor, Phase, incoming::prefix, outgoing::Outgoing};
use crate::{
    Answer, EraChoice, EraVerdict, Handshake, ServerInfo, State, Timeouts,
    pending::{Entry, Purpose},
};

const DISCOVER: &str = "Discover";
const INITIALIZE: &str = "Initialize";
/// How long a probe waits at most: a legacy server may say nothing at all to it.
const PROBE_PATIENCE: Duration = Duration::from_secs(10);
/// How long a silent probe may take to end by itself: killed while it installs itself (a first `npx` or `uvx`), it would
/// leave half an installation for the fresh process to stumble over.
const SILENT_PATIENCE: Duration = Duration::from_secs(30);

impl Actor {
    // ---- beginnings

    /// Starts the first process and says the first words.
    pub(super) async fn begin(&mut self) {
        match self.era {
            EraChoice::Auto | EraChoice::Modern => self.discover().await,
            EraChoice::Legacy => {
                self.verdict("set to legacy: initialize without a probe".to_owned());
                self.initialize().await;
            }
        }
    }

    async fn discover(&mut self) {
        if !self.start() {
            return;
        }
        self.phase = Phase::Probing;
        self.board.state(State::Negotiating);
        let meta = RequestMeta {
            revision: Revision::LATEST_MODERN,
            client_capabilities: self.capabilities.to_json(),
            client_info: Some(self.client_info.clone()),
            log_level: None,
        };
        self.meta = Some(meta);
        let patience = if self.era == EraChoice::Auto {
            PROBE_PATIENCE
        } else {
            Duration::MAX
        };
        let asked = self
            .ask(methods::SERVER_DISCOVER, None, patience, Purpose::Discover)
            .await;
        self.probe_seq = asked;
    }

    async fn initialize(&mut self) {
        if !self.start() {
            return;
        }
        self.phase = Phase::Initializing;
        self.board.state(State::Negotiating);
        self.meta = None;
        let params = initialize_params(Revision::LATEST_LEGACY, &self.capabilities, &self.client_info);
        self.ask(
            methods::INITIALIZE,
            Some(&params),
            Duration::MAX,
            Purpose::Initialize,
        )
        .await;
    }

    /// Sends a request of the handshake.
    async fn ask(
        &mut self,
        method: &str,
        params: Option<&str>,
        patience: Duration,
        purpose: Purpose,
    ) -> Option<patchbay_traffic::Seq> {
        let request = self.timeouts.request.min(patience);
        let timeouts = Timeouts {
            request,
            max_total: request,
            reset_on_progress: false,
        };
        let outgoing = Outgoing {
            method,
            params,
            meta: &[],
            progress: false,
            timeouts,
        };
        match self.request(outgoing, purpose).await {
            Ok(seq) => Some(seq),
            Err(failure) => {
                self.fail(failure);
                None
            }
        }
    }

    /// Starts a process; a failure ends the connection.
    fn start(&mut self) -> bool {
        self.board.state(State::Connecting);
        let dialect = Dialect::Modern;
        match self
            .connector
            .connect(dialect, self.recorder.clone(), self.connection)
        {
            Ok(link) => {
                let about = link.about();
                if let Some(process) = about.process() {
                    self.log(started(process), Some(where_started(process)));
                }
                self.board.status.stderr_tail = about.stderr_tail.clone();
                self.board.status.process = about.process().cloned();
                self.board.status.link = Some(about);
                self.link = Some(link);
                true
            }
            Err(not_started) => {
                let NotStarted { about, failure } = *not_started;
                self.board.status.process = about.process().cloned();
                self.fail(failure);
                false
            }
        }
    }

    // ---- the handshake's answer

    /// The answer to `server/discover` or `initialize`.
    pub(super) async fn handshake(&mut self, entry: Entry, said: &Said<'_>, answer: Answer) {
        match entry.purpose {
            Purpose::Discover => self.discovered(said, answer),
            Purpose::Initialize => self.initialized(said, answer).await,
            Purpose::Exchange { .. } => {}
        }
    }

    fn discovered(&mut self, said: &Said<'_>, answer: Answer) {
        let versions = match (probe_verdict(said), said) {
            (ProbeVerdict::Modern { versions }, Said::Result(result)) => {
                if let Negotiated::Agreed(revision) = negotiate(Era::Modern, &versions) {
                    self.ready_modern(revision, result, answer);
                    return;
                }
                versions
            }
            (ProbeVerdict::ModernOther { versions } | ProbeVerdict::Modern { versions }, _) => versions,
            (ProbeVerdict::ModernRefused { .. }, Said::Error(error)) => {
                return self.fail(refused(DISCOVER, error));
            }
            (ProbeVerdict::ModernRefused { code }, Said::Result(_)) => {
                return self.not_modern(
                    format!("it answered server/discover with error {code}"),
                    SHUTDOWN_GRACE,
                );
            }
            (ProbeVerdict::Legacy { reason }, _) => return self.not_modern(reason, SHUTDOWN_GRACE),
        };
        // A modern server, but of revisions we do not speak, or it would not say this one. It may speak a legacy one.
        let list = versions.join(", ");
        if let Negotiated::Agreed(_) = negotiate(Era::Legacy, &versions) {
            self.not_modern(
                format!("it answered server/discover with the versions {list}"),
                SHUTDOWN_GRACE,
            );
        } else {
            self.fail(no_common_version(DISCOVER, "server/discover", &list));
        }
    }

    fn ready_modern(&mut self, revision: Revision, result: &str, answer: Answer) {
        let view = DiscoverResult::parse(result);
        self.found(answer.seq, view.violations);
        let handshake = Handshake {
            seq: answer.seq,
            server: view.server_info.as_ref().map(server_info),
            capabilities_json: Some(view.capabilities.raw.into_owned()),
            instructions: view.instructions.map(std::borrow::Cow::into_owned),
            supported_versions: view
                .supported_versions
                .into_iter()
                .map(std::borrow::Cow::into_owned)
                .collect(),
            result: answer.body,
            frame: answer.frame,
        };
        if let Some(meta) = &mut self.meta {
            meta.revision = revision;
        }
        self.pairing.set_era(Era::Modern);
        self.verdict("server/discover was answered".to_owned());
        self.ready(Era::Modern, revision, handshake);
    }

    async fn initialized(&mut self, said: &Said<'_>, answer: Answer) {
        let result = match said {
            Said::Result(result) => *result,
            Said::Error(error) => return self.fail(refused(INITIALIZE, error)),
        };
        let view = InitializeResult::parse(result);
        self.found(answer.seq, view.violations);
        let version = view.protocol_version.into_owned();
        let handshake = Handshake {
            seq: answer.seq,
            server: view.server_info.as_ref().map(server_info),
            capabilities_json: Some(view.capabilities.raw.into_owned()),
            instructions: view.instructions.map(std::borrow::Cow::into_owned),
            supported_versions: Vec::new(),
            result: answer.body,
            frame: answer.frame,
        };
        match negotiate(Era::Legacy, &[&version]) {
            Negotiated::Agreed(revision) => {
                self.notify(methods::INITIALIZED, None).await;
                self.ready(Era::Legacy, revision, handshake);
            }
            Negotiated::Refused { .. } => {
                self.board.status.handshake = Some(Arc::new(handshake));
                self.fail(no_common_version(INITIALIZE, "initialize", &version));
            }
        }
    }

    fn ready(&mut self, era: Era, revision: Revision, handshake: Handshake) {
        let name = handshake
            .server
            .as_ref()
            .map(|server| format!(", {}", server.name))
            .unwrap_or_default();
        self.log(format!("Ready: {revision}{name}"), None);
        let declared = handshake.capabilities_json.as_deref().unwrap_or("{}");
        self.conversation
            .agree(era, declared, &self.capabilities.to_json());
        let status = &mut self.board.status;
        status.era = Some(era);
        status.revision = Some(revision);
        status.handshake = Some(Arc::new(handshake));
        self.phase = Phase::Ready;
        self.board.state(State::Ready);
    }

    /// A request of the handshake was not answered in time.
    pub(super) fn no_handshake(&mut self, purpose: &Purpose, after: Duration) {
        let seconds = after.as_secs_f64();
        match purpose {
            Purpose::Discover => {
                let reason = format!("it did not answer server/discover within {seconds:.0} s");
                self.not_modern(reason, SILENT_PATIENCE);
            }
            Purpose::Initialize => self.fail(Failure::new(
                INITIALIZE,
                format!("The server did not answer initialize within {seconds:.0} s."),
                "Look at its output; if it is only slow, raise the time-out of this server.",
            )),
            Purpose::Exchange { .. } => {}
        }
    }

    /// The probe did not find a modern server. Its process has `patience` to end by itself once its stdin is closed.
    fn not_modern(&mut self, reason: String, patience: Duration) {
        if self.era == EraChoice::Modern {
            return self.fail(Failure::new(
                DISCOVER,
                format!("The server does not speak {}: {reason}.", Revision::LATEST_MODERN),
                "Set the era of this server to auto or legacy.",
            ));
        }
        self.log(format!("Not a modern server: {reason}"), None);
        self.phase = Phase::Switching(reason);
        if let Some(link) = &mut self.link {
            link.close(Some(patience));
        }
    }

    // ---- ends

    /// The server's side ended.
    pub(super) fn link_ended(&mut self, ended: Ended) {
        if let Some(process) = &mut self.board.status.process {
            process.exit = ended.exit;
        }
        self.log(ended.summary(), None);
        let step = match self.phase {
            Phase::Probing if self.era == EraChoice::Auto && !ended.is_ours() => {
                let reason = format!("it ended on server/discover: {}", ended.failure(DISCOVER).cause);
                self.lose_all(&ended.failure(DISCOVER));
                return self.not_modern(reason.trim_end_matches('.').to_owned(), SHUTDOWN_GRACE);
            }
            Phase::Probing => DISCOVER,
            Phase::Initializing => INITIALIZE,
            Phase::Ready => "Read from the server",
            Phase::Switching(_) | Phase::Ending(_) | Phase::Over => return self.board.publish(),
        };
        self.fail(ended.failure(step));
    }

    /// Nothing is left of the process.
    pub(super) async fn link_gone(&mut self) {
        self.link = None;
        self.abandoned.clear();
        for waiting in self.pairing.drain() {
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
                self.pairing = Pairing::new();
                self.conversation = Conversation::new();
                self.verdict(format!("{reason}; initialize in a fresh process"));
                self.initialize().await;
            }
            Phase::Ending(state) => {
                if state == State::Closed {
                    self.log("Closed".to_owned(), None);
                    self.board.state(State::Closed);
                } else {
                    self.board.publish();
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
        self.board.state(State::Closing);
        self.lose_all(&Failure::new(
            "Close",
            "The connection was closed.",
            "Connect again.",
        ));
        self.end_link().await;
    }

    /// Ends the connection as failed.
    pub(super) fn fail(&mut self, failure: Failure) {
        let text = format!("Failed: {}: {}", failure.step, failure.cause);
        self.log(text, failure.detail.clone());
        self.lose_all(&failure);
        self.board.fail(failure);
        self.phase = if self.link.is_some() {
            Phase::Ending(State::Failed)
        } else {
            Phase::Over
        };
        if let Some(link) = &mut self.link {
            link.close(None);
        }
    }

    async fn end_link(&mut self) {
        match &mut self.link {
            Some(link) => link.close(None),
            None => self.link_gone().await,
        }
    }

    /// From which level requests of the modern era ask for log messages.
    pub(super) fn log_level(&mut self, level: Option<LogLevel>) {
        if let Some(meta) = &mut self.meta {
            meta.log_level = level.map(|level| level.as_str().to_owned());
        }
        self.board.status.log_level = level;
        self.board.publish();
    }

    // ---- words

    fn verdict(&mut self, reason: String) {
        self.board.status.era_verdict = Some(EraVerdict {
            reason,
            probe_seq: self.probe_seq,
            remember: None,
        });
    }

    fn log(&self, text: String, detail: Option<String>) {
        // A closed store is met by the next frame.
        let _ = self.recorder.lifecycle(self.connection, text, detail);
    }

    /// Adds what is wrong with a handshake's result to its record.
    fn found(&mut self, seq: patchbay_traffic::Seq, mut violations: Vec<patchbay_protocol::Violation>) {
        if !violations.is_empty() {
            prefix(&mut violations, "/result");
            self.board.problems(violations.len());
            self.recorder.violations(seq, violations);
        }
    }
}

fn server_info(view: &Implementation<'_>) -> ServerInfo {
    let version = Some(view.version.to_string()).filter(|version| !version.is_empty());
    ServerInfo {
        name: view.name.to_string(),
        title: view.title.as_deref().map(str::to_owned),
        version,
    }
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

fn refused(step: &'static str, error: &RpcError<'_>) -> Failure {
    let method = if step == INITIALIZE {
        methods::INITIALIZE
    } else {
        methods::SERVER_DISCOVER
    };
    Failure::new(
        step,
        format!(
            "The server answered {method} with error {}: {}.",
            error.code_text,
            error.message.trim_end_matches('.')
        ),
        "Look at its error; if the era of this server is set to legacy or modern, auto tries both.",
    )
    .with_detail(error.raw)
}

fn no_common_version(step: &'static str, method: &str, offered: &str) -> Failure {
    let ours = Revision::ALL.map(Revision::as_str).join(", ");
    let theirs = if offered.is_empty() {
        "no version at all"
    } else {
        offered
    };
    Failure::new(
        step,
        format!("No common revision: the server answered {method} with {theirs}; Patchbay speaks {ours}."),
        "Use a version of the server that speaks one of these revisions.",
    )
}
