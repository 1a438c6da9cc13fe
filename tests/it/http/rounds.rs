//! Incomplete results: `resultType`, input rounds and their state (2026-07-28).

use patchbay_client::{ConnectOptions, EraChoice, Finished, InputReply, InputRequest};
use patchbay_protocol::limits::Limits;
use patchbay_protocol::views::ClientCapabilities;
use tokio::sync::mpsc;

use super::{Session, call, called, ended, options, server::Server};
use crate::client::run_test;

/// How a call ends if nothing answers input requests.
fn alone(tool: &'static str) -> String {
    run_test(called("fair", EraChoice::Modern, call(tool)))
}

macro_rules! results {
    ($($name:ident: $tool:literal, @$expected:literal;)+) => {
        $(#[test] fn $name() { insta::assert_snapshot!(alone($tool), @$expected); })+
    };
}

results! {
    a_type_that_nobody_knows: "odd-type", @r#"
    UnknownResultType("perhaps")
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"odd-type"}}
    > 4 POST http://server/mcp → 200 application/json ok
    < 5 response tools/call #2 ok =3 !result-type-unknown {"jsonrpc":"2.0","id":2,"result":{"resultType":"perhaps","content":[{"type":"text","text":"perhaps"}]}}
    "#;
    a_type_that_is_a_number: "number-type", @r#"
    UnknownResultType("1")
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"number-type"}}
    > 4 POST http://server/mcp → 200 application/json ok
    < 5 response tools/call #2 ok =3 !result-type-unknown {"jsonrpc":"2.0","id":2,"result":{"resultType":1,"content":[{"type":"text","text":"one"}]}}
    "#;
    no_type: "no-type", @r#"
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"no-type"}}
    > 4 POST http://server/mcp → 200 application/json ok
    < 5 response tools/call #2 ok =3 !result-type-missing {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"plain"}]}}
    "#;
    input_that_nobody_can_give: "state", @r#"
    InputRequired("elicitation/create: Method not found: elicitation/create; this client did not declare `elicitation`")
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"state"}}
    > 4 POST http://server/mcp → 200 application/json ok
    < 5 response tools/call #2 ok =3 !undeclared-capability {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":"a\u0041\/ \u00e9é\n{\"nonce\": 1.10}"}}
    "#;
}

/// Calls a tool with a user who accepts everything; returns how it ended, with the transcript.
async fn answered(tool: &str) -> (Finished, String) {
    let server = Server::start("fair");
    let (sink, inputs) = mpsc::channel(4);
    let session = Session::new(ConnectOptions {
        capabilities: ClientCapabilities::none().with("elicitation", r#"{"form":{}}"#),
        inputs: Some(sink),
        limits: Limits {
            input_rounds: 3,
            ..Limits::default()
        },
        ..options(&server.url, EraChoice::Modern)
    });
    let user = tokio::spawn(say_yes(inputs));
    session.connection.settled().await;
    let before = session.transcript().await.lines().count();
    let finished = session.call(tool).await;
    session.connection.close().await;
    user.abort();
    let crossed = session.transcript().await;
    let crossed: String = crossed
        .lines()
        .skip(before)
        .map(|line| format!("{line}\n"))
        .collect();
    (finished, server.anonymous(&crossed))
}

async fn say_yes(mut inputs: mpsc::Receiver<InputRequest>) {
    while let Some(request) = inputs.recv().await {
        let yes = r#"{"action":"accept","content":{"name":"Ada"}}"#;
        let _ = request.reply.send(InputReply::Result(yes.to_owned()));
    }
}

/// Escapes, slashes and numbers in a state are sent back verbatim.
#[test]
fn a_state_is_sent_back_verbatim() {
    run_test(async {
        let (finished, crossed) = answered("state").await;
        assert!(
            crossed.contains("the state is mine"),
            "{}{crossed}",
            ended(&finished)
        );
        let state = r#""requestState":"a\u0041\/ \u00e9é\n{\"nonce\": 1.10}""#;
        let sent = crossed
            .lines()
            .filter(|line| line.starts_with('>') && line.contains(state));
        assert_eq!(sent.count(), 1, "{crossed}");
    });
}

#[test]
fn a_state_that_is_not_a_string() {
    run_test(async {
        let (finished, crossed) = answered("odd-state").await;
        insta::assert_snapshot!(format!("{}{crossed}", ended(&finished)), @r#"
        Result
        > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}},"name":"odd-state"}}
        > 4 POST http://server/mcp → 200 application/json ok
        < 5 response tools/call #2 ok =3 !member-type {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":{"not":"a string"}}}
        > 6 request tools/call #3 ok =8 !member-type {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}},"name":"odd-state","inputResponses":{"who":{"action":"accept","content":{"name":"Ada"}}},"requestState":{"not":"a string"}}}
        > 7 POST http://server/mcp → 200 application/json ok
        < 8 response tools/call #3 ok =6 {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"not\":\"a string\"}"}]}}
        "#);
    });
}

/// A server that rejects its own state reports an error; the request is not repeated.
#[test]
fn a_state_that_was_tampered_with() {
    run_test(async {
        let (finished, crossed) = answered("rejects-state").await;
        insta::assert_snapshot!(format!("{}{crossed}", ended(&finished)), @r#"
        Error
        > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}},"name":"rejects-state"}}
        > 4 POST http://server/mcp → 200 application/json ok
        < 5 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":"a\u0041\/ \u00e9é\n{\"nonce\": 1.10}"}}
        > 6 request tools/call #3 error =8 {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}},"name":"rejects-state","inputResponses":{"who":{"action":"accept","content":{"name":"Ada"}}},"requestState":"a\u0041\/ \u00e9é\n{\"nonce\": 1.10}"}}
        > 7 POST http://server/mcp → 400 application/json error {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"requestState was tampered with","data":null}}
        < 8 response tools/call #3 error =6 {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"requestState was tampered with","data":null}}
        "#);
    });
}

#[test]
fn endless_rounds() {
    run_test(async {
        let (finished, crossed) = answered("again-and-again").await;
        let sent = crossed
            .lines()
            .filter(|line| line.starts_with('>') && line.contains("tools/call"));
        insta::assert_snapshot!(format!("{}{} requests", ended(&finished), sent.count()), @r#"
        InputRequired("the server has asked in 3 rounds already, and no more are allowed")
        4 requests
        "#);
    });
}
