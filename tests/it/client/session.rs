//! A connection of `patchbay-client` with the scripted server, and its recorded traffic as a transcript.

use std::{future::Future, path::PathBuf, sync::Arc, time::Duration};

use patchbay_client::{
    ClientInfo, ConnectOptions, Connection, EraChoice, Finished, Outcome, Request, Status, StdioConfig,
    Timeouts, connect,
};
use patchbay_client::Environment;
use patchbay_traffic::{Direction, Filter, Kind, Row, Store, StoreOptions};

use crate::programs::ours;

/// A connection under test, and the store behind it.
pub(super) struct Session {
    pub(super) connection: Connection,
    pub(super) store: Store,
}

/// How to connect to a program.
pub(super) fn options(command: PathBuf, args: &[&str], era: EraChoice) -> ConnectOptions {
    ConnectOptions {
        server_id: "s".to_owned(),
        server_name: "scripted".to_owned(),
        era,
        stdio: StdioConfig {
            command: command.to_string_lossy().into_owned(),
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            env: Vec::new(),
            cwd: None,
            environment: Arc::new(Environment::inherited()),
        },
        timeouts: Timeouts::default(),
        client_info: ClientInfo { name: "test".to_owned(), title: None, version: "1".to_owned() },
    }
}

impl Session {
    pub(super) fn new(options: ConnectOptions) -> Self {
        let (store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
        Self { connection: connect(options, recorder), store }
    }

    /// Connects to the scripted server.
    pub(super) async fn scripted(args: &[&str], era: EraChoice) -> (Self, Arc<Status>) {
        let session = Self::new(options(ours("patchbay-test-server"), args, era));
        let status = session.connection.settled().await;
        (session, status)
    }

    /// Calls a tool and waits for the end.
    pub(super) async fn call(&self, tool: &str) -> Finished {
        self.request(call(tool)).await
    }

    pub(super) async fn request(&self, request: Request) -> Finished {
        self.connection.request(request).await.finished().await
    }

    /// All rows so far.
    pub(super) async fn rows(&self) -> Vec<Row> {
        self.store.flush().await.unwrap();
        self.store.rows(&Filter::default(), 0, 100_000).await.unwrap()
    }

    /// What crossed, one message a line (a process's last words may come at any time: stderr is left out).
    pub(super) async fn transcript(&self) -> String {
        let rows = self.rows().await;
        let first = rows.first().map_or(0, |row| row.seq);
        let mut out = String::new();
        for row in rows.iter().filter(|row| row.direction.is_some()) {
            let body = self.store.body(row.seq).await.unwrap().unwrap_or_default();
            let record = self.store.record(row.seq).await.unwrap().unwrap();
            let rules: Vec<_> = record.violations.iter().map(|violation| violation.rule.as_str()).collect();
            out.push_str(&line(row, first, &rules, &String::from_utf8_lossy(&body)));
        }
        out
    }

    /// Closes and gives the transcript.
    pub(super) async fn closed(self) -> String {
        self.connection.close().await;
        self.transcript().await
    }
}

/// `> 3 request tools/call #2 ok =4 !rule {"jsonrpc":…}`: direction, number (from 0), what, id, status, the other
/// half, what is wrong, and the bytes.
fn line(row: &Row, first: u64, rules: &[&str], body: &str) -> String {
    let arrow = if row.direction == Some(Direction::ClientToServer) { '>' } else { '<' };
    let kind = if row.kind == Kind::Notification { "note".to_owned() } else { format!("{:?}", row.kind).to_lowercase() };
    let mut out = format!("{arrow} {} {kind}", row.seq - first);
    let mut add = |prefix: &str, part: Option<String>| {
        if let Some(part) = part {
            out.push_str(&format!(" {prefix}{part}"));
        }
    };
    add("in ", row.batch.map(|seq| (seq - first).to_string()));
    add("", row.method.clone());
    add("#", row.rpc_id.clone());
    add("", row.status.map(|status| format!("{status:?}").to_lowercase()));
    add("=", row.pair.map(|seq| (seq - first).to_string()));
    add("!", (!rules.is_empty()).then(|| rules.join(" !")));
    add("", Some(body.replace('\r', "␍").replace('\u{feff}', "␂")));
    out.push('\n');
    out
}

pub(super) fn call(tool: &str) -> Request {
    Request::new("tools/call", Some(format!(r#"{{"name":"{tool}"}}"#)))
}

/// A request that ends soon if nobody answers.
pub(super) fn impatient(tool: &str) -> Request {
    let timeouts = Timeouts { request: Duration::from_millis(50), ..Timeouts::default() };
    Request { timeouts: Some(timeouts), ..call(tool) }
}

pub(super) fn body(finished: &Finished) -> String {
    let text = finished.response.as_ref().map(|answer| answer.body_text().into_owned());
    text.unwrap_or_else(|| format!("{:?}", finished.outcome))
}

/// Plays one test; a test that hangs fails by itself.
pub(super) fn play<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(Duration::from_secs(60), test).await.expect("it hangs") })
}

pub(super) fn ended_with_result(finished: &Finished) {
    assert_eq!(finished.outcome, Outcome::Result, "{finished:?}");
}
