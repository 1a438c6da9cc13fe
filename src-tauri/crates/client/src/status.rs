//! What is known of a connection, published as one immutable value at a time.

pub(crate) mod task_progress;

use std::{collections::VecDeque, ops::Range, time::SystemTime};

use bytes::Bytes;
use patchbay_protocol::{Era, Revision, views::LogLevel};
use patchbay_traffic::{ConnectionRef, Seq};
use patchbay_transport::{About, Failure, ProcessInfo, StderrTail};

use crate::{Challenge, Verdict};

/// Where a connection is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The process is being started.
    Connecting,
    /// The server wants an authorization, and it is being got.
    Authorizing,
    /// `server/discover` or `initialize` is under way.
    Negotiating,
    /// Requests can be sent.
    Ready,
    /// Being shut down.
    Closing,
    /// Shut down as asked.
    Closed,
    /// Could not be made, or broke; `failure` says why.
    Failed,
}

/// Name and version of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerInfo {
    /// For programs.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// Its version, if it said one.
    pub version: Option<String>,
}

/// The server's answer to `initialize` or `server/discover`.
#[derive(Debug, Clone)]
pub struct Handshake {
    /// Where the answer is in the log.
    pub seq: Seq,
    /// The frame it came in.
    pub frame: Bytes,
    /// The result's text within the frame.
    pub result: Range<usize>,
    /// Name and version, if the server gave them.
    pub server: Option<ServerInfo>,
    /// The capabilities it declared, exactly as received.
    pub capabilities_json: Option<String>,
    /// Its instructions to the model.
    pub instructions: Option<String>,
    /// Revisions it said it supports (modern era).
    pub supported_versions: Vec<String>,
}

impl Handshake {
    /// The result's text, exactly as received.
    #[must_use]
    pub fn result_text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.frame.get(self.result.clone()).unwrap_or_default())
    }
}

/// How the era was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EraVerdict {
    /// A sentence for people.
    pub reason: String,
    /// The probe's request, if one was sent.
    pub probe_seq: Option<Seq>,
    /// What to remember for the next connection; none where the finding is not certain (a probe that met silence) or
    /// nothing was found out.
    pub remember: Option<Verdict>,
}

/// All that is known of a connection.
#[derive(Debug, Clone)]
pub struct Status {
    /// Where it is in its life.
    pub state: State,
    /// When this state began.
    pub since: SystemTime,
    /// Known from `Ready` on.
    pub era: Option<Era>,
    /// The negotiated revision; the newest of the era if `unknown_revision` was agreed on.
    pub revision: Option<Revision>,
    /// The revision that was agreed on although it is not known.
    pub unknown_revision: Option<String>,
    /// The server's answer to the handshake.
    pub handshake: Option<std::sync::Arc<Handshake>>,
    /// What we declared.
    pub client_capabilities_json: String,
    /// How the era was found.
    pub era_verdict: Option<EraVerdict>,
    /// The process of the server (with era `auto`: the latest one).
    pub process: Option<ProcessInfo>,
    /// The last stderr lines, live.
    pub stderr_tail: StderrTail,
    /// The first line on stdout that was not JSON-RPC and came before the server was ready, at most 200 characters of it:
    /// many servers that do not answer log there.
    pub stray_line: Option<String>,
    /// How it is reached, and in which dialect; of the latest attempt.
    pub link: Option<About>,
    /// The log level that was asked for, and accepted in the legacy era; none asks for nothing.
    pub log_level: Option<LogLevel>,
    /// Whether an extension such as `io.modelcontextprotocol/tasks` is declared by both sides, for each that we declare.
    pub extensions: Vec<(String, bool)>,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// Set when it failed because the server wants authorization.
    pub challenge: Option<Challenge>,
    /// Health pings that were not answered.
    pub failed_pings: u64,
    /// How often the server lost the session and a new one was begun.
    pub sessions_lost: u64,
    /// Its row in the store; none before the first process was tried.
    pub connection: Option<ConnectionRef>,
    /// Violations recorded on this connection; at most 100 ms old.
    pub problem_count: u64,
    /// Requests of ours that wait for an answer; at most 100 ms old.
    pub pending_count: usize,
}

impl Status {
    /// Of a connection that has just begun.
    pub(crate) fn connecting(connection: ConnectionRef, client_capabilities_json: String) -> Self {
        Self {
            state: State::Connecting,
            since: SystemTime::now(),
            era: None,
            revision: None,
            unknown_revision: None,
            handshake: None,
            client_capabilities_json,
            era_verdict: None,
            process: None,
            stderr_tail: StderrTail::default(),
            stray_line: None,
            link: None,
            log_level: None,
            extensions: Vec::new(),
            failure: None,
            challenge: None,
            failed_pings: 0,
            sessions_lost: 0,
            connection: Some(connection),
            problem_count: 0,
            pending_count: 0,
        }
    }

    /// The negotiated revision, as on the wire.
    #[must_use]
    pub fn revision_name(&self) -> Option<&str> {
        let known = self.revision.map(Revision::as_str);
        self.unknown_revision.as_deref().or(known)
    }

    /// Why no request can be sent now, in a sentence.
    #[must_use]
    pub fn why_not_ready(&self) -> String {
        match (self.state, &self.failure) {
            (State::Failed, Some(failure)) => format!("The connection has failed: {}", failure.cause),
            (State::Authorizing, _) => "The server waits for an authorization.".to_owned(),
            (State::Connecting | State::Negotiating, _) => "The connection is not ready yet.".to_owned(),
            _ => "The connection is closed. Connect again.".to_owned(),
        }
    }
}

/// What the server told without being asked, counted: a reader compares with what it saw last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notices {
    /// `notifications/tools/list_changed` so far.
    pub tools_changed: u64,
    /// `notifications/prompts/list_changed` so far.
    pub prompts_changed: u64,
    /// `notifications/resources/list_changed` so far.
    pub resources_changed: u64,
    /// `notifications/resources/updated` so far.
    pub resource_updates: u64,
    /// `notifications/message` so far.
    pub log_messages: u64,
    /// The latest `notifications/message`.
    pub last_log: Option<Seq>,
    /// `notifications/tasks/status` and `notifications/tasks` so far.
    pub task_updates: u64,
    /// The latest of them, oldest first; at most 32. One of more than 64 KiB is only counted.
    pub task_reports: VecDeque<TaskReport>,
}

/// A task as a notification reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskReport {
    /// The record of the notification.
    pub seq: Seq,
    /// The `params` as received, not masked: the state of the task.
    pub params: std::sync::Arc<str>,
}
