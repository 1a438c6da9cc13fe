//! Conventions that a reviewer should not have to check. Each message says what to do.

use std::path::Path;

use crate::source::tree;

/// The maximum number of lines of a file.
const LONGEST: usize = 500;

/// Names that do not describe the content.
const EMPTY_NAMES: &[&str] = &[
    "common", "utils", "util", "core", "helpers", "helper", "manager", "service", "misc",
];

fn is_generated(file: &str) -> bool {
    file.contains("/generated/") || file.ends_with("package-lock.json") || file == "Cargo.lock"
}

fn is_code(file: &str) -> bool {
    ["rs", "ts", "tsx", "mjs", "js", "css", "py", "sh"]
        .iter()
        .any(|ext| Path::new(file).extension().is_some_and(|found| found == *ext))
}

/// The texts of all files except generated ones.
fn texts() -> impl Iterator<Item = (String, String)> {
    tree::files()
        .into_iter()
        .filter(|file| !is_generated(file))
        .filter_map(|file| {
            let text = tree::text(&file)?;
            Some((file, text))
        })
}

#[test]
fn files_hold_one_idea() {
    let long = texts()
        .filter(|(file, _)| is_code(file))
        .filter_map(|(file, text)| {
            let lines = text.lines().count();
            (lines > LONGEST)
                .then(|| format!("{file} has {lines} lines, more than {LONGEST}: split it along its ideas"))
        });
    tree::none(&long.collect::<Vec<_>>());
}

#[test]
fn rust_modules_say_what_they_are() {
    let silent = texts().filter_map(|(file, text)| {
        let is_module = file.ends_with(".rs") && !file.ends_with("/tests.rs") && !file.contains("/tests/")
            || file.starts_with("tests/it/");
        (is_module && file.ends_with(".rs") && !text.trim_start().starts_with("//!"))
            .then(|| format!("{file}: begin with `//!`: what is here, and what is deliberately not"))
    });
    tree::none(&silent.collect::<Vec<_>>());
}

#[test]
fn names_say_what_is_inside() {
    let mut complaints = Vec::new();
    for file in tree::files() {
        for part in file.split('/') {
            let stem = part.split('.').next().unwrap_or_default().to_lowercase();
            if EMPTY_NAMES.contains(&stem.as_str()) {
                complaints.push(format!(
                    "{file}: `{part}` says nothing; name it after what it does"
                ));
            }
        }
    }
    tree::none(&complaints);
}

#[test]
fn comments_have_no_to_do_markers() {
    // Split, so that this file does not match.
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("HA", "CK"),
    ];
    let mut complaints = Vec::new();
    for (file, text) in texts().filter(|(file, _)| is_code(file)) {
        for (at, line) in text.lines().enumerate() {
            if let Some(word) = line
                .split(|c: char| !c.is_ascii_alphanumeric())
                .find(|word| words.contains(word))
            {
                complaints.push(format!("{file}:{}: `{word}`: do it, or write an issue", at + 1));
            }
        }
    }
    tree::none(&complaints);
}

#[test]
fn no_machine_and_no_registry_is_named() {
    let forbidden = [
        concat!("/ho", "me/"),
        concat!("/ro", "ot/"),
        concat!("/Us", "ers/"),
        concat!("/wo", "rk/"),
        concat!("registry.", "npmjs"),
        concat!("files.python", "hosted"),
        concat!("static.crates", ".io"),
    ];
    let mut complaints = Vec::new();
    for (file, text) in tree::files()
        .into_iter()
        .filter_map(|file| tree::text(&file).map(|text| (file, text)))
    {
        for (at, line) in text.lines().enumerate() {
            if let Some(found) = forbidden.iter().find(|found| line.contains(**found)) {
                complaints.push(format!(
                    "{file}:{}: holds `{found}`: no path of one machine, no registry host (npm: omit-lockfile-registry-resolved)",
                    at + 1
                ));
            }
        }
    }
    tree::none(&complaints);
}

#[test]
fn tests_do_not_sleep_retry_or_ignore() {
    let forbidden = [
        (concat!("#[ig", "nore"), "run it or delete it"),
        (concat!("thread::sle", "ep("), "wait for what you wait for"),
        (
            concat!("time::sle", "ep("),
            "wait for what you wait for, or pause tokio's clock",
        ),
        (concat!("waitForTime", "out("), "expect() waits by itself"),
        (concat!(".sk", "ip("), "run it or delete it"),
        (concat!(".on", "ly("), "the others want to run too"),
    ];
    let mut complaints = Vec::new();
    let tests = texts().filter(|(file, _)| {
        let rust = file.ends_with("/tests.rs")
            || file.contains("/tests/") && file.ends_with(".rs")
            || file.starts_with("tests/it/");
        rust || file.contains(".test.ts") || file.contains(".spec.ts")
    });
    for (file, text) in tests {
        let is_rust = file.ends_with(".rs");
        // With a paused clock, sleeping only advances it.
        let clock_is_paused = text.contains("start_paused = true");
        for (at, line) in text.lines().enumerate() {
            // What tells of no change is looked at again and again, with a pause for what it waits for.
            if line.contains(concat!("sle", "ep(BETWEEN_LOOKS)")) {
                continue;
            }
            // `.skip(` and `.only(` are iterator methods in Rust and test runner functions in TypeScript.
            let words = forbidden
                .iter()
                .filter(|(word, _)| !(is_rust && word.starts_with('.')))
                .filter(|(word, _)| !(clock_is_paused && word.starts_with("time::")));
            if let Some((word, advice)) = words.into_iter().find(|(word, _)| line.contains(word)) {
                complaints.push(format!("{file}:{}: `{word}`: {advice}", at + 1));
            }
        }
    }
    tree::none(&complaints);
}

/// Phrases that do not read as plain technical English, and what to write instead.
const DIALECT: &[(&str, &str)] = &[
    ("anew", "again, or from the start"),
    ("for want of", "without"),
    ("whoever", "the caller, the reader, or a name"),
    ("whomever", "the caller, the reader, or a name"),
    ("in vain", "without success"),
    ("time-out", "timeout"),
    ("time-outs", "timeouts"),
    ("graver", "and above"),
    ("hindrance", "disabledReason"),
    ("stands for", "is, or means"),
    ("stands in", "is in"),
    ("stands at", "is at"),
    ("stands beside", "is beside"),
    ("stands there", "is there"),
    ("stands on", "is on"),
    ("stand in", "are in"),
    ("stand at", "are at"),
    ("stand beside", "are beside"),
    ("is no message", "is not a message"),
    ("is no json", "is not JSON"),
    ("is no object", "is not an object"),
    ("is no http", "is not HTTP"),
    ("is no answer", "is not an answer"),
    ("of its own accord", "unrequested, or automatically"),
    ("by heart", "in memory"),
    ("is no error", "is not an error"),
    ("is no secret", "is not a secret"),
    ("whereto", "the target, or the URL"),
    ("to the letter", "exactly"),
    ("had better", "should"),
    ("lets us in", "accepts the credentials"),
    ("let in", "accepted"),
    ("in the light of", "in relation to"),
    ("the four doors", "the four functions"),
    ("led away", "navigate away"),
    ("without a word", "unannounced, or without a message"),
    ("much else", "other work"),
    ("good once", "single-use"),
    ("good no more", "invalid"),
    ("breaks off", "is interrupted"),
    ("vouches", "issues, or signs"),
    ("the like", "similar ones"),
    ("its kin", "similar ones"),
    ("lies below", "is below"),
    ("lie below", "are below"),
    ("where it lies", "its location"),
    ("stands readable", "is in plain text"),
    ("stand readable", "are in plain text"),
    ("come by", "obtained"),
    ("taken up again", "resumed"),
    ("all that crossed", "the whole transcript"),
    ("cannot do without", "requires"),
    ("let go of", "released"),
    ("said nothing", "was silent"),
    ("who comes late", "a later caller"),
    ("waits for its turn", "is queued"),
    ("asks for an answer of a model", "requests a completion"),
    ("asks you something", "requests your input"),
    ("not to be cached", "ttlMs 0"),
    ("forget the verdict", "forget the detected era"),
    ("how it was found", "detected by"),
    ("agree on tls", "TLS handshake"),
    ("speak mcp", "MCP handshake"),
    ("be let in", "authorization"),
    ("last words", "its output, or stderr"),
    ("list the tools again", "refresh tools"),
    ("start over with the defaults", "reset to defaults"),
    ("keep what is shown", "pause view"),
    ("a passphrase of yours", "passphrase"),
    ("tell me when these", "notify on changes to"),
    ("run the form", "call the tool"),
    ("waits longest", "the oldest"),
];

#[test]
fn words_are_plain_english() {
    let mut complaints = Vec::new();
    for (file, text) in texts() {
        // This file contains the phrases.
        if file == "tests/it/source/tidy.rs"
            || !(is_code(&file) || file.ends_with(".md") || file.ends_with(".html"))
        {
            continue;
        }
        for (at, line) in text.lines().enumerate() {
            for (words, instead) in dialect_in(line) {
                complaints.push(format!("{file}:{}: `{words}`: write {instead}", at + 1));
            }
        }
    }
    tree::none(&complaints);
}

/// The words of [`DIALECT`] in a line, as whole words.
fn dialect_in(line: &str) -> Vec<(&'static str, &'static str)> {
    let line = line.to_lowercase();
    let is_word = |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let holds = |words: &str| {
        line.match_indices(words).any(|(at, _)| {
            let before = &line[..at];
            // "There is no message" is English.
            !before.ends_with("there ")
                && !is_word(before.chars().next_back())
                && !is_word(line[at + words.len()..].chars().next())
        })
    };
    DIALECT
        .iter()
        .filter(|(words, _)| holds(words))
        .copied()
        .collect()
}

#[test]
fn dialect_is_found() {
    assert_eq!(dialect_in("It is listed anew.").len(), 1);
    assert_eq!(
        dialect_in("Renewed, standing, a stand: fine. There is no message."),
        []
    );
    assert_eq!(dialect_in("What came back Is no HTTP at all").len(), 1);
}

#[test]
fn the_usual_files_exist() {
    let files = tree::files();
    let missing = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        ".ci/run",
        "Cargo.lock",
        "ui/package-lock.json",
    ]
    .into_iter()
    .filter(|file| !files.iter().any(|found| found == file))
    .map(|file| format!("{file} is missing"));
    tree::none(&missing.collect::<Vec<_>>());
}

#[test]
fn links_between_our_documents_lead_somewhere() {
    let mut complaints = Vec::new();
    for (file, text) in texts().filter(|(file, _)| file.ends_with(".md")) {
        let folder = Path::new(&file).parent().unwrap_or(Path::new(""));
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            let elsewhere = path.is_empty() || path.contains("://") || path.starts_with("mailto:");
            if !elsewhere && !tree::root().join(folder).join(path).exists() {
                complaints.push(format!("{file}: the link `{link}` leads nowhere"));
            }
        }
    }
    tree::none(&complaints);
}
