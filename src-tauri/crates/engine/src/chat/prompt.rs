//! The whole conversation as a request to a model: the params of `sampling/createMessage`, which `patchbay-llm` converts to
//! the wire of each provider.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use patchbay_contract::{ChatCallState, ChatSettings};
use patchbay_protocol::json;

use super::{
    attach::image_type,
    item::{Answer, Call, Item, text_block},
    toolbox::Toolbox,
};

/// How much text of a result the model gets, in bytes.
const LONGEST_RESULT: usize = 256 << 10;

/// How much of an image is decoded to know its type, in letters of base64.
const IMAGE_START: usize = 16;
/// Why a model does not get an image.
const OTHER_IMAGE: &str = "Providers take PNG, JPEG, GIF and WebP only.";
const TEXT_ONLY: &str = "This provider takes text only here.";

/// What is in place of a call in the blocks of an answer.
pub(super) const CALL: &str = "{\"type\":\"call\"}";

/// What differs from provider to provider.
#[derive(Debug, Clone)]
pub(super) struct PromptOptions {
    /// Whether results of tools may have images.
    pub(super) images_in_results: bool,
    /// The provider and the model: they get their own thoughts back.
    pub(super) blocks_of: String,
}

/// Masks the secrets in a part of a request: of the item with this id, or of what is given with each request.
pub(super) type Mask<'a> = dyn Fn(Option<&str>, String) -> String + 'a;

/// The request for the next answer: JSON text.
pub(super) fn params(
    items: &[Item],
    settings: &ChatSettings,
    tools: &Toolbox,
    options: &PromptOptions,
    mask: &Mask<'_>,
) -> String {
    let mut messages = Vec::new();
    // Thoughts belong to the turn that they are of.
    let turn = items.iter().rposition(|item| matches!(item, Item::User(_)));
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::User(user) => {
                let blocks = user_blocks(&user.blocks).into_iter();
                let blocks: Vec<String> = blocks.map(|block| mask(Some(&user.id), block)).collect();
                push(&mut messages, "user", &blocks);
            }
            Item::Answer(answer) => {
                let calls = items[at + 1..].iter().map_while(|item| match item {
                    Item::Call(call) if call.answer == answer.id => Some(&**call),
                    _ => None,
                });
                let calls: Vec<&Call> = calls.collect();
                let is_of_turn = turn.is_some_and(|turn| at > turn);
                let blocks = match is_of_turn && answer.blocks_of == options.blocks_of {
                    true => &*answer.blocks,
                    false => &[],
                };
                push(&mut messages, "assistant", &said(answer, blocks, &calls, mask));
                let results = calls
                    .iter()
                    .map(|call| mask(Some(&call.id), result(call, options)));
                let results: Vec<String> = results.collect();
                push(&mut messages, "user", &results);
            }
            // Calls are with their answer; notices are for the user.
            Item::Call(_) | Item::Notice(_) => {}
        }
    }
    let mut text = format!(
        "{{\"messages\":[{}],\"maxTokens\":{}",
        messages.join(","),
        settings.max_tokens
    );
    if !tools.system_prompt.is_empty() {
        let prompt = mask(None, json::quote(&tools.system_prompt));
        text += &format!(",\"systemPrompt\":{prompt}");
    }
    if let Some(temperature) = settings.temperature {
        text += &format!(",\"temperature\":{temperature}");
    }
    let given = tools.definitions().into_iter();
    let given: Vec<String> = given.map(|tool| mask(None, tool.to_owned())).collect();
    if !given.is_empty() {
        text += &format!(",\"tools\":[{}]", given.join(","));
    }
    text.push('}');
    text
}

/// An answer with the calls that it makes, in the order of its blocks if it has any.
fn said(answer: &Answer, blocks: &[String], calls: &[&Call], mask: &Mask<'_>) -> Vec<String> {
    let id = Some(&*answer.id);
    let mut calls = calls.iter().map(|call| mask(Some(&call.id), made(call)));
    let mut said: Vec<String> = match blocks.is_empty() {
        true => {
            let text = (!answer.text.is_empty()).then(|| mask(id, text_block(&answer.text)));
            text.into_iter().collect()
        }
        false => {
            let filled = blocks.iter().filter_map(|block| match block == CALL {
                true => calls.next(),
                false => Some(mask(id, block.clone())),
            });
            filled.collect()
        }
    };
    said.extend(calls);
    said
}

fn push(messages: &mut Vec<String>, role: &str, blocks: &[String]) {
    // A message without content is refused by providers.
    if !blocks.is_empty() {
        messages.push(format!(
            "{{\"role\":\"{role}\",\"content\":[{}]}}",
            blocks.join(",")
        ));
    }
}

/// What the user sends: texts and media as they are, resources as text that says where it is from.
fn user_blocks(blocks: &str) -> Vec<String> {
    let blocks = json::array(blocks).unwrap_or_default().into_iter();
    blocks.map(user_block).collect()
}

fn user_block(raw: &str) -> String {
    let Ok(block) = json::Object::parse(raw) else {
        return text_block(raw);
    };
    match block.string("type").as_deref() {
        Some("image") => image_or_words(&block),
        Some("text" | "audio") => raw.to_owned(),
        Some("resource") => resource(&block).unwrap_or_else(|| text_block(raw)),
        _ => text_block(raw),
    }
}

/// An embedded resource.
fn resource(block: &json::Object<'_>) -> Option<String> {
    let resource = json::Object::parse(block.get("resource")?).ok()?;
    let uri = resource.string("uri")?;
    let mime_type = resource.string("mimeType").unwrap_or_default();
    if let Some(text) = resource.string("text") {
        return Some(text_block(&format!(
            "<resource uri={}>\n{text}\n</resource>",
            json::quote(&uri)
        )));
    }
    let data = resource.get("blob")?;
    let given = match mime_type.split('/').next() {
        Some("image") => image(&resource, "blob"),
        Some("audio") => Some(format!(
            "{{\"type\":\"audio\",\"mimeType\":{},\"data\":{data}}}",
            json::quote(&mime_type)
        )),
        _ => None,
    };
    Some(given.unwrap_or_else(|| {
        text_block(&format!(
            "[The resource {uri} is {mime_type}. Its bytes are not given to the model.]"
        ))
    }))
}

/// An image, with the type that its bytes say; none if it is not one that providers take. They would refuse this request
/// and each later one of the conversation.
fn image(holder: &json::Object<'_>, member: &str) -> Option<String> {
    let data = holder.string(member)?;
    // Four letters are three bytes.
    let first = data.get(..(data.len() & !3).min(IMAGE_START))?;
    let kind = image_type(&STANDARD.decode(first).ok()?)?;
    Some(format!(
        "{{\"type\":\"image\",\"mimeType\":\"{kind}\",\"data\":{}}}",
        json::quote(&data)
    ))
}

fn image_or_words(block: &json::Object<'_>) -> String {
    image(block, "data").unwrap_or_else(|| shown_only(block, "image", OTHER_IMAGE))
}

/// What a model gets in place of media.
fn shown_only(block: &json::Object<'_>, kind: &str, why: &str) -> String {
    let mime_type = block.string("mimeType").unwrap_or_default();
    text_block(&format!("[{kind}, {mime_type}: shown to the user. {why}]"))
}

/// The id of a call for a provider. Mistral takes nine letters and digits only; the ids of items are numbers, which the
/// limit of items keeps within five digits.
fn id_of(call: &Call) -> String {
    format!("call{:0>5}", call.id)
}

/// A call as the model made it. What is not a JSON object cannot be sent as arguments; the result quotes it.
fn made(call: &Call) -> String {
    let arguments = match json::Object::parse(&call.arguments) {
        Ok(_) => &*call.arguments,
        Err(_) => "{}",
    };
    format!(
        "{{\"type\":\"tool_use\",\"id\":\"{}\",\"name\":{},\"input\":{arguments}}}",
        id_of(call),
        json::quote(&call.alias)
    )
}

/// Its result as the model gets it.
fn result(call: &Call, options: &PromptOptions) -> String {
    let mut blocks = Vec::new();
    let mut left = LONGEST_RESULT;
    if let Some(edited) = &call.edited {
        let words = format!("[The user changed the arguments before the call. It ran with {edited}]");
        blocks.push(limited(&words, &mut left));
    }
    if let Some(raw) = &call.result {
        result_blocks(raw, options, &mut left, &mut blocks);
    }
    if let Some(size) = call.cut_from {
        let words = format!("[The result has {size} bytes. This is its beginning.]");
        blocks.push(text_block(&words));
    }
    if let Some(error) = &call.error {
        blocks.push(limited(error, &mut left));
    }
    if blocks.is_empty() {
        blocks.push(text_block("[The result is empty.]"));
    }
    format!(
        "{{\"type\":\"tool_result\",\"toolUseId\":\"{}\",\"isError\":{},\"content\":[{}]}}",
        id_of(call),
        call.state != ChatCallState::Done,
        blocks.join(",")
    )
}

fn result_blocks(raw: &str, options: &PromptOptions, left: &mut usize, blocks: &mut Vec<String>) {
    let Ok(result) = json::Object::parse(raw) else {
        return blocks.push(limited(raw, left));
    };
    let content = result.get("content").and_then(json::array).unwrap_or_default();
    let before = blocks.len();
    for raw in content {
        let Ok(block) = json::Object::parse(raw) else {
            blocks.push(limited(raw, left));
            continue;
        };
        blocks.push(match block.string("type").as_deref() {
            Some("text") => {
                let text = block.string("text").unwrap_or_default();
                // Blank texts are refused by providers, and say nothing.
                if text.trim().is_empty() {
                    continue;
                }
                limited(&text, left)
            }
            Some("image") if options.images_in_results => image_or_words(&block),
            Some(kind @ ("image" | "audio")) => shown_only(&block, kind, TEXT_ONLY),
            _ => limited(raw, left),
        });
    }
    let is_empty = blocks.len() == before;
    if let (true, Some(structured)) = (is_empty, result.get("structuredContent")) {
        blocks.push(limited(structured, left));
    }
}

/// A text, cut to what is left.
fn limited(text: &str, left: &mut usize) -> String {
    if text.len() <= *left {
        *left -= text.len();
        return text_block(text);
    }
    let mut end = *left;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    *left = 0;
    text_block(&format!(
        "{}\n[The text has {} bytes; the model gets the first {end}.]",
        &text[..end],
        text.len()
    ))
}
