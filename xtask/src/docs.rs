//! `docs`: writes the generated pages of the documentation, and builds the site with mdBook.
//!
//! The pages are made by `tests/it/docs.rs`, which also checks them. Deliberately not here: the pictures (`screenshots`).

use std::path::PathBuf;
use std::process::Command;

use crate::install::node;
use crate::install::tools::Tool;
use crate::{Outcome, place, process};

/// A debug build: the site is small, and the program is built in a third of the time.
const MDBOOK: Tool = Tool {
    name: "mdbook",
    version: "0.5.4",
    options: &["--no-default-features", "--features", "search"],
};
/// What a complete site has: a page of each kind, and the index of the search.
const PARTS: &[&str] = &[
    "index.html",
    "tour.html",
    "tasks/server-does-not-connect.html",
    "reference/command-line.html",
    "reference/rules/not-json.html",
    "pictures/welcome-light.png",
];

pub(crate) fn run(_args: &[String]) -> Outcome {
    node::check_version()?;
    node::install(&place::root().join("ui"), process::must)?;
    node::build_ui(process::must)?;
    let mut cargo = process::cargo();
    cargo.args([
        "test",
        "--quiet",
        "--workspace",
        "--test",
        "it",
        "--",
        "docs::the_generated",
    ]);
    process::must(cargo.env("PATCHBAY_WRITE_DOCS", "1"))?;
    build(&mut process::must)?;
    println!("{}", site().join("index.html").display());
    Ok(())
}

fn site() -> PathBuf {
    place::target().join("docs")
}

/// Builds the site from the pages as they are.
pub(crate) fn build(run: &mut dyn FnMut(&mut Command) -> Outcome) -> Outcome {
    let mdbook = MDBOOK.installed(run)?;
    let site = site();
    let mut build = process::command(mdbook);
    build.arg("build").arg(place::root().join("docs"));
    run(build.arg("--dest-dir").arg(&site))?;
    let missing = PARTS.iter().find(|part| !site.join(part).is_file());
    if let Some(missing) = missing {
        return Err(format!("the site in {} has no {missing}", site.display()));
    }
    let index = std::fs::read_dir(&site)
        .into_iter()
        .flatten()
        .flatten()
        .any(|file| file.file_name().to_string_lossy().starts_with("searchindex"));
    match index {
        true => Ok(()),
        false => Err(format!(
            "the site in {} has no index of its search",
            site.display()
        )),
    }
}
