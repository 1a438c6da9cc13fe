//! The items of a conversation as they are stored, one JSON object a line. A line replaces an earlier one with its id.

mod masking;

pub(crate) use self::masking::Masker;

use std::time::SystemTime;

use patchbay_contract::{ChatCallState, ChatNoticeKind, ChatSettings, ChatToolRef, ServerId, ToolHints};
use patchbay_protocol::json;
use serde::{Deserialize, Serialize};

use crate::convert;

/// The version of the format. A file of a newer version is not written.
pub(super) const VERSION: u32 = 3;

/// The length of a title that is made of the first message, in characters.
const TITLE: usize = 80;

/// How much of a MIME type is said in words, in characters.
const MIME_TYPE: usize = 100;

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum Line {
    /// The first line.
    Conversation {
        version: u32,
        id: String,
        created_at_ms: f64,
    },
    /// The name that the user gave.
    Title { title: String },
    /// All settings.
    Settings { settings: ChatSettings },
    /// A message.
    User(User),
    /// An answer.
    Answer(Answer),
    /// A call.
    Call(Box<Call>),
    /// Why a turn ended.
    Notice(Notice),
    /// The conversation is shown up to this item, and new items follow it; none: from its beginning (version 2).
    Head {
        item: Option<String>,
        /// Whether no turn was to answer it: a fork ends there, or another branch was only shown.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        idle: bool,
    },
    /// This model is about to be sent what is shown (version 3). Its answer or a notice says so from then on.
    Asked { by: String },
}

/// An item.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    User(User),
    Answer(Answer),
    Call(Box<Call>),
    Notice(Notice),
}

/// A message of the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct User {
    pub(super) id: String,
    pub(super) at_ms: f64,
    /// JSON text: an array of content blocks of MCP.
    pub(super) blocks: String,
    /// The prompt that it is from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<String>,
    /// The secrets that are masked in it, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) masked: Vec<String>,
    /// Which of its blocks are from servers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) origins: Vec<Origin>,
}

/// The server that some blocks of a message are from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Origin {
    pub(super) server_id: ServerId,
    /// Its name at that time.
    pub(super) server_name: String,
    /// The number of the first block, and how many there are.
    pub(super) first: usize,
    pub(super) count: usize,
}

impl Origin {
    /// Whether a block is of this server.
    pub(super) fn has(&self, block: usize) -> bool {
        block >= self.first && block - self.first < self.count
    }
}

/// A part of a call's arguments that is in another item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Carried {
    /// The item.
    pub(super) item: String,
    /// The server that it came from; none: the user wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) server_id: Option<ServerId>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) server_name: String,
    /// The part, or its beginning.
    pub(super) excerpt: String,
    /// Whether another server gets it, which nobody gave it before.
    pub(super) crosses: bool,
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Answer {
    pub(super) id: String,
    pub(super) at_ms: f64,
    pub(super) by: String,
    pub(super) by_model: bool,
    pub(super) text: String,
    pub(super) thinking: String,
    /// The answer as its provider wants it back while the turn uses tools: content blocks, and `call` in place of each
    /// call. Empty if it has no thoughts, which alone need this.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) blocks: Vec<String>,
    /// The provider and the model that these blocks are for.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) blocks_of: String,
    pub(super) calls: u32,
    pub(super) stop_reason: Option<String>,
    pub(super) incomplete: Option<String>,
    pub(super) input_tokens: Option<u32>,
    pub(super) output_tokens: Option<u32>,
    pub(super) took_ms: f64,
    pub(super) seq: Option<String>,
    /// The secrets that are masked in it, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) masked: Vec<String>,
    /// The server of the prompt that it is from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) origins: Vec<Origin>,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Call {
    pub(super) id: String,
    /// The answer that makes it.
    pub(super) answer: String,
    pub(super) at_ms: f64,
    pub(super) alias: String,
    pub(super) server_id: Option<ServerId>,
    pub(super) server_name: String,
    pub(super) tool: String,
    pub(super) hints: ToolHints,
    pub(super) arguments: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) edited: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) problems: Vec<String>,
    /// Why they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) not_checked: Option<String>,
    pub(super) state: ChatCallState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) asked_because: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) decided_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) request_seq: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) response_seq: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) duration_ms: Option<f64>,
    /// The `CallToolResult`: JSON text, secrets masked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<String>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    /// The tools that it found, of a call of the search tool.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) found: Vec<ChatToolRef>,
    /// The size of a result that was too large to keep whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cut_from: Option<f64>,
    /// The secrets that are masked in it, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) masked: Vec<String>,
    /// What its arguments have of other items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) carried: Vec<Carried>,
    /// Whether not all of the conversation was compared with them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) compared_in_part: bool,
}

/// Why a turn ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Notice {
    pub(super) id: String,
    pub(super) at_ms: f64,
    pub(super) kind: ChatNoticeKind,
    pub(super) cause: String,
    pub(super) next: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seq: Option<String>,
    /// The model that was asked before, of whose answer nothing is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) asked: Option<String>,
}

impl Item {
    pub(super) fn id(&self) -> &str {
        match self {
            Self::User(user) => &user.id,
            Self::Answer(answer) => &answer.id,
            Self::Call(call) => &call.id,
            Self::Notice(notice) => &notice.id,
        }
    }

    pub(super) fn at_ms(&self) -> f64 {
        match self {
            Self::User(user) => user.at_ms,
            Self::Answer(answer) => answer.at_ms,
            Self::Call(call) => call.at_ms,
            Self::Notice(notice) => notice.at_ms,
        }
    }

    /// The model that was asked before this item, and whether the item is its answer.
    pub(super) fn asked(&self) -> Option<(&str, bool)> {
        match self {
            Self::Answer(answer) => answer.by_model.then_some((answer.by.as_str(), true)),
            Self::Notice(notice) => notice.asked.as_deref().map(|by| (by, false)),
            Self::User(_) | Self::Call(_) => None,
        }
    }

    pub(super) fn line(&self) -> Line {
        match self.clone() {
            Self::User(user) => Line::User(user),
            Self::Answer(answer) => Line::Answer(answer),
            Self::Call(call) => Line::Call(call),
            Self::Notice(notice) => Line::Notice(notice),
        }
    }

    /// The text that a search looks at.
    pub(super) fn searched(&self) -> String {
        match self {
            Self::User(user) => user.text(),
            Self::Answer(answer) => answer.text.clone(),
            Self::Call(call) => {
                let result = call.result.as_deref().or(call.error.as_deref());
                format!("{} {} {}", call.tool, call.arguments, result.unwrap_or_default())
            }
            Self::Notice(notice) => notice.cause.clone(),
        }
    }
}

impl User {
    /// Its texts, without what is attached.
    pub(super) fn text(&self) -> String {
        let blocks = json::array(&self.blocks).unwrap_or_default();
        let texts = blocks.into_iter().filter_map(|block| {
            let block = json::Object::parse(block).ok()?;
            (block.string("type").as_deref() == Some("text")).then(|| block.string("text"))?
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// A text as a content block.
pub(super) fn text_block(text: &str) -> String {
    format!("{{\"type\":\"text\",\"text\":{}}}", json::quote(text))
}

/// Media of a content block in words, without its bytes: `image, image/png, 67 bytes`. None if the block has no bytes.
pub(super) fn media_words(raw: &str) -> Option<String> {
    let block = json::Object::parse(raw).ok()?;
    let kind = block.string("type")?;
    let (holder, data) = match &*kind {
        "image" | "audio" => (block, "data"),
        "resource" => (json::Object::parse(block.get("resource")?).ok()?, "blob"),
        _ => return None,
    };
    let data = holder.get(data)?.trim_matches('"');
    // Four letters of base64 are three bytes.
    let size = data.trim_end_matches('=').len() / 4 * 3 + data.trim_end_matches('=').len() % 4 * 3 / 4;
    let mime_type = holder.string("mimeType").unwrap_or_default();
    let mime_type: String = mime_type.chars().take(MIME_TYPE).collect();
    Some(format!("{kind}, {mime_type}, {size} bytes"))
}

/// Whether a call has ended: nothing more happens with it.
pub(super) fn has_ended(state: ChatCallState) -> bool {
    !matches!(
        state,
        ChatCallState::Waiting | ChatCallState::Queued | ChatCallState::Running
    )
}

/// The number of messages and answers.
pub(super) fn messages<'a>(items: impl Iterator<Item = &'a Item>) -> u32 {
    convert::count(
        items
            .filter(|item| matches!(item, Item::User(_) | Item::Answer(_)))
            .count(),
    )
}

/// A title made of the first message.
pub(super) fn title_of<'a>(mut items: impl Iterator<Item = &'a Item>) -> String {
    let first = items.find_map(|item| match item {
        Item::User(user) => Some(user.text()),
        _ => None,
    });
    let text = first.unwrap_or_default();
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(TITLE) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

pub(super) fn now_ms() -> f64 {
    convert::at_ms(SystemTime::now())
}
