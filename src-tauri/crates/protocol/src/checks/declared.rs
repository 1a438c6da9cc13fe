//! Which capabilities were declared. Read once: they may be as large as a message, and every later message is judged by them.

use std::collections::HashSet;

use crate::{
    json::Object,
    views::{declares, declares_part},
};

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
    /// Those in the text of an object.
    pub(super) fn of(capabilities: &str) -> Self {
        let Ok(all) = Object::parse(capabilities) else {
            return Self::default();
        };
        let is_declared = |known: &&str| match known.split_once('.') {
            Some((name, part)) => declares_part(&all, name, part),
            None => declares(&all, known),
        };
        Self(KNOWN.into_iter().filter(is_declared).collect())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}
