//! A model provider with the real wire formats of Anthropic's Messages API and of OpenAI's Chat Completions:
//! `patchbay-test-server models any` prints its address and serves until stdin ends.
//!
//! Both APIs are under `/v1`. The requested model selects the behaviour ([`MODELS`]); the key is [`KEY`], and the path
//! `/open/v1` needs none. `/seen` lists the requests with their bodies.

mod chat;
mod messages;
mod scripted;

use std::{
    io::Write as _,
    net::TcpListener,
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::json;

use crate::http::{answer, reply::Reply, request::Request, until_unwanted};

/// The key that is accepted.
pub const KEY: &str = "sk-scripted-0123456789abcdef";

/// The models, and what each does.
pub const MODELS: &[(&str, &str)] = &[
    ("talk", "answers “Hello, wörld” in pieces"),
    (
        "tools",
        "says something, then calls two tools, the arguments in pieces",
    ),
    ("think", "thinks before it answers"),
    ("think-whole", "thinks before it answers, without a stream"),
    ("whole", "answers without a stream"),
    ("short", "stops at the limit of tokens"),
    ("refuse", "refuses to answer"),
    (
        "half-call",
        "ends the stream properly, but within the arguments of a call",
    ),
    ("slow", "sends one piece, then nothing until the client closes"),
    ("cut", "closes the connection within the answer"),
    (
        "unfinished",
        "ends the stream properly, but without its last event",
    ),
    ("malformed", "sends an event that is not JSON"),
    ("empty", "answers nothing"),
    ("empty-whole", "answers nothing, without a stream"),
    ("megabyte", "answers 1 MiB of text in 4,096 pieces"),
    ("megabyte-whole", "answers 1 MiB of text without a stream"),
    ("garbage", "sends events of bytes that are no text"),
    ("garbage-whole", "answers JSON that is none"),
    ("huge", "answers without end"),
    (
        "broken-arguments",
        "calls a tool with arguments that are not JSON",
    ),
    ("error", "reports an error within the stream"),
    (
        "error-whole",
        "reports an error without a stream, with the status of an answer",
    ),
    ("html", "answers with a web page"),
    ("moved", "redirects to another server"),
    (
        "script",
        "does what the last message of the user says: each line `call NAME {…}` is a call of a tool (`call*9` makes 9); the results of tools are repeated, and `again` calls once more after each",
    ),
    (
        "401",
        "and 402, 403, 404, 429, 500, 529: answers with that status",
    ),
];

/// The size of a long answer, in bytes.
const MEGABYTE: usize = 1 << 20;
/// What is neither JSON nor text.
const GARBAGE: &[u8] = b"{\x00\xff\xfe\x80 \xc3\x28 }}}";

/// A provider within this process, until the process ends.
#[derive(Clone)]
pub struct ModelProvider {
    address: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl ModelProvider {
    /// Listens on a free port of the loopback.
    ///
    /// # Errors
    /// No port is free.
    pub fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let provider = Self {
            address: format!("http://{}", listener.local_addr()?),
            seen: Arc::default(),
        };
        let seen = Arc::clone(&provider.seen);
        answer(listener, move |request, reply| serve(&seen, request, reply));
        Ok(provider)
    }

    /// Its origin.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.address
    }

    /// The received requests: `POST /v1/messages {…}`.
    #[must_use]
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

pub(crate) fn usage() {
    eprintln!("\nmodels (`models any`), by their name:");
    for (name, what) in MODELS {
        eprintln!("  {name:18} {what}");
    }
}

/// Serves until stdin ends.
pub(crate) fn run() -> ExitCode {
    let started = ModelProvider::start().and_then(|provider| {
        writeln!(std::io::stdout(), "{}/v1", provider.origin())?;
        until_unwanted()
    });
    match started {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(1)
        }
    }
}

fn serve(seen: &Mutex<Vec<String>>, request: &Request, reply: &mut Reply) {
    let (path, _) = request.target();
    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    if path == "/seen" {
        return reply.text(200, "text/plain", &seen.join("\n"));
    }
    seen.push(
        format!("{} {} {}", request.method, request.path, request.body)
            .trim_end()
            .to_owned(),
    );
    drop(seen);
    let (open, path) = match path.strip_prefix("/open") {
        Some(path) => (true, path),
        None => (false, path),
    };
    let is_anthropic = request.header("anthropic-version").is_some();
    let given = match is_anthropic {
        true => request.header("x-api-key").map(str::to_owned),
        false => request
            .header("authorization")
            .and_then(|value| Some(value.strip_prefix("Bearer ")?.to_owned())),
    };
    if !open && given.as_deref() != Some(KEY) {
        let error = match is_anthropic {
            true => {
                json!({ "type": "error", "error": { "type": "authentication_error", "message": "invalid x-api-key" } })
            }
            false => {
                json!({ "error": { "message": "Incorrect API key provided.", "type": "invalid_request_error", "code": "invalid_api_key" } })
            }
        };
        return reply.json(401, &error.to_string());
    }
    if path == "/v1/messages"
        && let Some(why) = messages::refusal(&request.json())
    {
        return reply.json(400, &error("invalid_request_error", why));
    }
    match path {
        "/v1/models" if is_anthropic => reply.json(200, &messages::list()),
        "/v1/models" => reply.json(200, &chat::list()),
        "/v1/messages" => respond(request, reply, messages::stream, messages::whole),
        "/v1/chat/completions" => respond(request, reply, chat::stream, chat::whole),
        _ => reply.json(404, &json!({ "error": { "message": "Not found" } }).to_string()),
    }
}

/// A whole answer with a thought before it.
fn thinking(answer: &str) -> String {
    let block = r#""content":[{"type":"thinking","thinking":"Let me think.","signature":"abc"},"#;
    let member = r#""reasoning_content":"Let me think.","content":""#;
    answer
        .replacen("\"content\":[", block, 1)
        .replacen("\"content\":\"", member, 1)
}

/// An error as both APIs have it.
fn error(kind: &str, message: &str) -> String {
    json!({ "type": "error", "error": { "type": kind, "code": kind, "message": message } }).to_string()
}

/// What is the same in both APIs.
fn respond(
    request: &Request,
    reply: &mut Reply,
    stream: fn(&str, &mut Reply),
    whole: fn(&str, bool) -> String,
) {
    let model = request.json()["model"].as_str().unwrap_or_default().to_owned();
    match &*model {
        "whole" => reply.json(200, &whole("At once.", true)),
        "think-whole" => reply.json(200, &thinking(&whole("Thought.", false))),
        "error-whole" => reply.json(200, &error("overloaded_error", "Overloaded")),
        "empty-whole" => reply.json(200, &whole("", false)),
        "megabyte-whole" => reply.json(200, &whole(&"x".repeat(MEGABYTE), false)),
        "garbage-whole" => reply.whole(200, "content-type: application/json\r\n", GARBAGE),
        "garbage" => {
            reply.stream();
            let event = [b"data: {".as_slice(), GARBAGE, b"\n\n"].concat();
            reply.raw(format!("{:x}\r\n", event.len()));
            reply.raw(event);
            reply.raw("\r\n");
            reply.end();
        }
        "html" => reply.text(
            200,
            "text/html; charset=utf-8",
            "<html><script>alert(1)</script></html>",
        ),
        "moved" => reply.whole(307, "location: http://127.0.0.1:9/v1\r\n", b""),
        "429" => {
            let headers = "content-type: application/json\r\nretry-after: 99999999999\r\n";
            reply.whole(429, headers, error("rate_limit_error", "Slow down").as_bytes());
        }
        "401" | "402" | "403" | "404" | "500" | "529" => {
            let status = model.parse().unwrap_or(500);
            reply.json(status, &error("some_error", "<b>The provider's own words</b>"));
        }
        "script" => {
            let (body, is_anthropic) = (request.json(), request.header("anthropic-version").is_some());
            if let Some(why) = scripted::refusal(&body, is_anthropic) {
                return reply.json(400, &error("invalid_request_error", &why));
            }
            reply.stream();
            match is_anthropic {
                true => scripted::messages(&body, reply),
                false => scripted::chat(&body, reply),
            }
        }
        _ => {
            reply.stream();
            stream(&model, reply);
        }
    }
}
