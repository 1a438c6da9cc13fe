use super::*;

const SCHEMA: &str = r#"{"message":"Who?","requestedSchema":{"type":"object","required":["name","age"],"properties":{
    "name":{"type":"string","title":"Your name","description":"In full","minLength":2},
    "mail":{"type":"string","format":"email"},
    "age":{"type":"integer","default":9007199254740993},
    "price":{"type":"number","maximum":2},
    "agree":{"type":"boolean","default":false},
    "colour":{"type":"string","enum":["r","g"],"enumNames":["Red","Green"]},
    "size":{"oneOf":[{"const":"s","title":"Small"},{"const":"2"}]},
    "tags":{"type":"array","items":{"anyOf":[{"const":"a","title":"A side"},{"const":"b","title":"B side"}]},"maxItems":1},
    "nested":{"type":"object","properties":{}}}}}"#;

fn parsed() -> Vec<Field> {
    match ElicitationForm::parse(SCHEMA) {
        Ok(ElicitationForm::Fields { message, fields }) => {
            assert_eq!(message, "Who?");
            fields
        }
        other => panic!("{other:?}"),
    }
}

fn read(name: &str, typed: &str) -> Result<Option<String>, String> {
    let fields = parsed();
    fields
        .iter()
        .find(|field| field.name == name)
        .unwrap()
        .read(typed)
}

#[test]
fn fields_are_those_of_the_schema_in_its_order() {
    let shown: Vec<String> = parsed()
        .iter()
        .map(|field| {
            let required = if field.is_required { " *" } else { "" };
            let default = field.default_in_words().map(|words| format!(" = {words}"));
            format!(
                "{}{required}: {}{}",
                field.title,
                field.kind_in_words(),
                default.unwrap_or_default()
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "Your name *: text",
            "mail: email",
            "age *: whole number = 9007199254740993",
            "price: number",
            "agree: yes or no = false",
            "colour: one of these",
            "size: one of these",
            "tags: any of these, separated by commas",
            "nested: JSON",
        ]
    );
}

#[test]
fn what_is_typed_becomes_json_exactly() {
    let ok = |name: &str, typed: &str, json: &str| {
        assert_eq!(read(name, typed), Ok(Some(json.to_owned())), "{name}: {typed}");
    };
    ok("name", r#"a "b""#, r#""a \"b\"""#);
    ok("age", "9007199254740993", "9007199254740993");
    ok("age", "", "9007199254740993");
    ok("price", "1.10", "1.10");
    ok("agree", "Yes", "true");
    ok("colour", "Green", r#""g""#);
    ok("colour", "2", r#""g""#);
    ok("colour", "r", r#""r""#);
    // The value counts before the number.
    ok("size", "2", r#""2""#);
    ok("size", "1", r#""s""#);
    ok("tags", "2, A side, b", r#"["b","a"]"#);
    ok("nested", r#"{"a":1.10}"#, r#"{"a":1.10}"#);
    assert_eq!(read("mail", " "), Ok(None));
    for (name, typed) in [
        ("name", ""),
        ("age", "1.5"),
        ("age", "1e2"),
        ("age", "ten"),
        ("price", "01"),
        ("agree", "perhaps"),
        ("colour", "3"),
        ("colour", "Blue"),
        ("nested", "{"),
    ] {
        assert!(read(name, typed).is_err(), "{name}: {typed}");
    }
}

#[tokio::test]
async fn values_are_checked_against_the_schema_and_the_format() {
    let fields = parsed();
    let check = async |name: &str, value: &str| {
        let field = fields.iter().find(|field| field.name == name).unwrap();
        field.check(value).await
    };
    for (name, good, bad) in [
        ("name", r#""Ada""#, r#""A""#),
        ("mail", r#""a@b.org""#, r#""a@""#),
        ("price", "1.5", "2.5"),
        ("tags", r#"["a"]"#, r#"["a","b"]"#),
    ] {
        assert_eq!(check(name, good).await, Ok(Checked::Valid), "{name}");
        assert!(check(name, bad).await.is_err(), "{name}");
    }
    for (format, good, bad) in [
        ("uri", "https://x", "x"),
        ("date", "2026-02-28", "2026-13-01"),
        ("date-time", "2026-02-28T10:00:00Z", "2026-02-28 10:00"),
    ] {
        assert!(has_format(format, good) && !has_format(format, bad), "{format}");
    }
    assert!(has_format("colour", "anything"));
}

#[test]
fn an_address_and_broken_requests_are_told_apart() {
    let url = r#"{"mode":"url","message":"m","url":"https://x","elicitationId":"e"}"#;
    assert_eq!(
        ElicitationForm::parse(url),
        Ok(ElicitationForm::Url {
            message: "m".to_owned(),
            url: "https://x".to_owned()
        })
    );
    for wrong in [
        "{}",
        r#"{"mode":"url"}"#,
        r#"{"mode":"dance"}"#,
        r#"{"requestedSchema":7}"#,
    ] {
        assert!(ElicitationForm::parse(wrong).is_err(), "{wrong}");
    }
    let many: Vec<String> = (0..10_000)
        .map(|n| format!(r#""f{n}":{{"type":"string"}}"#))
        .collect();
    let schema = format!(
        r#"{{"requestedSchema":{{"type":"object","properties":{{{}}}}}}}"#,
        many.join(",")
    );
    assert!(
        matches!(ElicitationForm::parse(&schema), Ok(ElicitationForm::Fields { fields, .. }) if fields.len() == 10_000)
    );
}

#[tokio::test]
async fn a_schema_that_is_too_expensive_is_said() {
    let params = format!(
        r#"{{"message":"Who?","requestedSchema":{{"type":"object","properties":{{"deep":{}}}}}}}"#,
        crate::engine::testing::doubling_schema()
    );
    let Ok(ElicitationForm::Fields { fields, .. }) = ElicitationForm::parse(&params) else {
        panic!("it is a form")
    };
    let Ok(Checked::NotChecked(reason)) = fields[0].check("{}").await else {
        panic!("it is checked")
    };
    assert!(reason.starts_with("too expensive"), "{reason}");
}
