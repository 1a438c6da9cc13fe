//! The Chat Completions API of OpenAI, as many other providers and local programs implement it.

use std::borrow::Cow;

use patchbay_protocol::json::{self, Kind, Object};

use crate::answer::{Arriving, Progress};
use crate::json_text::{ObjectText, array};
use crate::prompt::{Block, Message, Prompt, ToolChoice};
use crate::{Delta, Failure, Thinking, Thought};

/// The body of `POST /chat/completions`. OpenAI's newer models take the limit under a name that others do not know.
pub(crate) fn body(model: &str, prompt: &Prompt<'_>, is_openai: bool) -> Result<String, Failure> {
    let mut messages = Vec::with_capacity(prompt.messages.len() + 1);
    if let Some(system) = &prompt.system {
        messages.push(
            ObjectText::new()
                .string("role", "system")
                .string("content", system)
                .end(),
        );
    }
    for message in &prompt.messages {
        push_message(message, &mut messages)?;
    }
    let stop = (!prompt.stop.is_empty()).then(|| array(prompt.stop.iter().map(|text| json::quote(text))));
    let tools = (!prompt.tools.is_empty()).then(|| {
        array(prompt.tools.iter().map(|tool| {
            let function = ObjectText::new()
                .string("name", &tool.name)
                .optional(
                    "description",
                    tool.description.as_deref().map(json::quote).as_deref(),
                )
                .raw("parameters", tool.input_schema)
                .end();
            ObjectText::new()
                .string("type", "function")
                .raw("function", &function)
                .end()
        }))
    });
    let choice = prompt
        .tool_choice
        .filter(|_| tools.is_some())
        .map(|choice| match choice {
            ToolChoice::Auto => "\"auto\"",
            ToolChoice::Required => "\"required\"",
            ToolChoice::None => "\"none\"",
        });
    let limit = if is_openai {
        "max_completion_tokens"
    } else {
        "max_tokens"
    };
    let (effort, budget) = thinking(prompt.thinking, is_openai)?;
    let reasoning = budget.map(|tokens| ObjectText::new().raw("max_tokens", &tokens.to_string()).end());
    let most = budget.map_or(prompt.max_tokens, |tokens| prompt.with_budget(tokens));
    Ok(ObjectText::new()
        .string("model", model)
        .raw("messages", &array(messages))
        .raw(limit, &most.to_string())
        .optional("reasoning_effort", effort.as_deref())
        .optional("reasoning", reasoning.as_deref())
        .optional("temperature", prompt.temperature)
        .optional("stop", stop.as_deref())
        .optional("tools", tools.as_deref())
        .optional("tool_choice", choice)
        .raw("stream", "true")
        .raw("stream_options", "{\"include_usage\":true}")
        .end())
}

/// The values of `reasoning_effort`, and of OpenRouter's budget in `reasoning`.
fn thinking(asked: Option<Thinking>, is_openai: bool) -> Result<(Option<String>, Option<u32>), Failure> {
    match asked {
        None => Ok((None, None)),
        Some(Thinking::Effort(effort)) => Ok((Some(json::quote(effort)), None)),
        Some(Thinking::Budget(_)) if is_openai => Err(Failure::request(
            "OpenAI takes an effort of thinking, not a number of tokens. Choose an effort in the settings.",
        )),
        Some(Thinking::Budget(tokens)) => Ok((None, Some(tokens))),
    }
}

/// A message of MCP. Each result of a tool is a message of its own here.
fn push_message(message: &Message<'_>, messages: &mut Vec<String>) -> Result<(), Failure> {
    let (mut parts, mut calls, mut thought) = (Vec::new(), Vec::new(), None);
    for block in &message.blocks {
        match block {
            Block::Thought(Thought::Member { name, text }) => thought = Some((name, json::quote(text))),
            // A thought of another API means nothing here.
            Block::Thought(_) => {}
            Block::ToolUse { id, name, input } => {
                let function = ObjectText::new()
                    .string("name", name)
                    .string("arguments", input)
                    .end();
                calls.push(
                    ObjectText::new()
                        .string("id", id)
                        .string("type", "function")
                        .raw("function", &function)
                        .end(),
                );
            }
            Block::ToolResult { id, blocks, is_error } => messages.push(
                ObjectText::new()
                    .string("role", "tool")
                    .string("tool_call_id", id)
                    .string("content", &result_text(blocks, *is_error)?)
                    .end(),
            ),
            other => parts.push(part(other)?),
        }
    }
    if parts.is_empty() && calls.is_empty() {
        return Ok(());
    }
    let role = if message.is_assistant { "assistant" } else { "user" };
    // Some providers take a plain string only, so content that is one text is sent as one.
    let mut said = message.blocks.iter().filter(|block| {
        !matches!(
            block,
            Block::ToolUse { .. } | Block::ToolResult { .. } | Block::Thought(_)
        )
    });
    let content = match (said.next(), said.next()) {
        (None, _) => "null".to_owned(),
        (Some(Block::Text(text)), None) => json::quote(text),
        _ => array(parts),
    };
    let calls = (!calls.is_empty()).then(|| array(calls));
    let mut written = ObjectText::new().string("role", role);
    if let Some((name, text)) = thought {
        written = written.raw(name, &text);
    }
    messages.push(
        written
            .raw("content", &content)
            .optional("tool_calls", calls.as_deref())
            .end(),
    );
    Ok(())
}

fn part(block: &Block<'_>) -> Result<String, Failure> {
    Ok(match block {
        Block::Image { mime_type, data } => {
            let image = ObjectText::new()
                .string("url", &format!("data:{mime_type};base64,{data}"))
                .end();
            ObjectText::new()
                .string("type", "image_url")
                .raw("image_url", &image)
                .end()
        }
        Block::Audio { mime_type, data } => {
            let format = audio_format(mime_type).ok_or_else(|| {
                Failure::request(format!(
                    "Chat Completions take audio as WAV or MP3, not as {mime_type}."
                ))
            })?;
            let audio = ObjectText::new()
                .string("data", data)
                .string("format", format)
                .end();
            ObjectText::new()
                .string("type", "input_audio")
                .raw("input_audio", &audio)
                .end()
        }
        Block::Text(text) => ObjectText::new()
            .string("type", "text")
            .string("text", text)
            .end(),
        Block::ToolUse { .. } | Block::ToolResult { .. } | Block::Thought(_) => {
            return Err(Failure::request("A tool call cannot be inside a tool's result."));
        }
    })
}

/// The name of a format of audio; none if it is not taken.
pub(crate) fn audio_format(mime_type: &str) -> Option<&'static str> {
    match mime_type {
        "audio/wav" | "audio/x-wav" | "audio/wave" => Some("wav"),
        "audio/mpeg" | "audio/mp3" => Some("mp3"),
        _ => None,
    }
}

/// The result of a tool as text: this API has neither images in it nor a mark for errors.
fn result_text(blocks: &[Block<'_>], is_error: bool) -> Result<String, Failure> {
    let mut texts = Vec::with_capacity(blocks.len());
    for block in blocks {
        match block {
            Block::Text(text) => texts.push(&**text),
            _ => {
                return Err(Failure::request(
                    "Chat Completions take text only as the result of a tool.",
                ));
            }
        }
    }
    let text = texts.join("\n");
    Ok(if is_error { format!("Error: {text}") } else { text })
}

/// Takes one event of the stream.
pub(crate) fn event(data: &str, answer: &mut Arriving, progress: &mut Progress) -> Result<(), Failure> {
    if data.trim() == "[DONE]" {
        progress.is_complete = true;
        return Ok(());
    }
    let event = Object::parse(data).map_err(|error| {
        Failure::malformed(format!("An event of the stream is not a JSON object: {error}."))
    })?;
    if event.get("error").is_some_and(|error| error != "null") {
        return Err(Failure::in_stream(data));
    }
    head(&event, answer);
    let Some(choice) = first_choice(&event) else {
        return Ok(());
    };
    if let Some(delta) = choice.get("delta").and_then(|text| Object::parse(text).ok()) {
        take(&delta, false, answer, progress)?;
    }
    finish(&choice, answer, progress);
    Ok(())
}

/// Takes a whole completion, from a provider that does not stream.
pub(crate) fn whole(body: &str, answer: &mut Arriving, progress: &mut Progress) -> Result<(), Failure> {
    let completion = Object::parse(body)
        .ok()
        .filter(|completion| completion.get("choices").is_some())
        .ok_or_else(|| Failure::not_a_provider("The response is JSON, but not a chat completion."))?;
    head(&completion, answer);
    if let Some(choice) = first_choice(&completion) {
        if let Some(message) = choice.get("message").and_then(|text| Object::parse(text).ok()) {
            take(&message, true, answer, progress)?;
        }
        finish(&choice, answer, progress);
    }
    progress.is_complete = true;
    Ok(())
}

fn first_choice<'a>(event: &Object<'a>) -> Option<Object<'a>> {
    let choices = event.get("choices").and_then(json::array)?;
    Object::parse(choices.first()?).ok()
}

fn head(event: &Object<'_>, answer: &mut Arriving) {
    if let Some(model) = event.string("model").filter(|model| !model.is_empty()) {
        answer.model = model.into_owned();
    }
    if let Some(usage) = event.get("usage").and_then(|text| Object::parse(text).ok()) {
        let tokens = |name| {
            usage
                .get(name)
                .and_then(json::integer)
                .and_then(|tokens| u64::try_from(tokens).ok())
        };
        answer.usage.input = tokens("prompt_tokens").or(answer.usage.input);
        answer.usage.output = tokens("completion_tokens").or(answer.usage.output);
    }
}

/// Takes a delta, or a whole message, which has the same members.
fn take(
    delta: &Object<'_>,
    is_whole: bool,
    answer: &mut Arriving,
    progress: &mut Progress,
) -> Result<(), Failure> {
    let thinking = ["reasoning_content", "reasoning"]
        .iter()
        .find_map(|name| Some((*name, delta.string(name).filter(|text| !text.is_empty())?)));
    if let Some((name, text)) = thinking {
        answer.reasoning(name, &text)?;
        progress.push(Delta::Thinking(text.into_owned()));
    }
    for text in ["content", "refusal"]
        .iter()
        .filter_map(|name| delta.string(name))
    {
        if !text.is_empty() {
            answer.text(0, &text)?;
            progress.push(Delta::Text(text.into_owned()));
        }
    }
    let calls = delta.get("tool_calls").and_then(json::array).unwrap_or_default();
    for (at, text) in calls.into_iter().enumerate() {
        let call = Object::parse(text).map_err(|_| Failure::malformed("A tool call is not an object."))?;
        // The calls of a whole message are in order, whatever numbers they have.
        let index = call.get("index").and_then(json::integer).filter(|_| !is_whole);
        let index = index.unwrap_or_else(|| i64::try_from(at).unwrap_or(i64::MAX));
        let function = call.get("function").and_then(|text| Object::parse(text).ok());
        let member = |name| function.as_ref().and_then(|function| function.string(name));
        let name = member("name").unwrap_or_default();
        let id = call.string("id").filter(|id| !id.is_empty());
        let begins = match (answer.tool_id(index), &id) {
            (None, _) => true,
            // Some providers number all calls of an answer 0.
            (Some(known), Some(id)) => known != id && !name.is_empty(),
            (Some(_), None) => false,
        };
        if begins {
            // Some local programs give their calls no id.
            let id = id.unwrap_or_else(|| format!("call_{index}").into());
            answer.end_tool(index);
            answer.tool(index, &id, &name)?;
            progress.push(Delta::ToolUse {
                name: name.into_owned(),
            });
        }
        // Some providers write an object in place of its text.
        let written = function.as_ref().and_then(|function| function.get("arguments"));
        let object = written.filter(|text| json::kind(text) == Kind::Object);
        let arguments = object.map(Cow::Borrowed).or_else(|| member("arguments"));
        if let Some(piece) = arguments.filter(|piece| !piece.is_empty()) {
            answer.tool_input(index, &piece)?;
            progress.push(Delta::ToolInput(piece.into_owned()));
        }
    }
    Ok(())
}

fn finish(choice: &Object<'_>, answer: &mut Arriving, progress: &mut Progress) {
    // Some providers write "" or "null" in place of null.
    let reason = choice.string("finish_reason");
    if let Some(reason) = reason.filter(|reason| !matches!(&**reason, "" | "null")) {
        answer.stop_reason = Some(
            match &*reason {
                // This API does not say whether a stop sequence or the end of the turn was the reason.
                "stop" => Cow::Borrowed("endTurn"),
                "length" => "maxTokens".into(),
                "tool_calls" | "function_call" => "toolUse".into(),
                _ => reason,
            }
            .into_owned(),
        );
        // Not all providers send `[DONE]`.
        progress.may_end = true;
    }
}
