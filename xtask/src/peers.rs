//! Servers nobody here wrote, as `tests/peers` pins them, installed once into the cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, browser, place, process, stamp};

/// Tells a test or a benchmark where the programs are that it starts: ours, built in `profile`, and the peers'.
pub(crate) fn with_programs<'a>(profile: &str, command: &'a mut Command) -> &'a mut Command {
    if let Some(chromium) = browser::find() {
        command.env("PATCHBAY_CHROMIUM", chromium);
    }
    command
        .env("PATCHBAY_BIN_DIR", place::target().join(profile))
        .env("PATCHBAY_BIN", place::binary(profile, "patchbay"))
        .env("PATCHBAY_APP", place::binary(profile, "patchbay-app"))
        .env(
            "PATCHBAY_PEERS_NODE",
            node_folder().join("node_modules").join(".bin"),
        )
        .env("PATCHBAY_PEERS_PYTHON", python_folder().join("bin"))
}

fn source() -> PathBuf {
    place::root().join("tests").join("peers")
}

// Folders are named after what is pinned, so that two clones with different pins do not disturb each other.

fn node_folder() -> PathBuf {
    pinned("node", &contents(&["package.json", "package-lock.json"]))
}

fn python_folder() -> PathBuf {
    pinned("python", &contents(&["requirements.txt"]))
}

fn contents(files: &[&str]) -> Vec<Vec<u8>> {
    files
        .iter()
        .map(|file| fs::read(source().join(file)).unwrap_or_default())
        .collect()
}

fn pinned(kind: &str, contents: &[Vec<u8>]) -> PathBuf {
    place::cache()
        .join("peers")
        .join(format!("{kind}-{}", &stamp::hash_bytes(contents)[..8]))
}

/// Installs what is missing.
pub(crate) fn install(mut run: impl FnMut(&mut Command) -> Outcome) -> Outcome {
    let node = node_folder();
    once(&node, || {
        for file in ["package.json", "package-lock.json"] {
            fs::copy(source().join(file), node.join(file))
                .map_err(|error| format!("tests/peers/{file}: {error}"))?;
        }
        run(process::npm(&node).args(["ci", "--no-audit", "--no-fund"]))
    })?;
    let python = python_folder();
    once(&python, || {
        run(process::command("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&python))?;
        let mut pip = process::command(python.join("bin").join("python"));
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--requirement",
        ]);
        run(pip.arg(source().join("requirements.txt")))
    })
}

/// Fills a folder, unless it was filled to the end before.
fn once(folder: &Path, fill: impl FnOnce() -> Outcome) -> Outcome {
    let done = folder.with_extension("done");
    if done.exists() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    fill()?;
    fs::write(&done, "").map_err(|error| format!("{} cannot be written: {error}", done.display()))
}
