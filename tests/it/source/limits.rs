//! `docs/src/reference/limits.md` lists every bound of what a peer sends, as the code has it: those that can be set, and those that are fixed.

use patchbay_protocol::limits::{Limit, Limits, Unit};

use crate::source::tree;

const PAGE: &str = "docs/src/reference/limits.md";
/// The file with the bounds that can be set.
const SETTINGS: &str = "src-tauri/crates/protocol/src/message/limits/settings.rs";
/// The crates that handle what a peer sends, and why their other bounds are fixed.
const CRATES: &[(&str, &str)] = &[
    (
        "protocol",
        "They bound what one message costs to read and describe. A message is recorded whole, so a higher bound would show no more.",
    ),
    ("observe", "They bound what is remembered of one connection."),
    (
        "traffic",
        "They bound the log's own memory and its format: SQLite takes no larger values, and a recording no longer lines.",
    ),
    (
        "http",
        "They bound what HTTP needs to work, below any body: the setting of bodies is `bodyBytes`.",
    ),
    (
        "transport",
        "They keep one connection from holding up the others, or us from ending.",
    ),
    (
        "client",
        "They bound queues inside a connection, and the times of a handshake, which end before the timeout that can be set does.",
    ),
    (
        "auth",
        "What an authorization server sends is small by its standards. A higher bound would only help an attack.",
    ),
    (
        "llm",
        "What a provider of models sends is not from an MCP server; its settings are those of the provider.",
    ),
    (
        "config",
        "They bound files and texts that the user opens, pastes or imports, and bundles.",
    ),
    (
        "engine",
        "They bound what the window and the command line show, and files that we write ourselves.",
    ),
    (
        "cli",
        "They bound what a page of this machine, or the terminal, sends us.",
    ),
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

/// How the comment of a bound begins whose name does not say that it is one.
const COMMENTS: &[&str] = &["The maximum ", "The most ", "The longest ", "The deepest "];
/// Bounds of which neither the name nor the beginning of the comment says so: file and constant.
const OTHERS: &[(&str, &str)] = &[
    ("observe/src/requests.rs", "ANSWERED"),
    ("observe/src/requests.rs", "ALL"),
    ("observe/src/results/summary.rs", "SUMMED_UP"),
    ("traffic/src/query/index.rs", "CHANGES"),
    ("traffic/src/redact/body.rs", "HELD"),
    ("traffic/src/redact/packed.rs", "WORK"),
    ("transport/src/http/answer.rs", "LINGER"),
    ("transport/src/stdio/stderr.rs", "TAIL_LINES"),
    ("client/src/actor/incoming.rs", "REPORTS"),
    ("client/src/actor/lifecycle.rs", "STRAY_CHARS"),
    ("client/src/actor/raw_message.rs", "TRACKED"),
    ("client/src/actor/tools.rs", "PAGES"),
    ("client/src/connection.rs", "COMMANDS"),
    ("client/src/pending_inputs/served_tasks.rs", "PAGE"),
    ("engine/src/chat/calls.rs", "AT_ONCE"),
    ("engine/src/servers/roots/checks.rs", "HANGING"),
];

/// The rows of what can be set.
fn settings() -> Vec<String> {
    let in_words = |limit: &Limit, value: u32| match (limit.unit, value) {
        (Unit::Bytes, value) if value.is_multiple_of(1 << 20) => format!("{} MiB", value >> 20),
        (Unit::Bytes, value) => format!("{} KiB", value >> 10),
        (Unit::Milliseconds, value) => format!("{} s", f64::from(value) / 1000.0),
        (Unit::Count, value) => value.to_string(),
    };
    let row = |limit: &Limit| {
        let [default, least, most] =
            [limit.default, limit.least, limit.most].map(|value| in_words(limit, value));
        format!(
            "| `{}` | {} | {default} | {least} to {most} |",
            limit.name, limit.meaning
        )
    };
    Limits::ALL.iter().map(row).collect()
}

/// The rows of one crate, from the constants and their comments.
fn rows(of: &str) -> Vec<String> {
    let mut rows = Vec::new();
    for file in tree::files() {
        let Some(rest) = file.strip_prefix("src-tauri/crates/") else {
            continue;
        };
        if !rest.starts_with(&format!("{of}/src/")) || !file.ends_with(".rs") || file.contains("tests") {
            continue;
        }
        let text = tree::text(&file).unwrap();
        let mut comment = String::new();
        for line in text.lines() {
            if let Some(words) = line.strip_prefix("///") {
                comment.push_str(words);
            } else {
                let meaning = comment.trim().replace('|', "\\|");
                if let Some((name, value)) = constant(line)
                    && is_bound(name, &meaning, rest)
                {
                    rows.push(format!("| {meaning} | `{name}` = `{value}` | `{rest}` |"));
                }
                comment.clear();
            }
        }
    }
    rows
}

/// Whether a constant is a bound, by its name, its comment, or the list.
fn is_bound(name: &str, meaning: &str, file: &str) -> bool {
    NAMES.iter().any(|part| name.contains(part))
        || COMMENTS.iter().any(|begin| meaning.starts_with(begin))
        || OTHERS.contains(&(file, name))
}

/// The name and the value of a constant with a number.
fn constant(line: &str) -> Option<(&str, &str)> {
    let line = ["pub(crate) ", "pub(super) ", "pub "]
        .iter()
        .find_map(|seen| line.strip_prefix(seen))
        .unwrap_or(line);
    let (name, rest) = line.strip_prefix("const ")?.split_once(": ")?;
    let (kind, value) = rest.strip_suffix(';')?.split_once(" = ")?;
    let numeric = ["usize", "u64", "u32", "u16", "i64", "Duration"].contains(&kind);
    numeric.then_some((name, value))
}

/// The whole page below its introduction.
fn tables() -> String {
    let mut page = String::from("## Settings\n\n| Name | Meaning | Default | Range |\n|---|---|---|---|\n");
    page += &(settings().join("\n") + "\n\n## Fixed\n");
    for (name, why) in CRATES {
        page += &format!(
            "\n### `{name}`\n\n{why}\n\n| Meaning | Constant | File in `src-tauri/crates` |\n|---|---|---|\n{}\n",
            rows(name).join("\n")
        );
    }
    page
}

#[test]
fn the_page_of_limits_is_that_of_the_code() {
    for (name, _) in CRATES {
        assert!(!rows(name).is_empty(), "no bound of `{name}` was found");
    }
    let rows: Vec<String> = CRATES.iter().flat_map(|(name, _)| rows(name)).collect();
    for (file, name) in OTHERS {
        let is_there = rows
            .iter()
            .any(|row| row.contains(&format!("| `{name}` = ")) && row.ends_with(&format!("| `{file}` |")));
        assert!(is_there, "{file} has no constant `{name}`");
    }
    let undocumented: Vec<&String> = rows.iter().filter(|row| row.starts_with("|  |")).collect();
    assert!(
        undocumented.is_empty(),
        "bounds without a comment: {undocumented:#?}"
    );
    let page = tree::text(PAGE).unwrap_or_default();
    let at = page.find("## Settings\n").unwrap_or(page.len());
    let (head, shown) = page.split_at(at);
    let expected = tables();
    if shown != expected {
        let path = tempfile::env::temp_dir().join("patchbay-limits.md");
        std::fs::write(&path, format!("{head}{expected}")).unwrap();
        panic!(
            "{PAGE} is out of date. Look at {} and copy it there.",
            path.display()
        );
    }
}

/// A setting that nothing reads, or whose effect no test shows, is worse than none.
#[test]
fn every_limit_that_can_be_set_is_read_and_tested() {
    let text = tree::text(SETTINGS).unwrap();
    let (mut read, mut tested) = (String::new(), String::new());
    for file in tree::files() {
        if file.ends_with(".rs") && file != SETTINGS {
            let text = tree::text(&file).unwrap_or_default();
            let tests = match file.contains("tests") {
                true => 0,
                false => text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len()),
            };
            read += &text[..tests];
            tested += &text[tests..];
        }
    }
    for limit in Limits::ALL {
        let name = limit.name;
        let line = text
            .lines()
            .find(|line| line.contains(&format!(": \"{name}\", ")));
        let field = line.and_then(|line| line.trim().split(':').next()).unwrap();
        assert!(
            read.contains(&format!("limits.{field}")) || read.contains(&format!("limits().{field}")),
            "nothing reads {field}"
        );
        assert!(
            tested.contains(&format!("{field}:"))
                || tested.contains(&format!("limits.{field} ="))
                || tested.contains(&format!("(\"{name}\", ")),
            "no test changes {name}"
        );
    }
}

/// The UI writes a value with its unit before it has the list of limits.
#[test]
fn the_name_of_a_limit_says_its_unit() {
    for limit in Limits::ALL {
        let unit = match limit.name {
            name if name.ends_with("Bytes") => Unit::Bytes,
            name if name.ends_with("Ms") => Unit::Milliseconds,
            _ => Unit::Count,
        };
        assert_eq!(limit.unit, unit, "{}", limit.name);
    }
}
