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
