use crate::message::decode;

use super::*;

/// Pairs messages (`>` from the client, `<` from the server; 10 ns apart, Seq from 1) and prints the results.
fn play(era: Era, script: &[&str]) -> (String, Pairing) {
    let mut pairing = Pairing::new();
    pairing.set_era(era);
    let mut lines = Vec::new();
    for (index, line) in script.iter().enumerate() {
        let (arrow, rest) = line.split_at(1);
        let direction = if arrow == ">" {
            Direction::ClientToServer
        } else {
            Direction::ServerToClient
        };
        let text = format!("{{\"jsonrpc\":\"2.0\",{}}}", &rest[1..]);
        let decoded = decode(text.as_bytes());
        let seq = index as u64 + 1;
        let found = pairing.observe(direction, seq, seq * 10, &decoded.messages[0].message);
        let mut told = format!("{seq}:");
        if let Some(request) = found.request_seq {
            told += &format!(
                " answers {request} {} after {:?}",
                found.method.unwrap_or_default(),
                found.latency_ns
            );
        }
        if let Some(related) = found.related {
            told += &format!(" of {related}");
        }
        if found.late {
            told += " late";
        }
        for violation in found.violations {
            told += &format!(" !{} ({})", violation.rule.id(), violation.message);
        }
        lines.push(told);
    }
    (lines.join("\n"), pairing)
}

fn legacy(script: &[&str]) -> String {
    play(Era::Legacy, script).0
}

/// A client rightly leaves them unanswered.
#[test]
fn cancelled_requests_are_not_pending_and_only_the_latest_are_kept() {
    let mut pairing = Pairing::within(Limits {
        open_requests: 3,
        ..Limits::default()
    });
    let mut said = |direction, line: &str| {
        let text = format!(r#"{{"jsonrpc":"2.0",{line}}}"#);
        let decoded = decode(text.as_bytes());
        let found = pairing.observe(direction, 1, 0, &decoded.messages[0].message);
        let rules = found.violations.iter().map(|found| found.rule);
        (found.late, rules.collect::<Vec<_>>())
    };
    for id in 1..=9 {
        let request = format!(r#""id":{id},"method":"ping","params":{{"_meta":{{"progressToken":{id}}}}}"#);
        assert_eq!(said(Direction::ServerToClient, &request), (false, vec![]));
        let cancel = format!(r#""method":"notifications/cancelled","params":{{"requestId":{id}}}"#);
        assert_eq!(said(Direction::ServerToClient, &cancel), (false, vec![]));
    }
    let answer = |id: u32| format!(r#""id":{id},"result":{{}}"#);
    let late = (true, vec![Rule::AnswerAfterCancel]);
    assert_eq!(said(Direction::ClientToServer, &answer(9)), late);
    assert_eq!(
        said(Direction::ClientToServer, &answer(6)).1,
        [Rule::UnknownResponse]
    );
    assert_eq!(pairing.pending().len(), 2);
    assert_eq!(pairing.drain().len(), 2);
}

#[test]
fn each_direction_has_its_own_ids_and_ids_keep_their_type() {
    insta::assert_snapshot!(legacy(&[
        r#"> "id":1,"method":"tools/list""#,
        r#"< "id":1,"method":"roots/list""#,
        r#"> "id":"1","method":"ping""#,
        r#"< "id":1,"result":{}"#,
        r#"> "id":1,"result":{"roots":[]}"#,
        r#"< "id":"1","result":{}"#,
    ]), @"
    1:
    2:
    3:
    4: answers 1 tools/list after Some(30)
    5: answers 2 roots/list after Some(30)
    6: answers 3 ping after Some(30)
    ");
}

#[test]
fn stray_responses_are_distinguished() {
    insta::assert_snapshot!(legacy(&[
        r#"> "id":1,"method":"tools/list""#,
        r#"< "id":"1","result":{}"#,
        r#"< "id":1,"result":{}"#,
        r#"< "id":1,"error":{"code":1,"message":"m"}"#,
        r#"< "id":99,"result":{}"#,
        r#"> "id":1,"method":"ping""#,
        r#"< "error":{"code":-32700,"message":"m"}"#,
    ]), @r#"
    1:
    2: !response-unknown-id (no request has the id "1" of this result; 1 is pending, but that is another id)
    3: answers 1 tools/list after Some(20)
    4: answers 1 tools/list after None late !answered-twice (a second answer (this error) to request #1 (tools/list))
    5: !response-unknown-id (no request has the id 99 of this result)
    6: !id-reused (id 1 was already used by request #1 (tools/list))
    7:
    "#);
}

#[test]
fn a_repeated_id_is_answered_in_order() {
    insta::assert_snapshot!(legacy(&[
        r#"> "id":1,"method":"tools/list""#,
        r#"> "id":1,"method":"prompts/list""#,
        r#"< "id":1,"result":{}"#,
        r#"< "id":1,"result":{}"#,
    ]), @"
    1:
    2: !duplicate-id (id 1 is also that of request #1 (tools/list), which is still pending)
    3: answers 1 tools/list after Some(20)
    4: answers 2 prompts/list after Some(20)
    ");
}

#[test]
fn the_modern_era_allows_reusing_an_answered_id() {
    let script = [
        r#"> "id":1,"method":"ping""#,
        r#"< "id":1,"result":{}"#,
        r#"> "id":1,"method":"ping""#,
    ];
    assert_eq!(play(Era::Modern, &script).0.lines().last(), Some("3:"));
    assert!(legacy(&script).contains("!id-reused"));
}

#[test]
fn cancellation_and_late_responses() {
    insta::assert_snapshot!(legacy(&[
        r#"> "id":0,"method":"initialize""#,
        r#"> "method":"notifications/cancelled","params":{"requestId":0}"#,
        r#"> "id":1,"method":"tools/call""#,
        r#"> "method":"notifications/cancelled","params":{"requestId":1,"reason":"user"}"#,
        r#"< "id":1,"result":{}"#,
        r#"> "method":"notifications/cancelled","params":{"requestId":1}"#,
        r#"> "method":"notifications/cancelled","params":{"requestId":77}"#,
        r#"> "method":"notifications/cancelled","params":{}"#,
    ]), @"
    1:
    2: of 1 !cancel-initialize (`initialize` must not be cancelled)
    3:
    4: of 3
    5: answers 3 tools/call after Some(20) late !answer-after-cancel (it came after the request was cancelled (the two may have crossed))
    6: of 3
    7: !cancel-unknown-request (no request has the id 77)
    8:
    ");
}

#[test]
fn only_the_sender_of_a_request_may_cancel_it() {
    let script = [
        r#"> "id":1,"method":"tools/call""#,
        r#"< "method":"notifications/cancelled","params":{"requestId":1}"#,
        r#"< "id":1,"result":{}"#,
    ];
    insta::assert_snapshot!(legacy(&script), @"
    1:
    2: of 1 !cancel-unknown-request (request #1 with the id 1 is of the other side, which alone may cancel it)
    3: answers 1 tools/call after Some(20)
    ");
    // With the same id, it is that of its sender.
    let both = [
        r#"> "id":1,"method":"tools/call""#,
        r#"< "id":1,"method":"roots/list""#,
        r#"< "method":"notifications/cancelled","params":{"requestId":1}"#,
    ];
    assert_eq!(legacy(&both).lines().last(), Some("3: of 2"));
}

#[test]
fn a_long_method_is_not_kept_whole() {
    let mut pairing = Pairing::new();
    let request = Message::Request {
        id: 1.into(),
        method: "m".repeat(1_000_000).into(),
        params: None,
    };
    pairing.observe(Direction::ClientToServer, 1, 0, &request);
    let kept = pairing.pending()[0].method.len();
    assert!(kept <= crate::limits::TEXT_BYTES + 3, "{kept}");
}

#[test]
fn progress_belongs_to_the_request_with_the_token() {
    insta::assert_snapshot!(legacy(&[
        r#"> "id":1,"method":"tools/call","params":{"_meta":{"progressToken":"t"}}"#,
        r#"< "method":"notifications/progress","params":{"progressToken":"t","progress":1}"#,
        r#"< "method":"notifications/progress","params":{"progressToken":"t","progress":1}"#,
        r#"< "method":"notifications/progress","params":{"progressToken":"t","progress":0.5}"#,
        r#"< "method":"notifications/progress","params":{"progressToken":"t","progress":2}"#,
        r#"< "method":"notifications/progress","params":{"progressToken":"other","progress":1}"#,
        r#"> "id":2,"method":"tools/call","params":{"_meta":{"progressToken":"t"}}"#,
        r#"< "id":1,"result":{}"#,
        r#"< "id":2,"result":{}"#,
        r#"< "method":"notifications/progress","params":{"progressToken":"t","progress":3}"#,
    ]), @r#"
    1:
    2: of 1
    3: of 1 !progress-not-increasing (progress 1 after 1)
    4: of 1 !progress-not-increasing (progress 0.5 after 1)
    5: of 1
    6: !progress-unknown-token (no pending request has the token "other")
    7: !progress-token-reused (progress token "t" is also that of request 1, which is still pending)
    8: answers 1 tools/call after Some(70)
    9: answers 7 tools/call after Some(20)
    10: of 7 !progress-after-answer (progress for request #7 (tools/call) after its answer)
    "#);
}

#[test]
fn notifications_belong_to_their_subscription() {
    let (told, _) = play(
        Era::Modern,
        &[
            r#"> "id":5,"method":"subscriptions/listen","params":{"notifications":{}}"#,
            r#"< "method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":5},"notifications":{}}"#,
            r#"< "method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":5}}"#,
            r#"< "method":"notifications/cancelled","params":{"requestId":5}"#,
            r#"< "id":5,"result":{"resultType":"complete"}"#,
        ],
    );
    insta::assert_snapshot!(told, @"
    1:
    2: of 1
    3: of 1
    4: of 1
    5: answers 1 subscriptions/listen after Some(40)
    ");
}

#[test]
fn pending_requests_are_listed_and_drained_oldest_first() {
    let (_, mut pairing) = play(
        Era::Legacy,
        &[
            r#"> "id":1,"method":"a""#,
            r#"< "id":1,"method":"b""#,
            r#"> "id":2,"method":"c""#,
            r#"< "id":1,"result":{}"#,
        ],
    );
    let methods = |pending: Vec<&Pending>| {
        pending
            .iter()
            .map(|one| format!("{} {}", one.seq, one.method))
            .collect::<Vec<_>>()
    };
    assert_eq!(methods(pairing.pending()), ["2 b", "3 c"]);
    let drained = pairing.drain();
    assert_eq!(methods(drained.iter().collect()), ["2 b", "3 c"]);
    assert!(pairing.pending().is_empty());
}

#[test]
fn memory_of_answered_requests_is_bounded() {
    let mut pairing = Pairing::new();
    for number in 0..5_000_u64 {
        let id = i64::try_from(number).expect("small");
        let request = Message::Request {
            id: id.into(),
            method: "ping".into(),
            params: None,
        };
        pairing.observe(Direction::ClientToServer, number, number, &request);
        let answer = Message::Response {
            id: Some(id.into()),
            outcome: Outcome::Result("{}"),
        };
        pairing.observe(Direction::ServerToClient, number, number, &answer);
    }
    let answer = |id: i64| Message::Response {
        id: Some(id.into()),
        outcome: Outcome::Result("{}"),
    };
    let rule = |pairing: &mut Pairing, id| {
        pairing
            .observe(Direction::ServerToClient, 9_999, 0, &answer(id))
            .violations[0]
            .rule
    };
    assert_eq!(rule(&mut pairing, 4_999), Rule::AnsweredTwice);
    assert_eq!(
        rule(&mut pairing, 10),
        Rule::UnknownResponse,
        "no longer remembered"
    );
}

#[test]
fn progress_of_a_task_continues_after_its_creation() {
    let mut pairing = Pairing::new();
    let mut observe = |direction, seq, text: &str| {
        let text = format!("{{\"jsonrpc\":\"2.0\",{text}}}");
        let decoded = decode(text.as_bytes());
        let found = pairing.observe(direction, seq, seq, &decoded.messages[0].message);
        if text.contains("taskId") {
            pairing.became_task(Direction::ClientToServer, &RequestId::Int(1), "t1");
        }
        let rules = found.violations.into_iter().map(|violation| violation.rule);
        (found.related, found.task, rules.collect::<Vec<_>>())
    };
    let task = || Some("t1".to_owned());
    let progress = r#""method":"notifications/progress","params":{"progressToken":1,"progress":"#;
    let (from_client, from_server) = (Direction::ClientToServer, Direction::ServerToClient);
    observe(
        from_client,
        1,
        r#""id":1,"method":"tools/call","params":{"_meta":{"progressToken":1},"task":{}}"#,
    );
    observe(
        from_server,
        2,
        r#""id":1,"result":{"task":{"taskId":"t1","status":"working"}}"#,
    );
    assert_eq!(
        observe(from_server, 3, &format!("{progress}1}}")),
        (Some(1), task(), Vec::new())
    );
    let back = (Some(1), task(), vec![Rule::ProgressNotIncreasing]);
    assert_eq!(observe(from_server, 4, &format!("{progress}1}}")), back);
    pairing.set_era(Era::Modern);
    let text = format!("{{\"jsonrpc\":\"2.0\",{progress}1.5}}}}");
    let modern = pairing.observe(from_server, 5, 5, &decode(text.as_bytes()).messages[0].message);
    assert_eq!((modern.related, modern.task), (Some(1), task()));
    assert_eq!(modern.violations[0].rule, Rule::ProgressAfterAnswer);
    pairing.set_era(Era::Legacy);
    pairing.task_ended(from_client, "t1");
    let text = format!("{{\"jsonrpc\":\"2.0\",{progress}2}}}}");
    let late = pairing.observe(from_server, 5, 5, &decode(text.as_bytes()).messages[0].message);
    assert_eq!(late.violations[0].rule, Rule::ProgressAfterAnswer);
}
