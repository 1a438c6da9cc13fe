use super::*;
use crate::json::span_of;

/// A block in short, with its violations and their location.
fn described(raw: &str) -> String {
    let (block, violations) = ContentBlock::parse(raw, "/content/0".to_owned());
    let broken: Vec<String> = violations
        .iter()
        .map(|one| format!(" !{} {}", one.rule.id(), one.pointer.as_deref().unwrap_or("-")))
        .collect();
    format!("{:?}{}", block.kind, broken.concat())
}

#[test]
fn every_kind_of_block() {
    let check = |raw: &str, expected: &str| assert_eq!(described(raw), expected, "of {raw}");
    check(
        r#"{"type":"text","text":"a\nb"}"#,
        r#"Text { text: "\"a\\nb\"" }"#,
    );
    check(
        r#"{"type":"image","data":"AAAA","mimeType":"image/png"}"#,
        r#"Image { data: "\"AAAA\"", mime_type: "image/png" }"#,
    );
    check(
        r#"{"type":"audio","data":"AA==","mimeType":"audio/wav"}"#,
        r#"Audio { data: "\"AA==\"", mime_type: "audio/wav" }"#,
    );
    check(
        r#"{"type":"resource_link","uri":"file:///a","name":"a","size":12}"#,
        r#"ResourceLink { uri: "file:///a", name: "a", title: None, description: None, mime_type: None, size: Some(12.0) }"#,
    );
    check(
        r#"{"type":"resource","resource":{"uri":"u","mimeType":"text/plain","text":"t"}}"#,
        r#"ResourceText { uri: "u", mime_type: Some("text/plain"), text: "\"t\"" }"#,
    );
    check(
        r#"{"type":"resource","resource":{"uri":"u","blob":"\/\/8="}}"#,
        r#"ResourceBlob { uri: "u", mime_type: None, blob: "\"\\/\\/8=\"" }"#,
    );
}

#[test]
fn malformed_blocks_are_shown_raw_with_a_reason() {
    let check = |raw: &str, expected: &str| assert_eq!(described(raw), expected, "of {raw}");
    check(
        r#"{"type":"video","data":"x"}"#,
        r#"Unknown { kind: Some("video"), reason: "\"video\" is not a known content type" } !content-type-unknown /content/0/type"#,
    );
    check(
        r#"{"type":"text"}"#,
        r#"Unknown { kind: Some("text"), reason: "`text` is missing" } !content-malformed /content/0/text"#,
    );
    check(
        r#"{"type":"text","text":7}"#,
        r#"Unknown { kind: Some("text"), reason: "`text` is a number instead of a string" } !content-malformed /content/0/text"#,
    );
    check(
        r#"{"text":"x"}"#,
        r#"Unknown { kind: None, reason: "the block has no `type` that is a string" } !content-malformed /content/0/type"#,
    );
    check(
        r#""x""#,
        r#"Unknown { kind: None, reason: "the block is a string instead of an object" } !content-malformed /content/0"#,
    );
    check(
        r#"{"type":"resource","resource":"x"}"#,
        r#"Unknown { kind: Some("resource"), reason: "`resource` is missing or not an object" } !content-malformed /content/0/resource"#,
    );
    check(
        r#"{"type":"resource","resource":{"uri":"u"}}"#,
        r#"Unknown { kind: Some("resource"), reason: "`text` is missing" } !content-malformed /content/0/resource/text"#,
    );
    check(
        r#"{"type":"image","data":"AAA"}"#,
        r#"Image { data: "\"AAA\"", mime_type: "" } !content-not-base64 /content/0/data !member-missing /content/0/mimeType"#,
    );
    check(
        r#"{"type":"image","data":"A A=","mimeType":"image/png"}"#,
        r#"Image { data: "\"A A=\"", mime_type: "image/png" } !content-not-base64 /content/0/data"#,
    );
}

#[test]
fn a_result_keeps_spans_into_its_frame() {
    let frame = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hi","annotations":{"priority":1.0}}],"structuredContent":{"n":1.10},"isError":true}}"#;
    let decoded = crate::message::decode(frame.as_bytes());
    let crate::message::Message::Response {
        outcome: crate::message::Outcome::Result(raw),
        ..
    } = decoded.messages[0].message
    else {
        panic!("no result")
    };
    let result = CallToolResult::parse(raw);
    assert_eq!(result.violations, []);
    assert!(result.is_error);
    assert_eq!(result.result_type, ResultType::Complete);
    let structured = result.structured.expect("there");
    assert_eq!(&frame[span_of(frame, structured)], r#"{"n":1.10}"#);
    assert_eq!(result.content[0].annotations, Some(r#"{"priority":1.0}"#));
    let ContentKind::Text { text } = result.content[0].kind else {
        panic!("no text")
    };
    assert_eq!(&frame[span_of(frame, text)], "\"hi\"");
}

#[test]
fn malformed_results() {
    let check = |result: &str, blocks: usize, expected: &[&str]| {
        let result_view = CallToolResult::parse(result);
        let broken: Vec<_> = result_view.violations.iter().map(|one| one.rule.id()).collect();
        assert_eq!(
            (result_view.content.len(), &*broken),
            (blocks, expected),
            "of {result}"
        );
    };
    check("{}", 0, &["content-missing"]);
    check(r#"{"content":"x"}"#, 0, &["content-missing"]);
    check(
        r#"{"content":[1,{"type":"text","text":"a"}],"isError":"no"}"#,
        2,
        &["member-type", "content-malformed"],
    );
    check(r#"{"resultType":"input_required"}"#, 0, &[]);
    check(r#"{"resultType":"task","taskId":"1"}"#, 0, &[]);
    check(
        r#"{"resultType":"soon","content":[]}"#,
        0,
        &["result-type-unknown"],
    );
    check("null", 0, &["member-type", "content-missing"]);
}

#[test]
fn official_content_has_no_violations() {
    let Some(examples) = crate::spec_examples() else {
        return;
    };
    let mut seen = 0;
    for (path, text) in examples {
        let kind = path.split('/').next().unwrap_or_default();
        if matches!(
            kind,
            "TextContent" | "ImageContent" | "AudioContent" | "ResourceLink" | "EmbeddedResource"
        ) {
            seen += 1;
            assert_eq!(ContentBlock::parse(&text, String::new()).1, [], "{path}");
        } else if kind == "CallToolResult" {
            seen += 1;
            assert_eq!(CallToolResult::parse(&text).violations, [], "{path}");
        }
    }
    assert!(seen > 6, "only {seen} examples of content");
}
