//! The log levels of requests that are cancelled, of very many, and capabilities that are very large.

use super::*;

#[test]
fn a_cancelled_request_asks_for_no_log_messages_once_the_server_knows() {
    let meta = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;
    let ask = |id: u8, method: &str, level: &str| {
        format!(
            r#"> "id":{id},"method":"{method}","params":{{"_meta":{{{meta},"io.modelcontextprotocol/logLevel":"{level}"}}}}"#
        )
    };
    let call = |id: u8, level: &str| ask(id, "tools/list", level);
    let cancel = |id: u8| format!(r#"> "method":"notifications/cancelled","params":{{"requestId":{id}}}"#);
    let done = |id: u8| format!(r#"< "id":{id},"result":{{}}"#);
    let debug = r#"< "method":"notifications/message","params":{"level":"debug","data":1}"#;
    let modern = |script: &[String], expected: &[&str]| {
        let script: Vec<&str> = script.iter().map(String::as_str).collect();
        check(&[&["= modern"], &script[..], &[debug]].concat(), expected);
    };
    let below: &[&str] = &["log-below-level"];
    let (first, second, third) = (call(1, "debug"), call(2, "error"), call(3, "error"));
    // It may have crossed the cancellation.
    modern(&[first.clone(), cancel(1)], &[]);
    modern(&[first.clone(), cancel(1), second.clone()], &[]);
    modern(&[first.clone(), second.clone(), cancel(1), done(2)], &[]);
    let known = [first.clone(), cancel(1), second, third, done(2)];
    modern(&known, below);
    modern(&[&known[..], &[done(3)]].concat(), &["log-uninvited"]);
    // The id may be used again.
    modern(&[first.clone(), cancel(1), call(2, "error"), first, done(2)], &[]);
    // A subscription has no log messages.
    modern(&[ask(1, "subscriptions/listen", "debug")], &["log-uninvited"]);
}

#[test]
fn nothing_is_said_of_log_messages_if_a_level_is_not_remembered() {
    let meta = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel""#;
    let calls: Vec<_> = (0..5000)
        .map(|id| {
            let level = if id < 4500 { "error" } else { "debug" };
            format!(r#"> "id":{id},"method":"tools/list","params":{{"_meta":{{{meta}:"{level}"}}}}"#)
        })
        .collect();
    let mut script = vec!["= modern"];
    script.extend(calls.iter().map(String::as_str));
    script.push(r#"< "method":"notifications/message","params":{"level":"debug","data":1}"#);
    script.push(r#"<4999 "method":"notifications/message","params":{"level":"debug","data":1}"#);
    check(&script, &[]);
}

/// The capabilities are read once, so this does not take minutes.
#[test]
fn large_capabilities_are_not_read_for_each_notification() {
    let mut conversation = Conversation::new();
    let large = format!(
        r#"{{"experimental":{{"a":"{}"}},"tools":{{"listChanged":true}}}}"#,
        "a".repeat(20_000_000)
    );
    conversation.agree(Revision::V2025_11_25, &large, &ClientCapabilities::none());
    let message = Message::Notification {
        method: methods::TOOLS_LIST_CHANGED.into(),
        params: None,
    };
    for _ in 0..5000 {
        let found = conversation.observe(
            Direction::ServerToClient,
            &message,
            &NotificationView::Other,
            Carrier::Pipe,
        );
        assert_eq!(found, []);
    }
}
