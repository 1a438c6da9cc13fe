//! The environment that the settings of Patchbay choose, and what of it a server gets, on the command line.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::programs::{Ended, Patchbay, ours, quoted};

/// Written by another process: what a test beside this one starts would inherit our open file for a moment, and a file that is
/// open for writing cannot be run.
fn program(file: &Path, text: &str) {
    let made = Command::new("/bin/sh")
        .args([
            "-c",
            r#"mkdir -p "${1%/*}" && printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod 755 "$1""#,
            "sh",
        ])
        .arg(file)
        .arg(text)
        .status();
    assert!(made.unwrap().success());
}

/// A data folder, and a server in a folder that is not on PATH.
fn prepared() -> Patchbay {
    let patchbay = Patchbay::new();
    let server = patchbay.folder().join("bin/only-there");
    program(
        &server,
        &format!("exec {} demo-server", quoted(&ours("patchbay"))),
    );
    std::fs::create_dir_all(patchbay.folder().join("all")).unwrap();
    patchbay
}

fn write(patchbay: &Patchbay, settings: &Value) {
    let file = patchbay.folder().join("all/environment.json");
    std::fs::write(file, settings.to_string()).unwrap();
}

fn list(patchbay: &Patchbay) -> Ended {
    let data = patchbay.folder().join("all").display().to_string();
    patchbay.run(&["--data-dir", &data, "tools", "list", "--stdio", "only-there"])
}

#[test]
fn a_server_is_found_through_the_chosen_shell_or_an_added_folder_only() {
    let patchbay = prepared();
    let bin = patchbay.folder().join("bin").display().to_string();
    let ended = list(&patchbay).code(2);
    for said in ["was not found in PATH", "PATH used: ", "Settings > Environment"] {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }

    write(&patchbay, &json!({"shell": "none", "pathAfter": [bin]}));
    assert!(list(&patchbay).code(0).stdout.contains("echo"));

    let shell = patchbay.folder().join("shell");
    program(
        &shell,
        &format!("PATH={bin}:$PATH; export PATH; echo hello; eval \"$4\""),
    );
    write(
        &patchbay,
        &json!({"shell": "program", "program": shell.display().to_string()}),
    );
    assert!(list(&patchbay).code(0).stdout.contains("echo"));

    // The login shell is that of SHELL, also for one that was started in a terminal.
    write(&patchbay, &json!({"shell": "login"}));
    let data = patchbay.folder().join("all").display().to_string();
    let mut command = patchbay.command(&["--data-dir", &data, "tools", "list", "--stdio", "only-there"]);
    let ended = Ended::from(command.env("SHELL", &shell).output().unwrap()).code(0);
    assert!(ended.stdout.contains("echo"), "{ended:?}");
}

#[test]
fn what_is_wrong_with_the_shell_or_the_file_is_said_where_the_program_is_missing() {
    let patchbay = prepared();
    write(&patchbay, &json!({"shell": "program", "program": "/bin/false"}));
    let ended = list(&patchbay).code(2);
    let said = "/bin/false ended with exit code 1 before it printed its variables.";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);

    write(&patchbay, &json!({"shell": "remote"}));
    let ended = list(&patchbay).code(2);
    for said in ["environment.json", "unknown variant `remote`"] {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
    let kept = std::fs::read_to_string(patchbay.folder().join("all/environment.json")).unwrap();
    assert_eq!(kept, r#"{"shell":"remote"}"#);
}

/// The variables that a server gets if Patchbay has more of them, with further options.
fn received(options: &[&str]) -> BTreeMap<String, String> {
    let patchbay = Patchbay::new();
    let written = patchbay.folder().join("received");
    let script = format!(
        "env > {}; exec {} demo-server",
        quoted(&written),
        quoted(&ours("patchbay"))
    );
    let server = shlex::try_join(["sh", "-c", &script]).unwrap();
    let args = [&["tools", "list", "--stdio", &server], options].concat();
    let mut command = patchbay.command(&args);
    command.envs([
        ("GITHUB_TOKEN", "of the user"),
        ("PYTHONPATH", "/elsewhere"),
        ("NPM_CONFIG__AUTH", "of the user"),
        ("LC_TIME", "C"),
        ("TZ", "UTC"),
    ]);
    let ended = Ended::from(command.output().unwrap()).code(0);
    assert!(ended.stdout.contains("echo"), "{ended:?}");
    let text = std::fs::read_to_string(written).unwrap();
    let variables = text.lines().filter_map(|line| line.split_once('='));
    variables
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// The keys and the settings of the user are not the business of a server, unless it is given them by name, or everything.
#[test]
fn a_server_gets_only_what_every_program_needs_unless_it_is_given_more() {
    const WITHHELD: [&str; 3] = ["GITHUB_TOKEN", "PYTHONPATH", "NPM_CONFIG__AUTH"];
    let short = received(&[]);
    for name in WITHHELD {
        assert!(!short.contains_key(name), "{name} of {:?}", short.keys());
    }
    for name in ["PATH", "LC_TIME", "TZ", "TMPDIR", "XDG_DATA_HOME"] {
        assert!(short.contains_key(name), "{name} of {:?}", short.keys());
    }

    let named = received(&["--env", "GITHUB_TOKEN=another"]);
    assert_eq!(named["GITHUB_TOKEN"], "another");
    assert!(!named.contains_key("PYTHONPATH"), "{:?}", named.keys());

    let whole = received(&["--inherit-env"]);
    for name in WITHHELD {
        assert!(whole.contains_key(name), "{name} of {:?}", whole.keys());
    }
    assert_eq!(whole["GITHUB_TOKEN"], "of the user");
}
