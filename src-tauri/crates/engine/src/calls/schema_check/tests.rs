use patchbay_contract::SchemaCheck;

use super::{ROOM, check, check_now, in_time};

/// `valid`, `? reason`, or one problem per line: `pointer (schema pointer): message`.
fn checked(schema: &str, value: &str) -> String {
    match check_now(schema, value) {
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
        check(large.clone(), "1".to_owned()).await,
        SchemaCheck::NotChecked { .. }
    ));
    assert!(matches!(
        check("{}".to_owned(), large).await,
        SchemaCheck::Valid {}
    ));
}

/// At most four checks may hang: the fifth times out before it starts.
#[tokio::test]
async fn hanging_checks_are_limited() {
    let _all = ROOM.acquire_many(4).await.unwrap();
    tokio::time::pause();
    let answer = in_time(|| unreachable!("the limit is reached")).await;
    assert_eq!(
        answer,
        SchemaCheck::NotChecked {
            reason: "it took longer than 2 seconds".to_owned()
        }
    );
}
