//! `patchbay-soak kills`: our own process is killed at random moments. Nothing of it is left, and its log opens again.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use patchbay_engine::{Engine, EngineOptions, StoreChoice};
use serde_json::json;
use tokio::task::JoinSet;

use crate::host::Host;
use crate::random::Random;
use crate::run::call;
use crate::script::{REVISIONS, Script, Transport};
use crate::watchdog;

/// Marks a victim and all that it starts.
pub(crate) const MARK: &str = "PATCHBAY_SOAK_VICTIM";
/// The phases of a victim; it is killed after a random time in a random one.
const PHASES: [&str; 5] = ["open", "add", "connect", "ready", "call"];
/// The longest time in a phase before the kill, in µs.
const LONGEST: usize = 40_000;
/// How many victims there are at once.
const AT_ONCE: usize = 3;
/// Longer than the guardian takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// What may be in the data folder of a Patchbay that is not running.
pub(crate) const FILES: [&str; 9] = [
    "traffic.sqlite",
    "servers.json",
    "eras.json",
    "ui.json",
    "authorizations.json",
    "definitions",
    "changes",
    "chats",
    "traffic.lock",
];

pub(crate) async fn run(host: &Arc<Host>, seed: u64, count: u64) -> ExitCode {
    for (number, transport) in [
        Transport::Stdio,
        Transport::Stdio,
        Transport::Http,
        Transport::Http,
    ]
    .into_iter()
    .enumerate()
    {
        let script = Script {
            transport,
            revision: REVISIONS[if number % 2 == 0 { 4 } else { 3 }],
            structure: 0,
            order: 10,
            carriage: 0,
            ..Script::new(seed, number as u64)
        };
        host.add(&format!("kill-{number}"), script);
    }
    let begun = Instant::now();
    let mut running = JoinSet::new();
    let mut next = 0;
    let mut phases: BTreeMap<&str, u64> = BTreeMap::new();
    let mut processes = 0;
    let mut failures = Vec::new();
    loop {
        while next < count && running.len() < AT_ONCE {
            let host = host.clone();
            running.spawn(async move { (next, killed(&host, seed, next).await) });
            next += 1;
        }
        let Some(ended) = running.join_next().await else {
            break;
        };
        match ended {
            Ok((number, Ok((phase, seen)))) => {
                processes += seen;
                watchdog::alive(format!("kills, after number {number}"));
                *phases.entry(phase).or_default() += 1;
            }
            Ok((number, Err(error))) => failures.push(format!("--seed {seed} kill {number}: {error}")),
            Err(panic) => failures.push(panic.to_string()),
        }
        host.forget_traffic();
    }
    println!(
        "{:.1} s, {processes} processes were left alone, killed while: {phases:?}",
        begun.elapsed().as_secs_f64()
    );
    for failure in failures.iter().take(20) {
        println!("FAILED {failure}");
    }
    println!(
        "{} passed, {} failed",
        phases.values().sum::<u64>(),
        failures.len()
    );
    ExitCode::from(u8::from(!failures.is_empty()))
}

/// One victim. Returns the phase in which it was killed, and how many processes there were.
async fn killed(host: &Host, seed: u64, number: u64) -> Result<(&'static str, usize), String> {
    let mut random = Random::new(seed, 1_000 + number);
    let (phase, pause) = (PHASES[random.below(PHASES.len())], random.below(LONGEST));
    let data = tempfile::tempdir().map_err(|error| error.to_string())?;
    let temporary = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mark = format!("{}-{seed}-{number}", std::process::id());
    // A session of its own, by which the guardian is found, which inherits no variable.
    let mut command = Command::new("setsid");
    command
        .arg(std::env::current_exe().map_err(|error| error.to_string())?)
        .args(["victim", &host.stdio.to_string(), &host.http.to_string()])
        .arg(data.path())
        .env(MARK, &mark)
        .env("TMPDIR", temporary.path())
        .stdout(Stdio::piped());
    let pause = Duration::from_micros(pause as u64);
    let struck = tokio::task::spawn_blocking({
        let mark = mark.clone();
        move || strike(command, &mark, phase, pause)
    });
    let (session, seen) = struck.await.map_err(|panic| panic.to_string())??;
    nothing_runs(&mark, session).await?;
    opens_again(data.path()).await?;
    let left = names(temporary.path());
    match left.is_empty() {
        true => Ok((phase, seen)),
        false => Err(format!(
            "killed in `{phase}`: left in the temporary folder: {left:?}"
        )),
    }
}

/// Starts the victim, and kills it so long after the phase has begun.
fn strike(mut command: Command, mark: &str, phase: &str, pause: Duration) -> Result<(u32, usize), String> {
    let mut victim = command.spawn().map_err(|error| error.to_string())?;
    let stdout = victim.stdout.take().ok_or("it has no stdout")?;
    // Kept open: the victim goes on writing.
    let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
    let reached = lines.any(|line| line == phase);
    std::thread::sleep(pause);
    let seen = running(mark, victim.id()).len();
    let killed = victim.kill();
    let status = victim.wait().map_err(|error| error.to_string())?;
    match reached && killed.is_ok() && std::os::unix::process::ExitStatusExt::signal(&status) == Some(9) {
        true => Ok((victim.id(), seen)),
        false => Err(format!("the victim ended by itself before `{phase}`: {status}")),
    }
}

/// Waits until no process with this mark or of this session runs.
pub(crate) async fn nothing_runs(mark: &str, session: u32) -> Result<(), String> {
    let begun = Instant::now();
    loop {
        let left = running(mark, session);
        if left.is_empty() {
            return Ok(());
        }
        if begun.elapsed() > PATIENCE {
            return Err(format!("still running after {PATIENCE:?}: {left:?}"));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The processes with this mark or of this session, by their command lines.
fn running(mark: &str, session: u32) -> Vec<String> {
    let mark = format!("{MARK}={mark}\0");
    let mut left = Vec::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        // What ends meanwhile cannot be read.
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        let is_marked = environment
            .windows(mark.len())
            .any(|part| part == mark.as_bytes());
        let stat = fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        // After the name, which may contain anything: state, parent, group, session.
        let fields = stat.rsplit(") ").next().unwrap_or_default();
        let of_session = fields.split(' ').nth(3) == Some(&*session.to_string());
        // A zombie holds nothing.
        if (is_marked || of_session) && !fields.starts_with('Z') {
            let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
            left.push(String::from_utf8_lossy(&line).replace('\0', " "));
        }
    }
    left
}

/// The next Patchbay opens the folder as it is: nothing is set aside, no request waits any more, and after its end only files
/// are left that belong there.
async fn opens_again(folder: &Path) -> Result<(), String> {
    let options = EngineOptions {
        store: StoreChoice::Persistent,
        ..EngineOptions::within(folder)
    };
    let engine = Engine::open(options)
        .await
        .map_err(|error| format!("it does not open again: {error}"))?;
    let info = call(&engine, "app_info", json!({})).await?;
    let rows = json!({"filter": "kind:request status:pending", "offset": 0, "limit": 1});
    let rows = call(&engine, "traffic_rows", rows).await;
    engine.shutdown().await;
    drop(engine);
    if info["notices"]
        .as_array()
        .is_none_or(|notices| !notices.is_empty())
    {
        return Err(format!("it opens with notices: {}", info["notices"]));
    }
    let rows = rows?;
    if rows["rows"].as_array().is_none_or(|rows| !rows.is_empty()) {
        return Err(format!("requests of the killed process still wait: {rows}"));
    }
    let odd: Vec<String> = names(folder)
        .into_iter()
        .filter(|name| !FILES.contains(&&**name))
        .collect();
    match odd.is_empty() {
        true => Ok(()),
        false => Err(format!("left in the data folder: {odd:?}")),
    }
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}
