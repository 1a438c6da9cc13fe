//! `peers`: third-party servers, pinned in `tests/peers`. They are installed once into the cache; the script
//! `tests/peers/drive.mjs` tests them over every transport and era they support, through the command line and `patchbay serve`.

use std::path::PathBuf;
use std::process::Command;

use crate::install::pins::Pins;
use crate::install::{browser, node};
use crate::{Outcome, conformance, place, process};

pub(crate) fn run(args: &[String]) -> Outcome {
    node::check_version()?;
    install(process::must)?;
    // For its Node.
    conformance::install(process::must)?;
    process::must(process::cargo().args([
        "build",
        "--package",
        "patchbay-cli",
        "--package",
        "patchbay-rmcp",
    ]))?;
    process::ended(with_programs("debug", drive().args(args)))
}

/// The script that tests them all. Its arguments are names of peers.
pub(crate) fn drive() -> Command {
    let mut command = process::command(conformance::newer_node());
    command.arg(place::root().join("tests").join("peers").join("drive.mjs"));
    command
}

/// Sets the paths of the programs that a test or benchmark starts: ours, built in `profile`, and the peers'.
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
            node_pins().folder().join("node_modules").join(".bin"),
        )
        .env("PATCHBAY_PEERS_PYTHON", python_pins().folder().join("bin"))
        .env("PATCHBAY_PEERS_EXAMPLES", examples())
        .env("PATCHBAY_NODE", conformance::newer_node())
}

fn node_pins() -> Pins {
    Pins::npm("node", "tests/peers")
}

fn python_pins() -> Pins {
    Pins::of("python", "tests/peers", &["requirements.txt", "examples.txt"])
}

/// The package that `examples.txt` names: the source of the Python SDK, whose example servers are not published separately.
const EXAMPLES: &str = "mcp-2.3.0";

fn examples() -> PathBuf {
    python_pins().folder().join(EXAMPLES).join("examples")
}

/// Installs what is missing.
pub(crate) fn install(mut run: impl FnMut(&mut Command) -> Outcome) -> Outcome {
    node_pins().npm_ci(&mut run)?;
    let python = python_pins();
    python.once(|folder| {
        run(process::command("python3")
            .args(["-m", "venv", "--clear"])
            .arg(folder))?;
        let pip = || {
            let mut pip = process::command(folder.join("bin").join("python"));
            pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
            pip
        };
        run(pip()
            .args(["install", "--requirement"])
            .arg(python.file("requirements.txt")))?;
        run(pip()
            .args(["download", "--no-deps", "--no-binary", ":all:", "--requirement"])
            .arg(python.file("examples.txt"))
            .arg("--dest")
            .arg(folder))?;
        run(process::command(folder.join("bin").join("python"))
            .args(["-m", "tarfile", "--extract"])
            .arg(folder.join(format!("{EXAMPLES}.tar.gz")))
            .arg(folder))
    })
}
