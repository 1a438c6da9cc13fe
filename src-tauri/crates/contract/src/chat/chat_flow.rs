//! The flow of data in a conversation: which models and servers got what, and which secrets are masked.

use serde::{Deserialize, Serialize};

use crate::{ChatId, ServerId};

/// The secrets that are masked in an item. A model gets the item with them masked, unless the user lets it have them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatMasked {
    /// What they are, in words: `GITHUB_TOKEN of GitHub`.
    pub names: Vec<String>,
    /// Whether it is known what they were: they are in no file, so not after a restart.
    pub can_be_sent: bool,
    /// Whether the model gets them from its next request on.
    pub is_sent: bool,
}

/// What a model was sent: an item, and with it everything before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatSeen {
    /// The model with its provider.
    pub by: String,
    /// The id of the last item that is shown and that it was sent.
    pub up_to: String,
}

/// A part of a call's arguments that is in an earlier item. What was copied is found, not what was encoded or rephrased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatCarried {
    /// The id of the item.
    pub item: String,
    /// The server that the part came from; none: the user wrote it.
    pub server_id: Option<ServerId>,
    /// The server's name at that time; empty: the user wrote it.
    pub server_name: String,
    /// The part, or its beginning.
    pub excerpt: String,
    /// Whether it goes to another server than it came from, and neither the user nor the other server said it too.
    pub crosses: bool,
}

/// Parameters of `chat_send_as_is`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatSendAsIsParams {
    /// The conversation.
    pub chat_id: ChatId,
    /// The id of an item with masked secrets.
    pub item: String,
    /// Whether the model gets them from its next request on.
    pub as_is: bool,
}
