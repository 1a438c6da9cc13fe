//! `deny`: licences, banned crates and sources, by `cargo deny` where it is installed.

use crate::{Outcome, process};

pub(crate) fn run(_args: &[String]) -> Outcome {
    if process::which("cargo-deny").is_none() {
        return Err("cargo-deny is not installed: `cargo install --locked cargo-deny`, then again".into());
    }
    process::must(process::cargo().args(["deny", "check", "bans", "licenses", "sources"]))
}
