//! The Messages API of Anthropic, version 2023-06-01.

use std::{borrow::Cow, collections::BTreeSet};

use patchbay_protocol::json::{self, Object};

use crate::answer::{Arriving, Progress};
use crate::json_text::{ObjectText, array};
use crate::prompt::{Block, Message, Prompt, ToolChoice};
use crate::{Delta, Failure, Thinking, Thought};

/// The value of `anthropic-version`.
pub(crate) const VERSION: &str = "2023-06-01";

/// The body of `POST /v1/messages`.
pub(crate) fn body(model: &str, prompt: &Prompt<'_>) -> Result<String, Failure> {
    let mut messages = Vec::with_capacity(prompt.messages.len());
    for message in &prompt.messages {
        messages.extend(self::message(message)?);
    }
    let system = prompt.system.as_deref().filter(|text| !is_blank(text));
    let system = system.map(json::quote);
    let stop = (!prompt.stop.is_empty()).then(|| array(prompt.stop.iter().map(|text| json::quote(text))));
    let (tools, choice) = tools(prompt);
    let body = ObjectText::new().string("model", model);
    let body = match prompt.thinking {
        None => body.raw("max_tokens", &prompt.max_tokens.to_string()),
        // The text of thoughts is shown only if it is asked for.
        Some(Thinking::Effort(effort)) => body
            .raw("max_tokens", &prompt.max_tokens.to_string())
            .raw("thinking", "{\"type\":\"adaptive\",\"display\":\"summarized\"}")
            .raw("output_config", &ObjectText::new().string("effort", effort).end()),
        // The budget counts as a part of `max_tokens`.
        Some(Thinking::Budget(tokens)) => body
            .raw("max_tokens", &prompt.with_budget(tokens).to_string())
            .raw("thinking", &budget(tokens)),
    };
    // While a model thinks it takes no other temperature than its own.
    let temperature = prompt.temperature.filter(|_| prompt.thinking.is_none());
    Ok(body
        .optional("system", system.as_deref())
        .raw("messages", &array(messages))
        .optional("temperature", temperature)
        .optional("stop_sequences", stop.as_deref())
        .optional("tools", tools.as_deref())
        .optional("tool_choice", choice)
        .raw("stream", "true")
        .end())
}

/// The values of `tools` and `tool_choice`. The API refuses calls and results in messages if no tool is defined: without tools,
/// those that were called are defined by their names, and none may be called.
fn tools(prompt: &Prompt<'_>) -> (Option<String>, Option<&'static str>) {
    if prompt.tools.is_empty() {
        let called = called(prompt);
        let defined = called.iter().map(|name| {
            ObjectText::new()
                .string("name", name)
                .raw("input_schema", "{\"type\":\"object\"}")
                .end()
        });
        let tools = (!called.is_empty()).then(|| array(defined));
        let choice = tools.is_some().then_some("{\"type\":\"none\"}");
        return (tools, choice);
    }
    let tools = prompt.tools.iter().map(|tool| {
        ObjectText::new()
            .string("name", &tool.name)
            .optional(
                "description",
                tool.description.as_deref().map(json::quote).as_deref(),
            )
            .raw("input_schema", tool.input_schema)
            .end()
    });
    let choice = prompt.tool_choice.map(|choice| match choice {
        ToolChoice::Auto => "{\"type\":\"auto\"}",
        ToolChoice::Required => "{\"type\":\"any\"}",
        ToolChoice::None => "{\"type\":\"none\"}",
    });
    (Some(array(tools)), choice)
}

/// The names of the tools that are called in the messages.
fn called<'a>(prompt: &'a Prompt<'_>) -> BTreeSet<&'a str> {
    let blocks = prompt.messages.iter().flat_map(|message| &message.blocks);
    let names = blocks.filter_map(|block| match block {
        Block::ToolUse { name, .. } => Some(&**name),
        _ => None,
    });
    names.collect()
}

fn budget(tokens: u32) -> String {
    ObjectText::new()
        .string("type", "enabled")
        .raw("budget_tokens", &tokens.to_string())
        .end()
}

/// A message; none if nothing of it can be sent.
fn message(message: &Message<'_>) -> Result<Option<String>, Failure> {
    let blocks = blocks(&message.blocks)?;
    if blocks.is_empty() {
        return Ok(None);
    }
    let role = if message.is_assistant { "assistant" } else { "user" };
    let text = ObjectText::new()
        .string("role", role)
        .raw("content", &array(blocks))
        .end();
    Ok(Some(text))
}

/// The blocks that mean something here: no thoughts of another API, and no blank texts, which are refused.
fn blocks(all: &[Block<'_>]) -> Result<Vec<String>, Failure> {
    let is_sent = |block: &&Block<'_>| match block {
        Block::Thought(thought) => !matches!(thought, Thought::Member { .. }),
        Block::Text(text) => !is_blank(text),
        _ => true,
    };
    all.iter().filter(is_sent).map(block).collect()
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn block(block: &Block<'_>) -> Result<String, Failure> {
    Ok(match block {
        Block::Thought(thought) => thought.block(),
        Block::Text(text) => ObjectText::new()
            .string("type", "text")
            .string("text", text)
            .end(),
        Block::Image { mime_type, data } => {
            let source = ObjectText::new()
                .string("type", "base64")
                .string("media_type", mime_type)
                .string("data", data)
                .end();
            ObjectText::new()
                .string("type", "image")
                .raw("source", &source)
                .end()
        }
        Block::Audio { .. } => return Err(Failure::request("The Messages API takes no audio.")),
        Block::ToolUse { id, name, input } => ObjectText::new()
            .string("type", "tool_use")
            .string("id", id)
            .string("name", name)
            .raw("input", input)
            .end(),
        Block::ToolResult { id, blocks, is_error } => ObjectText::new()
            .string("type", "tool_result")
            .string("tool_use_id", id)
            .raw("content", &array(self::blocks(blocks)?))
            .raw("is_error", if *is_error { "true" } else { "false" })
            .end(),
    })
}

/// Takes one event of the stream.
pub(crate) fn event(data: &str, answer: &mut Arriving, progress: &mut Progress) -> Result<(), Failure> {
    let event = Object::parse(data).map_err(|error| {
        Failure::malformed(format!("An event of the stream is not a JSON object: {error}."))
    })?;
    let index = event.get("index").and_then(json::integer).unwrap_or(0);
    match event.string("type").as_deref() {
        Some("message_start") => {
            if let Some(message) = event.get("message").and_then(|text| Object::parse(text).ok()) {
                answer.model = message.string("model").map(Cow::into_owned).unwrap_or_default();
                usage(&message, answer);
            }
        }
        Some("content_block_start") => {
            let block = inner(&event, "content_block")?;
            start(&block, index, answer, progress)?;
        }
        Some("content_block_delta") => {
            let delta = inner(&event, "delta")?;
            if let Some(text) = delta.string("text") {
                answer.text(index, &text)?;
                progress.push(Delta::Text(text.into_owned()));
            } else if let Some(piece) = delta.string("partial_json") {
                answer.tool_input(index, &piece)?;
                progress.push(Delta::ToolInput(piece.into_owned()));
            } else if let Some(text) = delta.string("thinking") {
                answer.thought_more(index, &text, "")?;
                progress.push(Delta::Thinking(text.into_owned()));
            } else if let Some(signature) = delta.string("signature") {
                answer.thought_more(index, "", &signature)?;
            }
        }
        Some("message_delta") => {
            let delta = inner(&event, "delta")?;
            if let Some(reason) = delta.string("stop_reason") {
                answer.stop_reason = Some(stop_reason(&reason).to_owned());
            }
            usage(&event, answer);
        }
        Some("message_stop") => progress.is_complete = true,
        Some("error") => return Err(Failure::in_stream(data)),
        // `ping`, `content_block_stop`, and events of later versions.
        Some(_) => {}
        None => return Err(Failure::malformed("An event of the stream has no type.")),
    }
    Ok(())
}

fn start(
    block: &Object<'_>,
    index: i64,
    answer: &mut Arriving,
    progress: &mut Progress,
) -> Result<(), Failure> {
    let kind = block.string("type").unwrap_or_default();
    if kind == "tool_use" {
        let name = block.string("name").unwrap_or_default();
        answer.tool(index, &block.string("id").unwrap_or_default(), &name)?;
        progress.push(Delta::ToolUse {
            name: name.into_owned(),
        });
    } else if let Some(thought) = Thought::read(&kind, block) {
        if let Thought::Signed { text, .. } = &thought
            && !text.is_empty()
        {
            progress.push(Delta::Thinking(text.clone().into_owned()));
        }
        answer.thought(index, thought.owned())?;
    } else if let Some(text) = block.string("text") {
        answer.text(index, &text)?;
        if !text.is_empty() {
            progress.push(Delta::Text(text.into_owned()));
        }
    }
    Ok(())
}

/// Takes a whole message, from a provider that does not stream.
pub(crate) fn whole(body: &str, answer: &mut Arriving, progress: &mut Progress) -> Result<(), Failure> {
    let message = Object::parse(body)
        .ok()
        .filter(|message| message.get("content").is_some())
        .ok_or_else(|| {
            Failure::not_a_provider("The response is JSON, but not a message of the Messages API.")
        })?;
    answer.model = message.string("model").map(Cow::into_owned).unwrap_or_default();
    for (index, text) in message
        .get("content")
        .and_then(json::array)
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        let index = i64::try_from(index).unwrap_or(i64::MAX);
        let block =
            Object::parse(text).map_err(|_| Failure::malformed("A content block is not an object."))?;
        start(&block, index, answer, progress)?;
        if let (true, Some(input)) = (answer.tool_id(index).is_some(), block.get("input")) {
            answer.tool_input(index, input)?;
            progress.push(Delta::ToolInput(input.to_owned()));
        }
    }
    answer.stop_reason = message
        .string("stop_reason")
        .map(|reason| stop_reason(&reason).to_owned());
    usage(&message, answer);
    progress.is_complete = true;
    Ok(())
}

fn inner<'a>(event: &Object<'a>, name: &str) -> Result<Object<'a>, Failure> {
    event
        .get(name)
        .and_then(|text| Object::parse(text).ok())
        .ok_or_else(|| Failure::malformed(format!("An event of the stream has no object `{name}`.")))
}

fn usage(holder: &Object<'_>, answer: &mut Arriving) {
    let Some(usage) = holder.get("usage").and_then(|text| Object::parse(text).ok()) else {
        return;
    };
    let tokens = |name| {
        usage
            .get(name)
            .and_then(json::integer)
            .and_then(|tokens| u64::try_from(tokens).ok())
    };
    answer.usage.input = tokens("input_tokens").or(answer.usage.input);
    answer.usage.output = tokens("output_tokens").or(answer.usage.output);
}

fn stop_reason(reason: &str) -> &str {
    match reason {
        "end_turn" => "endTurn",
        "stop_sequence" => "stopSequence",
        "max_tokens" => "maxTokens",
        "tool_use" => "toolUse",
        other => other,
    }
}
