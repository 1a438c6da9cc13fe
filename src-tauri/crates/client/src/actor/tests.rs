//! The actor against a server in memory, with time that advances only when every task waits.

use std::sync::Arc;

use bytes::Bytes;
use patchbay_traffic::{Filter, Recorder, Status as RecordStatus, Store, StoreOptions};
use patchbay_transport::{Dialect, NotStarted, ProcessInfo, Stdio, Tap};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines};

mod authorizing;
mod batches;
mod dialect_fallback;
mod headers;
mod inputs;
mod remembered;
mod revisions;
mod rounds;
mod served_tasks;
mod sessions;
mod silence;
mod streams;
mod tasks;
mod timeouts;
mod wire;

use super::*;
use crate::{
    ClientInfo, Connection, Exchange, ExchangeEvent, Finished, InputRequest, Outcome, Request, connect,
};

/// The server's side of one process.
struct Peer {
    lines: Lines<BufReader<DuplexStream>>,
    out: DuplexStream,
}

impl Peer {
    /// The next line of the client.
    async fn heard(&mut self) -> String {
        let line = self.lines.next_line().await.unwrap();
        line.unwrap_or_else(|| "(end)".to_owned())
    }

    async fn says(&mut self, line: &str) {
        self.out.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// The legacy handshake, from the client's first line on.
    async fn initialize(&mut self, version: &str) {
        assert!(self.heard().await.contains(r#""method":"initialize""#));
        self.says(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"m","version":"1"}}}}}}"#
        ))
        .await;
        assert!(self.heard().await.contains("notifications/initialized"));
    }
}

/// A connection whose processes are in memory.
struct Bench {
    connection: Connection,
    processes: mpsc::Receiver<Peer>,
    store: Store,
    recorder: Recorder,
    inputs: mpsc::Receiver<InputRequest>,
}

/// What the client declares in tests of input.
fn all_inputs() -> ClientCapabilities {
    ClientCapabilities::none()
        .with("sampling", "{}")
        .with("elicitation", "{}")
        .with("roots", r#"{"listChanged":true}"#)
}

/// Starts processes that are no more than two pipes.
struct InMemory {
    started: mpsc::Sender<Peer>,
}

impl Connector for InMemory {
    fn connect(&self, _dialect: Dialect, tap: Tap) -> Result<Box<dyn Link>, Box<NotStarted>> {
        let (stdin, our_stdin) = tokio::io::duplex(1 << 16);
        let (stdout, our_stdout) = tokio::io::duplex(1 << 16);
        self.started
            .try_send(Peer {
                lines: BufReader::new(stdin).lines(),
                out: stdout,
            })
            .unwrap();
        let (reader, writer) = (Box::new(our_stdout), Box::new(our_stdin));
        Ok(Box::new(Stdio::over(reader, writer, ProcessInfo::default(), tap)))
    }

    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::Modern, Dialect::Legacy]
    }
}

impl Bench {
    fn new(era: EraChoice, timeouts: Timeouts) -> Self {
        Self::with(|options| {
            options.era = era;
            options.timeouts = timeouts;
        })
    }

    fn with(change: impl FnOnce(&mut ConnectOptions)) -> Self {
        let (store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
        let (started, processes) = mpsc::channel(4);
        let us = ClientInfo {
            name: "t".to_owned(),
            title: None,
            version: "1".to_owned(),
        };
        let (inputs, asked) = mpsc::channel(4);
        let mut options = ConnectOptions::new("s", "s", Arc::new(InMemory { started }), us);
        options.inputs = Some(inputs);
        change(&mut options);
        Self {
            connection: connect(options, recorder.clone()),
            recorder,
            processes,
            store,
            inputs: asked,
        }
    }

    /// A modern server that is ready; requests begin with id 2.
    async fn modern(capabilities: ClientCapabilities, server: &str) -> (Self, Peer) {
        let mut bench = Self::with(|options| {
            options.era = EraChoice::Modern;
            options.capabilities = capabilities;
        });
        let mut peer = bench.process().await;
        peer.heard().await;
        peer.says(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{server},"ttlMs":0,"cacheScope":"private"}}}}"#
        ))
        .await;
        assert_eq!(bench.connection.settled().await.state, State::Ready);
        (bench, peer)
    }

    async fn call(&self, method: &str, params: &str) -> Exchange {
        let request = Request::new(method, Some(params.to_owned()));
        self.connection.request(request).await
    }

    /// The rules that were broken on messages of a method, as recorded.
    async fn broken_rules(&self) -> Vec<String> {
        self.store.flush().await.unwrap();
        let rows = self.store.rows(&Filter::default(), 0, 1000).await.unwrap();
        let mut rules = Vec::new();
        for row in rows.iter().filter(|row| row.violation_count > 0) {
            let record = self.store.record(row.seq).await.unwrap().unwrap();
            rules.extend(record.violations.iter().map(|violation| violation.rule.clone()));
        }
        rules
    }

    async fn legacy(timeouts: Timeouts) -> (Self, Peer) {
        let mut bench = Self::new(EraChoice::Legacy, timeouts);
        let mut peer = bench.process().await;
        peer.initialize("2025-11-25").await;
        assert_eq!(bench.connection.settled().await.state, State::Ready);
        (bench, peer)
    }

    async fn process(&mut self) -> Peer {
        self.processes.recv().await.unwrap()
    }

    async fn request(&self, progress: bool) -> Exchange {
        let request = Request {
            progress,
            ..Request::new("tools/call", Some(r#"{"name":"x"}"#.to_owned()))
        };
        self.connection.request(request).await
    }

    async fn statuses(&self, method: &str) -> Vec<RecordStatus> {
        self.store.flush().await.unwrap();
        let rows = self.store.rows(&Filter::default(), 0, 1000).await.unwrap();
        let ours = rows.iter().filter(|row| row.method.as_deref() == Some(method));
        ours.filter_map(|row| row.status).collect()
    }
}

fn seconds(request: u64, max_total: u64) -> Timeouts {
    Timeouts {
        request: Duration::from_secs(request),
        max_total: Duration::from_secs(max_total),
        reset_on_progress: true,
        count_input_wait: false,
    }
}

async fn finished(exchange: Exchange) -> Box<Finished> {
    Box::new(exchange.finished().await)
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_not_answered_times_out_and_is_cancelled() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    let exchange = bench.request(false).await;
    assert_eq!(
        peer.heard().await,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x"}}"#
    );
    let ended = finished(exchange).await;
    assert_eq!(
        ended.outcome,
        Outcome::TimedOut {
            after: Duration::from_secs(60)
        }
    );
    assert_eq!(
        peer.heard().await,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"The request timed out."}}"#
    );
    // The late answer is kept, linked, and changes nothing.
    peer.says(r#"{"jsonrpc":"2.0","id":2,"result":{"content":[]}}"#)
        .await;
    bench.connection.close().await;
    assert_eq!(
        bench.statuses("tools/call").await,
        [RecordStatus::TimedOut, RecordStatus::Ok]
    );
}

#[tokio::test(start_paused = true)]
async fn progress_starts_the_time_anew_but_not_for_ever() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 150)).await;
    let begun = Instant::now();
    let mut exchange = bench.request(true).await;
    assert!(peer.heard().await.contains(r#""_meta":{"progressToken":2}"#));
    assert!(matches!(exchange.next().await, Some(ExchangeEvent::Sent { .. })));
    for step in 1..=2 {
        tokio::time::advance(Duration::from_secs(50)).await;
        peer.says(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":2,"progress":{step},"total":9,"message":"m"}}}}"#
        ))
        .await;
        match exchange.next().await {
            Some(ExchangeEvent::Progress(progress)) => assert_eq!(
                (progress.progress, progress.count),
                (f64::from(step), u64::try_from(step).unwrap())
            ),
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(
        finished(exchange).await.outcome,
        Outcome::TimedOut { .. }
    ));
    assert_eq!(begun.elapsed(), Duration::from_secs(150));
}

#[tokio::test(start_paused = true)]
async fn a_reader_who_does_not_listen_still_gets_the_end() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    let exchange = bench.request(true).await;
    peer.heard().await;
    for step in 0..100 {
        peer.says(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":2,"progress":{step}}}}}"#
        ))
        .await;
    }
    peer.says(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#).await;
    assert_eq!(finished(exchange).await.outcome, Outcome::Result);
}

#[tokio::test(start_paused = true)]
async fn cancelling_tells_the_server_and_ends_the_exchange() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    let exchange = bench.request(false).await;
    peer.heard().await;
    bench
        .connection
        .cancel(exchange.id, Some("no longer".to_owned()))
        .await;
    assert_eq!(finished(exchange).await.outcome, Outcome::Cancelled);
    assert!(
        peer.heard()
            .await
            .ends_with(r#""params":{"requestId":2,"reason":"no longer"}}"#)
    );
}

#[tokio::test(start_paused = true)]
async fn initialize_is_never_cancelled() {
    let mut bench = Bench::new(EraChoice::Legacy, seconds(20, 600));
    let mut peer = bench.process().await;
    peer.heard().await;
    let status = bench.connection.settled().await;
    let failure = status.failure.clone().unwrap();
    assert_eq!(
        (failure.step, failure.cause.as_str()),
        ("Initialize", "The server did not answer initialize within 20 s.")
    );
    assert_eq!(peer.heard().await, "(end)");
}

#[tokio::test(start_paused = true)]
async fn requests_before_ready_and_after_the_end_are_not_sent() {
    let mut bench = Bench::new(EraChoice::Legacy, seconds(60, 600));
    let early = finished(bench.request(false).await).await;
    assert_eq!(
        early.outcome,
        Outcome::NotSent("The connection is not ready yet.".to_owned())
    );
    bench.process().await.initialize("2025-06-18").await;
    // That peer is gone with its pipes: the connection has failed.
    let mut status = bench.connection.status();
    status
        .wait_for(|status| status.state == State::Failed)
        .await
        .unwrap();
    let late = finished(bench.request(false).await).await;
    assert_eq!(
        late.outcome,
        Outcome::NotSent(
            "The connection has failed: The server closed its stdout, but its process did not end."
                .to_owned()
        )
    );
}

#[tokio::test(start_paused = true)]
async fn a_ping_before_the_handshake_is_answered() {
    let mut bench = Bench::new(EraChoice::Legacy, seconds(60, 600));
    let mut peer = bench.process().await;
    peer.heard().await;
    peer.says(r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#).await;
    assert_eq!(peer.heard().await, r#"{"jsonrpc":"2.0","id":"p","result":{}}"#);
}

/// No response may carry such an id (2025-11-25 `basic`, "Responses").
#[tokio::test(start_paused = true)]
async fn a_request_with_an_invalid_id_is_not_answered() {
    let mut bench = Bench::new(EraChoice::Legacy, seconds(60, 600));
    let mut peer = bench.process().await;
    peer.heard().await;
    for id in ["null", "1.5", "{}"] {
        peer.says(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#))
            .await;
    }
    peer.says(r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#).await;
    assert_eq!(peer.heard().await, r#"{"jsonrpc":"2.0","id":"p","result":{}}"#);
}

#[tokio::test(start_paused = true)]
async fn a_line_break_in_params_does_not_break_the_frame() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    let _exchange = bench
        .connection
        .request(Request::new("x", Some("{\n\"a\":\r\n1.10}".to_owned())))
        .await;
    assert_eq!(
        peer.heard().await,
        r#"{"jsonrpc":"2.0","id":2,"method":"x","params":{ "a":  1.10}}"#
    );
}

#[tokio::test(start_paused = true)]
async fn dropping_the_last_handle_ends_the_process() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    let exchange = bench.request(false).await;
    peer.heard().await;
    drop(bench.connection);
    assert!(matches!(
        finished(exchange).await.outcome,
        Outcome::ConnectionLost(_)
    ));
    assert_eq!(peer.heard().await, "(end)");
}

#[tokio::test(start_paused = true)]
async fn many_in_flight_are_answered_in_any_order() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    let mut exchanges = Vec::new();
    for _ in 0..100 {
        exchanges.push(bench.request(false).await);
    }
    for _ in 0..100 {
        peer.heard().await;
    }
    for id in (2..102).rev() {
        peer.says(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"n":{id}}}}}"#))
            .await;
    }
    for (exchange, id) in exchanges.into_iter().zip(2..) {
        let ended = finished(exchange).await;
        let answer = ended
            .response
            .clone()
            .unwrap_or_else(|| panic!("{id}: {ended:?}"));
        assert_eq!(answer.body_text(), format!(r#"{{"n":{id}}}"#));
        assert_eq!(
            answer.frame.slice(answer.body),
            Bytes::from(format!(r#"{{"n":{id}}}"#))
        );
    }
}

#[tokio::test]
async fn a_closed_store_ends_the_connection() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    bench.store.close().await.unwrap();
    let ended = finished(bench.request(false).await).await;
    assert!(matches!(ended.outcome, Outcome::NotSent(_)), "{ended:?}");
    let mut status = bench.connection.status();
    let status = status
        .wait_for(|status| status.state == State::Failed)
        .await
        .unwrap()
        .clone();
    assert_eq!(status.failure.as_ref().unwrap().step, "Record the traffic");
    assert_eq!(peer.heard().await, "(end)");
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_the_store_does_not_take_ends_the_connection() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    bench.store.flush().await.unwrap();
    bench.store.set_size_limit(Some(1));
    let member = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}"#;
    peer.says(&format!("[{}]", [member; 20_000].join(","))).await;
    let mut status = bench.connection.status();
    let status = status
        .wait_for(|status| status.state == State::Failed)
        .await
        .unwrap()
        .clone();
    let failure = status.failure.as_ref().unwrap();
    assert_eq!(failure.step, "Record the traffic");
    // The clock of this test may run out before the store has said what is the matter.
    let words = "Nothing may cross unrecorded, and ";
    assert!(failure.cause.starts_with(words), "{}", failure.cause);
}

#[tokio::test(start_paused = true)]
async fn progress_with_a_token_of_another_kind_counts_too() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    let params = r#"{"name":"x","_meta":{"progressToken":"mine"}}"#;
    let mut exchange = bench
        .connection
        .request(Request::new("tools/call", Some(params.to_owned())))
        .await;
    peer.heard().await;
    assert!(matches!(exchange.next().await, Some(ExchangeEvent::Sent { .. })));
    peer.says(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"mine","progress":1}}"#)
        .await;
    assert!(matches!(exchange.next().await, Some(ExchangeEvent::Progress(progress)) if progress.count == 1));
}

#[tokio::test(start_paused = true)]
async fn what_somebody_writes_into_meta_goes_before_ours() {
    let mut bench = Bench::new(EraChoice::Modern, seconds(60, 600));
    let mut peer = bench.process().await;
    peer.heard().await;
    peer.says(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}}"#)
        .await;
    assert_eq!(bench.connection.settled().await.state, State::Ready);
    let params = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}"#;
    let _exchange = bench
        .connection
        .request(Request::new("x", Some(params.to_owned())))
        .await;
    let sent = peer.heard().await;
    assert!(
        sent.contains("2099-01-01") && !sent.contains("2026-07-28"),
        "{sent}"
    );
    assert!(
        sent.contains("io.modelcontextprotocol/clientCapabilities"),
        "{sent}"
    );
}
