use super::*;

const EXTENSIONS: &str = r#"{"io.modelcontextprotocol/tasks":{}}"#;

/// What is declared if a person answers everything.
fn declares(advertised: AdvertisedDraft) -> String {
    let answered = [
        (InputKind::Roots, r#"{"listChanged":true}"#.to_owned()),
        (InputKind::Sampling, r#"{"tools":{},"context":{}}"#.to_owned()),
        (InputKind::Elicitation, r#"{"form":{},"url":{}}"#.to_owned()),
    ];
    let declared = declared(&advertised, &answered, EXTENSIONS.to_owned()).to_json();
    declared.replace(&format!(r#","extensions":{EXTENSIONS}"#), "")
}

#[test]
fn everything_that_is_on_and_answered_is_declared() {
    let tasks = r#""tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}}"#;
    assert_eq!(
        declares(AdvertisedDraft::default()),
        format!(
            r#"{{"roots":{{"listChanged":true}},"sampling":{{"tools":{{}}}},"elicitation":{{"form":{{}},"url":{{}}}},{tasks}}}"#
        )
    );
    let nothing = declared(&AdvertisedDraft::default(), &[], EXTENSIONS.to_owned());
    assert_eq!(nothing.to_json(), format!(r#"{{"extensions":{EXTENSIONS}}}"#));
}

#[test]
fn each_feature_can_be_switched_off() {
    let off = AdvertisedDraft {
        sampling_tools: false,
        sampling_context: true,
        elicitation_form: false,
        roots_list_changed: false,
        tasks: false,
        ..AdvertisedDraft::default()
    };
    assert_eq!(
        declares(off.clone()),
        r#"{"roots":{},"sampling":{"context":{}},"elicitation":{"url":{}}}"#
    );
    let more = AdvertisedDraft {
        sampling: false,
        elicitation_url: false,
        roots: false,
        tasks: true,
        ..off
    };
    // Nothing is left that could be answered as a task.
    let declared = declares(more);
    assert!(
        !declared.contains("tasks\":{\"list") && !declared.contains("elicitation"),
        "{declared}"
    );
}

#[test]
fn experimental_and_extensions_are_declared_as_written() {
    let own = AdvertisedDraft {
        experimental_json: Some(r#"{"x":{"n":1.10}}"#.to_owned()),
        extensions_json: Some("{}".to_owned()),
        ..AdvertisedDraft::default()
    };
    let declared = declares(own);
    assert!(
        declared.ends_with(r#""experimental":{"x":{"n":1.10}},"extensions":{}}"#),
        "{declared}"
    );
}
