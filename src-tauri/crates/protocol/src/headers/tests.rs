use proptest::prelude::*;

use super::*;

#[test]
fn values_from_the_specification() {
    for (value, header) in [
        ("us-west1", "us-west1"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("a b\tc", "a b\tc"),
        ("", ""),
        ("=?base64?=", "=?base64?="),
        ("=?BASE64?x?=", "=?BASE64?x?="),
    ] {
        assert_eq!(encode(value), header, "{value:?}");
        assert_eq!(decode(header).as_deref(), Some(value), "{header:?}");
    }
    assert_eq!(decode("=?base64?***?="), None);
    assert_eq!(decode("=?base64?/w==?="), None, "not UTF-8");
}

proptest! {
    #[test]
    fn encoded_values_are_safe_and_round_trip(value in any::<String>()) {
        let header = encode(&value);
        prop_assert!(header.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')));
        prop_assert_eq!(header.trim(), &*header);
        prop_assert_eq!(decode(&header), Some(Cow::Borrowed(&*value)));
    }

    #[test]
    fn decoding_never_panics(header in any::<String>()) {
        let _ = decode(&header);
        let _ = decode(&format!("=?base64?{header}?="));
    }

    #[test]
    fn finding_annotations_never_panics(schema in any::<String>()) {
        let _ = param_headers(&schema, "");
        let _ = param_headers(&format!("{{\"properties\":{schema},\"x-mcp-header\":1}}"), "");
    }
}

fn headers(method: &str, params: &str, schema: &str) -> Vec<String> {
    let tool = param_headers(schema, "").expect("valid annotations");
    of_request(method, Some(params), &tool)
        .into_iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect()
}

#[test]
fn a_call_has_headers_for_method_name_version_and_annotated_parameters() {
    let schema = r#"{"type":"object","properties":{
        "region":{"type":"string","x-mcp-header":"Region"},
        "count":{"type":["integer","null"],"x-mcp-header":"Count"},
        "dry":{"type":"boolean","x-mcp-header":"Method"},
        "absent":{"type":"string","x-mcp-header":"Absent"},
        "gone":{"type":"string","x-mcp-header":"Gone"},
        "inner":{"type":"object","properties":{"deep":{"type":"string","x-mcp-header":"Deep"}}},
        "query":{"type":"string"}}}"#;
    let params = r#"{"name":"execüte","arguments":{"region":"us-west1","count":42.0,"dry":false,"gone":null,
        "inner":{"deep":" x"},"query":"SELECT"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#;
    assert_eq!(
        headers("tools/call", params, schema),
        [
            "MCP-Protocol-Version: 2026-07-28",
            "Mcp-Method: tools/call",
            "Mcp-Name: =?base64?ZXhlY8O8dGU=?=",
            "Mcp-Param-Count: 42",
            "Mcp-Param-Method: false",
            "Mcp-Param-Deep: =?base64?IHg=?=",
            "Mcp-Param-Region: us-west1",
        ]
    );
}

#[test]
fn other_methods_have_a_header_for_their_subject() {
    assert_eq!(
        headers("resources/read", r#"{"uri":"file:///a b"}"#, "{}"),
        ["Mcp-Method: resources/read", "Mcp-Name: file:///a b"]
    );
    assert_eq!(
        headers("tasks/get", r#"{"taskId":"7"}"#, "{}"),
        ["Mcp-Method: tasks/get", "Mcp-Name: 7"]
    );
    assert_eq!(
        headers("tools/list", r#"{"name":"x"}"#, "{}"),
        ["Mcp-Method: tools/list"]
    );
    assert_eq!(of_request("ping", None, &[]).len(), 1);
}

/// The violations of a schema's annotations.
fn invalid(schema: &str) -> Vec<String> {
    let violations = param_headers(schema, "").expect_err("invalid");
    violations
        .into_iter()
        .map(|violation| format!("{} {}", violation.pointer.unwrap_or_default(), violation.message))
        .collect()
}

#[test]
fn invalid_annotations_are_reported_with_their_location() {
    let property = |inner: &str| format!(r#"{{"properties":{{"p":{{{inner}}}}}}}"#);
    for (schema, words) in [
        (property(r#""type":"string","x-mcp-header":"""#), "it is empty"),
        (
            property(r#""type":"string","x-mcp-header":7"#),
            "a number instead of a string",
        ),
        (
            property(r#""type":"string","x-mcp-header":"a b""#),
            "not a valid HTTP header name",
        ),
        (
            property(r#""type":"string","x-mcp-header":"a:b""#),
            "not a valid HTTP header name",
        ),
        (
            property(r#""type":"string","x-mcp-header":"ä""#),
            "not a valid HTTP header name",
        ),
        (
            property(r#""type":"string","x-mcp-header":"a\nb""#),
            "not a valid HTTP header name",
        ),
        (
            property(r#""type":"number","x-mcp-header":"A""#),
            "of type \"number\"",
        ),
        (
            property(r#""type":"object","x-mcp-header":"A""#),
            "of type \"object\"",
        ),
        (
            property(r#""type":"null","x-mcp-header":"A""#),
            "of type \"null\"",
        ),
        (property(r#""x-mcp-header":"A""#), "of no declared type"),
        (
            r#"{"x-mcp-header":"A","type":"string"}"#.to_owned(),
            "a chain of `properties`",
        ),
        (
            property(r#""items":{"type":"string","x-mcp-header":"A"}"#),
            "a chain of `properties`",
        ),
        (
            r#"{"anyOf":[{"properties":{"p":{"type":"string","x-mcp-header":"A"}}}]}"#.to_owned(),
            "a chain",
        ),
        (
            r#"{"$defs":{"p":{"type":"string","x-mcp-header":"A"}}}"#.to_owned(),
            "a chain",
        ),
    ] {
        let found = invalid(&schema);
        assert!(
            found.len() == 1 && found[0].contains(words),
            "{schema}: {found:?}"
        );
    }
    let twice = r#"{"properties":{"a":{"type":"string","x-mcp-header":"Same"},"b":{"type":"string","x-mcp-header":"same"}}}"#;
    assert!(invalid(twice)[0].contains("another parameter has"));
}

#[test]
fn data_and_names_that_look_like_annotations_are_ignored() {
    let schema = r#"{"properties":{"x-mcp-header":{"type":"string","default":{"x-mcp-header":""}}},
        "examples":[{"x-mcp-header":7}]}"#;
    assert_eq!(param_headers(schema, ""), Ok(Vec::new()));
}

#[test]
fn a_long_name_above_many_annotations_is_not_copied_for_each() {
    let name = "n".repeat(20_000);
    let schema = |annotation: &dyn Fn(usize) -> String| {
        let members: Vec<_> = (0..10_000)
            .map(|at| format!(r#""{at}":{}"#, annotation(at)))
            .collect();
        format!(
            r#"{{"properties":{{"{name}":{{"properties":{{{}}}}}}}}}"#,
            members.join(",")
        )
    };
    let valid = schema(&|at| format!(r#"{{"type":"string","x-mcp-header":"H{at}"}}"#));
    let found = param_headers(&valid, "")
        .map(|found| found.len())
        .expect_err("too large");
    assert_eq!(found.len(), 1);
    assert!(
        found[0].message.contains("too large to be searched"),
        "{}",
        found[0].message
    );
    let wrong = schema(&|_| r#"{"x-mcp-header":1}"#.to_owned());
    let found = param_headers(&wrong, "")
        .map(|found| found.len())
        .expect_err("invalid");
    assert_eq!(found.len(), crate::limits::VIOLATIONS);
    let bytes: usize = found
        .iter()
        .filter_map(|one| one.pointer.as_ref())
        .map(String::len)
        .sum();
    assert!(bytes < 5_000_000, "{bytes}");
}
