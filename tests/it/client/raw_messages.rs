//! Raw messages of the user: they are sent verbatim, their responses complete their records, and calls continue.

use patchbay_client::{EraChoice, Outcome, RawMessage};
use patchbay_traffic::{Row, Status};

use super::session::{Session, call, run_test};

/// The text as a raw message.
fn raw(text: &str) -> RawMessage {
    RawMessage {
        text: text.to_owned(),
        operation: None,
        repeats: None,
    }
}

#[test]
fn a_raw_message_is_sent_and_its_response_is_paired() {
    let transcript = run_test(async {
        let (session, _) = Session::scripted(&["legacy"], EraChoice::Legacy).await;
        let request =
            r#"{"jsonrpc":"2.0","id":"mine","method":"tools/call","params":{"name":"echo","n":1.10}}"#;
        let seq = session.connection.send_message(raw(request)).await.unwrap();
        let is_open = |row: &Row| row.seq == seq && row.status == Some(Status::Pending);
        while session.rows().await.iter().any(is_open) {
            tokio::task::yield_now().await;
        }
        for text in [
            "{\"jsonrpc\":\"2.0\",\n \"method\":\"notifications/x\"}",
            r#"{"jsonrpc":"2.0","id":9,"result":{}}"#,
            "not JSON",
        ] {
            session.connection.send_message(raw(text)).await.unwrap();
        }
        let finished = session.request(call("echo")).await;
        assert_eq!(finished.outcome, Outcome::Result);
        session.connection.close().await;
        session.transcript().await
    });
    let crossed: Vec<&str> = transcript.lines().skip(3).collect();
    insta::assert_snapshot!(crossed.join("\n"), @r##"
    > 3 request tools/call #"mine" ok =4 {"jsonrpc":"2.0","id":"mine","method":"tools/call","params":{"name":"echo","n":1.10}}
    < 4 response tools/call #"mine" ok =3 {"jsonrpc":"2.0","id":"mine","result":{"content":[{"type":"text","text":"null"}]}}
    > 5 note notifications/x {"jsonrpc":"2.0",  "method":"notifications/x"}
    > 6 response #9 ok !response-unknown-id {"jsonrpc":"2.0","id":9,"result":{}}
    > 7 invalid !not-json not JSON
    > 8 request tools/call #2 ok =9 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}}
    < 9 response tools/call #2 ok =8 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"null"}]}}
    "##);
}

#[test]
fn a_request_without_a_response_ends_with_its_connection() {
    run_test(async {
        let (session, _) = Session::scripted(&["legacy"], EraChoice::Legacy).await;
        let silent = r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"never"}}"#;
        let seq = session.connection.send_message(raw(silent)).await.unwrap();
        session.connection.close().await;
        let rows = session.rows().await;
        let row = rows.iter().find(|row| row.seq == seq).unwrap();
        assert_eq!(row.status, Some(Status::Lost));
        let refused = session.connection.send_message(raw(silent)).await.unwrap_err();
        assert!(refused.contains("closed"), "{refused}");
    });
}
