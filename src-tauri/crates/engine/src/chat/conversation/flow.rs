//! Which models have seen what: a model that is asked gets everything before its answer. Other branches count too.

use std::collections::HashMap;

use patchbay_contract::{ChatNoticeKind, ChatSeen, CommandError};

use super::{Conversation, State};
use crate::chat::item::{Item, Line, Notice, now_ms};

impl State {
    /// The models that were sent the shown items, each with the last one.
    pub(in crate::chat) fn seen(&self) -> Vec<ChatSeen> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut note = |by, at| {
            let last = seen.entry(by).or_insert(at);
            *last = at.max(*last);
        };
        for (at, entry) in self.items.iter().enumerate() {
            match entry.item.asked() {
                Some((by, true)) => note(by, at),
                Some((by, false)) if at > 0 => note(by, at - 1),
                Some(_) | None => {}
            }
        }
        // What follows a shown item in another branch was sent with it and what is before.
        let mut known: HashMap<&str, Option<usize>> = HashMap::new();
        for entry in self.aside.values() {
            if let Some((by, _)) = entry.item.asked()
                && let Some(at) = self.shown_before(entry.item.id(), &mut known)
            {
                note(by, at);
            }
        }
        if let Some(ChatSeen { by, up_to }) = &self.asked
            && let Some(at) = self.shown_before(up_to, &mut known)
        {
            note(by, at);
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

    /// The place of an item, or of the last shown one that an item of another branch follows.
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
    /// Writes that a model is about to be sent what is shown: it was, even if nothing comes after that.
    pub(in crate::chat) async fn ask(&self, by: &str) -> Result<(), CommandError> {
        let line = Line::Asked { by: by.to_owned() };
        let by = by.to_owned();
        let journal = self.file().await;
        self.write(journal, &[line], move |state, revision| {
            let last = state.items.last().map(|entry| entry.item.id().to_owned());
            state.asked = last.map(|up_to| ChatSeen { by, up_to });
            state.revision = revision;
        })
        .await
    }

    /// The model that was asked, until an answer or a notice says so.
    pub(in crate::chat) fn asked(&self) -> Option<String> {
        self.lock().asked.as_ref().map(|asked| asked.by.clone())
    }

    /// Adds a notice, which is shown even if it cannot be written.
    pub(in crate::chat) async fn notice(
        &self,
        kind: ChatNoticeKind,
        cause: &str,
        next: &str,
        seq: Option<String>,
    ) -> Result<(), CommandError> {
        let asked = self.asked();
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
