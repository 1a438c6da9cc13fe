//! The peak memory of a client during one call whose answer is an event stream of 100 MB: ours (which writes all of it to disk)
//! beside rmcp's (which discards it), and beside ours for 300 MB. If memory is constant, that ratio is 1. Each client runs in
//! a process of its own, so that the peaks do not mix.

use patchbay_client::{Outcome, Request, State, connect};
use patchbay_rmcp::{Answers, Caller, Failure};
use patchbay_traffic::{Store, StoreOptions};

use crate::alone;
use crate::http_calls::options;
use crate::http_server::HttpServer;
use crate::report::{Better, Measured};

const RUNS: usize = 3;

/// Log messages of 64 KiB, 1,600 of them or three times as many.
const WHOLE: usize = 1_600;
const THRICE: usize = WHOLE * 3;
const BYTES: usize = 64 << 10;

pub(crate) async fn run(as_json: bool) -> Result<(), Failure> {
    let server = HttpServer::start(Answers::Events).await?;
    let [mut ours, mut thrice, mut theirs] = [const { Vec::new() }; 3];
    for run in 0..RUNS {
        for turn in 0..3 {
            match (run + turn) % 3 {
                0 => ours.push(peak_of("ours", WHOLE, &server.url).await?),
                1 => thrice.push(peak_of("ours", THRICE, &server.url).await?),
                _ => theirs.push(peak_of("rmcp", WHOLE, &server.url).await?),
            }
        }
    }
    let line = |name: &str, peer, theirs| Measured {
        name: name.to_owned(),
        unit: "MB peak",
        better: Better::Less,
        ours: ours.clone(),
        peer,
        theirs,
    };
    line("sse-100mb", "rmcp 3.9.0", theirs).print(as_json);
    line("sse-100mb-constant", "Patchbay, 300 MB", thrice).print(as_json);
    Ok(())
}

/// Runs one client in a process of its own and returns its peak memory.
async fn peak_of(client: &str, count: usize, url: &str) -> Result<f64, Failure> {
    alone::number(&["sse-client", client, &count.to_string(), url]).await
}

/// Runs as one client and prints its peak memory in MB.
pub(crate) async fn client(which: &str, count: &str, url: &str) -> Result<(), Failure> {
    let count = count.parse()?;
    match which {
        "ours" => our_call(count, url).await?,
        _ => {
            let caller = Caller::connect_http(url, 1).await?;
            caller.burst(count, BYTES).await?;
            caller.close().await?;
        }
    }
    println!("{}", peak_megabytes()?);
    Ok(())
}

async fn our_call(count: usize, url: &str) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let (store, recorder) = Store::open(StoreOptions {
        path: Some(folder.path().join("traffic.sqlite")),
    })?;
    let connection = connect(options(url), recorder.clone());
    let status = connection.settled().await;
    if status.state != State::Ready {
        return Err(format!("our client could not connect: {:?}", status.failure).into());
    }
    let params = format!(r#"{{"name":"log_burst","arguments":{{"count":{count},"bytes":{BYTES}}}}}"#);
    let call = connection.request(Request::new("tools/call", Some(params))).await;
    let finished = call.finished().await;
    if finished.outcome != Outcome::Result {
        return Err(format!("the call ended with {:?}", finished.outcome).into());
    }
    recorder.flush().await?;
    connection.close().await;
    store.close().await?;
    Ok(())
}

/// The peak resident memory of this process, from Linux.
fn peak_megabytes() -> Result<f64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: f64 = line
        .and_then(|line| line.split_whitespace().next())
        .ok_or("this system does not say it")?
        .parse()?;
    Ok(kilobytes / 1000.0)
}
