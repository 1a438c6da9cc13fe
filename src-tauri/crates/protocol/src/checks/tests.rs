mod levels;

use crate::message::decode;

use super::*;
use crate::message::Message;
use crate::views::ClientCapabilities;
use crate::{Direction, RequestId};

/// The rules that messages break (`>` from the client, `<` from the server, `<1` in the HTTP response to request 1; `=` sets
/// the revision).
fn check(script: &[&str], expected: &[&str]) {
    let mut conversation = Conversation::new();
    let mut broken = Vec::new();
    for line in script {
        let (arrow, rest) = line.split_once(' ').unwrap();
        match (arrow, rest) {
            ("=", "modern") => conversation.agree(
                Revision::V2026_07_28,
                r#"{"tools":{"listChanged":true},"logging":{}}"#,
                &ClientCapabilities::none(),
            ),
            ("=", name) => conversation.agree(
                Revision::parse(name).unwrap_or(Revision::V2025_11_25),
                r#"{"tools":{},"logging":{}}"#,
                &ClientCapabilities::none()
                    .with("roots", "{}")
                    .with("elicitation", "{}"),
            ),
            (arrow, rest) => {
                let text = format!("{{\"jsonrpc\":\"2.0\",{rest}}}");
                let decoded = decode(text.as_bytes());
                let (arrow, request) = arrow.split_at(1);
                let request = request.parse().ok().map(RequestId::Int);
                let carrier = match &request {
                    Some(request) => Carrier::Response(request),
                    None => Carrier::Pipe,
                };
                let direction = if arrow == ">" {
                    Direction::ClientToServer
                } else {
                    Direction::ServerToClient
                };
                let message = &decoded.messages[0].message;
                let view = match message {
                    Message::Notification { method, params } => NotificationView::parse(method, *params),
                    _ => NotificationView::Other,
                };
                let found = conversation.observe(direction, message, &view, carrier);
                broken.extend(found.into_iter().map(|violation| violation.rule.id()));
            }
        }
    }
    assert_eq!(broken, expected, "of {script:?}");
}

#[test]
fn the_order_of_the_handshake() {
    check(&[r#"< "id":1,"method":"ping""#], &[]);
    check(
        &[r#"< "id":1,"method":"roots/list""#],
        &["request-before-initialized"],
    );
    check(
        &[
            "= legacy",
            r#"> "id":1,"method":"tools/list""#,
            r#"> "method":"notifications/initialized""#,
            r#"> "id":2,"method":"tools/list""#,
        ],
        &["request-before-initialized"],
    );
    let initialize = r#"> "id":0,"method":"initialize""#;
    let list = r#"> "id":1,"method":"tools/list""#;
    check(&[initialize, r#"> "id":1,"method":"ping""#], &[]);
    check(&[initialize, list], &["request-before-initialized"]);
    // A server that refused it may be asked with another revision or era.
    let refused = r#"< "id":0,"error":{"code":-32602,"message":"m"}"#;
    check(&[initialize, refused, list], &[]);
    // How the connection began is not known.
    check(&[list], &[]);
}

#[test]
fn undeclared_capabilities_must_not_be_used() {
    let ready = r#"> "method":"notifications/initialized""#;
    let declared = |message: &str, expected: &[&str]| check(&["= legacy", ready, message], expected);
    declared(r#"< "id":1,"method":"roots/list""#, &[]);
    declared(
        r#"< "id":1,"method":"sampling/createMessage""#,
        &["undeclared-capability"],
    );
    declared(r#"< "id":1,"method":"elicitation/create""#, &[]);
    declared(
        r#"< "method":"notifications/tools/list_changed""#,
        &["undeclared-capability"],
    );
    declared(r#"> "id":1,"method":"tools/list""#, &[]);
    declared(r#"> "id":1,"method":"prompts/list""#, &["undeclared-capability"]);
    declared(r#"> "id":1,"method":"custom/thing""#, &[]);
    let visit = r#"< "id":1,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"u"}"#;
    declared(visit, &["undeclared-capability"]);
    declared(
        r#"< "id":1,"method":"elicitation/create","params":{"mode":"form","message":"m"}"#,
        &[],
    );
    for method in [
        "tasks/get",
        "tasks/list",
        "tasks/cancel",
        "tasks/result",
        "resources/subscribe",
    ] {
        declared(
            &format!(r#"> "id":1,"method":"{method}""#),
            &["undeclared-capability"],
        );
    }
    declared(
        r#"> "method":"notifications/roots/list_changed""#,
        &["undeclared-capability"],
    );
    let parts = |server: &str, method: &str| {
        let mut conversation = Conversation::new();
        let client = ClientCapabilities::none().with("roots", r#"{"listChanged":true}"#);
        conversation.agree(Revision::V2025_11_25, server, &client);
        let text = match method.starts_with("notifications") {
            true => format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#),
            false => format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#),
        };
        let decoded = decode(text.as_bytes());
        let message = &decoded.messages[0].message;
        let ready = Message::Notification {
            method: methods::INITIALIZED.into(),
            params: None,
        };
        let view = NotificationView::Other;
        conversation.observe(Direction::ClientToServer, &ready, &view, Carrier::Pipe);
        let found = conversation.observe(
            Direction::ClientToServer,
            message,
            &NotificationView::Other,
            Carrier::Pipe,
        );
        found.into_iter().map(|one| one.message).collect::<Vec<_>>()
    };
    let nothing: [&str; 0] = [];
    assert_eq!(
        parts(r#"{"resources":{}}"#, "resources/subscribe"),
        ["resources/subscribe, but the server did not declare `resources.subscribe`"]
    );
    assert_eq!(
        parts(r#"{"tasks":{"list":{}}}"#, "tasks/cancel"),
        ["tasks/cancel, but the server did not declare `tasks.cancel`"]
    );
    for (server, method) in [
        (r#"{"resources":{"subscribe":true}}"#, "resources/subscribe"),
        (r#"{"resources":{"subscribe":true}}"#, "resources/unsubscribe"),
        (r#"{"tasks":{"list":{}}}"#, "tasks/list"),
        (r#"{"tasks":{"cancel":{}}}"#, "tasks/cancel"),
        (r#"{"tasks":{}}"#, "tasks/get"),
        ("{}", "notifications/roots/list_changed"),
    ] {
        assert_eq!(parts(server, method), nothing, "{method}");
    }
    // The first revision has completion, but no capability for it.
    let complete = r#"> "id":1,"method":"completion/complete""#;
    check(&["= 2024-11-05", ready, complete], &[]);
    check(&["= 2025-03-26", ready, complete], &["undeclared-capability"]);
}

#[test]
fn the_modern_era_has_its_own_rules() {
    let meta = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;
    let quiet = format!(r#"> "id":1,"method":"tools/list","params":{{"_meta":{{{meta}}}}}"#);
    let talkative = format!(
        r#"> "id":1,"method":"tools/list","params":{{"_meta":{{{meta},"io.modelcontextprotocol/logLevel":"info"}}}}"#
    );
    let log = r#"< "method":"notifications/message","params":{"level":"info","data":1}"#;
    check(&["= modern", &quiet], &[]);
    check(
        &["= modern", r#"> "id":1,"method":"tools/list""#],
        &["meta-missing", "meta-missing"],
    );
    check(&["= modern", &quiet, log], &["log-uninvited"]);
    // Over HTTP it is known which request a message belongs to.
    let other = talkative.replace("\"id\":1", "\"id\":2");
    check(
        &["= modern", &quiet, &other, &log.replace('<', "<1")],
        &["log-uninvited"],
    );
    check(&["= modern", &quiet, &other, &log.replace('<', "<2")], &[]);
    check(&["= modern", &quiet, &other, log], &[]);
    check(&["= modern", &talkative, log], &[]);
    check(
        &["= modern", &talkative, r#"< "id":1,"result":{}"#, log],
        &["log-uninvited"],
    );
    check(
        &["= modern", r#"< "id":1,"method":"roots/list""#],
        &["method-not-in-era"],
    );
    check(
        &["= modern", r#"< "method":"notifications/tools/list_changed""#],
        &["subscription-id-missing"],
    );
    check(
        &[
            "= modern",
            r#"< "method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}"#,
        ],
        &[],
    );
}

#[test]
fn results_of_the_modern_era() {
    let check = |era: Era, method: &str, text: &str, expected: &[&str]| {
        let broken: Vec<_> = result(era, method, text)
            .iter()
            .map(|violation| violation.rule.id())
            .collect();
        assert_eq!(broken, expected, "of {method} {text}");
    };
    check(Era::Legacy, "tools/list", "{}", &[]);
    check(Era::Modern, "tools/call", r#"{"resultType":"complete"}"#, &[]);
    check(Era::Modern, "tools/call", "{}", &["result-type-missing"]);
    check(
        Era::Modern,
        "tools/call",
        r#"{"resultType":"later"}"#,
        &["result-type-unknown"],
    );
    check(
        Era::Modern,
        "tools/call",
        r#"{"resultType":1}"#,
        &["result-type-unknown"],
    );
    check(
        Era::Modern,
        "tools/list",
        r#"{"resultType":"complete"}"#,
        &["cache-hint-missing", "cache-hint-missing"],
    );
    check(
        Era::Modern,
        "tools/list",
        r#"{"resultType":"complete","ttlMs":0,"cacheScope":"private"}"#,
        &[],
    );
    check(
        Era::Modern,
        "resources/read",
        r#"{"resultType":"input_required"}"#,
        &[],
    );
}

#[test]
fn batches_are_allowed_in_one_revision_only() {
    let rule = |revision| batch(revision, &[]).map(|violation| violation.rule.id());
    assert_eq!(rule(None), None);
    assert_eq!(rule(Some(Revision::V2025_03_26)), None);
    assert_eq!(rule(Some(Revision::V2024_11_05)), None);
    for revision in [Revision::V2025_06_18, Revision::V2026_07_28] {
        assert_eq!(rule(Some(revision)), Some("batch-not-allowed"));
    }
}

#[test]
fn rules_have_unique_ids_in_kebab_case() {
    let mut ids: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
    let kebab = |id: &str| {
        id.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    assert!(ids.iter().all(|id| kebab(id)), "{ids:?}");
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count);
    for rule in Rule::ALL {
        assert_eq!(Rule::named(rule.id()), Some(*rule));
        assert!(
            rule.title().ends_with('.') && !rule.title().contains("\n"),
            "{rule:?}"
        );
        assert!(
            Revision::ALL.into_iter().any(|revision| rule.applies(revision)),
            "{rule:?}"
        );
        for revision in Revision::ALL {
            let spec = rule.spec(Some(revision));
            assert!(
                !rule.applies(revision) || spec.contains(revision.as_str()),
                "{rule:?}: {spec}"
            );
            assert!(
                spec.starts_with("https://modelcontextprotocol.io/specification/20") && !spec.ends_with('/'),
                "{rule:?}: {spec}"
            );
        }
    }
}

#[test]
fn structured_content_is_judged_by_the_revision() {
    let check = |revision, result: &str| -> Vec<&str> {
        let found = structured_content(revision, &CallToolResult::parse(result));
        found.iter().map(|violation| violation.rule.id()).collect()
    };
    let text = r#"{"content":[{"type":"text","text":"1"}],"structuredContent":1}"#;
    let bare = r#"{"content":[],"structuredContent":{}}"#;
    let (kind, without) = ("structured-content-type", "structured-content-without-text");
    let nothing: [&str; 0] = [];
    assert_eq!(check(Revision::V2025_03_26, text), nothing);
    assert_eq!(check(Revision::V2025_06_18, text), [kind]);
    assert_eq!(check(Revision::V2026_07_28, text), nothing);
    assert_eq!(check(Revision::V2025_03_26, bare), nothing);
    assert_eq!(check(Revision::V2025_11_25, bare), [without]);
    assert_eq!(check(Revision::V2026_07_28, bare), [without]);
    assert_eq!(check(Revision::V2025_11_25, r#"{"content":[]}"#), nothing);
}

#[test]
fn an_output_schema_must_be_of_objects_in_two_revisions() {
    let rules = |schema: &str| {
        let text = format!(r#"{{"name":"t","inputSchema":{{"type":"object"}},"outputSchema":{schema}}}"#);
        let tool = crate::views::ToolView::parse(&text);
        let found = |revision: &Revision| output_schema(*revision, &tool).is_some();
        Revision::ALL.into_iter().filter(found).collect::<Vec<_>>()
    };
    let strict = [Revision::V2025_06_18, Revision::V2025_11_25];
    assert_eq!(rules(r#"{"type":"object"}"#), []);
    assert_eq!(rules(r#"{"type":"array"}"#), strict);
    assert_eq!(rules(r#"{"type":["object"]}"#), strict);
    assert_eq!(rules("{}"), strict);
    // The view says more about it.
    assert_eq!(rules("true"), []);
}

#[test]
fn a_cancellation_may_omit_its_request_in_2025_11_25_only() {
    for revision in Revision::ALL {
        let found = notification(
            Some(revision),
            &NotificationView::parse(methods::CANCELLED, Some("{}")),
        );
        assert_eq!(found.is_empty(), revision == Revision::V2025_11_25, "{revision}");
    }
    let progress = NotificationView::parse(methods::PROGRESS, Some(r#"{"progressToken":1}"#));
    assert_eq!(notification(Some(Revision::V2025_11_25), &progress).len(), 1);
}

#[test]
fn a_violation_links_to_the_negotiated_revision() {
    let spec = |rule: Rule, revision| {
        rule.spec(revision)
            .split_off("https://modelcontextprotocol.io/specification/".len())
    };
    assert_eq!(spec(Rule::IdNull, None), "2026-07-28/basic#requests");
    assert_eq!(
        spec(Rule::IdNull, Some(Revision::V2024_11_05)),
        "2024-11-05/basic/messages#requests"
    );
    assert_eq!(
        spec(Rule::IdNull, Some(Revision::V2025_06_18)),
        "2025-06-18/basic#requests"
    );
    assert_eq!(
        spec(Rule::IdNull, Some(Revision::V2026_07_28)),
        "2026-07-28/basic#requests"
    );
    assert_eq!(
        spec(Rule::MetaMissing, Some(Revision::V2025_11_25)),
        "2026-07-28/basic#meta"
    );
    assert_eq!(
        spec(Rule::BatchEmpty, Some(Revision::V2025_03_26)),
        "2025-03-26/basic#batching"
    );
}

#[test]
fn the_log_level_that_was_asked_for_is_the_lowest() {
    let log = |level: &str| {
        format!(r#"< "method":"notifications/message","params":{{"level":"{level}","data":1}}"#)
    };
    let (debug, error) = (log("debug"), log("error"));
    let ready = r#"> "method":"notifications/initialized""#;
    let set = r#"> "id":1,"method":"logging/setLevel","params":{"level":"warning"}"#;
    let done = r#"< "id":1,"result":{}"#;
    let below: &[&str] = &["log-below-level"];
    let legacy =
        |script: &[&str], expected: &[&str]| check(&[&["= legacy", ready], script].concat(), expected);
    // Without a level, the server decides; while it is being set, messages may have crossed it.
    legacy(&[&debug], &[]);
    legacy(&[set, &debug], &[]);
    legacy(&[set, done, &error], &[]);
    legacy(&[set, done, &debug], below);
    legacy(
        &[set, r#"< "id":1,"error":{"code":-32602,"message":"m"}"#, &debug],
        &[],
    );
    // Over HTTP only the response to a later request is certain.
    let call = r#"> "id":2,"method":"tools/list""#;
    let within = debug.replacen('<', "<2", 1);
    legacy(&[call, set, done, &within], &[]);
    legacy(&[set, done, call, &within], below);

    let meta = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;
    let ask = |id: u8, level: &str| {
        format!(
            r#"> "id":{id},"method":"tools/list","params":{{"_meta":{{{meta},"io.modelcontextprotocol/logLevel":"{level}"}}}}"#
        )
    };
    check(&["= modern", &ask(1, "error"), &debug], below);
    check(&["= modern", &ask(1, "error"), &ask(2, "debug"), &debug], &[]);
    check(
        &[
            "= modern",
            &ask(1, "error"),
            &ask(2, "debug"),
            &debug.replacen('<', "<1", 1),
        ],
        below,
    );
}

#[test]
fn while_a_log_level_changes_the_lower_one_counts() {
    let log = |arrow: &str, level: &str| {
        format!(r#"{arrow} "method":"notifications/message","params":{{"level":"{level}","data":1}}"#)
    };
    let set = |id: u8, level: &str| {
        format!(r#"> "id":{id},"method":"logging/setLevel","params":{{"level":"{level}"}}"#)
    };
    let done = |id: u8| format!(r#"< "id":{id},"result":{{}}"#);
    let ready = r#"> "method":"notifications/initialized""#.to_owned();
    let legacy = |script: &[String], expected: &[&str]| {
        let script = [&["= legacy".to_owned(), ready.clone()], script].concat();
        let script: Vec<&str> = script.iter().map(String::as_str).collect();
        check(&script, expected);
    };
    let below: &[&str] = &["log-below-level"];
    let warning = [set(1, "warning"), done(1)];
    // The server may log with the new level before its answer.
    legacy(
        &[&warning[..], &[set(2, "debug"), log("<", "debug")]].concat(),
        &[],
    );
    let lowered = [&warning[..], &[set(2, "info"), done(2)]].concat();
    legacy(&[&lowered[..], &[log("<", "info")]].concat(), &[]);
    legacy(&[&lowered[..], &[log("<", "debug")]].concat(), below);
    // A call that is pending meanwhile may have been told of the new level.
    let call = r#"> "id":7,"method":"tools/list""#.to_owned();
    let during = [&warning[..], &[call, set(2, "info")]].concat();
    legacy(&[&during[..], &[log("<7", "info")]].concat(), &[]);
    legacy(&[&during[..], &[done(2), log("<7", "info")]].concat(), &[]);
    legacy(&[&during[..], &[done(2), log("<7", "debug")]].concat(), below);
    // Raised again: its stream may carry what was sent before.
    let raised = [&during[..], &[done(2), set(3, "error"), done(3)]].concat();
    legacy(&[&raised[..], &[log("<7", "info")]].concat(), &[]);
    legacy(&[&raised[..], &[log("<", "info")]].concat(), below);
}

#[test]
fn methods_of_the_wrong_side_kind_or_revision_are_reported() {
    let ready = r#"> "method":"notifications/initialized""#;
    let legacy = |message: &str, expected: &[&str]| check(&["= legacy", ready, message], expected);
    legacy(r#"< "id":1,"method":"tools/list""#, &["method-wrong-direction"]);
    legacy(r#"> "id":1,"method":"roots/list""#, &["method-wrong-direction"]);
    legacy(
        r#"< "method":"notifications/initialized""#,
        &["method-wrong-direction"],
    );
    legacy(r#"> "method":"tools/list""#, &["method-kind"]);
    legacy(r#"> "id":1,"method":"server/discover""#, &["method-not-in-era"]);
    let elicitation = r#"< "id":1,"method":"elicitation/create","params":{"message":"m"}"#;
    check(&["= 2025-03-26", ready, elicitation], &["method-not-in-revision"]);
    check(&["= 2025-06-18", ready, elicitation], &[]);
    // Two of the revisions have it, of both eras.
    let task = r#"> "id":1,"method":"tasks/get","params":{"taskId":"t"}"#;
    check(&["= 2025-06-18", ready, task], &["method-not-in-revision"]);
}
