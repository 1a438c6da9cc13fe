//! The log on a disk that is full, or fails: calls go on, what is wrong is said with the next action, and once the disk works again
//! all records are written.

use std::time::{Duration, Instant};

use patchbay_test_server::faults::{self, Action, BROKEN, FULL, Faults, READ, SYNC, WRITE};

use super::{Patchbay, answered, scripted};
use crate::programs::kills::serve::Served;

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);

fn faults(patchbay: &Patchbay, below: &str) -> Faults {
    let folder = patchbay.folder();
    let library = faults::library(folder).unwrap();
    let control = folder.join(format!("control-{}", below.replace('/', "-")));
    Faults::new(&library, &control, &folder.join(below)).unwrap()
}

/// Asks until it is said that the log can (not) be written.
fn log_problem(served: &mut Served, expected: bool) -> String {
    let begun = Instant::now();
    loop {
        let info = served.call("app_info", "{}");
        let problem = &info["ok"]["logProblem"];
        if problem.is_string() == expected {
            return problem.as_str().unwrap_or_default().to_owned();
        }
        assert!(begun.elapsed() < PATIENCE, "{info}");
        std::thread::yield_now();
    }
}

/// Asks until the log has so many calls.
fn all_are_there(served: &mut Served, calls: u64) {
    let begun = Instant::now();
    let page = r#"{"filter":"method:tools/call kind:request","offset":0,"limit":1}"#;
    loop {
        let rows = served.call("traffic_rows", page);
        let total = rows["ok"]["total"].as_u64().expect("a number");
        if total == calls {
            return;
        }
        assert!(total < calls && begun.elapsed() < PATIENCE, "{calls}: {rows}");
        std::thread::yield_now();
    }
}

/// Full, failing, not confirming: each begins within a connection, and ends.
#[test]
fn serve_goes_on_while_the_log_cannot_be_written() {
    let patchbay = Patchbay::new();
    let faults = faults(&patchbay, "files/traffic.sqlite");
    let mut served = Served::start_as(&patchbay, |command| faults.on(command));
    let added = served.call("server_add", &draft());
    let id = added["ok"]["serverId"].as_str().expect("a server").to_owned();
    served.call("connection_open", &format!("{{\"serverId\":\"{id}\"}}"));
    served.wait_until_ready();
    let mut calls = 0;
    for (kinds, action, next) in [
        (WRITE, FULL, "Free some space on the disk"),
        (WRITE, BROKEN, "or check it"),
    ] {
        faults.strike(kinds, 1, u32::MAX, action).unwrap();
        for _ in 0..3 {
            let said = served.call_tool(&id);
            assert!(said.contains("\"content\"") || said.contains("outcome"), "{said}");
            calls += 1;
        }
        let problem = log_problem(&mut served, true);
        assert!(
            problem.contains("The traffic log cannot be written: ") && problem.contains(next),
            "{problem}"
        );
        faults.end().unwrap();
        log_problem(&mut served, false);
        all_are_there(&mut served, calls);
    }
    // A slow disk is no problem.
    faults.strike(SYNC | WRITE, 1, 20, Action::Delay(100)).unwrap();
    served.call_tool(&id);
    calls += 1;
    super::super::leftovers::signal("-TERM", &served.child);
    served.child.wait().unwrap();
    drop(served);

    let mut served = Served::start_as(&patchbay, |_| {});
    all_are_there(&mut served, calls);
    assert_eq!(log_problem(&mut served, false), "");
}

fn draft() -> String {
    let words = shlex::split(&scripted("legacy")).expect("a command line");
    let (command, args) = words.split_first().expect("a program");
    let draft = serde_json::json!({"draft": {
        "name": "server",
        "transport": {"type": "stdio", "command": command, "args": args, "env": [], "cwd": null},
        "era": "legacy",
        "timeouts": {"requestMs": 30_000, "maxTotalMs": 30_000, "resetOnProgress": true},
    }});
    draft.to_string()
}

/// A command on a disk that is full from its N-th write on. It answers or says why it cannot, and ends.
#[test]
fn a_command_on_a_full_disk_answers_or_says_why_not() {
    let patchbay = Patchbay::new();
    let faults = faults(&patchbay, "tmp");
    let server = scripted("legacy");
    let call = [
        "tools", "call", "--era", "legacy", "--stdio", &server, "echo", "{}",
    ];
    let run = |from: u32, action: Action| {
        faults.strike(WRITE, from, u32::MAX, action).unwrap();
        let mut command = patchbay.command(&call);
        faults.on(&mut command);
        super::Ended::from(command.output().unwrap())
    };
    assert!(answered(&run(u32::MAX, FULL)));
    let writes = faults.counted();
    assert!(writes > 10, "{writes}");
    let mut said = 0;
    for from in (1..=writes).step_by(usize::try_from(writes / 12).unwrap().max(1)) {
        for action in [FULL, BROKEN] {
            let ended = run(from, action);
            assert!(!ended.stderr.contains("panicked"), "{from}: {ended:?}");
            let names_cause = ["full", "space", "I/O"]
                .iter()
                .any(|word| ended.stderr.contains(word));
            assert!(ended.code.is_some(), "{from}: {ended:?}");
            assert!(answered(&ended) || names_cause, "{from}: {ended:?}");
            said += u32::from(names_cause);
        }
    }
    assert!(said > 0, "the faults have no effect");
}

/// A disk that fails to read is not a damaged log: SQLite says the same of both.
#[test]
fn a_log_that_cannot_be_read_at_the_start_stays_where_it_is() {
    let patchbay = Patchbay::new();
    let faults = faults(&patchbay, "files/traffic.sqlite");
    let log = patchbay.folder().join("files").join("traffic.sqlite");
    let mut served = Served::start_as(&patchbay, |_| {});
    let added = served.call("server_add", &draft());
    let id = added["ok"]["serverId"].as_str().expect("a server").to_owned();
    served.call("connection_open", &format!("{{\"serverId\":\"{id}\"}}"));
    served.wait_until_ready();
    served.call_tool(&id);
    let end = |mut served: Served| {
        super::super::leftovers::signal("-TERM", &served.child);
        served.child.wait().unwrap();
    };
    end(served);
    // Once: the log is opened.
    for read in 2..=8 {
        faults.strike(READ, read, 1, BROKEN).unwrap();
        let mut served = Served::start_as(&patchbay, |command| faults.on(command));
        assert_eq!(faults.struck(), 1, "{read}");
        let info = served.call("app_info", "{}");
        assert_eq!(info["ok"]["notices"], serde_json::json!([]), "{read}: {info}");
        all_are_there(&mut served, 1);
        end(served);
    }
    // At the first read, or for good: the cause is said.
    for (read, count, cause) in [(1, 1, "disk I/O error"), (2, u32::MAX, "Input/output error")] {
        faults.strike(READ, read, count, BROKEN).unwrap();
        let mut command = patchbay.command(&["serve", "--data-dir", "files"]);
        faults.on(&mut command);
        let ended = super::Ended::from(command.output().unwrap());
        assert!(
            ended.code.is_some_and(|code| code > 0) && ended.stderr.contains(cause),
            "{ended:?}"
        );
        assert!(log.exists(), "it was set aside");
    }
    faults.end().unwrap();
    all_are_there(&mut Served::start_as(&patchbay, |_| {}), 1);
}
