//! `contract`: writes the committed TypeScript. The freshness test does the writing, so the two cannot disagree.

use crate::{Outcome, process};

pub(crate) fn run(_args: &[String]) -> Outcome {
    let mut cargo = process::cargo();
    cargo.args([
        "test",
        "--quiet",
        "--package",
        "patchbay-it",
        "--test",
        "it",
        "contract::",
    ]);
    process::must(cargo.env("UPDATE_CONTRACT", "1"))
}
