//! `screenshots`: a script takes the README's pictures from the running program.

use crate::install::{node, peers};
use crate::{Outcome, place, process};

pub(crate) fn run(_args: &[String]) -> Outcome {
    let e2e = place::root().join("tests").join("e2e");
    node::check_version()?;
    node::install(&place::root().join("ui"), process::must)?;
    node::build_ui(process::must)?;
    node::install(&e2e, process::must)?;
    process::must(process::cargo().args([
        "build",
        "--package",
        "patchbay-cli",
        "--package",
        "patchbay-test-server",
    ]))?;
    let mut script = process::command("node");
    script
        .arg(e2e.join("screenshots.mjs"))
        .arg(place::root().join("docs").join("src").join("pictures"));
    process::must(peers::with_programs("debug", &mut script))
}
