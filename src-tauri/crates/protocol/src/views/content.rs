//! `CallToolResult` and the content blocks that results and prompts share.

use std::borrow::Cow;

use super::reader::Reader;
use crate::json::{self, Object};
use crate::{Rule, Violation};

/// What kind of result it is (2026-07-28).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ResultType {
    /// The end of the exchange; also when `resultType` is absent.
    #[default]
    Complete,
    /// The server wants input: ask and retry.
    InputRequired,
    /// An extension's, such as `task`.
    Other(String),
}

/// `resultType` of a result and, for the modern era, what is wrong with it.
///
/// A missing one is a violation only of modern servers: the caller drops it in the legacy era.
#[must_use]
pub fn result_type(result: &str) -> (ResultType, Option<Violation>) {
    let Some(value) = Object::parse(result)
        .ok()
        .and_then(|object| object.get("resultType"))
    else {
        let violation = Violation::new(Rule::ResultTypeMissing, "the result has no `resultType`");
        return (ResultType::Complete, Some(violation));
    };
    match json::string(value).as_deref() {
        Some("complete") => (ResultType::Complete, None),
        Some("input_required") => (ResultType::InputRequired, None),
        Some("task") => (ResultType::Other("task".to_owned()), None),
        Some(other) => {
            let message = format!("`resultType` is {other:?}, which no revision or known extension has");
            (
                ResultType::Other(other.to_owned()),
                Some(Violation::at(Rule::ResultTypeUnknown, "/resultType", message)),
            )
        }
        None => {
            let message = format!("`resultType` is {} instead of a string", json::kind(value).name());
            (
                ResultType::Other(value.to_owned()),
                Some(Violation::at(Rule::ResultTypeUnknown, "/resultType", message)),
            )
        }
    }
}

/// The result of `tools/call`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CallToolResult<'a> {
    /// The blocks in order, malformed ones included.
    pub content: Vec<ContentBlock<'a>>,
    /// `structuredContent`, raw.
    pub structured: Option<&'a str>,
    /// Whether the tool ran and failed.
    pub is_error: bool,
    /// What kind of result it is.
    pub result_type: ResultType,
    /// What is wrong with it, its blocks included. Pointers are into the result.
    ///
    /// A missing `resultType` is not among them: see [`result_type`].
    pub violations: Vec<Violation>,
}

impl<'a> CallToolResult<'a> {
    /// Reads a result.
    #[must_use]
    pub fn parse(result: &'a str) -> Self {
        let mut reader = Reader::new(result);
        let (result_type, type_violation) = result_type(result);
        let mut content = Vec::new();
        let mut block_violations = Vec::new();
        match reader.raw("content").map(json::array) {
            Some(Some(elements)) => {
                for (index, element) in elements.into_iter().enumerate() {
                    let (block, violations) = ContentBlock::parse(element, format!("/content/{index}"));
                    content.push(block);
                    block_violations.extend(violations);
                }
            }
            Some(None) => reader.push(Rule::ContentMissing, "content", "`content` is not an array"),
            None if result_type == ResultType::Complete => {
                reader.push(Rule::ContentMissing, "content", "`content` is missing");
            }
            None => {}
        }
        let is_error = reader.boolean("isError").unwrap_or(false);
        let structured = reader.raw("structuredContent");
        let mut violations = reader.violations;
        violations.extend(type_violation.filter(|violation| violation.rule != Rule::ResultTypeMissing));
        violations.append(&mut block_violations);
        Self {
            content,
            structured,
            is_error,
            result_type,
            violations,
        }
    }
}

/// One content block.
#[derive(Debug, Clone, PartialEq)]
pub struct ContentBlock<'a> {
    /// All of it, raw.
    pub raw: &'a str,
    /// What it is.
    pub kind: ContentKind<'a>,
    /// `annotations`, raw.
    pub annotations: Option<&'a str>,
}

/// What a content block is. Members that carry much are raw: the text of a JSON string, quotes and escapes included.
#[derive(Debug, Clone, PartialEq)]
pub enum ContentKind<'a> {
    /// Text.
    Text {
        /// A JSON string, raw.
        text: &'a str,
    },
    /// An image.
    Image {
        /// A JSON string of base64, raw.
        data: &'a str,
        /// As the server says it; empty if missing.
        mime_type: Cow<'a, str>,
    },
    /// Sound.
    Audio {
        /// A JSON string of base64, raw.
        data: &'a str,
        /// As the server says it; empty if missing.
        mime_type: Cow<'a, str>,
    },
    /// A link to a resource.
    ResourceLink {
        /// Its address.
        uri: Cow<'a, str>,
        /// Its name; empty if missing.
        name: Cow<'a, str>,
        /// For people.
        title: Option<Cow<'a, str>>,
        /// What it is.
        description: Option<Cow<'a, str>>,
        /// Its type.
        mime_type: Option<Cow<'a, str>>,
        /// Its size in bytes.
        size: Option<f64>,
    },
    /// An embedded resource of text.
    ResourceText {
        /// Its address; empty if missing.
        uri: Cow<'a, str>,
        /// Its type.
        mime_type: Option<Cow<'a, str>>,
        /// A JSON string, raw.
        text: &'a str,
    },
    /// An embedded resource of bytes.
    ResourceBlob {
        /// Its address; empty if missing.
        uri: Cow<'a, str>,
        /// Its type.
        mime_type: Option<Cow<'a, str>>,
        /// A JSON string of base64, raw.
        blob: &'a str,
    },
    /// Of an unknown type, or malformed.
    Unknown {
        /// Its `type`, if it has one.
        kind: Option<Cow<'a, str>>,
        /// Why it cannot be read better.
        reason: String,
    },
}

impl<'a> ContentBlock<'a> {
    /// Reads a block that stands at `pointer` in the message.
    #[must_use]
    pub fn parse(raw: &'a str, pointer: String) -> (Self, Vec<Violation>) {
        let _ = pointer;
        let kind = ContentKind::Unknown {
            kind: None,
            reason: String::new(),
        };
        (
            Self {
                raw,
                kind,
                annotations: None,
            },
            Vec::new(),
        )
    }
}
