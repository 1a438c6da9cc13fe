//! Valid traffic that looks invalid has no violations.

use super::*;

const DISCOVERY: [(Direction, &str); 2] = [
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
