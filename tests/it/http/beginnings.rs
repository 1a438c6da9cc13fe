//! Faults of an HTTP server while connecting.

use std::time::Duration;

use patchbay_client::{ConnectOptions, EraChoice, State};

use super::{Session, described, impatient, met, options, server::Server};
use crate::client::run_test;

/// With a timeout before which the head of a response has arrived, also on a busy machine.
fn after_the_head(url: &str, era: EraChoice) -> ConnectOptions {
    let mut options = options(url, era);
    options.timeouts.request = Duration::from_secs(8);
    options
}

/// In both eras: the status, and the transcript.
fn both(behaviour: &'static str, options: fn(&str, EraChoice) -> ConnectOptions) -> String {
    run_test(async move {
        let mut out = String::new();
        for era in [EraChoice::Modern, EraChoice::Legacy] {
            out.push_str(&format!("== {era:?}\n"));
            out.push_str(&met(behaviour, |url| options(url, era)).await);
        }
        out
    })
}

macro_rules! beginnings {
    ($($name:ident: $behaviour:literal, $options:ident, @$expected:literal;)+) => {
        $(#[test] fn $name() { insta::assert_snapshot!(both($behaviour, $options), @$expected); })+
    };
}

beginnings! {
    a_web_page: "html", options, @r#"
    == Modern
    Failed
    Discover: The server answered with HTTP 200, but with no JSON-RPC message.
    Check that the URL is that of an MCP endpoint.
    <!doctype html><title>Sign in</title><p>Please sign in.
    > 0 request server/discover #1 error {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 200 text/html ok <!doctype html><title>Sign in</title><p>Please sign in.
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Initialize: The server answered with HTTP 200, but with no JSON-RPC message.
    Check that the URL is that of an MCP endpoint.
    <!doctype html><title>Sign in</title><p>Please sign in.
    > 0 request initialize #1 error {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 200 text/html ok <!doctype html><title>Sign in</title><p>Please sign in.
    "#;
    a_500_with_a_json_rpc_error: "error-500", options, @r#"
    == Modern
    Failed
    Discover: The server does not speak 2026-07-28: it answered server/discover with error -32603: The database is gone.
    Set the era of this server to auto or legacy.
    > 0 request server/discover #1 error =2 {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 500 application/json error {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The database is gone","data":null}}
    < 2 response server/discover #1 error =0 {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The database is gone","data":null}}
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Initialize: The server answered initialize with HTTP 500 and error -32603: The database is gone.
    Check the server's error. If the era is fixed, try Auto.
    {"code":-32603,"message":"The database is gone","data":null}
    > 0 request initialize #1 error =2 {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 500 application/json error {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The database is gone","data":null}}
    < 2 response initialize #1 error =0 {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The database is gone","data":null}}
    "#;
    a_500_with_json_that_is_not_json_rpc: "json-500", options, @r#"
    == Modern
    Failed
    Discover: The server answered with HTTP 500.
    Check the server's own log, then try again.
    {"error":"database down"}
    > 0 request server/discover #1 error {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 500 application/json error {"error":"database down"}
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Initialize: The server answered with HTTP 500.
    Check the server's own log, then try again.
    {"error":"database down"}
    > 0 request initialize #1 error {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 500 application/json error {"error":"database down"}
    "#;
    a_500_with_a_text: "plain-500", options, @r#"
    == Modern
    Failed
    Discover: The server answered with HTTP 500.
    Check the server's own log, then try again.
    upstream connect error
    > 0 request server/discover #1 error {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 500 text/plain error upstream connect error
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Initialize: The server answered with HTTP 500.
    Check the server's own log, then try again.
    upstream connect error
    > 0 request initialize #1 error {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 500 text/plain error upstream connect error
    "#;
    json_that_says_it_is_text: "wrong-type", options, @r#"
    == Modern
    Ready 2026-07-28 (server/discover was answered)
    > 0 request server/discover #1 ok =2 {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 200 text/plain ok {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol
    < 2 response server/discover #1 ok =0 !content-type {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted","version":"1.0"}}}}
    == Legacy
    Ready 2025-11-25 (set to legacy: initialize without a probe)
    > 0 request initialize #1 ok =2 {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 200 text/plain ok {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"scripted","version":"1.0"}}}
    < 2 response initialize #1 ok =0 !content-type {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"scripted","version":"1.0"}}}
    > 3 note notifications/initialized {"jsonrpc":"2.0","method":"notifications/initialized"}
    > 4 POST http://server/mcp → 202 ok
    "#;
    json_of_no_type: "no-type", options, @r#"
    == Modern
    Ready 2026-07-28 (server/discover was answered)
    > 0 request server/discover #1 ok =2 {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 200 ok {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol
    < 2 response server/discover #1 ok =0 !content-type {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted","version":"1.0"}}}}
    == Legacy
    Ready 2025-11-25 (set to legacy: initialize without a probe)
    > 0 request initialize #1 ok =2 {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 200 ok {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"scripted","version":"1.0"}}}
    < 2 response initialize #1 ok =0 !content-type {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"scripted","version":"1.0"}}}
    > 3 note notifications/initialized {"jsonrpc":"2.0","method":"notifications/initialized"}
    > 4 POST http://server/mcp → 202 ok
    "#;
    half_of_a_json_text: "truncated", options, @r#"
    == Modern
    Failed
    Read the response: The answer holds no JSON-RPC response to the request.
    The request may have run: look at the exchange in the log before it is sent again.
    > 0 request server/discover #1 lost {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 200 application/json ok
    < 2 invalid !not-json {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logg
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Read the response: The answer holds no JSON-RPC response to the request.
    The request may have run: look at the exchange in the log before it is sent again.
    > 0 request initialize #1 lost {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 200 application/json ok
    < 2 invalid !not-json {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools
    "#;
    less_than_was_promised: "cut", options, @r#"
    == Modern
    Failed
    Read the response: the connection closed in the middle of the body
    Check the server's own log.
    > 0 request server/discover #1 lost {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 200 application/json lost
    < 2 invalid !message-cut-off {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logg
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Read the response: the connection closed in the middle of the body
    Check the server's own log.
    > 0 request initialize #1 lost {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 200 application/json lost
    < 2 invalid !message-cut-off {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools
    "#;
    a_connection_closed_without_an_answer: "hangs-up", options, @r#"
    == Modern
    Failed
    Wait for the response: the server closed the connection without an answer
    Check the server's own log.
    > 0 request server/discover #1 lost {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp lost
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Wait for the response: the server closed the connection without an answer
    Check the server's own log.
    > 0 request initialize #1 lost {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp lost
    "#;
    a_response_that_is_not_http: "garbage", options, @r#"
    == Modern
    Failed
    Wait for the response: the response is not HTTP: invalid HTTP version parsed
    Check the port, and whether the server wants https://.
    > 0 request server/discover #1 lost {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp lost
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Wait for the response: the response is not HTTP: invalid HTTP version parsed
    Check the port, and whether the server wants https://.
    > 0 request initialize #1 lost {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp lost
    "#;
    too_many_requests: "busy", options, @r#"
    == Modern
    Failed
    Discover: The server answered with HTTP 429.
    It asks to wait 7 s before the next try.
    Too many requests
    > 0 request server/discover #1 error {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 429 text/plain error Too many requests
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Initialize: The server answered with HTTP 429.
    It asks to wait 7 s before the next try.
    Too many requests
    > 0 request initialize #1 error {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 429 text/plain error Too many requests
    "#;
    authorization_required: "unauthorized", options, @r#"
    == Modern
    Failed
    Discover: Authorization required: the server answered with HTTP 401.
    Authorize Patchbay with this server, or set the header it expects.
    > 0 request server/discover #1 error {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 401 error
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Initialize: Authorization required: the server answered with HTTP 401.
    Authorize Patchbay with this server, or set the header it expects.
    > 0 request initialize #1 error {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 401 error
    "#;
    a_redirect_loop: "loop", options, @r#"
    == Modern
    Failed
    Wait for the response: the server redirects in a circle, back to http://server/mcp
    Use the URL the server should answer at, or have the server's redirects corrected.
    > 0 request server/discover #1 lost {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 307 lost
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Wait for the response: the server redirects in a circle, back to http://server/mcp
    Use the URL the server should answer at, or have the server's redirects corrected.
    > 0 request initialize #1 lost {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 307 lost
    "#;
    a_redirect_within_the_origin: "moved", options, @r#"
    == Modern
    Ready 2026-07-28 (server/discover was answered)
    > 0 request server/discover #1 ok =3 {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 307 ok
    > 2 POST http://server/there → 200 application/json ok
    < 3 response server/discover #1 ok =0 {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted","version":"1.0"}}}}
    == Legacy
    Ready 2025-11-25 (set to legacy: initialize without a probe)
    > 0 request initialize #1 ok =3 {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 307 ok
    > 2 POST http://server/there → 200 application/json ok
    < 3 response initialize #1 ok =0 {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"scripted","version":"1.0"}}}
    > 4 note notifications/initialized {"jsonrpc":"2.0","method":"notifications/initialized"}
    > 5 POST http://server/mcp → 307 ok
    > 6 POST http://server/there → 202 ok
    > 7 DELETE http://server/mcp → 307 ok
    > 8 DELETE http://server/there → 200 ok
    "#;
    a_redirect_to_another_origin: "elsewhere", options, @r#"
    == Modern
    Failed
    Discover: The server answered with HTTP 307: it redirects elsewhere.
    Set the URL it redirects to, if you trust it.
    > 0 request server/discover #1 error {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 307 ok
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Initialize: The server answered with HTTP 307: it redirects elsewhere.
    Set the URL it redirects to, if you trust it.
    > 0 request initialize #1 error {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 307 ok
    "#;
    a_gzip_bomb: "bomb", options, @r#"
    == Modern
    Failed
    Read the response: the body grows to more than 500 times its compressed size, as a decompression bomb does
    Do not trust this server, or have it send this response uncompressed.
    > 0 request server/discover #1 lost {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 200 application/json lost
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Read the response: the body grows to more than 500 times its compressed size, as a decompression bomb does
    Do not trust this server, or have it send this response uncompressed.
    > 0 request initialize #1 lost {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 200 application/json lost
    "#;
    an_endless_head: "slow-head", impatient, @r#"
    == Modern
    Failed
    Discover: The server does not speak 2026-07-28: it did not answer server/discover within … s.
    Set the era of this server to auto or legacy.
    > 0 request server/discover #1 timedout {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp cancelled
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Initialize: The server did not answer initialize within … s.
    Look at its output; if it is only slow, raise the timeout of this server.
    > 0 request initialize #1 timedout {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp cancelled
    "#;
    a_body_that_never_ends: "slow-body", after_the_head, @r#"
    == Modern
    Failed
    Discover: The server does not speak 2026-07-28: it did not answer server/discover within … s.
    Set the era of this server to auto or legacy.
    > 0 request server/discover #1 timedout {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 200 application/json cancelled
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Initialize: The server did not answer initialize within … s.
    Look at its output; if it is only slow, raise the timeout of this server.
    > 0 request initialize #1 timedout {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 200 application/json cancelled
    "#;
    no_answer_at_all: "silent", impatient, @r#"
    == Modern
    Failed
    Discover: The server does not speak 2026-07-28: it did not answer server/discover within … s.
    Set the era of this server to auto or legacy.
    > 0 request server/discover #1 timedout {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp cancelled
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Initialize: The server did not answer initialize within … s.
    Look at its output; if it is only slow, raise the timeout of this server.
    > 0 request initialize #1 timedout {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp cancelled
    "#;
    two_session_ids: "two-sessions", options, @r#"
    == Modern
    Ready 2026-07-28 (server/discover was answered)
    > 0 request server/discover #1 ok =2 {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 200 application/json ok
    < 2 response server/discover #1 ok =0 {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted","version":"1.0"}}}}
    == Legacy
    Ready 2025-11-25 (set to legacy: initialize without a probe)
    > 0 request initialize #1 ok =2 {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 200 application/json ok
    < 2 response initialize #1 ok =0 !session-id-repeated {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"scripted","version":"1.0"}}}
    > 3 note notifications/initialized {"jsonrpc":"2.0","method":"notifications/initialized"}
    > 4 POST http://server/mcp → 202 ok
    > 5 DELETE http://server/mcp → 200 ok
    "#;
    a_session_id_that_is_not_ascii: "odd-session", options, @r#"
    == Modern
    Ready 2026-07-28 (server/discover was answered)
    > 0 request server/discover #1 ok =2 {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    > 1 POST http://server/mcp → 200 application/json ok
    < 2 response server/discover #1 ok =0 {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted","version":"1.0"}}}}
    == Legacy
    Failed (set to legacy: initialize without a probe)
    Begin the session: The server's Mcp-Session-Id is “café 1”: only visible ASCII characters are allowed in it.
    The server must choose another session id.
    > 0 request initialize #1 lost {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://server/mcp → 200 application/json cancelled
    "#;
}

/// Connects to an unreachable address.
fn nobody(url: &str) -> String {
    let url = url.to_owned();
    run_test(async move {
        let session = Session::new(options(&url, EraChoice::Legacy));
        let status = session.connection.settled().await;
        session.connection.close().await;
        format!("{}{}", described(&status), session.transcript().await)
    })
}

#[test]
fn an_invalid_address() {
    insta::assert_snapshot!(nobody("not an address"), @r#"
    Failed (set to legacy: initialize without a probe)
    Read the URL: The URL cannot be read: relative URL without a base.
    Give the address of the server as http://host/path or https://host/path.
    "#);
    insta::assert_snapshot!(nobody("ftp://example.com/mcp"), @r#"
    Failed (set to legacy: initialize without a probe)
    Read the URL: The URL begins with ftp:, which is not HTTP.
    Give the address of the server as http://host/path or https://host/path.
    "#);
}

#[test]
fn an_unknown_host() {
    insta::assert_snapshot!(nobody("http://nobody.invalid/mcp"), @r#"
    Failed (set to legacy: initialize without a probe)
    Resolve host: the host name nobody.invalid cannot be resolved: name or service not known
    Check the spelling of the host name, and the network connection.
    > 0 request initialize #1 lost {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://nobody.invalid/mcp error
    "#);
}

#[test]
fn a_closed_port() {
    // Port 9 (discard) is not in use.
    insta::assert_snapshot!(nobody("http://127.0.0.1:9/mcp"), @r#"
    Failed (set to legacy: initialize without a probe)
    Connect: 127.0.0.1:9: connection refused
    Nothing listens there. Check that the server is running, and its port.
    > 0 request initialize #1 lost {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    > 1 POST http://127.0.0.1:9/mcp error
    "#);
}

#[test]
fn tls_with_a_plain_server() {
    run_test(async {
        let server = Server::start("fair");
        let url = server.url.replace("http://", "https://");
        let session = Session::new(options(&url, EraChoice::Legacy));
        let status = session.connection.settled().await;
        session.connection.close().await;
        insta::assert_snapshot!(server.anonymous(&described(&status)), @r#"
        Failed (set to legacy: initialize without a probe)
        TLS handshake: the server closed the connection during the TLS handshake: tls handshake eof
        Check that the port speaks TLS; use http:// if it does not.
        "#);
    });
}

/// After every failure the same address can be reached again once it works.
#[test]
fn the_next_connect_works() {
    run_test(async {
        let fair = Server::start("fair");
        for behaviour in ["html", "cut", "loop", "bomb", "garbage"] {
            for era in [EraChoice::Modern, EraChoice::Legacy] {
                let server = Server::start(behaviour);
                let session = Session::new(options(&server.url, era));
                let status = session.connection.settled().await;
                assert_eq!(status.state, State::Failed, "{behaviour}: {}", described(&status));
                let next = Session::new(options(&fair.url, era));
                let status = next.connection.settled().await;
                assert_eq!(
                    status.state,
                    State::Ready,
                    "after {behaviour}: {}",
                    described(&status)
                );
                next.connection.close().await;
            }
        }
    });
}
