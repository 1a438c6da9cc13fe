//! Valid traffic that looks invalid has no violations.

use super::*;

pub(super) const DISCOVERY: [(Direction, &str); 2] = [
    (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
    ),
    (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","id":0,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private"}}"#,
    ),
];

fn rules(said: &[(Direction, &str)]) -> Vec<&'static str> {
    violations(said).iter().map(|found| found.rule.id()).collect()
}

/// A notification of a subscription that the server sent before it knew that the client had cancelled it.
#[test]
fn a_notification_may_cross_the_cancellation_of_its_subscription() {
    let listen = (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
    );
    let granted = (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#,
    );
    let changed = (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#,
    );
    let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let by = |sender: Direction, rest: &[(Direction, &str)]| {
        let subscribed = [listen, granted, changed, (sender, cancelled), changed];
        rules(&[&DISCOVERY[..], &subscribed, rest].concat())
    };
    let nothing: [&str; 0] = [];
    assert_eq!(by(Direction::ClientToServer, &[]), nothing);
    // The server ends what the client has cancelled too, as it must.
    let ended = (Direction::ServerToClient, cancelled);
    assert_eq!(by(Direction::ClientToServer, &[ended]), nothing);
    // A server that ends the subscription, or answers, knows that it has ended.
    assert_eq!(by(Direction::ServerToClient, &[]), ["subscription-unknown"]);
    let answer = (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#,
    );
    assert_eq!(
        by(Direction::ClientToServer, &[answer, changed]),
        ["subscription-unknown"]
    );
    assert_eq!(
        rules(&[&DISCOVERY[..], &[changed]].concat()),
        ["subscription-unknown"]
    );
}

/// While the result of a task is awaited, the response may also carry requests that are not for this task.
#[test]
fn only_what_a_task_may_need_must_name_it() {
    let awaited = r#"{"jsonrpc":"2.0","id":1,"method":"tasks/result","params":{"taskId":"t"}}"#;
    let within = |request: &str| -> Vec<String> {
        let request = format!(r#"{{"jsonrpc":"2.0","id":7,{request}}}"#);
        let said = [
            HANDSHAKE[0],
            HANDSHAKE[1],
            HANDSHAKE[2],
            (Direction::ClientToServer, awaited),
            (Direction::ServerToClient, &request),
        ];
        let frames = said
            .iter()
            .zip(1..)
            .map(|((direction, text), seq)| TranscriptFrame {
                seq,
                direction: *direction,
                at_ns: seq,
                bytes: text.as_bytes(),
                http: Some((seq.min(4), None, (seq == 5).then_some(4))),
                operation: None,
                members: &[],
            });
        let found = check(frames)
            .into_iter()
            .flat_map(|one| one.description.violations);
        found.map(|one| one.rule.id().to_owned()).collect()
    };
    let missing = "related-task-missing";
    assert!(!within(r#""method":"ping""#).contains(&missing.to_owned()));
    for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
        let found = within(&format!(
            r#""method":"{method}","params":{{"taskId":"of the client"}}"#
        ));
        assert!(!found.contains(&missing.to_owned()), "{method}: {found:?}");
    }
    let list = within(r#""method":"tasks/list""#);
    assert!(!list.contains(&missing.to_owned()), "{list:?}");
    for method in ["roots/list", "elicitation/create", "sampling/createMessage"] {
        let found = within(&format!(r#""method":"{method}","params":{{}}"#));
        assert!(found.contains(&missing.to_owned()), "{method}: {found:?}");
    }
}

/// A member that the revision does not have may be anything.
#[test]
fn members_of_later_revisions_have_no_type() {
    let asked = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
    let listed = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object"},"title":1,"annotations":[],"execution":1,"outputSchema":1}]}}"#;
    let in_revision = |revision: &str| {
        let answer = format!(
            r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"{revision}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"s","version":"1"}}}}}}"#
        );
        let (client, server) = (Direction::ClientToServer, Direction::ServerToClient);
        let said = [
            (client, asked),
            (server, &answer),
            HANDSHAKE[2],
            (
                client,
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":1}}}"#,
            ),
            (
                server,
                r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1,"message":1}}"#,
            ),
            (server, listed),
        ];
        let pointers = violations(&said).into_iter().filter_map(|found| found.pointer);
        pointers
            .map(|pointer| pointer.replace("/result/tools/0", ""))
            .collect::<Vec<_>>()
    };
    let nothing: [&str; 0] = [];
    assert_eq!(in_revision("2024-11-05"), nothing);
    assert_eq!(in_revision("2025-03-26"), ["/params/message", "/annotations"]);
    assert_eq!(
        in_revision("2025-06-18"),
        ["/params/message", "/title", "/outputSchema", "/annotations"]
    );
    assert_eq!(in_revision("2025-11-25").len(), 5);
}

/// So it is in the result of a handshake.
#[test]
fn members_of_later_revisions_have_no_type_in_a_handshake() {
    let of = |revision: &str| {
        let params = r#""params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#;
        let asked = format!(r#"{{"jsonrpc":"2.0","id":0,"method":"initialize",{params}}}"#);
        let answer = format!(
            r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"{revision}","capabilities":{{}},"serverInfo":{{"name":"s","version":"1","title":null}}}}}}"#
        );
        rules(&[
            (Direction::ClientToServer, &asked),
            (Direction::ServerToClient, &answer),
        ])
    };
    assert_eq!(of("2024-11-05"), [""; 0]);
    assert_eq!(of("2025-06-18"), ["member-type"]);
}

/// Over HTTP, progress that came in another response than the answer may have been sent before it.
#[test]
fn progress_may_arrive_after_the_answer_of_another_response() {
    let call =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":1}}}"#;
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#;
    let progress =
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;
    let other = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    let (client, server) = (Direction::ClientToServer, Direction::ServerToClient);
    let said = [
        HANDSHAKE[0],
        HANDSHAKE[1],
        HANDSHAKE[2],
        (client, call),
        (client, other),
        (server, answer),
        (server, progress),
    ];
    let with = |progress: Option<Option<u64>>| -> Vec<&str> {
        let frames = said.iter().zip(1..).map(|((direction, text), seq)| {
            let reply_to = match seq {
                6 => Some(Some(4)),
                7 => progress,
                _ => Some(None),
            };
            TranscriptFrame {
                seq,
                direction: *direction,
                at_ns: seq,
                bytes: text.as_bytes(),
                http: reply_to.map(|reply_to| (seq, None, reply_to)),
                operation: None,
                members: &[],
            }
        });
        let found = check(frames)
            .into_iter()
            .flat_map(|one| one.description.violations);
        found.map(|one| one.rule.id()).collect()
    };
    let nothing: [&str; 0] = [];
    assert_eq!(with(Some(None)), nothing, "the listening stream");
    assert_eq!(with(Some(Some(5))), nothing, "the response to another request");
    assert_eq!(
        with(Some(Some(4))),
        ["progress-after-answer"],
        "the same response"
    );
    assert_eq!(with(None), ["progress-after-answer"], "a pipe");
}
