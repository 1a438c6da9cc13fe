use super::*;
use crate::message::{Message, decode};

#[test]
fn a_modern_request_carries_version_client_and_level() {
    let applied = |meta: &RequestMeta, params| {
        let members = meta.members();
        let members: Vec<_> = members
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        json::with_meta(params, &members)
    };
    let meta = RequestMeta {
        revision: "2026-07-28".to_owned(),
        client_capabilities: "{\"roots\":{}}".to_owned(),
        client_info: Some("{\"name\":\"patchbay\",\"version\":\"1\"}".to_owned()),
        log_level: Some("debug".to_owned()),
    };
    insta::assert_snapshot!(applied(&meta, Some("{\"name\":\"x\"}")), @r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"patchbay","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"roots":{}},"io.modelcontextprotocol/logLevel":"debug"},"name":"x"}"#);
    let bare = RequestMeta {
        client_info: None,
        log_level: None,
        ..meta
    };
    let params = applied(&bare, None);
    assert_eq!(member(Some(&params), CLIENT_CAPABILITIES), Some("{\"roots\":{}}"));
    assert_eq!(member(Some(&params), LOG_LEVEL), None);
}

#[test]
fn only_members_of_meta_are_found() {
    let check = |params: Option<&str>, expected: Option<RequestId>| {
        assert_eq!(progress_token(params), expected, "of {params:?}");
    };
    check(Some(r#"{"_meta":{"progressToken":"t"}}"#), Some("t".into()));
    check(Some(r#"{"_meta":{"progressToken":1.0}}"#), Some(1.into()));
    check(Some(r#"{"progressToken":1}"#), None);
    check(Some(r#"{"arguments":{"_meta":{"progressToken":1}}}"#), None);
    check(Some(r#"{"_meta":[]}"#), None);
    check(None, None);
    assert_eq!(
        subscription_id(Some(r#"{"_meta":{"io.modelcontextprotocol/subscriptionId":3}}"#)),
        Some(3.into())
    );
}

#[test]
fn what_a_client_adds_to_params_is_taken_out_again() {
    let check = |params: &str, expected: Option<&str>| {
        assert_eq!(without_client_members(params).as_deref(), expected, "of {params}");
    };
    check(r#"{"name": "x"}"#, Some(r#"{"name": "x"}"#));
    check(
        r#"{"_meta":{"own":1.10},"n": 1.0}"#,
        Some(r#"{"_meta":{"own":1.10},"n": 1.0}"#),
    );
    check(
        r#"{"_meta":{"progressToken":7},"n":1.10,"é\u0041":[ 1 ]}"#,
        Some(r#"{"n":1.10,"é\u0041":[ 1 ]}"#),
    );
    check(
        r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","own":12345678901234567890}}"#,
        Some(r#"{"_meta":{"own":12345678901234567890}}"#),
    );
    check(r#"{"_meta":{"progressToken":7}}"#, None);
    check(r#"{"_meta":[1]}"#, Some(r#"{"_meta":[1]}"#));
    check("[1]", Some("[1]"));
}

#[test]
fn the_response_to_a_probe_determines_the_era() {
    let check = |answer: &str, expected: &str| {
        let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,{answer}}}");
        let decoded = decode(text.as_bytes());
        let Message::Response { outcome, .. } = &decoded.messages[0].message else {
            panic!("no response: {text}")
        };
        let told = match probe_verdict(outcome) {
            ProbeVerdict::Modern { versions } => format!("modern {versions:?}"),
            ProbeVerdict::ModernOther { versions } => format!("modern, other {versions:?}"),
            ProbeVerdict::ModernRefused { code } => format!("modern, refused {code}"),
            ProbeVerdict::Legacy { reason } => format!("legacy: {reason}"),
        };
        assert_eq!(told, expected, "of {answer}");
    };
    check(
        r#""result":{"supportedVersions":["2026-07-28",1]}"#,
        r#"modern ["2026-07-28"]"#,
    );
    check(
        r#""result":{"tools":[]}"#,
        "legacy: its result is not a discover result",
    );
    check(
        r#""error":{"code":-32022,"message":"m","data":{"supported":["2030-01-01"],"requested":"2026-07-28"}}"#,
        r#"modern, other ["2030-01-01"]"#,
    );
    check(
        r#""error":{"code":-32022,"message":"m"}"#,
        "legacy: it answered server/discover with error -32022: m",
    );
    check(
        r#""error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{}}}"#,
        "modern, refused -32021",
    );
    check(
        r#""error":{"code":-32021,"message":"m"}"#,
        "legacy: it answered server/discover with error -32021: m",
    );
    check(
        r#""error":{"code":-32020,"message":"m"}"#,
        "modern, refused -32020",
    );
    for code in ["-32601", "-32602", "-32600", "-32000", "\"E\""] {
        let expected = format!("legacy: it answered server/discover with error {code}: m");
        check(
            &format!("\"error\":{{\"code\":{code},\"message\":\"m\"}}"),
            &expected,
        );
    }
    check(
        r#""error":{"message":"m"}"#,
        "legacy: it answered server/discover with error no code: m",
    );
}
