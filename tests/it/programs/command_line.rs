//! The command line: exit codes, and results on stdout exactly as received.

mod outputs;

use std::{
    process::Stdio,
    time::{Duration, Instant},
};

use crate::programs::{Ended, Patchbay, scripted};

/// Calls a tool of the scripted server in its legacy mode.
fn call(tool: &str, arguments: &str) -> Ended {
    Patchbay::new().run(&[
        "tools",
        "call",
        "--era",
        "legacy",
        "--stdio",
        &scripted("legacy"),
        tool,
        arguments,
    ])
}

#[test]
fn usage_errors_end_with_1() {
    let patchbay = Patchbay::new();
    let server = scripted("legacy");
    for args in [
        &["tools", "list"][..],
        &["no-such-command"],
        &["tools", "call", "--stdio", &server],
        &["tools", "call", "--stdio", &server, "echo", "{not json"],
        &["tools", "call", "--stdio", &server, "echo", "[]"],
        &["tools", "list", "--stdio", &server, "--era", "future"],
        &["tools", "list", "--stdio", &server, "--timeout", "601"],
        &["tools", "list", "--server", "nobody-called-it-that"],
    ] {
        let ended = patchbay.run(args);
        assert_eq!(ended.code, Some(1), "{args:?}: {}", ended.stderr);
        assert!(
            ended.stdout.is_empty() && !ended.stderr.is_empty(),
            "{args:?}: {ended:?}"
        );
    }
}

#[test]
fn no_connection_ends_with_2_and_names_the_step() {
    let patchbay = Patchbay::new();
    for (server, part_of_the_reason) in [
        ("/nowhere/no-such-program".to_owned(), "no-such-program"),
        (
            "sh -c 'echo the config is missing >&2; exit 7'".to_owned(),
            "the config is missing",
        ),
        (scripted("unknown-version"), "1999-01-01"),
        (scripted("refuses"), "initialize"),
    ] {
        let ended = patchbay
            .run(&["tools", "list", "--era", "legacy", "--stdio", &server])
            .code(2);
        assert!(
            ended.stderr.contains(part_of_the_reason),
            "{server}: {}",
            ended.stderr
        );
        assert!(ended.stdout.is_empty(), "{server}: {}", ended.stdout);
    }
}

#[test]
fn the_quota_of_the_traffic_log_is_shown_set_and_kept() {
    let patchbay = Patchbay::new();
    let quota = |args: &[&str]| {
        let ended = patchbay.run(&[&["--json", "traffic", "quota"], args].concat());
        let shown: serde_json::Value = serde_json::from_str(&ended.code(0).stdout).unwrap();
        (shown["maxBytes"].as_f64(), shown["maxAgeMs"].as_f64())
    };
    let (size, age) = quota(&[]);
    assert!(size.is_some() && age.is_none());
    assert_eq!(quota(&["--max-age", "1d"]), (size, Some(86_400e3)));
    assert_eq!(quota(&["--max-size", "2GB"]), (Some(2e9), Some(86_400e3)));
    assert_eq!(quota(&["--max-age", "none"]), (Some(2e9), None));
    let shown = patchbay.run(&["traffic", "quota"]).code(0).stdout;
    assert!(
        shown.contains("max size  2000000000 bytes\nmax age   none"),
        "{shown}"
    );
    let refused = patchbay.run(&["traffic", "quota", "--max-size", "1KB"]).code(1);
    assert!(
        refused.stderr.contains("needs at least 1 MiB"),
        "{}",
        refused.stderr
    );
    assert_eq!(quota(&[]), (Some(2e9), None));
}

#[test]
fn a_handshake_without_a_response_ends_with_2() {
    let patchbay = Patchbay::new();
    let ended = patchbay.run(&[
        "tools",
        "list",
        "--era",
        "legacy",
        "--timeout",
        "1",
        "--stdio",
        &scripted("mute"),
    ]);
    ended.code(2);
}

/// The probe uses its share of the timeout only: a request for the older era is still sent before all of it is used.
#[test]
fn a_silent_server_fails_within_its_timeout() {
    let patchbay = Patchbay::new();
    let (ended, recording) =
        patchbay.recorded(&["tools", "list", "--timeout", "10", "--stdio", &scripted("mute")]);
    let ended = ended.code(2);
    let limit = "; connecting may take 10 s in total.";
    assert!(ended.stderr.contains(limit), "{}", ended.stderr);
    let sent = |part| {
        recording.find("clientToServer", part);
        let holds = |line: &serde_json::Value| line["raw"].as_str().is_some_and(|raw| raw.contains(part));
        recording.lines.iter().position(holds)
    };
    assert!(sent("server/discover") < sent(r#""method":"initialize""#));
}

/// A server that ignores the end of its stdin and SIGTERM, and has not said a word: the time includes all of its ends.
#[test]
fn a_server_that_chats_is_named_and_ends_soon_after_its_timeout() {
    let patchbay = Patchbay::new();
    let begun = Instant::now();
    let ended = patchbay
        .run(&[
            "tools",
            "list",
            "--timeout",
            "10",
            "--stdio",
            &scripted("chatter"),
        ])
        .code(2);
    let line = "not JSON-RPC: \u{201c}Server starting up...\u{201d}";
    let told: Vec<&str> = ended.stderr.lines().filter(|told| told.contains(line)).collect();
    assert!(told[0].starts_with("Waiting: "), "{}", ended.stderr);
    assert!(told[1].contains("within"), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("Have the server log to stderr"),
        "{}",
        ended.stderr
    );
    assert!(begun.elapsed() >= Duration::from_secs(10));
}

#[test]
fn a_json_rpc_error_ends_with_3_and_is_printed_as_received() {
    let ended = call("refuses", "{}").code(3);
    assert_eq!(
        ended.stdout.trim_end(),
        r#"{"code":-32602,"message":"Unknown tool","data":{"hint":1.10}}"#
    );
}

#[test]
fn a_tool_error_ends_with_4_and_is_printed_as_received() {
    let ended = call("fails", "{}").code(4);
    assert_eq!(
        ended.stdout.trim_end(),
        r#"{"content":[{"type":"text","text":"It broke."}],"isError":true}"#
    );
}

#[test]
fn a_request_without_a_response_ends_with_5() {
    let patchbay = Patchbay::new();
    let (ended, recording) = patchbay.recorded(&[
        "tools",
        "call",
        "--era",
        "legacy",
        // Also that of connecting.
        "--timeout",
        "10",
        "--stdio",
        &scripted("legacy"),
        "never",
        "{}",
    ]);
    ended.code(5);
    recording.find("clientToServer", "notifications/cancelled");
}

#[test]
fn a_list_with_a_repeated_cursor_ends_with_a_message() {
    let patchbay = Patchbay::new();
    let (ended, recording) = patchbay.recorded(&[
        "tools",
        "list",
        "--era",
        "legacy",
        "--stdio",
        &scripted("cursor-loop"),
    ]);
    let ended = ended.code(0);
    assert_eq!(ended.stdout.lines().count(), 2, "{}", ended.stdout);
    assert!(ended.stderr.contains("\"again\" twice"), "{}", ended.stderr);
    let asked = recording.raws("clientToServer").into_iter();
    assert_eq!(asked.filter(|raw| raw.contains("tools/list")).count(), 2);
}

/// Every command except those for tools, in both eras.
#[test]
fn resources_and_prompts_are_listed_and_read() {
    let patchbay = Patchbay::new();
    let demo = format!(
        "{} demo-server",
        crate::programs::quoted(&crate::programs::ours("patchbay"))
    );
    for era in ["legacy", "modern"] {
        let run = |args: &[&str]| {
            let (verb, rest) = args.split_at(2);
            let args = [verb, &["--era", era, "--stdio", &demo], rest].concat();
            patchbay.run(&args).code(0).json()
        };
        let resources = run(&["resources", "list"]);
        let uri = resources["resources"][0]["uri"].as_str().unwrap().to_owned();
        let read = run(&["resources", "read", &uri]);
        assert_eq!(read["contents"][0]["uri"], uri.as_str(), "{era}: {read}");
        let templates = run(&["resources", "templates"]);
        assert!(
            templates["resourceTemplates"][0]["uriTemplate"].is_string(),
            "{era}"
        );
        let prompts = run(&["prompts", "list"]);
        let simple = prompts["prompts"].as_array().unwrap().iter().find(|prompt| {
            let required = prompt["arguments"].as_array().into_iter().flatten();
            required.filter(|argument| argument["required"] == true).count() == 0
        });
        let name = simple.unwrap()["name"].as_str().unwrap().to_owned();
        let prompt = run(&["prompts", "get", &name, "{}"]);
        assert!(prompt["messages"][0]["content"].is_object(), "{era}: {prompt}");
    }
}

/// A 2025-11-25 server with two pages of tasks. `between` runs before the second page.
fn with_tasks(between: &str) -> String {
    let capabilities = r#"{"tasks":{"list":{}}}"#;
    let initialize = format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"serverInfo":{{"name":"s","version":"1"}}}}}}"#
    );
    let page = |id: u32, next: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tasks":[{{"taskId":"t{id}","status":"working"}}]{next}}}}}"#
        )
    };
    let says = |text: &str| format!(r#"printf '%s\\n' '{}'"#, text.replace('"', "\\\""));
    let (first, second) = (page(2, r#","nextCursor":"n""#), page(3, ""));
    format!(
        r#"sh -c "read line; {}; read line; read line; {}; read line; {between}; {}; read line""#,
        says(&initialize),
        says(&first),
        says(&second)
    )
}

#[test]
fn tasks_are_listed_and_a_crash_between_two_pages_ends_with_2() {
    let patchbay = Patchbay::new();
    let list = |between: &str| {
        let server = with_tasks(between);
        patchbay.run(&["tasks", "list", "--era", "legacy", "--stdio", &server])
    };
    let first = r#"{"tasks":[{"taskId":"t2","status":"working"}],"nextCursor":"n"}"#;
    let second = r#"{"tasks":[{"taskId":"t3","status":"working"}]}"#;
    let ended = list(":").code(0);
    assert_eq!(ended.stdout, format!("{first}\n{second}\n"));
    let ended = list("exit 1").code(2);
    assert_eq!(ended.stdout, format!("{first}\n"), "the received page is printed");
    assert!(ended.stderr.contains("exited with code 1"), "{}", ended.stderr);
}

/// A modern server that responds to the second request with `answer`.
fn modern(answer: &str) -> String {
    let discover = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}"#;
    format!(
        r#"sh -c "read line; printf '%s\\n' '{}'; read line; printf '%s\\n' '{}'; read line""#,
        discover.replace('"', "\\\""),
        answer.replace('"', "\\\"")
    )
}

/// An outcome that is neither a result nor an error has a separate exit code.
#[test]
fn a_request_that_ends_without_a_valid_result_ends_with_6() {
    let patchbay = Patchbay::new();
    let unknown = modern(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"perhaps","content":[]}}"#);
    let ended = patchbay
        .run(&["tools", "call", "--era", "modern", "--stdio", &unknown, "t"])
        .code(6);
    assert_eq!(
        ended.stdout.trim_end(),
        r#"{"resultType":"perhaps","content":[]}"#
    );
    assert!(ended.stderr.contains("\"perhaps\""), "{}", ended.stderr);
    let list = modern(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"perhaps","tools":[]}}"#);
    let ended = patchbay
        .run(&["tools", "list", "--era", "modern", "--stdio", &list])
        .code(6);
    assert!(ended.stderr.contains("\"perhaps\""), "{}", ended.stderr);
    let cancelled = modern(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"enough"}}"#,
    );
    let listen = r#"{"notifications":{"toolsListChanged":true}}"#;
    let method = "subscriptions/listen";
    let ended = patchbay
        .run(&[
            "request", "--era", "modern", "--stdio", &cancelled, method, listen,
        ])
        .code(6);
    assert!(
        ended.stderr.contains("The server cancelled the request: enough."),
        "{}",
        ended.stderr
    );
}

/// Number text, key order and duplicate keys are preserved.
#[test]
fn a_result_is_printed_as_received() {
    let ended = call("numbers", "{}").code(0);
    assert_eq!(
        ended.stdout.trim_end(),
        r#"{"content":[],"structuredContent":{"big":9007199254740993,"price":1.10,"twice":1,"twice":2}}"#
    );
}

#[test]
fn a_list_follows_cursors_and_prints_one_page_per_line() {
    let patchbay = Patchbay::new();
    let ended = patchbay
        .run(&["tools", "list", "--era", "legacy", "--stdio", &scripted("pages")])
        .code(0);
    let pages: Vec<serde_json::Value> = ended
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let sizes: Vec<usize> = pages
        .iter()
        .map(|page| page["tools"].as_array().unwrap().len())
        .collect();
    assert_eq!(sizes, [2, 2, 2], "{}", ended.stdout);
}

#[test]
fn any_request_can_be_sent() {
    let patchbay = Patchbay::new();
    let server = scripted("legacy");
    let pong = patchbay
        .run(&["request", "--era", "legacy", "--stdio", &server, "ping"])
        .code(0);
    assert_eq!(pong.stdout.trim_end(), "{}");
    let unknown = patchbay
        .run(&["request", "--era", "legacy", "--stdio", &server, "no/such", "{}"])
        .code(3);
    assert_eq!(unknown.json()["code"], -32601, "{}", unknown.stdout);
}

#[test]
fn our_own_errors_are_json_on_request() {
    let patchbay = Patchbay::new();
    let ended = patchbay
        .run(&["tools", "list", "--json", "--stdio", "/nowhere/no-such-program"])
        .code(2);
    let line = ended.stderr.lines().last().unwrap_or_default();
    let error: serde_json::Value =
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {}", ended.stderr));
    assert!(
        error["code"].is_string() && error["message"].is_string(),
        "{error}"
    );
    assert!(error.as_object().unwrap().contains_key("detail"), "{error}");
}

#[test]
fn variables_reach_the_server() {
    let patchbay = Patchbay::new();
    let script = r#"sh -c 'echo "greeting=$GREETING" >&2; exit 1'"#;
    let ended = patchbay
        .run(&[
            "tools",
            "list",
            "--era",
            "legacy",
            "--env",
            "GREETING=hello there",
            "--stdio",
            script,
        ])
        .code(2);
    assert!(ended.stderr.contains("greeting=hello there"), "{}", ended.stderr);
}

/// The built-in server, as a command and as a server of the same program, in both eras.
#[test]
fn the_demo_server_is_built_in() {
    let patchbay = Patchbay::new();
    let demo = format!(
        "{} demo-server",
        crate::programs::quoted(&crate::programs::ours("patchbay"))
    );
    for era in ["legacy", "modern", "auto"] {
        let ended = patchbay
            .run(&["tools", "list", "--era", era, "--stdio", &demo])
            .code(0);
        let pages = ended
            .stdout
            .lines()
            .map(|page| serde_json::from_str::<serde_json::Value>(page).unwrap());
        let tools: usize = pages.map(|page| page["tools"].as_array().unwrap().len()).sum();
        assert!(tools >= 10, "{era}: {tools} tools");
    }
}

#[test]
fn a_closed_stdout_is_not_a_crash() {
    let patchbay = Patchbay::new();
    let mut command = patchbay.command(&["tools", "list", "--era", "legacy", "--stdio", &scripted("many")]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended: Ended = child.wait_with_output().unwrap().into();
    let ended = ended.code(0);
    assert!(ended.stderr.is_empty(), "{}", ended.stderr);
}

#[test]
fn a_recording_is_checked_without_a_server() {
    let patchbay = Patchbay::new();
    let server = scripted("legacy");
    let path = patchbay.folder().join("recording.jsonl");
    let path = path.to_string_lossy();
    let call = |tool| ["tools", "call", "--era", "legacy", "--stdio", &server, tool];

    patchbay.recorded(&call("echo")).0.code(0);
    let ended = patchbay.run(&["check", &path]).code(0);
    assert_eq!(ended.stdout, "");
    assert!(
        ended.stderr.contains("errors: 0, warnings: 0"),
        "{}",
        ended.stderr
    );

    patchbay.recorded(&call("null-request")).0.code(0);
    let ended = patchbay.run(&["check", &path]).code(6);
    let clause = "(https://modelcontextprotocol.io/specification/2025-11-25/basic#requests)";
    let line = ended.stdout.lines().next().unwrap();
    assert!(
        line.contains(" error id-null") && line.ends_with(clause),
        "{line}"
    );
    assert!(
        ended.stderr.contains("errors: 1, warnings: 0"),
        "{}",
        ended.stderr
    );
    let (seq, _) = line.split_once(' ').unwrap();

    let ended = patchbay.run(&["check", "--json", &path]).code(6);
    let line: serde_json::Value = serde_json::from_str(ended.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&line["rule"], line["seq"].to_string().as_str()),
        (&"id-null".into(), seq)
    );
}
