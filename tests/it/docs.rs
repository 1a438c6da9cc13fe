//! The documentation in `docs/src`: its generated pages are those of the code, its links lead somewhere, its examples are
//! commands that exist.
//!
//! `cargo xtask docs` writes the generated pages by running these tests with `PATCHBAY_WRITE_DOCS` set. Deliberately not here: the
//! limits (`source/limits.rs`), and building the site.

mod command_line;
mod examples;
mod links;
mod rules;
mod settings;

use std::collections::BTreeMap;
use std::fs;

use crate::source::tree;

/// The folder of the pages.
const ROOT: &str = "docs/src";
/// Where the page of each rule is.
const RULES: &str = "reference/rules/";

/// The generated pages by path below [`ROOT`].
fn generated() -> BTreeMap<String, String> {
    let mut pages = rules::pages();
    pages.insert("reference/exit-codes.md".to_owned(), command_line::exit_codes());
    pages.insert("reference/command-line.md".to_owned(), command_line::page());
    pages.insert("reference/settings.md".to_owned(), settings::page());
    pages.insert("SUMMARY.md".to_owned(), rules::summary(&page("SUMMARY.md")));
    pages
}

/// The text of a page, empty if it is missing.
fn page(path: &str) -> String {
    fs::read_to_string(tree::root().join(ROOT).join(path)).unwrap_or_default()
}

/// All pages below [`ROOT`].
fn pages() -> Vec<String> {
    let pages = tree::files().into_iter().filter_map(|file| {
        let path = file.strip_prefix("docs/src/")?;
        path.ends_with(".md").then(|| path.to_owned())
    });
    pages.collect()
}

#[test]
fn the_generated_pages_are_those_of_the_code() {
    let generated = generated();
    let left_over = |path: &String| path.starts_with(RULES) && !generated.contains_key(path);
    if std::env::var_os("PATCHBAY_WRITE_DOCS").is_some() {
        let root = tree::root().join(ROOT);
        for path in pages().iter().filter(|path| left_over(path)) {
            fs::remove_file(root.join(path)).unwrap();
        }
        fs::create_dir_all(root.join(RULES)).unwrap();
        for (path, text) in &generated {
            fs::write(root.join(path), text).unwrap();
        }
    }
    let mut complaints: Vec<String> = generated
        .iter()
        .filter(|(path, text)| page(path) != **text)
        .map(|(path, _)| format!("{ROOT}/{path} is out of date: run `cargo xtask docs`"))
        .collect();
    complaints.extend(
        pages()
            .iter()
            .filter(|path| left_over(path))
            .map(|path| format!("{ROOT}/{path} is about a rule that does not exist")),
    );
    tree::none(&complaints);
}
