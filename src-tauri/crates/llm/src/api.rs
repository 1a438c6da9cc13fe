//! The two APIs that providers speak.

use crate::chat;

/// The API that a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's Chat Completions API, which many others and local programs implement.
    ChatCompletions,
}

impl Api {
    /// Whether it takes audio of this MIME type in a message of the user.
    #[must_use]
    pub fn takes_audio(self, mime_type: &str) -> bool {
        match self {
            Self::Anthropic => false,
            Self::ChatCompletions => chat::audio_format(mime_type).is_some(),
        }
    }
}
