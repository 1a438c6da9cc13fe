use proptest::prelude::*;

use super::*;
use crate::json;

/// A decoded frame in short: the kind of each message, its span, its violations.
fn decoded(frame: &[u8]) -> String {
    let text = Text::of(frame);
    let decoded = text.decode();
    let rules = |violations: &[Violation]| {
        let ids: Vec<&str> = violations.iter().map(|violation| violation.rule.id()).collect();
        if ids.is_empty() {
            String::new()
        } else {
            format!(" !{}", ids.join(","))
        }
    };
    let mut lines = Vec::new();
    if decoded.batch || !decoded.violations.is_empty() {
        lines.push(format!(
            "frame{}{}",
            if decoded.batch { " batch" } else { "" },
            rules(&decoded.violations)
        ));
    }
    for located in &decoded.messages {
        let what = match &located.message {
            Message::Request { id, method, params } => {
                format!("request {id} {method} {}", params.unwrap_or("-"))
            }
            Message::Notification { method, params } => {
                format!("notification {method} {}", params.unwrap_or("-"))
            }
            Message::Response { id, outcome } => {
                let id = id.as_ref().map_or("-".to_owned(), ToString::to_string);
                match outcome {
                    Outcome::Result(result) => format!("result {id} {result}"),
                    Outcome::Error(error) => {
                        format!(
                            "error {id} {} {:?} {:?} {:?}",
                            error.code_text, error.code, error.message, error.data
                        )
                    }
                }
            }
            Message::Invalid { reason } => format!("invalid: {reason}"),
        };
        assert!(located.span.end <= frame.len(), "the span is within the frame");
        lines.push(format!("{:?} {what}{}", located.span, rules(&located.violations)));
    }
    lines.join("\n")
}

fn check(frame: &str, expected: &str) {
    assert_eq!(decoded(frame.as_bytes()), expected, "of {frame}");
}

#[test]
fn the_four_kinds() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"n":1.10}}}"#,
        r#"0..91 request 1 tools/call {"name":"a","arguments":{"n":1.10}}"#,
    );
    check(
        r#"{"method":"x","id":"1","jsonrpc":"2.0"}"#,
        r#"0..39 request "1" x -"#,
    );
    check(
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "0..54 notification notifications/initialized -",
    );
    check(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#, "0..36 result 7 {}");
    check(
        r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"No \"x\"","data":[1]}}"#,
        r#"0..80 error 7 -32601 Some(-32601) "No \"x\"" Some("[1]")"#,
    );
    check(
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#,
        r#"0..65 error - -32700 Some(-32700) "Parse error" None"#,
    );
}

#[test]
fn malformed_frames() {
    check("", "frame !blank-line");
    check(" \t\r", "frame !carriage-return,blank-line");
    check(
        "\u{feff}{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\r",
        "frame !byte-order-mark,carriage-return\n3..33 notification x -",
    );
    check(
        " {\"jsonrpc\":\"2.0\",\"method\":\"x\"} ",
        "1..31 notification x -",
    );
    check(
        r#"{"jsonrpc":"2.0","method":"a"}{"jsonrpc":"2.0","method":"b"} {"jsonrpc":"2.0","id":1,"result":{}}"#,
        "frame !several-messages-on-a-line\n0..30 notification a -\n30..60 notification b -\n61..97 result 1 {}",
    );
    check(
        r#"{"jsonrpc":"2.0","method":"a"} done"#,
        "frame !several-messages-on-a-line\n0..30 notification a -\n31..35 invalid: not JSON: a value is missing at line 1, column 32 !not-json",
    );
    check(
        "Server started",
        "0..14 invalid: not JSON: a value is missing at line 1, column 1 !not-json",
    );
    check(
        "12:03:04 started",
        "0..16 invalid: not JSON: text that is not JSON !not-json",
    );
    check(
        "[INFO] ready",
        "0..12 invalid: not JSON: a value is missing at line 1, column 2 !not-json",
    );
    check(
        "42",
        "0..2 invalid: a number instead of a JSON-RPC message !not-a-message",
    );
    check(
        "\"hello\"",
        "0..7 invalid: a string instead of a JSON-RPC message !not-a-message",
    );
    check(
        "null",
        "0..4 invalid: null instead of a JSON-RPC message !not-a-message",
    );
    check(
        "{}",
        "0..2 invalid: an empty object !jsonrpc-version,not-a-message",
    );
    check(
        r#"{"jsonrpc":"2.0","id":1"#,
        "0..23 invalid: not JSON: the text ends too early at line 1, column 24 !not-json",
    );
}

#[test]
fn malformed_messages() {
    check(r#"{"id":1,"method":"x"}"#, "0..21 request 1 x - !jsonrpc-version");
    check(
        r#"{"jsonrpc":"1.0","method":"x"}"#,
        "0..30 notification x - !jsonrpc-version",
    );
    check(
        r#"{"jsonrpc":2.0,"method":"x"}"#,
        "0..28 notification x - !jsonrpc-version",
    );
    check(r#"{"jsonrpc":"\u0032.0","method":"x"}"#, "0..35 notification x -");
    check(
        r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#,
        "0..40 request null x - !id-null",
    );
    check(
        r#"{"jsonrpc":"2.0","id":true,"method":"x"}"#,
        "0..40 request true x - !id-type",
    );
    check(
        r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#,
        "0..38 result 1.5 {} !id-type",
    );
    check(
        r#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#,
        "0..38 result 1 {} !id-number-text",
    );
    check(
        r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
        "0..39 result - {} !id-null",
    );
    check(
        r#"{"jsonrpc":"2.0","result":{}}"#,
        "0..29 result - {} !response-without-id",
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
        "0..38 result 1 null !result-not-object",
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
        "0..35 invalid: `method` is a number instead of a string !method-type",
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}"#,
        "0..50 request 1 x [1] !params-type",
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"x","result":{}}"#,
        "0..49 request 1 x - !method-and-outcome",
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}"#,
        r#"0..69 error 1 1 Some(1) "m" None !result-and-error"#,
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#,
        "0..49 result 1 {} !result-and-error",
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":"-32601"}}"#,
        r#"0..50 error 1 "-32601" Some(-32601) "" None !error-code-type,error-message-type"#,
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"error":{"message":"m"}}"#,
        r#"0..48 error 1  None "m" None !error-code-type"#,
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"error":"boom"}"#,
        r#"0..39 error 1  None "boom" None !error-not-object"#,
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"id":2,"result":{"a":1,"a":2}}"#,
        r#"0..54 result 2 {"a":1,"a":2} !duplicate-member"#,
    );
    check(
        r#"{"jsonrpc":"2.0","id":1}"#,
        "0..24 invalid: an object with neither `method` nor `result` nor `error` !not-a-message",
    );
}

#[test]
fn batches() {
    check(
        r#"[{"jsonrpc":"2.0","method":"a"}, 1, [], {"jsonrpc":"2.0","id":1,"result":{}}]"#,
        "frame batch\n1..31 notification a -\n33..34 invalid: a number instead of a JSON-RPC message !not-a-message\n\
         36..38 invalid: an array instead of a JSON-RPC message !not-a-message\n40..76 result 1 {}",
    );
    check("[]", "frame batch !batch-empty");
    check(
        "[{\"jsonrpc\":\"2.0\"",
        "0..17 invalid: not JSON: the text ends too early at line 1, column 18 !not-json",
    );
}

#[test]
fn invalid_utf8_is_repaired_and_spans_are_kept() {
    let mut frame = br#"{"jsonrpc":"2.0","id":1,"result":{"text":"caf"#.to_vec();
    frame.extend([0xe9, b'!']);
    frame.extend(br#"","n":1}}"#);
    assert_eq!(
        decoded(&frame),
        r#"frame !not-utf8
0..56 result 1 {"text":"caf?!","n":1}"#
    );
    let decoded = decode(&frame);
    assert!(
        matches!(decoded.messages[0].message, Message::Invalid { .. }),
        "without the repaired text nothing can be borrowed"
    );
    assert_eq!(decoded.violations.len(), 1);
    // A truncated character keeps its length.
    let cut = &"{\"a\":\"€".as_bytes()[..8];
    assert_eq!(Text::of(cut).as_str().len(), 8);
}

#[test]
fn encoders_write_one_line_and_preserve_text() {
    let id = crate::RequestId::Int(1);
    let texts = [
        request(
            &id,
            "tools/call",
            Some("{\n  \"n\": 1.10,\r\n \"n\": 9007199254740993}"),
        ),
        request(&"a\"b".into(), "ping", None),
        notification("notifications/initialized", None),
        response_result(&id, "{}"),
        response_error(Some(&id), -32601, "No \"x\"", Some("[1,\n2]")),
        response_error(None, -32700, "Parse error", None),
    ];
    for text in &texts {
        let decoded = decode(text.as_bytes());
        assert!(
            decoded.violations.is_empty() && decoded.messages[0].violations.is_empty(),
            "{text}"
        );
    }
    insta::assert_snapshot!(texts.join("\n"), @r#"
    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{   "n": 1.10,   "n": 9007199254740993}}
    {"jsonrpc":"2.0","id":"a\"b","method":"ping"}
    {"jsonrpc":"2.0","method":"notifications/initialized"}
    {"jsonrpc":"2.0","id":1,"result":{}}
    {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"No \"x\"","data":[1, 2]}}
    {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}
    "#);
}

/// Every golden message of the specification decodes without a violation.
#[test]
fn official_examples_decode_clean() {
    let Some(examples) = crate::spec_examples() else {
        return;
    };
    let mut messages = 0;
    for (path, text) in examples {
        let Ok(object) = json::Object::parse(&text) else {
            panic!("{path} is not an object")
        };
        if object.get("jsonrpc").is_none() {
            continue;
        }
        messages += 1;
        let decoded = decode(text.trim_end().as_bytes());
        assert_eq!(decoded.violations, [], "{path}");
        assert_eq!(decoded.messages.len(), 1, "{path}");
        assert_eq!(decoded.messages[0].violations, [], "{path}");
        assert!(
            !matches!(decoded.messages[0].message, Message::Invalid { .. }),
            "{path}"
        );
    }
    assert!(messages > 20, "only {messages} messages among the examples");
}

const SEEDS: [&str; 4] = [
    r#"{"jsonrpc":"2.0","id":"a\u00e9","method":"tools/call","params":{"name":"a","arguments":{"n":[1.10,true,null]}}}"#,
    r#"[{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}},{"jsonrpc":"2.0","id":1,"result":{}}]"#,
    r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"No","data":{"a":[{}]}}}"#,
    r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"\ud83d\ude00"}],"isError":false}}"#,
];

proptest! {
    #[test]
    fn mutations_never_panic_and_spans_stay_inside(
        seed in 0..SEEDS.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 0..6),
    ) {
        let mut frame = SEEDS[seed].as_bytes().to_vec();
        for (at, byte, what) in edits {
            let place = at.index(frame.len().max(1)).min(frame.len().saturating_sub(1));
            match what {
                0 if !frame.is_empty() => frame[place] = byte,
                1 if !frame.is_empty() => { frame.remove(place); }
                _ => frame.insert(place, byte),
            }
        }
        let shown = decoded(&frame);
        prop_assert!(!shown.is_empty());
        prop_assert_eq!(Text::of(&frame).as_str().len(), frame.len());
        for located in decode(&frame).messages {
            if let Message::Request { method, params, .. } | Message::Notification { method, params } = located.message {
                let summary = crate::methods::summary(&method, params);
                prop_assert!(summary.is_none_or(|line| line.chars().count() <= 300));
            }
        }
    }

    #[test]
    fn arbitrary_bytes_decode(frame in prop::collection::vec(any::<u8>(), 0..64)) {
        let decoded = decode(&frame);
        prop_assert!(decoded.messages.iter().all(|located| located.span.end <= frame.len()));
    }
}
