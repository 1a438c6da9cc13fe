//! Raw messages of the user to an HTTP server.

use patchbay_client::{EraChoice, Outcome, RawMessage};
use patchbay_traffic::{Row, Status};

use super::{ready, server::Server};
use crate::client::run_test;

/// Sends the texts one by one; returns their part of the transcript. Afterwards the connection must still work.
async fn crossed(era: EraChoice, texts: &[&str]) -> String {
    let server = Server::start("fair");
    let session = ready(&server, era).await;
    session.settle().await;
    let before = session.transcript().await.lines().count();
    for text in texts {
        let message = RawMessage {
            text: (*text).to_owned(),
            operation: None,
            repeats: None,
        };
        let seq = session.connection.send_message(message).await.unwrap();
        let is_open = |row: &Row| row.status == Some(Status::Pending);
        let is_carried = |row: &Row| row.http.is_some() && row.seq == seq;
        loop {
            let rows = session.rows().await;
            if rows.iter().any(is_carried) && !rows.iter().any(is_open) {
                break;
            }
            tokio::task::yield_now().await;
        }
    }
    let crossed = session.transcript().await;
    assert_eq!(session.call("echo").await.outcome, Outcome::Result);
    session.connection.close().await;
    let crossed: Vec<&str> = crossed.lines().skip(before).collect();
    server.anonymous(&crossed.join("\n"))
}

#[test]
fn a_raw_message_is_posted_and_its_response_is_paired() {
    let texts = [
        r#"{"jsonrpc":"2.0","id":"mine","method":"tools/call","params":{"name":"echo"}}"#,
        r#"{"jsonrpc":"2.0","id":"page","method":"tools/call","params":{"name":"html"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/x"}"#,
        "not JSON",
    ];
    insta::assert_snapshot!(run_test(crossed(EraChoice::Legacy, &texts)), @r##"
    > 5 request tools/call #"mine" ok =7 {"jsonrpc":"2.0","id":"mine","method":"tools/call","params":{"name":"echo"}}
    > 6 POST http://server/mcp → 200 application/json ok
    < 7 response tools/call #"mine" ok =5 {"jsonrpc":"2.0","id":"mine","result":{"content":[{"type":"text","text":"null"}]}}
    > 8 request tools/call #"page" error {"jsonrpc":"2.0","id":"page","method":"tools/call","params":{"name":"html"}}
    > 9 POST http://server/mcp → 200 text/html ok <!doctype html><p>Please sign in.
    > 10 note notifications/x {"jsonrpc":"2.0","method":"notifications/x"}
    > 11 POST http://server/mcp → 202 ok
    > 12 invalid !not-json not JSON
    > 13 POST http://server/mcp → 202 ok
    "##);
    insta::assert_snapshot!(run_test(crossed(EraChoice::Modern, &texts[..1])), @r##"
    > 3 request tools/call #"mine" ok =5 !meta-missing !meta-missing {"jsonrpc":"2.0","id":"mine","method":"tools/call","params":{"name":"echo"}}
    > 4 POST http://server/mcp → 200 application/json ok
    < 5 response tools/call #"mine" ok =3 !result-type-missing {"jsonrpc":"2.0","id":"mine","result":{"content":[{"type":"text","text":"null"}]}}
    "##);
}
