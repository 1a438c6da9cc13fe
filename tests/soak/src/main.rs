//! Machines that look for more, each against the engine in this process.
//!
//! - `scripts`: generated hostile servers. `--seed N` and `--count N` say which, `--minutes N` goes on with new seeds for so
//!   long, `--only N` runs one of them again.
//! - `servers`: eight servers at once, for `--seconds N` or `--minutes N`. `--leak memory`, `files` or `tasks` leaks on purpose.
//! - `kills`: `--count N` times our own process is killed.
//! - `disk`: a disk that fails at its N-th operation, and our own process killed at it, or between two messages. `--count N` of them, or
//!   all; `--kind NAME` only those of one kind, `--only N` only that operation.
//!
//! All end with 1 if nothing happens for 50 s.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a program of the tests or of the build, not of the product"
)]

mod compare;
mod disk;
mod flat;
mod host;
mod kills;
mod measure;
mod random;
mod run;
mod script;
mod servers;
mod victim;
mod watchdog;

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
use servers::Leak;

/// How many servers run at once, and how many share an engine.
const AT_ONCE: usize = 64;
const BATCH: usize = 500;
/// How many scripts of a seed are run, unless it is said.
const SCRIPTS: u64 = 2_000;
/// The most memory, in MB.
const MEMORY: usize = 1_000;

struct Options {
    what: What,
    seed: u64,
    count: Option<u64>,
    only: Option<u64>,
    time: Duration,
    leak: Option<Leak>,
    kind: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Scripts,
    Servers,
    Kills,
    Disk,
}

const USAGE: &str = "usage: patchbay-soak scripts [--seed N] [--count N] [--only N] [--minutes N]
       patchbay-soak servers [--seed N] [--seconds N | --minutes N] [--leak memory|files|tasks]
       patchbay-soak kills [--seed N] [--count N]
       patchbay-soak disk [--seed N] [--count N] [--kind NAME [--only N]]";

/// The programs that are parts of a machine.
const PARTS: [&str; 3] = ["victim", "session", "reopened"];
/// How often they look whether it still runs.
const LOOK: Duration = Duration::from_millis(200);

/// Ends this program soon after its parent has ended. It is in a session of its own, so that Ctrl-C does not reach it, and its
/// pipes and files are those of the test.
fn end_with_parent() {
    let parent = std::os::unix::process::parent_id();
    std::thread::spawn(move || {
        while std::os::unix::process::parent_id() == parent {
            std::thread::sleep(LOOK);
        }
        std::process::exit(1);
    });
}

fn runtime(workers: usize) -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(workers).enable_all().build().unwrap()
}

/// A program that is a part of a machine. It ends with that, which is its parent.
fn part(args: &[String]) -> Option<ExitCode> {
    if args.first().is_some_and(|what| PARTS.contains(&&**what)) {
        end_with_parent();
    }
    let ended = match args {
        [what, stdio, http, folder] if what == "victim" => {
            let lived = runtime(2).block_on(victim::run(folder.as_ref(), stdio, http));
            lived.and(Err("it ended".to_owned()))
        }
        [what, folder, stdio, http] if what == "session" => {
            runtime(2).block_on(disk::session::run(folder.as_ref(), stdio, http))
        }
        [what, folder] if what == "reopened" => runtime(2).block_on(disk::session::reopened(folder.as_ref())),
        _ => return None,
    };
    if let Err(error) = &ended {
        eprintln!("{error}");
    }
    Some(ExitCode::from(u8::from(ended.is_err())))
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some(ended) = part(&args) {
        return ended;
    }
    let Some(options) = options(&args) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    watchdog::start();
    let folder = std::env::var_os("PATCHBAY_SPEC_DIR").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec"),
        PathBuf::from,
    );
    let Some(schemas) = Schemas::read(&folder) else {
        println!("SKIPPED the official schemas are not in {}", folder.display());
        return ExitCode::SUCCESS;
    };
    let (theirs, ours) = (runtime(1), runtime(2));
    let host = Host::start(theirs.handle(), Arc::new(schemas));
    match options.what {
        What::Scripts => scripts(&ours, &host, &options),
        What::Servers => ours.block_on(servers::run(
            &host,
            &servers::Options {
                seed: options.seed,
                time: options.time,
                leak: options.leak,
            },
        )),
        What::Kills => ours.block_on(kills::run(&host, options.seed, options.count.unwrap_or(40))),
        What::Disk => ours.block_on(disk::run(
            &host,
            &disk::Options {
                seed: options.seed,
                count: options.count,
                kind: options.kind,
                only: options.only,
            },
        )),
    }
}

fn scripts(ours: &tokio::runtime::Runtime, host: &Arc<Host>, options: &Options) -> ExitCode {
    let mut report = Report::default();
    let begun = Instant::now();
    let mut seed = options.seed;
    loop {
        ours.block_on(report.batches(host, seed, options));
        if !report.failures.is_empty() || begun.elapsed() >= options.time {
            break;
        }
        seed += 1;
    }
    report.print(begun.elapsed())
}

fn options(args: &[String]) -> Option<Options> {
    let mut args = args.iter();
    let (what, known): (_, &[&str]) = match &**args.next()? {
        "scripts" => (
            What::Scripts,
            &["--seed", "--count", "--only", "--minutes", "--seconds"],
        ),
        "servers" => (What::Servers, &["--seed", "--seconds", "--minutes", "--leak"]),
        "kills" => (What::Kills, &["--seed", "--count"]),
        "disk" => (What::Disk, &["--seed", "--count", "--kind", "--only"]),
        _ => return None,
    };
    let mut options = Options {
        what,
        seed: 1,
        count: None,
        only: None,
        time: Duration::ZERO,
        leak: None,
        kind: None,
    };
    while let Some(name) = args.next() {
        // An option that would have no effect is refused.
        let text = args.next().filter(|_| known.contains(&&**name))?;
        let value = || text.parse().ok();
        match &**name {
            "--seed" => options.seed = value()?,
            "--count" => options.count = Some(value()?),
            "--only" => options.only = Some(value()?),
            "--kind" => options.kind = Some(text.clone()),
            "--minutes" => options.time = Duration::from_secs(60 * value()?),
            "--seconds" => options.time = Duration::from_secs(value()?),
            "--leak" => {
                options.leak = Some(match &**text {
                    "memory" => Leak::Memory,
                    "files" => Leak::Files,
                    "tasks" => Leak::Tasks,
                    _ => return None,
                });
            }
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
        let numbers: Vec<u64> = options.only.map_or_else(
            || (0..options.count.unwrap_or(SCRIPTS)).collect(),
            |only| vec![only],
        );
        warm_up(host, seed).await;
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
        let bridge = Arc::new(run::bridge());
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
            let one = running.join_next().await;
            watchdog::alive(format!("hostile scripts, {} are running", running.len()));
            match one {
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

/// What is made once, by the first servers, is not counted.
async fn warm_up(host: &Arc<Host>, seed: u64) {
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
    Report::default().batch(host, warm.into(), false).await;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_without_effect_is_refused() {
        let parsed = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            options(&words)
        };
        for line in [
            "scripts --minutes 1",
            "scripts --seed 1 --only 42",
            "servers --minutes 1 --leak files",
            "kills --count 3",
            "disk --kind k --only 7",
        ] {
            assert!(parsed(line).is_some(), "{line}");
        }
        for line in [
            "kills --count 3 --minutes 1",
            "disk --minutes 1",
            "servers --only 42",
            "kills --leak files",
            "scripts --kind k",
        ] {
            assert!(parsed(line).is_none(), "{line}");
        }
    }
}
