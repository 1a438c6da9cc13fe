//! Chat Completions.

use serde_json::json;

use super::MODELS;
use crate::http::reply::Reply;

/// `GET /v1/models`, with OpenRouter's context sizes and prices for some.
pub(super) fn list() -> String {
    let data: Vec<_> = MODELS
        .iter()
        .map(|(name, _)| match *name {
            "talk" => json!({ "id": name, "object": "model", "owned_by": "scripted", "context_length": 128_000, "pricing": { "prompt": "0.000003", "completion": "0.000015" } }),
            "short" => json!({ "id": name, "object": "model", "owned_by": "scripted", "context_length": 8_000, "pricing": { "prompt": "0.0000001", "completion": "0.0000002" } }),
            _ => json!({ "id": name, "object": "model", "owned_by": "scripted" }),
        })
        .collect();
    json!({ "object": "list", "data": data }).to_string()
}

/// A completion that is not streamed.
pub(super) fn whole(text: &str, calls: bool) -> String {
    let (calls, reason) = match calls {
        true => (
            r#","tool_calls":[{"id":"call_9","type":"function","function":{"name":"look","arguments":"{\"n\":9007199254740993}"}}]"#,
            "tool_calls",
        ),
        false => ("", "stop"),
    };
    format!(
        r#"{{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"whole-2026","choices":[{{"index":0,"message":{{"role":"assistant","content":"{text}"{calls}}},"finish_reason":"{reason}"}}],"usage":{{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}}}"#
    )
}

/// The events of a streamed completion.
pub(super) fn stream(model: &str, reply: &mut Reply) {
    let mut send = |data: &str| reply.piece(&format!("data: {data}\n\n"));
    let chunk = |delta: &str, reason: &str| {
        format!(
            r#"{{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"{model}-2026","choices":[{{"index":0,"delta":{delta},"finish_reason":{reason}}}]}}"#
        )
    };
    let delta = |delta: &str| chunk(delta, "null");
    let text = |text: &str| delta(&json!({ "content": text }).to_string());
    send(&delta(r#"{"role":"assistant","content":""}"#));
    let mut reason = "\"stop\"";
    match model {
        "empty" => {}
        "half-call" => {
            send(&delta(
                r#"{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"greet","arguments":"{\"name\":\"A"}}]}"#,
            ));
            return reply.end();
        }
        "refuse" => {
            send(&delta(r#"{"refusal":"I will not do that."}"#));
        }
        "think" => {
            send(&delta(r#"{"reasoning_content":"Let me think."}"#));
            send(&text("Thought."));
        }
        "tools" | "broken-arguments" => {
            reason = "\"tool_calls\"";
            send(&text("I look."));
            send(&delta(
                r#"{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"look","arguments":""}}]}"#,
            ));
            send(&delta(
                r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"n\": 90071"}}]}"#,
            ));
            send(&delta(if model == "tools" {
                r#"{"tool_calls":[{"index":0,"function":{"arguments":"99254740993}"}}]}"#
            } else {
                r#"{"tool_calls":[{"index":0,"function":{"arguments":","}}]}"#
            }));
            send(&delta(
                r#"{"tool_calls":[{"index":1,"id":"call_2","type":"function","function":{"name":"wait","arguments":"{}"}}]}"#,
            ));
        }
        _ => {
            send(&text("Hel"));
            match model {
                "slow" => return reply.wait_for_the_end(),
                "cut" => return reply.cut(),
                "unfinished" => return reply.end(),
                "megabyte" => {
                    let piece = text(&"x".repeat(256));
                    for _ in 0..4096 {
                        send(&piece);
                    }
                }
                "malformed" => {
                    send("{\"id\":");
                }
                "error" => {
                    send(r#"{"error":{"message":"Overloaded","code":529}}"#);
                }
                "huge" => {
                    let piece = text(&"x".repeat(64 << 10));
                    while send(&piece) {}
                    return;
                }
                _ => {
                    send(&text("lo, "));
                    send(&text("wörld"));
                }
            }
            if model == "short" {
                reason = "\"length\"";
            }
        }
    }
    send(&chunk("{}", reason));
    send(
        r#"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"","choices":[],"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}"#,
    );
    send("[DONE]");
    reply.end();
}
