//! Which secrets are masked in a conversation, and what the user says about them.

use serde::{Deserialize, Serialize};

use crate::ChatId;

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
