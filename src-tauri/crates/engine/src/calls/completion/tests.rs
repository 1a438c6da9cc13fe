use patchbay_contract::{CompletionCompleteParams, CompletionReference, NamedText, ServerId};

use super::request;

fn named(name: &str, value: &str) -> NamedText {
    NamedText {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

#[test]
fn the_request_names_the_reference_and_the_argument() {
    let mut params = CompletionCompleteParams {
        server_id: ServerId("s".to_owned()),
        reference: CompletionReference::Prompt {
            name: "a \"b\"".to_owned(),
        },
        argument: named("x", "pa"),
        context: Vec::new(),
    };
    assert_eq!(
        request(&params),
        r#"{"ref":{"type":"ref/prompt","name":"a \"b\""},"argument":{"name":"x","value":"pa"}}"#
    );
    params.reference = CompletionReference::Resource {
        uri: "demo://{x}".to_owned(),
    };
    params.context = vec![named("department", "Sales"), named("n", "1")];
    assert_eq!(
        request(&params),
        r#"{"ref":{"type":"ref/resource","uri":"demo://{x}"},"argument":{"name":"x","value":"pa"},"context":{"arguments":{"department":"Sales","n":"1"}}}"#
    );
}
