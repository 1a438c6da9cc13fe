//! The order of the items of a conversation. Each follows another; one path through them is shown, and the rest is kept
//! as other branches: an edited message and a repeated answer take no item away.

use std::collections::HashMap;

/// Which items follow which.
#[derive(Debug, Clone, Default)]
pub(crate) struct Branches {
    /// What an item follows; none for a first one.
    parents: HashMap<String, Option<String>>,
    /// What follows an item, in the order of creation.
    children: HashMap<Option<String>, Vec<String>>,
    /// What was shown last after an item.
    shown: HashMap<Option<String>, String>,
}

impl Branches {
    /// Adds an item after another. One that is known stays where it is.
    pub(crate) fn add(&mut self, id: &str, after: Option<&str>) {
        if self.parents.contains_key(id) {
            return;
        }
        let after = after.map(str::to_owned);
        self.parents.insert(id.to_owned(), after.clone());
        self.shown.insert(after.clone(), id.to_owned());
        self.children.entry(after).or_default().push(id.to_owned());
    }

    pub(crate) fn knows(&self, id: &str) -> bool {
        self.parents.contains_key(id)
    }

    /// What an item follows.
    pub(crate) fn parent(&self, id: &str) -> Option<&str> {
        self.parents.get(id)?.as_deref()
    }

    /// The ids from a first item to this one; none without it.
    pub(crate) fn path(&self, head: Option<&str>) -> Vec<String> {
        let mut path = Vec::new();
        let mut at = head;
        while let Some(id) = at {
            path.push(id.to_owned());
            at = self.parent(id);
        }
        path.reverse();
        path
    }

    /// Remembers a path as shown.
    pub(crate) fn show(&mut self, path: &[String]) {
        let mut before = None;
        for id in path {
            self.shown.insert(before, id.clone());
            before = Some(id.clone());
        }
    }

    /// The end of what was shown last from this item on.
    pub(crate) fn leaf(&self, id: &str) -> String {
        let mut at = id.to_owned();
        while let Some(next) = self.shown.get(&Some(at.clone())) {
            at.clone_from(next);
        }
        at
    }

    /// The items that follow the same one, where there are several.
    pub(crate) fn forks(&self) -> impl Iterator<Item = &[String]> {
        let all = self.children.values().map(Vec::as_slice);
        all.filter(|versions| versions.len() > 1)
    }
}
