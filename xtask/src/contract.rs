//! `contract`: writes the committed TypeScript. `tests/it/source/contract.rs` fails where it is stale.

use crate::{Outcome, process};

pub(crate) fn run(_args: &[String]) -> Outcome {
    let mut cargo = process::cargo();
    process::must(cargo.args([
        "run",
        "--quiet",
        "--package",
        "patchbay-contract",
        "--features",
        "export",
        "--example",
        "typescript",
        "ui/src/contract/generated",
    ]))
}
