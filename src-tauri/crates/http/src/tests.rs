//! The client against small servers with scripted responses; nothing leaves this machine.

mod accepted;
mod bodies;
mod examined;
mod exchanges;
mod failures;
mod http2;
mod proxies;
mod redirects;
mod secure;
mod server;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use patchbay_traffic::{
    ConnectionRef, Filter, HttpMoment, HttpStage, NewConnection, Recorder, Row, Seq, Store, StoreOptions,
};

use crate::client::Client;
use crate::connect::resolve::Resolve;
use crate::{Failed, Method, ProxyChoice, Request, Response, Settings, Url};

use server::{Act, Server};

/// A log, and a client that records to it.
struct Harness {
    store: Store,
    recorder: Recorder,
    connection: ConnectionRef,
    client: Client,
}

/// Settings without the proxies of the machine that runs the tests.
fn direct() -> Settings {
    Settings {
        proxy: ProxyChoice::None,
        ..Settings::default()
    }
}

/// A port at which connections are refused. It is nobody else's as long as the socket is kept: it is bound, but does not listen.
fn refusing() -> (tokio::net::TcpSocket, u16) {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, port)
}

fn log() -> (Store, Recorder, ConnectionRef) {
    let (store, recorder) = Store::open(StoreOptions::default()).unwrap();
    let connection = recorder.connection(NewConnection {
        server_id: "one".to_owned(),
        server_name: "One".to_owned(),
        origin: patchbay_traffic::Origin::Client,
    });
    (store, recorder, connection)
}

impl Harness {
    fn new(settings: Settings) -> Self {
        let (store, recorder, connection) = log();
        let client = Client::with_resolver(settings, recorder.clone(), Arc::new(Names)).unwrap();
        Self {
            store,
            recorder,
            connection,
            client,
        }
    }

    async fn send(&self, request: Request) -> Result<Box<Response>, Failed> {
        self.client.send(self.connection, request).await
    }

    async fn get(&self, url: &str) -> Result<Box<Response>, Failed> {
        self.send(Request::new(Method::GET, url.parse().unwrap())).await
    }

    /// Why a GET fails.
    async fn refused(&self, url: &str) -> Failed {
        match self.get(url).await {
            Ok(response) => panic!("answered: {}", response.status),
            Err(failed) => failed,
        }
    }

    /// The text of a body.
    async fn text(&self, url: &str) -> String {
        let mut response = self.get(url).await.unwrap();
        let (body, more) = response.read(1 << 20).await.unwrap();
        assert!(!more);
        String::from_utf8(body.to_vec()).unwrap()
    }

    async fn rows(&self) -> Vec<Row> {
        self.recorder.flush().await.unwrap();
        self.store.rows(&Filter::default(), 0, 500).await.unwrap()
    }

    /// Summary and status of every row.
    async fn summaries(&self) -> Vec<String> {
        let line = |row: Row| {
            format!(
                "{} {:?} {} B",
                row.summary.unwrap_or_default(),
                row.status.unwrap(),
                row.size
            )
        };
        self.rows().await.into_iter().map(line).collect()
    }

    async fn stages(&self, exchange: Seq) -> Vec<HttpStage> {
        self.recorder.flush().await.unwrap();
        let record = self.store.http(exchange).await.unwrap().unwrap();
        assert!(record.stages.is_sorted_by_key(|moment| moment.after_ns));
        record
            .stages
            .into_iter()
            .map(|HttpMoment { stage, .. }| stage)
            .collect()
    }

    /// The names of an exchange's stages.
    async fn names(&self, exchange: Seq) -> Vec<&'static str> {
        self.stages(exchange).await.iter().map(name).collect()
    }

    async fn body(&self, exchange: Seq) -> Vec<u8> {
        self.recorder.flush().await.unwrap();
        self.store.body(exchange).await.unwrap().unwrap().to_vec()
    }
}

fn name(stage: &HttpStage) -> &'static str {
    match stage {
        HttpStage::Sent(_) => "sent",
        HttpStage::Timing(_) => "timing",
        HttpStage::Head { .. } => "head",
        HttpStage::SseId { .. } => "id",
        HttpStage::SseRetry { .. } => "retry",
        HttpStage::SseComment { .. } => "comment",
        HttpStage::Redirect { .. } => "redirect",
        HttpStage::End { .. } => "end",
        HttpStage::Failed { .. } => "failed",
        HttpStage::Aborted { .. } => "aborted",
    }
}

/// Resolves every name below `.test` to this machine, and no other.
struct Names;

impl Resolve for Names {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        Box::pin(async move {
            if host.ends_with(".test") || host == "localhost" {
                return Ok(vec![SocketAddr::from(([127, 0, 0, 1], port))]);
            }
            Err(io::Error::other("Name or service not known"))
        })
    }
}
