//! Resources: rows of `resources/list` and `resources/templates/list`, and the result of `resources/read`.

mod skills;

use std::borrow::Cow;

use super::content::{ContentBlock, resource_contents};
use super::reader::Reader;
use crate::{Rule, Violation, json};

pub use skills::{SKILLS_EXTENSION, SkillFiles, SkillView};

/// One resource.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResourceView<'a> {
    /// Its URI; empty if missing.
    pub uri: Cow<'a, str>,
    /// Its name; empty if missing.
    pub name: Cow<'a, str>,
    /// Its display name.
    pub title: Option<Cow<'a, str>>,
    /// Its description.
    pub description: Option<Cow<'a, str>>,
    /// Its MIME type, as the server writes it.
    pub mime_type: Option<Cow<'a, str>>,
    /// Its size in bytes.
    pub size: Option<f64>,
    /// `annotations`.
    pub annotations: Annotations<'a>,
    /// `icons`, raw.
    pub icons: Option<&'a str>,
    /// Its violations. Pointers are into the resource.
    pub violations: Vec<Violation>,
}

impl<'a> ResourceView<'a> {
    /// Parses one element of `resources`.
    #[must_use]
    pub fn parse(raw: &'a str) -> Self {
        let mut reader = Reader::new(raw);
        reader.require("uri");
        reader.require("name");
        let annotations = Annotations::parse(&mut reader);
        Self {
            uri: reader.string("uri").unwrap_or_default(),
            name: reader.string("name").unwrap_or_default(),
            title: reader.string("title"),
            description: reader.string("description"),
            mime_type: reader.string("mimeType"),
            size: reader.number("size"),
            annotations,
            icons: reader.raw("icons"),
            violations: reader.violations,
        }
    }
}

/// The audience and importance of a resource according to its server (`annotations`).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Annotations<'a> {
    /// `user`, `assistant`, or any other value that the server writes.
    pub audience: Vec<Cow<'a, str>>,
    /// From 0 (least important) to 1.
    pub priority: Option<f64>,
    /// An ISO 8601 date, as written.
    pub last_modified: Option<Cow<'a, str>>,
}

impl<'a> Annotations<'a> {
    /// Parses `annotations`; their violations are added to those of `owner`.
    fn parse(owner: &mut Reader<'a>) -> Self {
        let Some(text) = owner.object("annotations") else {
            return Self::default();
        };
        let mut reader = Reader::at(text, owner.pointer("annotations"));
        let annotations = Self {
            audience: reader
                .array("audience")
                .unwrap_or_default()
                .into_iter()
                .filter_map(json::string)
                .collect(),
            priority: reader.number("priority"),
            last_modified: reader.string("lastModified"),
        };
        if annotations
            .priority
            .is_some_and(|priority| !(0.0..=1.0).contains(&priority))
        {
            reader.push(Rule::MemberType, "priority", "`priority` is not between 0 and 1");
        }
        owner.violations.append(&mut reader.violations);
        annotations
    }
}

/// One resource template.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResourceTemplateView<'a> {
    /// `uriTemplate` (RFC 6570); empty if missing.
    pub uri_template: Cow<'a, str>,
    /// Its name; empty if missing.
    pub name: Cow<'a, str>,
    /// Its display name.
    pub title: Option<Cow<'a, str>>,
    /// Its description.
    pub description: Option<Cow<'a, str>>,
    /// The MIME type of all matching resources.
    pub mime_type: Option<Cow<'a, str>>,
    /// Its violations. Pointers are into the template.
    pub violations: Vec<Violation>,
}

impl<'a> ResourceTemplateView<'a> {
    /// Parses one element of `resourceTemplates`.
    #[must_use]
    pub fn parse(raw: &'a str) -> Self {
        let mut reader = Reader::new(raw);
        reader.require("uriTemplate");
        reader.require("name");
        Self {
            uri_template: reader.string("uriTemplate").unwrap_or_default(),
            name: reader.string("name").unwrap_or_default(),
            title: reader.string("title"),
            description: reader.string("description"),
            mime_type: reader.string("mimeType"),
            violations: reader.violations,
        }
    }
}

/// The result of `resources/read`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadResourceResult<'a> {
    /// The contents in order, including malformed ones.
    pub contents: Vec<ContentBlock<'a>>,
    /// Its violations, including those of its contents. Pointers are into the result.
    pub violations: Vec<Violation>,
}

impl<'a> ReadResourceResult<'a> {
    /// Parses a result.
    #[must_use]
    pub fn parse(result: &'a str) -> Self {
        let mut reader = Reader::new(result);
        let mut contents = Vec::new();
        let mut within = Vec::new();
        match reader.elements("contents") {
            Some(Some(elements)) => {
                for (index, element) in elements.into_iter().enumerate() {
                    let (block, violations) = resource_contents(element, format!("/contents/{index}"));
                    contents.push(block);
                    within.extend(violations);
                }
            }
            Some(None) => reader.push(Rule::ListMissing, "contents", "`contents` is not an array"),
            None => reader.push(Rule::ListMissing, "contents", "`contents` is missing"),
        }
        let mut violations = reader.violations;
        violations.append(&mut within);
        Self { contents, violations }
    }
}

#[cfg(test)]
mod tests;
