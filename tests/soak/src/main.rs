//! `patchbay-soak scripts`: generated hostile servers against the engine, in this process.
//!
//! `--seed N` and `--count N` say which, `--minutes N` goes on with new seeds for so long, `--only N` runs one of them again.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a program of the tests or of the build, not of the product"
)]

mod compare;
mod host;
mod measure;
mod random;
mod run;
mod script;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use patchbay_engine::{Engine, EngineOptions};
use patchbay_traffic::Direction;
use tokio::task::JoinSet;

use compare::Logged;
use host::Host;
use measure::Held;
use run::Ran;
use script::{Script, Transport, schemas::Schemas};

/// How many servers run at once, and how many share an engine.
const AT_ONCE: usize = 64;
const BATCH: usize = 500;
/// The most memory, in MB.
const MEMORY: usize = 1_000;

struct Options {
    seed: u64,
    count: u64,
    only: Option<u64>,
    minutes: Option<u64>,
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("usage: patchbay-soak scripts [--seed N] [--count N] [--only N] [--minutes N]");
        return ExitCode::from(2);
    };
    let folder = std::env::var_os("PATCHBAY_SPEC_DIR").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec"),
        PathBuf::from,
    );
    let Some(schemas) = Schemas::read(&folder) else {
        println!("SKIPPED the official schemas are not in {}", folder.display());
        return ExitCode::SUCCESS;
    };
    let of = |workers| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(workers).enable_all().build().unwrap()
    };
    let (theirs, ours) = (of(1), of(2));
    let host = Host::start(theirs.handle(), Arc::new(schemas));
    let mut report = Report::default();
    let begun = Instant::now();
    let mut seed = options.seed;
    loop {
        ours.block_on(report.batches(&host, seed, &options));
        let limit = Duration::from_secs(60 * options.minutes.unwrap_or(0));
        if !report.failures.is_empty() || begun.elapsed() >= limit {
            break;
        }
        seed += 1;
    }
    report.print(begun.elapsed())
}

fn options() -> Option<Options> {
    let mut options = Options {
        seed: 1,
        count: 2_000,
        only: None,
        minutes: None,
    };
    let mut args = std::env::args().skip(1);
    if args.next()? != "scripts" {
        return None;
    }
    while let Some(name) = args.next() {
        let value = args.next()?.parse().ok()?;
        match &*name {
            "--seed" => options.seed = value,
            "--count" => options.count = value,
            "--only" => options.only = Some(value),
            "--minutes" => options.minutes = Some(value),
            _ => return None,
        }
    }
    Some(options)
}

#[derive(Default)]
struct Report {
    passed: u64,
    failures: Vec<String>,
    states: BTreeMap<String, u64>,
    /// The number of messages of the log that were compared.
    compared: usize,
}

impl Report {
    async fn batches(&mut self, host: &Arc<Host>, seed: u64, options: &Options) {
        let numbers: Vec<u64> = options
            .only
            .map_or_else(|| (0..options.count).collect(), |only| vec![only]);
        // What is made once is not counted.
        let warm = [Transport::Stdio, Transport::Http].map(|transport| {
            let number = (1 << 40) + transport as u64;
            Script {
                transport,
                structure: 0,
                order: 0,
                carriage: 0,
                ..Script::new(seed, number)
            }
        });
        self.batch(host, warm.into(), false).await;
        for numbers in numbers.chunks(BATCH) {
            let scripts = numbers.iter().map(|number| Script::new(seed, *number)).collect();
            self.batch(host, scripts, true).await;
        }
    }

    /// Runs some scripts with one engine; afterwards nothing of it is left.
    async fn batch(&mut self, host: &Arc<Host>, scripts: Vec<Script>, measured: bool) {
        let before = Held::now();
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
        let bridge = std::env::current_exe()
            .unwrap()
            .with_file_name("patchbay-soak-bridge");
        let bridge = Arc::new(format!("'{}'", bridge.display()));
        let mut waiting = scripts.into_iter();
        let mut running = JoinSet::new();
        let mut ended = Vec::new();
        loop {
            while running.len() < AT_ONCE
                && let Some(script) = waiting.next()
            {
                let (engine, host, bridge) = (engine.clone(), host.clone(), bridge.clone());
                running
                    .spawn(async move { (script.clone(), run::run(&engine, &host, &bridge, script).await) });
            }
            match running.join_next().await {
                Some(Ok((script, Ok(ran)))) => ended.push((script, ran)),
                Some(Ok((script, Err(error)))) => self.failures.push(format!("{script}: {error}")),
                Some(Err(panic)) => self.failures.push(panic.to_string()),
                None => break,
            }
        }
        let mut logs = logs(&engine).await;
        engine.shutdown().await;
        drop(engine);
        for (script, ran) in ended {
            match judged(&ran, &mut logs) {
                Ok(compared) => {
                    self.passed += 1;
                    self.compared += compared;
                }
                Err(error) => self.failures.push(format!("{script}: {error}")),
            }
            *self.states.entry(ran.state).or_default() += 1;
        }
        drop(folder);
        if measured && let Err(error) = all_gone(before).await {
            self.failures.push(error);
        }
        let (_, most) = measure::memory();
        if most > MEMORY {
            self.failures
                .push(format!("{most} MB of memory were used, more than {MEMORY}"));
        }
    }

    fn print(&self, took: Duration) -> ExitCode {
        for (state, count) in &self.states {
            println!("{count:>7} ended as {state}");
        }
        let (now, most) = measure::memory();
        println!(
            "{:.1} s, {} messages compared with the log, {now} MB in use at the end, {most} MB at most",
            took.as_secs_f64(),
            self.compared
        );
        for failure in self.failures.iter().take(20) {
            println!("FAILED {failure}");
        }
        println!("{} passed, {} failed", self.passed, self.failures.len());
        ExitCode::from(u8::from(!self.failures.is_empty()))
    }
}

/// Returns the number of messages in the log of the server.
fn judged(ran: &Ran, logs: &mut HashMap<i64, Logged>) -> Result<usize, String> {
    let mut logged = Logged::default();
    for connection in &ran.connections {
        if let Some(part) = logs.remove(connection) {
            logged.sent.extend(part.sent);
            logged.received.extend(part.received);
        }
    }
    if ran.server.script.is_valid() && !ran.violations.is_empty() {
        return Err(format!("accused without reason: {}", ran.violations.join("; ")));
    }
    if logged.sent.len() < 2 || logged.received.is_empty() {
        return Err(format!("the log has next to nothing: {logged:?}"));
    }
    compare::compare(ran, &logged)?;
    Ok(logged.sent.len() + logged.received.len())
}

/// Everything recorded, by connection.
async fn logs(engine: &Engine) -> HashMap<i64, Logged> {
    let file = tempfile::NamedTempFile::new().unwrap();
    engine.export_recording(file.reopen().unwrap()).await.unwrap();
    let mut logs: HashMap<i64, Logged> = HashMap::new();
    let lines = std::io::BufReader::new(file.reopen().unwrap());
    for frame in patchbay_traffic::recording::read(lines) {
        let frame = frame.unwrap();
        let log = logs.entry(frame.connection).or_default();
        match frame.direction {
            Some(Direction::ClientToServer) => log.sent.push(frame.bytes.to_vec()),
            Some(Direction::ServerToClient) => log.received.push(frame.bytes.to_vec()),
            None => {}
        }
    }
    logs
}

/// Waits until nothing is left: tasks and files end a little later than what they were for.
async fn all_gone(before: Held) -> Result<(), String> {
    let begun = Instant::now();
    loop {
        let now = Held::now();
        if now.is_within(&before) {
            return Ok(());
        }
        if begun.elapsed() > Duration::from_secs(20) {
            return Err(format!(
                "left after everything was closed: {now:?}, before: {before:?}"
            ));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
