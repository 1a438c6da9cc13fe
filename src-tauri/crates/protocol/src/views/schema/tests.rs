use super::*;

fn broken(schema: &str) -> Vec<String> {
    let mut violations = Vec::new();
    check(schema, "/inputSchema", &mut violations);
    violations
        .iter()
        .map(|violation| {
            let pointer = violation.pointer.as_deref().unwrap_or_default();
            format!(
                "{} {}",
                violation.rule.id(),
                pointer.strip_prefix("/inputSchema").unwrap_or(pointer)
            )
        })
        .collect()
}

#[test]
fn common_mistakes_are_found_with_their_location() {
    let check = |schema: &str, expected: &[&str]| assert_eq!(broken(schema), expected, "of {schema}");
    check(
        r#"{"type":"object","properties":{"a":{"type":["string","null"]},"b":true},"required":["a"]}"#,
        &[],
    );
    check(
        r#"{"properties":{"a":{},"required":["a"]}}"#,
        &["schema-required-misplaced /properties/required"],
    );
    check(r#"{"properties":{"required":{"type":"boolean"}}}"#, &[]);
    check(
        r#"{"properties":{"a":{"type":"str","required":true}}}"#,
        &[
            "schema-keyword-type /properties/a/required",
            "schema-keyword-type /properties/a/type",
        ],
    );
    check(
        r#"{"properties":[],"required":"a","anyOf":{},"enum":{}}"#,
        &[
            "schema-keyword-type /anyOf",
            "schema-keyword-type /enum",
            "schema-keyword-type /properties",
            "schema-keyword-type /required",
        ],
    );
    check(
        r#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#,
        &["schema-dialect /$schema"],
    );
    check(
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema"}"#,
        &[],
    );
    check(
        r##"{"properties":{"a/b":{"$ref":"https://example.com/s"},"c":{"$ref":"#/$defs/x"}}}"##,
        &["schema-network-ref /properties/a~1b/$ref"],
    );
    // Within the same document, before and after, by its address, and a part of it.
    check(
        r##"{"$id":"https://example.com/all#","properties":{"a":{"$ref":"https://example.com/s"},"b":{"$ref":"https://example.com/s#/$defs/x"},"c":{"$dynamicRef":"https://example.com/all#c"},"d":{"$ref":"https://example.com/other"}},"$defs":{"s":{"$id":"https:\/\/example.com/s"}}}"##,
        &["schema-network-ref /properties/d/$ref"],
    );
    check(
        r#"{"items":[{"type":1}],"allOf":[{"not":{"items":{"type":"text"}}}],"$defs":{"x":7}}"#,
        &[
            "schema-keyword-type /$defs/x",
            "schema-keyword-type /allOf/0/not/items/type",
        ],
    );
    check(
        r#"{"enum":[{"type":1}],"const":{"type":1},"default":{"required":1}}"#,
        &[],
    );
}

#[test]
fn a_deeply_nested_schema_is_cheap() {
    let deep = |levels: usize| {
        format!(
            "{}{{\"type\":1}}{}",
            "{\"not\":".repeat(levels),
            "}".repeat(levels)
        )
    };
    assert_eq!(broken(&deep(500)).len(), 1);
    assert_eq!(
        broken(&deep(100_000)).len(),
        0,
        "too deep to be checked completely, but without harm"
    );
    let wide = format!("{{\"anyOf\":[{}]}}", vec!["{\"type\":1}"; 50_000].join(","));
    assert_eq!(broken(&wide).len(), MOST_VIOLATIONS);
}

/// The names are kept once, not in the pointer of each subschema.
#[test]
fn a_long_name_above_many_subschemas_is_not_copied_for_each() {
    let name = "n".repeat(200_000);
    let properties: Vec<_> = (0..17_000).map(|at| format!(r#""{at}":{{"type":1}}"#)).collect();
    let schema = format!(
        r#"{{"properties":{{"{name}":{{"properties":{{{}}}}}}}}}"#,
        properties.join(",")
    );
    let mut violations = Vec::new();
    check(&schema, "/inputSchema", &mut violations);
    assert_eq!(violations.len(), MOST_VIOLATIONS);
    for violation in violations {
        let pointer = violation.pointer.unwrap_or_default();
        assert!(
            pointer.len() <= crate::limits::TEXT_BYTES + 3,
            "{}",
            pointer.len()
        );
    }
}

#[test]
fn the_violations_of_one_level_are_limited_too() {
    let twice = vec![r#""required":1"#; 1000].join(",");
    assert_eq!(broken(&format!("{{{twice}}}")).len(), MOST_VIOLATIONS);
    let inside = vec![r#""required":[]"#; 1000].join(",");
    let schema = format!(r#"{{"properties":{{{inside}}}}}"#);
    assert_eq!(broken(&schema).len(), MOST_VIOLATIONS);
}
