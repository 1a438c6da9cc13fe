//! The whole conversation as a request to a model: the params of `sampling/createMessage`, which `patchbay-llm` converts to
//! the wire of each provider.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use patchbay_contract::{ChatCallState, ChatSettings};
use patchbay_llm::Api;
use patchbay_protocol::json;

use super::{
    attach::image_type,
    item::{Answer, Call, Item, media_words, text_block},
    toolbox::{self, Toolbox},
};

/// How much text of a result the model gets, in bytes.
const LONGEST_RESULT: usize = 256 << 10;

/// The maximum number of images and recordings in a message or a result for the model. A request has a limited number of
/// blocks, and one with more would be refused, as would each later one of the conversation.
const MOST_MEDIA: usize = 100;
/// The maximum number of blocks of a message or a result of which each text stays a block of its own.
const MOST_APART: usize = 100;
/// Why a model does not get an image or a recording.
const OTHER_IMAGE: &str = "Providers take PNG, JPEG, GIF and WebP only.";
const OTHER_AUDIO: &str = "This provider does not take such audio.";
const TEXT_ONLY: &str = "This provider takes text only here.";

/// What is in place of a call in the blocks of an answer.
pub(super) const CALL: &str = "{\"type\":\"call\"}";

/// What differs from provider to provider.
#[derive(Debug, Clone)]
pub(super) struct PromptOptions {
    /// The API of the provider.
    pub(super) api: Api,
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
                let blocks = user_blocks(&user.blocks, options.api).into_iter();
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

/// A part of what a model gets.
enum Part {
    Text(String),
    /// An image or a recording: a content block.
    Media(String),
}

/// The blocks of a message or a result.
struct Content {
    blocks: Vec<String>,
    /// Texts that become one block.
    texts: Vec<String>,
    /// Whether texts that follow one another become one block.
    joins: bool,
    /// How much more text there is room for, in bytes.
    left: usize,
    /// How many of the blocks are media.
    media: usize,
}

impl Content {
    fn new(left: usize) -> Self {
        Self {
            blocks: Vec::new(),
            texts: Vec::new(),
            joins: false,
            left,
            media: 0,
        }
    }

    fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.texts.is_empty()
    }

    fn push(&mut self, part: Part) {
        match part {
            Part::Text(text) => self.limited(&text),
            Part::Media(block) => {
                self.media += 1;
                if self.media <= MOST_MEDIA {
                    self.end_texts();
                    self.blocks.push(block);
                } else if self.media == MOST_MEDIA + 1 {
                    self.note(format!(
                        "[The model gets the first {MOST_MEDIA} images and recordings here. The others are left out.]"
                    ));
                }
            }
        }
    }

    /// A text of ours, whatever is left.
    fn note(&mut self, text: String) {
        if !self.joins {
            self.end_texts();
        }
        self.texts.push(text);
    }

    /// A text, cut to what is left.
    fn limited(&mut self, text: &str) {
        if text.len() <= self.left {
            self.left -= text.len();
            return self.note(text.to_owned());
        }
        let mut end = self.left;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.left = 0;
        self.note(format!(
            "{}\n[The text has {} bytes; the model gets the first {end}.]",
            &text[..end],
            text.len()
        ));
    }

    fn end_texts(&mut self) {
        let texts = std::mem::take(&mut self.texts);
        if !texts.is_empty() {
            self.blocks.push(text_block(&texts.join("\n")));
        }
    }

    fn end(mut self) -> Vec<String> {
        self.end_texts();
        self.blocks
    }
}

/// What the user sends: texts and media as they are, resources as text that says where it is from.
fn user_blocks(blocks: &str, api: Api) -> Vec<String> {
    let blocks = json::array(blocks).unwrap_or_default();
    let mut content = Content::new(usize::MAX);
    content.joins = blocks.len() > MOST_APART;
    for raw in blocks {
        content.push(user_part(raw, api));
    }
    content.end()
}

/// What a model gets of a block. A block that cannot be read is the JSON that it is: a request with it could not be sent.
fn user_part(raw: &str, api: Api) -> Part {
    let as_it_is = || Part::Text(raw.to_owned());
    let Ok(block) = json::Object::parse(raw) else {
        return as_it_is();
    };
    match block.string("type").as_deref() {
        Some("text") => {
            let text = block.string("text");
            text.map_or_else(as_it_is, |text| Part::Text(text.into_owned()))
        }
        Some("image") => image_or_words(&block),
        Some("audio")
            if ["mimeType", "data"]
                .iter()
                .any(|name| block.string(name).is_none()) =>
        {
            as_it_is()
        }
        Some("audio") => audio(&block, "data", api).map_or_else(
            || Part::Text(shown_only(&block, "audio", OTHER_AUDIO)),
            Part::Media,
        ),
        Some("resource") => resource(&block, api).unwrap_or_else(as_it_is),
        _ => as_it_is(),
    }
}

/// The words that every model gets in place of the bytes of a block; none if some provider takes them, or if the block has
/// no bytes.
pub(super) fn in_place_of_bytes(raw: &str) -> Option<String> {
    media_words(raw)?;
    match user_part(raw, Api::ChatCompletions) {
        Part::Text(words) => Some(words),
        Part::Media(_) => None,
    }
}

/// A block of what a model is said to have answered, which is text only.
pub(super) fn answered(raw: &str) -> String {
    match (media_words(raw), user_part(raw, Api::Anthropic)) {
        (None, Part::Text(text)) => text,
        (words, _) => {
            let words = words.unwrap_or_default();
            format!("[{words}: left out. An answer has text only.]")
        }
    }
}

/// An embedded resource.
fn resource(block: &json::Object<'_>, api: Api) -> Option<Part> {
    let resource = json::Object::parse(block.get("resource")?).ok()?;
    let uri = resource.string("uri")?;
    let mime_type = resource.string("mimeType").unwrap_or_default();
    if let Some(text) = resource.string("text") {
        return Some(Part::Text(format!(
            "<resource uri={}>\n{text}\n</resource>",
            json::quote(&uri)
        )));
    }
    resource.get("blob")?;
    let given = match mime_type.split('/').next() {
        Some("image") => image(&resource, "blob"),
        Some("audio") => audio(&resource, "blob", api),
        _ => None,
    };
    Some(given.map_or_else(
        || {
            Part::Text(format!(
                "[The resource {uri} is {mime_type}. Its bytes are not given to the model.]"
            ))
        },
        Part::Media,
    ))
}

/// An image, with the type that its bytes say; none if it is not one that providers take. They would refuse this request
/// and each later one of the conversation.
fn image(holder: &json::Object<'_>, member: &str) -> Option<String> {
    let (data, bytes) = decoded(holder, member)?;
    let kind = image_type(&bytes)?;
    Some(format!(
        "{{\"type\":\"image\",\"mimeType\":\"{kind}\",\"data\":{}}}",
        json::quote(&data)
    ))
}

/// A recording; none if it is not one that this provider takes.
fn audio(holder: &json::Object<'_>, member: &str, api: Api) -> Option<String> {
    let mime_type = holder.string("mimeType").filter(|kind| api.takes_audio(kind))?;
    let (data, bytes) = decoded(holder, member)?;
    (!bytes.is_empty()).then(|| {
        format!(
            "{{\"type\":\"audio\",\"mimeType\":{},\"data\":{}}}",
            json::quote(&mime_type),
            json::quote(&data)
        )
    })
}

/// What is written in base64, and its bytes; none if it is not base64. Some programs put line breaks in it, which providers
/// do not take.
fn decoded(holder: &json::Object<'_>, member: &str) -> Option<(String, Vec<u8>)> {
    let mut data = holder.string(member)?.into_owned();
    data.retain(|c| !c.is_ascii_whitespace());
    let bytes = STANDARD.decode(&data).ok()?;
    Some((data, bytes))
}

fn image_or_words(block: &json::Object<'_>) -> Part {
    let words = || Part::Text(shown_only(block, "image", OTHER_IMAGE));
    image(block, "data").map_or_else(words, Part::Media)
}

/// What a model gets in place of media.
fn shown_only(block: &json::Object<'_>, kind: &str, why: &str) -> String {
    let mime_type = block.string("mimeType").unwrap_or_default();
    format!("[{kind}, {mime_type}: shown to the user. {why}]")
}

/// The id of a call for a provider. Mistral takes nine letters and digits only; the ids of items are numbers, which the
/// limit of items keeps within five digits.
fn id_of(call: &Call) -> String {
    format!("call{:0>5}", call.id)
}

/// A call as the model made it. What is not a JSON object cannot be sent as arguments; the result quotes it. Nor can a name
/// that the model invented, if it has other characters than names of tools.
fn made(call: &Call) -> String {
    let arguments = match json::Object::parse(&call.arguments) {
        Ok(_) => &*call.arguments,
        Err(_) => "{}",
    };
    format!(
        "{{\"type\":\"tool_use\",\"id\":\"{}\",\"name\":{},\"input\":{arguments}}}",
        id_of(call),
        json::quote(&toolbox::usable(&call.alias))
    )
}

/// Its result as the model gets it.
fn result(call: &Call, options: &PromptOptions) -> String {
    let mut content = Content::new(LONGEST_RESULT);
    if let Some(edited) = &call.edited {
        content.limited(&format!(
            "[The user changed the arguments before the call. It ran with {edited}]"
        ));
    }
    if let Some(raw) = &call.result {
        result_content(raw, options.api, &mut content);
    }
    if let Some(size) = call.cut_from {
        content.note(format!("[The result has {size} bytes. This is its beginning.]"));
    }
    if let Some(error) = &call.error {
        content.limited(error);
    }
    if content.is_empty() {
        content.note("[The result is empty.]".to_owned());
    }
    format!(
        "{{\"type\":\"tool_result\",\"toolUseId\":\"{}\",\"isError\":{},\"content\":[{}]}}",
        id_of(call),
        call.state != ChatCallState::Done,
        content.end().join(",")
    )
}

fn result_content(raw: &str, api: Api, content: &mut Content) {
    let Ok(result) = json::Object::parse(raw) else {
        return content.limited(raw);
    };
    let blocks = result.get("content").and_then(json::array).unwrap_or_default();
    content.joins = blocks.len() > MOST_APART;
    let mut is_empty = true;
    for (at, raw) in blocks.iter().enumerate() {
        let Some(part) = result_part(raw, api) else {
            continue;
        };
        if content.left == 0 {
            let rest = blocks.len() - at;
            return content.note(format!(
                "[Further blocks of the result, which are left out: {rest}.]"
            ));
        }
        is_empty = false;
        content.push(part);
    }
    if let (true, Some(structured)) = (is_empty, result.get("structuredContent")) {
        content.limited(structured);
    }
}

/// What a model gets of a block of a result; none if it says nothing.
fn result_part(raw: &str, api: Api) -> Option<Part> {
    let as_it_is = || Part::Text(raw.to_owned());
    let Ok(block) = json::Object::parse(raw) else {
        return Some(as_it_is());
    };
    Some(match block.string("type").as_deref() {
        Some("text") => match block.string("text") {
            // Blank texts are refused by providers.
            Some(text) if text.trim().is_empty() => return None,
            Some(text) => Part::Text(text.into_owned()),
            None => as_it_is(),
        },
        Some("image") if api == Api::Anthropic => image_or_words(&block),
        Some(kind @ ("image" | "audio")) => Part::Text(shown_only(&block, kind, TEXT_ONLY)),
        _ => as_it_is(),
    })
}
