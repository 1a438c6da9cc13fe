//! Nothing is left when we are killed, at whatever moment of a server's start.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio as Pipe},
    thread,
    time::{Duration, Instant},
};

/// The variable that marks the helper and every process that it starts.
pub(super) const MARKER: &str = "PATCHBAY_TEST_KILLED";
/// The variable that tells the helper what its server does.
pub(super) const SERVER_SCRIPT: &str = "PATCHBAY_TEST_KILLED_SERVER";
/// Deaf to the end of stdin and to SIGTERM, and so is its child.
const SERVER: &str = "trap '' TERM; sh -c 'while :; do sleep 1; done' & echo up; while :; do sleep 1; done";
/// As deaf, but its child is in a session of its own, and so in no group that we know. Should nobody end it, it ends after
/// [`PATIENCE`].
const WITH_A_STRAY: &str =
    "trap '' TERM; setsid sh -c 'for _ in $(seq 60); do sleep 1; done' stray & while :; do sleep 1; done";
/// Much longer than the guardian takes, even on a busy machine. Then the test fails.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks at all processes, so that a busy machine has time for their ends.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// A helper. What it wrote is deleted with this, because it is killed before it can do so.
struct Helper {
    process: Child,
    _files: tempfile::TempDir,
}

/// Starts the helper, which starts this server and kills itself at that moment of the start, if one is given.
fn helper(server: &str, marker: &str, moment: Option<u32>) -> Helper {
    let files = tempfile::tempdir().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "stdio::tests::killed_helper", "--nocapture"])
        .env(MARKER, marker)
        .env("TMPDIR", files.path())
        .env(SERVER_SCRIPT, server)
        .stdout(Pipe::piped());
    if let Some(moment) = moment {
        command.env("PATCHBAY_TEST_MOMENT", moment.to_string());
    }
    Helper {
        process: command.spawn().unwrap(),
        _files: files,
    }
}

/// The processes with this mark, by their command lines.
fn left(marker: &str) -> Vec<String> {
    let mark = format!("{MARKER}={marker}\0");
    let mut left = Vec::new();
    for process in fs::read_dir("/proc").unwrap().flatten() {
        // What ends meanwhile cannot be read.
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        if memchr::memmem::find(&environment, mark.as_bytes()).is_some() {
            let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
            left.push(String::from_utf8_lossy(&line).replace('\0', " "));
        }
    }
    left
}

fn assert_all_gone(marker: &str) {
    let begun = Instant::now();
    loop {
        let left = left(marker);
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{marker}: still running: {left:#?}");
        thread::sleep(BETWEEN_LOOKS);
    }
}

/// Waits until the child of [`WITH_A_STRAY`] is in its session.
fn wait_for_the_stray(marker: &str) {
    let begun = Instant::now();
    // Before, it is `setsid sh -c …`.
    let is_one = |line: &String| line.starts_with("sh -c") && line.ends_with(" stray ");
    while !left(marker).iter().any(is_one) {
        assert!(begun.elapsed() < PATIENCE, "{:#?}", left(marker));
        thread::sleep(BETWEEN_LOOKS);
    }
}

fn mark(name: &str) -> String {
    format!("{}-{name}", std::process::id())
}

/// Waits until the helper is about to start its server. What it prints later stays in the pipe.
fn is_ready(helper: &mut Child) {
    let lines = BufReader::new(helper.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "ready"));
}

#[test]
fn killing_us_at_any_step_of_a_start_leaves_nothing() {
    let helpers = (0..5).map(|moment| {
        let marker = mark(&format!("step-{moment}"));
        (helper(SERVER, &marker, Some(moment)), marker)
    });
    // All at once: each takes the guardian's patience with a deaf server.
    for (mut helper, marker) in helpers.collect::<Vec<_>>() {
        let status = helper.process.wait().unwrap();
        let killed = std::os::unix::process::ExitStatusExt::signal(&status);
        assert_eq!(killed, Some(9), "{marker}: there are fewer moments");
        assert_all_gone(&marker);
    }
}

#[test]
fn killing_us_at_any_time_of_a_start_leaves_nothing() {
    let killed: Vec<_> = (0..24)
        .map(|step| {
            let marker = mark(&format!("time-{step}"));
            let mut helper = helper(SERVER, &marker, None);
            is_ready(&mut helper.process);
            let begun = Instant::now();
            while begun.elapsed() < step * Duration::from_micros(250) {
                std::hint::spin_loop();
            }
            helper.process.kill().unwrap();
            helper.process.wait().unwrap();
            marker
        })
        .collect();
    for marker in killed {
        assert_all_gone(&marker);
    }
}

/// The guardian knows no group of it, and finds it by what it inherited.
#[test]
fn killing_us_ends_what_left_the_group_of_its_server() {
    let marker = mark("stray");
    let mut helper = helper(WITH_A_STRAY, &marker, None);
    wait_for_the_stray(&marker);
    helper.process.kill().unwrap();
    helper.process.wait().unwrap();
    assert_all_gone(&marker);
}

/// What left the group has the same time to end by itself, even where nothing else is left to wait for.
#[test]
fn what_left_the_group_may_end_by_itself_when_we_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name| folder.path().join(name);
    let stray = format!(
        "trap 'sleep 1; touch {}; exit' TERM; for _ in \\$(seq 300); do touch {}; sleep 0.1; done",
        file("saved").display(),
        file("started").display(),
    );
    // Its shell writes on stderr, which nobody reads any more, that its child was ended.
    let server = format!("setsid sh -c \"{stray}\" 2>/dev/null & read -r _");
    let marker = mark("saving");
    let mut helper = helper(&server, &marker, None);
    let begun = Instant::now();
    while !file("started").exists() {
        assert!(begun.elapsed() < PATIENCE, "{:#?}", left(&marker));
        thread::sleep(BETWEEN_LOOKS);
    }
    helper.process.kill().unwrap();
    helper.process.wait().unwrap();
    assert_all_gone(&marker);
    assert!(file("saved").exists(), "it was killed before it had saved");
}

/// What has windows is not the server's, and is not signalled.
#[test]
fn what_has_windows_is_left_alone_when_we_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    let library = super::strays::window_library(folder.path());
    let at = folder.path().display();
    // The server is deaf, from after the start of its child; so it is gone only after what left its group would have been signalled.
    let server = format!(
        "LD_PRELOAD='{}' setsid sh -c \"trap 'touch {at}/signalled; exit' TERM; until [ -e {at}/end ]; do sleep 0.1; done\" stray & trap '' TERM; while :; do sleep 1; done",
        library.display(),
    );
    let marker = mark("windows");
    let mut helper = helper(&server, &marker, None);
    wait_for_the_stray(&marker);
    helper.process.kill().unwrap();
    helper.process.wait().unwrap();
    let begun = Instant::now();
    let is_server = |line: &String| line.contains("while :; do sleep 1");
    while left(&marker).iter().any(is_server) {
        assert!(begun.elapsed() < PATIENCE, "{:#?}", left(&marker));
        thread::sleep(BETWEEN_LOOKS);
    }
    let is_stray = |line: &String| line.ends_with(" stray ");
    assert!(left(&marker).iter().any(is_stray), "it was ended");
    fs::write(folder.path().join("end"), "").unwrap();
    assert_all_gone(&marker);
    assert!(!folder.path().join("signalled").exists());
}
