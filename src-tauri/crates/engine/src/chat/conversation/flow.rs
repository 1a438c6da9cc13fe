//! Which models have seen what: a model that is asked gets everything before its answer. Other branches count too.

use std::collections::HashMap;

use patchbay_contract::{ChatNoticeKind, ChatSeen, CommandError};

use super::{Conversation, State};
use crate::chat::item::{Item, Notice, now_ms};

/// The model that was asked for an item, and whether the item is its answer.
fn asked(item: &Item) -> Option<(&str, bool)> {
    match item {
        Item::Answer(answer) => answer.by_model.then_some((answer.by.as_str(), true)),
        Item::Notice(notice) => notice.asked.as_deref().map(|by| (by, false)),
        Item::User(_) | Item::Call(_) => None,
    }
}

impl State {
    /// The models that were sent the shown items, each with the last one.
    pub(in crate::chat) fn seen(&self) -> Vec<ChatSeen> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut note = |by, at| {
            let last = seen.entry(by).or_insert(at);
            *last = at.max(*last);
        };
        for (at, entry) in self.items.iter().enumerate() {
            match asked(&entry.item) {
                Some((by, true)) => note(by, at),
                Some((by, false)) if at > 0 => note(by, at - 1),
                Some(_) | None => {}
            }
        }
        // What follows a shown item in another branch was sent with it and what is before.
        let mut known: HashMap<&str, Option<usize>> = HashMap::new();
        for entry in self.aside.values() {
            if let Some((by, _)) = asked(&entry.item)
                && let Some(at) = self.shown_before(entry.item.id(), &mut known)
            {
                note(by, at);
            }
        }
        let mut seen: Vec<ChatSeen> = seen
            .into_iter()
            .filter_map(|(by, at)| {
                Some(ChatSeen {
                    by: by.to_owned(),
                    up_to: self.items.get(at)?.item.id().to_owned(),
                })
            })
            .collect();
        seen.sort_by(|one, other| one.by.cmp(&other.by));
        seen
    }

    /// The place of the last shown item that an item of another branch follows.
    fn shown_before<'a>(&'a self, id: &'a str, known: &mut HashMap<&'a str, Option<usize>>) -> Option<usize> {
        let (mut passed, mut at) = (Vec::new(), Some(id));
        let place = loop {
            let Some(id) = at else { break None };
            if let Some(place) = self.places.get(id) {
                break Some(*place);
            }
            if let Some(place) = known.get(id) {
                break *place;
            }
            passed.push(id);
            at = self.branches.parent(id);
        };
        known.extend(passed.into_iter().map(|id| (id, place)));
        place
    }
}

impl Conversation {
    /// Adds a notice, which is shown even if it cannot be written.
    pub(in crate::chat) async fn notice(
        &self,
        kind: ChatNoticeKind,
        cause: &str,
        next: &str,
        seq: Option<String>,
        asked: Option<String>,
    ) -> Result<(), CommandError> {
        let notice = Notice {
            id: self.lock().next_id(),
            at_ms: now_ms(),
            kind,
            cause: cause.to_owned(),
            next: next.to_owned(),
            seq,
            asked,
        };
        self.keep(vec![Item::Notice(notice)]).await
    }
}
