use super::*;

#[test]
fn a_summary_says_what_a_result_has() {
    let rows = [
        (
            "tools/call",
            r#"{"content":[{"type":"text","text":"\n Echo: hello\nand more"}]}"#,
            Some("echo: Echo: hello and more"),
        ),
        (
            "tools/call",
            r#"{"content":[{"type":"image","mimeType":"image/png","data":""}]}"#,
            Some("echo: image/png"),
        ),
        ("tools/call", r#"{"content":[]}"#, Some("echo")),
        (
            "tools/call",
            r#"{"resultType":"input_required"}"#,
            Some("echo: input_required"),
        ),
        ("tools/list", r#"{"tools":[{},{}]}"#, Some("2 tools")),
        (
            "tools/list",
            r#"{"tools":[{}],"nextCursor":"x"}"#,
            Some("1 tool, more follow"),
        ),
        (
            "resources/read",
            r#"{"contents":[{"mimeType":"text/markdown"}]}"#,
            Some("text/markdown"),
        ),
        (
            "initialize",
            r#"{"protocolVersion":"2025-11-25","serverInfo":{"name":"a","version":"1.0"}}"#,
            Some("2025-11-25 a 1.0"),
        ),
        (
            "server/discover",
            r#"{"supportedVersions":["2026-07-28","2027-01-01"]}"#,
            Some("2026-07-28, 2027-01-01"),
        ),
        ("elicitation/create", r#"{"action":"decline"}"#, Some("decline")),
        ("ping", "{}", None),
        ("tools/list", "[]", None),
        ("tools/list", r#"{"tools":{}}"#, None),
    ];
    for (method, result, expected) in rows {
        let found = summary(method, Some("echo"), result);
        assert_eq!(found.as_deref(), expected, "of {method} {result}");
    }
}

#[test]
fn a_large_result_is_not_read_and_a_long_text_is_cut() {
    let text = |length: usize| {
        format!(
            r#"{{"content":[{{"type":"text","text":"{}"}}]}}"#,
            "ä".repeat(length)
        )
    };
    assert_eq!(summary("tools/call", None, &text(SUMMED_UP)), None);
    let long = summary("tools/call", None, &text(2_000)).unwrap();
    assert!(long.chars().count() <= 301, "{}", long.chars().count());
}
