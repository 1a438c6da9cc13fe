//! A connection of `patchbay-client` to the scripted server, and its recorded traffic as a transcript.

use std::{future::Future, path::PathBuf, sync::Arc, time::Duration};

use patchbay_client::Environment;
use patchbay_client::{
    ClientInfo, ConnectOptions, Connection, EraChoice, Finished, Request, Status, StdioConfig, Timeouts,
    connect,
};
use patchbay_traffic::{Direction, Filter, Kind, Row, Store, StoreOptions};
use patchbay_transport::{Connector, Dialect, Link, NotStarted, SHUTDOWN_GRACE, Stdio, Tap};

use crate::programs::{self, ours};

/// A connection under test, and the store behind it.
pub(crate) struct Session {
    pub(crate) connection: Connection,
    pub(crate) store: Store,
}

/// The state of a connection with its reason, in a few lines.
pub(crate) fn described(status: &Status) -> String {
    let mut out = format!("{:?}", status.state);
    if let Some(revision) = status.revision {
        out.push_str(&format!(" {revision}"));
    }
    if let Some(verdict) = &status.era_verdict {
        out.push_str(&format!(" ({})", verdict.reason));
    }
    if let Some(failure) = &status.failure {
        out.push_str(&format!(
            "\n{}: {}\n{}",
            failure.step, failure.cause, failure.next
        ));
        if let Some(detail) = &failure.detail {
            out.push_str(&format!("\n{detail}"));
        }
    }
    out
}

/// A program whose last output is waited for longer than a machine is busy.
struct Patient(StdioConfig);

impl Connector for Patient {
    fn connect(&self, _dialect: Dialect, tap: Tap) -> Result<Box<dyn Link>, Box<NotStarted>> {
        let stdio = Stdio::start(&self.0, SHUTDOWN_GRACE, tap)?;
        Ok(Box::new(stdio.draining_within(Duration::from_secs(30))))
    }

    fn dialects(&self) -> &'static [Dialect] {
        self.0.dialects()
    }

    fn own_thread(&self) -> bool {
        self.0.own_thread()
    }
}

/// A program and its arguments.
pub(crate) fn program(command: PathBuf, args: &[&str]) -> StdioConfig {
    StdioConfig {
        command: command.to_string_lossy().into_owned(),
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        env: Vec::new(),
        cwd: None,
        environment: Arc::new(Environment::inherited()),
    }
}

/// How to connect to a program.
pub(crate) fn options(command: PathBuf, args: &[&str], era: EraChoice) -> ConnectOptions {
    over(Patient(program(command, args)), era)
}

/// The options for a scripted server, over any transport.
pub(crate) fn over(connector: impl Connector + 'static, era: EraChoice) -> ConnectOptions {
    let info = ClientInfo {
        name: "test".to_owned(),
        title: None,
        version: "1".to_owned(),
    };
    ConnectOptions {
        era,
        ..ConnectOptions::new("s", "scripted", Arc::new(connector), info)
    }
}

impl Session {
    pub(crate) fn new(options: ConnectOptions) -> Self {
        let (store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
        Self {
            connection: connect(options, recorder),
            store,
        }
    }

    /// Connects to the scripted server.
    pub(crate) async fn scripted(args: &[&str], era: EraChoice) -> (Self, Arc<Status>) {
        let session = Self::new(options(ours("patchbay-test-server"), args, era));
        let status = session.connection.settled().await;
        (session, status)
    }

    /// Calls a tool and waits for the end.
    pub(crate) async fn call(&self, tool: &str) -> Finished {
        self.request(call(tool)).await
    }

    pub(crate) async fn request(&self, request: Request) -> Finished {
        self.connection.request(request).await.finished().await
    }

    /// All rows so far.
    pub(crate) async fn rows(&self) -> Vec<Row> {
        self.store.flush().await.unwrap();
        let mut rows = Vec::new();
        loop {
            // A page has a limit of its own.
            let read = rows.len() as u64;
            let page = self.store.rows(&Filter::default(), read, usize::MAX).await;
            match page.unwrap() {
                page if page.is_empty() => return rows,
                page => rows.extend(page),
            }
        }
    }

    /// Waits until every shown HTTP exchange has ended and every frame is described. Before that, a frame is a record
    /// without a kind or violations.
    pub(crate) async fn settle(&self) {
        let is_open = |row: &Row| match row.kind {
            Kind::Http => row.status == Some(patchbay_traffic::Status::Pending),
            Kind::Invalid => row.violation_count == 0,
            _ => false,
        };
        while self.rows().await.iter().any(|row| is_shown(row) && is_open(row)) {
            pause().await;
        }
    }

    /// The transcript, one message per line (stderr is omitted, because a process's last output may arrive at any time).
    pub(crate) async fn transcript(&self) -> String {
        let rows: Vec<Row> = self.rows().await.into_iter().filter(is_shown).collect();
        let number = |seq| {
            rows.iter()
                .position(|row| row.seq == seq)
                .map_or_else(|| "?".to_owned(), |n| n.to_string())
        };
        let mut out = String::new();
        for row in &rows {
            let body = self.store.body(row.seq).await.unwrap().unwrap_or_default();
            let record = self.store.record(row.seq).await.unwrap().unwrap();
            let rules: Vec<_> = record
                .violations
                .iter()
                .map(|violation| violation.rule.as_str())
                .collect();
            out.push_str(&line(row, &number, &rules, &String::from_utf8_lossy(&body)));
        }
        out
    }

    /// Calls a tool of the scripted legacy server, with a short timeout unless `patient`. Returns the part of the
    /// transcript that it caused.
    pub(crate) async fn of_call(request: Request) -> (Finished, String) {
        let (session, _) = Self::scripted(&["legacy"], EraChoice::Legacy).await;
        let finished = session.request(request).await;
        // Everything that the server sends after its response is sent before the response to this request.
        session.request(Request::new("ping", None)).await;
        session.connection.close().await;
        let all = session.transcript().await;
        (
            finished,
            all.lines().skip(3).map(|line| format!("{line}\n")).collect(),
        )
    }
}

/// All records except for the pings that tests use for synchronization, and the stream for unrequested messages, which is
/// opened at any time.
fn is_shown(row: &Row) -> bool {
    if row.kind == Kind::Http {
        let is_http_sse = row
            .summary
            .as_deref()
            .is_some_and(|summary| summary.contains("/sse"));
        return is_http_sse || row.method.as_deref() != Some("GET");
    }
    let asked_by_us = match row.kind {
        Kind::Request => row.direction == Some(Direction::ClientToServer),
        _ => row.direction == Some(Direction::ServerToClient),
    };
    row.direction.is_some() && !(asked_by_us && row.method.as_deref() == Some("ping"))
}

/// `> 3 request tools/call #2 ok =4 !rule {"jsonrpc":…}`: direction, number (from 0), kind, id, status, the paired record,
/// violations, and the bytes. `~ 5 POST http://… → 200 … ok`: an HTTP exchange.
fn line(row: &Row, number: &dyn Fn(u64) -> String, rules: &[&str], body: &str) -> String {
    let arrow = match row.direction {
        Some(Direction::ClientToServer) => '>',
        Some(Direction::ServerToClient) => '<',
        None => '~',
    };
    if row.kind == Kind::Http {
        let status = row
            .status
            .map(|status| format!("{status:?}").to_lowercase())
            .unwrap_or_default();
        let summary = row.summary.as_deref().unwrap_or_default();
        let shown: String = body.chars().take(200).collect();
        let words = [summary, &status, &shown].map(str::trim);
        let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
        return format!("{arrow} {} {}\n", number(row.seq), words.join(" "));
    }
    let kind = if row.kind == Kind::Notification {
        "note".to_owned()
    } else {
        format!("{:?}", row.kind).to_lowercase()
    };
    let mut out = format!("{arrow} {} {kind}", number(row.seq));
    let mut add = |prefix: &str, part: Option<String>| {
        if let Some(part) = part {
            out.push_str(&format!(" {prefix}{part}"));
        }
    };
    add("in ", row.batch.map(number));
    add("", row.method.clone());
    add("#", row.rpc_id.clone());
    add("", row.status.map(|status| format!("{status:?}").to_lowercase()));
    add("=", row.pair.map(number));
    add("!", (!rules.is_empty()).then(|| rules.join(" !")));
    let visible = body.replace('\r', "␍").replace('\u{feff}', "␂");
    add("", (!visible.is_empty()).then_some(visible));
    out.push('\n');
    out
}

pub(crate) fn call(tool: &str) -> Request {
    Request::new("tools/call", Some(format!(r#"{{"name":"{tool}"}}"#)))
}

/// A request with a short timeout.
pub(crate) fn impatient(tool: &str) -> Request {
    let timeouts = Timeouts {
        request: Duration::from_millis(50),
        ..Timeouts::default()
    };
    Request {
        timeouts: Some(timeouts),
        ..call(tool)
    }
}

/// The pause of a loop that looks at what tells of no change, so that a busy machine has time for what it waits for.
pub(crate) const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Pauses between two looks.
pub(crate) async fn pause() {
    tokio::time::sleep(BETWEEN_LOOKS).await;
}

/// Runs one test; a test that hangs fails after 60 seconds.
pub(crate) fn run_test<T>(test: impl Future<Output = T>) -> T {
    programs::built();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        tokio::time::timeout(Duration::from_secs(60), test)
            .await
            .expect("the test did not end within 60 seconds")
    })
}
