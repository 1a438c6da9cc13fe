//! The shape of the tree: the length of functions, the number of siblings in a folder.
//!
//! Both limits have a list of exceptions from when they were introduced. Entries may only shrink or be removed.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::tree;

/// The maximum number of lines of a function.
const LONGEST_FUNCTION: usize = 60;

/// Longer functions, and their length. A row that allows more than there is fails too, so that nothing can grow again.
const LONGER_FUNCTIONS: &[(&str, &str, usize)] = &[
    ("src-tauri/crates/auth/src/token/refresh.rs", "refresh", 75),
    ("src-tauri/crates/client/src/actor/responses.rs", "response", 76),
    ("src-tauri/crates/engine/src/subscriptions/legacy.rs", "run", 69),
    ("src-tauri/crates/engine/src/subscriptions/modern.rs", "run", 71),
    ("src-tauri/crates/observe/src/observer.rs", "response", 64),
    ("src-tauri/crates/protocol/src/views/tools.rs", "parse", 64),
    ("src-tauri/crates/traffic/src/intake/batch.rs", "new", 65),
    ("src-tauri/crates/transport/src/intercept.rs", "carry_out", 62),
];

/// The maximum number of files and folders in one folder. A file, its test and its style count once.
const MOST_SIBLINGS: usize = 15;

#[test]
fn functions_fit_on_a_screen() {
    let mut complaints = Vec::new();
    let mut listed = BTreeMap::new();
    for file in tree::files() {
        let is_test = file.starts_with("tests/") || file.contains("/tests") || file.starts_with("fuzz/");
        if !file.ends_with(".rs") || is_test {
            continue;
        }
        for (name, line, length) in functions(&tree::text(&file).unwrap_or_default()) {
            let row = LONGER_FUNCTIONS
                .iter()
                .find(|(place, known, _)| *place == file && *known == name);
            if let Some(row) = row {
                let longest = listed.entry(row).or_insert(0);
                *longest = length.max(*longest);
            } else if length > LONGEST_FUNCTION {
                complaints.push(format!(
                    "{file}:{line}: `{name}` has {length} lines, more than {LONGEST_FUNCTION}: split it"
                ));
            }
        }
    }
    for row @ (file, name, allowed) in LONGER_FUNCTIONS {
        let length = listed.get(row).copied().unwrap_or(0);
        if length > *allowed {
            complaints.push(format!(
                "{file}: `{name}` has {length} lines, more than {allowed}: split it"
            ));
        } else if length < *allowed || length <= LONGEST_FUNCTION {
            complaints.push(format!(
                "{file}: `{name}` has {length} lines, less than its row allows: lower or delete the row"
            ));
        }
    }
    tree::none(&complaints);
}

/// The functions of a formatted Rust file: name, first line, number of lines.
fn functions(text: &str) -> Vec<(String, usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        let Some(name) = function_name(code) else { continue };
        let close = format!("{indent}}}");
        // A one-line body ends on the same line; a declaration has no body.
        if code.ends_with('}') || code.ends_with(';') {
            continue;
        }
        let end = lines[at..].iter().position(|line| {
            *line == close || *line == format!("{indent});") || *line == format!("{indent};")
        });
        if let Some(length) = end {
            found.push((name.to_owned(), at + 1, length + 1));
        }
    }
    found
}

/// The name of the function that starts on this line.
fn function_name(code: &str) -> Option<&str> {
    let mut words = code.split(' ');
    for word in words.by_ref() {
        match word {
            "fn" => break,
            "pub" | "const" | "async" => {}
            word if word.starts_with("pub(") => {}
            _ => return None,
        }
    }
    words.next()?.split(['(', '<']).next()
}

#[test]
fn folders_are_not_crowded() {
    let mut siblings: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let is_code = |file: &&String| {
        [".rs", ".ts", ".tsx", ".css", ".mjs"]
            .iter()
            .any(|end| file.ends_with(end))
            && !file.contains("/generated/")
    };
    for file in tree::files().iter().filter(is_code) {
        let mut path = file.as_str();
        while let Some((folder, name)) = path.rsplit_once('/') {
            let stem = name.split('.').next().unwrap_or(name);
            siblings
                .entry(folder.to_owned())
                .or_default()
                .insert(stem.to_owned());
            path = folder;
        }
    }
    let mut complaints = Vec::new();
    for (folder, names) in siblings {
        if names.len() > MOST_SIBLINGS {
            complaints.push(format!(
                "{folder} holds {} files and folders, more than {MOST_SIBLINGS}: group them by feature",
                names.len()
            ));
        }
    }
    tree::none(&complaints);
}

#[test]
fn functions_are_found() {
    let text = "impl A {\n    pub(crate) async fn first<T>(\n        a: T,\n    ) -> u32 {\n        1\n    }\n}\nfn one() {}\nconst fn two() {\n}\n";
    assert_eq!(
        functions(text),
        [("first".to_owned(), 2, 5), ("two".to_owned(), 9, 2)]
    );
}
