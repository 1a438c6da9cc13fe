//! `--record`: one object per line, with verbatim traffic, whatever the server does.

use crate::programs::{Ended, Patchbay, Recording, scripted};

/// Calls a tool and returns the exit code and the recording.
fn call(tool: &str) -> (Option<i32>, Recording) {
    let (ended, recording) = called(&Patchbay::new(), tool);
    (ended.code, recording)
}

fn called(patchbay: &Patchbay, tool: &str) -> (Ended, Recording) {
    patchbay.recorded(&[
        "tools",
        "call",
        "--era",
        "legacy",
        "--timeout",
        "20",
        "--stdio",
        &scripted("legacy"),
        tool,
        "{}",
    ])
}

#[test]
fn every_line_has_its_members() {
    let (code, recording) = call("stderr");
    assert_eq!(code, Some(0));
    let mut last_seq = 0;
    let mut dirs = std::collections::BTreeSet::new();
    for line in &recording.lines {
        let seq = line["seq"]
            .as_u64()
            .or_else(|| line["seq"].as_str()?.parse().ok())
            .unwrap_or_else(|| panic!("{line}"));
        assert!(seq > last_seq, "{line}");
        last_seq = seq;
        assert!(
            line["atMs"].as_f64().is_some_and(|at| at > 1_700_000_000_000.0),
            "{line}"
        );
        assert!(!line["connection"].is_null(), "{line}");
        assert!(line["raw"].is_string() != line["rawBase64"].is_string(), "{line}");
        dirs.insert(line["dir"].as_str().unwrap().to_owned());
    }
    assert_eq!(
        dirs.into_iter().collect::<Vec<_>>(),
        ["clientToServer", "serverToClient", "stderr"]
    );
}

#[test]
fn the_file_is_overwritten() {
    let patchbay = Patchbay::new();
    let args = [
        "request",
        "--era",
        "legacy",
        "--stdio",
        &scripted("legacy"),
        "ping",
    ];
    let (_, first) = patchbay.recorded(&args);
    let (_, second) = patchbay.recorded(&args);
    assert_eq!(first.lines.len(), second.lines.len());
    assert!(first.lines.len() >= 5, "{} lines", first.lines.len());
}

#[test]
fn numbers_and_duplicate_keys_are_verbatim() {
    let (_, recording) = call("numbers");
    let raw = recording.find("serverToClient", "structuredContent");
    assert!(
        raw.contains(r#"{"big":9007199254740993,"price":1.10,"twice":1,"twice":2}"#),
        "{raw}"
    );
}

#[test]
fn stray_lines_are_kept() {
    let (code, recording) = call("stray");
    assert_eq!(code, Some(0));
    recording.find("serverToClient", "DEBUG about to answer");
    recording.find("serverToClient", "a JSON log line");
}

#[test]
fn invalid_utf8_is_kept() {
    let patchbay = Patchbay::new();
    let server = scripted("legacy");
    let args = [
        "tools", "call", "--era", "legacy", "--stdio", &server, "not-utf8", "{}",
    ];
    let (ended, recording) = patchbay.recorded(&args);
    let caf = b"caf\xe9";
    assert!(
        ended.bytes.windows(caf.len()).any(|bytes| bytes == caf),
        "{}",
        ended.stdout
    );
    let encoded = recording
        .lines
        .iter()
        .filter_map(|line| line["rawBase64"].as_str())
        .count();
    assert_eq!(encoded, 1);
}

/// A misbehaving server is recorded, and the command exits as specified, without a crash.
#[test]
fn misbehaviour_is_recorded_and_survived() {
    for (tool, code, part) in [
        ("batch", 0, "in a batch"),
        ("twice", 0, "second"),
        ("unknown-id", 0, "4711"),
        ("string-id", 0, "typed wrong"),
        ("null-id", 0, "\"id\":null"),
        ("split-utf8", 0, "content"),
        ("crlf", 0, "content"),
        ("bom", 0, "content"),
        ("blank", 0, "content"),
        ("both", 3, "error"),
        ("crash", 2, "initialize"),
        ("abort", 2, "initialize"),
    ] {
        let (ended, recording) = call(tool);
        let texts: Vec<&str> = recording
            .lines
            .iter()
            .filter_map(|line| line["raw"].as_str())
            .collect();
        assert!(texts.iter().any(|raw| raw.contains(part)), "{tool}: {texts:#?}");
        assert_eq!(ended, Some(code), "{tool}");
    }
}

#[test]
fn a_line_of_fifty_megabytes() {
    let patchbay = Patchbay::new();
    let (ended, recording) = patchbay.recorded(&[
        "tools",
        "call",
        "--era",
        "legacy",
        "--stdio",
        &scripted("legacy"),
        "big",
        r#"{"n":50}"#,
    ]);
    let ended = ended.code(0);
    assert!(ended.stdout.len() > 50_000_000, "{} bytes", ended.stdout.len());
    let longest = recording.raws("serverToClient").iter().map(|raw| raw.len()).max();
    assert!(longest > Some(50_000_000), "{longest:?}");
}

/// A run that recorded nothing, because it was not meant so, costs no recording.
#[test]
fn a_usage_error_leaves_the_previous_recording() {
    let patchbay = Patchbay::new();
    let server = scripted("legacy");
    let (ended, recording) = patchbay.recorded(&["request", "--era", "legacy", "--stdio", &server, "ping"]);
    ended.code(0);
    for args in [
        &["request", "--server", "nobody", "ping"][..],
        &[
            "request",
            "--stdio",
            &server,
            "--on-sampling",
            "model:nobody",
            "ping",
        ],
    ] {
        let (ended, after) = patchbay.recorded(args);
        ended.code(1);
        assert_eq!(after.lines, recording.lines, "{args:?}");
    }
    // It is the recording of the newest run that may have sent something.
    let (ended, after) = patchbay.recorded(&["request", "--stdio", "/no/such/program", "ping"]);
    ended.code(2);
    assert!(after.lines.is_empty(), "{:?}", after.lines);
}

/// A recording holds what was said, so only its owner may read it, also if others could read the file that it replaces.
#[cfg(unix)]
#[test]
fn the_file_is_readable_by_its_owner_only() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    let patchbay = Patchbay::new();
    let file = patchbay.folder().join("recording.jsonl");
    let server = scripted("legacy");
    let args = ["request", "--era", "legacy", "--stdio", &server, "ping"];
    let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    let (ended, _) = patchbay.recorded(&args);
    ended.code(0);
    assert_eq!(mode(), 0o600, "a new file");

    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    let (ended, _) = patchbay.recorded(&args);
    ended.code(0);
    assert_eq!(mode(), 0o600, "a file that others could read");
}

/// A password may be short: the value of a variable with a secret name is masked as a whole word, however short it is.
#[cfg(unix)]
#[test]
fn a_short_value_of_a_variable_with_a_secret_name_is_masked() {
    let patchbay = Patchbay::new();
    let script = format!(
        "echo \"I got $API_TOKEN\" >&2; echo \"[$API_TOKEN]\"; exec {}",
        scripted("legacy")
    );
    let server = shlex::try_join(["sh", "-c", &script]).unwrap();
    let (ended, recording) = patchbay.recorded(&[
        "request",
        "--era",
        "legacy",
        "--env",
        "API_TOKEN=hunter",
        "--stdio",
        &server,
        "ping",
    ]);
    let ended = ended.code(0);
    assert!(!recording.find("stderr", "I got ").contains("hunter"));
    assert!(!recording.find("serverToClient", "[").contains("hunter"));
    let whole = format!("{:?} {}{}", recording.lines, ended.stdout, ended.stderr);
    assert!(!whole.contains("hunter"), "{whole}");
}

/// Secrets in base64 and in numbers.
#[cfg(unix)]
#[test]
fn what_was_masked_in_a_recording_breaks_no_rule() {
    const SERVER: &str = r#"while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
  *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
  *tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
  *tools/call*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":""},{"type":"image","mimeType":"image/png","data":"%s"}],"structuredContent":{"pin":%s}}}\n' "$id" "$(printf '%s' "u:$API_TOKEN" | base64)" "$PIN_SECRET" ;;
  esac
done"#;
    let patchbay = Patchbay::new();
    let script = patchbay.folder().join("server.sh");
    std::fs::write(&script, SERVER).unwrap();
    let server = shlex::try_join(["sh", &script.to_string_lossy()]).unwrap();
    let (ended, recording) = patchbay.recorded(&[
        "tools",
        "call",
        "--era",
        "legacy",
        "--env",
        "API_TOKEN=s3cr3t-t0k3n",
        "--env",
        "PIN_SECRET=12345678",
        "--stdio",
        &server,
        "t",
        "{}",
    ]);
    ended.code(0);
    let answer = recording.find("serverToClient", "structuredContent");
    assert!(answer.contains(r#""pin":99999999}"#), "{answer}");
    assert!(answer.contains("*=\"}],"), "{answer}");
    let path = patchbay.folder().join("recording.jsonl");
    let checked = patchbay.run(&["check", &path.to_string_lossy()]).code(0);
    assert_eq!(checked.stdout, "");
}

#[test]
fn what_nobody_reads_of_a_check_is_counted() {
    let patchbay = Patchbay::new();
    let path = patchbay.folder().join("recording.jsonl");
    called(&patchbay, "null-request").0.code(0);
    let mut command = patchbay.command(&["check", &path.to_string_lossy()]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ended: Ended = command.stdout(writer).output().unwrap().into();
    let ended = ended.code(6);
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    assert!(
        ended.stderr.ends_with("errors: 1, warnings: 0\n"),
        "{}",
        ended.stderr
    );
}

#[test]
fn what_is_not_a_recording_ends_with_1() {
    let patchbay = Patchbay::new();
    let file = patchbay.folder().join("broken.jsonl");
    std::fs::write(&file, "{\"seq\":1}\n").unwrap();
    for (file, part) in [
        (file.as_path(), "line 1"),
        (&patchbay.folder().join("none"), "it does not exist"),
        (patchbay.folder(), "it is not a file"),
    ] {
        let ended = patchbay.run(&["check", &file.to_string_lossy()]).code(1);
        let next = "Give a file of `--record`";
        assert!(
            ended.stderr.contains(part) && ended.stderr.contains(next),
            "{}",
            ended.stderr
        );
    }
}
