//! `conformance`: the official suite's frozen sets against `patchbay-conformance`, judged by `tests/conformance/suite.mjs`.

use std::path::PathBuf;
use std::process::Command;

use crate::install::node;
use crate::install::pins::Pins;
use crate::{Outcome, place, process};

pub(crate) fn run(args: &[String]) -> Outcome {
    node::check_version()?;
    install(process::must)?;
    process::must(process::cargo().args(["build", "--package", "patchbay-conformance"]))?;
    process::ended(suite().args(args))
}

fn pins() -> Pins {
    Pins::npm("conformance", "tests/conformance")
}

/// The Node that is installed with the suite. It is newer than the one that builds the UI.
pub(crate) fn newer_node() -> PathBuf {
    let package = pins().folder().join("node_modules").join("node");
    package.join("bin").join("node")
}

/// Installs the suite, and the Node it needs, if they are missing.
pub(crate) fn install(mut run: impl FnMut(&mut Command) -> Outcome) -> Outcome {
    pins().npm_ci(&mut run)
}

/// Runs both sets. Arguments are names of scenarios to run instead, one after the other.
pub(crate) fn suite() -> Command {
    let mut command = process::command("node");
    command
        .arg(place::root().join("tests").join("conformance").join("suite.mjs"))
        .arg(pins().folder())
        .arg(place::binary("debug", "patchbay-conformance"))
        .arg(place::logs().join("conformance"));
    command
}
