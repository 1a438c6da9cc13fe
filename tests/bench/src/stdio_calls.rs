//! `tools/call` per second over stdio, one at a time and 64 in flight: our client, which records every byte to disk,
//! beside rmcp's client, which records nothing. Same server, same arguments, runs interleaved, each client in a process of its
//! own. Measured on two servers: one on rmcp, and one that only answers with canned text, where the client is all there is to
//! measure.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::stream::{self, StreamExt as _};
use patchbay_client::{
    ClientInfo, ConnectOptions, Connection, EraChoice, Outcome, Request, State, StdioConfig, connect,
};
use patchbay_rmcp::{Caller, Failure};
use patchbay_traffic::{Recorder, Store, StoreOptions};

use crate::alone;
use crate::report::{Better, Measured};

const RUNS: usize = 7;
const WARM_UP: usize = 200;

/// Requests in flight, and calls per run.
const LOADS: [(usize, usize); 2] = [(1, 10_000), (64, 40_000)];

/// The servers: the argument that makes this program act as one, and the prefix of the measurement's name.
const SERVERS: [(&str, &str); 2] = [("server", "stdio-calls"), ("canned-server", "stdio-calls-canned")];

pub(crate) async fn run(as_json: bool) -> Result<(), Failure> {
    for (server, name) in SERVERS {
        for (in_flight, calls) in LOADS {
            measure(server, &format!("{name}-{in_flight}"), in_flight, calls)
                .await?
                .print(as_json);
        }
    }
    Ok(())
}

/// Runs as one client, `ours` or `rmcp`, against `server` or `canned-server`, and prints its calls per second.
pub(crate) async fn client(which: &str, server: &str, in_flight: &str, calls: &str) -> Result<(), Failure> {
    let program = std::env::current_exe()?.to_string_lossy().into_owned();
    let (server, in_flight, calls) = ([server.to_owned()], in_flight.parse()?, calls.parse()?);
    let took = match which {
        "ours" => our_run(&program, &server, in_flight, calls).await?,
        _ => their_run(&program, &server, in_flight, calls).await?,
    };
    println!("{:.1}", calls as f64 / took.as_secs_f64());
    Ok(())
}

async fn measure(server: &str, name: &str, in_flight: usize, calls: usize) -> Result<Measured, Failure> {
    let mut measured = Measured {
        name: name.to_owned(),
        unit: "calls/s",
        better: Better::More,
        ours: Vec::new(),
        peer: "rmcp 3.9.0",
        theirs: Vec::new(),
    };
    let (in_flight, calls) = (in_flight.to_string(), calls.to_string());
    let rate = async |which| alone::number(&["stdio-client", which, server, &in_flight, &calls]).await;
    for run in 0..RUNS {
        // The order alternates, so that a machine that slows down affects both.
        if run % 2 == 0 {
            measured.ours.push(rate("ours").await?);
            measured.theirs.push(rate("rmcp").await?);
        } else {
            measured.theirs.push(rate("rmcp").await?);
            measured.ours.push(rate("ours").await?);
        }
    }
    Ok(measured)
}

async fn their_run(
    program: &str,
    server: &[String],
    in_flight: usize,
    calls: usize,
) -> Result<Duration, Failure> {
    let caller = Caller::connect(program, server).await?;
    caller.echo(WARM_UP, in_flight).await?;
    let took = caller.echo(calls, in_flight).await?;
    caller.close().await?;
    Ok(took)
}

async fn our_run(
    program: &str,
    server: &[String],
    in_flight: usize,
    calls: usize,
) -> Result<Duration, Failure> {
    let folder = tempfile::tempdir()?;
    let (store, recorder) = Store::open(StoreOptions {
        path: Some(folder.path().join("traffic.sqlite")),
    })?;
    let connection = connect(options(program, server, folder.path()), recorder.clone());
    let status = connection.settled().await;
    if status.state != State::Ready {
        return Err(format!("our client could not connect: {:?}", status.failure).into());
    }
    echo(&connection, &recorder, WARM_UP, in_flight).await?;
    let took = echo(&connection, &recorder, calls, in_flight).await?;
    connection.close().await;
    store.close().await?;
    Ok(took)
}

/// Makes the calls and waits until each is answered *and* every byte is on disk.
pub(crate) async fn echo(
    connection: &Connection,
    recorder: &Recorder,
    calls: usize,
    in_flight: usize,
) -> Result<Duration, Failure> {
    let begun = Instant::now();
    let mut answers = stream::iter(0..calls)
        .map(|at| async move {
            let params = format!(r#"{{"name":"echo","arguments":{{"text":"call {at}"}}}}"#);
            connection
                .request(Request::new("tools/call", Some(params)))
                .await
                .finished()
                .await
        })
        .buffer_unordered(in_flight);
    while let Some(finished) = answers.next().await {
        if finished.outcome != Outcome::Result {
            return Err(format!("a call ended with {:?}", finished.outcome).into());
        }
    }
    recorder.flush().await?;
    Ok(begun.elapsed())
}

fn options(program: &str, server: &[String], folder: &Path) -> ConnectOptions {
    let stdio = StdioConfig {
        command: program.to_owned(),
        args: server.to_vec(),
        env: Vec::new(),
        cwd: Some(folder.to_path_buf()),
        environment: Arc::new(patchbay_client::Environment::inherited()),
    };
    ConnectOptions {
        // The same handshake as rmcp's client, and so the same messages.
        era: EraChoice::Legacy,
        ..ConnectOptions::new("bench", "bench", Arc::new(stdio), client_info())
    }
}

/// The name and version that our client sends.
pub(crate) fn client_info() -> ClientInfo {
    ClientInfo {
        name: "patchbay-bench".into(),
        title: None,
        version: env!("CARGO_PKG_VERSION").into(),
    }
}
