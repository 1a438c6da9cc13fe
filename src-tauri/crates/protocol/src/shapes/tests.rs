mod hostile;
mod official;

use super::*;

/// The rules that params break in a revision, with their places.
fn of_params(revision: Revision, method: &str, given: &str) -> Vec<String> {
    said(params(revision, method, Some(given)))
}

fn of_result(revision: Revision, method: &str, given: &str) -> Vec<String> {
    said(result(revision, method, given))
}

fn said(found: Vec<Violation>) -> Vec<String> {
    let line = |violation: Violation| {
        format!(
            "{} {}",
            violation.rule.id(),
            violation.pointer.unwrap_or_default()
        )
    };
    found.into_iter().map(line).collect()
}

const OLD: Revision = Revision::V2024_11_05;
const JUNE: Revision = Revision::V2025_06_18;
const LEGACY: Revision = Revision::V2025_11_25;
const MODERN: Revision = Revision::V2026_07_28;
const NOTHING: [&str; 0] = [];

#[test]
fn params_are_checked_in_both_directions() {
    let valid = r#"{"name":"add","arguments":{"a":1},"_meta":{"progressToken":1},"more":[]}"#;
    assert_eq!(of_params(LEGACY, "tools/call", valid), NOTHING);
    assert_eq!(
        of_params(
            LEGACY,
            "tools/call",
            r#"{"name":1,"arguments":[],"_meta":{"progressToken":1.5}}"#
        ),
        [
            "member-type /params/name",
            "member-type /params/arguments",
            "member-type /params/_meta/progressToken",
        ]
    );
    assert_eq!(
        said(params(LEGACY, "tools/call", None)),
        ["member-missing /params"]
    );
    assert_eq!(said(params(LEGACY, "tools/list", None)), NOTHING);
    assert_eq!(
        of_params(
            LEGACY,
            "sampling/createMessage",
            r#"{"messages":[{"role":"system","content":{"type":"text"}}]}"#
        ),
        [
            "member-value /params/messages/0/role",
            "member-missing /params/messages/0/content/text",
            "member-missing /params/maxTokens"
        ]
    );
    assert_eq!(
        of_params(
            LEGACY,
            "completion/complete",
            r#"{"ref":{"type":"ref/tool"},"argument":{"name":"a"}}"#
        ),
        [
            "content-type-unknown /params/ref/type",
            "member-missing /params/argument/value"
        ]
    );
    assert_eq!(
        of_params(LEGACY, "notifications/resources/updated", "{}"),
        ["member-missing /params/uri"]
    );
    // A method that nobody defines is nobody's business.
    assert_eq!(of_params(LEGACY, "company/thing", r#"{"name":1}"#), NOTHING);
    // A member that the revision does not have may be anything.
    assert_eq!(
        of_params(
            OLD,
            "notifications/progress",
            r#"{"progressToken":1,"progress":1,"message":2}"#
        ),
        NOTHING
    );
}

#[test]
fn results_of_every_method_are_checked() {
    for (method, given, expected) in [
        (
            "prompts/list",
            r#"{"prompts":[{"arguments":[{"name":"a","required":"yes"}]}]}"#,
            [
                "member-type /result/prompts/0/arguments/0/required",
                "member-missing /result/prompts/0/name",
            ],
        ),
        (
            "prompts/get",
            r#"{"messages":[{"role":"tool","content":{"type":"image","data":"%","mimeType":"image/png"}}]}"#,
            [
                "member-value /result/messages/0/role",
                "content-not-base64 /result/messages/0/content/data",
            ],
        ),
        (
            "resources/list",
            r#"{"resources":[{"uri":"a","name":"b","size":1.5,"annotations":{"priority":2}}]}"#,
            [
                "member-type /result/resources/0/size",
                "member-value /result/resources/0/annotations/priority",
            ],
        ),
        (
            "resources/read",
            r#"{"contents":[{"uri":"a"},{"uri":1,"blob":"aGk="}]}"#,
            [
                "member-missing /result/contents/0/text",
                "member-type /result/contents/1/uri",
            ],
        ),
        (
            "resources/templates/list",
            r#"{"resourceTemplates":[{"name":"a"}],"nextCursor":1}"#,
            [
                "member-missing /result/resourceTemplates/0/uriTemplate",
                "member-type /result/nextCursor",
            ],
        ),
        (
            "completion/complete",
            r#"{"completion":{"values":"a","total":"many"}}"#,
            [
                "member-type /result/completion/values",
                "member-type /result/completion/total",
            ],
        ),
        (
            "elicitation/create",
            r#"{"action":"yes","content":{"a":{}}}"#,
            ["member-value /result/action", "member-type /result/content/a"],
        ),
        (
            "roots/list",
            r#"{"roots":[{"uri":"https://a"},{}]}"#,
            [
                "member-value /result/roots/0/uri",
                "member-missing /result/roots/1/uri",
            ],
        ),
        (
            "sampling/createMessage",
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a"}]}"#,
            [
                "member-missing /result/content/0/input",
                "member-missing /result/model",
            ],
        ),
        (
            "tasks/get",
            r#"{"taskId":"1","status":"gone","createdAt":"a","lastUpdatedAt":"b"}"#,
            ["member-value /result/status", "member-missing /result/ttl"],
        ),
    ] {
        assert_eq!(of_result(LEGACY, method, given), expected, "{method}");
    }
    let task = r#"{"task":{"taskId":"1","status":"working","createdAt":"a","lastUpdatedAt":"b","ttl":null}}"#;
    assert_eq!(of_result(LEGACY, "sampling/createMessage", task), NOTHING);
    assert_eq!(of_result(JUNE, "sampling/createMessage", task).len(), 3);
    let many = vec!["\"a\""; 101].join(",");
    assert_eq!(
        of_result(
            MODERN,
            "completion/complete",
            &format!(r#"{{"completion":{{"values":[{many}]}}}}"#)
        ),
        ["member-value /result/completion/values"]
    );
    assert_eq!(
        of_result(MODERN, "subscriptions/listen", r#"{"resultType":"complete"}"#),
        ["member-missing /result/_meta"]
    );
}

#[test]
fn a_feature_belongs_to_its_revisions() {
    let audio = r#"{"content":[{"type":"audio","data":"","mimeType":"audio/wav"}]}"#;
    let link = r#"{"content":[{"type":"resource_link","uri":"a","name":"b"}]}"#;
    let of = |revision, given| of_result(revision, "tools/call", given);
    assert_eq!(of(OLD, audio), ["feature-not-in-revision /result/content/0/type"]);
    assert_eq!(of(Revision::V2025_03_26, audio), NOTHING);
    assert_eq!(
        of(Revision::V2025_03_26, link),
        ["feature-not-in-revision /result/content/0/type"]
    );
    assert_eq!(of(JUNE, link), NOTHING);
    let url = r#"{"mode":"url","message":"m","url":"https://a","elicitationId":"1"}"#;
    assert_eq!(
        of_params(JUNE, "elicitation/create", url),
        ["feature-not-in-revision /params/mode"]
    );
    assert_eq!(of_params(LEGACY, "elicitation/create", url), NOTHING);
}

#[test]
fn methods_have_a_direction_a_kind_and_revisions() {
    use Direction::{ClientToServer, ServerToClient};
    let rule = |revision, direction, name, has_id| {
        misuse(revision, direction, name, has_id).map(|violation| violation.rule)
    };
    assert_eq!(rule(LEGACY, ClientToServer, "tools/list", true), None);
    assert_eq!(
        rule(LEGACY, ServerToClient, "tools/list", true),
        Some(Rule::WrongDirection)
    );
    assert_eq!(
        rule(LEGACY, ClientToServer, "roots/list", true),
        Some(Rule::WrongDirection)
    );
    assert_eq!(rule(LEGACY, ServerToClient, "ping", true), None);
    assert_eq!(
        rule(LEGACY, ClientToServer, "tools/list", false),
        Some(Rule::MethodKind)
    );
    assert_eq!(
        rule(LEGACY, ClientToServer, "notifications/initialized", true),
        Some(Rule::MethodKind)
    );
    assert_eq!(
        rule(Revision::V2025_03_26, ServerToClient, "elicitation/create", true),
        Some(Rule::MethodNotInRevision)
    );
    assert_eq!(rule(JUNE, ServerToClient, "elicitation/create", true), None);
    assert_eq!(
        rule(LEGACY, ClientToServer, "server/discover", true),
        Some(Rule::WrongEra)
    );
    assert_eq!(rule(MODERN, ClientToServer, "ping", true), Some(Rule::WrongEra));
    assert_eq!(
        rule(MODERN, ClientToServer, "notifications/progress", false),
        Some(Rule::WrongDirection)
    );
    // Methods of extensions and of nobody.
    for name in ["skills/list", "company/thing"] {
        assert_eq!(rule(MODERN, ServerToClient, name, true), None);
    }
}

#[test]
fn names_in_meta_have_a_form() {
    let keys = |keys: &str| of_params(LEGACY, "tools/list", &format!(r#"{{"_meta":{{{keys}}}}}"#));
    let valid =
        r#""a":1,"com.example/a.b_c-d":1,"io.modelcontextprotocol/related-task":{"taskId":"1"},"a/":1,"":1"#;
    assert_eq!(keys(valid), NOTHING);
    for wrong in ["_a", "a_", "a b", "1a/b", "a-/b", "a..b/c", "a/b/c", "/a", "ä"] {
        let key = wrong.replace('/', "~1");
        assert_eq!(
            keys(&format!("\"{wrong}\":1")),
            [format!("meta-key-name /params/_meta/{key}")]
        );
    }
    // In results and in all that they hold, from the revision on that names them.
    let tool = r#"{"tools":[{"name":"a","inputSchema":{},"_meta":{"_b":1}}]}"#;
    assert_eq!(
        of_result(JUNE, "tools/list", tool),
        ["meta-key-name /result/tools/0/_meta/_b"]
    );
    assert_eq!(of_result(OLD, "tools/list", tool), NOTHING);
    assert!(!Rule::MetaKeyName.applies(OLD) && Rule::MetaKeyName.applies(JUNE));
}

#[test]
fn of_duplicates_the_last_one_counts() {
    let last_is_right = r#"{"name":1,"arguments":{},"name":"a"}"#;
    assert_eq!(of_params(LEGACY, "tools/call", last_is_right), NOTHING);
    let last_is_wrong = r#"{"name":"a","name":1}"#;
    assert_eq!(
        of_params(LEGACY, "tools/call", last_is_wrong),
        ["member-type /params/name"]
    );
    let inside =
        r#"{"content":[{"type":2}],"isError":1,"content":[{"type":"image","text":"a","type":"text"}]}"#;
    assert_eq!(
        of_result(LEGACY, "tools/call", inside),
        ["member-type /result/isError"]
    );
    // A name that only begins alike stays.
    let alike = r#"{"_meta":{"progressToken":{}},"name":1,"name":"a"}"#;
    assert_eq!(
        of_params(LEGACY, "tools/call", alike),
        ["member-type /params/_meta/progressToken"]
    );
}

#[test]
fn names_may_be_written_with_escapes() {
    assert_eq!(
        of_params(LEGACY, "tools/call", r#"{"\u006eame":1}"#),
        ["member-type /params/name"]
    );
    let text = r#"{"content":[{"\u0074ype":"te\u0078t","text":"a"}]}"#;
    assert_eq!(of_result(LEGACY, "tools/call", text), NOTHING);
}

#[test]
fn icons_are_loaded_from_the_web_or_from_data() {
    let icon = |icon: &str| {
        of_result(
            LEGACY,
            "prompts/list",
            &format!(r#"{{"prompts":[{{"name":"a","icons":[{icon}]}}]}}"#),
        )
    };
    assert_eq!(
        icon(r#"{"src":"HTTPS://a/b.png","sizes":["48x48"],"theme":"dark"}"#),
        NOTHING
    );
    assert_eq!(icon(r#"{"src":"data:image/png;base64,aGk="}"#), NOTHING);
    let place = "/result/prompts/0/icons/0";
    assert_eq!(
        icon(r#"{"src":"file:///etc/passwd"}"#),
        [format!("icon-source {place}/src")]
    );
    assert_eq!(
        icon(r#"{"src":"javascript:alert(1)"}"#),
        [format!("icon-source {place}/src")]
    );
    assert_eq!(
        icon(r#"{"sizes":"48x48","theme":"red"}"#),
        [
            format!("member-type {place}/sizes"),
            format!("member-value {place}/theme"),
            format!("member-missing {place}/src"),
        ]
    );
}

#[test]
fn a_form_is_flat_and_of_primitive_types() {
    let form = |revision, schema: &str| {
        let given = format!(r#"{{"message":"m","requestedSchema":{schema}}}"#);
        let of_schema = |line: String| line.replace("/params/requestedSchema", "");
        of_params(revision, "elicitation/create", &given)
            .into_iter()
            .map(of_schema)
            .collect::<Vec<_>>()
    };
    let valid = r#"{"type":"object","properties":{
        "a":{"type":"string","format":"email","minLength":1},
        "b":{"type":"integer","minimum":0},
        "c":{"type":"boolean","default":true},
        "d":{"type":"string","enum":["x"],"enumNames":["X"]}},"required":["a"]}"#;
    let newer = r#"{"type":"object","properties":{
        "a":{"type":"array","items":{"type":"string","enum":["x"]},"maxItems":2},
        "b":{"type":"string","oneOf":[{"const":"x","title":"X"}],"default":"x"},
        "c":{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]}}}}"#;
    assert_eq!(form(JUNE, valid), NOTHING);
    assert_eq!(form(LEGACY, newer), NOTHING);
    assert_eq!(
        form(JUNE, newer),
        [
            "elicitation-schema /properties/a/type",
            "elicitation-schema /properties/c/type"
        ]
    );
    let nested = r#"{"type":"object","properties":{"a":{"type":"object","properties":{}},"b":{},"c":{"type":"string","enum":[1],"title":2}}}"#;
    assert_eq!(
        form(LEGACY, nested),
        [
            "elicitation-schema /properties/a/type",
            "elicitation-schema /properties/b/type",
            "elicitation-schema /properties/c/enum/0",
            "elicitation-schema /properties/c/title"
        ]
    );
    assert_eq!(
        form(
            LEGACY,
            r#"{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}},"b":{"type":"array"}}}"#
        ),
        [
            "elicitation-schema /properties/a/items/enum",
            "elicitation-schema /properties/b/items"
        ]
    );
    assert_eq!(
        form(LEGACY, r#"{"type":"array","required":"a"}"#),
        [
            "elicitation-schema /type",
            "elicitation-schema /properties",
            "elicitation-schema /required"
        ]
    );
    assert_eq!(
        of_params(LEGACY, "elicitation/create", "{}"),
        [
            "member-missing /params/message",
            "member-missing /params/requestedSchema"
        ]
    );
}

#[test]
fn what_a_modern_result_asks_for_is_checked_too() {
    let asked = r#"{"resultType":"input_required","requestState":1,"inputRequests":{
        "a":{"method":"sampling/createMessage","params":{"messages":[]}},
        "b":{"method":"elicitation/create"},
        "c/d":{"method":"elicitation/create","params":{"mode":"url","message":"m"}},
        "e":{"method":"roots/list"},
        "f":{"method":"tools/list","params":1}}}"#;
    assert_eq!(
        said(input_required(MODERN, "/result", asked)),
        [
            "member-type /result/requestState",
            "member-missing /result/inputRequests/a/params/maxTokens",
            "member-missing /result/inputRequests/b/params",
            "member-missing /result/inputRequests/c~1d/params/url"
        ]
    );
    let answer = r#"{"name":"a","inputResponses":{"a":{"action":"accept","content":{"b":null}},"c":{"roots":1},"d":{}}}"#;
    assert_eq!(
        of_params(MODERN, "tools/call", answer),
        [
            "member-type /params/inputResponses/a/content/b",
            "member-type /params/inputResponses/c/roots",
            "member-missing /params/inputResponses/d/role",
            "member-missing /params/inputResponses/d/content",
            "member-missing /params/inputResponses/d/model",
        ]
    );
}

#[test]
fn the_codes_and_the_data_of_errors_are_checked() {
    let data = |revision, text: &str| said(error(revision, &RpcError::parse(text)));
    let visit =
        r#"{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","message":"m","url":"u"}]}}"#;
    assert_eq!(
        data(LEGACY, visit),
        ["member-missing /error/data/elicitations/0/elicitationId"]
    );
    assert_eq!(data(JUNE, visit), NOTHING);
    let version = r#"{"code":-32022,"message":"m","data":{"supported":["2026-07-28"],"requested":"x"}}"#;
    assert_eq!(data(MODERN, version), NOTHING);
    assert_eq!(
        data(MODERN, r#"{"code":-32022,"message":"m"}"#),
        ["member-missing /error/data"]
    );
    assert_eq!(data(MODERN, r#"{"code":-32603,"message":"m"}"#), NOTHING);
    let code = |revision, code: i64| data(revision, &format!(r#"{{"code":{code},"message":"m","data":1}}"#));
    for reserved in [-32002, -32023, -32042, -32099] {
        assert_eq!(code(MODERN, reserved), ["error-code-reserved /error/code"]);
    }
    for other in [-32000, -32001, -32019, -32020, -32100, -32602, -1] {
        assert_eq!(code(MODERN, other), NOTHING, "{other}");
    }
    assert_eq!(code(LEGACY, -32002), NOTHING);
}

#[test]
fn a_view_that_says_more_is_not_repeated() {
    let mut found = vec![Violation::at(
        Rule::ToolNameMissing,
        "/result/tools/0/name",
        "no name",
    )];
    add(
        LEGACY,
        &mut found,
        result(LEGACY, "tools/list", r#"{"tools":[{"description":1}]}"#),
    );
    assert_eq!(
        said(found),
        [
            "tool-name-missing /result/tools/0/name",
            "member-type /result/tools/0/description",
            "member-missing /result/tools/0/inputSchema"
        ]
    );
}

#[test]
fn a_rule_of_another_revision_takes_no_place() {
    let old = Violation::at(Rule::StructuredType, "/result/a", "of 2025-06-18 and 2025-11-25");
    let missing = || vec![Violation::at(Rule::MemberMissing, "/result/a", "`a` is missing")];
    let mut found = vec![old.clone()];
    add(LEGACY, &mut found, missing());
    assert_eq!(found.len(), 1);
    add(MODERN, &mut found, missing());
    assert_eq!(found, [vec![old], missing()].concat());
}
