//! What the program writes where: results to stdout, and what it says itself to stderr.

use std::{fs::File, process::Stdio};

use crate::programs::{Ended, Patchbay, ours, quoted};

/// The demo server, as a command line.
fn demo() -> String {
    format!("{} demo-server", quoted(&ours("patchbay")))
}

/// A full disk is no reader that has closed stdout: a result that is not there is no success.
#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_written_ends_with_1() {
    let patchbay = Patchbay::new();
    let demo = demo();
    for args in [
        &["--help"][..],
        &["completions", "bash"],
        &["man"],
        &["traffic", "quota"],
        &["add", "--yes", "--name", "probe", "npx -y x"],
        &["tools", "list", "--stdio", &demo],
        &["doctor", "--stdio", &demo],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let run = patchbay.command(args).stdout(full).stderr(Stdio::piped()).spawn();
        let ended = Ended::from(run.unwrap().wait_with_output().unwrap());
        let why = "The result could not be written to stdout.";
        assert!(
            ended.code == Some(1) && ended.stderr.contains(why),
            "{args:?}: {ended:?}"
        );
    }
    let again = patchbay
        .run(&["add", "--yes", "--name", "probe", "npx -y x"])
        .code(1);
    let known = "There is a server named \"probe\" already.";
    assert!(again.stderr.contains(known), "the first was added: {again:?}");
}

/// With `--json` a script can read each line of stderr.
#[test]
fn notices_are_json_on_request() {
    let patchbay = Patchbay::new();
    let told = |args: &[&str]| -> Vec<String> {
        let ended = patchbay.run(&[&["--json"], args].concat()).code(0);
        let lines = ended.stderr.lines().map(|line| {
            let line: serde_json::Value =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {ended:?}"));
            assert_eq!(line["code"], "notice", "{args:?}: {ended:?}");
            line["message"].as_str().unwrap().to_owned()
        });
        lines.collect()
    };
    let demo = demo();
    let path = patchbay.folder().join("recording.jsonl").display().to_string();
    let list = ["tools", "list", "--record", &path, "--stdio", &demo];
    assert_eq!(told(&list), [""; 0]);
    let checked = told(&["check", &path]);
    assert!(checked[0].contains("frames checked"), "{checked:?}");

    told(&["add", "--yes", "--name", "demo", &demo]);
    let changed = told(&["tools", "diff", "--server", "demo"]);
    assert!(
        changed[0].starts_with("No definitions are remembered"),
        "{changed:?}"
    );

    let config = patchbay.folder().join("config.json");
    std::fs::write(
        &config,
        r#"{"mcpServers":{"a":{"command":"x","debugger":{"kind":"node"}}}}"#,
    )
    .unwrap();
    let config = config.display().to_string();
    let added = told(&["add", "--yes", &config]);
    assert!(added[0].contains("debugger"), "{added:?}");
}

/// What a message says to do has to help: `--data-dir` does not move the temporary log.
#[cfg(unix)]
#[test]
fn what_cannot_be_opened_says_what_to_do() {
    let patchbay = Patchbay::new();
    let demo = demo();
    let none = patchbay.folder().join("none");
    let list = patchbay
        .command(&["tools", "list", "--stdio", &demo])
        .env("TMPDIR", &none)
        .output();
    let ended = Ended::from(list.unwrap()).code(1);
    let next = "another folder for temporary files with the variable TMPDIR";
    assert!(
        ended.stderr.contains(next) && !ended.stderr.contains("--data-dir"),
        "{ended:?}"
    );
    std::fs::write(&none, "").unwrap();
    let ended = patchbay.run(&["--data-dir", "none", "traffic", "quota"]).code(1);
    assert!(
        ended.stderr.contains("or choose another with `--data-dir DIR`"),
        "{ended:?}"
    );
}
