use std::borrow::Cow;

use super::*;

#[test]
fn a_summary_describes_a_message() {
    let check = |method: &str, params: &str, expected: Option<&str>| {
        assert_eq!(
            summary(method, Some(params)).as_deref(),
            expected,
            "of {method} {params}"
        );
    };
    check(
        "tools/call",
        r#"{"name":"get-sum","arguments":{"a":1}}"#,
        Some("get-sum"),
    );
    check("prompts/get", r#"{"name":"review"}"#, Some("review"));
    check("resources/read", r#"{"uri":"file:///a"}"#, Some("file:///a"));
    check(
        "notifications/resources/updated",
        r#"{"uri":"file:///a"}"#,
        Some("file:///a"),
    );
    check(
        "notifications/message",
        r#"{"level":"info","logger":"db","data":"a\nb"}"#,
        Some("info db: a b"),
    );
    check(
        "notifications/message",
        r#"{"level":"error","data":{"n":1.10}}"#,
        Some(r#"error: {"n":1.10}"#),
    );
    check("notifications/message", r#"{"data":7}"#, Some("?: 7"));
    check(
        "notifications/progress",
        r#"{"progressToken":1,"progress":3,"total":10,"message":"step"}"#,
        Some("3/10 step"),
    );
    check(
        "notifications/progress",
        r#"{"progressToken":1,"progress":0.5}"#,
        Some("0.5"),
    );
    check(
        "notifications/progress",
        r#"{"progressToken":1,"progress":-0,"total":5000000000}"#,
        Some("-0/5000000000"),
    );
    check("notifications/progress", r#"{"progressToken":1}"#, Some("?"));
    check(
        "notifications/cancelled",
        r#"{"requestId":"a","reason":"late"}"#,
        Some("request \"a\": late"),
    );
    check("notifications/cancelled", "{}", None);
    check("logging/setLevel", r#"{"level":"debug"}"#, Some("debug"));
    check(
        "initialize",
        r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"patchbay","version":"1.0"}}"#,
        Some("2025-11-25 patchbay 1.0"),
    );
    check(
        "server/discover",
        r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#,
        Some("2026-07-28"),
    );
    check(
        "completion/complete",
        r#"{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"language","value":"py"}}"#,
        Some("p language=py"),
    );
    check(
        "sampling/createMessage",
        r#"{"messages":[{"role":"user","content":{"type":"text","text":"Capital of France?"}}]}"#,
        Some("Capital of France?"),
    );
    check(
        "sampling/createMessage",
        r#"{"messages":[1,2]}"#,
        Some("2 messages"),
    );
    check(
        "sampling/createMessage",
        r#"{"messages":[{"role":"user","content":{"type":"image","data":"AA==","mimeType":"image/png"}}]}"#,
        Some("1 message"),
    );
    check(
        "elicitation/create",
        r#"{"message":"Your name?"}"#,
        Some("Your name?"),
    );
    check(
        "subscriptions/listen",
        r#"{"notifications":{"toolsListChanged":true,"promptsListChanged":false,"resourceSubscriptions":["a"]}}"#,
        Some("toolsListChanged, resourceSubscriptions"),
    );
    check("tasks/get", r#"{"taskId":"t1"}"#, Some("t1"));
    check("tools/list", r#"{"cursor":"2"}"#, Some("cursor 2"));
    check("tools/list", "{}", None);
    check("tools/call", "[1]", None);
    check("tools/call", r#"{"name":7}"#, Some("7"));
    check("tools/call", r#"{"name":null}"#, None);
    assert_eq!(summary("ping", None), None);
}

#[test]
fn a_summary_is_always_short() {
    let long = format!(r#"{{"level":"info","data":"{}"}}"#, "é\\n".repeat(100_000));
    let line = summary("notifications/message", Some(&long)).expect("a line");
    assert_eq!(line.chars().count(), 300);
    assert!(line.starts_with("info: é é") && line.ends_with('…'), "{line}");
    assert_eq!(clip("  a \n\t b\u{1} "), "a b");
}

#[test]
fn an_error_summary_has_the_meaning_once() {
    let check = |code_text: &str, code: Option<i64>, message: &str, expected: &str| {
        let error = RpcError {
            raw: "",
            code_text: Cow::Borrowed(code_text),
            code,
            message: Cow::Borrowed(message),
            data: None,
        };
        assert_eq!(error_summary(&error), expected);
    };
    check(
        "-32601",
        Some(-32601),
        "no such thing",
        "-32601 Method not found: no such thing",
    );
    check(
        "-32601",
        Some(-32601),
        "Method not found: x",
        "-32601 Method not found: x",
    );
    check("-32602", Some(-32602), "", "-32602 Invalid params");
    check("7", Some(7), "custom", "7 custom");
    check("", None, "custom", "(no code) custom");
}
