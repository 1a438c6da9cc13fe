//! The two APIs that providers speak.

/// The API that a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's Chat Completions API, which many others and local programs implement.
    ChatCompletions,
}
