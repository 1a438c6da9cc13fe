use bytes::Bytes;

use super::{Form, View, base64_size, shape, string_body};

#[test]
fn ids_round_trip() {
    for (view, id) in [
        (View::frame(7), "f:7"),
        (View::part(7, 1..2, Form::Bytes), "t:7:1-2"),
        (
            View::part(u64::MAX, 0..0, Form::Text),
            "s:18446744073709551615:0-0",
        ),
        (View::part(7, 1..2, Form::Base64), "b:7:1-2"),
        (View::part(7, 1..2, Form::Pretty), "p:7:1-2"),
        (
            View {
                seq: 7,
                span: None,
                form: Form::Pretty,
            },
            "p:7",
        ),
        (View::part(7, 1..2, Form::PrettyText), "ps:7:1-2"),
    ] {
        assert_eq!(view.to_string(), id);
        assert_eq!(id.parse(), Ok(view));
    }
}

#[test]
fn invalid_ids_are_rejected() {
    for id in [
        "",
        "f",
        "f:",
        "f:x",
        "f:-1",
        "f:1:2-3",
        "t:1",
        "x:1",
        "t:1:2",
        "t:1:a-b",
        "t:1:2-3:4",
        "s:1:-5--3",
    ] {
        assert!(id.parse::<View>().is_err(), "{id}");
    }
}

#[test]
fn forms() {
    let check = |bytes: &'static str, form, expected: &str| {
        assert_eq!(
            shape(&Bytes::from(bytes), form).unwrap(),
            expected.as_bytes(),
            "{bytes} {form:?}"
        );
    };
    check("9007199254740993", Form::Bytes, "9007199254740993");
    check(r#""a\nä\u00e4""#, Form::Text, "a\nää");
    check(r#""aGFsbG8=""#, Form::Base64, "hallo");
    check(r#""aGFs\nbG8""#, Form::Base64, "hallo");
    check(
        r#"{"b":1.10,"b":9007199254740993}"#,
        Form::Pretty,
        "{\n  \"b\": 1.10,\n  \"b\": 9007199254740993\n}",
    );
    check(r#""{\"a\":[]}""#, Form::PrettyText, "{\n  \"a\": []\n}");
    for (bytes, form) in [
        ("{}", Form::Text),
        ("5", Form::Base64),
        ("\"*****\"", Form::Base64),
    ] {
        assert!(shape(&Bytes::from(bytes), form).is_err(), "{bytes} {form:?}");
    }
}

#[test]
fn the_size_of_base64_is_computed_without_decoding() {
    for (quoted, size) in [
        ("\"\"", 0.0),
        ("\"aGFsbG8=\"", 5.0),
        ("\"aGFsbG8\"", 5.0),
        ("\"aGFsbG8h\"", 6.0),
    ] {
        assert_eq!(base64_size(quoted), size, "{quoted}");
    }
}

#[test]
fn only_text_that_is_json_can_be_indented() {
    assert!(string_body(1, 0..2, r#""{\"a\":1}""#).pretty.is_some());
    for text in [r#""{ hello""#, r#""plain""#, r#""5""#] {
        assert!(string_body(1, 0..2, text).pretty.is_none(), "{text}");
    }
}
