use std::path::PathBuf;

use patchbay_client::{InputKind, InputReply};

use super::{ElicitationRule, InputPolicy, SamplingRule};

fn elicited(rule: ElicitationRule, params: &str) -> String {
    let policy = InputPolicy {
        elicitation: Some(rule),
        ..InputPolicy::default()
    };
    match policy.decide(InputKind::Elicitation, params) {
        Some(InputReply::Result(json)) => json,
        other => format!("{other:?}"),
    }
}

#[test]
fn only_what_something_answers_is_declared() {
    let declared = |policy: InputPolicy| policy.capabilities().to_json();
    let tasks = r#""extensions":{"io.modelcontextprotocol/tasks":{}}"#;
    assert_eq!(declared(InputPolicy::default()), format!("{{{tasks}}}"));
    assert_eq!(
        declared(InputPolicy::attended()),
        format!(
            r#"{{"roots":{{}},"sampling":{{"tools":{{}}}},"elicitation":{{"form":{{}},"url":{{}}}},{tasks}}}"#
        )
    );
    let rules = InputPolicy {
        elicitation: Some(ElicitationRule::AcceptDefaults),
        sampling: Some(SamplingRule::Decline),
        ..InputPolicy::default()
    };
    assert_eq!(
        declared(rules),
        format!(r#"{{"sampling":{{}},"elicitation":{{"form":{{}}}},{tasks}}}"#)
    );
}

#[test]
fn defaults_are_taken_as_they_are_written() {
    let params = r#"{"message":"m","requestedSchema":{"type":"object","properties":{
        "n":{"type":"number","default":1.10},"big":{"default":9007199254740993},"none":{"type":"string"},
        "a\"b":{"default":"x"},"list":{"default":["a"]}}}}"#;
    assert_eq!(
        elicited(ElicitationRule::AcceptDefaults, params),
        r#"{"action":"accept","content":{"n":1.10,"big":9007199254740993,"a\"b":"x","list":["a"]}}"#
    );
    assert_eq!(
        elicited(
            ElicitationRule::AcceptDefaults,
            r#"{"requestedSchema":{"properties":{}}}"#
        ),
        r#"{"action":"accept","content":{}}"#
    );
}

#[test]
fn what_is_no_form_is_not_accepted_blindly() {
    for params in [
        r#"{"mode":"url","url":"https://x","requestedSchema":{}}"#,
        "{}",
        "5",
    ] {
        assert_eq!(
            elicited(ElicitationRule::AcceptDefaults, params),
            r#"{"action":"decline"}"#,
            "{params}"
        );
    }
}

#[test]
fn rules_answer_and_the_rest_is_left_to_people_or_refused() {
    let rules = InputPolicy {
        sampling: Some(SamplingRule::Text("hi \"you\"".to_owned())),
        roots: Some(vec![PathBuf::from("/srv/a b")]),
        ..InputPolicy::default()
    };
    assert_eq!(
        rules.decide(InputKind::Sampling, "{}"),
        Some(InputReply::Result(
            r#"{"role":"assistant","content":{"type":"text","text":"hi \"you\""},"model":"patchbay-manual","stopReason":"endTurn"}"#
                .to_owned()
        ))
    );
    assert_eq!(
        rules.decide(InputKind::Roots, "{}"),
        Some(InputReply::Result(
            r#"{"roots":[{"uri":"file:///srv/a%20b","name":"a b"}]}"#.to_owned()
        ))
    );
    assert_eq!(
        rules.decide(InputKind::Elicitation, "{}"),
        Some(InputReply::Cancelled)
    );
    assert_eq!(InputPolicy::attended().decide(InputKind::Elicitation, "{}"), None);
    let declined = InputPolicy {
        sampling: Some(SamplingRule::Decline),
        ..InputPolicy::attended()
    };
    assert!(matches!(
        declined.decide(InputKind::Sampling, "{}"),
        Some(InputReply::Error { code: -1, .. })
    ));
}
