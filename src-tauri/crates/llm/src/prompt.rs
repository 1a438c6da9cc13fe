//! The params of `sampling/createMessage` of every revision, as a model's prompt.
//!
//! Until 2025-06-18 a message has one content block; since 2025-11-25 it may have several, and `tool_use` and
//! `tool_result` among them. Not sent to a model: `includeContext` (a host decides about it, and this one adds nothing),
//! and `metadata`, whose meaning differs from provider to provider.

use std::borrow::Cow;

use patchbay_protocol::json::{self, Kind, Object};

use crate::{Failure, Thinking, Thought};

/// The maximum number of content blocks of a prompt, including those in results of tools.
const MOST_BLOCKS: usize = 10_000;

/// What a model is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt<'a> {
    /// `systemPrompt`.
    pub system: Option<Cow<'a, str>>,
    /// `messages`, in order.
    pub messages: Vec<Message<'a>>,
    /// `maxTokens`, at least 1.
    pub max_tokens: i64,
    /// `temperature`: a JSON number, verbatim.
    pub temperature: Option<&'a str>,
    /// `stopSequences`.
    pub stop: Vec<Cow<'a, str>>,
    /// `tools` (2025-11-25).
    pub tools: Vec<Tool<'a>>,
    /// `toolChoice.mode` (2025-11-25).
    pub tool_choice: Option<ToolChoice>,
    /// `modelPreferences`.
    pub preferences: Preferences<'a>,
    /// How much the model thinks; none: as the provider does by itself. Not in the params of servers.
    pub thinking: Option<Thinking>,
}

/// A message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message<'a> {
    /// Whether the model said it; otherwise the user did.
    pub is_assistant: bool,
    /// Its content.
    pub blocks: Vec<Block<'a>>,
}

/// A content block.
#[derive(Debug, Clone, PartialEq)]
pub enum Block<'a> {
    /// What the model thought, for the provider that it is from.
    Thought(Thought<'a>),
    /// Text.
    Text(Cow<'a, str>),
    /// An image, in base64.
    Image {
        mime_type: Cow<'a, str>,
        data: Cow<'a, str>,
    },
    /// Audio, in base64.
    Audio {
        mime_type: Cow<'a, str>,
        data: Cow<'a, str>,
    },
    /// A call that the model requested. `input` is JSON text of an object.
    ToolUse {
        id: Cow<'a, str>,
        name: Cow<'a, str>,
        input: &'a str,
    },
    /// The result of such a call.
    ToolResult {
        id: Cow<'a, str>,
        blocks: Vec<Block<'a>>,
        is_error: bool,
    },
}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Its description.
    pub description: Option<Cow<'a, str>>,
    /// Its `inputSchema`, verbatim.
    pub input_schema: &'a str,
}

/// Whether the model calls tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    Auto,
    /// It calls at least one.
    Required,
    /// It calls none.
    None,
}

/// `modelPreferences`. Priorities are between 0 and 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Preferences<'a> {
    /// Names, or parts of names, of models, the best first.
    pub hints: Vec<Cow<'a, str>>,
    /// How important a low price is.
    pub cost: Option<f64>,
    /// How important speed is.
    pub speed: Option<f64>,
    /// How important capability is.
    pub intelligence: Option<f64>,
}

impl<'a> Preferences<'a> {
    /// The preferences in params, as far as they can be read.
    #[must_use]
    pub fn of_params(params: &'a str) -> Self {
        let Some(preferences) = Object::parse(params)
            .ok()
            .and_then(|params| Object::parse(params.get("modelPreferences")?).ok())
        else {
            return Self::default();
        };
        let hints = preferences.get("hints").and_then(json::array).unwrap_or_default();
        let priority = |name| preferences.get(name).and_then(json::number);
        Self {
            hints: hints
                .into_iter()
                .filter_map(|hint| Object::parse(hint).ok()?.string("name"))
                .filter(|name| !name.trim().is_empty())
                .collect(),
            cost: priority("costPriority"),
            speed: priority("speedPriority"),
            intelligence: priority("intelligencePriority"),
        }
    }
}

impl<'a> Prompt<'a> {
    /// Parses params.
    ///
    /// # Errors
    /// A part that must be sent cannot be read. The failure names it.
    pub fn parse(params: &'a str) -> Result<Self, Failure> {
        Self::read(params, Kinds::Message)
    }

    /// Parses params of our own making: their messages may have thoughts besides ([`Thought::block`]).
    ///
    /// # Errors
    /// As [`Prompt::parse`].
    pub fn of_conversation(params: &'a str) -> Result<Self, Failure> {
        Self::read(params, Kinds::Own)
    }

    fn read(params: &'a str, kinds: Kinds) -> Result<Self, Failure> {
        let object = Object::parse(params)
            .map_err(|error| Failure::request(format!("The request is not a JSON object: {error}.")))?;
        let messages =
            array_of(&object, "messages")?.ok_or_else(|| Failure::request("`messages` is missing."))?;
        let mut blocks = MOST_BLOCKS;
        let messages = messages
            .into_iter()
            .enumerate()
            .map(|(at, message)| read_message(message, &format!("messages[{at}]"), &mut blocks, kinds))
            .collect::<Result<Vec<_>, _>>()?;
        if messages.is_empty() {
            return Err(Failure::request(
                "`messages` is empty: there is nothing to answer.",
            ));
        }
        let max_tokens = object.get("maxTokens").and_then(json::integer);
        let stop = array_of(&object, "stopSequences")?.unwrap_or_default();
        let tools = array_of(&object, "tools")?.unwrap_or_default();
        Ok(Self {
            system: string_of(&object, "systemPrompt")?,
            messages,
            max_tokens: max_tokens
                .filter(|tokens| *tokens > 0)
                .ok_or_else(|| Failure::request("`maxTokens` is not a positive integer."))?,
            temperature: match object.get("temperature") {
                None => None,
                Some(text) if json::kind(text) == Kind::Number => Some(text.trim()),
                Some(_) => return Err(Failure::request("`temperature` is not a number.")),
            },
            stop: stop
                .into_iter()
                .map(|text| {
                    json::string(text)
                        .ok_or_else(|| Failure::request("`stopSequences` has an item that is not a string."))
                })
                .collect::<Result<_, _>>()?,
            tools: tools
                .into_iter()
                .enumerate()
                .map(|(at, tool)| read_tool(tool, &format!("tools[{at}]")))
                .collect::<Result<_, _>>()?,
            tool_choice: read_tool_choice(&object)?,
            preferences: Preferences::of_params(params),
            thinking: None,
        })
    }

    /// The maximum number of tokens with a budget for thinking.
    pub(crate) fn with_budget(&self, tokens: u32) -> i64 {
        self.max_tokens.saturating_add(tokens.into())
    }
}

/// Where blocks are, which decides which there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kinds {
    /// In the result of a tool.
    Result,
    /// In a message of a server's request.
    Message,
    /// In a message of a conversation of ours.
    Own,
}

fn read_message<'a>(
    text: &'a str,
    place: &str,
    left: &mut usize,
    kinds: Kinds,
) -> Result<Message<'a>, Failure> {
    let message =
        Object::parse(text).map_err(|_| Failure::request(format!("`{place}` is not an object.")))?;
    let is_assistant = match message.string("role").as_deref() {
        Some("user") => false,
        Some("assistant") => true,
        _ => {
            return Err(Failure::request(format!(
                "`{place}.role` is neither user nor assistant."
            )));
        }
    };
    let content = message
        .get("content")
        .ok_or_else(|| Failure::request(format!("`{place}.content` is missing.")))?;
    Ok(Message {
        is_assistant,
        blocks: read_blocks(content, &format!("{place}.content"), left, kinds)?,
    })
}

/// One block, or an array of blocks.
fn read_blocks<'a>(
    text: &'a str,
    place: &str,
    left: &mut usize,
    kinds: Kinds,
) -> Result<Vec<Block<'a>>, Failure> {
    let Some(items) = json::array(text) else {
        return Ok(vec![read_block(text, place, left, kinds)?]);
    };
    items
        .into_iter()
        .enumerate()
        .map(|(at, item)| read_block(item, &format!("{place}[{at}]"), left, kinds))
        .collect()
}

fn read_block<'a>(text: &'a str, place: &str, left: &mut usize, kinds: Kinds) -> Result<Block<'a>, Failure> {
    *left = left.checked_sub(1).ok_or_else(|| {
        Failure::request(format!("The request has more than {MOST_BLOCKS} content blocks."))
    })?;
    let block = Object::parse(text).map_err(|_| Failure::request(format!("`{place}` is not an object.")))?;
    let need = |name: &str| {
        block
            .string(name)
            .ok_or_else(|| Failure::request(format!("`{place}.{name}` is not a string.")))
    };
    let kind = need("type")?;
    if kinds == Kinds::Own
        && let Some(thought) = Thought::read(&kind, &block)
    {
        return Ok(Block::Thought(thought));
    }
    let tools = kinds != Kinds::Result;
    Ok(match &*kind {
        "text" => Block::Text(need("text")?),
        "image" => Block::Image {
            mime_type: need("mimeType")?,
            data: need("data")?,
        },
        "audio" => Block::Audio {
            mime_type: need("mimeType")?,
            data: need("data")?,
        },
        "tool_use" if tools => Block::ToolUse {
            id: need("id")?,
            name: need("name")?,
            input: object_or_empty(block.get("input"), &format!("{place}.input"))?,
        },
        "tool_result" if tools => Block::ToolResult {
            id: need("toolUseId")?,
            is_error: block.get("isError").and_then(json::boolean) == Some(true),
            blocks: read_result(&block, place, left)?,
        },
        // What a tool returned besides text, images and audio is given to the model as the JSON it is.
        "resource" | "resource_link" if !tools => Block::Text(Cow::Borrowed(text)),
        other => {
            return Err(Failure::request(format!(
                "`{place}` has the type {other:?}, which no model takes."
            )));
        }
    })
}

/// The content of a tool's result; of one that has structured content only, that.
fn read_result<'a>(block: &Object<'a>, place: &str, left: &mut usize) -> Result<Vec<Block<'a>>, Failure> {
    let content = match block.get("content") {
        Some(content) => read_blocks(content, &format!("{place}.content"), left, Kinds::Result)?,
        None => Vec::new(),
    };
    match block.get("structuredContent") {
        Some(structured) if content.is_empty() => Ok(vec![Block::Text(Cow::Borrowed(structured))]),
        _ => Ok(content),
    }
}

fn read_tool<'a>(text: &'a str, place: &str) -> Result<Tool<'a>, Failure> {
    let tool = Object::parse(text).map_err(|_| Failure::request(format!("`{place}` is not an object.")))?;
    Ok(Tool {
        name: tool
            .string("name")
            .ok_or_else(|| Failure::request(format!("`{place}.name` is not a string.")))?,
        description: tool.string("description"),
        input_schema: object_or_empty(tool.get("inputSchema"), &format!("{place}.inputSchema"))?,
    })
}

fn read_tool_choice(params: &Object<'_>) -> Result<Option<ToolChoice>, Failure> {
    let Some(choice) = params.get("toolChoice") else {
        return Ok(None);
    };
    let mode = Object::parse(choice)
        .ok()
        .and_then(|choice| choice.string("mode").map(Cow::into_owned));
    match mode.as_deref() {
        // `mode` may be missing; auto is its default.
        None | Some("auto") => Ok(Some(ToolChoice::Auto)),
        Some("required") => Ok(Some(ToolChoice::Required)),
        Some("none") => Ok(Some(ToolChoice::None)),
        Some(other) => Err(Failure::request(format!(
            "`toolChoice.mode` is {other:?}; auto, required and none are known."
        ))),
    }
}

fn object_or_empty<'a>(text: Option<&'a str>, place: &str) -> Result<&'a str, Failure> {
    match text {
        None => Ok("{}"),
        Some(text) if json::kind(text) == Kind::Object => Ok(text),
        Some(_) => Err(Failure::request(format!("`{place}` is not an object."))),
    }
}

fn array_of<'a>(params: &Object<'a>, name: &str) -> Result<Option<Vec<&'a str>>, Failure> {
    match params.get(name) {
        None => Ok(None),
        Some(text) => json::array(text)
            .map(Some)
            .ok_or_else(|| Failure::request(format!("`{name}` is not an array."))),
    }
}

fn string_of<'a>(params: &Object<'a>, name: &str) -> Result<Option<Cow<'a, str>>, Failure> {
    match params.get(name) {
        None => Ok(None),
        Some(text) => json::string(text)
            .map(Some)
            .ok_or_else(|| Failure::request(format!("`{name}` is not a string."))),
    }
}
