//! Nothing is left running after `patchbay`, however it ends.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::programs::{Patchbay, ours, quoted};

/// A pipe that a server and all its descendants hold open while they live. It opens when the server starts and ends
/// when the last of them is gone, so that nobody has to sleep and look.
struct Lifeline {
    path: PathBuf,
}

impl Lifeline {
    fn new(folder: &Path) -> Self {
        let path = folder.join("lifeline");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        Self { path }
    }

    /// A command line that takes hold of it, starts a second process that never ends, and then is the server.
    fn server(&self, server: &str) -> String {
        format!(
            "sh -c \"exec 9>{}; sleep 1000 & exec {server}\"",
            quoted(&self.path)
        )
    }

    /// Waits until somebody holds it.
    fn taken(&self) -> Held {
        Held(File::open(&self.path).unwrap())
    }
}

struct Held(File);

impl Held {
    /// Waits until nobody holds it.
    fn all_gone(mut self) {
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            let read = self.0.read_to_end(&mut Vec::new());
            let _ = tell.send(read.is_ok());
        });
        assert_eq!(
            told.recv_timeout(Duration::from_secs(20)),
            Ok(true),
            "something is still running"
        );
    }
}

fn signal(name: &str, child: &Child) {
    assert!(
        Command::new("kill")
            .args([name, &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
}

fn hanging_call(patchbay: &Patchbay, lifeline: &Lifeline) -> Child {
    let server = lifeline.server(&quoted(&ours("patchbay-rmcp-server")));
    patchbay
        .command(&[
            "tools", "call", "--era", "legacy", "--stdio", &server, "hang", "{}",
        ])
        .spawn()
        .unwrap()
}

#[test]
fn after_a_normal_end() {
    let patchbay = Patchbay::new();
    let lifeline = Lifeline::new(patchbay.folder());
    let server = lifeline.server(&quoted(&ours("patchbay-rmcp-server")));
    let mut child = patchbay
        .command(&["tools", "list", "--era", "legacy", "--stdio", &server])
        .spawn()
        .unwrap();
    let held = lifeline.taken();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    held.all_gone();
}

#[test]
fn after_an_interrupt_with_130() {
    let patchbay = Patchbay::new();
    let lifeline = Lifeline::new(patchbay.folder());
    let mut child = hanging_call(&patchbay, &lifeline);
    let held = lifeline.taken();
    signal("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    held.all_gone();
}

#[test]
fn after_being_killed() {
    let patchbay = Patchbay::new();
    let lifeline = Lifeline::new(patchbay.folder());
    let mut child = hanging_call(&patchbay, &lifeline);
    let held = lifeline.taken();
    signal("-KILL", &child);
    assert_eq!(child.wait().unwrap().code(), None);
    held.all_gone();
}

/// The server outlives its stdin and is deaf to SIGTERM: who asks twice does not wait for all that.
#[test]
fn after_a_second_interrupt_at_once() {
    let patchbay = Patchbay::new();
    let lifeline = Lifeline::new(patchbay.folder());
    let stdin_ended = patchbay.folder().join("stdin-ended");
    assert!(
        Command::new("mkfifo")
            .arg(&stdin_ended)
            .status()
            .unwrap()
            .success()
    );
    let server = format!(
        "sh -c \"exec 9>{}; trap '' TERM; {} legacy; : >{}; while :; do sleep 1; done\"",
        quoted(&lifeline.path),
        quoted(&ours("patchbay-test-server")),
        quoted(&stdin_ended),
    );
    let mut child = patchbay
        .command(&[
            "tools", "call", "--era", "legacy", "--stdio", &server, "never", "{}",
        ])
        .spawn()
        .unwrap();
    let held = lifeline.taken();
    signal("-INT", &child);
    // Opens only when the first signal has had its effect.
    drop(File::open(&stdin_ended).unwrap());
    signal("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let left: Vec<_> = fs::read_dir(patchbay.folder().join("tmp")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    held.all_gone();
}
