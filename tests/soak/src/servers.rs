//! `patchbay-soak servers`: eight servers of both eras and both transports for a time. What the engine holds stays the same,
//! and every request ends once.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use patchbay_contract::{EraChoice, ServerId};
use patchbay_engine::{Engine, EngineOptions};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::flat::{Sample, flat};
use crate::host::Host;
use crate::measure::{self, Held};
use crate::random::Random;
use crate::run::{bridge, call, list};
use crate::script::{REVISIONS, Script, Transport};
use crate::watchdog;

/// How many servers there are: two of each era and transport.
pub(crate) const SERVERS: u64 = 8;
/// What each server is asked for in a round.
pub(crate) const ACTIONS: usize = 12;
/// How many rounds there are at least, so that growth can be told from noise.
const ROUNDS: usize = 16;
/// The chance, in percent, that a server does something in the wrong order, late or not at all, notifies or asks unrequested,
/// or ends.
const DISORDER: usize = 8;
/// How long the last tasks of a round may take to end.
const SETTLING: Duration = Duration::from_secs(1);

/// What is leaked on purpose, to see that it is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leak {
    Memory,
    Files,
    Tasks,
}

pub(crate) struct Options {
    pub(crate) seed: u64,
    pub(crate) time: Duration,
    pub(crate) leak: Option<Leak>,
}

/// How requests ended.
#[derive(Default)]
struct Ends {
    requests: AtomicU64,
    cancelled: AtomicU64,
    reconnects: AtomicU64,
}

pub(crate) async fn run(host: &Arc<Host>, options: &Options) -> ExitCode {
    let begun = Instant::now();
    crate::warm_up(host, options.seed).await;
    let before = Held::now();
    let mut outcome = soak(host, options).await;
    if outcome.is_ok()
        && options.leak.is_none()
        && let Err(left) = crate::all_gone(before).await
    {
        outcome = Err(left);
    }
    let (now, most) = measure::memory();
    let took = begun.elapsed().as_secs_f64();
    println!("{took:.1} s, {now} MB in use at the end, {most} MB at most");
    match outcome {
        Ok(()) => {
            println!("1 passed, 0 failed");
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("FAILED {error}\n0 passed, 1 failed");
            ExitCode::FAILURE
        }
    }
}

async fn soak(host: &Arc<Host>, options: &Options) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
    let mut servers = Vec::new();
    for number in 0..SERVERS {
        servers.push(add(&engine, host, options.seed, number).await?);
    }
    let ends = Arc::new(Ends::default());
    let mut leaked = Vec::new();
    let mut samples = Vec::new();
    let begun = Instant::now();
    while samples.len() < ROUNDS || begun.elapsed() < options.time {
        let round = samples.len() as u64;
        watchdog::alive(format!("round {round} of eight servers"));
        one_round(&engine, &servers, options.seed, round, &ends).await?;
        host.forget_traffic();
        leak(options.leak, &mut leaked);
        samples.push(sample(&ends, &samples).await);
    }
    watchdog::alive("the end of eight servers");
    engine.disconnect().await;
    // An export waits until all that was recorded is in the log.
    let export = tempfile::tempfile().map_err(|error| error.to_string())?;
    engine
        .export_recording(export)
        .await
        .map_err(|error| error.message)?;
    let pending = count(&engine, "kind:request status:pending").await?;
    let all = count(&engine, "").await?;
    let number = |of: &AtomicU64| of.load(Ordering::Relaxed);
    println!(
        "{} rounds, {} requests, {} cancelled, {} reconnects, {all} records; first and last: {:?}, {:?}",
        samples.len(),
        number(&ends.requests),
        number(&ends.cancelled),
        number(&ends.reconnects),
        samples.first(),
        samples.last(),
    );
    engine.shutdown().await;
    match pending {
        0 => flat(&samples),
        _ => Err(format!("{pending} requests have not ended")),
    }
}

/// A server of the user's, and whether it is modern.
async fn add(engine: &Engine, host: &Host, seed: u64, number: u64) -> Result<ServerId, String> {
    let modern = number.is_multiple_of(2);
    let script = Script {
        transport: if number % 4 < 2 {
            Transport::Stdio
        } else {
            Transport::Http
        },
        revision: REVISIONS[if modern { 4 } else { 3 }],
        structure: 0,
        order: DISORDER,
        carriage: 0,
        ..Script::new(seed, number)
    };
    let key = format!("soak-{number}");
    host.add(&key, script.clone());
    let mut draft = match script.transport {
        Transport::Stdio => engine
            .draft_of_command(&format!("{} {} {key}", bridge(), host.stdio))
            .map_err(|error| error.message)?,
        Transport::Http => engine.draft_of_url(&format!("http://{}/{key}/mcp", host.http)),
    };
    draft.name = key;
    draft.era = if modern {
        EraChoice::Modern
    } else {
        EraChoice::Legacy
    };
    draft.timeouts.request_ms = 1_000;
    draft.timeouts.max_total_ms = 3_000;
    engine.add_server(draft).await.map_err(|error| error.message)
}

/// All servers at once; each in turn is also closed and opened again.
async fn one_round(
    engine: &Engine,
    servers: &[ServerId],
    seed: u64,
    round: u64,
    ends: &Arc<Ends>,
) -> Result<(), String> {
    let mut all = JoinSet::new();
    for (number, id) in servers.iter().cloned().enumerate() {
        let (engine, ends) = (engine.clone(), ends.clone());
        let mut random = Random::new(seed.wrapping_add(round), number as u64);
        all.spawn(async move {
            if round % SERVERS == number as u64 {
                call(&engine, "connection_close", json!({"serverId": id})).await?;
            }
            let mut actions = JoinSet::new();
            for _ in 0..ACTIONS {
                // A server that has ended is connected to again, as a user would; it may be busy with that already.
                if call(&engine, "connection_get", json!({"serverId": id})).await?["connection"]["state"]
                    != "ready"
                {
                    ends.reconnects.fetch_add(1, Ordering::Relaxed);
                    let _ = engine.connect(&id).await.map_err(|error| error.message)?;
                }
                let (engine, ends, id) = (engine.clone(), ends.clone(), id.clone());
                let (what, cancel) = (random.below(6), random.chance(25));
                actions.spawn(async move { action(&engine, &id, what, cancel, &ends).await });
                if random.chance(40) {
                    while let Some(done) = actions.join_next().await {
                        done.map_err(|panic| panic.to_string())??;
                    }
                }
            }
            while let Some(done) = actions.join_next().await {
                done.map_err(|panic| panic.to_string())??;
            }
            Ok::<(), String>(())
        });
    }
    while let Some(done) = all.join_next().await {
        done.map_err(|panic| panic.to_string())??;
    }
    Ok(())
}

/// One request, which must end once, with something.
async fn action(
    engine: &Engine,
    id: &ServerId,
    what: usize,
    cancel: bool,
    ends: &Ends,
) -> Result<(), String> {
    ends.requests.fetch_add(1, Ordering::Relaxed);
    let (name, params) = match what {
        0 => {
            // A list that the server refuses is an answer too.
            let _ = call(engine, "tool_list", list(id)).await;
            return Ok(());
        }
        1 => (
            "resource_read",
            json!({"serverId": id, "uri": "https://example.test/1", "timeouts": null}),
        ),
        2 => (
            "prompt_get",
            json!({"serverId": id, "name": "name-0", "argumentsJson": null, "timeouts": null}),
        ),
        _ => (
            "tool_call",
            json!({"serverId": id, "name": "name-0", "argumentsJson": "{}", "metaJson": null, "timeouts": null}),
        ),
    };
    let (sink, mut events) = mpsc::channel(4);
    let stream = engine.open_stream(name, &params.to_string(), sink);
    let _stream = stream.map_err(|error| error.message)?;
    let (mut finished, mut ended) = (0, 0);
    while let Some(text) = events.recv().await {
        let message: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        if message["end"] == true {
            ended += 1;
            // Refused before it began: the server has just ended.
            finished += usize::from(finished == 0 && message["error"].is_object());
        }
        let event = &message["event"];
        finished += usize::from(event["type"] == "finished");
        if cancel && event["type"] == "started" {
            ends.cancelled.fetch_add(1, Ordering::Relaxed);
            let exchange = json!({"exchangeId": event["exchangeId"]});
            let _ = call(engine, "exchange_cancel", exchange).await;
        }
    }
    match (finished, ended) {
        (1, 1) => Ok(()),
        _ => Err(format!(
            "{name} finished {finished} times and its stream ended {ended} times"
        )),
    }
}

/// What is held once nothing is under way.
async fn sample(ends: &Ends, before: &[Sample]) -> Sample {
    let most = |of: fn(&Held) -> usize| before.iter().map(|sample| of(&sample.held)).min();
    let begun = Instant::now();
    loop {
        let held = Held::now();
        // Tasks and descriptors end a little later than what they were for.
        let settled = most(|held| held.tasks).is_none_or(|least| held.tasks <= least + 4);
        if settled || begun.elapsed() > SETTLING {
            return Sample {
                requests: ends.requests.load(Ordering::Relaxed),
                memory_kb: measure::memory_kb(),
                held,
            };
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn count(engine: &Engine, filter: &str) -> Result<u64, String> {
    let params = json!({"filter": filter, "offset": 0, "limit": 1});
    let rows = call(engine, "traffic_rows", params).await?;
    rows["total"]
        .as_f64()
        .map(|total| total as u64)
        .ok_or_else(|| format!("no total in {rows}"))
}

/// So much in each round.
fn leak(what: Option<Leak>, leaked: &mut Vec<Box<dyn std::any::Any + Send>>) {
    match what {
        None => {}
        Some(Leak::Memory) => leaked.push(Box::new(vec![1_u8; 1 << 20])),
        Some(Leak::Files) => {
            let open = || std::fs::File::open("/dev/null").unwrap();
            leaked.push(Box::new([open(), open(), open(), open()]));
        }
        Some(Leak::Tasks) => {
            for _ in 0..4 {
                drop(tokio::spawn(std::future::pending::<()>()));
            }
        }
    }
}
