//! Calls that become tasks, and calls that ask for input.

use std::fs;

use crate::programs::{Patchbay, quoted, scripted};

/// A modern server with tasks that responds with these to the requests after the first.
fn modern(patchbay: &Patchbay, answers: &[&str]) -> String {
    let discover = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"private"}}"#;
    let said = [discover].into_iter().chain(answers.iter().copied());
    let said: String = said
        .map(|said| format!("read line\nprintf '%s\\n' '{said}'\n"))
        .collect();
    let script = patchbay.folder.path().join("server.sh");
    fs::write(&script, format!("{said}read line\n")).unwrap();
    format!("sh {}", quoted(&script))
}

/// The end of a task is the end of the call, however it is learned.
#[test]
fn a_call_that_became_a_task_ends_as_the_task_did() {
    let patchbay = Patchbay::new();
    let made = r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"task","taskId":"t","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":null}}"#;
    let state = |rest: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":3,"result":{{"resultType":"complete","taskId":"t",{rest},"createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":null}}}}"#
        )
    };
    let run = |answer: &str| {
        let server = modern(&patchbay, &[made, answer]);
        patchbay.run(&[
            "tools",
            "call",
            "--timeout",
            "5",
            "--era",
            "modern",
            "--stdio",
            &server,
            "t",
        ])
    };
    let done = run(&state(r#""status":"completed","result":{"content":[]}"#)).code(0);
    assert_eq!(done.stdout.trim_end(), r#"{"content":[]}"#);
    let gone = r#"{"code":-32602,"message":"no such task"}"#;
    let refused = run(&format!(r#"{{"jsonrpc":"2.0","id":3,"error":{gone}}}"#)).code(3);
    assert_eq!(refused.stdout.trim_end(), gone);
    let ended = run(&state(r#""status":"completed""#)).code(6);
    assert!(
        ended.stderr.contains("The task is completed, but has no result."),
        "{}",
        ended.stderr
    );
    let ended = run(&state(r#""status":"cancelled","statusMessage":"too busy""#)).code(6);
    assert!(ended.stderr.contains("too busy"), "{}", ended.stderr);
    // The server ends instead of answering.
    let server = modern(&patchbay, &[made]);
    patchbay
        .run(&["tools", "call", "--era", "modern", "--stdio", &server, "t"])
        .code(2);
}

#[test]
fn a_call_that_does_not_get_its_input_ends_with_6() {
    let patchbay = Patchbay::new();
    let asks = r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{}}}}}}}"#;
    let asks = modern(&patchbay, &[asks]);
    let ended = patchbay
        .run(&["tools", "call", "--era", "modern", "--stdio", &asks, "t"])
        .code(6);
    assert!(ended.stderr.contains("--on-elicitation"), "{}", ended.stderr);
}

#[test]
fn a_tool_is_called_as_a_task_if_that_is_asked_for() {
    let patchbay = Patchbay::new();
    let server = scripted("legacy");
    let refused = patchbay
        .run(&[
            "tools", "call", "--era", "legacy", "--task", "--stdio", &server, "t",
        ])
        .code(1);
    assert!(
        refused.stderr.contains("cannot be called as tasks"),
        "{}",
        refused.stderr
    );
}
