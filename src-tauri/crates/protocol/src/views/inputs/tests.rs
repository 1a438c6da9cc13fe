use super::*;

#[test]
fn input_requests_and_the_state_are_read_in_order() {
    let result = r#"{"resultType":"input_required","requestState":"a\/b\u0041",
        "inputRequests":{"b":{"method":"roots/list"},"\u0061":{"method":"elicitation/create","params":{"message":"m"}}}}"#;
    let view = InputRequired::parse(result);
    assert_eq!(view.state, Some(r#""a\/b\u0041""#), "it is unchanged");
    let keys: Vec<_> = view
        .requests
        .iter()
        .map(|asked| (&*asked.key, asked.key_text))
        .collect();
    assert_eq!(keys, [("b", r#""b""#), ("a", r#""\u0061""#)]);
    assert_eq!(view.requests[1].params, Some(r#"{"message":"m"}"#));
    assert!(view.complete && view.violations.is_empty());
}

fn rules(result: &str) -> Vec<&'static str> {
    let view = InputRequired::parse(result);
    view.violations
        .iter()
        .map(|violation| violation.rule.id())
        .collect()
}

#[test]
fn malformed_parts_are_reported_and_the_rest_is_kept() {
    assert_eq!(
        rules(r#"{"resultType":"input_required"}"#),
        ["input-required-empty"]
    );
    assert_eq!(rules(r#"{"requestState":7}"#), ["member-type"]);
    assert_eq!(rules(r#"{"inputRequests":[]}"#), ["member-type"]);
    let odd = r#"{"inputRequests":{"a":{"method":"tools/call"},"b":{"method":"roots/list"},"c":1}}"#;
    assert_eq!(rules(odd), ["input-request-unknown", "member-type"]);
    let view = InputRequired::parse(odd);
    assert_eq!((view.requests.len(), view.complete), (1, false));
}

#[test]
fn a_retry_changes_only_the_responses() {
    let params = r#"{ "name" : "x","arguments":{"n":1.10,"big":9007199254740993},"requestState":"old"}"#;
    let answers = [(r#""\u0061""#.to_owned(), r#"{"action":"accept"}"#.to_owned())];
    assert_eq!(
        retry_params(Some(params), &answers, Some(r#""a\/b""#)),
        r#"{"name":"x","arguments":{"n":1.10,"big":9007199254740993},"inputResponses":{"\u0061":{"action":"accept"}},"requestState":"a\/b"}"#
    );
    assert_eq!(
        retry_params(Some(params), &[], None),
        r#"{"name":"x","arguments":{"n":1.10,"big":9007199254740993}}"#,
        "without a state none is sent"
    );
    assert_eq!(retry_params(None, &[], Some("\"s\"")), r#"{"requestState":"s"}"#);
    assert_eq!(
        update_params("t\"1", &answers),
        r#"{"taskId":"t\"1","inputResponses":{"\u0061":{"action":"accept"}}}"#
    );
}

#[test]
fn elicitations_have_a_mode() {
    let form = Elicitation::parse(Some(r#"{"message":"m","requestedSchema":{"type":"object"}}"#));
    assert_eq!(
        (form.mode, form.violations.len()),
        (Some(ElicitationMode::Form), 0)
    );
    let url = Elicitation::parse(Some(
        r#"{"mode":"url","message":"m","url":"https://x","elicitationId":"e"}"#,
    ));
    assert_eq!(url.mode, Some(ElicitationMode::Url));
    assert_eq!(url.elicitation_id.as_deref(), Some("e"));
    let odd = Elicitation::parse(Some(r#"{"mode":"dance"}"#));
    assert_eq!((odd.mode, odd.violations.len()), (None, 2));
    assert!(Sampling::parse(Some(r#"{"messages":[],"maxTokens":1,"tools":[]}"#)).tools);
}

#[test]
fn the_official_examples_have_no_violations() {
    for (name, text) in crate::spec_examples().unwrap_or_default() {
        let violations = match name.split('/').next() {
            Some("InputRequiredResult") => InputRequired::parse(&text).violations,
            Some("ElicitRequestFormParams" | "ElicitRequestURLParams") => {
                Elicitation::parse(Some(&text)).violations
            }
            Some("CreateMessageRequestParams") => Sampling::parse(Some(&text)).violations,
            _ => continue,
        };
        assert_eq!(violations, [], "{name}");
    }
}

#[test]
fn a_long_key_is_not_copied_for_each_violation() {
    let key = "k".repeat(1_000_000);
    let twice: Vec<_> = (0..1000).map(|at| format!(r#""{at}":1,"{at}":2"#)).collect();
    let result = format!(
        r#"{{"inputRequests":{{"{key}":{{"method":"roots/list",{}}}}}}}"#,
        twice.join(",")
    );
    let found = InputRequired::parse(&result).violations;
    assert_eq!(found.len(), 1000);
    let bytes: usize = found
        .iter()
        .filter_map(|one| one.pointer.as_ref())
        .map(String::len)
        .sum();
    assert!(bytes < 5_000_000, "{bytes}");
}
