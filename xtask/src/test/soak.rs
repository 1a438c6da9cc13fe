//! `soak`: generated hostile servers against the engine, for a time. `test` runs 2,000 of them.

use std::process::Command;

use crate::{Outcome, place, process};

/// How long, in minutes, unless `--minutes` says otherwise.
const MINUTES: &str = "20";

pub(crate) fn run(args: &[String]) -> Outcome {
    process::must(process::cargo().args(["build", "--package", "patchbay-soak"]))?;
    let mut command = scripts();
    if !args.iter().any(|arg| arg == "--minutes" || arg == "--only") {
        command.args(["--minutes", MINUTES]);
    }
    process::ended(command.args(args))
}

/// 2,000 generated servers. Arguments say which, or for how long.
pub(crate) fn scripts() -> Command {
    let mut command = process::command(place::binary("debug", "patchbay-soak"));
    command.arg("scripts");
    command
}
