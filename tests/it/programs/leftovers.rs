//! `patchbay` leaves nothing running, however it ends: no process, no call, no session.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use patchbay_contract::{ErrorCode, ToolCallParams};
use patchbay_engine::{Ask, Engine, EngineOptions};
use patchbay_transport::SHUTDOWN_GRACE;

use crate::client::run_test;
use crate::http::server::Server;
use crate::programs::{Patchbay, Recording, ours, quoted, scripted};

/// A pipe that a server and all its descendants hold open while they run. Opening it blocks until the server starts, and
/// reading ends when the last process has ended, so that no polling is needed.
pub(super) struct Lifeline {
    path: PathBuf,
}

impl Lifeline {
    pub(super) fn new(folder: &Path) -> Self {
        let path = folder.join("lifeline");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        Self { path }
    }

    /// A command line that opens the pipe, starts a second endless process, and then becomes the server.
    pub(super) fn server(&self, server: &str) -> String {
        format!(
            "sh -c \"exec 9>{}; sleep 1000 & exec {server}\"",
            quoted(&self.path)
        )
    }

    /// Waits until a process has opened it.
    pub(super) fn taken(&self) -> Held {
        Held(opened(&self.path))
    }
}

/// Opens a pipe to read from it, once a process has opened it to write.
pub(super) fn opened(pipe: &Path) -> File {
    let (tell, told) = mpsc::channel();
    let path = pipe.to_owned();
    thread::spawn(move || {
        let _ = tell.send(File::open(path));
    });
    let opened = told.recv_timeout(PATIENCE);
    opened
        .unwrap_or_else(|_| panic!("nobody opens {}", pipe.display()))
        .unwrap()
}

pub(super) struct Held(File);

impl Held {
    /// Waits until no process holds it.
    pub(super) fn all_gone(mut self) {
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

pub(super) fn signal(name: &str, child: &Child) {
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

/// Every user can put a pipe where the lock of a left log would be. Opening it would wait for ever, and no signal would help.
#[test]
fn after_sigterm_with_143_beside_a_pipe_in_the_temporary_folder() {
    let patchbay = Patchbay::new();
    let lifeline = Lifeline::new(patchbay.folder());
    let trap = patchbay.folder().join("tmp/patchbay-log-trap");
    fs::create_dir_all(&trap).unwrap();
    let pipe = Command::new("mkfifo").arg(trap.join("in-use")).status();
    assert!(pipe.unwrap().success());
    let long_ago = Command::new("touch")
        .args(["-d", "2020-01-01"])
        .arg(trap.join("in-use"))
        .status();
    assert!(long_ago.unwrap().success());
    let mut child = hanging_call(&patchbay, &lifeline);
    // It has passed the pipe when it has started the server.
    let held = lifeline.taken();
    signal("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(143));
    held.all_gone();
    let left: Vec<_> = fs::read_dir(patchbay.folder().join("tmp")).unwrap().collect();
    assert_eq!(left.len(), 1, "only the trap: {left:?}");
}

/// While the result waits for a reader, the signal counts all the same.
#[test]
fn after_sigterm_with_143_while_nobody_reads_the_result() {
    let patchbay = Patchbay::new();
    let lifeline = Lifeline::new(patchbay.folder());
    let server = lifeline.server(&scripted("legacy"));
    let args = ["tools", "call", "--era", "legacy", "--stdio", &server, "big"];
    let mut child = patchbay
        .command(&[&args[..], &[r#"{"n":1}"#]].concat())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let held = lifeline.taken();
    // The rest does not fit into a pipe.
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0]).unwrap();
    signal("-TERM", &child);
    held.all_gone();
    assert_eq!(child.wait().unwrap().code(), Some(143));
    drop(stdout);
}

/// What is started by `nohup` goes on ignoring the signal, which would otherwise end it.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_terminal_ends_nothing_that_nohup_started() {
    use std::io::{BufRead as _, BufReader};

    let patchbay = Patchbay::new();
    let serve = patchbay.command(&["serve"]);
    let mut command = Command::new("nohup");
    command
        .arg(serve.get_program())
        .args(serve.get_args())
        .stdin(Stdio::null());
    let variables = serve.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let mut child = command.envs(variables).stdout(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut address).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    signal("-HUP", &child);
    signal("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(address.starts_with("http://"), "{address}");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = u64::from_str_radix(ignored.unwrap().trim(), 16).unwrap();
    assert_eq!(ignored & 1, 1, "{status}");
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

/// The server ignores the end of stdin and SIGTERM: a second interrupt does not wait for it.
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
    // Opened only when the first signal has had its effect.
    drop(opened(&stdin_ended));
    signal("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let left: Vec<_> = fs::read_dir(patchbay.folder().join("tmp")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    held.all_gone();
}

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(55);
/// Between two looks at what a server has received.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// What a server has received, once `there` is included.
fn seen(server: &Server, there: &str) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let seen = server.seen();
        if seen.iter().any(|line| line == there) {
            return seen;
        }
        assert!(begun.elapsed() < PATIENCE, "no {there}: {seen:#?}");
        thread::sleep(BETWEEN_LOOKS);
    }
}

/// A call that an HTTP server never answers.
struct Call {
    server: Server,
    _patchbay: Patchbay,
    child: Child,
}

impl Call {
    /// Starts the call, and waits until `there` has reached the server.
    fn made(behaviour: &str, era: &str, there: &str) -> Self {
        let server = Server::start(behaviour);
        let patchbay = Patchbay::new();
        let args = ["tools", "call", "--era", era, "--url", &server.url, "silent"];
        let child = patchbay.command(&args).spawn().unwrap();
        seen(&server, there);
        Self {
            server,
            _patchbay: patchbay,
            child,
        }
    }

    fn code(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

const LEGACY_CALL: &str = "POST tools/call [session-1]";
const END_OF_SESSION: &str = "DELETE [session-1]";

/// The server receives the cancellation of the call, and then the end of the session.
#[test]
fn an_interrupt_cancels_a_legacy_call_over_http_and_ends_its_session() {
    let mut call = Call::made("fair", "legacy", LEGACY_CALL);
    signal("-INT", &call.child);
    assert_eq!(call.code(), Some(130));
    let mut seen = seen(&call.server, END_OF_SESSION);
    seen.retain(|line| {
        ["tools/call", "cancelled", "DELETE"]
            .iter()
            .any(|part| line.contains(part))
    });
    assert_eq!(
        seen,
        [
            LEGACY_CALL,
            "POST notifications/cancelled [session-1]",
            END_OF_SESSION
        ]
    );
}

/// In the modern era closing the stream is enough, and there is no session.
#[test]
fn an_interrupt_cancels_a_modern_call_over_http_by_closing_its_stream() {
    let mut call = Call::made("fair", "modern", "POST tools/call");
    signal("-INT", &call.child);
    assert_eq!(call.code(), Some(130));
    let seen = seen(&call.server, "the stream was closed");
    let more = seen
        .iter()
        .find(|line| line.contains("cancelled") || line.contains("DELETE"));
    assert_eq!(more, None, "{seen:#?}");
}

/// A server that does not respond to the end of the session is not waited for long.
#[test]
fn an_interrupt_does_not_wait_for_the_end_of_the_session() {
    let mut call = Call::made("clings", "legacy", LEGACY_CALL);
    signal("-INT", &call.child);
    assert_eq!(call.code(), Some(130));
    seen(&call.server, END_OF_SESSION);
}

/// A request that was about to be sent when everything was cancelled is not sent.
#[test]
fn nothing_is_sent_after_everything_was_cancelled() {
    run_test(async {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
        let draft = engine.draft_of_command(&scripted("legacy")).unwrap();
        let server = engine.add_server(draft).await.unwrap();
        engine.connect(&server).await.unwrap().unwrap();
        engine.cancel_all().await;
        let call = Ask::Tool(ToolCallParams {
            server_id: server,
            name: "echo".to_owned(),
            arguments_json: "{}".to_owned(),
            meta_json: None,
            timeouts: None,
            as_task: None,
            by_app: None,
        });
        let error = engine.exchange(call, |_| {}).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::NotConnected, "{error:?}");
        engine.disconnect().await;
        let recording = folder.path().join("recording.jsonl");
        let file = File::create(&recording).unwrap();
        engine.export_recording(file).await.unwrap();
        let sent = Recording::read(&recording);
        let calls = sent
            .raws("clientToServer")
            .into_iter()
            .filter(|raw| raw.contains("tools/call"));
        assert_eq!(calls.count(), 0);
        engine.shutdown().await;
    });
}

/// A second signal does not wait at all. It is a different one, so that the exit code shows which one had the effect.
#[test]
fn a_second_signal_ends_a_call_over_http_at_once() {
    let mut call = Call::made("clings", "legacy", LEGACY_CALL);
    let begun = Instant::now();
    signal("-INT", &call.child);
    seen(&call.server, END_OF_SESSION);
    signal("-TERM", &call.child);
    let asked_twice_in = begun.elapsed();
    let code = call.code();
    if asked_twice_in < SHUTDOWN_GRACE {
        assert_eq!(code, Some(143));
    } else {
        // On a busy machine the first signal may have been enough.
        assert!(matches!(code, Some(130 | 143)), "{code:?}");
    }
}
