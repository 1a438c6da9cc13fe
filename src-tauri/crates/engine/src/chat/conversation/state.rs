//! What is known of a conversation in memory, and what follows from it.

use patchbay_contract::*;

use super::{Entry, State};
use crate::{
    chat::item::{Item, has_ended, messages, title_of},
    convert,
};

impl State {
    pub(super) fn put(&mut self, item: Item, revision: u64) {
        match self.places.get(item.id()) {
            Some(at) => {
                let entry = &mut self.items[*at];
                entry.revision = revision;
                if !matches!(&item, Item::Call(call) if call.state == ChatCallState::Running) {
                    (entry.progress, entry.exchange) = (None, None);
                }
                entry.definition_changed = false;
                entry.item = item;
            }
            None => {
                self.places.insert(item.id().to_owned(), self.items.len());
                self.items.push(Entry {
                    item,
                    revision,
                    progress: None,
                    exchange: None,
                    definition_changed: false,
                });
            }
        }
    }

    pub(in crate::chat) fn entry(&mut self, id: &str) -> Option<&mut Entry> {
        let at = *self.places.get(id)?;
        self.items.get_mut(at)
    }

    pub(in crate::chat) fn item(&self, id: &str) -> Option<&Item> {
        let at = *self.places.get(id)?;
        self.items.get(at).map(|entry| &entry.item)
    }

    /// The id of the next item.
    pub(in crate::chat) fn next_id(&self) -> String {
        (self.items.len() + 1).to_string()
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
            created_at_ms: self.created_at_ms,
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
