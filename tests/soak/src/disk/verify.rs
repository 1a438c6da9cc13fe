//! What must be true after a session.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use serde_json::Value;

use super::one::below;
use super::session::{PASSPHRASE, SECRETS};
use crate::compare::{self, End, Logged};
use crate::host::{Server, lock};
use crate::kills::{FILES, names};

/// What was refused names its cause in words. A slow disk refuses nothing.
pub(super) fn refusals(lines: &[String], is_slow: bool) -> Result<(), String> {
    for line in lines.iter().filter(|line| line.starts_with("refused ")) {
        let words = [
            "space",
            "full",
            "I/O",
            "Input/output",
            "os error",
            "disk",
            "could not",
            "cannot",
        ];
        if is_slow || !words.iter().any(|word| line.contains(word)) {
            return Err(format!("a refusal without its cause: {line}"));
        }
    }
    Ok(())
}

/// No file has a secret as it is.
pub(super) fn no_secret(folder: &Path) -> Result<(), String> {
    let mut files = Vec::new();
    below(folder, false, &mut files);
    for file in files {
        let bytes = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        for secret in SECRETS.iter().chain([&PASSPHRASE]) {
            if bytes.windows(secret.len()).any(|part| part == secret.as_bytes()) {
                return Err(format!("{} has {secret}", file.display()));
            }
        }
    }
    Ok(())
}

/// All that the session said to be stored is there, and what it was doing is either there or not.
pub(super) fn stored(lines: &[String], found: &Value) -> Result<(), String> {
    if found["notices"].as_array().is_none_or(|all| !all.is_empty()) {
        return failed("it opens with notices", &found["notices"]);
    }
    if found["pending"] != 0 {
        return failed("requests still wait", &found["pending"]);
    }
    if did(lines, "vault") && !found["unlocked"].is_null() {
        return failed("the vault does not open", &found["unlocked"]);
    }
    secrets_are_there(lines, found)?;
    servers_are_there(lines, found)?;
    settings_are_there(lines, found)?;
    let records = lines.iter().filter_map(|line| line.strip_prefix("records "));
    let last: u64 = records
        .filter_map(|number| number.parse().ok())
        .max()
        .unwrap_or(0);
    match found["records"].as_u64().is_some_and(|count| count >= last) {
        true => Ok(()),
        false => failed(&format!("of {last} records"), &found["records"]),
    }
}

fn did(lines: &[String], step: &str) -> bool {
    lines.iter().any(|line| line == &format!("done {step}"))
}

fn failed(what: &str, part: &Value) -> Result<(), String> {
    Err(format!("{what}: {part}"))
}

fn secrets_are_there(lines: &[String], found: &Value) -> Result<(), String> {
    let did = |step| did(lines, step);
    let secrets = ["server", "second", "provider"]
        .iter()
        .filter(|step| did(step))
        .count();
    // The secret of a server that is removed is removed with it.
    let least = secrets.saturating_sub(usize::from(did("ui 2")));
    if found["vault"]["count"]
        .as_u64()
        .is_none_or(|count| count < least as u64)
    {
        return failed("secrets are gone", &found["vault"]);
    }
    Ok(())
}

fn servers_are_there(lines: &[String], found: &Value) -> Result<(), String> {
    let did = |step| did(lines, step);
    let empty = Vec::new();
    let servers = found["servers"].as_array().unwrap_or(&empty);
    let has = |name: &str| servers.iter().any(|server| server["draft"]["name"] == name);
    let is_first = has("renamed") || (!did("renamed") && has("first"));
    if did("server") && !is_first
        || did("second") && !did("ui 2") && !has("second")
        || did("removed") && has("second")
    {
        return failed("the servers are others", &found["servers"]);
    }
    Ok(())
}

fn settings_are_there(lines: &[String], found: &Value) -> Result<(), String> {
    let did = |step| did(lines, step);
    for (step, part, what) in [
        ("provider", "providers", "\"p\""),
        ("roots", "roots", "\"roots\""),
        ("more roots", "roots", "\"more\""),
        ("message", "chats", "a message"),
        ("answered", "chats", "\"messages\":2"),
        ("proxy", "proxy", "proxy.test"),
    ] {
        if did(step) && !found[part].to_string().contains(what) {
            return failed("it is gone", &found[part]);
        }
    }
    let state = found["ui"].as_str().unwrap_or_default();
    let number = |number: u32| state == format!("{{\"number\":{number}}}");
    if did("ui 3") && !number(3) || did("ui 2") && !number(2) && !number(3) || did("ui 1") && state.is_empty()
    {
        return failed("the state of the UI is gone", &found["ui"]);
    }
    let cut = found["chats"].as_array().into_iter().flatten();
    match cut.map(|chat| &chat["readOnly"]).find(|why| !why.is_null()) {
        Some(why) => failed("a conversation cannot be continued", why),
        None => Ok(()),
    }
}

/// The beginning of each message.
fn shown(logged: &Logged) -> String {
    let begins = |all: &[Vec<u8>]| -> Vec<String> {
        let begin = |text: &Vec<u8>| String::from_utf8_lossy(&text[..text.len().min(80)]).into_owned();
        all.iter().map(begin).collect()
    };
    format!(
        "sent {:?}, received {:?}",
        begins(&logged.sent),
        begins(&logged.received)
    )
}

/// The log has what crossed: each message once and in order, without a hole. After a kill its end may be missing.
pub(super) fn traffic(servers: &[Arc<Server>; 2], found: &Value, was_killed: bool) -> Result<(), String> {
    let [stdio, http] = servers;
    let frames = || found["frames"].as_array().into_iter().flatten();
    // The exchange of the last frames before a kill may not have been written yet.
    let over_http = |frame: &Value| frames().any(|other| other[0] == frame[0] && other[1] == true);
    let of = |is_http: bool| {
        let mut logged = Logged::default();
        for frame in frames() {
            let text = frame[3].as_str().unwrap_or_default().as_bytes().to_vec();
            match (over_http(frame) == is_http, frame[2] == true) {
                (true, true) => logged.sent.push(text),
                (true, false) => logged.received.push(text),
                (false, _) => {}
            }
        }
        logged
    };
    let end = if was_killed { End::Killed } else { End::Early };
    let logged = of(false);
    compare::stdio(end, &lock(&stdio.crossed), &logged)
        .map_err(|error| format!("{error}; the log has {}", shown(&logged)))?;
    let mut crossed = lock(&http.crossed);
    let logged = of(true);
    if was_killed {
        let is_logged = |posted: &Vec<u8>| posted.is_empty() || logged.sent.contains(posted);
        let whole = crossed
            .posted
            .iter()
            .take_while(|posted| is_logged(posted))
            .count();
        let rest = crossed.posted.split_off(whole);
        if let Some(after) = rest.iter().find(|posted| is_logged(posted)) {
            let (lost, after) = (String::from_utf8_lossy(&rest[0]), String::from_utf8_lossy(after));
            return Err(format!(
                "the log has {after} but not {lost}, which was sent before"
            ));
        }
    }
    compare::http(true, &crossed, &logged)
}

/// Only files that belong there are left, only their owner may read them, and those of JSON are whole.
pub(super) fn files(folder: &Path) -> Result<(), String> {
    const MORE: [&str; 6] = [
        "vault.json",
        "locks",
        "providers.json",
        "roots.json",
        "proxy.json",
        "patchbay.log",
    ];
    // A vault that was being written is encrypted, and deleted a minute later.
    let is_odd =
        |name: &String| !FILES.contains(&&**name) && !MORE.contains(&&**name) && !name.starts_with(".vault-");
    let odd: Vec<String> = names(folder).into_iter().filter(is_odd).collect();
    if !odd.is_empty() {
        return Err(format!("left in the data folder: {odd:?}"));
    }
    let mut all = Vec::new();
    below(folder, true, &mut all);
    for path in all {
        let shown = path.display();
        let metadata = path.metadata().map_err(|error| format!("{shown}: {error}"))?;
        let expected = if metadata.is_dir() { 0o700 } else { 0o600 };
        let mode = metadata.permissions().mode() & 0o777;
        if mode != expected {
            return Err(format!("{shown} has the mode {mode:o}"));
        }
        if shown.to_string().ends_with(".tmp") {
            return Err(format!("{shown} is left"));
        }
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = std::fs::read(&path).map_err(|error| format!("{shown}: {error}"))?;
            serde_json::from_slice::<Value>(&text).map_err(|error| format!("{shown} is damaged: {error}"))?;
        }
    }
    Ok(())
}

pub(super) fn temporary(folder: &Path) -> Result<(), String> {
    let left = names(folder);
    match left.is_empty() {
        true => Ok(()),
        false => Err(format!("left in the temporary folder: {left:?}")),
    }
}

/// SQLite finds nothing wrong with the log.
pub(super) fn integrity(log: &Path) -> Result<(), String> {
    const CHECK: &str = "import sqlite3, sys\nprint(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone()[0])";
    let checked = Command::new("python3")
        .args(["-c", CHECK])
        .arg(log)
        .output()
        .map_err(|error| error.to_string())?;
    match checked.stdout == b"ok\n" {
        true => Ok(()),
        false => Err(format!(
            "the log is damaged: {}{}",
            String::from_utf8_lossy(&checked.stdout),
            String::from_utf8_lossy(&checked.stderr)
        )),
    }
}
