//! The difference between two definitions as a list of changes, each with a sentence and the values before and after.

use std::collections::HashMap;

use crate::{
    json::{self, Kind},
    views::reader::escape,
};

use super::{HINTS, parts, schema};

/// The maximum number of changes that are listed.
const MOST_CHANGES: usize = 500;
/// The maximum size of a value before or after, in bytes.
const LONGEST_VALUE: usize = 64 * 1024;
/// The maximum length of a value inside a sentence, in characters.
const LONGEST_QUOTE: usize = 60;

/// The changes of a definition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DefinitionChanges {
    /// In the order of the definition's parts.
    pub changes: Vec<DefinitionChange>,
    /// Whether there are more than are listed.
    pub more: bool,
}

/// One change of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionChange {
    /// The member of the definition, such as `description` or `inputSchema`.
    pub part: String,
    /// JSON pointer into the definition.
    pub pointer: String,
    /// What changed, as a sentence without a full stop.
    pub words: String,
    /// The value before: a decoded string, or JSON text. None if there was none. At most 64 KiB.
    pub before: Option<String>,
    /// The value after.
    pub after: Option<String>,
}

impl DefinitionChanges {
    pub(super) fn push(&mut self, change: DefinitionChange) {
        match self.changes.len() < MOST_CHANGES {
            true => self.changes.push(change),
            false => self.more = true,
        }
    }
}

pub(super) fn between(before: &str, after: &str) -> DefinitionChanges {
    let mut found = DefinitionChanges::default();
    let (Ok(old), Ok(new)) = (json::Object::parse(before), json::Object::parse(after)) else {
        if super::canonical_definition(before) != super::canonical_definition(after) {
            found.push(change(
                "",
                "",
                "The definition changed",
                Some(before),
                Some(after),
            ));
        }
        return found;
    };
    let (old, new) = (by_name(&old), by_name(&new));
    let (old_parts, new_parts) = (parts(before), parts(after));
    let mut names: Vec<&str> = old_parts
        .keys()
        .chain(new_parts.keys())
        .map(|name| &**name)
        .collect();
    names.sort_by_key(|name| (order(name), *name));
    names.dedup();
    for name in names {
        if old_parts.get(name) == new_parts.get(name) {
            continue;
        }
        let (old, new) = (old.get(name).copied(), new.get(name).copied());
        let pointer = format!("/{}", escape(name));
        match (name, old, new) {
            ("inputSchema" | "outputSchema", Some(old), Some(new)) => {
                schema::compare(name, old, new, &mut found);
            }
            ("annotations", ..) => hints(old.unwrap_or("{}"), new.unwrap_or("{}"), &mut found),
            _ => {
                let words = format!("{} {}", subject(name), verb(old, new));
                found.push(change(name, &pointer, words, old, new));
            }
        }
    }
    found
}

/// The parts that decide what a model does with a tool come first.
fn order(name: &str) -> u8 {
    match name {
        "title" => 0,
        "description" => 1,
        "inputSchema" => 2,
        "outputSchema" => 3,
        "annotations" => 4,
        "execution" => 5,
        "icons" => 6,
        "_meta" => 8,
        _ => 7,
    }
}

fn subject(name: &str) -> String {
    match name {
        "title" => "The title".to_owned(),
        "description" => "The description".to_owned(),
        _ => format!("`{}`", short(name)),
    }
}

/// Whether something was added, removed or changed.
pub(super) fn verb<T>(old: Option<T>, new: Option<T>) -> &'static str {
    match (old, new) {
        (None, _) => "was added",
        (_, None) => "was removed",
        _ => "changed",
    }
}

/// Compares `annotations`, hint by hint; a missing hint has its default.
fn hints(old: &str, new: &str, found: &mut DefinitionChanges) {
    let (Ok(before), Ok(after)) = (json::Object::parse(old), json::Object::parse(new)) else {
        let words = "`annotations` changed";
        found.push(change("annotations", "/annotations", words, Some(old), Some(new)));
        return;
    };
    let mut names: Vec<&str> = before
        .iter()
        .chain(after.iter())
        .map(|(name, _)| &**name)
        .collect();
    names.extend(HINTS.iter().map(|(name, _)| *name));
    names.sort_unstable();
    names.dedup();
    let (before, after) = (by_name(&before), by_name(&after));
    for name in names {
        let default = HINTS
            .iter()
            .find(|(hint, _)| *hint == name)
            .map(|(_, value)| *value);
        let given = (before.get(name).copied(), after.get(name).copied());
        let (old, new) = (given.0.or(default), given.1.or(default));
        if same(old, new) {
            continue;
        }
        let words = match default {
            Some(_) => {
                let said = |given: Option<&str>, value: Option<&str>| {
                    let value = short(value.unwrap_or_default());
                    match given {
                        Some(_) => value,
                        None => format!("{value} (the default)"),
                    }
                };
                format!(
                    "`{name}` changed from {} to {}",
                    said(given.0, old),
                    said(given.1, new)
                )
            }
            None => format!("`annotations.{}` {}", short(name), verb(old, new)),
        };
        let pointer = format!("/annotations/{}", escape(name));
        found.push(change("annotations", &pointer, words, old, new));
    }
}

/// The members of an object by name. Looking for each of them in the object would cost the square of their number.
pub(super) fn by_name<'a>(object: &'a json::Object<'_>) -> HashMap<&'a str, &'a str> {
    object.iter().map(|(name, value)| (&**name, value)).collect()
}

/// Whether two values mean the same, read as data.
pub(super) fn same(old: Option<&str>, new: Option<&str>) -> bool {
    let form = |value: Option<&str>| value.map(|raw| super::canonical(raw, super::Reading::Data));
    form(old) == form(new)
}

/// A change with its raw values, decoded if they are strings.
pub(super) fn change(
    part: &str,
    pointer: &str,
    words: impl Into<String>,
    before: Option<&str>,
    after: Option<&str>,
) -> DefinitionChange {
    DefinitionChange {
        part: part.to_owned(),
        pointer: pointer.to_owned(),
        words: words.into(),
        before: before.map(shown),
        after: after.map(shown),
    }
}

/// A value as the user reads it: a string decoded, anything else as indented JSON.
fn shown(raw: &str) -> String {
    let mut text = match json::kind(raw) {
        Kind::String => json::string(raw).map_or_else(|| raw.to_owned(), Into::into),
        _ if raw.len() > LONGEST_VALUE => raw.to_owned(),
        _ => {
            let mut out = String::new();
            json::pretty(raw, &mut out);
            out
        }
    };
    if text.len() > LONGEST_VALUE {
        text.truncate(text.floor_char_boundary(LONGEST_VALUE));
        text.push('…');
    }
    text
}

/// The beginning of a text, for a sentence.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
