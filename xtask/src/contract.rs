//! `contract`: writes the committed TypeScript. The test that keeps it fresh does the writing, so both agree.

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
