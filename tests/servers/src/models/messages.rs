//! The Messages API.

use serde_json::{Value, json};

use super::MODELS;
use crate::http::reply::Reply;

/// `GET /v1/models`.
pub(super) fn list() -> String {
    let data: Vec<_> = MODELS
        .iter()
        .map(|(name, _)| json!({ "type": "model", "id": name, "display_name": format!("Scripted {name}"), "created_at": "2026-01-01T00:00:00Z" }))
        .collect();
    json!({ "data": data, "has_more": false, "first_id": "talk", "last_id": "401" }).to_string()
}

/// Why the API refuses a request: its messages have calls or results, and it defines no tools.
pub(super) fn refusal(body: &Value) -> Option<&'static str> {
    let messages = body["messages"].as_array().into_iter().flatten();
    let mut blocks = messages.flat_map(|message| message["content"].as_array().into_iter().flatten());
    let has_calls = blocks.any(|block| block["type"] == "tool_use" || block["type"] == "tool_result");
    let has_tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    (has_calls && !has_tools)
        .then_some("Requests which include `tool_use` or `tool_result` blocks must define tools")
}

/// A message that is not streamed.
pub(super) fn whole(text: &str, calls: bool) -> String {
    let said = match text.is_empty() {
        true => String::new(),
        false => format!(r#"{{"type":"text","text":"{text}"}}"#),
    };
    let (call, reason) = match calls {
        true => (
            r#",{"type":"tool_use","id":"toolu_9","name":"look","input":{"n":9007199254740993}}"#,
            "tool_use",
        ),
        false => ("", "end_turn"),
    };
    format!(
        r#"{{"id":"msg_1","type":"message","role":"assistant","model":"whole-2026","content":[{said}{call}],"stop_reason":"{reason}","stop_sequence":null,"usage":{{"input_tokens":11,"output_tokens":7}}}}"#
    )
}

/// The events of a streamed message.
pub(super) fn stream(model: &str, reply: &mut Reply) {
    let mut send = |name: &str, data: &str| reply.piece(&format!("event: {name}\ndata: {data}\n\n"));
    send(
        "message_start",
        &format!(
            r#"{{"type":"message_start","message":{{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"{model}-2026","stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":11,"output_tokens":1}}}}}}"#
        ),
    );
    send("ping", r#"{"type": "ping"}"#);
    let begin = |index: u32, block: &str| {
        format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#)
    };
    let delta = |index: u32, delta: &str| {
        format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#)
    };
    let stop = |index: u32| format!(r#"{{"type":"content_block_stop","index":{index}}}"#);
    let text = |text: &str| delta(0, &json!({ "type": "text_delta", "text": text }).to_string());
    let empty_text = r#"{"type":"text","text":""}"#;
    let mut reason = "end_turn";
    match model {
        "empty" => {}
        "half-call" => {
            let call = r#"{"type":"tool_use","id":"toolu_1","name":"greet","input":{}}"#;
            send("content_block_start", &begin(0, call));
            let half = r#"{"type":"input_json_delta","partial_json":"{\"name\":\"A"}"#;
            send("content_block_delta", &delta(0, half));
            return reply.end();
        }
        "refuse" => {
            reason = "refusal";
            send("content_block_start", &begin(0, empty_text));
            send("content_block_delta", &text("I will not do that."));
            send("content_block_stop", &stop(0));
        }
        "think" => {
            send(
                "content_block_start",
                &begin(0, r#"{"type":"thinking","thinking":"","signature":""}"#),
            );
            send(
                "content_block_delta",
                &delta(0, r#"{"type":"thinking_delta","thinking":"Let me think."}"#),
            );
            send(
                "content_block_delta",
                &delta(0, r#"{"type":"signature_delta","signature":"abc"}"#),
            );
            send("content_block_stop", &stop(0));
            send("content_block_start", &begin(1, empty_text));
            send(
                "content_block_delta",
                &delta(1, r#"{"type":"text_delta","text":"Thought."}"#),
            );
            send("content_block_stop", &stop(1));
        }
        "tools" | "broken-arguments" => {
            reason = "tool_use";
            send("content_block_start", &begin(0, empty_text));
            send("content_block_delta", &text("I look."));
            send("content_block_stop", &stop(0));
            send(
                "content_block_start",
                &begin(
                    1,
                    r#"{"type":"tool_use","id":"toolu_1","name":"look","input":{}}"#,
                ),
            );
            send(
                "content_block_delta",
                &delta(1, r#"{"type":"input_json_delta","partial_json":""}"#),
            );
            send(
                "content_block_delta",
                &delta(1, r#"{"type":"input_json_delta","partial_json":"{\"n\": 90071"}"#),
            );
            let rest = if model == "tools" {
                r#"{"type":"input_json_delta","partial_json":"99254740993}"}"#
            } else {
                r#"{"type":"input_json_delta","partial_json":","}"#
            };
            send("content_block_delta", &delta(1, rest));
            send("content_block_stop", &stop(1));
            send(
                "content_block_start",
                &begin(
                    2,
                    r#"{"type":"tool_use","id":"toolu_2","name":"wait","input":{}}"#,
                ),
            );
            send("content_block_stop", &stop(2));
        }
        _ => {
            send("content_block_start", &begin(0, empty_text));
            send("content_block_delta", &text("Hel"));
            match model {
                "slow" => return reply.wait_for_the_end(),
                "cut" => return reply.cut(),
                "unfinished" => return reply.end(),
                "megabyte" => {
                    let piece = text(&"x".repeat(256));
                    for _ in 0..4096 {
                        send("content_block_delta", &piece);
                    }
                }
                "malformed" => {
                    send("content_block_delta", "{\"type\":");
                }
                "error" => {
                    send(
                        "error",
                        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                    );
                }
                "huge" => {
                    let piece = text(&"x".repeat(64 << 10));
                    while send("content_block_delta", &piece) {}
                    return;
                }
                _ => {
                    send("content_block_delta", &text("lo, "));
                    send("content_block_delta", &text("wörld"));
                }
            }
            send("content_block_stop", &stop(0));
            if model == "short" {
                reason = "max_tokens";
            }
        }
    }
    send(
        "message_delta",
        &format!(
            r#"{{"type":"message_delta","delta":{{"stop_reason":"{reason}","stop_sequence":null}},"usage":{{"output_tokens":7}}}}"#
        ),
    );
    send("message_stop", r#"{"type":"message_stop"}"#);
    reply.end();
}
