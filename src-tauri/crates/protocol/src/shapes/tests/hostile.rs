//! Messages that are made to cost as much as possible, or to have places that are hard to name.

use super::*;
use crate::limits::TEXT_BYTES;

#[test]
fn the_number_of_violations_is_limited() {
    let many = vec!["1"; 100_000].join(",");
    assert_eq!(
        of_result(LEGACY, "tools/list", &format!(r#"{{"tools":[{many}]}}"#)).len(),
        50
    );
    let deep = format!(
        r#"{{"contents":[{{"uri":"a","text":{}1{}}}]}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(
        of_result(LEGACY, "resources/read", &deep),
        ["member-type /result/contents/0/text"]
    );
}

#[test]
fn meta_inside_meta_is_not_followed() {
    for (revision, key, member) in [
        (LEGACY, "io.modelcontextprotocol/related-task", r#""taskId":"t""#),
        (
            MODERN,
            "io.modelcontextprotocol/clientInfo",
            r#""name":"a","version":"1""#,
        ),
        (
            MODERN,
            "io.modelcontextprotocol/serverInfo",
            r#""name":"a","version":"1""#,
        ),
        (
            MODERN,
            "io.modelcontextprotocol/clientCapabilities",
            r#""roots":{}"#,
        ),
    ] {
        let open = format!(r#"{{"_meta":{{"{key}":{{{member},"_meta":{{"{key}":"#);
        let deep = [
            open.repeat(50_000),
            format!("{{{member}}}"),
            "}}}}".repeat(50_000),
        ];
        let deep = deep.concat();
        let found = of_params(revision, "notifications/tools/list_changed", &deep);
        assert_eq!(found, NOTHING, "{key}");
        let beside = format!(r#"{{"_meta":{{"{key}":{{{member},"_meta":{{"a b":1}}}}}},"more":1}}"#);
        assert_eq!(
            of_params(revision, "notifications/tools/list_changed", &beside),
            NOTHING
        );
    }
}

#[test]
fn duplicates_below_a_long_name_cost_no_copies_of_it() {
    let name = "n".repeat(1_500_000);
    let titles = vec![r#""title":1"#; 150_000].join(",");
    let given = format!(
        r#"{{"message":"m","requestedSchema":{{"type":"object","properties":{{"{name}":{{"type":"string",{titles}}}}}}}}}"#
    );
    let found = params(LEGACY, "elicitation/create", Some(&given));
    assert_eq!(found.len(), 1);
    let pointer = found[0].pointer.as_deref().unwrap_or_default();
    assert!(pointer.len() <= TEXT_BYTES + '…'.len_utf8(), "{}", pointer.len());
}

#[test]
fn a_pointer_has_the_name_without_the_escapes_of_json() {
    let given = r#"{"messages":[],"maxTokens":1,"_meta":{"a\"b/c":1,"\u0061\n":1}}"#;
    assert_eq!(
        of_params(LEGACY, "sampling/createMessage", given),
        [
            "meta-key-name /params/_meta/a\"b~1c",
            "meta-key-name /params/_meta/a\n",
        ]
    );
    let form = r#"{"message":"m","requestedSchema":{"type":"object","properties":{"\u0061\"":{}}}}"#;
    assert_eq!(
        of_params(LEGACY, "elicitation/create", form),
        ["elicitation-schema /params/requestedSchema/properties/a\"/type"]
    );
}
