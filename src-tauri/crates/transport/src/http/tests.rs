//! Links against scripted servers on the loopback interface, with raw bytes, so that every malformed response can be
//! tested.

mod answers;
mod authorized;
mod ends;
mod legacy;
mod listening;
mod resuming;
mod sse;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use patchbay_protocol::{Era, RequestId, Revision, limits::Limits};
use patchbay_traffic::{
    Filter, HttpStage, Kind, NewConnection, OperationId, Recorder, Row, Seq, Store, StoreOptions,
};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use super::{HttpConfig, HttpKind, Reconnect};
use crate::{
    Connector as _, Dialect, Ended, Event, HttpPeer, Link, Outgoing, OutgoingKind, Received, StreamState,
    Tap, Unanswered,
};

/// Longer than anything in these tests takes.
const NEVER: Duration = Duration::from_secs(20);

/// The limit of a frame in these tests.
const FRAME_BYTES: usize = 2 << 20;

/// The server's side.
struct Server(TcpListener);

impl Server {
    async fn accept(&self) -> Peer {
        let (stream, _) = self.0.accept().await.unwrap();
        Peer(BufReader::new(stream))
    }

    /// The next connection is that of [`Harness::knock`]: the link has opened none before.
    async fn knocked(&self) {
        let (_, asked) = self.request().await;
        assert!(asked.line.starts_with("GET /knock "), "{asked:?}");
    }

    /// The next connection and its first request.
    async fn request(&self) -> (Peer, ReceivedRequest) {
        let mut peer = self.accept().await;
        let asked = peer.request().await.expect("a request");
        (peer, asked)
    }
}

/// One connection.
struct Peer(BufReader<TcpStream>);

/// A received request.
#[derive(Debug)]
struct ReceivedRequest {
    line: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl ReceivedRequest {
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    fn is(&self, method: &str) -> bool {
        self.line.starts_with(&format!("{method} /mcp "))
    }
}

impl Peer {
    /// The next request; none if the connection was closed.
    async fn request(&mut self) -> Option<ReceivedRequest> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let headers: Vec<_> = lines[1..]
            .iter()
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let length = headers
            .iter()
            .find(|(name, _)| name == "content-length")
            .map_or(0, |(_, value)| value.parse().unwrap());
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await.ok()?;
        Some(ReceivedRequest {
            line: lines.swap_remove(0),
            headers,
            body: String::from_utf8(body).unwrap(),
        })
    }

    async fn write(&mut self, bytes: &str) {
        self.0.get_mut().write_all(bytes.as_bytes()).await.unwrap();
    }

    /// A complete response.
    async fn respond(&mut self, status: &str, headers: &str, body: &str) {
        let length = body.len();
        self.write(&format!(
            "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}"
        ))
        .await;
    }

    async fn json(&mut self, body: &str) {
        self.respond("200 OK", "content-type: application/json\r\n", body)
            .await;
    }

    /// The head of a chunked event stream.
    async fn stream(&mut self) {
        self.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n")
            .await;
    }

    async fn chunk(&mut self, text: &str) {
        self.write(&format!("{:x}\r\n{text}\r\n", text.len())).await;
    }

    async fn end(&mut self) {
        self.write("0\r\n\r\n").await;
    }

    /// Waits until the client closes the connection.
    async fn closed(mut self) {
        let mut rest = Vec::new();
        let _ = self.0.read_to_end(&mut rest).await;
    }
}

/// The client's side, and the log.
struct Harness {
    link: Box<dyn Link>,
    store: Store,
    recorder: Recorder,
    server: JoinHandle<()>,
    address: SocketAddr,
}

/// A policy with short delays.
fn quick() -> Reconnect {
    Reconnect {
        first: Duration::from_millis(4),
        most: Duration::from_millis(20),
        random: Arc::new(|| 1.0),
    }
}

async fn harness<F>(dialect: Dialect, script: impl FnOnce(Server) -> F) -> Harness
where
    F: Future<Output = ()> + Send + 'static,
{
    harness_reconnecting(quick(), dialect, script).await
}

async fn harness_reconnecting<F>(
    reconnect: Reconnect,
    dialect: Dialect,
    script: impl FnOnce(Server) -> F,
) -> Harness
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let config = HttpConfig {
        kind: HttpKind::Auto,
        reconnect,
        ..HttpConfig::new(format!("http://{}/mcp", listener.local_addr().unwrap()))
    };
    harness_with(dialect, config, listener, script)
}

fn harness_with<F>(
    dialect: Dialect,
    config: HttpConfig,
    listener: TcpListener,
    script: impl FnOnce(Server) -> F,
) -> Harness
where
    F: Future<Output = ()> + Send + 'static,
{
    let (store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let connection = recorder.connection(NewConnection {
        server_id: "s".to_owned(),
        server_name: "s".to_owned(),
        origin: patchbay_traffic::Origin::Client,
    });
    let limits = Limits {
        reconnects: 3,
        frame_bytes: FRAME_BYTES,
        ..Limits::default()
    };
    let tap = Tap::new(recorder.clone(), connection).within(limits);
    Harness {
        link: config.connect(dialect, tap).unwrap(),
        store,
        recorder,
        address: listener.local_addr().unwrap(),
        server: tokio::spawn(script(Server(listener))),
    }
}

fn request(number: i64, method: &'static str) -> Outgoing {
    Outgoing {
        frame: Bytes::from(format!(
            r#"{{"jsonrpc":"2.0","id":{number},"method":"{method}"}}"#
        )),
        kind: OutgoingKind::Request {
            id: RequestId::Int(number),
            method: method.into(),
        },
        headers: Vec::new(),
        operation: None,
    }
}

fn notification(method: &'static str) -> Outgoing {
    Outgoing {
        frame: Bytes::from(format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#)),
        kind: OutgoingKind::Notification {
            method: method.into(),
        },
        headers: Vec::new(),
        operation: None,
    }
}

/// A batch of one request, as a user may write it.
fn batch(number: i64) -> Outgoing {
    let Outgoing { frame, .. } = request(number, "tools/call");
    Outgoing {
        frame: Bytes::from([b"[", &*frame, b"]"].concat()),
        kind: OutgoingKind::Batch,
        headers: Vec::new(),
        operation: None,
    }
}

fn result(number: i64) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{number},"result":{{}}}}"#)
}

const NOTE: &str = r#"{"jsonrpc":"2.0","method":"notifications/message"}"#;

impl Harness {
    async fn ask(&mut self, number: i64) -> Seq {
        self.link.send(request(number, "tools/call")).await.unwrap()
    }

    /// The next event other than `Changed`.
    async fn event(&mut self) -> Event {
        let next = async {
            loop {
                match self.link.next().await.expect("Ended comes before none") {
                    Event::Changed => {}
                    event => return event,
                }
            }
        };
        tokio::time::timeout(NEVER, next).await.expect("nothing happens")
    }

    async fn frame(&mut self) -> Received {
        match self.event().await {
            Event::Frame(received) => received,
            other => panic!("{other:?}"),
        }
    }

    async fn text(&mut self) -> String {
        String::from_utf8(self.frame().await.frame.to_vec()).unwrap()
    }

    async fn unanswered(&mut self, number: i64) -> Unanswered {
        match self.event().await {
            Event::Unanswered { id, why } => {
                assert_eq!(id, RequestId::Int(number));
                why
            }
            other => panic!("{other:?}"),
        }
    }

    async fn broken(&mut self, number: i64) -> (String, bool) {
        match self.unanswered(number).await {
            Unanswered::Broken {
                failure,
                may_have_run,
            } => (failure.cause, may_have_run),
            other @ Unanswered::Status { .. } => panic!("{other:?}"),
        }
    }

    async fn ended(&mut self) -> Ended {
        match self.event().await {
            Event::Ended(ended) => ended,
            other => panic!("{other:?}"),
        }
    }

    /// A request of the test itself, which comes after all connections that the link has opened.
    async fn knock(&self) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(b"GET /knock HTTP/1.1\r\n\r\n").await.unwrap();
    }

    fn about(&self) -> HttpPeer {
        self.link.about().http().expect("an HTTP server").clone()
    }

    /// Waits until the state of the peer satisfies the condition; no other event may occur meanwhile.
    async fn until(&mut self, so: impl Fn(&HttpPeer) -> bool) -> HttpPeer {
        let waiting = async {
            while !so(&self.about()) {
                match self.link.next().await {
                    Some(Event::Changed) => {}
                    other => panic!("{other:?}"),
                }
            }
        };
        if tokio::time::timeout(NEVER, waiting).await.is_err() {
            panic!("unchanged: {:?}", self.about());
        }
        self.about()
    }

    async fn rows(&self, kind: Kind) -> Vec<Row> {
        self.store.flush().await.unwrap();
        let filter = Filter::default().kinds(&[kind]);
        self.store.rows(&filter, 0, 100).await.unwrap()
    }

    async fn stages(&self, exchange: Seq) -> Vec<HttpStage> {
        self.store.flush().await.unwrap();
        let record = self.store.http(exchange).await.unwrap().unwrap();
        record.stages.into_iter().map(|moment| moment.stage).collect()
    }

    /// The script must have ended without a failed assertion.
    async fn over(self) {
        drop(self.link);
        tokio::time::timeout(NEVER, self.server)
            .await
            .expect("the script continues")
            .unwrap();
    }
}
