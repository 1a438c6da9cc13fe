//! The web half: Node itself, `npm ci` and the UI build, each only when its inputs changed.

use std::path::Path;
use std::process::Command;

use crate::install::stamp;
use crate::{Outcome, place, process};

/// The oldest Node that Vite 8 supports.
const OLDEST: (u32, u32) = (20, 19);

/// Fails with instructions if Node is missing or too old.
pub(crate) fn check_version() -> Outcome {
    let wanted = format!("Node {}.{} or newer is needed", OLDEST.0, OLDEST.1);
    let Some(version) = process::answer(process::command("node").arg("--version")) else {
        return Err(format!(
            "{wanted} and none was found on the PATH. Install it from nodejs.org or with nvm, mise or fnm."
        ));
    };
    let mut parts = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .map(|part| part.parse().unwrap_or(0));
    let found = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if found < OLDEST {
        return Err(format!(
            "{wanted}, found {}. Install a newer one from nodejs.org or with nvm, mise or fnm.",
            version.trim()
        ));
    }
    Ok(())
}

/// `npm ci` in a folder with a lock file, unless its `node_modules` comes from the same lock file.
pub(crate) fn install(folder: &Path, run: impl FnOnce(&mut Command) -> Outcome) -> Outcome {
    let hash = stamp::hash(&[folder.join("package.json"), folder.join("package-lock.json")]);
    let modules = folder.join("node_modules");
    stamp::unless_fresh(&modules.join(".patchbay-stamp"), &hash, &modules, || {
        run(process::npm(folder).args(["ci", "--no-audit", "--no-fund"]))
    })
}

/// Builds `ui/dist`, unless it was built from the same sources.
pub(crate) fn build_ui(run: impl FnOnce(&mut Command) -> Outcome) -> Outcome {
    let ui = place::root().join("ui");
    // The pages of the documentation are in it.
    let hash = stamp::hash(&[ui.clone(), place::root().join("docs").join("src")]);
    let stamp = ui.join("node_modules").join(".patchbay-dist-stamp");
    stamp::unless_fresh(&stamp, &hash, &ui.join("dist").join("index.html"), || {
        run(process::npm(&ui).args(["run", "build"]))
    })
}
