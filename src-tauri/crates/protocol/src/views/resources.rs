//! Resources: rows of `resources/list` and `resources/templates/list`, and the result of `resources/read`.

use std::borrow::Cow;

use super::content::{ContentBlock, resource_contents};
use super::reader::Reader;
use crate::{Rule, Violation, json};

/// One resource.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResourceView<'a> {
    /// Its URI; empty if missing.
    pub uri: Cow<'a, str>,
    /// Its name; empty if missing.
    pub name: Cow<'a, str>,
    /// For people.
    pub title: Option<Cow<'a, str>>,
    /// What it is.
    pub description: Option<Cow<'a, str>>,
    /// Its type, as the server gives it.
    pub mime_type: Option<Cow<'a, str>>,
    /// Its size in bytes.
    pub size: Option<f64>,
    /// `annotations`.
    pub annotations: Annotations<'a>,
    /// `icons`, raw.
    pub icons: Option<&'a str>,
    /// What is wrong with it. Pointers are into the resource.
    pub violations: Vec<Violation>,
}

impl<'a> ResourceView<'a> {
    /// Reads one element of `resources`.
    #[must_use]
    pub fn parse(raw: &'a str) -> Self {
        let mut reader = Reader::new(raw);
        reader.demand("uri");
        reader.demand("name");
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

/// Who a resource is for and how much it matters, as its server says (`annotations`).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Annotations<'a> {
    /// `user`, `assistant`, or whatever else the server writes.
    pub audience: Vec<Cow<'a, str>>,
    /// From 0, the least important, to 1.
    pub priority: Option<f64>,
    /// A date of ISO 8601, as written.
    pub last_modified: Option<Cow<'a, str>>,
}

impl<'a> Annotations<'a> {
    /// Reads `annotations`; what is wrong with them is added to the violations of `owner`.
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
    /// For people.
    pub title: Option<Cow<'a, str>>,
    /// What it is.
    pub description: Option<Cow<'a, str>>,
    /// The type of all resources that match it.
    pub mime_type: Option<Cow<'a, str>>,
    /// What is wrong with it. Pointers are into the template.
    pub violations: Vec<Violation>,
}

impl<'a> ResourceTemplateView<'a> {
    /// Reads one element of `resourceTemplates`.
    #[must_use]
    pub fn parse(raw: &'a str) -> Self {
        let mut reader = Reader::new(raw);
        reader.demand("uriTemplate");
        reader.demand("name");
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
    /// The contents in order, malformed ones included.
    pub contents: Vec<ContentBlock<'a>>,
    /// What is wrong with it, its contents included. Pointers are into the result.
    pub violations: Vec<Violation>,
}

impl<'a> ReadResourceResult<'a> {
    /// Reads a result.
    #[must_use]
    pub fn parse(result: &'a str) -> Self {
        let mut reader = Reader::new(result);
        let mut contents = Vec::new();
        let mut within = Vec::new();
        match reader.raw("contents").map(json::array) {
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
