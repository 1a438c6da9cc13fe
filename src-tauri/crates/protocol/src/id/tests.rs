use super::*;

#[test]
fn ids_keep_their_json_type() {
    let check = |text: &str, expected: RequestId, json: &str, allowed: bool| {
        let id = RequestId::parse(text);
        assert_eq!(id, expected, "of {text}");
        assert_eq!(id.to_json(), json, "of {text}");
        assert_eq!(id.is_allowed(), allowed, "of {text}");
    };
    let other = |text: &str| RequestId::Other(text.into());
    check("1", RequestId::Int(1), "1", true);
    check(" -7 ", RequestId::Int(-7), "-7", true);
    check("1.0", RequestId::Int(1), "1", true);
    check("1e3", RequestId::Int(1000), "1000", true);
    check("-0", RequestId::Int(0), "0", true);
    check("\"1\"", RequestId::from("1"), "\"1\"", true);
    check("\"a\\\"b\"", RequestId::from("a\"b"), "\"a\\\"b\"", true);
    check(
        "9223372036854775807",
        RequestId::Int(i64::MAX),
        "9223372036854775807",
        true,
    );
    check(
        "9223372036854775808",
        other("9223372036854775808"),
        "9223372036854775808",
        true,
    );
    check(
        "9007199254740993.0",
        other("9007199254740993.0"),
        "9007199254740993.0",
        false,
    );
    check("1.5", other("1.5"), "1.5", false);
    check("null", other("null"), "null", false);
    check("{\"a\":1}", other("{\"a\":1}"), "{\"a\":1}", false);
    check("", other(""), "", true);
    assert_ne!(RequestId::Int(1), RequestId::from("1"));
}

#[test]
fn a_long_id_is_told_from_one_of_the_wrong_type() {
    let long = |text: &str| RequestId::parse(text).is_long();
    assert!(long(&json::quote(&"a".repeat(ID_BYTES))));
    for short in ["1", "1.5", "null", "{}", "\"a\""] {
        assert!(!long(short), "{short}");
    }
}
