//! `patchbay-soak disk`: one short session after another on a disk that fails at its N-th operation, is full or slow, or in which the
//! process is killed at its N-th operation on a file, a pipe or a socket. What was said to be stored is there afterwards, everything
//! opens again, and nothing else is left.

mod kinds;
mod one;
pub(crate) mod session;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use patchbay_test_server::faults;
use tokio::task::JoinSet;

use crate::host::Host;
use crate::script::{REVISIONS, Script, Transport};
use crate::watchdog;
use kinds::{KINDS, Kind, SLOW};

/// How many sessions there are at once.
const AT_ONCE: usize = 3;

pub(crate) struct Options {
    pub(crate) seed: u64,
    /// How many operations are struck, over all kinds; none: all.
    pub(crate) count: Option<u64>,
    /// Only those of this kind.
    pub(crate) kind: Option<String>,
    /// Only this operation.
    pub(crate) only: Option<u64>,
}

/// Where the servers are, and the library.
struct Stage {
    host: Arc<Host>,
    seed: u64,
    library: PathBuf,
}

impl Stage {
    /// The servers of one session, by the number in their keys.
    fn serve(&self, number: usize) -> [Arc<crate::host::Server>; 2] {
        [Transport::Stdio, Transport::Http].map(|transport| {
            let script = Script {
                transport,
                revision: REVISIONS[3],
                structure: 0,
                order: 0,
                carriage: 0,
                ..Script::new(self.seed, 0)
            };
            let server = self.host.add(&key(transport, number), script);
            server.be_fair();
            server
        })
    }
}

fn key(transport: Transport, number: usize) -> String {
    format!("disk-{transport:?}-{number}").to_lowercase()
}

pub(crate) async fn run(host: &Arc<Host>, options: &Options) -> ExitCode {
    match all(host, options).await {
        Ok(code) => code,
        Err(error) => {
            println!("FAILED {error}\n0 passed, 1 failed");
            ExitCode::FAILURE
        }
    }
}

async fn all(host: &Arc<Host>, options: &Options) -> Result<ExitCode, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let stage = Arc::new(Stage {
        host: host.clone(),
        seed: options.seed,
        library: faults::library(folder.path())?,
    });
    let begun = Instant::now();
    let mut plan = plan(&stage, options).await?.into_iter().enumerate();
    let (mut running, mut failures, mut struck, mut passed) = (JoinSet::new(), Vec::new(), 0, 0);
    loop {
        while running.len() < AT_ONCE
            && let Some((session, (kind, number))) = plan.next()
        {
            let stage = stage.clone();
            running.spawn(async move {
                (
                    kind,
                    number,
                    one::session(&stage, session + 1, kind, number).await,
                )
            });
        }
        let Some(ended) = running.join_next().await else {
            break;
        };
        let (kind, number, ended) = ended.map_err(|panic| panic.to_string())?;
        watchdog::alive(format!("disk, after {} {number}", kind.name));
        match ended {
            Ok(was_struck) => {
                passed += 1;
                struck += u32::from(was_struck > 0);
            }
            Err(error) => {
                println!("FAILED --kind '{}' --only {number}: {error}", kind.name);
                failures.push(kind.name);
            }
        }
    }
    println!(
        "{:.1} s, a fault was met in {struck} sessions",
        begun.elapsed().as_secs_f64()
    );
    println!("{passed} passed, {} failed", failures.len());
    if struck == 0 {
        return Err("no session met a fault".to_owned());
    }
    Ok(ExitCode::from(u8::from(!failures.is_empty())))
}

/// Which operations are struck: as many of each kind, spread over the session.
async fn plan(stage: &Arc<Stage>, options: &Options) -> Result<Vec<(&'static Kind, u32)>, String> {
    let is_wanted = |kind: &Kind| options.kind.as_ref().is_none_or(|wanted| wanted == kind.name);
    let kinds: Vec<&'static Kind> = KINDS.iter().filter(|kind| is_wanted(kind)).collect();
    let mut plan = Vec::new();
    if kinds.is_empty() && !is_wanted(&SLOW) {
        return Err(format!("no kind is called {:?}", options.kind));
    }
    if is_wanted(&SLOW) {
        plan.push((&SLOW, 1));
    }
    if let Some(only) = options.only {
        let only = u32::try_from(only).map_err(|error| error.to_string())?;
        return Ok(kinds.into_iter().map(|kind| (kind, only)).collect());
    }
    let mut totals: Vec<(&Kind, u32)> = Vec::new();
    for kind in &kinds {
        let known = totals.iter().find(|(other, _)| kind.counts_as(other));
        let total = match known {
            Some((_, total)) => *total,
            None => one::counted(stage, kind).await?,
        };
        totals.push((kind, total));
    }
    for (kind, total) in totals {
        if total == 0 {
            return Err(format!("{}: a session has no such operation", kind.name));
        }
        let total = u64::from(total);
        let share = options
            .count
            .map_or(total, |count| count.div_ceil(kinds.len() as u64).min(total));
        println!("{}: {share} of {total} operations", kind.name);
        for place in 0..share {
            let number = (place * total / share + options.seed) % total + 1;
            plan.push((kind, u32::try_from(number).unwrap_or(1)));
        }
    }
    Ok(plan)
}
