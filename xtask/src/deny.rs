//! `deny`: checks licenses, banned crates and sources with `cargo deny`, if it is installed.

use crate::{Outcome, process};

pub(crate) fn run(_args: &[String]) -> Outcome {
    if process::which("cargo-deny").is_none() {
        return Err(
            "cargo-deny is not installed. Run `cargo install --locked cargo-deny`, then try again.".into(),
        );
    }
    process::must(process::cargo().args(["deny", "check", "bans", "licenses", "sources"]))
}
