use patchbay_contract::Timeouts;

use super::{Servers, place};

#[test]
fn each_missing_timeout_is_its_own_default() {
    let standard = Timeouts::default();
    let cases = [
        (
            r#"{"requestMs":5000}"#,
            Timeouts {
                request_ms: 5000,
                ..standard
            },
        ),
        (
            r#"{"requestMs":5000,"maxTotalMs":9000,"countInputWait":true}"#,
            Timeouts {
                request_ms: 5000,
                max_total_ms: 9000,
                count_input_wait: true,
                ..standard
            },
        ),
        (
            r#"{"requestMs":"soon","resetOnProgress":false}"#,
            Timeouts {
                reset_on_progress: false,
                ..standard
            },
        ),
        (r#"{}"#, standard),
        (r#""soon""#, standard),
    ];
    for (written, read) in cases {
        let text = format!(r#"{{"mcpServers":{{"a":{{"command":"c","timeouts":{written}}}}}}}"#);
        let place = place(Some(&text));
        let servers = Servers::open(place.file.clone(), true).unwrap();
        assert_eq!(servers.all()[0].draft.timeouts, read, "{written}");
    }
}
