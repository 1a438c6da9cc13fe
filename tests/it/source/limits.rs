//! `docs/limits.md` lists every bound of what a peer sends, as the code has it.

use crate::source::tree;

const PAGE: &str = "docs/limits.md";
/// The crates that handle what a peer sends.
const CRATES: &[&str] = &[
    "protocol",
    "observe",
    "traffic",
    "http",
    "transport",
    "client",
    "auth",
    "llm",
    "engine",
    "cli",
];
/// Parts of the name of a constant that is a bound.
const NAMES: &[&str] = &[
    "MOST",
    "MAX",
    "LONGEST",
    "LARGEST",
    "LIMIT",
    "BYTES",
    "ROOM",
    "PATIENCE",
    "TRIES",
    "HOPS",
    "MEMBERS",
    "VIOLATIONS",
    "_PER_",
    "OPEN_",
    "RATIO",
    "TIMEOUT",
];

/// The rows of the page, from the constants and their comments.
fn rows() -> Vec<String> {
    let mut rows = Vec::new();
    for file in tree::files() {
        let Some(rest) = file.strip_prefix("src-tauri/crates/") else {
            continue;
        };
        let in_scope = CRATES
            .iter()
            .any(|name| rest.starts_with(&format!("{name}/src/")));
        if !in_scope || !file.ends_with(".rs") || file.contains("tests") {
            continue;
        }
        let text = tree::text(&file).unwrap();
        let mut comment = String::new();
        for line in text.lines() {
            if let Some(words) = line.strip_prefix("///") {
                comment.push_str(words);
            } else if let Some((name, value)) = constant(line) {
                let meaning = comment.trim().replace('|', "\\|");
                rows.push(format!("| {meaning} | `{name}` = `{value}` | `{rest}` |"));
                comment.clear();
            } else {
                comment.clear();
            }
        }
    }
    rows
}

/// The name and the value of a bound.
fn constant(line: &str) -> Option<(&str, &str)> {
    let line = ["pub(crate) ", "pub(super) ", "pub "]
        .iter()
        .find_map(|seen| line.strip_prefix(seen))
        .unwrap_or(line);
    let (name, rest) = line.strip_prefix("const ")?.split_once(": ")?;
    let (kind, value) = rest.strip_suffix(';')?.split_once(" = ")?;
    let numeric = ["usize", "u64", "u32", "u16", "i64", "Duration"].contains(&kind);
    (numeric && NAMES.iter().any(|part| name.contains(part))).then_some((name, value))
}

#[test]
fn the_page_of_limits_is_that_of_the_code() {
    let rows = rows();
    assert!(rows.len() > 60, "only {} bounds were found", rows.len());
    let undocumented: Vec<&String> = rows.iter().filter(|row| row.starts_with("|  |")).collect();
    assert!(
        undocumented.is_empty(),
        "bounds without a comment: {undocumented:#?}"
    );
    let page = tree::text(PAGE).unwrap_or_default();
    let (head, table) = page.split_once("|---|---|---|\n").unwrap_or((&page, ""));
    let expected = rows.join("\n") + "\n";
    if table != expected {
        let path = tempfile::env::temp_dir().join("patchbay-limits.md");
        std::fs::write(&path, format!("{head}|---|---|---|\n{expected}")).unwrap();
        panic!(
            "{PAGE} is out of date. Look at {} and copy it there.",
            path.display()
        );
    }
}
