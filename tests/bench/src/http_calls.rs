//! `tools/call` per second over Streamable HTTP, answered in JSON or by an event stream, one at a time and 64 in flight:
//! our client, which records every byte to disk, beside rmcp's and the TypeScript client, which record nothing. Same
//! server, same arguments, runs interleaved, each client in a process of its own.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use patchbay_client::{ConnectOptions, EraChoice, State, connect};
use patchbay_rmcp::{Answers, Caller, Failure};
use patchbay_traffic::{Store, StoreOptions};
use patchbay_transport::HttpConfig;
use tokio::process::Command;

use crate::alone;
use crate::http_server::HttpServer;
use crate::report::{Better, Measured};
use crate::stdio_calls::{client_info, echo};

const RUNS: usize = 5;
const WARM_UP: usize = 100;
/// The slow peer makes only one call in this many; its rate is scaled accordingly.
const SLOW: usize = 10;

/// Requests in flight, and calls per run.
const LOADS: [(usize, usize); 2] = [(1, 3_000), (64, 10_000)];

pub(crate) async fn run(as_json: bool) -> Result<(), Failure> {
    for (name, answers) in [("json", Answers::Json), ("sse", Answers::Events)] {
        let server = HttpServer::start(answers).await?;
        for (in_flight, calls) in LOADS {
            let load = Load {
                url: &server.url,
                in_flight,
                calls,
            };
            measure(&format!("http-calls-{name}-{in_flight}"), load, as_json).await?;
        }
    }
    Ok(())
}

/// One line of the table: which server, how many calls.
#[derive(Clone, Copy)]
struct Load<'a> {
    url: &'a str,
    in_flight: usize,
    calls: usize,
}

/// Runs as one client, `ours` or `rmcp`, against the server at `url`, and prints its calls per second.
pub(crate) async fn client(which: &str, url: &str, in_flight: &str, calls: &str) -> Result<(), Failure> {
    let load = Load {
        url,
        in_flight: in_flight.parse()?,
        calls: calls.parse()?,
    };
    let took = match which {
        "ours" => our_run(load).await?,
        _ => rmcp_run(load).await?,
    };
    println!("{:.1}", load.rate(took));
    Ok(())
}

async fn measure(name: &str, load: Load<'_>, as_json: bool) -> Result<(), Failure> {
    let typescript = typescript_client();
    let [mut ours, mut rust, mut script] = [const { Vec::new() }; 3];
    for run in 0..RUNS {
        // The order rotates, so that a machine that slows down affects all clients.
        for turn in 0..3 {
            match (run + turn) % 3 {
                0 => ours.push(load.rate_of("ours").await?),
                1 => rust.push(load.rate_of("rmcp").await?),
                _ => {
                    if let Some(client) = &typescript {
                        let part = Load {
                            calls: load.calls / SLOW,
                            ..load
                        };
                        script.push(part.rate(typescript_run(client, part).await?));
                    }
                }
            }
        }
    }
    let line = |name: String, peer, theirs| Measured {
        name,
        unit: "calls/s",
        better: Better::More,
        ours: ours.clone(),
        peer,
        theirs,
    };
    line(name.to_owned(), "rmcp 3.9.0", rust).print(as_json);
    if !script.is_empty() {
        line(format!("{name}-typescript"), "TypeScript client 2.4.0", script).print(as_json);
    }
    Ok(())
}

impl Load<'_> {
    fn rate(self, took: Duration) -> f64 {
        self.calls as f64 / took.as_secs_f64()
    }

    /// The calls per second of one client.
    async fn rate_of(self, client: &str) -> Result<f64, Failure> {
        let (in_flight, calls) = (self.in_flight.to_string(), self.calls.to_string());
        alone::number(&["http-client", client, self.url, &in_flight, &calls]).await
    }
}

async fn rmcp_run(load: Load<'_>) -> Result<Duration, Failure> {
    let caller = Caller::connect_http(load.url, load.in_flight).await?;
    caller.echo(WARM_UP, load.in_flight).await?;
    let took = caller.echo(load.calls, load.in_flight).await?;
    caller.close().await?;
    Ok(took)
}

async fn our_run(load: Load<'_>) -> Result<Duration, Failure> {
    let folder = tempfile::tempdir()?;
    let (store, recorder) = Store::open(StoreOptions {
        path: Some(folder.path().join("traffic.sqlite")),
    })?;
    let connection = connect(options(load.url), recorder.clone());
    let status = connection.settled().await;
    if status.state != State::Ready {
        return Err(format!("our client could not connect: {:?}", status.failure).into());
    }
    echo(&connection, &recorder, WARM_UP, load.in_flight).await?;
    let took = echo(&connection, &recorder, load.calls, load.in_flight).await?;
    connection.close().await;
    store.close().await?;
    Ok(took)
}

/// The same handshake as the peers' clients, and so the same messages.
pub(crate) fn options(url: &str) -> ConnectOptions {
    ConnectOptions {
        era: EraChoice::Legacy,
        ..ConnectOptions::new("bench", "bench", Arc::new(HttpConfig::new(url)), client_info())
    }
}

/// The TypeScript client, if the peers are installed.
fn typescript_client() -> Option<PathBuf> {
    let installed = std::env::var_os("PATCHBAY_PEERS_NODE").map(PathBuf::from)?;
    let client = installed.parent()?.join("@modelcontextprotocol").join("client");
    client
        .exists()
        .then(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/http-client.mjs")))
}

async fn typescript_run(script: &PathBuf, load: Load<'_>) -> Result<Duration, Failure> {
    let output = Command::new("node")
        .arg(script)
        .args([load.url, &load.in_flight.to_string(), &load.calls.to_string()])
        .stderr(Stdio::inherit())
        .output()
        .await?;
    let seconds = String::from_utf8_lossy(&output.stdout).trim().parse()?;
    Ok(Duration::from_secs_f64(seconds))
}
