#![cfg(unix)]

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use bytes::Bytes;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use patchbay_traffic::{ConnectionRef, Filter, Kind, NewConnection, Recorder, Store, StoreOptions};

use super::*;
use crate::{Environment, OutgoingKind};

const GRACE: Duration = Duration::from_millis(50);

/// Makes a program of a text that begins with `#!`. Another process writes it: what a test beside this one starts would inherit
/// our open file for a moment, and a file that is open for writing cannot be run.
pub(super) fn executable(file: &Path, text: &str) {
    let made = Command::new("/bin/sh")
        .args(["-c", r#"printf '%s\n' "$2" > "$1" && chmod 755 "$1""#, "sh"])
        .args([file.as_os_str(), text.as_ref()])
        .status();
    assert!(made.unwrap().success());
}

/// A pipe that a server and all it starts hold open while they live: `$LIFE` in their scripts.
pub(super) struct Lifeline(tempfile::TempDir);

impl Lifeline {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let made = Command::new("mkfifo")
            .arg(folder.path().join("life"))
            .status()
            .unwrap();
        assert!(made.success());
        Self(folder)
    }

    pub(super) fn path(&self) -> PathBuf {
        self.0.path().join("life")
    }

    /// Waits until somebody holds it; then the returned future waits until nobody does.
    pub(super) async fn held(&self) -> impl Future<Output = ()> + use<> {
        let path = self.path();
        let (held, holds) = tokio::sync::oneshot::channel();
        let (left, gone) = tokio::sync::oneshot::channel();
        // Not a task that blocks: the runtime would wait for it when the test has failed.
        std::thread::spawn(move || {
            let mut file = File::open(path).unwrap();
            let _ = held.send(());
            let _ = file.read_to_end(&mut Vec::new());
            let _ = left.send(());
        });
        let in_time = |event| tokio::time::timeout(Duration::from_secs(20), event);
        in_time(holds).await.expect("nobody holds it").unwrap();
        async move { in_time(gone).await.expect("something is left").unwrap() }
    }
}

fn sh(script: &str, env: &[(&str, &str)]) -> StdioConfig {
    StdioConfig {
        command: "sh".to_owned(),
        args: vec!["-c".to_owned(), script.to_owned()],
        env: env
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        cwd: Some("/".into()),
        environment: Arc::new(Environment::inherited()),
    }
}

struct Started {
    stdio: Stdio,
    store: Store,
}

/// The rest of what it writes is waited for longer than a machine is busy.
fn start(config: &StdioConfig) -> Result<Started, Box<NotStarted>> {
    start_draining(config, Duration::from_secs(30))
}

fn start_draining(config: &StdioConfig, drain: Duration) -> Result<Started, Box<NotStarted>> {
    let (store, recorder, connection) = log();
    let stdio = Stdio::start(config, GRACE, Tap::new(recorder, connection))?.draining_within(drain);
    Ok(Started { stdio, store })
}

fn log() -> (Store, Recorder, ConnectionRef) {
    let (store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let names = NewConnection {
        server_id: "s".to_owned(),
        server_name: "s".to_owned(),
        origin: patchbay_traffic::Origin::Client,
    };
    let connection = recorder.connection(names);
    (store, recorder, connection)
}

fn message(frame: &[u8]) -> Outgoing {
    Outgoing {
        frame: Bytes::copy_from_slice(frame),
        kind: OutgoingKind::Notification { method: "x".into() },
        headers: Vec::new(),
        operation: None,
    }
}

fn reply(frame: &[u8]) -> Outgoing {
    let id = patchbay_protocol::RequestId::Int(1);
    Outgoing {
        kind: OutgoingKind::Response { id },
        ..message(frame)
    }
}

fn started(script: &str) -> Started {
    start(&sh(script, &[])).unwrap()
}

/// The frames up to the end, and the end.
async fn to_the_end(stdio: &mut Stdio) -> (Vec<Received>, Ended) {
    let mut frames = Vec::new();
    loop {
        match stdio.next().await.expect("Ended comes before none") {
            Event::Frame(frame) => frames.push(frame),
            Event::Ended(ended) => return (frames, ended),
            other => panic!("{other:?}"),
        }
    }
}

async fn next_line(stdio: &mut Stdio) -> String {
    match stdio.next().await.unwrap() {
        Event::Frame(received) => String::from_utf8_lossy(&received.frame).into_owned(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_the_server_writes_is_recorded_before_it_is_seen() {
    let Started { mut stdio, store } = started("printf 'one\\r\\ntwo\\nend'; echo oops >&2; exit 3");
    let (frames, ended) = to_the_end(&mut stdio).await;
    let texts: Vec<_> = frames
        .iter()
        .map(|got| (&got.frame[..], got.terminated))
        .collect();
    assert_eq!(texts, [(&b"one\r"[..], true), (b"two", true), (b"end", false)]);
    for got in &frames {
        store.flush().await.unwrap();
        assert_eq!(store.body(got.seq).await.unwrap().unwrap(), got.frame);
    }
    assert_eq!(ended.exit, Some(Exit::Code(3)));
    let failure = ended.failure("Initialize");
    assert_eq!(failure.cause, "The server exited with code 3.");
    assert_eq!(failure.detail.as_deref(), Some("oops"));
    assert!(stdio.next().await.is_none());
    let stderr = Filter::default().kinds(&[Kind::Stderr]);
    let rows = store.rows(&stderr, 0, 10).await.unwrap();
    assert_eq!(rows[0].summary.as_deref(), Some("oops"));
}

/// What one read brought has one time.
#[tokio::test]
async fn a_line_has_the_time_at_which_it_was_read() {
    let (store, recorder, connection) = log();
    let (mut pipe, reader) = tokio::io::duplex(64);
    let mut stdio = Stdio::over(
        Box::new(reader),
        Box::new(tokio::io::sink()),
        ProcessInfo::default(),
        Tap::new(recorder, connection),
    );
    tokio::io::AsyncWriteExt::write_all(&mut pipe, b"one\ntwo\n")
        .await
        .unwrap();
    let mut times = Vec::new();
    for _ in 0..2 {
        let Some(Event::Frame(received)) = stdio.next().await else {
            panic!("no line");
        };
        times.push(received.at_ns);
    }
    store.flush().await.unwrap();
    let rows = store.rows(&Filter::default(), 0, 10).await.unwrap();
    assert_eq!((times[0], rows[0].at_ms), (times[1], rows[1].at_ms));
}

#[tokio::test]
async fn frames_go_out_in_order_and_the_end_of_stdin_ends_a_good_server() {
    let Started { mut stdio, .. } = started("while read -r line; do echo \"got $line\"; done");
    for text in ["a", "b"] {
        stdio.send(message(text.as_bytes())).await.unwrap();
    }
    assert_eq!(next_line(&mut stdio).await, "got a");
    assert_eq!(next_line(&mut stdio).await, "got b");
    stdio.close_within(Duration::from_secs(60));
    let (_, ended) = to_the_end(&mut stdio).await;
    assert_eq!(ended.exit, Some(Exit::Code(0)));
    assert!(stdio.send(message(b"late")).await.is_err());
}

/// Ends by itself after the end of its stdin, but later than the usual grace.
const SLOW: &str = "while read -r line; do :; done; sleep 1; exit 7";

#[tokio::test]
async fn a_patient_close_lets_a_slow_server_end_by_itself() {
    let Started { mut stdio, .. } = started(SLOW);
    stdio.close_within(Duration::from_secs(60));
    let (_, ended) = to_the_end(&mut stdio).await;
    assert_eq!(ended.exit, Some(Exit::Code(7)));
}

#[tokio::test]
async fn a_second_close_with_less_patience_counts() {
    let Started { mut stdio, .. } = started("exec sleep 1000");
    stdio.close_within(Duration::from_secs(3600));
    stdio.close();
    stdio.close_within(Duration::from_secs(3600));
    let (_, ended) = to_the_end(&mut stdio).await;
    assert_eq!(ended.exit, Some(Exit::Signal(15)));
}

#[tokio::test]
async fn the_environment_is_the_given_one_with_the_servers_own_on_top() {
    let environment = Environment {
        vars: vec![
            ("PATH".into(), std::env::var_os("PATH").unwrap()),
            ("A".into(), "1".into()),
            ("B".into(), "1".into()),
        ],
        source: crate::EnvironmentSource::LoginShell,
        shell: None,
        problem: None,
        withheld: 3,
    };
    let mut config = sh("echo $A$B$PWD; echo ${HOME-unset}", &[("B", "2")]);
    config.environment = Arc::new(environment);
    let Started { mut stdio, .. } = start(&config).unwrap();
    let info = stdio.info();
    assert_eq!(info.env_names, ["B"]);
    assert_eq!(
        (info.inherited_names, info.withheld),
        (vec!["A".to_owned(), "PATH".to_owned()], 3)
    );
    assert_eq!(next_line(&mut stdio).await, "12/");
    assert_eq!(next_line(&mut stdio).await, "unset");
}

#[tokio::test]
async fn a_program_that_cannot_be_started_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    executable(&script, "#!/nothing/here");
    let cause = |change: &dyn Fn(&mut StdioConfig)| {
        let mut config = sh("", &[]);
        change(&mut config);
        let not_started = start(&config).err().expect("it started");
        assert_eq!(not_started.failure.step, "Start the program");
        assert!(!not_started.failure.next.is_empty());
        not_started
            .failure
            .cause
            .replace(&folder.path().display().to_string(), "DIR")
    };
    assert_eq!(
        cause(&|c| c.command = "no-such-program".into()),
        "The program \"no-such-program\" was not found in PATH."
    );
    assert_eq!(
        cause(&|c| c.cwd = Some("/no/such/folder".into())),
        "The folder /no/such/folder does not exist."
    );
    assert_eq!(
        cause(&|c| c.command = script.display().to_string()),
        "DIR/script exists, but the interpreter it names does not."
    );
}

/// Sends until no more is taken.
async fn fill(stdio: &mut Stdio) -> Failure {
    let frame = vec![b' '; 1 << 20];
    loop {
        if let Err(failure) = stdio.send(message(&frame)).await {
            return failure;
        }
    }
}

#[tokio::test]
async fn a_server_that_does_not_read_stops_nobody() {
    let config = sh("echo ready; exec sleep 1000", &[]);
    let Started { mut stdio, .. } = start_draining(&config, DRAIN).unwrap();
    assert_eq!(next_line(&mut stdio).await, "ready");
    let refused = fill(&mut stdio).await;
    assert!(
        refused.cause.starts_with("The server does not read its stdin"),
        "{refused:?}"
    );
    // It may wait for a reply.
    stdio.send(reply(b"y")).await.unwrap();
    stdio.close();
    let (_, ended) = to_the_end(&mut stdio).await;
    assert_eq!(ended.exit, Some(Exit::Signal(15)));
    assert_eq!(ended.unwritten, 17);
}

/// A program that does one thing after the other writes before it reads on.
#[tokio::test]
async fn a_server_that_writes_while_a_long_message_waits_is_read() {
    let script = "head -c 1 > /dev/null; head -c 300000 /dev/zero | tr '\\0' x; echo; head -c 20000000 > /dev/null; echo done";
    let Started { mut stdio, .. } = started(script);
    stdio.send(message(&vec![b' '; 20_000_000])).await.unwrap();
    assert_eq!(next_line(&mut stdio).await.len(), 300_000);
    assert_eq!(next_line(&mut stdio).await, "done");
}

#[tokio::test]
async fn a_server_that_takes_no_replies_is_not_read() {
    let Started { mut stdio, .. } = started("echo ready; head -c 1 > /dev/null; echo more; exec sleep 1000");
    assert_eq!(next_line(&mut stdio).await, "ready");
    let frame = vec![b' '; 1 << 20];
    for _ in 0..18 {
        stdio.send(reply(&frame)).await.unwrap();
    }
    let read = tokio::time::timeout(Duration::from_millis(500), stdio.next()).await;
    assert!(read.is_err(), "{read:?}");
}

#[tokio::test]
async fn the_last_words_of_a_server_that_takes_no_replies_are_delivered() {
    let config = sh(
        "trap 'echo bye; exit 0' TERM; echo ready; sleep 1000 >&- 2>&- & wait",
        &[],
    );
    for closes in [true, false] {
        let Started { mut stdio, .. } = start(&config).unwrap();
        assert_eq!(next_line(&mut stdio).await, "ready");
        let frame = vec![b' '; 1 << 20];
        for _ in 0..18 {
            stdio.send(reply(&frame)).await.unwrap();
        }
        match closes {
            true => stdio.close(),
            false => {
                let pid = i32::try_from(stdio.info().pid.unwrap()).unwrap();
                kill(Pid::from_raw(pid), Signal::SIGTERM).unwrap();
            }
        }
        let (frames, ended) = to_the_end(&mut stdio).await;
        let lines: Vec<_> = frames.iter().map(|received| &received.frame[..]).collect();
        assert_eq!(lines, [b"bye"]);
        assert_eq!((ended.exit, ended.unwritten), (Some(Exit::Code(0)), 18));
    }
}

#[tokio::test]
async fn a_child_that_holds_stdout_does_not_keep_a_dead_server_alive() {
    let life = Lifeline::new();
    let config = sh(
        "exec 9>\"$LIFE\"; sleep 1000 & echo bye",
        &[("LIFE", &life.path().display().to_string())],
    );
    let Started { mut stdio, .. } = start_draining(&config, Duration::from_secs(5)).unwrap();
    let gone = life.held().await;
    let (frames, ended) = to_the_end(&mut stdio).await;
    assert_eq!((frames.len(), ended.exit), (1, Some(Exit::Code(0))));
    assert!(stdio.next().await.is_none());
    gone.await;
}

#[tokio::test]
async fn a_server_that_closes_stdout_and_stays_is_ended() {
    let Started { mut stdio, .. } = start_draining(&sh("exec sleep 1000 1>&-", &[]), DRAIN).unwrap();
    let (_, ended) = to_the_end(&mut stdio).await;
    assert_eq!(ended.exit, None);
    assert_eq!(
        ended.failure("Read").cause,
        "The server closed its stdout, but its process did not end."
    );
    assert!(stdio.next().await.is_none());
}

/// Deaf to the end of stdin and to SIGTERM, and so is its child.
const STUBBORN: &str =
    "exec 9>\"$LIFE\"; trap '' TERM; sh -c 'while :; do sleep 1; done' & echo up; while :; do sleep 1; done";

#[tokio::test]
async fn a_stubborn_group_is_killed() {
    let life = Lifeline::new();
    let Started { mut stdio, .. } =
        start(&sh(STUBBORN, &[("LIFE", &life.path().display().to_string())])).unwrap();
    let gone = life.held().await;
    assert_eq!(next_line(&mut stdio).await, "up");
    stdio.close();
    let (_, ended) = to_the_end(&mut stdio).await;
    assert_eq!(ended.exit, Some(Exit::Signal(9)));
    assert!(stdio.next().await.is_none());
    gone.await;
}

#[tokio::test]
async fn dropping_it_ends_the_group() {
    let life = Lifeline::new();
    let started = start(&sh(STUBBORN, &[("LIFE", &life.path().display().to_string())])).unwrap();
    let gone = life.held().await;
    drop(started.stdio);
    gone.await;
}

#[test]
fn the_end_of_the_runtime_ends_the_group() {
    let life = Lifeline::new();
    let config = sh(STUBBORN, &[("LIFE", &life.path().display().to_string())]);
    let watching = tokio::runtime::Runtime::new().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let kept = runtime.block_on(async { start(&config).unwrap() });
    let gone = watching.block_on(life.held());
    drop(runtime);
    watching.block_on(gone);
    drop(kept.store);
}

/// The part of the tests in `killed` that is killed: this test program, started again.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn killed_helper() {
    let Ok(marker) = std::env::var(killed::MARKER) else {
        return;
    };
    let server = std::env::var(killed::SERVER_SCRIPT).unwrap();
    let config = sh(&server, &[(killed::MARKER, &marker)]);
    let (_store, recorder, connection) = log();
    std::io::Write::write_all(&mut std::io::stdout(), b"\nready\n").unwrap();
    let mut stdio = Stdio::start(&config, GRACE, Tap::new(recorder, connection)).unwrap();
    to_the_end(&mut stdio).await;
}

mod endless;
#[cfg(target_os = "linux")]
mod killed;
mod run;
#[cfg(target_os = "linux")]
mod strays;

/// A link does not go on without a task of its own: its panic is the link's, which the connection reports as its cause. The
/// server is ended.
#[tokio::test]
async fn a_task_of_a_link_that_dies_takes_the_link_with_it() {
    for task in [doomed::Task::Stderr, doomed::Task::Watcher] {
        doomed::doom(task);
        let lifeline = Lifeline::new();
        let life = lifeline.path().display().to_string();
        let config = sh(
            "exec 9>\"$LIFE\"; while read -r line; do :; done",
            &[("LIFE", &life)],
        );
        let Started { mut stdio, .. } = start(&config).unwrap();
        let driven = tokio::spawn(async move { while stdio.next().await.is_some() {} });
        let ended = tokio::time::timeout(Duration::from_secs(20), driven).await;
        let ended = ended.unwrap_or_else(|_| panic!("{task:?}: the link goes on"));
        let panic = ended
            .expect_err("the link ended as if nothing had happened")
            .into_panic();
        let words = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        assert!(words.contains("the task is killed"), "{task:?}: {words}");
    }
}
