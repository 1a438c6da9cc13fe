//! From an address to the right era and transport, with every step in the log.

use patchbay_client::{EraChoice, Outcome};
use patchbay_transport::StreamState;

use super::{met, options, ready, server::Server, sessions::until_stream};
use crate::client::{run_test, session::pause};

/// With era `auto`.
fn found(behaviour: &'static str) -> String {
    run_test(met(behaviour, |url| options(url, EraChoice::Auto)))
}

macro_rules! eras {
    ($($name:ident: $behaviour:literal, @$expected:literal;)+) => {
        $(#[test] fn $name() { insta::assert_snapshot!(found($behaviour), @$expected); })+
    };
}

eras! {
    both_are_spoken: "fair", @r#"
    Ready 2026-07-28 (server/discover was answered)
    > 0 request server/discover #1 ok =2 {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 200 application/json ok
    < 2 response server/discover #1 ok =0 {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted","version":"1.0"}}}}
    "#;
    only_the_modern_one: "modern", @r#"
    Ready 2026-07-28 (server/discover was answered)
    > 0 request server/discover #1 ok =2 {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 200 application/json ok
    < 2 response server/discover #1 ok =0 {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted","version":"1.0"}}}}
    "#;
    only_the_legacy_one: "legacy", @r#"
    Ready 2025-11-25 (it answered server/discover with error -32000: Bad Request: no session; initialize)
    > 0 request server/discover #1 error =2 {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 400 application/json error {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: no session"}}
    < 2 response server/discover #1 error =0 !id-null {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: no session"}}
    > 3 request initialize #2 ok =5 {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 4 POST http://server/mcp → 200 application/json ok
    < 5 response initialize #2 ok =3 {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"scripted","version":"1.0"}}}
    > 6 note notifications/initialized {"jsonrpc":"2.0","method":"notifications/initialized"}
    > 7 POST http://server/mcp → 202 ok
    > 8 DELETE http://server/mcp → 200 ok
    "#;
    only_the_oldest_transport: "http-sse", @r#"
    Ready 2025-11-25 (initialize was answered with HTTP 404 and no JSON-RPC message; HTTP+SSE)
    > 0 request server/discover #1 error {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/sse → 404 text/plain error Cannot POST here
    > 2 request initialize #2 error {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 3 POST http://server/sse → 404 text/plain error Cannot POST here
    > 4 request initialize #3 ok =7 {"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 5 GET http://server/sse → 200 text/event-stream cancelled
    > 6 POST http://server/messages?session=1 → 202 text/plain ok Accepted
    < 7 response initialize #3 ok =4 {"jsonrpc":"2.0","id":3,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"scripted","version":"1.0"}}}
    > 8 note notifications/initialized {"jsonrpc":"2.0","method":"notifications/initialized"}
    > 9 POST http://server/messages?session=1 → 202 text/plain ok Accepted
    "#;
    the_oldest_transport_without_its_endpoint: "no-endpoint", @r#"
    Failed (initialize was answered with HTTP 405 and no JSON-RPC message; HTTP+SSE)
    Open the event stream: The server opened the stream, but did not name the endpoint for messages.
    Look at the exchange in the log, then connect again.
    Tried before: 2026-07-28: server/discover was answered with HTTP 405 and no JSON-RPC message
    initialize: initialize was answered with HTTP 405 and no JSON-RPC message
    > 0 request server/discover #1 error {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/sse → 405 error
    > 2 request initialize #2 error {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 3 POST http://server/sse → 405 error
    > 4 request initialize #3 lost {"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 5 GET http://server/sse → 200 text/event-stream cancelled
    < 6 invalid !jsonrpc-version !not-a-message {}
    "#;
    the_oldest_transport_with_a_foreign_endpoint: "foreign-endpoint", @r#"
    Failed (initialize was answered with HTTP 405 and no JSON-RPC message; HTTP+SSE)
    Find the endpoint: The server names “http://127.0.0.2:9/messages” as the endpoint: its origin is not the stream's.
    The server must name an endpoint on its own origin, such as /messages?session=….
    Tried before: 2026-07-28: server/discover was answered with HTTP 405 and no JSON-RPC message
    initialize: initialize was answered with HTTP 405 and no JSON-RPC message
    > 0 request server/discover #1 error {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/sse → 405 error
    > 2 request initialize #2 error {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 3 POST http://server/sse → 405 error
    > 4 request initialize #3 lost {"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 5 GET http://server/sse → 200 text/event-stream cancelled
    "#;
    a_web_page: "html", @r#"
    Failed (server/discover was answered with HTTP 200 and no JSON-RPC message; initialize)
    Initialize: The server answered with HTTP 200, but with no JSON-RPC message.
    Check that the URL is that of an MCP endpoint.
    <!doctype html><title>Sign in</title><p>Please sign in.
    Tried before: 2026-07-28: server/discover was answered with HTTP 200 and no JSON-RPC message
    > 0 request server/discover #1 error {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 200 text/html ok <!doctype html><title>Sign in</title><p>Please sign in.
    > 2 request initialize #2 error {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 3 POST http://server/mcp → 200 text/html ok <!doctype html><title>Sign in</title><p>Please sign in.
    "#;
}

#[test]
fn a_call_over_the_oldest_transport() {
    run_test(async {
        let server = Server::start("http-sse");
        let session = ready(&server, EraChoice::Auto).await;
        let finished = session.call("echo").await;
        assert_eq!(finished.outcome, Outcome::Result);
        session.connection.close().await;
        let seen = server.seen();
        assert!(seen.contains(&"POST tools/call".to_owned()), "{seen:?}");
    });
}

/// A server that closes the connection after each response causes a new connection each time, and nothing else.
#[test]
fn a_connection_for_each_answer() {
    for behaviour in ["one-by-one", "one-by-one-unsaid"] {
        for era in [EraChoice::Modern, EraChoice::Legacy] {
            run_test(async move {
                let server = Server::start(behaviour);
                let session = ready(&server, era).await;
                if era == EraChoice::Legacy {
                    // This server has none: it is given up. Then no other request is under way when connections are counted.
                    until_stream(&session, |stream| matches!(stream, StreamState::Lost(_))).await;
                }
                for _ in 0..20 {
                    until_closed(&server, behaviour).await;
                    assert_eq!(session.call("echo").await.outcome, Outcome::Result, "{behaviour}");
                }
                session.connection.close().await;
                let calls = server
                    .seen()
                    .iter()
                    .filter(|seen| seen.contains("tools/call"))
                    .count();
                assert_eq!(calls, 20, "{behaviour}: nothing is sent twice");
            });
        }
    }
}

/// A server that closes unannounced during the next request leaves unknown whether it ran; here it has closed before.
async fn until_closed(server: &Server, behaviour: &str) {
    let all_are = || {
        let seen = server.seen();
        let closed = seen.iter().filter(|seen| *seen == "closed").count();
        closed * 2 == seen.len()
    };
    while behaviour == "one-by-one-unsaid" && !all_are() {
        pause().await;
    }
    server.round_trip().await;
}
