//! What is wrong within params, results and errors is found in every method and in both directions.

mod valid;

use patchbay_protocol::Violation;

use super::*;

const HANDSHAKE: [(Direction, &str); 3] = [
    (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"c","version":"1"}}}"#,
    ),
    (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{},"resources":{"subscribe":true},"completions":{}},"serverInfo":{"name":"s","version":"1"}}}"#,
    ),
    (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ),
];

/// Where a request of `sender` and its answer have violations.
fn found(sender: Direction, request: &str, answer: &str) -> Vec<String> {
    let request = format!(r#"{{"jsonrpc":"2.0","id":1,{request}}}"#);
    let answer = format!(r#"{{"jsonrpc":"2.0","id":1,{answer}}}"#);
    let said = [(sender, request.as_str()), (sender.reverse(), answer.as_str())];
    let violations = violations(&[&HANDSHAKE[..], &said].concat());
    violations
        .into_iter()
        .filter_map(|violation| violation.pointer)
        .collect()
}

/// The violations of a connection over a pipe.
fn violations(said: &[(Direction, &str)]) -> Vec<Violation> {
    let frames = said.iter().zip(1..);
    let findings = check(frames.map(|((direction, text), seq)| TranscriptFrame {
        seq,
        direction: *direction,
        at_ns: seq,
        bytes: text.as_bytes(),
        http: None,
        operation: None,
        members: &[],
    }));
    findings
        .into_iter()
        .flat_map(|finding| finding.description.violations)
        .collect()
}

/// For requests of `sender`: the request, its result, and where the only violation of both is.
fn assert_found(sender: Direction, requests: &[(&str, &str, &str)]) {
    for (request, result, pointer) in requests {
        let found = found(sender, request, &format!(r#""result":{result}"#));
        assert_eq!(found, [*pointer], "{request}");
    }
}

#[test]
fn a_result_of_every_method_is_examined() {
    let results = [
        (
            r#""method":"prompts/list""#,
            r#"{"prompts":[{"name":1}]}"#,
            "/result/prompts/0/name",
        ),
        (
            r#""method":"prompts/get","params":{"name":"p"}"#,
            r#"{"messages":[{"role":"nobody","content":{"type":"text","text":""}}]}"#,
            "/result/messages/0/role",
        ),
        (
            r#""method":"resources/list""#,
            r#"{"resources":[{"name":"r","uri":1}]}"#,
            "/result/resources/0/uri",
        ),
        (
            r#""method":"resources/templates/list""#,
            r#"{"resourceTemplates":[{"name":"r","uriTemplate":1}]}"#,
            "/result/resourceTemplates/0/uriTemplate",
        ),
        (
            r#""method":"resources/read","params":{"uri":"a:b"}"#,
            r#"{"contents":[{"uri":"a:b","text":1}]}"#,
            "/result/contents/0/text",
        ),
        (
            r#""method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}"#,
            r#"{"completion":{"values":[1]}}"#,
            "/result/completion/values/0",
        ),
        (
            r#""method":"tools/list""#,
            r#"{"tools":[{"name":"t","inputSchema":{"type":"object"},"title":1}]}"#,
            "/result/tools/0/title",
        ),
        (
            r#""method":"tools/list""#,
            r#"{"tools":[{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}]}"#,
            "/result/tools/0/outputSchema",
        ),
        (
            r#""method":"tools/call","params":{"name":"t"}"#,
            r#"{"content":[{"type":"text","text":1}]}"#,
            "/result/content/0/text",
        ),
    ];
    assert_found(Direction::ClientToServer, &results);
}

#[test]
fn params_of_a_server_and_results_of_a_client_are_examined() {
    let asked = [
        (
            r#""method":"roots/list""#,
            r#"{"roots":[{"uri":1}]}"#,
            "/result/roots/0/uri",
        ),
        (
            r#""method":"sampling/createMessage","params":{"maxTokens":1,"messages":[]}"#,
            r#"{"role":"assistant","model":1,"content":{"type":"text","text":""}}"#,
            "/result/model",
        ),
        (
            r#""method":"sampling/createMessage","params":{"maxTokens":"1","messages":[]}"#,
            r#"{"role":"assistant","model":"m","content":{"type":"text","text":""}}"#,
            "/params/maxTokens",
        ),
        (
            r#""method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}"#,
            r#"{"action":"perhaps"}"#,
            "/result/action",
        ),
    ];
    assert_found(Direction::ServerToClient, &asked);
}

/// The result of a task is that of the request that it was created for.
#[test]
fn the_result_of_a_task_is_examined() {
    let of = r#""method":"tasks/result","params":{"taskId":"t"}"#;
    let related = r#""_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}"#;
    let called = format!(r#"{{"content":[{{"type":"text","text":1}}],{related}}}"#);
    assert_found(
        Direction::ClientToServer,
        &[(of, &called, "/result/content/0/text")],
    );
    let sampled = format!(r#"{{"role":"user","model":1,"content":{{"type":"text","text":""}},{related}}}"#);
    let elicited = format!(r#"{{"action":"perhaps",{related}}}"#);
    assert_found(
        Direction::ServerToClient,
        &[(of, &sampled, "/result/model"), (of, &elicited, "/result/action")],
    );
}

#[test]
fn an_argument_that_is_called_task_does_not_hide_the_answer() {
    let asked =
        r#""method":"sampling/createMessage","params":{"maxTokens":1,"messages":[],"metadata":{"task":1}}"#;
    let wrong = r#"{"role":"assistant","model":1,"content":{"type":"text","text":""}}"#;
    assert_found(Direction::ServerToClient, &[(asked, wrong, "/result/model")]);
    // Nor does one that is a task, unless the answer is.
    let as_task = r#""method":"sampling/createMessage","params":{"maxTokens":1,"messages":[],"task":{}}"#;
    assert_found(Direction::ServerToClient, &[(as_task, wrong, "/result/model")]);
    let created = r#"{"task":{"taskId":"t","status":"working","createdAt":"","lastUpdatedAt":"","ttl":1.5}}"#;
    assert_found(
        Direction::ServerToClient,
        &[(as_task, created, "/result/task/ttl")],
    );
}

/// A modern connection whose handshake has these capabilities of the client, with a call and its answer.
fn modern(handshake: &str, request: &str, call: &str, answer: &str) -> Vec<Violation> {
    let with = |method: &str, client: &str, more: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{more}"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{client}}}}}}}"#
        )
    };
    let discover = with("server/discover", handshake, "");
    let (method, more) = call.split_once(' ').unwrap_or((call, ""));
    let call = with(method, request, more);
    let answer = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{answer}}}"#);
    let (client, server) = (Direction::ClientToServer, Direction::ServerToClient);
    violations(&[
        (client, &discover),
        (
            server,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"private"}}"#,
        ),
        (client, &call),
        (server, &answer),
    ])
}

#[test]
fn the_capabilities_of_a_modern_request_count() {
    let rules = |handshake: &str, request: &str, answer: &str| {
        let found = modern(handshake, request, r#"tools/call "name":"t","#, answer);
        found.into_iter().map(|found| found.rule.id()).collect::<Vec<_>>()
    };
    let nothing: [&str; 0] = [];
    let tasks = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
    let task = r#"{"resultType":"task","taskId":"t","status":"working","createdAt":"","lastUpdatedAt":"","ttlMs":1}"#;
    assert_eq!(rules("{}", tasks, task), nothing);
    assert_eq!(rules(tasks, "{}", task), ["result-type-unknown"]);
    let input = r#"{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}"#;
    assert_eq!(rules("{}", r#"{"roots":{}}"#, input), nothing);
    assert_eq!(rules(r#"{"roots":{}}"#, "{}", input), ["undeclared-capability"]);
}

#[test]
fn an_unknown_mode_of_elicitation_is_no_undeclared_capability() {
    let rules = |mode: &str| {
        let asked = format!(
            r#"{{"resultType":"input_required","inputRequests":{{"a":{{"method":"elicitation/create","params":{{"mode":"{mode}","message":"m","url":"https://a/b","requestedSchema":{{"type":"object","properties":{{}}}}}}}}}}}}"#
        );
        let found = modern(
            "{}",
            r#"{"elicitation":{"form":{}}}"#,
            r#"tools/call "name":"t","#,
            &asked,
        );
        found.into_iter().map(|found| found.rule.id()).collect::<Vec<_>>()
    };
    assert_eq!(rules("dance"), ["member-value"]);
    assert_eq!(rules("url"), ["undeclared-capability"]);
}

#[test]
fn the_result_within_a_modern_task_is_examined() {
    let tasks = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
    let within = |result: &str| {
        let task = format!(
            r#"{{"resultType":"complete","taskId":"t","status":"completed","createdAt":"","lastUpdatedAt":"","ttlMs":1,"result":{result}}}"#
        );
        let found = modern(tasks, tasks, r#"tasks/get "taskId":"t","#, &task);
        let pointers = found.into_iter().filter_map(|found| found.pointer);
        pointers.collect::<Vec<_>>()
    };
    let nothing: [&str; 0] = [];
    assert_eq!(within(r#"{"content":[]}"#), nothing);
    assert_eq!(
        within(r#"{"content":[{"type":"text","text":1}],"isError":1}"#),
        ["/result/result/isError", "/result/result/content/0/text"]
    );
}

/// The rules and places of violations.
fn places(found: &[Violation]) -> Vec<String> {
    let place = |one: &Violation| format!("{} {}", one.rule.id(), one.pointer.as_deref().unwrap_or("-"));
    found.iter().map(place).collect()
}

#[test]
fn what_a_task_asks_for_is_examined_like_any_request_for_input() {
    let tasks = r#"{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
    let asking = |asked: &str| {
        let task = format!(
            r#"{{"resultType":"complete","taskId":"t","status":"input_required","createdAt":"","lastUpdatedAt":"","ttlMs":1,"inputRequests":{{"a":{asked}}}}}"#
        );
        places(&modern("{}", tasks, r#"tasks/get "taskId":"t","#, &task))
    };
    let form = |field: &str| {
        format!(
            r#"{{"method":"elicitation/create","params":{{"message":"m","requestedSchema":{{"type":"object","properties":{{"n":{field}}}}}}}}}"#
        )
    };
    assert_eq!(asking(&form(r#"{"type":"string"}"#)), [""; 0]);
    assert_eq!(
        asking(&form(r#"{"type":"object"}"#)),
        ["elicitation-schema /result/inputRequests/a/params/requestedSchema/properties/n/type"]
    );
    assert_eq!(
        asking(r#"{"method":"sampling/createMessage","params":{"messages":[]}}"#),
        [
            "undeclared-capability /result/inputRequests/a",
            "member-missing /result/inputRequests/a/params/maxTokens"
        ]
    );
}

#[test]
fn a_task_in_a_notification_is_examined() {
    let task = r#"{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"t","status":"completed","createdAt":"","lastUpdatedAt":"","result":{"content":[{"type":"text","text":1}]}}}"#;
    let said = [&valid::DISCOVERY[..], &[(Direction::ServerToClient, task)]].concat();
    assert_eq!(
        places(&violations(&said)),
        [
            "subscription-id-missing /params/_meta/io.modelcontextprotocol~1subscriptionId",
            "member-missing /params/ttlMs",
            "content-malformed /params/result/content/0/text"
        ]
    );
}

#[test]
fn an_error_without_an_id_is_wrong_if_all_requests_could_be_read() {
    let (client, server) = (Direction::ClientToServer, Direction::ServerToClient);
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let error = r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"m"}}"#;
    let is_wrong = |revision: &str, sent: &str| {
        let agreed = HANDSHAKE[1].1.replace("2025-11-25", revision);
        let said = [
            HANDSHAKE[0],
            (server, &agreed),
            HANDSHAKE[2],
            (client, sent),
            (server, error),
        ];
        let found = violations(&said);
        found.iter().any(|found| found.rule.id() == "response-without-id")
    };
    assert!(is_wrong("2025-11-25", list));
    assert!(is_wrong("2025-06-18", list));
    for unread in ["{", "[]", r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#] {
        assert!(!is_wrong("2025-11-25", unread), "{unread}");
        assert!(is_wrong("2025-06-18", unread), "{unread}");
    }
    // The violation of `null` says enough.
    let null = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"m"}}"#;
    let said = [&HANDSHAKE[..], &[(client, list), (server, null)]].concat();
    assert_eq!(places(&violations(&said)), ["id-null /id"]);
}

#[test]
fn initialize_is_never_in_a_batch() {
    let asked = HANDSHAKE[0].1.replace("2025-11-25", "2025-03-26");
    let batch = format!("[{asked}]");
    let agreed = HANDSHAKE[1].1.replace("2025-11-25", "2025-03-26");
    let ping = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;
    let (client, server) = (Direction::ClientToServer, Direction::ServerToClient);
    let said = |first: &str| {
        let said = [(client, first), (server, &agreed), HANDSHAKE[2], (client, ping)];
        places(&violations(&said))
    };
    assert_eq!(said(&asked), [""; 0]);
    assert_eq!(said(&batch), ["batch-not-allowed -"]);
}

/// Which of the requests in a batch a response belongs to is not known, neither live nor in a recording.
#[test]
fn a_response_to_a_batch_over_http_is_given_to_none_of_its_requests() {
    let sent = |several: bool| {
        let one = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        if several {
            format!("[{one}]")
        } else {
            one.to_owned()
        }
    };
    let answered = |several: bool| {
        let sent = sent(several);
        let error = r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"m"}}"#;
        let (client, server) = (Direction::ClientToServer, Direction::ServerToClient);
        let frames = [
            (1, client, &*sent, (3, None, None)),
            (4, server, error, (3, Some(400), Some(1))),
        ];
        let findings = check(frames.map(|(seq, direction, text, http)| TranscriptFrame {
            seq,
            direction,
            at_ns: seq,
            bytes: text.as_bytes(),
            http: Some(http),
            operation: None,
            members: &[],
        }));
        findings
            .into_iter()
            .last()
            .and_then(|last| last.description.rpc_id)
    };
    assert_eq!(answered(false).as_deref(), Some("1"));
    assert_eq!(answered(true), None);
}

#[test]
fn an_error_is_examined() {
    let found = found(
        Direction::ClientToServer,
        r#""method":"tools/call","params":{"name":"t"}"#,
        r#""error":{"code":-32042,"message":"m","data":{}}"#,
    );
    assert_eq!(found, ["/error/data/elicitations"]);
}

#[test]
fn members_that_a_discover_result_lacks_are_reported_once() {
    let ask = r#"{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let answer =
        r#"{"jsonrpc":"2.0","id":0,"result":{"resultType":"complete","supportedVersions":["2026-07-28"]}}"#;
    let asked = [
        (Direction::ClientToServer, ask),
        (Direction::ServerToClient, answer),
    ];
    let lacking = [
        "handshake-member /result/capabilities",
        "cache-hint-missing /result/ttlMs",
        "cache-hint-missing /result/cacheScope",
    ];
    assert_eq!(places(&violations(&asked)), lacking);
    // A later one is answered when the era is known.
    let again = places(&violations(&[asked, asked].concat()));
    let (first, mut later) = (&again[..3], again[3..].to_vec());
    assert_eq!(first, lacking);
    later.sort();
    let mut lacking = lacking;
    lacking.sort();
    assert_eq!(later, lacking);
}
