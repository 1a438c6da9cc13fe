//! `screenshots`: a script takes the pictures of the documentation from the running program; with `--hour`, another one takes
//! those of the first hour, which are looked at and not kept.

use std::path::PathBuf;

use crate::install::{node, peers};
use crate::{Outcome, place, process};

pub(crate) fn run(args: &[String]) -> Outcome {
    let (script, target) = chosen(args)?;
    let e2e = place::root().join("tests").join("e2e");
    node::check_version()?;
    node::install(&place::root().join("ui"), process::must)?;
    node::build_ui(process::must)?;
    node::install(&e2e, process::must)?;
    if script == "hour.mjs" {
        peers::install(process::must)?;
    }
    process::must(process::cargo().args([
        "build",
        "--package",
        "patchbay-cli",
        "--package",
        "patchbay-test-server",
    ]))?;
    let mut command = process::command("node");
    command.arg(e2e.join("pictures").join(script)).arg(&target);
    process::must(peers::with_programs("debug", &mut command))?;
    eprintln!("The pictures are in {}.", target.display());
    Ok(())
}

/// The script, and the folder of its pictures.
fn chosen(args: &[String]) -> Outcome<(&'static str, PathBuf)> {
    match args {
        [] => {
            let pictures = place::root().join("docs").join("src").join("pictures");
            Ok(("screenshots.mjs", pictures))
        }
        [hour] if hour == "--hour" => Ok(("hour.mjs", place::cache().join("hour"))),
        [hour, folder] if hour == "--hour" => Ok(("hour.mjs", PathBuf::from(folder))),
        _ => Err("usage: cargo xtask screenshots [--hour [FOLDER]]".to_owned()),
    }
}
