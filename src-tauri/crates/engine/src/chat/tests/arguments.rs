//! How the arguments of a call compare with the schema of its tool, as the user sees it before deciding.

use patchbay_contract::ChatCallState;

use super::{
    super::{answer::checked, calls::edit_of, item::Call},
    call,
};

#[tokio::test]
async fn arguments_are_valid_wrong_or_said_to_be_too_expensive_to_check() {
    let check = async |schema: &str, edited: Option<&str>| {
        let mut call = call("c", "a", ChatCallState::Waiting);
        call.edited = edited.map(str::to_owned);
        let call = checked(Some(schema), call).await;
        (call.problems, call.not_checked)
    };
    let integer = r#"{"properties":{"n":{"type":"integer"}}}"#;
    assert_eq!(check(integer, None).await, (Vec::new(), None));
    let (problems, reason) = check(integer, Some(r#"{"n":"x"}"#)).await;
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(
        problems[0].starts_with("/n: ") && reason.is_none(),
        "{problems:?} {reason:?}"
    );
    // Each level doubles the work: 2 to the power of 40.
    let levels: Vec<String> = (0..40)
        .map(|at| {
            format!(
                r##""l{at}":{{"allOf":[{{"$ref":"#/$defs/l{0}"}},{{"$ref":"#/$defs/l{0}"}}]}}"##,
                at + 1
            )
        })
        .collect();
    let doubling = format!(
        r##"{{"$ref":"#/$defs/l0","$defs":{{{},"l40":{{}}}}}}"##,
        levels.join(",")
    );
    let (problems, reason) = check(&doubling, None).await;
    assert!(problems.is_empty());
    assert!(
        reason
            .as_ref()
            .is_some_and(|reason| reason.starts_with("too expensive")),
        "{reason:?}"
    );
}

#[test]
fn a_call_runs_with_the_arguments_that_the_user_saw() {
    let mut call = call("c", "a", ChatCallState::Waiting);
    "model".clone_into(&mut call.arguments);
    let mut shown = call.clone();
    "model, masked".clone_into(&mut shown.arguments);
    let chosen =
        |call: &Call, shown: &Call, text: Option<&str>| edit_of(call, Some(shown), text.map(str::to_owned));
    for text in [None, Some("model"), Some("model, masked")] {
        assert_eq!(chosen(&call, &shown, text), None, "{text:?}");
    }
    assert_eq!(chosen(&call, &shown, Some("mine")).as_deref(), Some("mine"));
    // It waits again, with the earlier changes.
    call.edited = Some("earlier".to_owned());
    shown.edited = Some("earlier, masked".to_owned());
    for (text, expected) in [
        (None, Some("earlier")),
        (Some("earlier, masked"), Some("earlier")),
        (Some("model"), None),
        (Some("model, masked"), None),
        (Some("mine"), Some("mine")),
    ] {
        assert_eq!(chosen(&call, &shown, text).as_deref(), expected, "{text:?}");
    }
}
