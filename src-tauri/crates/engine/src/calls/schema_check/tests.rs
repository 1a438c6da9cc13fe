use patchbay_contract::SchemaCheck;
use patchbay_protocol::limits::Limits;
use tokio::sync::Semaphore;

use super::{AT_ONCE, ROOM, check, check_now, in_time};

/// `valid`, `? reason`, or one problem per line: `pointer (schema pointer): message`.
fn checked(schema: &str, value: &str) -> String {
    match check_now(schema, value, Limits::default().schema_evaluations as u64) {
        SchemaCheck::Valid {} => "valid".to_owned(),
        SchemaCheck::NotChecked { reason } => format!("? {reason}"),
        SchemaCheck::Invalid { problems } => problems
            .into_iter()
            .map(|problem| {
                format!(
                    "{} ({}): {}",
                    problem.pointer, problem.schema_pointer, problem.message
                )
            })
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

#[test]
fn every_problem_has_both_pointers() {
    let schema =
        r#"{"type":"object","properties":{"n":{"type":"integer"},"s":{"enum":["a"]}},"required":["q"]}"#;
    assert_eq!(
        checked(schema, r#"{"n":9007199254740993,"s":"a","q":null}"#),
        "valid"
    );
    insta::assert_snapshot!(checked(schema, r#"{"n":"x","s":"b"}"#), @r#"
     (/required): "q" is a required property
    /n (/properties/n/type): "x" is not of type "integer"
    /s (/properties/s/enum): "b" is not one of "a"
    "#);
}

#[test]
fn the_schema_names_its_dialect() {
    // An array form of `items` is a tuple in draft-07 only; 2020-12 says `prefixItems`.
    let draft7 = r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}]}"#;
    assert_ne!(checked(draft7, "[1]"), "valid");
    assert_ne!(checked(r#"{"prefixItems":[{"type":"string"}]}"#, "[1]"), "valid");
    assert_eq!(
        checked(
            r#"{"$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[{"type":"string"}]}"#,
            "[1]"
        ),
        "valid"
    );
}

#[test]
fn unusable_schemas_are_reported_and_nothing_is_fetched() {
    for schema in [
        "{",
        r#"{"type":"no such type"}"#,
        r#"{"$ref":"http://127.0.0.1:1/schema.json"}"#,
        r#"{"$ref":"file:///etc/passwd"}"#,
        r##"{"$ref":"#/$defs/missing"}"##,
    ] {
        let answer = checked(schema, "1");
        assert!(answer.starts_with("? "), "{schema}: {answer}");
    }
}

#[test]
fn a_schema_that_refers_to_itself_ends() {
    assert_eq!(
        checked(
            r##"{"properties":{"next":{"$ref":"#"}},"type":"object"}"##,
            r#"{"next":{"next":{}}}"#
        ),
        "valid"
    );
    // Either result is fine, as long as there is one.
    let circular = checked(r##"{"$ref":"#"}"##, "1");
    assert!(circular == "valid" || circular.starts_with("? "), "{circular}");
}

#[test]
fn many_problems_are_truncated() {
    let value = format!("[{}1]", "1,".repeat(500));
    assert_eq!(
        checked(r#"{"items":{"type":"string"}}"#, &value).lines().count(),
        100
    );
}

#[tokio::test]
async fn oversized_input_is_not_checked() {
    let large = format!("\"{}\"", "x".repeat(1024 * 1024));
    assert!(matches!(
        check(large.clone(), "1".to_owned(), &Limits::default()).await,
        SchemaCheck::NotChecked { .. }
    ));
    assert!(matches!(
        check("{}".to_owned(), large, &Limits::default()).await,
        SchemaCheck::Valid {}
    ));
}

/// At most four checks may hang: the fifth times out before it starts.
#[tokio::test]
async fn hanging_checks_are_limited() {
    // The checks of other tests need that of the product.
    static OWN: Semaphore = Semaphore::const_new(AT_ONCE);
    let _all = OWN.acquire_many(4).await.unwrap();
    tokio::time::pause();
    let answer = in_time(&OWN, &Limits::default(), || unreachable!("the limit is reached")).await;
    assert_eq!(
        answer,
        SchemaCheck::NotChecked {
            reason: "it took longer than 2 seconds".to_owned()
        }
    );
}

#[tokio::test]
async fn lowered_limits_of_a_check_hold() {
    let limits = Limits::with([("schemaEvaluations", 100)]).unwrap();
    let schema = r#"{"items":{"type":"number"}}"#;
    let few = check(schema.to_owned(), "[1,2]".to_owned(), &limits).await;
    assert_eq!(few, SchemaCheck::Valid {});
    let many = format!("[{}1]", "1,".repeat(200));
    let SchemaCheck::NotChecked { reason } = check(schema.to_owned(), many, &limits).await else {
        panic!("it was checked");
    };
    assert!(
        reason.starts_with("too expensive") && reason.contains("schemaEvaluations"),
        "{reason}"
    );
    // As if it took for ever: it ends when the test drops the sender.
    let limits = Limits::with([("schemaCheckMs", 50)]).unwrap();
    let (_hold, held) = std::sync::mpsc::channel::<()>();
    let slow = in_time(&ROOM, &limits, move || {
        let _ = held.recv();
        SchemaCheck::Valid {}
    });
    let reason = "it took longer than 0.05 seconds".to_owned();
    assert_eq!(slow.await, SchemaCheck::NotChecked { reason });
}

/// Each doubles with each level, or needs a stack for each: they must be refused, not tried.
#[test]
fn a_schema_that_would_run_for_ever_is_not_started() {
    let levels = |level: &dyn Fn(usize) -> String, last: &str| {
        let all: Vec<String> = (0..40).map(|n| format!("\"d{n}\":{}", level(n))).collect();
        format!(
            "{{\"$ref\":\"#/$defs/d0\",\"$defs\":{{{},\"d40\":{last}}}}}",
            all.join(",")
        )
    };
    let doubling = |keyword: &'static str| {
        let two = move |n: usize| {
            format!(
                "{{\"{keyword}\":[{{\"$ref\":\"#/$defs/d{0}\"}},{{\"$ref\":\"#/$defs/d{0}\"}}]}}",
                n + 1
            )
        };
        levels(&two, "{\"type\":\"string\"}")
    };
    let anchored = |n: usize| {
        format!(
            "{{\"$anchor\":\"a{n}\",\"allOf\":[{{\"$ref\":\"#a{0}\"}},{{\"$ref\":\"#a{0}\"}}]}}",
            n + 1
        )
    };
    let named = |n: usize| {
        format!(
            "{{\"$id\":\"s{n}\",\"anyOf\":[{{\"$ref\":\"s{0}\"}},{{\"$ref\":\"s{0}#\"}}]}}",
            n + 1
        )
    };
    let chain: Vec<String> = (0..5_000)
        .map(|n| format!("\"d{n}\":{{\"$ref\":\"#/$defs/d{}\"}}", n + 1))
        .collect();
    let chain = format!(
        "{{\"properties\":{{\"x\":{{\"$ref\":\"#/$defs/d0\"}}}},\"$defs\":{{{},\"d5000\":{{}}}}}}",
        chain.join(",")
    );
    // Each is read after the one it refers to.
    let reversed: Vec<String> = (1..5_000)
        .map(|n| format!("\"d{n}\":{{\"$ref\":\"#/$defs/d{}\"}}", n - 1))
        .collect();
    let reversed = format!("{{\"$defs\":{{\"d0\":{{}},{}}}}}", reversed.join(","));
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    for (schema, value) in [
        (doubling("allOf"), "1".to_owned()),
        (doubling("anyOf"), "1".to_owned()),
        (doubling("oneOf"), "1".to_owned()),
        (levels(&anchored, "{\"$anchor\":\"a40\"}"), "1".to_owned()),
        (levels(&named, "{\"$id\":\"s40\"}"), "1".to_owned()),
        // Both keywords look at every element, again below.
        (
            "{\"$dynamicAnchor\":\"n\",\"items\":{\"$dynamicRef\":\"#n\"},\"contains\":{\"$ref\":\"#\"}}"
                .to_owned(),
            nested(60),
        ),
        (chain.clone(), "{\"x\":1}".to_owned()),
        (chain, "{}".to_owned()),
        (reversed, "{}".to_owned()),
        ("{\"$ref\":\"#\"}".to_owned(), "1".to_owned()),
    ] {
        let begun = std::time::Instant::now();
        let answer = checked(&schema, &value);
        assert!(
            answer.starts_with("? too expensive: "),
            "{}: {answer}",
            &schema[..schema.len().min(200)]
        );
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{schema}");
    }
}

#[test]
fn patterns_take_a_bounded_time() {
    let value = format!("\"{}!\"", "a".repeat(40));
    // Linear.
    assert_ne!(checked(r#"{"pattern":"^(a+)+$"}"#, &value), "valid");
    // With a look ahead, which needs backtracking.
    let answer = checked(r#"{"pattern":"^(?=(a+)+$)b"}"#, &value);
    assert!(
        answer.starts_with("? too expensive: one of its patterns") || answer.contains("does not match"),
        "{answer}"
    );
    // In a long text, which is read again in each way.
    let long = format!("\"{}!\"", "a".repeat(1_000_000));
    let answer = checked(r#"{"pattern":"^(?=(a+)+$)b"}"#, &long);
    assert!(answer.starts_with("? too expensive: its schema"), "{answer}");
    for hard in [
        "(?!x)",
        "(?<=a)",
        "(?<!a)",
        r"(a)\\1",
        r"(?<n>a)\\k<n>",
        r"\\b",
        "(?>a)",
        "a++!",
        "(?x)a",
    ] {
        let answer = checked(&format!(r#"{{"pattern":"{hard}"}}"#), &long);
        assert!(
            answer.starts_with("? too expensive: its schema"),
            "{hard}: {answer}"
        );
    }
    // Without backtracking.
    for plain in [
        "(?:a)*",
        "(?i)A+",
        "(?P<n>a)",
        "(?<n>a)",
        "(?i-s:A)",
        r"^\\(?a+!$",
        "^(?:[a-z0-9*+/]{4})*!$",
        r"^(?:a\\++|a)+!$",
    ] {
        assert_eq!(
            checked(&format!(r#"{{"pattern":"{plain}"}}"#), &long),
            "valid",
            "{plain}"
        );
    }
    let names = format!("{{{long}:1}}");
    for keyword in [
        r#""patternProperties":{"^(?=(a+)+$)b":true}"#,
        r#""propertyNames":{"pattern":"^(?=(a+)+$)b"}"#,
        r#""propertyNames":{"allOf":[{"pattern":"^(?=(a+)+$)b"}]}"#,
        r#""propertyNames":{"anyOf":[{"not":{"pattern":"^(?=(a+)+$)b"}},true]}"#,
        r##""propertyNames":{"$ref":"#/$defs/name"},"$defs":{"name":{"pattern":"^(?=(a+)+$)b"}}"##,
    ] {
        let answer = checked(&format!("{{{keyword}}}"), &names);
        assert!(
            answer.starts_with("? too expensive: its schema"),
            "{keyword}: {answer}"
        );
    }
    // In very many names.
    let names: Vec<String> = (0..5_000).map(|n| format!("\"a{n}\":1")).collect();
    let names = format!("{{{}}}", names.join(","));
    let answer = checked(
        r#"{"propertyNames":{"allOf":[{"pattern":"^(?=(a+)+$)b"}]}}"#,
        &names,
    );
    assert!(answer.starts_with("? too expensive: its schema"), "{answer}");
    assert_eq!(
        checked(r#"{"propertyNames":{"allOf":[{"pattern":"^a"}]}}"#, &names),
        "valid"
    );
    // In very many strings.
    let values = format!("[{}\"a\"]", "\"a\",".repeat(5_000));
    let answer = checked(r#"{"items":{"pattern":"^(?=(a+)+$)b"}}"#, &values);
    assert!(answer.starts_with("? too expensive: "), "{answer}");
}

/// What people write is checked as before.
#[test]
fn ordinary_large_values_are_affordable() {
    let schema = r##"{"$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},
        "required":["name"],"additionalProperties":false}},"type":"array","items":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}}"##;
    let node = r#"{"name":"a","children":[{"name":"b","children":[]},{"name":"c"}]}"#;
    let values = format!("[{}null]", format!("{node},").repeat(5_000));
    assert_eq!(checked(schema, &values), "valid");
}
