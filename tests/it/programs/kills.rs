//! `patchbay` is killed (SIGKILL) at named moments: a server says when one is reached and does not go on. No process is left, and
//! the next Patchbay finds settings, vault and log whole.

pub(super) mod serve;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::leftovers::{Lifeline, opened, signal};
use super::{Patchbay, quoted};
use serve::Served;

/// A server that stops at the moment named in a file, after telling a pipe. Its one tool says whether its secret is whole.
const SERVER: &str = r#"
import json, os, sys, time
moment, reached = open(sys.argv[1]).read(), sys.argv[2]
def at(name):
    if name == moment:
        open(reached, "w").write(name)
        while True: time.sleep(60)
def result(method):
    if method == "initialize":
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    if method == "tools/list":
        return {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}
    whole = os.environ.get("OURS_TOKEN", "")[::-1] == sys.argv[3]
    return {"content": [{"type": "text", "text": "whole" if whole else "changed"}]}
at("started")
for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method", "")
    at("before " + method)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result(method)}), flush=True)
    at("after " + method)
at("the end of stdin")
"#;

const SECRET: &str = "s3cr3t-0f-the-server-4711";
const PASSPHRASE: &str = "a passphrase of the test";

/// The files by which a server and the test talk.
struct Stage {
    folder: PathBuf,
    lifeline: Lifeline,
}

impl Stage {
    fn new(folder: &Path) -> Self {
        let stage = Self {
            folder: folder.to_owned(),
            lifeline: Lifeline::new(folder),
        };
        fs::write(folder.join("server.py"), SERVER).unwrap();
        let made = Command::new("mkfifo").arg(folder.join("reached")).status();
        assert!(made.unwrap().success());
        stage.stop_at("");
        stage
    }

    fn stop_at(&self, moment: &str) {
        fs::write(self.folder.join("moment"), moment).unwrap();
    }

    /// The command line of the server, which holds the lifeline and has a child that does too.
    fn server(&self) -> String {
        let file = |name: &str| quoted(&self.folder.join(name));
        let secret: String = SECRET.chars().rev().collect();
        self.lifeline.server(&format!(
            "python3 {} {} {} {secret}",
            file("server.py"),
            file("moment"),
            file("reached")
        ))
    }

    /// Waits until the server has reached the moment.
    fn reached(&self, moment: &str) {
        let told = io::read_to_string(opened(&self.folder.join("reached"))).unwrap();
        assert_eq!(told, moment);
    }
}

/// The names in a folder and below it.
fn names(folder: &Path, names_of: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        names_of.push(entry.path().display().to_string());
        names(&entry.path(), names_of);
    }
}

#[test]
fn a_command_that_is_killed_while_it_connects_leaves_nothing() {
    command_is_killed(&[
        "started",
        "before initialize",
        "after initialize",
        "before notifications/initialized",
    ]);
}

#[test]
fn a_command_that_is_killed_in_its_call_or_at_its_end_leaves_nothing() {
    command_is_killed(&["before tools/call", "after tools/call", "the end of stdin"]);
}

fn command_is_killed(moments: &[&str]) {
    for moment in moments {
        let patchbay = Patchbay::new();
        let stage = Stage::new(patchbay.folder());
        stage.stop_at(moment);
        let server = stage.server();
        let call = [
            "tools",
            "call",
            "--era",
            "legacy",
            "--record",
            "recording.jsonl",
            "--stdio",
            &server,
            "echo",
            "{}",
        ];
        let mut child = patchbay.command(&call).spawn().unwrap();
        let held = stage.lifeline.taken();
        stage.reached(moment);
        signal("-KILL", &child);
        let code = child.wait().unwrap().code();
        // On a busy machine it may have ended the server that does not end.
        assert!(
            code.is_none() || *moment == "the end of stdin",
            "{moment}: {code:?}"
        );
        held.all_gone();

        // The next run deletes the log of this one, unless it may just have been begun.
        let mut left = Vec::new();
        names(&patchbay.folder().join("tmp"), &mut left);
        for lock in left.iter().filter(|name| name.ends_with("/in-use")) {
            let long_ago = SystemTime::now() - Duration::from_secs(120);
            fs::File::open(lock).unwrap().set_modified(long_ago).unwrap();
        }
        stage.stop_at("");
        let mut next = patchbay.command(&call).spawn().unwrap();
        let held = stage.lifeline.taken();
        assert_eq!(next.wait().unwrap().code(), Some(0), "{moment}");
        held.all_gone();
        let mut left = Vec::new();
        names(&patchbay.folder().join("tmp"), &mut left);
        assert!(left.is_empty(), "{moment}: {left:?}");
    }
}

/// What the page of `patchbay serve` waits for, or a moment of the server.
const OPENING: [&str; 4] = [
    "listening",
    "choosing a vault",
    "adding a server",
    "removing a server",
];
const CONNECTING: [&str; 5] = [
    "started",
    "before initialize",
    "after initialize",
    "before notifications/initialized",
    "before tools/list",
];
const CALLING: [&str; 3] = ["after tools/list", "before tools/call", "after tools/call"];

#[test]
fn serve_that_is_killed_while_files_are_written_finds_them_whole() {
    OPENING.into_iter().for_each(serve_is_killed);
}

#[test]
fn serve_that_is_killed_while_it_connects_leaves_nothing() {
    CONNECTING.into_iter().for_each(serve_is_killed);
}

#[test]
fn serve_that_is_killed_in_a_call_leaves_nothing() {
    CALLING.into_iter().for_each(serve_is_killed);
}

fn serve_is_killed(moment: &str) {
    let patchbay = Patchbay::new();
    let stage = Stage::new(patchbay.folder());
    stage.stop_at(moment);
    let mut served = Served::start(&patchbay);
    let held = drive(&mut served, &stage, moment);
    signal("-KILL", &served.child);
    assert_eq!(served.child.wait().unwrap().code(), None, "{moment}");
    if let Some(held) = held {
        held.all_gone();
    }
    drop(served);

    stage.stop_at("");
    let mut served = Served::start(&patchbay);
    let info = served.call("app_info", "{}");
    assert_eq!(info["ok"]["notices"], serde_json::json!([]), "{moment}: {info}");
    let waiting = served.call(
        "traffic_rows",
        r#"{"filter":"kind:request status:pending","offset":0,"limit":1}"#,
    );
    assert_eq!(
        waiting["ok"]["rows"],
        serde_json::json!([]),
        "{moment}: {waiting}"
    );
    // The vault opens if it was written; before that, it is chosen now.
    let opened = served.call("vault_unlock", &format!("{{\"passphrase\":\"{PASSPHRASE}\"}}"));
    if opened.get("ok").is_none() {
        assert!(OPENING.contains(&moment), "{moment}: {opened}");
        served.choose_vault();
    }
    // The server is whole if it is there.
    let id = match served.server() {
        Some(id) => id,
        None => {
            assert!(OPENING.contains(&moment), "{moment}: the server is gone");
            served.add_server(&stage.server())
        }
    };
    served.call("connection_open", &format!("{{\"serverId\":\"{id}\"}}"));
    let held = stage.lifeline.taken();
    served.wait_until_ready();
    let said = served.call_tool(&id);
    assert!(said.contains("whole"), "{moment}: {said}");
    signal("-TERM", &served.child);
    served.child.wait().unwrap();
    held.all_gone();
    let mut left = Vec::new();
    names(&patchbay.folder().join("files"), &mut left);
    let files = patchbay.folder().join("files").display().to_string();
    left.retain(|name| name[files.len()..].contains(".tmp") || name.ends_with("-wal"));
    assert!(left.is_empty(), "{moment}: {left:?}");
}

/// Leads it to the moment. Returns what shows that no process of the server is left, if there is one.
fn drive(served: &mut Served, stage: &Stage, moment: &str) -> Option<super::leftovers::Held> {
    if moment == "listening" {
        return None;
    }
    if moment == "choosing a vault" {
        served.send("vault_choose", &Served::passphrase());
        return None;
    }
    served.choose_vault();
    if moment == "adding a server" {
        served.send("server_add", &Served::draft(&stage.server()));
        return None;
    }
    let id = served.add_server(&stage.server());
    let server = format!("{{\"serverId\":\"{id}\"}}");
    if moment == "removing a server" {
        served.send("server_remove", &server);
        return None;
    }
    served.call("connection_open", &server);
    let held = stage.lifeline.taken();
    if moment.contains("tools/call") {
        served.wait_until_ready();
        served.open_call(&id);
    }
    stage.reached(moment);
    Some(held)
}
