//! What a model thinks before it answers: how much is asked for, and how a provider gets it back.

use std::borrow::Cow;

use patchbay_protocol::json::Object;

use crate::json_text::ObjectText;

/// How much a model thinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    /// As much as the model finds right for an effort: `low`, `medium`, `high`, or a word that a provider knows besides.
    Effort(&'static str),
    /// At most this many tokens, in addition to those of the answer.
    Budget(u32),
}

/// What a model thought, as its provider wants it back while a turn uses tools: unchanged, in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thought<'a> {
    /// A `thinking` block of the Messages API.
    Signed {
        /// What the model thought; empty if the provider does not show it.
        text: Cow<'a, str>,
        /// The provider's signature over it.
        signature: Cow<'a, str>,
    },
    /// A `redacted_thinking` block of the Messages API.
    Redacted {
        /// What only the provider can read.
        data: Cow<'a, str>,
    },
    /// A member of a message of Chat Completions.
    Member {
        /// `reasoning_content` or `reasoning`.
        name: Cow<'a, str>,
        /// What the model thought.
        text: Cow<'a, str>,
    },
}

impl<'a> Thought<'a> {
    /// As a content block of a conversation: JSON text that [`Prompt::of_conversation`](crate::Prompt::of_conversation) takes.
    #[must_use]
    pub fn block(&self) -> String {
        match self {
            Self::Signed { text, signature } => ObjectText::new()
                .string("type", "thinking")
                .string("thinking", text)
                .string("signature", signature)
                .end(),
            Self::Redacted { data } => ObjectText::new()
                .string("type", "redacted_thinking")
                .string("data", data)
                .end(),
            Self::Member { name, text } => ObjectText::new()
                .string("type", "reasoning")
                .string("name", name)
                .string("text", text)
                .end(),
        }
    }

    /// The same without what it was read from.
    pub(crate) fn owned(self) -> Thought<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        match self {
            Self::Signed { text, signature } => Thought::Signed {
                text: own(text),
                signature: own(signature),
            },
            Self::Redacted { data } => Thought::Redacted { data: own(data) },
            Self::Member { name, text } => Thought::Member {
                name: own(name),
                text: own(text),
            },
        }
    }

    /// Reads a block; none if it is of another type.
    pub(crate) fn read(kind: &str, block: &Object<'a>) -> Option<Self> {
        let text = |name| block.string(name).unwrap_or_default();
        match kind {
            "thinking" => Some(Self::Signed {
                text: text("thinking"),
                signature: text("signature"),
            }),
            "redacted_thinking" => Some(Self::Redacted { data: text("data") }),
            "reasoning" => Some(Self::Member {
                name: text("name"),
                text: text("text"),
            }),
            _ => None,
        }
    }
}
