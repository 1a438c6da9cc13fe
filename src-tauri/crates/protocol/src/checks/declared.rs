//! Which capabilities were declared. Read once: they may be as large as a message, and every later message is judged by them.

use std::collections::HashSet;

use crate::json::{self, Kind, Object};

/// The capabilities, and parts of them, that are asked for.
const KNOWN: [&str; 14] = [
    "tools",
    "tools.listChanged",
    "prompts",
    "prompts.listChanged",
    "resources",
    "resources.listChanged",
    "resources.subscribe",
    "logging",
    "completions",
    "tasks",
    "tasks.list",
    "tasks.cancel",
    "roots",
    "roots.listChanged",
];

/// The known capabilities that one side declared.
#[derive(Debug, Clone, Default)]
pub(super) struct Declared(HashSet<&'static str>);

impl Declared {
    /// Those in the text of an object. A capability is declared by an object, a part of one by `true` or an object.
    pub(super) fn of(capabilities: &str) -> Self {
        let Ok(all) = Object::parse(capabilities) else {
            return Self::default();
        };
        let is_object = |value: &str| json::kind(value) == Kind::Object;
        let is_declared = |known: &&str| match known.split_once('.') {
            Some((name, part)) => all
                .get(name)
                .and_then(|value| json::member(value, part))
                .is_some_and(|part| json::boolean(part).unwrap_or_else(|| is_object(part))),
            None => all.get(known).is_some_and(is_object),
        };
        Self(KNOWN.into_iter().filter(is_declared).collect())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}
