//! Results of tools.

use patchbay_protocol::{Revision, json};

use crate::answer::{Answer, Failure, array, object};
use crate::asking::Question;
use crate::catalog::media;

/// Why a tool has no result.
#[derive(Debug)]
pub(super) enum Problem {
    /// The tool failed: a result with `isError`, for the model.
    Tool(String),
    /// The request is invalid: a JSON-RPC error.
    Protocol(Failure),
    /// Input is required first (modern).
    Input(Question),
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Self::Tool(message)
    }
}

/// A content block, and the revision that introduced it.
#[derive(Debug)]
struct Block {
    since: Revision,
    name: &'static str,
    json: String,
}

/// A result under construction.
#[derive(Debug, Default)]
pub(super) struct ToolResult {
    content: Vec<Block>,
    structured: Option<String>,
    is_error: bool,
}

impl ToolResult {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// One block of text.
    pub(super) fn text(text: &str) -> Self {
        Self::new().and_text(text)
    }

    fn and(mut self, since: Revision, name: &'static str, json: String) -> Self {
        self.content.push(Block { since, name, json });
        self
    }

    pub(super) fn and_text(self, text: &str) -> Self {
        let json = object(&[("type", "\"text\"".to_owned()), ("text", json::quote(text))]);
        self.and(Revision::V2024_11_05, "text", json)
    }

    /// Text with annotations (JSON text).
    pub(super) fn and_annotated_text(self, text: &str, annotations: &str) -> Self {
        let members = [
            ("type", "\"text\"".to_owned()),
            ("text", json::quote(text)),
            ("annotations", annotations.to_owned()),
        ];
        self.and(Revision::V2024_11_05, "text", object(&members))
    }

    pub(super) fn and_png(self, side: u32) -> Self {
        self.and(
            Revision::V2024_11_05,
            "image",
            data("image", "image/png", &media::png(side)),
        )
    }

    pub(super) fn and_wav(self, hertz: u32, milliseconds: u32) -> Self {
        self.and(
            Revision::V2025_03_26,
            "audio",
            data("audio", "audio/wav", &media::wav(hertz, milliseconds)),
        )
    }

    /// A link to a resource: its URI, name, title and type.
    pub(super) fn and_link(self, uri: &str, name: &str, title: &str, mime_type: &str) -> Self {
        let json = object(&[
            ("type", "\"resource_link\"".to_owned()),
            ("uri", json::quote(uri)),
            ("name", json::quote(name)),
            ("title", json::quote(title)),
            ("mimeType", json::quote(mime_type)),
        ]);
        self.and(Revision::V2025_06_18, "resource_link", json)
    }

    /// An embedded resource; `contents` is JSON text of resource contents.
    pub(super) fn and_resource(self, contents: &str) -> Self {
        let json = object(&[("type", "\"resource\""), ("resource", contents)]);
        self.and(Revision::V2024_11_05, "resource", json)
    }

    /// `structuredContent`, with its text for older hosts. `json` is JSON text.
    pub(super) fn structured(json: &str) -> Self {
        let mut result = Self::text(json);
        result.structured = Some(json.to_owned());
        result
    }

    /// `structuredContent` in addition to other content.
    pub(super) fn with_structured(mut self, json: String) -> Self {
        self.structured = Some(json);
        self
    }

    /// Marks the result as failed.
    pub(super) fn failed(mut self) -> Self {
        self.is_error = true;
        self
    }

    /// The result in a revision. Unsupported content is omitted, with a note.
    pub(super) fn into_answer(self, revision: Revision) -> Answer {
        let mut blocks = Vec::with_capacity(self.content.len());
        let mut missing = Vec::new();
        for block in self.content {
            if revision >= block.since {
                blocks.push(block.json);
            } else {
                missing.push(format!("{} (since {})", block.name, block.since));
            }
        }
        if !missing.is_empty() {
            let text = format!("Revision {revision} has no {}.", missing.join(", "));
            blocks.push(object(&[
                ("type", "\"text\"".to_owned()),
                ("text", json::quote(&text)),
            ]));
        }
        let mut answer = Answer::new().with("content", array(&blocks));
        if let Some(structured) = self.structured
            && revision >= Revision::V2025_06_18
        {
            answer = answer.with("structuredContent", structured);
        }
        answer.with("isError", if self.is_error { "true" } else { "false" })
    }
}

fn data(kind: &str, mime_type: &str, bytes: &[u8]) -> String {
    object(&[
        ("type", json::quote(kind)),
        ("data", json::quote(&media::base64(bytes))),
        ("mimeType", json::quote(mime_type)),
    ])
}
