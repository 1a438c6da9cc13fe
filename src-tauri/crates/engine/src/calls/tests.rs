use super::{meta_members, request, tool_params};

#[test]
fn arguments_are_sent_as_they_stand_on_one_line() {
    let params = tool_params(
        "a \"b\"",
        " {\"big\":9007199254740993,\n \"f\":1.10,\r\n \"f\":2} ",
    )
    .unwrap();
    assert_eq!(
        params,
        r#"{"name":"a \"b\"","arguments":{"big":9007199254740993,  "f":1.10,   "f":2}}"#
    );
}

#[test]
fn what_is_no_object_is_refused_with_its_place() {
    for (arguments, words) in [
        ("{\"a\":\n  tru}", "line 2, column"),
        ("[1]", "must be a JSON object, not an array"),
        ("", "not valid JSON"),
    ] {
        let error = tool_params("t", arguments).unwrap_err();
        assert!(error.message.contains(words), "{}", error.message);
    }
    assert!(request(String::new(), None, None).is_err());
    assert_eq!(request("ping".to_owned(), None, None).unwrap().params, None);
}

#[test]
fn meta_members_keep_their_text() {
    let members = meta_members(r#"{"traceparent":"00-a","n":1.10}"#).unwrap();
    assert_eq!(
        members,
        [
            ("traceparent".to_owned(), "\"00-a\"".to_owned()),
            ("n".to_owned(), "1.10".to_owned())
        ]
    );
}
