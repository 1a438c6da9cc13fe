//! `CallToolResult`, and the content blocks that results and prompts share.

use std::borrow::Cow;

use super::reader::Reader;
use crate::json::{self, Kind, Object};
use crate::{Rule, Violation};

/// The kind of a result (2026-07-28).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ResultType {
    /// The exchange is complete; also if `resultType` is absent.
    #[default]
    Complete,
    /// The server needs input: collect it and retry.
    InputRequired,
    /// Defined by an extension, such as `task`.
    Other(String),
}

/// `resultType` of a result, with its violations in the modern era.
///
/// A missing one is a violation of modern servers only; the caller drops it in the legacy era.
#[must_use]
pub fn result_type(result: &str) -> (ResultType, Option<Violation>) {
    read_result_type(
        Object::parse(result)
            .ok()
            .and_then(|object| object.get("resultType")),
    )
}

pub(super) fn read_result_type(value: Option<&str>) -> (ResultType, Option<Violation>) {
    let Some(value) = value else {
        let violation = Violation::new(Rule::ResultTypeMissing, "the result has no `resultType`");
        return (ResultType::Complete, Some(violation));
    };
    let unknown = |message: String| Some(Violation::at(Rule::ResultTypeUnknown, "/resultType", message));
    match json::string(value).as_deref() {
        Some("complete") => (ResultType::Complete, None),
        Some("input_required") => (ResultType::InputRequired, None),
        Some("task") => (ResultType::Other("task".to_owned()), None),
        Some(other) => {
            let message = format!("`resultType` is {other:?}, which no revision or known extension has");
            (ResultType::Other(other.to_owned()), unknown(message))
        }
        None => {
            let message = format!("`resultType` is {} instead of a string", json::kind(value).name());
            (ResultType::Other(value.to_owned()), unknown(message))
        }
    }
}

/// The result of `tools/call`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CallToolResult<'a> {
    /// The blocks in order, including malformed ones.
    pub content: Vec<ContentBlock<'a>>,
    /// `structuredContent`, raw.
    pub structured: Option<&'a str>,
    /// Whether the tool reported an error.
    pub is_error: bool,
    /// The kind of the result.
    pub result_type: ResultType,
    /// Its violations, including those of its blocks. Pointers are into the result.
    ///
    /// A missing `resultType` is not among them: see [`result_type`].
    pub violations: Vec<Violation>,
}

impl<'a> CallToolResult<'a> {
    /// Parses a result.
    #[must_use]
    pub fn parse(result: &'a str) -> Self {
        let mut reader = Reader::new(result);
        let (result_type, type_violation) = read_result_type(reader.raw("resultType"));
        let mut content = Vec::new();
        let mut block_violations = Vec::new();
        match reader.elements("content") {
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
    /// The whole block, raw.
    pub raw: &'a str,
    /// Its kind.
    pub kind: ContentKind<'a>,
    /// `annotations`, raw.
    pub annotations: Option<&'a str>,
}

/// The kind of a content block. Large members are raw: the text of a JSON string, including quotes and escapes.
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
        /// As the server writes it; empty if missing.
        mime_type: Cow<'a, str>,
    },
    /// Audio.
    Audio {
        /// A JSON string of base64, raw.
        data: &'a str,
        /// As the server writes it; empty if missing.
        mime_type: Cow<'a, str>,
    },
    /// A link to a resource.
    ResourceLink {
        /// Its URI.
        uri: Cow<'a, str>,
        /// Its name; empty if missing.
        name: Cow<'a, str>,
        /// Its display name.
        title: Option<Cow<'a, str>>,
        /// Its description.
        description: Option<Cow<'a, str>>,
        /// Its MIME type.
        mime_type: Option<Cow<'a, str>>,
        /// Its size in bytes.
        size: Option<f64>,
    },
    /// An embedded text resource.
    ResourceText {
        /// Its URI; empty if missing.
        uri: Cow<'a, str>,
        /// Its MIME type.
        mime_type: Option<Cow<'a, str>>,
        /// A JSON string, raw.
        text: &'a str,
    },
    /// An embedded binary resource.
    ResourceBlob {
        /// Its URI; empty if missing.
        uri: Cow<'a, str>,
        /// Its MIME type.
        mime_type: Option<Cow<'a, str>>,
        /// A JSON string of base64, raw.
        blob: &'a str,
    },
    /// Of an unknown type, or malformed.
    Unknown {
        /// Its `type`, if it has one.
        kind: Option<Cow<'a, str>>,
        /// Why it is not readable.
        reason: String,
    },
}

impl<'a> ContentBlock<'a> {
    /// Parses the block at `pointer` in the message.
    #[must_use]
    pub fn parse(raw: &'a str, pointer: String) -> (Self, Vec<Violation>) {
        let mut reader = Reader::at(raw, pointer);
        if !reader.is_object() {
            let reason = format!("the block is {} instead of an object", json::kind(raw).name());
            reader.violations.clear();
            reader.push(Rule::ContentMalformed, "", reason.clone());
            let kind = ContentKind::Unknown { kind: None, reason };
            return (
                Self {
                    raw,
                    kind,
                    annotations: None,
                },
                reader.violations,
            );
        }
        let annotations = reader.object("annotations");
        let block_type = reader.string("type");
        let kind = match block_type.as_deref() {
            Some("text") => content(&mut reader, "text").map(|text| ContentKind::Text { text }),
            Some("image") => base64(&mut reader, "data").map(|data| ContentKind::Image {
                data,
                mime_type: required_string(&mut reader, "mimeType"),
            }),
            Some("audio") => base64(&mut reader, "data").map(|data| ContentKind::Audio {
                data,
                mime_type: required_string(&mut reader, "mimeType"),
            }),
            Some("resource_link") => Ok(link(&mut reader)),
            Some("resource") => resource(&mut reader),
            Some(other) => {
                let reason = format!("{other:?} is not a known content type");
                reader.push(Rule::ContentTypeUnknown, "type", reason.clone());
                Err(reason)
            }
            None => Err(malformed(
                &mut reader,
                "type",
                "the block has no `type` that is a string",
            )),
        };
        let kind = kind.unwrap_or_else(|reason| ContentKind::Unknown {
            kind: block_type,
            reason,
        });
        (
            Self {
                raw,
                kind,
                annotations,
            },
            reader.violations,
        )
    }
}

fn malformed(reader: &mut Reader<'_>, name: &str, reason: &str) -> String {
    reader.push(Rule::ContentMalformed, name, reason);
    reason.to_owned()
}

/// The raw text of a required string.
fn content<'a>(reader: &mut Reader<'a>, name: &str) -> Result<&'a str, String> {
    match reader.raw(name) {
        Some(value) if json::kind(value) == Kind::String => Ok(value),
        Some(value) => {
            let reason = format!("`{name}` is {} instead of a string", json::kind(value).name());
            Err(malformed(reader, name, &reason))
        }
        None => Err(malformed(reader, name, &format!("`{name}` is missing"))),
    }
}

/// As [`content`], for base64 (RFC 4648 §4, padded). Invalid base64 is returned with a violation.
fn base64<'a>(reader: &mut Reader<'a>, name: &str) -> Result<&'a str, String> {
    let value = content(reader, name)?;
    if let Some(problem) = base64_problem(value) {
        reader.push(
            Rule::ContentBase64,
            name,
            format!("`{name}` is not base64: {problem}"),
        );
    }
    Ok(value)
}

/// Checks the raw text, including quotes: base64 needs no escapes except for `/`, which may be written `\/`.
pub(crate) fn base64_problem(raw: &str) -> Option<String> {
    let inner = raw.trim_matches('"').as_bytes();
    let unescaped = json::string(raw).filter(|_| inner.contains(&b'\\'));
    let data = unescaped.as_ref().map_or(inner, |text| text.as_bytes());
    let padding = data
        .iter()
        .rev()
        .take(2)
        .take_while(|byte| **byte == b'=')
        .count();
    let body = data.get(..data.len() - padding).unwrap_or_default();
    let stranger = body
        .iter()
        .position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'+' || *byte == b'/'));
    match stranger {
        Some(at) => Some(format!("an invalid character at {at}")),
        None if !data.len().is_multiple_of(4) => {
            Some(format!("{} characters, not a multiple of 4", data.len()))
        }
        None => None,
    }
}

/// A required string; empty if it is missing.
fn required_string<'a>(reader: &mut Reader<'a>, name: &str) -> Cow<'a, str> {
    reader.require(name);
    reader.string(name).unwrap_or_default()
}

fn link<'a>(reader: &mut Reader<'a>) -> ContentKind<'a> {
    ContentKind::ResourceLink {
        uri: required_string(reader, "uri"),
        name: required_string(reader, "name"),
        title: reader.string("title"),
        description: reader.string("description"),
        mime_type: reader.string("mimeType"),
        size: reader.number("size"),
    }
}

fn resource<'a>(outer: &mut Reader<'a>) -> Result<ContentKind<'a>, String> {
    let Some(text) = outer
        .raw("resource")
        .filter(|text| json::kind(text) == Kind::Object)
    else {
        return Err(malformed(
            outer,
            "resource",
            "`resource` is missing or not an object",
        ));
    };
    let mut reader = Reader::at(text, outer.pointer("resource"));
    let kind = text_or_blob(&mut reader);
    outer.violations.append(&mut reader.violations);
    kind
}

fn text_or_blob<'a>(reader: &mut Reader<'a>) -> Result<ContentKind<'a>, String> {
    let uri = required_string(reader, "uri");
    let mime_type = reader.string("mimeType");
    if reader.raw("blob").is_some() && reader.raw("text").is_none() {
        base64(reader, "blob").map(|blob| ContentKind::ResourceBlob { uri, mime_type, blob })
    } else {
        content(reader, "text").map(|text| ContentKind::ResourceText { uri, mime_type, text })
    }
}

/// An element of `contents` of `resources/read`, which is not wrapped in a block.
pub(super) fn resource_contents(raw: &str, pointer: String) -> (ContentBlock<'_>, Vec<Violation>) {
    let mut reader = Reader::at(raw, pointer);
    let annotations = reader.object("annotations");
    let kind = match reader.is_object() {
        true => text_or_blob(&mut reader),
        false => Err(format!(
            "the contents are {} instead of an object",
            json::kind(raw).name()
        )),
    };
    let block = ContentBlock {
        raw,
        kind: kind.unwrap_or_else(|reason| ContentKind::Unknown { kind: None, reason }),
        annotations,
    };
    (block, reader.violations)
}

#[cfg(test)]
mod tests;
