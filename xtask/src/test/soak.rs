//! `soak`: machines that look for more, for a time: generated hostile servers, eight servers at once (`--servers`), kills of our
//! own process (`--kills N`), a disk that fails (`--disk`). `test` runs each in a short form.

use std::process::Command;
use std::time::Duration;

use crate::test::step::Log;
use crate::{Outcome, place, process};

/// How long, in minutes, unless `--minutes` says otherwise.
const MINUTES: &str = "20";

pub(crate) fn run(args: &[String]) -> Outcome {
    process::must(process::cargo().args(["build", "--package", "patchbay-soak"]))?;
    let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
    if let Some(at) = args.iter().position(|arg| *arg == "--kills") {
        args[at] = "--count";
        return process::ended(soak("kills").args(args));
    }
    if let Some(at) = args.iter().position(|arg| *arg == "--disk") {
        args.remove(at);
        return process::ended(soak("disk").args(args));
    }
    let servers = args.contains(&"--servers");
    args.retain(|arg| *arg != "--servers");
    if !args
        .iter()
        .any(|arg| matches!(*arg, "--minutes" | "--seconds" | "--only"))
    {
        args.extend(["--minutes", MINUTES]);
    }
    process::ended(soak(if servers { "servers" } else { "scripts" }).args(args))
}

/// The short forms. Each ends by itself when nothing happens for 50 s.
pub(crate) fn short(log: &Log) -> Outcome {
    let limit = Duration::from_secs(5 * 60);
    log.run_within(&mut soak("scripts"), limit)?;
    log.run_within(soak("servers").args(["--seconds", "20"]), limit)?;
    log.run_within(soak("kills").args(["--count", "40"]), limit)?;
    log.run_within(soak("disk").args(["--count", "40"]), limit)
}

fn soak(what: &str) -> Command {
    let mut command = process::command(place::binary("debug", "patchbay-soak"));
    command.arg(what);
    command
}
