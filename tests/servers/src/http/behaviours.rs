//! The handshake of the server: which requests it answers, and how.

use std::{io::Write as _, time::Duration};

use flate2::{Compression, write::GzEncoder};

use super::{calls, harness::Harness, reply::Reply, request::Request};

/// A behaviour of the server.
pub(crate) struct HttpBehaviour {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    /// The path it is reached at.
    pub(crate) path: &'static str,
    pub(crate) serve: fn(&Request, &mut Reply, &Harness),
}

const fn behaviour(
    name: &'static str,
    what: &'static str,
    serve: fn(&Request, &mut Reply, &Harness),
) -> HttpBehaviour {
    let path = "/mcp";
    HttpBehaviour {
        name,
        what,
        path,
        serve,
    }
}

/// All behaviours.
pub(crate) const BEHAVIOURS: &[HttpBehaviour] = &[
    behaviour(
        "fair",
        "both eras; responds in JSON, one session, no GET stream",
        fair,
    ),
    behaviour(
        "streams",
        "both eras; keeps a GET stream open",
        |request, reply, harness| {
            if request.method == "GET" {
                listen(request, reply, harness);
            } else {
                fair(request, reply, harness);
            }
        },
    ),
    behaviour(
        "clings",
        "both eras; does not respond to a DELETE",
        |request, reply, harness| {
            if request.method == "DELETE" {
                reply.wait_for_the_end();
            } else {
                fair(request, reply, harness);
            }
        },
    ),
    behaviour(
        "legacy",
        "initialize only; 400 to requests before it",
        |request, reply, harness| {
            if request.header("mcp-session-id").is_none() && request.message.method != "initialize" {
                reply.json(400, r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: no session"}}"#);
            } else {
                fair(request, reply, harness);
            }
        },
    ),
    behaviour("modern", "2026-07-28 only", |request, reply, harness| {
        if request.message.method == "initialize" {
            let data = r#"{"supported":["2026-07-28"],"requested":"2025-11-25"}"#;
            reply.json(400, &error(request, -32022, "Unsupported protocol version", data));
        } else {
            fair(request, reply, harness);
        }
    }),
    HttpBehaviour {
        path: "/sse",
        ..behaviour("http-sse", "HTTP+SSE (2024-11-05) and nothing else", http_sse)
    },
    HttpBehaviour {
        path: "/sse",
        ..behaviour(
            "no-endpoint",
            "HTTP+SSE whose first event is not an endpoint",
            |request, reply, _| match &*request.method {
                "GET" => {
                    reply.stream();
                    reply.event("{}");
                    reply.wait_for_the_end();
                }
                _ => reply.empty(405),
            },
        )
    },
    HttpBehaviour {
        path: "/sse",
        ..behaviour(
            "foreign-endpoint",
            "HTTP+SSE whose endpoint is another server's",
            |request, reply, _| match &*request.method {
                "GET" => {
                    reply.stream();
                    reply.piece("event: endpoint\ndata: http://127.0.0.2:9/messages\n\n");
                    reply.wait_for_the_end();
                }
                _ => reply.empty(405),
            },
        )
    },
    behaviour("html", "200 with a web page", |_, reply, _| {
        reply.text(
            200,
            "text/html",
            "<!doctype html><title>Sign in</title><p>Please sign in.",
        );
    }),
    behaviour("error-500", "500 with a JSON-RPC error", |request, reply, _| {
        reply.json(500, &error(request, -32603, "The database is gone", "null"));
    }),
    behaviour("json-500", "500 with JSON that is not JSON-RPC", |_, reply, _| {
        reply.json(500, r#"{"error":"database down"}"#);
    }),
    behaviour("plain-500", "500 with a text", |_, reply, _| {
        reply.text(500, "text/plain", "upstream connect error");
    }),
    behaviour(
        "wrong-type",
        "JSON declared as text",
        |request, reply, _| match answer(request) {
            Some(body) => reply.text(200, "text/plain", &body),
            None => reply.empty(202),
        },
    ),
    behaviour(
        "no-type",
        "JSON without a content type",
        |request, reply, _| match answer(request) {
            Some(body) => reply.whole(200, "", body.as_bytes()),
            None => reply.empty(202),
        },
    ),
    behaviour(
        "truncated",
        "incomplete JSON in a complete body",
        |request, reply, _| {
            let whole = handshake(request);
            reply.json(200, &whole[..whole.len() / 2]);
        },
    ),
    behaviour("cut", "an incomplete body", |request, reply, _| {
        let whole = handshake(request);
        reply.head(
            200,
            &format!(
                "content-type: application/json\r\ncontent-length: {}\r\n",
                whole.len()
            ),
        );
        reply.raw(&whole[..whole.len() / 2]);
        reply.cut();
    }),
    behaviour("hangs-up", "reads the request and closes", |_, reply, _| {
        reply.cut()
    }),
    behaviour("garbage", "a response that is not HTTP", |_, reply, _| {
        reply.raw("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n");
        reply.cut();
    }),
    behaviour("busy", "429 with Retry-After", |_, reply, _| {
        reply.busy();
    }),
    behaviour("unauthorized", "401", |_, reply, _| {
        reply.whole(
            401,
            "www-authenticate: Bearer resource_metadata=\"https://example.com/meta\"\r\n",
            b"",
        );
    }),
    behaviour("loop", "redirects to itself", |_, reply, _| {
        reply.whole(307, "location: /mcp\r\n", b"");
    }),
    behaviour(
        "moved",
        "redirects to a well-behaved server",
        |request, reply, harness| match &*request.path {
            "/mcp" => reply.whole(307, "location: /there\r\n", b""),
            _ => fair(request, reply, harness),
        },
    ),
    behaviour("elsewhere", "redirects to another origin", |_, reply, harness| {
        let port = harness.address.port();
        reply.whole(307, &format!("location: http://localhost:{port}/mcp\r\n"), b"");
    }),
    behaviour("bomb", "64 MB of zeros, in 64 kB", |_, reply, _| {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        let written = gzip.write_all(&vec![b' '; 64 << 20]);
        let packed = written.and_then(|()| gzip.finish()).unwrap_or_default();
        reply.whole(
            200,
            "content-type: application/json\r\ncontent-encoding: gzip\r\n",
            &packed,
        );
    }),
    behaviour(
        "slow-head",
        "an endless head, a line every 20 ms",
        |_, reply, _| {
            reply.raw("HTTP/1.1 200 OK\r\n");
            reply.drip("x-more: to come\r\n", Duration::from_millis(20));
        },
    ),
    behaviour(
        "slow-body",
        "an endless body, a byte every 20 ms",
        |_, reply, _| {
            reply.endless_json();
        },
    ),
    behaviour(
        "silent",
        "reads the request and does not respond",
        |_, reply, _| reply.wait_for_the_end(),
    ),
    behaviour("two-sessions", "two session ids", |request, reply, harness| {
        in_session(
            request,
            reply,
            harness,
            "mcp-session-id: one\r\nmcp-session-id: two\r\n",
        )
    }),
    behaviour(
        "odd-session",
        "a session id that is not visible ASCII",
        |request, reply, harness| in_session(request, reply, harness, "mcp-session-id: caf\u{e9} 1\r\n"),
    ),
    behaviour(
        "one-by-one",
        "closes the connection after each response, announced",
        |request, reply, _| {
            let headers = "content-type: application/json\r\nconnection: close\r\n";
            match answer(request) {
                Some(body) => reply.whole(200, headers, body.as_bytes()),
                None => reply.whole(202, "connection: close\r\n", b""),
            }
            reply.cut();
        },
    ),
    behaviour(
        "one-by-one-unsaid",
        "closes the connection after each response, unannounced",
        |request, reply, harness| {
            match answer(request) {
                Some(body) => reply.json(200, &body),
                None => reply.empty(202),
            }
            reply.cut();
            harness.note("closed");
        },
    ),
];

/// The well-behaved behaviour.
pub(crate) fn fair(request: &Request, reply: &mut Reply, harness: &Harness) {
    in_session(request, reply, harness, "mcp-session-id: session-1\r\n");
}

/// The same; `session` are the header lines with the session id.
fn in_session(request: &Request, reply: &mut Reply, harness: &Harness, session: &str) {
    let known = request.header("mcp-session-id").is_some();
    match (&*request.method, &*request.message.method) {
        ("POST", _) if known && harness.session_is_lost() => {
            reply.text(404, "text/plain", "Session not found")
        }
        ("POST", "initialize") => {
            harness.begin_session();
            let headers = format!("content-type: application/json\r\n{session}");
            reply.whole(200, &headers, handshake(request).as_bytes());
        }
        ("POST", "tools/call") => calls::call(request, reply, harness),
        ("POST", _) => match answer(request) {
            Some(body) => reply.json(
                if body.contains("-32601") && request.message.is_modern() {
                    404
                } else {
                    200
                },
                &body,
            ),
            None => reply.empty(202),
        },
        ("DELETE", _) => reply.empty(200),
        _ => reply.whole(405, "allow: POST, DELETE\r\n", b""),
    }
}

/// The transport of 2024-11-05: requests here, responses on the stream.
fn http_sse(request: &Request, reply: &mut Reply, harness: &Harness) {
    match (&*request.method, &*request.path) {
        ("GET", "/sse") => {
            harness.listen(reply, "event: endpoint\ndata: /messages?session=1\n\n");
            reply.wait_for_the_end();
        }
        ("POST", "/messages?session=1") => {
            reply.text(202, "text/plain", "Accepted");
            if request.message.method == "tools/call" {
                harness.tell(&calls::echoed(request));
            } else if let Some(body) = answer(request) {
                harness.tell(&body);
            }
        }
        _ => reply.text(404, "text/plain", "Cannot POST here"),
    }
}

/// Holds the stream for unrequested messages open.
fn listen(request: &Request, reply: &mut Reply, harness: &Harness) {
    harness.listen(reply, ": welcome\n\n");
    // A client that resumes sends the last event id.
    if let Some(answer) = request.header("last-event-id").and_then(|_| harness.held()) {
        reply.event(&answer);
    }
    reply.wait_for_the_end();
}

/// An error with this data.
pub(crate) fn error(request: &Request, code: i64, message: &str, data: &str) -> String {
    let id = request.message.id();
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"{message}","data":{data}}}}}"#)
}

/// A result from the members of an object.
pub(crate) fn result(request: &Request, members: &str) -> String {
    let id = request.message.id();
    let kind = if request.message.is_modern() {
        r#""resultType":"complete","#
    } else {
        ""
    };
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{{kind}{members}}}}}"#)
}

fn handshake(request: &Request) -> String {
    let info = r#"{"name":"scripted","version":"1.0"}"#;
    if request.message.method == "initialize" {
        let version = request.message.params["protocolVersion"]
            .as_str()
            .unwrap_or("2025-11-25");
        let members = format!(
            r#""protocolVersion":"{version}","capabilities":{{"tools":{{"listChanged":true}},"logging":{{}}}},"serverInfo":{info}"#
        );
        result(request, &members)
    } else {
        let members = format!(
            r#""supportedVersions":["2026-07-28"],"capabilities":{{"tools":{{}},"logging":{{}}}},"ttlMs":0,"cacheScope":"private","_meta":{{"io.modelcontextprotocol/serverInfo":{info}}}"#
        );
        result(request, &members)
    }
}

/// The response to any message but a call; none if it needs no response.
fn answer(request: &Request) -> Option<String> {
    if request.is_notification() {
        return None;
    }
    Some(match &*request.message.method {
        "initialize" | "server/discover" => handshake(request),
        "ping" => result(request, ""),
        "tools/list" => {
            let tools: Vec<_> = calls::CALLS.iter().map(calls::Call::definition).collect();
            let caching = if request.message.is_modern() {
                r#","ttlMs":0,"cacheScope":"private""#
            } else {
                ""
            };
            result(request, &format!(r#""tools":[{}]{caching}"#, tools.join(",")))
        }
        "tools/call" => calls::echoed(request),
        _ => error(request, -32601, "Method not found", "null"),
    })
}
