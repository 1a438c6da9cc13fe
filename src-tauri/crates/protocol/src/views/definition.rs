//! Definitions of tools, compared by meaning: the order of members, white space, the way a number or a string is written
//! and omitted defaults do not matter, everything else does. Used to notice that a server changed a tool after the user
//! saw it.

mod canonical;
mod difference;
mod hidden;
mod schema;

use std::{borrow::Cow, collections::BTreeMap};

use crate::json::{self, Kind};
use canonical::{Reading, canonical};
pub use difference::{DefinitionChange, DefinitionChanges};
pub use hidden::{with_controls_marked, with_hidden_marked};

/// The hints of `annotations` and what a missing one means (2025-11-25, schema: ToolAnnotations).
const HINTS: [(&str, &str); 4] = [
    ("destructiveHint", "true"),
    ("idempotentHint", "false"),
    ("openWorldHint", "true"),
    ("readOnlyHint", "false"),
];

/// What a missing `execution` means (2025-11-25, schema: ToolExecution).
const NO_EXECUTION: &str = r#"{"taskSupport":"forbidden"}"#;

/// A definition in canonical form. Two definitions mean the same if and only if their canonical forms are equal.
#[must_use]
pub fn canonical_definition(raw: &str) -> String {
    if json::kind(raw) != Kind::Object {
        return canonical(raw, Reading::Data);
    }
    let parts: Vec<String> = parts(raw)
        .into_iter()
        .map(|(name, value)| format!("{}:{value}", json::quote(&name)))
        .collect();
    format!("{{{}}}", parts.join(","))
}

/// How the second definition differs from the first, part by part, in words.
#[must_use]
pub fn definition_changes(before: &str, after: &str) -> DefinitionChanges {
    difference::between(before, after)
}

/// The members of a definition in canonical form, with omitted defaults filled in. A member that occurs twice has all its
/// values.
fn parts(raw: &str) -> BTreeMap<Cow<'_, str>, String> {
    let mut found: BTreeMap<Cow<'_, str>, String> = BTreeMap::new();
    let object = json::Object::parse(raw).ok();
    for member in object.iter().flat_map(json::Object::members) {
        let value = match &*member.name {
            "inputSchema" | "outputSchema" => canonical(member.value, Reading::Schema),
            "annotations" => filled(member.value, &HINTS),
            "execution" => filled(member.value, &[("taskSupport", "\"forbidden\"")]),
            _ => canonical(member.value, Reading::Data),
        };
        found
            .entry(member.name.clone())
            .and_modify(|earlier| *earlier = format!("{earlier},{value}"))
            .or_insert(value);
    }
    found
        .entry("annotations".into())
        .or_insert_with(|| filled("{}", &HINTS));
    found
        .entry("execution".into())
        .or_insert_with(|| NO_EXECUTION.to_owned());
    found
}

/// An object with its missing members filled in; anything else unchanged.
fn filled(raw: &str, defaults: &[(&str, &str)]) -> String {
    let Ok(object) = json::Object::parse(raw) else {
        return canonical(raw, Reading::Data);
    };
    let written = object.members().iter();
    let written = written.map(|member| format!("{}:{}", member.name_text, member.value));
    let missing = defaults.iter().filter(|(name, _)| object.get(name).is_none());
    let missing = missing.map(|(name, value)| format!("{}:{value}", json::quote(name)));
    let all: Vec<String> = written.chain(missing).collect();
    canonical(&format!("{{{}}}", all.join(",")), Reading::Data)
}

#[cfg(test)]
mod tests;
