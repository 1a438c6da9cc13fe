//! The chat: conversations between the user, a model and the tools of several servers.
//!
//! A conversation is a list of items. What the model gets, and what a server gets, is in the traffic log.

mod chat_flow;
mod chat_item;
mod chat_settings;

pub use chat_flow::*;
pub use chat_item::*;
pub use chat_settings::*;

use serde::{Deserialize, Serialize};

use crate::{ChatId, Seq, ServerId};

/// Parameters of `chat_list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatListParams {
    /// Only conversations that contain this text, in any case; none for all.
    pub search: Option<String>,
}

/// Response of `chat_list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatListResponse {
    /// The conversations, the last changed first.
    pub items: Vec<ChatSummary>,
    /// The folder of their files; none if they are kept in memory only.
    pub folder: Option<String>,
}

/// A conversation in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatSummary {
    /// Its id.
    pub id: ChatId,
    /// Its name: given by the user, or the beginning of the first message; empty if there is neither.
    pub title: String,
    /// When it changed last, in ms since the Unix epoch.
    pub updated_at_ms: f64,
    /// The number of messages and answers.
    pub messages: u32,
    /// What its turn does.
    pub phase: ChatPhase,
    /// The number of calls that wait for the user.
    pub waiting: u32,
    /// Why it can be read but not continued, in a sentence; none if it can.
    pub read_only: Option<String>,
    /// Where the searched text was found: the text around it.
    pub found: Option<String>,
}

/// Parameters of `chat_create`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatCreateParams {
    /// The settings of the new conversation.
    pub settings: ChatSettings,
}

/// Response of `chat_create` and of `chat_fork`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatCreateResponse {
    /// The new conversation.
    pub chat_id: ChatId,
}

/// Parameters of `chat_rename`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatRenameParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// Its name, 1 to 200 characters.
    pub title: String,
}

/// Parameters of `chat_remove`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatRemoveParams {
    /// The conversation.
    pub chat_id: ChatId,
}

/// Parameters of `chat_fork`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatForkParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// Copy the items before this one; none copies all.
    pub before: Option<String>,
}

/// Parameters of `chat_export`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatExportParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// The format.
    pub format: ChatFormat,
}

/// A format of an exported conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ChatFormat {
    /// For people.
    Markdown,
    /// Everything that is kept, as one JSON document.
    Json,
}

/// Response of `chat_export`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatExportResponse {
    /// The text.
    pub text: String,
    /// A name for its file.
    pub file_name: String,
}

/// Parameters of `chat_settings_set`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatSettingsSetParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// All its settings. A turn that runs uses them from its next request on.
    pub settings: ChatSettings,
}

/// Parameters of `chat_attach`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatAttachParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// The server; none for a file of the user.
    pub server_id: Option<ServerId>,
    /// What is attached.
    pub source: ChatAttachSource,
}

/// Parameters of `chat_keep_current`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatKeepCurrentParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// The id of an attached resource.
    pub id: String,
    /// Whether it is read again when the message is sent, and its updates are subscribed to where the server reports them.
    pub keep_current: bool,
}

/// What is attached to a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ChatAttachSource {
    /// A resource. It is read now.
    Resource {
        /// Its URI.
        uri: String,
    },
    /// A prompt. It is requested now.
    Prompt {
        /// Its name.
        name: String,
        /// The arguments: JSON text of an object of strings; none sends no `arguments`.
        arguments_json: Option<String>,
    },
    /// A file of the user: text, or an image that models take (PNG, JPEG, GIF, WebP).
    File {
        /// Its name.
        name: String,
        /// Its type, as far as the front knows it; may be empty.
        mime_type: String,
        /// Its bytes in base64.
        data: String,
    },
    /// A prompt that was requested before.
    Received {
        /// Its name.
        name: String,
        /// The record of the response.
        seq: Seq,
    },
}

/// Parameters of `chat_detach`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatDetachParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// The id of the attachment.
    pub id: String,
}

/// Parameters of `chat_send`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatSendParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// The message. It may be empty if something is attached. What is attached is sent with it.
    pub text: String,
}

/// Parameters of `chat_continue`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatContinueParams {
    /// The conversation.
    pub chat_id: ChatId,
}

/// Parameters of `chat_edit`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatEditParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// The id of a message of the user.
    pub item: String,
    /// Its new text. What is attached to it stays; it may be empty if there is any.
    pub text: String,
}

/// Parameters of `chat_regenerate`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatRegenerateParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// The id of an answer, or of the notice of a failed step.
    pub item: String,
}

/// Parameters of `chat_branch`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatBranchParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// The id of the version to show, with what was shown last after it.
    pub item: String,
}

/// Parameters of `chat_stop`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatStopParams {
    /// The conversation.
    pub chat_id: ChatId,
}

/// Parameters of `chat_write`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatWriteParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// The text of the answer; may be empty if it makes calls.
    pub text: String,
    /// The calls that it makes.
    pub calls: Vec<ChatWrittenCall>,
}

/// A call that the user makes in place of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatWrittenCall {
    /// The alias of the tool.
    pub alias: String,
    /// The arguments, as a model would write them.
    pub arguments_json: String,
}

/// Parameters of `chat_decide`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatDecideParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// The calls. Those that no longer wait are skipped.
    pub calls: Vec<String>,
    /// The decision about each of them.
    pub decision: ChatDecision,
}

/// A decision about a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ChatDecision {
    /// Send it.
    Run {
        /// The arguments to send in place of the model's; none for those that it was to run with.
        edited_json: Option<String>,
        /// The rule to make of it.
        remember: Option<ChatRemember>,
    },
    /// Do not send it.
    Deny {
        /// The reason, which the model gets; may be empty.
        reason: String,
    },
}

/// A rule that is made of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatRemember {
    /// Which calls of the same server it covers.
    pub covers: ChatRuleScope,
    /// Whether it holds for all conversations, or for this one.
    pub always: bool,
}

/// Parameters of `chat_locate`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatLocateParams {
    /// A record that a turn caused.
    pub seq: Seq,
}

/// Response of `chat_locate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatLocateResponse {
    /// The conversation.
    pub chat_id: ChatId,
    /// The item that the record belongs to, possibly of a branch that is not shown; none while it is not in the conversation
    /// yet: the answer still arrives.
    pub item: Option<String>,
}

/// Parameters of `chat_open`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatOpenParams {
    /// The conversation.
    pub chat_id: ChatId,
}
