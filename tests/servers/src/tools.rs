//! The tools of the server: each name selects a fault.

use crate::wire::{Incoming, Wire};

/// A tool and its behavior on the wire.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    run: fn(&Incoming, &mut Wire),
}

const fn tool(name: &'static str, what: &'static str, run: fn(&Incoming, &mut Wire)) -> Tool {
    Tool { name, what, run }
}

/// All tools. `n` is the argument of that name.
pub(crate) const TOOLS: &[Tool] = &[
    tool("echo", "returns its arguments", |call, wire| {
        let text = call.params["arguments"].to_string();
        ok(call, wire, &text);
    }),
    tool("fails", "returns isError", |call, wire| {
        wire.result(
            &call.id(),
            r#"{"content":[{"type":"text","text":"It broke."}],"isError":true}"#,
        );
    }),
    tool("refuses", "responds with a JSON-RPC error", |call, wire| {
        wire.error(&call.id(), -32602, "Unknown tool", Some(r#"{"hint":1.10}"#));
    }),
    tool(
        "numbers",
        "big and exact numbers, duplicate keys",
        |call, wire| {
            wire.result(
            &call.id(),
            r#"{"content":[],"structuredContent":{"big":9007199254740993,"price":1.10,"twice":1,"twice":2}}"#,
        );
        },
    ),
    tool("stray", "stray lines around the response", |call, wire| {
        wire.line("DEBUG about to answer");
        ok(call, wire, "answered");
        wire.line("{\"level\":\"info\",\"msg\":\"a JSON log line\"}");
    }),
    tool(
        "batch",
        "a batch: a log message, a ping and the response",
        |call, wire| {
            wire.line(&format!(
            r#"[{},{},{}]"#,
            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"in a batch"}}"#,
            r#"{"jsonrpc":"2.0","id":"b1","method":"ping"}"#,
            answer(&call.id(), "batched"),
        ));
        },
    ),
    tool("twice", "responds twice", |call, wire| {
        ok(call, wire, "first");
        ok(call, wire, "second");
    }),
    tool(
        "unknown-id",
        "a response to an unknown request, then the response",
        |call, wire| {
            wire.line(&answer("4711", "whose?"));
            ok(call, wire, "mine");
        },
    ),
    tool(
        "string-id",
        "a response with the id as a string, then the right one",
        |call, wire| {
            wire.line(&answer(&format!("\"{}\"", call.id()), "typed wrong"));
            ok(call, wire, "typed right");
        },
    ),
    tool(
        "null-id",
        "a response with id null, then the response",
        |call, wire| {
            wire.error("null", -32700, "Parse error", None);
            ok(call, wire, "after null");
        },
    ),
    tool(
        "null-request",
        "a request with id null, then the response",
        |call, wire| {
            wire.line(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#);
            ok(call, wire, "after null");
        },
    ),
    tool("both", "result and error", |call, wire| {
        wire.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{{"content":[]}},"error":{{"code":-1,"message":"and an error"}}}}"#,
            call.id()
        ));
    }),
    tool("code-string", "an error whose code is a string", |call, wire| {
        wire.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":"E_FAIL","message":"code is text"}}}}"#,
            call.id()
        ));
    }),
    tool("bom", "a byte order mark before the response", |call, wire| {
        wire.line(&format!("\u{feff}{}", answer(&call.id(), "marked")));
    }),
    tool("crlf", "the response ends with CR LF", |call, wire| {
        wire.line(&format!("{}\r", answer(&call.id(), "returned")));
    }),
    tool(
        "two-on-a-line",
        "a notification and the response on one line",
        |call, wire| {
            wire.line(&format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}}{}"#,
                answer(&call.id(), "second of two")
            ));
        },
    ),
    tool(
        "split-utf8",
        "the response in two writes, split within a character",
        |call, wire| {
            let line = format!("{}\n", answer(&call.id(), "naïve €"));
            let cut = line.find('€').map_or(0, |at| at + 1);
            let (head, tail) = line.as_bytes().split_at(cut);
            wire.raw(head);
            wire.raw(tail);
        },
    ),
    tool("not-utf8", "invalid UTF-8 in the response", |call, wire| {
        let line = format!("{}\n", answer(&call.id(), "caf~"));
        let bytes: Vec<u8> = line
            .bytes()
            .map(|byte| if byte == b'~' { 0xe9 } else { byte })
            .collect();
        wire.raw(bytes);
    }),
    tool("blank", "blank lines around the response", |call, wire| {
        wire.line("");
        ok(call, wire, "between");
        wire.line("");
    }),
    tool(
        "unterminated",
        "an incomplete line, then the process exits",
        |_, wire| {
            wire.raw(r#"{"jsonrpc":"2.0","id":"#);
            std::process::exit(0);
        },
    ),
    tool("big", "a text of n MB (1)", |call, wire| {
        let text = "x".repeat(call.number(1) * 1_000_000);
        ok(call, wire, &text);
    }),
    tool("json", "n MB (1) of structured JSON", |call, wire| {
        let rows = call.number(1) * 10_000;
        let mut list = String::with_capacity(rows * 100);
        for row in 0..rows {
            let comma = if row == 0 { "" } else { "," };
            list.push_str(&format!(
                r#"{comma}{{"id":{row},"name":"row number {row}","price":1.10,"tags":["a","b","c"],"nested":{{"on":true,"at":null}}}}"#
            ));
        }
        wire.result(
            &call.id(),
            &format!(r#"{{"content":[{{"type":"text","text":"{rows} rows"}}],"structuredContent":{{"rows":[{list}]}}}}"#),
        );
    }),
    tool("never", "never responds", |_, _| {}),
    tool("late", "responds after it was cancelled", |call, wire| {
        while wire
            .next()
            .is_some_and(|next| next.method != "notifications/cancelled")
        {}
        ok(call, wire, "too late");
    }),
    tool(
        "progress",
        "progress n (3) times, then the response",
        |call, wire| {
            let n = call.number(3);
            for step in 1..=n {
                progress(call, wire, step, n);
            }
            ok(call, wire, "done");
        },
    ),
    tool(
        "progress-back",
        "progress that does not increase",
        |call, wire| {
            for step in [2, 2, 1] {
                progress(call, wire, step, 3);
            }
            ok(call, wire, "done");
        },
    ),
    tool(
        "progress-unknown",
        "progress for an unknown token",
        |call, wire| {
            wire.notify(
                "notifications/progress",
                r#"{"progressToken":"nobody","progress":1}"#,
            );
            ok(call, wire, "done");
        },
    ),
    tool("logs", "n (100) log messages, then the response", |call, wire| {
        let mut all = String::new();
        for n in 0..call.number(100) {
            all.push_str(&format!(
                "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"level\":\"info\",\"data\":\"message {n}\"}}}}\n"
            ));
        }
        wire.raw(all);
        ok(call, wire, "logged");
    }),
    tool("list-changed", "notifies that its list changed", |call, wire| {
        wire.line(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
        ok(call, wire, "changed");
    }),
    tool(
        "sampling",
        "requests sampling and returns the response",
        |call, wire| {
            ask(
                call,
                wire,
                "sampling/createMessage",
                r#"{"messages":[],"maxTokens":1}"#,
            );
        },
    ),
    tool(
        "elicitation",
        "requests elicitation and returns the response",
        |call, wire| {
            ask(
                call,
                wire,
                "elicitation/create",
                r#"{"message":"Who?","requestedSchema":{"type":"object"}}"#,
            );
        },
    ),
    tool(
        "form",
        "requests a form with typed fields and returns the response",
        |call, wire| {
            ask(call, wire, "elicitation/create", &FORM.replace('\n', ""));
        },
    ),
    tool(
        "ask-many",
        "sends n (10) elicitation requests at once and returns the responses as they came",
        |call, wire| {
            let count = call.number(10);
            let ids = (0..count)
                .map(|number| format!("many-{number}"))
                .collect::<Vec<_>>();
            let mut all = String::new();
            for id in &ids {
                all.push_str(&format!(
                    r#"{{"jsonrpc":"2.0","id":"{id}","method":"elicitation/create","params":{{"message":"{id}","requestedSchema":{{"type":"object","properties":{{}}}}}}}}"#
                ));
                all.push('\n');
            }
            wire.raw(all);
            let got = wire.answers(count);
            ok(call, wire, &got.join("\n"));
        },
    ),
    tool(
        "input-many",
        "requires n (10) inputs in one round and returns them (modern)",
        |call, wire| {
            if call.params["inputResponses"].is_null() {
                let requests: Vec<String> = (0..call.number(10))
                    .map(|number| {
                        format!(
                            r#""many-{number}":{{"method":"elicitation/create","params":{{"message":"many-{number}","requestedSchema":{{"type":"object","properties":{{}}}}}}}}"#
                        )
                    })
                    .collect();
                let result = format!(
                    r#"{{"resultType":"input_required","requestState":"s","inputRequests":{{{}}}}}"#,
                    requests.join(",")
                );
                wire.result(&call.id(), &result);
            } else {
                ok(call, wire, &call.params["inputResponses"].to_string());
            }
        },
    ),
    tool(
        "roots",
        "requests roots and returns the response",
        |call, wire| {
            ask(call, wire, "roots/list", "{}");
        },
    ),
    tool("ping", "pings and returns the response", |call, wire| {
        ask(call, wire, "ping", "{}")
    }),
    tool(
        "cancels-own",
        "sends a request, cancels it, responds",
        |call, wire| {
            wire.line(r#"{"jsonrpc":"2.0","id":"own","method":"roots/list"}"#);
            wire.notify(
                "notifications/cancelled",
                r#"{"requestId":"own","reason":"changed my mind"}"#,
            );
            ok(call, wire, "done");
        },
    ),
    tool(
        "withdraws",
        "sends an elicitation, cancels it at the next ping, and returns what came between that and another ping",
        |call, wire| {
            wire.line(
                r#"{"jsonrpc":"2.0","id":"own","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}"#,
            );
            wire.until_pinged();
            wire.notify(
                "notifications/cancelled",
                r#"{"requestId":"own","reason":"changed my mind"}"#,
            );
            let came = wire.until_pinged();
            ok(call, wire, &format!("came: {}", came.join(" ")));
        },
    ),
    tool("input", "requires a second round (modern)", |call, wire| {
        if call.params["requestState"].is_null() {
            wire.result(
                &call.id(),
                r#"{"resultType":"input_required","requestState":"s"}"#,
            );
        } else {
            ok(call, wire, "asked again");
        }
    }),
    tool("odd-type", "an unknown resultType (modern)", |call, wire| {
        wire.result(&call.id(), r#"{"resultType":"perhaps","content":[]}"#);
    }),
    tool("no-type", "no resultType (modern)", |call, wire| {
        wire.result(&call.id(), r#"{"content":[]}"#);
    }),
    tool(
        "stderr",
        "n (1000) lines on stderr, then the response",
        |call, wire| {
            let mut all = String::new();
            for n in 0..call.number(1_000) {
                all.push_str(&format!("stderr line {n}\n"));
            }
            eprint!("{all}");
            ok(call, wire, "written");
        },
    ),
    tool("crash", "exits with code 9 before responding", |_, _| {
        eprintln!("fatal: out of cheese");
        std::process::exit(9);
    }),
    tool("abort", "is killed by a signal before responding", |_, _| {
        std::process::abort()
    }),
];

/// A form with a field of several kinds.
const FORM: &str = r#"{"message":"Book a seat","requestedSchema":{"type":"object","required":["name"],"properties":{
"name":{"type":"string","title":"Your name","minLength":2},
"age":{"type":"integer","default":9007199254740993},
"colour":{"type":"string","enum":["red","green"],"default":"green"},
"window":{"type":"boolean"}}}}"#;

/// Runs the called tool.
pub(crate) fn call(call: &Incoming, wire: &mut Wire) {
    let name = call.params["name"].as_str().unwrap_or_default();
    match TOOLS.iter().find(|tool| tool.name == name) {
        Some(tool) => (tool.run)(call, wire),
        None => wire.error(&call.id(), -32602, "Unknown tool", None),
    }
}

/// A response with one text, as JSON text.
fn answer(id: &str, text: &str) -> String {
    let text = serde_json::Value::from(text);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":{text}}}]}}}}"#)
}

fn ok(call: &Incoming, wire: &mut Wire, text: &str) {
    let line = answer(&call.id(), text);
    if call.is_modern() {
        wire.line(&line.replacen(r#""result":{"#, r#""result":{"resultType":"complete","#, 1));
    } else {
        wire.line(&line);
    }
}

fn progress(call: &Incoming, wire: &mut Wire, step: usize, of: usize) {
    if let Some(token) = call.token() {
        wire.notify(
            "notifications/progress",
            &format!(r#"{{"progressToken":{token},"progress":{step},"total":{of},"message":"step {step}"}}"#),
        );
    }
}

fn ask(call: &Incoming, wire: &mut Wire, method: &str, params: &str) {
    let got = wire.ask(method, params);
    ok(call, wire, &got);
}
