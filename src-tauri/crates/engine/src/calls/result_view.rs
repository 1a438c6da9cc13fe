//! A response as the UI shows it: the raw text and the content blocks, with large ones by reference.
//!
//! A result is read a second time here, on purpose. `patchbay-observe` reads every result, on the turn of its connection, and
//! keeps its violations only. A view borrows from its text: keeping it would hold a second copy of every response, masked as it is
//! shown, for the few that a person opens. The same holds for the rows of a page of a list (`lists/list.rs`).

use std::{borrow::Cow, ops::Range};

use bytes::Bytes;
use patchbay_client::Answer;
use patchbay_contract::*;
use patchbay_protocol::{
    Rule, Violation, json,
    message::Text,
    methods,
    views::{CallToolResult, ContentBlock, ContentKind, GetPromptResult, ReadResourceResult},
};
use patchbay_traffic::{Recorder, Seq};

use crate::{
    convert,
    traffic_views::bodies::{Form, INLINE, View, base64_size, json_body, pretty, string_body},
};

/// A response, and its frame as recorded (secrets masked, lengths unchanged).
#[derive(Debug, Clone)]
pub(crate) struct MaskedAnswer {
    pub(crate) frame: Bytes,
    pub(crate) answer: Answer,
}

impl MaskedAnswer {
    /// Masks a response as it is recorded.
    pub(crate) fn of(recorder: &Recorder, answer: Answer) -> Self {
        Self {
            frame: recorder.masked(answer.frame.clone()),
            answer,
        }
    }

    /// The text of `result` or `error` exactly as received, not masked.
    pub(crate) fn exact(&self) -> Bytes {
        self.answer.frame.slice(self.answer.body.clone())
    }

    /// The text of `result` or `error`, of the length that it has in the frame.
    pub(crate) fn body_text(&self) -> Cow<'_, str> {
        Text::of(self.body_bytes()).into_str()
    }

    /// A part of the text of `result` or `error`, by its bytes.
    pub(crate) fn body_part(&self, part: Range<usize>) -> Cow<'_, str> {
        Text::of(self.body_bytes().get(part).unwrap_or_default()).into_str()
    }

    fn body_bytes(&self) -> &[u8] {
        self.frame.get(self.answer.body.clone()).unwrap_or_default()
    }

    /// The span of `result` or `error` in its record. The record of a batch member contains that member only.
    pub(crate) fn body_span(&self) -> Range<usize> {
        let start = self.answer.message.start;
        self.answer.body.start.saturating_sub(start)..self.answer.body.end.saturating_sub(start)
    }

    pub(crate) fn raw(&self) -> TextBody {
        json_body(self.answer.seq, self.body_span(), &self.body_text())
    }

    /// The view of a result of this method, and the structured content to check. Blocks for a while if the result is large.
    pub(super) fn view(&self, method: &str, has_schema: bool) -> (ResultView, Option<String>) {
        match method {
            methods::TOOLS_CALL | methods::TASKS_RESULT => {
                let (tool, structured) = self.tool_view(has_schema);
                (ResultView::Tool { tool }, structured)
            }
            methods::RESOURCES_READ => (self.resource_view(), None),
            methods::PROMPTS_GET => (self.prompt_view(), None),
            _ => (ResultView::Any {}, None),
        }
    }

    fn place<'a>(&self, text: &'a str) -> Place<'a> {
        Place {
            seq: self.answer.seq,
            start: self.body_span().start,
            text,
        }
    }

    fn resource_view(&self) -> ResultView {
        let text = self.body_text();
        let result = ReadResourceResult::parse(&text);
        let place = self.place(&text);
        ResultView::Resource {
            contents: result.contents.iter().map(|block| place.content(block)).collect(),
            violations: convert::violations(&result.violations),
        }
    }

    fn prompt_view(&self) -> ResultView {
        let text = self.body_text();
        let result = GetPromptResult::parse(&text);
        let place = self.place(&text);
        let messages = result.messages.iter().map(|(role, block)| PromptMessageItem {
            role: role.to_string(),
            content: place.content(block),
        });
        ResultView::Prompt {
            messages: messages.collect(),
            description: result.description.as_deref().map(str::to_owned),
            violations: convert::violations(&result.violations),
        }
    }

    /// The result of a tool call.
    fn tool_view(&self, has_schema: bool) -> (ToolResultView, Option<String>) {
        let text = self.body_text();
        tool_view(&CallToolResult::parse(&text), &self.place(&text), has_schema)
    }
}

/// The view of a tool's result that is not (only) in the log: its bodies are parts of `text`.
pub(crate) fn tool_result_of(text: &str) -> ToolResultView {
    let place = Place {
        seq: Seq::default(),
        start: 0,
        text,
    };
    tool_view(&CallToolResult::parse(text), &place, false).0
}

/// The views of content blocks: `text` is an array of them, and their bodies are parts of it.
pub(crate) fn blocks_of(text: &str) -> Vec<ContentItem> {
    let place = Place {
        seq: Seq::default(),
        start: 0,
        text,
    };
    let blocks = json::array(text).unwrap_or_default().into_iter();
    blocks
        .map(|raw| place.content(&ContentBlock::parse(raw, String::new()).0))
        .collect()
}

fn tool_view(
    result: &CallToolResult<'_>,
    place: &Place<'_>,
    has_schema: bool,
) -> (ToolResultView, Option<String>) {
    let structured = result.structured.map(|raw| StructuredView {
        json: TextBody {
            inline: (raw.len() <= INLINE).then(|| pretty(raw)),
            ..place.json(raw)
        },
        check: None,
    });
    let view = ToolResultView {
        is_error: result.is_error,
        content: result.content.iter().map(|block| place.content(block)).collect(),
        // A failed tool need not return structured content.
        structured_missing: has_schema && structured.is_none() && !result.is_error,
        structured,
        violations: convert::violations(&result.violations),
    };
    (view, result.structured.filter(|_| has_schema).map(str::to_owned))
}

/// The violation of a result against its tool's output schema. A failed tool cannot violate it.
pub(super) fn fault(view: &ToolResultView) -> Option<Violation> {
    if view.structured_missing {
        let message = "the tool has an `outputSchema`, but this result has no `structuredContent`";
        return Some(Violation::at(Rule::StructuredMissing, "/result", message));
    }
    let check = view
        .structured
        .as_ref()
        .filter(|_| !view.is_error)?
        .check
        .as_ref()?;
    let SchemaCheck::Invalid { problems } = check else {
        return None;
    };
    let first = problems.first()?;
    let more = match problems.len() {
        1 => String::new(),
        all => format!(" (and {} more)", all - 1),
    };
    Some(Violation::at(
        Rule::StructuredMismatch,
        format!("/result/structuredContent{}", first.pointer),
        format!(
            "it does not match the tool's `outputSchema`: {}{more}",
            first.message
        ),
    ))
}

/// The location of a result in its record, from which the ids of its parts are made.
struct Place<'a> {
    seq: patchbay_traffic::Seq,
    start: usize,
    text: &'a str,
}

impl Place<'_> {
    fn span(&self, part: &str) -> Range<usize> {
        let span = json::span_of(self.text, part);
        self.start + span.start..self.start + span.end
    }

    fn json(&self, raw: &str) -> TextBody {
        json_body(self.seq, self.span(raw), raw)
    }

    fn string(&self, quoted: &str) -> TextBody {
        string_body(self.seq, self.span(quoted), quoted)
    }

    fn base64(&self, quoted: &str) -> BodyId {
        View::part(self.seq, self.span(quoted), Form::Base64).id()
    }

    fn content(&self, block: &ContentBlock<'_>) -> ContentItem {
        let annotations_json = block.annotations.map(str::to_owned);
        let owned = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
        match &block.kind {
            ContentKind::Text { text } => ContentItem::Text {
                text: self.string(text),
                annotations_json,
            },
            ContentKind::Image { data, mime_type } => ContentItem::Image {
                mime_type: mime_type.to_string(),
                body: self.base64(data),
                size: base64_size(data),
                annotations_json,
            },
            ContentKind::Audio { data, mime_type } => ContentItem::Audio {
                mime_type: mime_type.to_string(),
                body: self.base64(data),
                size: base64_size(data),
                annotations_json,
            },
            ContentKind::ResourceLink {
                uri,
                name,
                title,
                description,
                mime_type,
                size,
            } => ContentItem::ResourceLink {
                uri: uri.to_string(),
                name: name.to_string(),
                title: owned(title),
                description: owned(description),
                mime_type: owned(mime_type),
                size: *size,
                annotations_json,
            },
            ContentKind::ResourceText { uri, mime_type, text } => ContentItem::ResourceText {
                uri: uri.to_string(),
                mime_type: owned(mime_type),
                text: self.string(text),
                annotations_json,
            },
            ContentKind::ResourceBlob { uri, mime_type, blob } => ContentItem::ResourceBlob {
                uri: uri.to_string(),
                mime_type: owned(mime_type),
                body: self.base64(blob),
                size: base64_size(blob),
                annotations_json,
            },
            ContentKind::Unknown { kind, reason } => ContentItem::Unknown {
                kind: owned(kind),
                json: self.json(block.raw),
                reason: reason.clone(),
            },
        }
    }
}

#[cfg(test)]
mod tests;
