//! The software bill of materials: the crates of both programs and the npm packages of the page, as CycloneDX JSON.

use std::path::PathBuf;

use super::files;
use super::stage::Stage;
use crate::install::stamp;
use crate::install::tools::Tool;
use crate::{Outcome, place, process};

const CYCLONEDX: Tool = Tool {
    name: "cargo-cyclonedx",
    version: "0.5.9",
    options: &[],
};
/// The name of the files it writes beside each `Cargo.toml`; they are moved away.
const NAME: &str = "patchbay-sbom-of-this-crate";

/// Writes the bills of both programs and of the page, and returns their files.
pub(super) fn write(stage: &Stage) -> Outcome<Vec<PathBuf>> {
    let mut bills = crates(stage)?;
    let mut npm = process::npm(&place::root().join("ui"));
    npm.args(["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"]);
    let bill = process::output(&mut npm)?;
    let file = stage
        .folder()
        .join(format!("patchbay-ui-{}.cdx.json", stage.version()));
    files::write(&file, bill)?;
    bills.push(file);
    Ok(bills)
}

fn crates(stage: &Stage) -> Outcome<Vec<PathBuf>> {
    let mut cyclonedx = process::command(CYCLONEDX.installed(&mut process::must)?);
    cyclonedx.args(["cyclonedx", "--format", "json", "--override-filename", NAME]);
    cyclonedx
        .arg("--manifest-path")
        .arg(place::root().join("Cargo.toml"));
    process::must(&mut cyclonedx)?;
    let mut bills = Vec::new();
    for (folder, name) in [
        ("src-tauri", "patchbay-app"),
        ("src-tauri/crates/cli", "patchbay"),
    ] {
        let made = place::root().join(folder).join(format!("{NAME}.json"));
        let file = stage
            .folder()
            .join(format!("{name}-{}.cdx.json", stage.version()));
        files::copy(&made, &file)?;
        bills.push(file);
    }
    for made in stamp::files(place::root()) {
        if made.file_stem().is_some_and(|stem| stem == NAME) {
            let _ = std::fs::remove_file(made);
        }
    }
    Ok(bills)
}
