//! One call whose answer is an event stream of 100 MB: the most memory a client takes for it, ours (which writes all of it
//! to disk) beside rmcp's (which throws it away). Each client is a process of its own, so that its peak is its own.

use patchbay_client::{Outcome, Request, State, connect};
use patchbay_rmcp::{Answers, Caller, Failure};
use patchbay_traffic::{Store, StoreOptions};
use tokio::process::Command;

use crate::http_calls::options;
use crate::http_server::HttpServer;
use crate::report::{Better, Measured};

const RUNS: usize = 3;

/// 1,600 log messages of 64 KiB.
const COUNT: usize = 1_600;
const BYTES: usize = 64 << 10;

pub(crate) async fn run(as_json: bool) -> Result<(), Failure> {
    let server = HttpServer::start(Answers::Events).await?;
    let [mut ours, mut theirs] = [const { Vec::new() }; 2];
    for run in 0..RUNS {
        for our_turn in [run % 2 == 0, run % 2 == 1] {
            if our_turn {
                ours.push(peak_of("ours", &server.url).await?);
            } else {
                theirs.push(peak_of("rmcp", &server.url).await?);
            }
        }
    }
    Measured {
        name: "sse-100mb".to_owned(),
        unit: "MB peak",
        better: Better::Less,
        ours,
        peer: "rmcp 3.9.0",
        theirs,
    }
    .print(as_json);
    Ok(())
}

/// Runs one client in a process of its own and gives its peak memory.
async fn peak_of(client: &str, url: &str) -> Result<f64, Failure> {
    let output = Command::new(std::env::current_exe()?)
        .args(["sse-client", client, url])
        .output()
        .await?;
    let said = String::from_utf8_lossy(&output.stdout);
    let peak = said.trim().parse();
    peak.map_err(|_| {
        format!(
            "the client `{client}`: {}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into()
    })
}

/// Is one client, and says its peak memory in MB.
pub(crate) async fn client(which: &str, url: &str) -> Result<(), Failure> {
    match which {
        "ours" => our_call(url).await?,
        _ => {
            let caller = Caller::connect_http(url, 1).await?;
            caller.burst(COUNT, BYTES).await?;
            caller.close().await?;
        }
    }
    println!("{}", peak_megabytes()?);
    Ok(())
}

async fn our_call(url: &str) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let (store, recorder) = Store::open(StoreOptions {
        path: Some(folder.path().join("traffic.sqlite")),
    })?;
    let connection = connect(options(url), recorder.clone());
    let status = connection.settled().await;
    if status.state != State::Ready {
        return Err(format!("our client could not connect: {:?}", status.failure).into());
    }
    let params = format!(r#"{{"name":"log_burst","arguments":{{"count":{COUNT},"bytes":{BYTES}}}}}"#);
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

/// The most memory this process ever had in use, as Linux counts it.
fn peak_megabytes() -> Result<f64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: f64 = line
        .and_then(|line| line.split_whitespace().next())
        .ok_or("this system does not say it")?
        .parse()?;
    Ok(kilobytes / 1000.0)
}
