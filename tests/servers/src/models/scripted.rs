//! The model `script`, which does what the last message of the user says. With it a test decides what a conversation does.
//! `RESULT` in the arguments of a call is the last result of a tool.
//!
//! If it is asked to think it does, and as the real providers it refuses a turn with tools whose thoughts do not come back
//! unchanged.

use serde_json::{Value, json};

use crate::http::reply::Reply;

/// What the model answers.
struct Plan {
    text: String,
    /// Name and arguments, which need not be JSON.
    calls: Vec<(String, String)>,
}

/// The plan for a conversation. `said` are the texts of the user, `results` those of tools since the last of them.
fn plan(said: Option<String>, results: &[String], last: &str) -> Plan {
    let said = said.unwrap_or_default();
    let mut calls = Vec::new();
    for line in said.lines() {
        let Some(rest) = line.strip_prefix("call") else {
            continue;
        };
        let (times, rest) = rest.split_once(' ').unwrap_or(("", rest));
        let times: usize = times
            .strip_prefix('*')
            .map_or(1, |times| times.parse().unwrap_or(1));
        let (name, arguments) = rest.split_once(' ').unwrap_or((rest, "{}"));
        let quoted = json!(last).to_string();
        let arguments = arguments.replace("RESULT", quoted.trim_matches('"'));
        calls.extend(std::iter::repeat_n((name.to_owned(), arguments), times));
    }
    if !results.is_empty() {
        return Plan {
            text: format!("The tools say: {}", results.join(" | ")),
            calls: if said.contains("again") { calls } else { Vec::new() },
        };
    }
    Plan {
        text: match calls.is_empty() {
            true => format!("You said: {said}"),
            false => "I look.".to_owned(),
        },
        calls,
    }
}

/// The texts of a content, which is a string or an array of blocks.
fn texts(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| block["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// What it thinks, and the signature over it.
const THOUGHT: &str = "What do they want?";
const SIGNATURE: &str = "c2lnbmVkKz0=";
const REDACTED: &str = "cmVkYWN0ZWQ=";

/// Why a request is refused: what the model thought in this turn does not come back as it was.
pub(super) fn refusal(body: &Value, is_anthropic: bool) -> Option<String> {
    let (named, calls) = match is_anthropic {
        true => (body.get("thinking").is_some(), "tool_use"),
        false => (thinks(body), "tool_calls"),
    };
    if !named {
        return None;
    }
    let messages = body["messages"].as_array()?;
    let is_said = |message: &&Value| {
        message["role"] == "user" && !message["content"].to_string().contains("\"tool_result\"")
    };
    let turn = messages.iter().rev().take_while(|message| !is_said(message));
    let answers =
        turn.filter(|message| message["role"] == "assistant" && message.to_string().contains(calls));
    answers
        .map(|answer| match is_anthropic {
            true => {
                let begins = json!([
                    { "type": "thinking", "thinking": THOUGHT, "signature": SIGNATURE },
                    { "type": "redacted_thinking", "data": REDACTED },
                ]);
                answer["content"]
                    .as_array()
                    .is_some_and(|blocks| blocks.get(..2) == Some(begins.as_array().map_or(&[], |all| all)))
            }
            false => answer["reasoning_content"] == THOUGHT,
        })
        .any(|is_whole| !is_whole)
        .then(|| "thinking blocks in the latest assistant message cannot be modified".to_owned())
}

/// Whether Chat Completions are asked to think.
fn thinks(body: &Value) -> bool {
    body.get("reasoning_effort").is_some() || body.get("reasoning").is_some()
}

/// Chat Completions.
pub(super) fn chat(body: &Value, reply: &mut Reply) {
    let (mut said, mut results, mut last) = (None, Vec::new(), String::new());
    for message in body["messages"].as_array().into_iter().flatten() {
        match message["role"].as_str() {
            Some("user") => (said, results) = (Some(texts(&message["content"])), Vec::new()),
            Some("tool") => {
                last = texts(&message["content"]);
                results.push(last.clone());
            }
            _ => {}
        }
    }
    let Plan { text, calls } = plan(said, &results, &last);
    let mut send = |delta: Value, reason: Value| {
        let chunk = json!({ "id": "chatcmpl-1", "model": "script-2026", "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] });
        reply.piece(&format!("data: {chunk}\n\n"))
    };
    if thinks(body) {
        for word in THOUGHT.split_inclusive(' ') {
            send(json!({ "reasoning_content": word }), Value::Null);
        }
    }
    for word in text.split_inclusive(' ') {
        send(json!({ "content": word }), Value::Null);
    }
    for (at, (name, arguments)) in calls.iter().enumerate() {
        let (one, two) = arguments.split_at(arguments.len() / 2);
        let call = json!({ "index": at, "id": format!("call_{at}"), "function": { "name": name, "arguments": one } });
        send(json!({ "tool_calls": [call] }), Value::Null);
        let more = json!({ "index": at, "function": { "arguments": two } });
        send(json!({ "tool_calls": [more] }), Value::Null);
    }
    let reason = if calls.is_empty() { "stop" } else { "tool_calls" };
    send(json!({}), json!(reason));
    reply.piece("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":7}}\n\n");
    reply.piece("data: [DONE]\n\n");
    reply.end();
}

/// The Messages API.
pub(super) fn messages(body: &Value, reply: &mut Reply) {
    let (mut said, mut results, mut last) = (None, Vec::new(), String::new());
    for message in body["messages"].as_array().into_iter().flatten() {
        if message["role"] != "user" {
            continue;
        }
        let blocks = message["content"].as_array().into_iter().flatten();
        let of_tools = blocks.filter(|block| block["type"] == "tool_result");
        let found: Vec<String> = of_tools.map(|block| texts(&block["content"])).collect();
        if let Some(text) = found.last() {
            last.clone_from(text);
        }
        match found.is_empty() {
            true => (said, results) = (Some(texts(&message["content"])), Vec::new()),
            false => results.extend(found),
        }
    }
    let Plan { text, calls } = plan(said, &results, &last);
    let mut send = |event: Value| {
        let name = event["type"].as_str().unwrap_or_default().to_owned();
        reply.piece(&format!("event: {name}\ndata: {event}\n\n"))
    };
    send(
        json!({ "type": "message_start", "message": { "model": "script-2026", "usage": { "input_tokens": 11, "output_tokens": 1 } } }),
    );
    let first = match body.get("thinking").is_some() {
        true => 2,
        false => 0,
    };
    let delta =
        |index: usize, delta: Value| json!({ "type": "content_block_delta", "index": index, "delta": delta });
    let begin = |index: usize, block: Value| json!({ "type": "content_block_start", "index": index, "content_block": block });
    if first > 0 {
        send(begin(
            0,
            json!({ "type": "thinking", "thinking": "", "signature": "" }),
        ));
        for word in THOUGHT.split_inclusive(' ') {
            send(delta(0, json!({ "type": "thinking_delta", "thinking": word })));
        }
        send(delta(
            0,
            json!({ "type": "signature_delta", "signature": SIGNATURE }),
        ));
        send(begin(1, json!({ "type": "redacted_thinking", "data": REDACTED })));
    }
    send(begin(first, json!({ "type": "text", "text": "" })));
    for word in text.split_inclusive(' ') {
        send(delta(first, json!({ "type": "text_delta", "text": word })));
    }
    for (at, (name, arguments)) in calls.iter().enumerate() {
        let (index, id) = (first + at + 1, format!("toolu_{at}"));
        send(
            json!({ "type": "content_block_start", "index": index, "content_block": { "type": "tool_use", "id": id, "name": name, "input": {} } }),
        );
        let (one, two) = arguments.split_at(arguments.len() / 2);
        for piece in [one, two] {
            send(
                json!({ "type": "content_block_delta", "index": index, "delta": { "type": "input_json_delta", "partial_json": piece } }),
            );
        }
    }
    let reason = if calls.is_empty() { "end_turn" } else { "tool_use" };
    send(
        json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 7 } }),
    );
    send(json!({ "type": "message_stop" }));
    reply.end();
}
