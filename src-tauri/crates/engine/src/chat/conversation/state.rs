//! What is known of a conversation in memory, and what follows from it.

use patchbay_contract::*;

use super::{Entry, State};
use crate::{
    chat::item::{Item, has_ended, messages, title_of},
    convert,
};

impl Entry {
    pub(super) fn new(item: Item, revision: u64) -> Self {
        Self {
            item,
            revision,
            progress: None,
            exchange: None,
            definition_changed: false,
        }
    }

    fn replace(&mut self, item: Item, revision: u64) {
        self.revision = revision;
        if !matches!(&item, Item::Call(call) if call.state == ChatCallState::Running) {
            (self.progress, self.exchange) = (None, None);
        }
        self.definition_changed = false;
        self.item = item;
    }
}

impl State {
    pub(super) fn put(&mut self, item: Item, revision: u64) {
        if let Some(at) = self.places.get(item.id()) {
            return self.items[*at].replace(item, revision);
        }
        if let Some(entry) = self.aside.get_mut(item.id()) {
            return entry.replace(item, revision);
        }
        let after = self.items.last().map(|entry| entry.item.id());
        self.branches.add(item.id(), after);
        let number = item.id().parse().unwrap_or(0);
        self.next = self.next.max(number + 1);
        self.places.insert(item.id().to_owned(), self.items.len());
        self.items.push(Entry::new(item, revision));
    }

    /// Shows the path to an item; what is not on it is kept aside.
    pub(super) fn show(&mut self, head: Option<&str>, revision: u64) {
        let path = self.branches.path(head);
        let same = self.items.iter().zip(&path);
        let stay = same.take_while(|(entry, id)| entry.item.id() == *id).count();
        for entry in self.items.split_off(stay) {
            self.places.remove(entry.item.id());
            self.aside.insert(entry.item.id().to_owned(), entry);
        }
        for id in &path[stay..] {
            let Some(mut entry) = self.aside.remove(id) else {
                continue;
            };
            entry.revision = revision;
            self.places.insert(id.clone(), self.items.len());
            self.items.push(entry);
        }
        self.branches.show(&path);
        // An earlier cut that left as much or more says nothing in addition.
        self.cuts.retain(|(_, left)| *left < stay);
        self.cuts.push((revision, stay));
    }

    /// How many items are as they were at a revision; none if no other branch was shown since.
    pub(in crate::chat) fn cut_since(&self, revision: u64) -> Option<usize> {
        let since = self.cuts.iter().filter(|(when, _)| *when > revision);
        since.map(|(_, left)| *left).min()
    }

    /// The versions of the items that have several, for the shown path.
    pub(in crate::chat) fn versions(&self) -> Vec<ChatVersions> {
        let shown = self.branches.forks().filter_map(|versions| {
            let item = versions.iter().find(|id| self.places.contains_key(*id))?;
            Some(ChatVersions {
                item: item.clone(),
                versions: versions.to_vec(),
            })
        });
        shown.collect()
    }

    /// The items of other branches, in the order of creation.
    pub(in crate::chat) fn aside(&self) -> Vec<&Item> {
        let mut items: Vec<&Item> = self.aside.values().map(|entry| &entry.item).collect();
        items.sort_by_key(|item| item.id().parse().unwrap_or(0_u64));
        items
    }

    pub(in crate::chat) fn entry(&mut self, id: &str) -> Option<&mut Entry> {
        let at = *self.places.get(id)?;
        self.items.get_mut(at)
    }

    pub(in crate::chat) fn item(&self, id: &str) -> Option<&Item> {
        let at = *self.places.get(id)?;
        self.items.get(at).map(|entry| &entry.item)
    }

    /// The tools that were found in it, the newest first.
    pub(in crate::chat) fn found(&self) -> Vec<ChatToolRef> {
        let items = self.items.iter().rev();
        let found = items.flat_map(|entry| match &entry.item {
            Item::Call(call) => call.found.as_slice(),
            _ => &[],
        });
        found.cloned().collect()
    }

    /// The number of the next item, which is its id.
    pub(in crate::chat) fn next_number(&self) -> u64 {
        self.next
    }

    /// The id of the next item.
    pub(in crate::chat) fn next_id(&self) -> String {
        self.next.to_string()
    }

    pub(in crate::chat) fn title(&self) -> String {
        if !self.title.is_empty() {
            return self.title.clone();
        }
        title_of(self.items.iter().map(|entry| &entry.item))
    }

    /// Its row in the list.
    pub(in crate::chat) fn summary(&self, id: &ChatId) -> ChatSummary {
        let items = || self.items.iter().map(|entry| &entry.item);
        let waits = |item: &&Item| matches!(item, Item::Call(call) if call.state == ChatCallState::Waiting);
        ChatSummary {
            id: id.clone(),
            title: self.title(),
            updated_at_ms: self
                .items
                .last()
                .map_or(self.created_at_ms, |entry| entry.item.at_ms()),
            messages: messages(items()),
            phase: self.phase,
            waiting: convert::count(items().filter(waits).count()),
            read_only: self.read_only.clone(),
            found: None,
        }
    }

    /// Whether every call has ended.
    pub(in crate::chat) fn is_settled(&self) -> bool {
        self.items
            .iter()
            .all(|entry| !matches!(&entry.item, Item::Call(call) if !has_ended(call.state)))
    }
}
