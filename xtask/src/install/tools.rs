//! Programs from crates.io that a verb runs: pinned, built once into the cache, apart from our own build.

use std::path::PathBuf;
use std::process::Command;

use crate::{Outcome, place, process};

/// A program of a crate.
pub(crate) struct Tool {
    /// The crate, and its program.
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// Further options of `cargo install`.
    pub(crate) options: &'static [&'static str],
}

impl Tool {
    /// Its path, after installing it if it is missing.
    pub(crate) fn installed(&self, run: &mut dyn FnMut(&mut Command) -> Outcome) -> Outcome<PathBuf> {
        let root = place::cache()
            .join("tools")
            .join(format!("{}-{}", self.name, self.version));
        let program = root
            .join("bin")
            .join(format!("{}{}", self.name, std::env::consts::EXE_SUFFIX));
        if !program.exists() {
            let mut cargo = process::cargo();
            cargo
                .args([
                    "install",
                    "--locked",
                    "--debug",
                    self.name,
                    "--version",
                    self.version,
                ])
                .args(self.options)
                .arg("--root")
                .arg(&root)
                // Its own features would make ours be built again.
                .env_remove("CARGO_TARGET_DIR");
            run(&mut cargo)?;
        }
        Ok(program)
    }
}
