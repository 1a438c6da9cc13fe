//! What a conversation consists of, and the events of its stream.

use serde::{Deserialize, Serialize};

use crate::{
    ChatCarried, ChatMasked, ChatSeen, ChatSettings, ChatSummary, ContentItem, ExchangeId, RequestProgress,
    Seq, ServerId, TextBody, ToolHints, ToolResultView,
};

/// An item of a conversation. Its id never changes; its content may, until it has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[expect(clippy::large_enum_variant, reason = "it is made to be written as JSON")]
pub enum ChatItem {
    /// A message of the user, or of a prompt.
    User {
        /// The id.
        id: String,
        /// When it was sent, in ms since the Unix epoch.
        at_ms: f64,
        /// Its content: text, and what was attached.
        content: Vec<ContentItem>,
        /// The prompt that it is from, with its server; none if the user wrote it.
        from: Option<String>,
        /// The names of the servers that some of it is from.
        servers: Vec<String>,
        /// The secrets that are masked in it; none if there are none.
        masked: Option<ChatMasked>,
    },
    /// An answer. The calls that it makes are the items after it.
    Answer {
        /// The id.
        id: String,
        /// When it began, in ms since the Unix epoch.
        at_ms: f64,
        /// Who answered: a model with its provider, a prompt, or the user.
        by: String,
        /// Whether a model answered.
        by_model: bool,
        /// Its text, if it has any.
        text: Option<TextBody>,
        /// What the model thought before, as far as the provider shows it.
        thinking: Option<String>,
        /// The number of calls that it makes.
        calls: u32,
        /// Why it ended: `endTurn`, `maxTokens`, `toolUse`, or the provider's own word.
        stop_reason: Option<String>,
        /// Why it is incomplete, in a sentence; none if it is complete.
        incomplete: Option<String>,
        /// The tokens of the request, if the provider says so.
        input_tokens: Option<u32>,
        /// The tokens of the answer, if the provider says so.
        output_tokens: Option<u32>,
        /// The time until it was complete.
        took_ms: f64,
        /// The HTTP exchange with the provider in the log: the request as the model got it.
        seq: Option<Seq>,
        /// The secrets that are masked in it; none if there are none.
        masked: Option<ChatMasked>,
    },
    /// A call of a tool.
    Call {
        /// The call.
        call: ChatCall,
    },
    /// Why a turn ended without an answer.
    Notice {
        /// The id.
        id: String,
        /// When, in ms since the Unix epoch.
        at_ms: f64,
        /// What happened.
        kind: ChatNoticeKind,
        /// What happened, in a sentence.
        cause: String,
        /// The next action, in a sentence.
        next: String,
        /// The HTTP exchange with the provider in the log.
        seq: Option<Seq>,
    },
}

/// Why a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ChatNoticeKind {
    /// The model did not answer, or the conversation could not be saved.
    Failed,
    /// The user stopped it.
    Stopped,
    /// The limit of answers or of tokens was reached.
    Limit,
    /// Patchbay ended in the middle of it.
    Interrupted,
}

/// A call of a tool that an answer makes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatCall {
    /// The id.
    pub id: String,
    /// When the model made it, in ms since the Unix epoch.
    pub at_ms: f64,
    /// The tool as the model names it.
    pub alias: String,
    /// The server; none if the model named no tool that it was given.
    pub server_id: Option<ServerId>,
    /// The server's name at that time.
    pub server_name: String,
    /// The tool's own name.
    pub tool: String,
    /// The server's claims about the tool (untrusted).
    pub hints: ToolHints,
    /// The arguments as the model wrote them. They may be anything but JSON.
    pub arguments_json: String,
    /// The arguments that the user sent in their place.
    pub edited_json: Option<String>,
    /// How the arguments differ from the tool's `inputSchema`, one sentence each.
    pub problems: Vec<String>,
    /// Why that could not be found out, as the end of a sentence.
    pub not_checked: Option<String>,
    /// Where it is.
    pub state: ChatCallState,
    /// Why the user is asked although a rule covers the call, or why it waits again.
    pub asked_because: Option<String>,
    /// Whether it waits for the acceptance of a changed definition.
    pub definition_changed: bool,
    /// Who decided: the user, or a rule in words; none until then.
    pub decided_by: Option<String>,
    /// The newest progress; none before the first report and after the end.
    pub progress: Option<RequestProgress>,
    /// The running exchange, to cancel it.
    pub exchange_id: Option<ExchangeId>,
    /// The record of the request.
    pub request_seq: Option<Seq>,
    /// The record of the response.
    pub response_seq: Option<Seq>,
    /// From sending to the end.
    pub duration_ms: Option<f64>,
    /// The result.
    pub result: Option<ToolResultView>,
    /// The whole `CallToolResult`, unless it was too large to keep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub raw: Option<TextBody>,
    /// Why there is no result, in a sentence that the model gets too.
    pub error: Option<String>,
    /// The size of the result in bytes, if it was too large to keep. The model got its beginning.
    pub cut_from: Option<f64>,
    /// The secrets that are masked in its arguments and its result; none if there are none.
    pub masked: Option<ChatMasked>,
    /// What its arguments have of earlier items: what goes from one server to another first.
    pub carried: Vec<ChatCarried>,
    /// Whether only a part of the conversation was compared with them, because it is too long.
    pub compared_in_part: bool,
}

/// Where a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ChatCallState {
    /// It waits for the user.
    Waiting,
    /// It waits for other calls.
    Queued,
    /// It was sent.
    Running,
    /// The tool returned a result.
    Done,
    /// The tool returned an error (`isError`).
    ToolError,
    /// There is no result.
    Failed,
    /// The user denied it. It was not sent.
    Denied,
    /// The user cancelled it after it was sent. It may have run.
    Cancelled,
    /// It was not sent: the turn ended before.
    NotRun,
    /// Patchbay ended after it was sent. It may have run, and is not repeated.
    Interrupted,
}

/// What a turn does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ChatPhase {
    /// There is no turn: the user can write.
    Idle,
    /// The model answers.
    Answering,
    /// The user answers in place of the model.
    Writing,
    /// Calls wait for the user, or run.
    Calling,
}

/// An event of `chat_open`. Every front that has the conversation open gets the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[expect(clippy::large_enum_variant, reason = "it is made to be written as JSON")]
pub enum ChatEvent {
    /// The conversation besides its items, at first and after each change.
    State {
        /// Its row in the list.
        summary: ChatSummary,
        /// Its settings.
        settings: ChatSettings,
        /// What was attached for the next message.
        attached: Vec<ChatAttachment>,
        /// The number of items that it has now.
        total: u32,
        /// The shown items that have other versions.
        versions: Vec<ChatVersions>,
        /// The models that were sent the shown items.
        seen: Vec<ChatSeen>,
    },
    /// Another branch is shown: only the first items stay, the others follow as new items.
    Branch {
        /// How many items stay.
        stay: u32,
    },
    /// Items that are new or changed, in the order of the conversation; at most 200.
    Items {
        /// The items.
        items: Vec<ChatItem>,
    },
    /// An answer begins to arrive, or has ended (it is then an item).
    Live {
        /// Who answers; none if the answer has ended.
        by: Option<String>,
        /// When it began, in ms since the Unix epoch.
        at_ms: f64,
    },
    /// More of the answer that is arriving; at most one event per 30 ms.
    LiveMore {
        /// More text.
        text: String,
        /// More of what the model thinks.
        thinking: String,
        /// All calls of the answer so far.
        calls: Vec<ChatLiveCall>,
    },
}

/// The versions of a shown item: a message and what it was edited to, or the answers to the same request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatVersions {
    /// The item that is shown.
    pub item: String,
    /// The ids of all versions in the order of their creation, the shown one among them.
    pub versions: Vec<String>,
}

/// A call whose arguments are arriving.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatLiveCall {
    /// The tool as the model names it.
    pub alias: String,
    /// The size of its arguments so far, in bytes.
    pub bytes: u32,
}

/// What is attached to the next message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatAttachment {
    /// The id.
    pub id: String,
    /// The server; none for a file of the user.
    pub server_id: Option<ServerId>,
    /// Its name; empty for a file.
    pub server_name: String,
    /// The URI of the resource, or the name of the prompt or the file.
    pub name: String,
    /// Whether it is a resource that is read again when the message is sent.
    pub keep_current: bool,
    /// The image as a `data:` URL, if it is one of at most 1 MB: the preview.
    pub image: Option<String>,
    /// Whether a model has to take images for it.
    pub has_images: bool,
    /// Whether it is a prompt, whose messages come before the user's.
    pub is_prompt: bool,
    /// The size in bytes of what the model gets.
    pub bytes: f64,
    /// The number of messages of a prompt, or of contents of a resource.
    pub parts: u32,
    /// The beginning of its text, at most 2,000 characters.
    pub preview: String,
    /// The record that it was read from.
    pub seq: Option<Seq>,
    /// Whether it is a resource whose server says that it reports updates of resources.
    pub can_subscribe: bool,
    /// The subscription to its updates: while it is kept current, where the server reports them.
    pub subscription: Option<ChatSubscription>,
}

/// The subscription to an attached resource.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatSubscription {
    /// Whether the server has granted it.
    pub granted: bool,
    /// Why it was refused or has ended, in a sentence.
    pub ended: Option<String>,
    /// How many updates were reported since the resource was read.
    pub updates: u32,
    /// The record of the newest one.
    pub update_seq: Option<Seq>,
}
