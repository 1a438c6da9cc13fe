//! Faults of an HTTP server within a call.

use patchbay_client::{EraChoice, Outcome};

use super::{Request, SOON, Timeouts, call, called, ready, server::Server};
use crate::client::{run_test, session::pause};

/// A call with a short timeout.
fn short(tool: &str) -> Request {
    let timeouts = Timeouts {
        request: SOON,
        ..Timeouts::default()
    };
    Request {
        timeouts: Some(timeouts),
        ..call(tool)
    }
}

/// In both eras: how it ended, and the transcript.
fn both(request: Request) -> String {
    run_test(async move {
        let mut out = String::new();
        for (era, behaviour) in [(EraChoice::Modern, "fair"), (EraChoice::Legacy, "fair")] {
            out.push_str(&format!("== {era:?}\n"));
            out.push_str(&called(behaviour, era, request.clone()).await);
        }
        out
    })
}

macro_rules! answers {
    ($($name:ident: $request:expr, @$expected:literal;)+) => {
        $(#[test] fn $name() { insta::assert_snapshot!(both($request), @$expected); })+
    };
}

answers! {
    in_json: call("echo"), @r#"
    == Modern
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"echo"}}
    > 4 POST http://server/mcp → 200 application/json ok
    < 5 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"null"}]}}
    == Legacy
    Result
    > 5 request tools/call #2 ok =7 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}}
    > 6 POST http://server/mcp → 200 application/json ok
    < 7 response tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"null"}]}}
    "#;
    by_an_event_stream: call("streamed"), @r#"
    == Modern
    Result
    > 3 request tools/call #2 ok =6 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"streamed"}}
    > 4 POST http://server/mcp → 200 text/event-stream ok
    < 5 note notifications/message !log-uninvited {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"on the way"}}
    < 6 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"null"}]}}
    == Legacy
    Result
    > 5 request tools/call #2 ok =8 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"streamed"}}
    > 6 POST http://server/mcp → 200 text/event-stream ok
    < 7 note notifications/message {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"on the way"}}
    < 8 response tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"null"}]}}
    "#;
    events_without_data: call("no-data"), @r#"
    == Modern
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"no-data"}}
    > 4 POST http://server/mcp → 200 text/event-stream ok
    < 5 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"null"}]}}
    == Legacy
    Result
    > 5 request tools/call #2 ok =7 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"no-data"}}
    > 6 POST http://server/mcp → 200 text/event-stream ok
    < 7 response tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"null"}]}}
    "#;
    byte_by_byte: call("bytewise"), @r#"
    == Modern
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"bytewise"}}
    > 4 POST http://server/mcp → 200 text/event-stream ok
    < 5 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"null"}]}}
    == Legacy
    Result
    > 5 request tools/call #2 ok =7 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bytewise"}}
    > 6 POST http://server/mcp → 200 text/event-stream ok
    < 7 response tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"null"}]}}
    "#;
    a_stream_cut_within_an_event: call("cut-event"), @r#"
    == Modern
    Unanswered: Read the response: the connection closed in the middle of the body It may have run.
    > 3 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"cut-event"}}
    > 4 POST http://server/mcp → 200 text/event-stream lost
    < 5 invalid !message-cut-off {"jsonrpc":"2.0","id":2,"result":{"resultType":"co
    == Legacy
    Unanswered: Read the response: the connection closed in the middle of the body It may have run.
    > 5 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"cut-event"}}
    > 6 POST http://server/mcp → 200 text/event-stream lost
    < 7 invalid !message-cut-off {"jsonrpc":"2.0","id":2,"result":{"con
    "#;
    a_stream_that_ends_within_an_event: call("ended-event"), @r#"
    == Modern
    Unanswered: Read the event stream: The stream ended in the middle of an event: its blank line never came. It may have run.
    > 3 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"ended-event"}}
    > 4 POST http://server/mcp → 200 text/event-stream ok
    < 5 invalid !message-cut-off {"jsonrpc":"2.0","id":2,"result":{"resultType":"co
    == Legacy
    Unanswered: Read the event stream: The stream ended in the middle of an event: its blank line never came. It may have run.
    > 5 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ended-event"}}
    > 6 POST http://server/mcp → 200 text/event-stream ok
    < 7 invalid !message-cut-off {"jsonrpc":"2.0","id":2,"result":{"con
    "#;
    a_stream_without_the_answer: call("unanswered"), @r#"
    == Modern
    Unanswered: Read the response: The stream ended without an answer to the request. It may have run.
    > 3 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"unanswered"}}
    > 4 POST http://server/mcp → 200 text/event-stream ok
    == Legacy
    Unanswered: Read the response: The stream ended without an answer to the request. It may have run.
    > 5 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"unanswered"}}
    > 6 POST http://server/mcp → 200 text/event-stream ok
    "#;
    a_web_page: call("html"), @r#"
    == Modern
    Unanswered: Send: The server answered with HTTP 200, but with no JSON-RPC message. It may have run.
    > 3 request tools/call #2 error {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"html"}}
    > 4 POST http://server/mcp → 200 text/html ok <!doctype html><p>Please sign in.
    == Legacy
    Unanswered: Send: The server answered with HTTP 200, but with no JSON-RPC message. It may have run.
    > 5 request tools/call #2 error {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"html"}}
    > 6 POST http://server/mcp → 200 text/html ok <!doctype html><p>Please sign in.
    "#;
    a_500_with_a_json_rpc_error: call("error-500"), @r#"
    == Modern
    Error
    > 3 request tools/call #2 error =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"error-500"}}
    > 4 POST http://server/mcp → 500 application/json error {"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"The database is gone","data":{"hint":1.10}}}
    < 5 response tools/call #2 error =3 {"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"The database is gone","data":{"hint":1.10}}}
    == Legacy
    Error
    > 5 request tools/call #2 error =7 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"error-500"}}
    > 6 POST http://server/mcp → 500 application/json error {"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"The database is gone","data":{"hint":1.10}}}
    < 7 response tools/call #2 error =5 {"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"The database is gone","data":{"hint":1.10}}}
    "#;
    json_that_says_it_is_text: call("wrong-type"), @r#"
    == Modern
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"wrong-type"}}
    > 4 POST http://server/mcp → 200 text/plain ok {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"null"}]}}
    < 5 response tools/call #2 ok =3 !content-type {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"null"}]}}
    == Legacy
    Result
    > 5 request tools/call #2 ok =7 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wrong-type"}}
    > 6 POST http://server/mcp → 200 text/plain ok {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"null"}]}}
    < 7 response tools/call #2 ok =5 !content-type {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"null"}]}}
    "#;
    half_of_a_json_text: call("truncated"), @r#"
    == Modern
    Unanswered: Read the response: The answer holds no JSON-RPC response to the request. It may have run.
    > 3 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"truncated"}}
    > 4 POST http://server/mcp → 200 application/json ok
    < 5 invalid !not-json {"jsonrpc":"2.0","id":2,"result":{"resultType":"co
    == Legacy
    Unanswered: Read the response: The answer holds no JSON-RPC response to the request. It may have run.
    > 5 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"truncated"}}
    > 6 POST http://server/mcp → 200 application/json ok
    < 7 invalid !not-json {"jsonrpc":"2.0","id":2,"result":{"con
    "#;
    a_connection_closed_without_an_answer: call("hangs-up"), @r#"
    == Modern
    Unanswered: Wait for the response: the server closed the connection without an answer It may have run.
    > 3 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"hangs-up"}}
    > 4 POST http://server/mcp lost
    == Legacy
    Unanswered: Wait for the response: the server closed the connection without an answer It may have run.
    > 5 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hangs-up"}}
    > 6 POST http://server/mcp lost
    "#;
    too_many_requests: call("busy"), @r#"
    == Modern
    Unanswered: Send: The server answered with HTTP 429. To be tried after 7 s.
    > 3 request tools/call #2 error {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"busy"}}
    > 4 POST http://server/mcp → 429 text/plain error Too many requests
    == Legacy
    Unanswered: Send: The server answered with HTTP 429. To be tried after 7 s.
    > 5 request tools/call #2 error {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"busy"}}
    > 6 POST http://server/mcp → 429 text/plain error Too many requests
    "#;
    a_call_redirected_for_ever: call("moved"), @r#"
    == Modern
    Unanswered: Wait for the response: the server redirects in a circle, back to http://server/mcp It may have run.
    > 3 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"moved"}}
    > 4 POST http://server/mcp → 307 lost
    == Legacy
    Unanswered: Wait for the response: the server redirects in a circle, back to http://server/mcp It may have run.
    > 5 request tools/call #2 lost {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"moved"}}
    > 6 POST http://server/mcp → 307 lost
    "#;
    accepted_and_never_answered: call("accepted"), @r#"
    == Modern
    Unanswered: Send: The server answered with HTTP 202, but with no JSON-RPC message. It may have run.
    > 3 request tools/call #2 error {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"accepted"}}
    > 4 POST http://server/mcp → 202 ok
    == Legacy
    Unanswered: Send: The server answered with HTTP 202, but with no JSON-RPC message. It may have run.
    > 5 request tools/call #2 error {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"accepted"}}
    > 6 POST http://server/mcp → 202 ok
    "#;
    answered_twice_on_one_stream: call("twice"), @r#"
    == Modern
    Result
    > 3 request tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"twice"}}
    > 4 POST http://server/mcp → 200 text/event-stream ok
    < 5 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"null"}]}}
    < 6 response tools/call #2 ok =3 !answered-twice {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"again"}]}}
    == Legacy
    Result
    > 5 request tools/call #2 ok =7 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"twice"}}
    > 6 POST http://server/mcp → 200 text/event-stream ok
    < 7 response tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"null"}]}}
    < 8 response tools/call #2 ok =5 !answered-twice {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"again"}]}}
    "#;
    an_answer_to_nobody: call("unknown-id"), @r#"
    == Modern
    Result
    > 3 request tools/call #2 ok =6 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"unknown-id"}}
    > 4 POST http://server/mcp → 200 text/event-stream ok
    < 5 response #4711 ok !response-unknown-id {"jsonrpc":"2.0","id":4711,"result":{"content":[]}}
    < 6 response tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"null"}]}}
    == Legacy
    Result
    > 5 request tools/call #2 ok =8 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"unknown-id"}}
    > 6 POST http://server/mcp → 200 text/event-stream ok
    < 7 response #4711 ok !response-unknown-id {"jsonrpc":"2.0","id":4711,"result":{"content":[]}}
    < 8 response tools/call #2 ok =5 {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"null"}]}}
    "#;
}

/// In the modern era closing the stream is the cancellation; in the legacy era a notification is.
#[test]
fn given_up() {
    for tool in ["silent", "drips"] {
        run_test(async move {
            let modern = called("fair", EraChoice::Modern, short(tool)).await;
            assert!(
                modern.starts_with("TimedOut\n") && modern.contains("cancelled\n"),
                "{modern}"
            );
            assert!(!modern.contains("notifications/cancelled"), "{modern}");
            // The stream stays open for a while: the cancelled call may still be answered.
            let server = Server::start("fair");
            let session = ready(&server, EraChoice::Legacy).await;
            let legacy = session.request(short(tool)).await;
            assert!(matches!(legacy.outcome, Outcome::TimedOut { .. }), "{legacy:?}");
            let told = r#""method":"notifications/cancelled""#;
            while !session.transcript().await.contains(told) {
                pause().await;
            }
            let after = session.call("echo").await;
            assert_eq!(after.outcome, Outcome::Result, "{after:?}");
            session.connection.close().await;
        });
    }
}

/// A stream with an endless first line is given up at the message limit, not when memory is exhausted.
#[test]
fn an_endless_line() {
    let ended = run_test(called("fair", EraChoice::Modern, call("endless")));
    insta::assert_snapshot!(ended.lines().next().unwrap_or_default(), @"Unanswered: Read the event stream: The server sent more than 256 MiB without ending the line or the event. It may have run.");
}
