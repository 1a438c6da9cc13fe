use proptest::prelude::*;

use super::*;

/// A text, and where it stops being JSON (`line:column message`).
#[test]
fn well_formed_reports_the_first_error() {
    let check = |text: &str, expected: &str| {
        let actual = match well_formed(text) {
            Ok(()) => "ok".to_owned(),
            Err(error) => format!("{}:{} {}", error.line, error.column, error.message),
        };
        assert_eq!(actual, expected, "of {text:?}");
    };
    for fine in [
        "{}",
        " [] ",
        "0",
        "-0",
        "1.10",
        "1e5",
        "-1.5E+10",
        "true",
        "null",
        "\"\"",
        "\"\\u00e9\\n\\/\"",
        "{\"a\":{\"a\":[1,[2,{}],\"x\"]},\"a\":null}",
        "\r\n\t [ 1 , 2 ] ",
        "9007199254740993",
        "\"\u{1F600}\"",
    ] {
        check(fine, "ok");
    }
    check("", "1:1 the text ends too early");
    check("{", "1:2 the text ends too early");
    check("{\"a\"", "1:5 the text ends too early");
    check("{\"a\":1", "1:7 the text ends too early");
    check("[1,]", "1:4 a value is missing");
    check("[1 2]", "1:4 a comma or `]` is missing");
    check("{\"a\":1,}", "1:8 a member's name is missing");
    check("{a:1}", "1:2 a member's name is missing");
    check("{\"a\" 1}", "1:6 a colon is missing");
    check("[1}", "1:3 a comma or `]` is missing");
    check("01", "1:2 more text after the value");
    check("1.", "1:3 the text ends too early");
    check("-", "1:2 the text ends too early");
    check("1.x", "1:3 a digit is missing");
    check("+1", "1:1 a value is missing");
    check("NaN", "1:1 a value is missing");
    check("nul", "1:1 not a value");
    check("\"a\nb\"", "1:3 a control character inside a string");
    check("\"\\x\"", "1:3 an unknown escape");
    check("\"\\u12g4\"", "1:6 an escape needs four hexadecimal digits");
    check("{\n  \"é\": ?\n}", "2:8 a value is missing");
    check("{} {}", "1:4 more text after the value");
}

#[test]
fn nesting_needs_no_stack() {
    let bomb = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    assert_eq!(well_formed(&bomb), Ok(()));
    let mixed = format!("{}1{}", "{\"a\":[".repeat(200_000), "]}".repeat(200_000));
    assert_eq!(well_formed(&mixed), Ok(()));
    assert_eq!(Object::parse(&mixed).map(|object| object.len()), Ok(1));
    assert!(well_formed(&mixed.replace("]}", "}]")).is_err());
    let mut out = String::new();
    pretty(&bomb, &mut out);
    assert_eq!(out.matches('[').count(), 1_000_000);
    assert!(
        out.len() < 300 * bomb.len(),
        "indentation must not be quadratic: {}",
        out.len()
    );
}

#[test]
fn objects_preserve_order_number_text_and_duplicates() {
    let text = r#" {"b": 9007199254740993, "a":1.10, "b" : [1, 2 ], "\u0061":{"x":"}"}} "#;
    let object = Object::parse(text).expect("an object");
    let members: Vec<_> = object
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    assert_eq!(
        members,
        ["b=9007199254740993", "a=1.10", "b=[1, 2 ]", "a={\"x\":\"}\"}"]
    );
    assert_eq!(object.get("b"), Some("[1, 2 ]"), "the last of several counts");
    assert_eq!(object.duplicates(), ["b", "a"]);
    assert_eq!(object.members()[3].name_text, "\"\\u0061\"");
    let value = object.get("a").expect("there");
    assert_eq!(&text[span_of(text, value)], "{\"x\":\"}\"}");
    assert_eq!(span_of(text, "elsewhere"), 0..0);
}

#[test]
fn duplicates_of_many_members_are_found_once() {
    let text = format!(
        "{{{}}}",
        (0..100)
            .map(|n| format!("\"k{}\":{n}", n % 40))
            .collect::<Vec<_>>()
            .join(",")
    );
    let object = Object::parse(&text).expect("an object");
    assert_eq!(object.duplicates().len(), 40);
    assert_eq!(object.get("k19"), Some("99"));
}

#[test]
fn one_member_is_found_as_in_the_parsed_object() {
    for text in [
        r#"{"a":1,"b":[2],"a":3}"#,
        r#" { "\u0061" : {"a":0} } "#,
        r#"{"b":"a"}"#,
        "{}",
        r#"{"a":1} x"#,
        r#"{"a":1,}"#,
        r#"{"a":1,"b":"#,
        "[]",
        "",
    ] {
        let parsed = Object::parse(text).ok().and_then(|object| object.get("a"));
        assert_eq!(member(text, "a"), parsed, "{text}");
    }
    assert_eq!(member(r#"{"a":1,"a":3}"#, "a"), Some("3"));
}

#[test]
fn strings_are_unescaped_and_lone_surrogates_survive() {
    let check =
        |text: &str, expected: Option<&str>| assert_eq!(string(text).as_deref(), expected, "of {text}");
    check(r#""plain""#, Some("plain"));
    check(r#" "a\"b\\c\/d\n\t\r\b\f" "#, Some("a\"b\\c/d\n\t\r\u{8}\u{c}"));
    check(r#""\u00e9\u20AC""#, Some("é€"));
    check(r#""\ud83d\ude00!""#, Some("\u{1F600}!"));
    check(r#""\ud83d""#, Some("\u{fffd}"));
    check(r#""\ude00\ud83dx""#, Some("\u{fffd}\u{fffd}x"));
    check(r#""\ud83d\u0041""#, Some("\u{fffd}A"));
    check(r#""a" "b""#, None);
    check("1", None);
    check("\"open", None);
}

#[test]
fn kinds_and_scalars() {
    let check = |text: &str, expected: Kind| assert_eq!(kind(text), expected, "of {text:?}");
    check(" {", Kind::Object);
    check("[1]", Kind::Array);
    check("\"x\"", Kind::String);
    check("-1", Kind::Number);
    check("false", Kind::Bool);
    check("null", Kind::Null);
    check("", Kind::Invalid);
    check("x", Kind::Invalid);
    assert_eq!(integer("1.0"), Some(1));
    assert_eq!(integer("\"1\""), None);
    assert_eq!(integer("1.5"), None);
    assert_eq!(number("1.5"), Some(1.5));
    assert_eq!(number("\"1.5\""), None);
    assert_eq!(boolean("true"), Some(true));
    assert_eq!(boolean("1"), None);
    assert_eq!(
        array("[1, \"a,b\", [2,3], {}]"),
        Some(vec!["1", "\"a,b\"", "[2,3]", "{}"])
    );
    assert_eq!(array("[]"), Some(vec![]));
    assert_eq!(array("[1,]"), None);
    assert_eq!(array("[1] 2"), None);
    assert_eq!(array("{}"), None);
}

#[test]
fn pretty_changes_no_token() {
    let check = |text: &str, expected: &str| {
        let mut out = String::new();
        pretty(text, &mut out);
        assert_eq!(out, expected, "of {text}");
    };
    check(
        r#"{"a":9007199254740993,"b":[1.10,{}, [ ] ,"x, {y}: \"z\" "],"a":{"c":null}}"#,
        "{\n  \"a\": 9007199254740993,\n  \"b\": [\n    1.10,\n    {},\n    [],\n    \"x, {y}: \\\"z\\\" \"\n  ],\n  \"a\": {\n    \"c\": null\n  }\n}",
    );
    check(" true ", "true");
    check("\"open", "\"open");
    check("]", "\n]");
}

#[test]
fn compact_changes_no_token() {
    let check = |text: &str, expected: &str| {
        let mut out = String::new();
        compact(text, &mut out);
        assert_eq!(out, expected, "of {text}");
    };
    check(
        "{\n  \"a b\": [1.10 , \" x \\\" y\"],\r\n\t\"c\":true }",
        "{\"a b\":[1.10,\" x \\\" y\"],\"c\":true}",
    );
    check("\"open ", "\"open ");
    check("  ", "");
}

#[test]
fn quoting_escapes_only_where_required() {
    assert_eq!(
        quote("a\"\\\n\u{1}\u{1f}é/\u{7f}"),
        "\"a\\\"\\\\\\n\\u0001\\u001fé/\u{7f}\""
    );
    assert_eq!(one_line("{\n\"a\": 1\r\n}"), "{ \"a\": 1  }");
}

#[test]
fn with_meta_changes_nothing_else() {
    let check = |params: Option<&str>, expected: &str| {
        assert_eq!(
            with_meta(params, &[("progressToken", "7"), ("x/y", "{\"z\":1}")]),
            expected,
            "of {params:?}"
        );
    };
    check(None, r#"{"_meta":{"progressToken":7,"x/y":{"z":1}}}"#);
    check(Some("{}"), r#"{"_meta":{"progressToken":7,"x/y":{"z":1}}}"#);
    check(Some("{ }"), r#"{"_meta":{"progressToken":7,"x/y":{"z":1}} }"#);
    check(
        Some(r#"{ "n":1.10, "n":2}"#),
        r#"{"_meta":{"progressToken":7,"x/y":{"z":1}}, "n":1.10, "n":2}"#,
    );
    check(
        Some(r#"{"n":1,"_meta":{"own": 1.0}}"#),
        r#"{"n":1,"_meta":{"progressToken":7,"x/y":{"z":1},"own": 1.0}}"#,
    );
    check(
        Some(r#"{"_meta":{"progressToken" : "mine", "own":2, "progressToken":1}}"#),
        r#"{"_meta":{"x/y":{"z":1},"progressToken" : 7, "own":2, "progressToken":7}}"#,
    );
    check(
        Some(r#"{"_meta":null}"#),
        r#"{"_meta":{"progressToken":7,"x/y":{"z":1}}}"#,
    );
    check(Some("[1,2]"), "[1,2]");
    check(Some("nonsense"), "nonsense");
    assert_eq!(with_meta(Some(" {\"a\":1} "), &[]), " {\"a\":1} ");
}

/// Without the white space between tokens.
fn squeezed(text: &str) -> String {
    let mut out = String::new();
    let mut in_string = false;
    let mut escaped = false;
    for character in text.chars() {
        if in_string || !character.is_ascii_whitespace() {
            out.push(character);
        }
        if escaped {
            escaped = false;
        } else if character == '\\' && in_string {
            escaped = true;
        } else if character == '"' {
            in_string = !in_string;
        }
    }
    out
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(serde_json::Value::Array),
            prop::collection::vec((any::<String>(), inner), 0..8)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn agrees_with_serde_on_what_is_json(text in any::<String>()) {
        let theirs = serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok();
        prop_assert_eq!(well_formed(&text).is_ok(), theirs);
    }

    #[test]
    fn agrees_with_serde_on_mutated_json(value in any_json(), at in any::<prop::sample::Index>(), byte in 0x20_u8..0x7f) {
        let mut text = value.to_string();
        prop_assert!(well_formed(&text).is_ok());
        let place = at.index(text.len());
        if text.is_char_boundary(place) && text.is_char_boundary(place + 1) {
            text.replace_range(place..=place, &char::from(byte).to_string());
            let theirs = serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok();
            prop_assert_eq!(well_formed(&text).is_ok(), theirs, "of {}", text);
        }
    }

    #[test]
    fn pretty_changes_only_space(value in any_json()) {
        let text = value.to_string();
        let mut out = String::new();
        pretty(&text, &mut out);
        prop_assert_eq!(squeezed(&out), squeezed(&text));
        let mut again = String::new();
        compact(&out, &mut again);
        prop_assert_eq!(&again, &text);
        prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&out).ok(), serde_json::from_str(&text).ok());
    }

    #[test]
    fn quote_and_string_are_inverse(text in any::<String>()) {
        let quoted = quote(&text);
        let read = string(&quoted);
        prop_assert_eq!(read.as_deref(), Some(&*text));
        prop_assert_eq!(serde_json::from_str::<String>(&quoted).ok(), Some(text));
    }
}
