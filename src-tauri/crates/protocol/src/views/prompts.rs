//! Prompts: rows of `prompts/list`, and the result of `prompts/get`.

use std::borrow::Cow;

use super::content::ContentBlock;
use super::reader::Reader;
use crate::{Rule, Violation};

/// One prompt.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PromptView<'a> {
    /// Its name; empty if missing.
    pub name: Cow<'a, str>,
    /// Its display name.
    pub title: Option<Cow<'a, str>>,
    /// Its description.
    pub description: Option<Cow<'a, str>>,
    /// Its arguments in order.
    pub arguments: Vec<PromptArgument<'a>>,
    /// `icons`, raw.
    pub icons: Option<&'a str>,
    /// Its violations. Pointers are into the prompt.
    pub violations: Vec<Violation>,
}

/// An argument of a prompt.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PromptArgument<'a> {
    /// Its name; empty if missing.
    pub name: Cow<'a, str>,
    /// Its display name.
    pub title: Option<Cow<'a, str>>,
    /// Its description.
    pub description: Option<Cow<'a, str>>,
    /// Whether it is required.
    pub required: bool,
}

impl<'a> PromptView<'a> {
    /// Parses one element of `prompts`.
    #[must_use]
    pub fn parse(raw: &'a str) -> Self {
        let mut reader = Reader::new(raw);
        reader.require("name");
        let mut prompt = Self {
            name: reader.string("name").unwrap_or_default(),
            title: reader.string("title"),
            description: reader.string("description"),
            icons: reader.raw("icons"),
            ..Self::default()
        };
        let arguments = reader.array("arguments").unwrap_or_default();
        prompt.violations = reader.violations;
        for (index, element) in arguments.into_iter().enumerate() {
            let mut reader = Reader::at(element, format!("/arguments/{index}"));
            reader.require("name");
            prompt.arguments.push(PromptArgument {
                name: reader.string("name").unwrap_or_default(),
                title: reader.string("title"),
                description: reader.string("description"),
                required: reader.boolean("required").unwrap_or(false),
            });
            prompt.violations.append(&mut reader.violations);
        }
        prompt
    }
}

/// The result of `prompts/get`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GetPromptResult<'a> {
    /// The description of the prompt.
    pub description: Option<Cow<'a, str>>,
    /// The messages in order: role and content.
    pub messages: Vec<(Cow<'a, str>, ContentBlock<'a>)>,
    /// Its violations, including those of its messages. Pointers are into the result.
    pub violations: Vec<Violation>,
}

impl<'a> GetPromptResult<'a> {
    /// Parses a result.
    #[must_use]
    pub fn parse(result: &'a str) -> Self {
        let mut reader = Reader::new(result);
        let description = reader.string("description");
        let elements = match reader.elements("messages") {
            Some(Some(elements)) => elements,
            Some(None) => {
                reader.push(Rule::ListMissing, "messages", "`messages` is not an array");
                Vec::new()
            }
            None => {
                reader.push(Rule::ListMissing, "messages", "`messages` is missing");
                Vec::new()
            }
        };
        let mut violations = reader.violations;
        let mut messages = Vec::new();
        for (index, element) in elements.into_iter().enumerate() {
            let pointer = format!("/messages/{index}");
            let mut reader = Reader::at(element, pointer.clone());
            reader.require("role");
            reader.require("content");
            let role = reader.string("role").unwrap_or_default();
            let raw = reader.raw("content").unwrap_or(element);
            violations.append(&mut reader.violations);
            let (block, more) = ContentBlock::parse(raw, format!("{pointer}/content"));
            violations.extend(more);
            messages.push((role, block));
        }
        Self {
            description,
            messages,
            violations,
        }
    }
}

#[cfg(test)]
mod tests;
