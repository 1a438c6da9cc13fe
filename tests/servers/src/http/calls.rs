//! The tools of the server: each name selects a fault.

use super::{
    behaviours::{error, result},
    harness::Harness,
    reply::Reply,
    request::Request,
};

/// A tool and its behaviour on the wire.
pub(crate) struct Call {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    run: fn(&Request, &mut Reply, &Harness),
}

impl Call {
    /// Its definition in `tools/list`.
    pub(crate) fn definition(&self) -> String {
        let Self { name, what, .. } = self;
        let properties = if *name == "mirrored" {
            r#","properties":{"region":{"type":"string","x-mcp-header":"Region"}}"#
        } else {
            ""
        };
        format!(r#"{{"name":"{name}","description":"{what}","inputSchema":{{"type":"object"{properties}}}}}"#)
    }
}

const fn tool(name: &'static str, what: &'static str, run: fn(&Request, &mut Reply, &Harness)) -> Call {
    Call { name, what, run }
}

/// All tools.
pub(crate) const CALLS: &[Call] = &[
    tool("echo", "responds in JSON", |request, reply, _| {
        reply.json(200, &echoed(request))
    }),
    tool(
        "mirrored",
        "has an argument that is repeated in a header",
        |request, reply, _| {
            let header = request.header("mcp-param-region").unwrap_or("none");
            reply.json(200, &text(request, &format!("header: {header}")));
        },
    ),
    tool(
        "streamed",
        "responds with an event stream, after a log message",
        |request, reply, _| {
            reply.stream();
            reply.piece(": hello\n\n");
            reply.event(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"on the way"}}"#);
            reply.event(&echoed(request));
            reply.end();
        },
    ),
    tool(
        "no-data",
        "events without data around the response",
        |request, reply, _| {
            reply.stream();
            reply.piece("id: 1\n\n: only a comment\n\nevent: message\n\n");
            reply.piece(&format!(
                "event: message\nid: 2\ndata: {}\n\nid: 3\ndata: \n\n",
                echoed(request)
            ));
            reply.end();
        },
    ),
    tool(
        "bytewise",
        "an event stream, byte by byte, with CR LF",
        |request, reply, _| {
            reply.stream();
            for byte in format!("event: message\r\ndata: {}\r\n\r\n", echoed(request)).chars() {
                reply.piece(&byte.to_string());
            }
            reply.end();
        },
    ),
    tool(
        "cut-event",
        "an event stream interrupted within an event",
        |request, reply, _| {
            reply.stream();
            let whole = echoed(request);
            reply.piece(&format!("event: message\ndata: {}", &whole[..whole.len() / 2]));
            reply.cut();
        },
    ),
    tool(
        "ended-event",
        "an event stream that ends within an event",
        |request, reply, _| {
            reply.stream();
            let whole = echoed(request);
            reply.piece(&format!("event: message\ndata: {}", &whole[..whole.len() / 2]));
            reply.end();
        },
    ),
    tool(
        "unanswered",
        "an event stream that ends without the response",
        |_, reply, _| {
            reply.stream();
            reply.piece(": nothing to say\n\n");
            reply.end();
        },
    ),
    tool("endless", "a stream with an endless first line", |_, reply, _| {
        reply.stream();
        reply.piece("data: ");
        let piece = "x".repeat(4 << 20);
        while reply.piece(&piece) {}
    }),
    tool("html", "200 with a web page", |_, reply, _| {
        reply.text(200, "text/html", "<!doctype html><p>Please sign in.");
    }),
    tool("error-500", "500 with a JSON-RPC error", |request, reply, _| {
        reply.json(
            500,
            &error(request, -32603, "The database is gone", r#"{"hint":1.10}"#),
        );
    }),
    tool("wrong-type", "JSON declared as text", |request, reply, _| {
        reply.text(200, "text/plain", &echoed(request));
    }),
    tool(
        "truncated",
        "incomplete JSON in a complete body",
        |request, reply, _| {
            let whole = echoed(request);
            reply.json(200, &whole[..whole.len() / 2]);
        },
    ),
    tool("hangs-up", "reads the call and closes", |_, reply, _| reply.cut()),
    tool("busy", "429 with Retry-After", |_, reply, _| {
        reply.busy();
    }),
    tool("moved", "redirects the call to itself", |_, reply, _| {
        reply.whole(307, "location: /mcp\r\n", b"");
    }),
    tool("accepted", "202, and no response", |_, reply, _| reply.empty(202)),
    tool(
        "silent",
        "holds a stream open without messages",
        |_, reply, harness| {
            reply.stream();
            reply.piece(": still here\n\n");
            reply.wait_for_the_end();
            harness.note("the stream was closed");
        },
    ),
    tool("twice", "responds twice on one stream", |request, reply, _| {
        reply.stream();
        reply.event(&echoed(request));
        reply.event(&text(request, "again"));
        reply.end();
    }),
    tool(
        "unknown-id",
        "a response to an unknown request, then the response",
        |request, reply, _| {
            reply.stream();
            reply.event(r#"{"jsonrpc":"2.0","id":4711,"result":{"content":[]}}"#);
            reply.event(&echoed(request));
            reply.end();
        },
    ),
    tool(
        "both-streams",
        "responds here; again on the GET stream when `tell-held` is called",
        |request, reply, harness| {
            harness.tell(r#"{"jsonrpc":"2.0","id":4711,"result":{"content":[]}}"#);
            // Not at once: a client that reads it first does not read this one to its end.
            harness.hold(text(request, "on the other stream"));
            reply.json(200, &echoed(request));
        },
    ),
    tool(
        "tell-held",
        "sends the response that was held on the GET stream",
        |request, reply, harness| {
            if let Some(held) = harness.held() {
                harness.tell(&held);
            }
            reply.json(200, &echoed(request));
        },
    ),
    tool(
        "other-stream",
        "responds on the GET stream only",
        |request, reply, harness| {
            reply.stream();
            harness.tell(&echoed(request));
            reply.wait_for_the_end();
        },
    ),
    tool(
        "loses-session",
        "loses the session instead of responding",
        |_, reply, harness| {
            harness.lose_session();
            harness.hang_up();
            reply.text(404, "text/plain", "Session not found");
        },
    ),
    tool(
        "resumed",
        "an event id, then the end; the response after resuming",
        |request, reply, harness| {
            reply.stream();
            reply.piece("id: primed\nretry: 10\ndata: \n\n");
            harness.hold(echoed(request));
            reply.end();
        },
    ),
    tool(
        "odd-type",
        "an unknown resultType (modern)",
        |request, reply, _| {
            let answer = text(request, "perhaps").replace(r#""complete""#, r#""perhaps""#);
            reply.json(200, &answer);
        },
    ),
    tool(
        "number-type",
        "a resultType that is a number (modern)",
        |request, reply, _| {
            reply.json(200, &text(request, "one").replace(r#""complete""#, "1"));
        },
    ),
    tool("no-type", "no resultType (modern)", |request, reply, _| {
        reply.json(
            200,
            &text(request, "plain").replace(r#""resultType":"complete","#, ""),
        );
    }),
    tool(
        "state",
        "requests input, with a state that must be sent back verbatim (modern)",
        |request, reply, _| {
            let params = &request.message.params;
            if params["inputResponses"].is_null() {
                reply.json(200, &input_required(request, STATE));
            } else if serde_json::from_str(STATE)
                .is_ok_and(|state: serde_json::Value| state == params["requestState"])
            {
                reply.json(200, &text(request, "the state is mine"));
            } else {
                reply.json(
                    400,
                    &error(request, -32602, "requestState was tampered with", "null"),
                );
            }
        },
    ),
    tool(
        "odd-state",
        "requests input, with a state that is not a string (modern)",
        |request, reply, _| {
            if request.message.params["inputResponses"].is_null() {
                reply.json(200, &input_required(request, r#"{"not":"a string"}"#));
            } else {
                let came = request.message.params["requestState"].to_string();
                reply.json(200, &text(request, &came));
            }
        },
    ),
    tool(
        "rejects-state",
        "requests input, and then rejects its own state (modern)",
        |request, reply, _| {
            if request.message.params["inputResponses"].is_null() {
                reply.json(200, &input_required(request, STATE));
            } else {
                reply.json(
                    400,
                    &error(request, -32602, "requestState was tampered with", "null"),
                );
            }
        },
    ),
    tool(
        "again-and-again",
        "requests input for ever (modern)",
        |request, reply, _| {
            reply.json(200, &input_required(request, STATE));
        },
    ),
    tool("drips", "an endless body, a byte every 20 ms", |_, reply, _| {
        reply.endless_json();
    }),
];

/// A state with characters that a careless client would re-encode.
const STATE: &str = r#""a\u0041\/ \u00e9é\n{\"nonce\": 1.10}""#;

/// Runs the called tool.
pub(crate) fn call(request: &Request, reply: &mut Reply, harness: &Harness) {
    let name = request.message.params["name"].as_str().unwrap_or_default();
    match CALLS.iter().find(|call| call.name == name) {
        Some(call) => (call.run)(request, reply, harness),
        None => reply.json(
            if request.message.is_modern() { 400 } else { 200 },
            &error(request, -32602, "Unknown tool", "null"),
        ),
    }
}

/// The arguments, as text.
pub(crate) fn echoed(request: &Request) -> String {
    text(request, &request.message.params["arguments"].to_string())
}

fn text(request: &Request, text: &str) -> String {
    let text = serde_json::Value::from(text);
    result(
        request,
        &format!(r#""content":[{{"type":"text","text":{text}}}]"#),
    )
}

fn input_required(request: &Request, state: &str) -> String {
    let id = request.message.id();
    let ask = r#"{"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}"#;
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required","inputRequests":{{"who":{ask}}},"requestState":{state}}}}}"#
    )
}
