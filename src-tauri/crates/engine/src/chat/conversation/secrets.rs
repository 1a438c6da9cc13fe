//! Secrets in a conversation: items are kept and shown masked, and a model gets a secret only where the user says so. What they
//! were is in memory, for as long as Patchbay runs.

use std::collections::HashSet;

use patchbay_contract::{ChatMasked, CommandError, ErrorCode};

use super::{Conversation, Entry, State};
use crate::{
    chat::item::{Item, Masker, User},
    dispatch::error::fail,
};

/// Masks the secrets in an item and names them in it; whether there are any.
fn mask(masker: &Masker, item: &mut Item) -> bool {
    let mut names: Vec<String> = Vec::new();
    let mut has_secrets = false;
    each(masker, item, |original| {
        has_secrets = true;
        for name in masker.names(original) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    });
    if let Some(masked) = masked_mut(item) {
        // What was masked before stays masked.
        names.retain(|name| !masked.contains(name));
        masked.extend(names);
    }
    has_secrets
}

/// Masks each text of an item; `found` gets those that had secrets, as they were.
fn each(masker: &Masker, item: &mut Item, mut found: impl FnMut(&str)) {
    for text in texts(item) {
        if let Some(masked) = masker.masked(text) {
            found(text);
            *text = masked;
        }
    }
    // A thought with a secret could not be sent back as it was, and a changed one would be refused.
    if let Item::Answer(answer) = item
        && answer.blocks.iter().any(|block| masker.masked(block).is_some())
    {
        answer.blocks = Vec::new();
        answer.blocks_of = String::new();
    }
}

/// Whether two items say the same.
fn say_the_same(one: &Item, other: &Item) -> bool {
    let (mut one, mut other) = (one.clone(), other.clone());
    texts(&mut one) == texts(&mut other)
}

/// The names of the secrets that are masked in an item; none if it is a notice.
fn masked_mut(item: &mut Item) -> Option<&mut Vec<String>> {
    match item {
        Item::User(user) => Some(&mut user.masked),
        Item::Answer(answer) => Some(&mut answer.masked),
        Item::Call(call) => Some(&mut call.masked),
        Item::Notice(_) => None,
    }
}

/// The texts of an item that somebody wrote or a server sent.
fn texts(item: &mut Item) -> Vec<&mut String> {
    match item {
        Item::User(user) => [Some(&mut user.blocks), user.from.as_mut()]
            .into_iter()
            .flatten()
            .collect(),
        Item::Answer(answer) => {
            let texts = [
                Some(&mut answer.text),
                Some(&mut answer.thinking),
                answer.incomplete.as_mut(),
            ];
            texts.into_iter().flatten().collect()
        }
        Item::Call(call) => {
            let call = &mut **call;
            let texts = [
                Some(&mut call.arguments),
                call.edited.as_mut(),
                call.not_checked.as_mut(),
                call.asked_because.as_mut(),
                call.result.as_mut(),
                call.error.as_mut(),
            ];
            let carried = call.carried.iter_mut().map(|one| &mut one.excerpt);
            let texts = texts.into_iter().flatten().chain(&mut call.problems);
            texts.chain(carried).collect()
        }
        Item::Notice(notice) => vec![&mut notice.cause, &mut notice.next],
    }
}

/// An item with its secrets masked, and as it was if there are any.
pub(super) type Masked = (Item, Option<Item>);

impl Conversation {
    /// The items as they are kept.
    pub(super) fn masked(&self, items: Vec<Item>) -> Vec<Masked> {
        let Some(masker) = &self.masker else {
            return items.into_iter().map(|item| (item, None)).collect();
        };
        let masked = |mut item: Item| {
            let original = item.clone();
            let has_secrets = mask(masker, &mut item);
            (item, has_secrets.then_some(original))
        };
        items.into_iter().map(masked).collect()
    }

    /// A text with its secrets masked, and their names.
    pub(in crate::chat) fn masked_text(&self, text: String) -> (String, Vec<String>) {
        match &self.masker {
            Some(masker) => masker.text(text),
            None => (text, Vec::new()),
        }
    }

    /// An item as it was before its secrets were masked; none if it has none, or if Patchbay was restarted since.
    pub(in crate::chat) fn original(&self, id: &str) -> Option<Item> {
        self.lock().originals.get(id).cloned()
    }

    /// The items for a model, and the ids of those whose secrets it may have.
    pub(in crate::chat) fn for_model(&self) -> (Vec<Item>, HashSet<String>) {
        let mut items = self.items();
        let (mut as_is, mut outdated) = (HashSet::new(), Vec::new());
        for item in &mut items {
            let (original, agreed) = {
                let state = self.lock();
                (
                    state.originals.get(item.id()).cloned(),
                    state.as_is.get(item.id()).cloned(),
                )
            };
            let (Some(original), Some(agreed), Some(masker)) = (original, agreed, &self.masker) else {
                continue;
            };
            // A secret that was found or became known since was not agreed to.
            let mut now = original.clone();
            each(masker, &mut now, |_| {});
            match say_the_same(&now, &agreed) {
                true => {
                    as_is.insert(original.id().to_owned());
                    *item = original;
                }
                false => outdated.push(original.id().to_owned()),
            }
        }
        if !outdated.is_empty() {
            self.touch(|state, revision| {
                for id in &outdated {
                    state.as_is.remove(id);
                    if let Some(entry) = state.entry(id) {
                        entry.revision = revision;
                    }
                }
            });
        }
        (items, as_is)
    }

    /// Lets the model have the secrets in an item from its next request on, or not any more.
    ///
    /// # Errors
    /// There are none, or it is no longer known what they were.
    pub(in crate::chat) fn send_as_is(&self, id: &str, as_is: bool) -> Result<(), CommandError> {
        let mut is_known = false;
        self.touch(|state, revision| {
            is_known = state.originals.contains_key(id);
            let Some(entry) = state.entry(id) else { return };
            entry.revision = revision;
            let shown = entry.item.clone();
            match as_is && is_known {
                true => state.as_is.insert(id.to_owned(), shown),
                false => state.as_is.remove(id),
            };
        });
        match is_known || !as_is {
            true => Ok(()),
            false => {
                let why = "It is no longer known what was masked here: secrets are in no file, and Patchbay was restarted. Send the message again.";
                Err(fail(ErrorCode::InvalidParams, why))
            }
        }
    }
}

impl State {
    /// Puts items, and remembers what was masked in them.
    pub(super) fn put_all(&mut self, items: Vec<Masked>, revision: u64) {
        for (item, original) in items {
            if item.asked().is_some() {
                self.asked = None;
            }
            match original {
                Some(original) => self.originals.insert(item.id().to_owned(), original),
                None => self.originals.remove(item.id()),
            };
            let agreed = self.as_is.get(item.id());
            if agreed.is_some_and(|agreed| !say_the_same(&item, agreed)) {
                self.as_is.remove(item.id());
            }
            self.put(item, revision);
        }
    }

    /// A message as it was before its secrets were masked, as far as that is known.
    pub(in crate::chat) fn as_it_was<'a>(&'a self, user: &'a User) -> &'a User {
        match self.originals.get(&user.id) {
            Some(Item::User(original)) => original,
            _ => user,
        }
    }

    /// What is masked in an item, for the UI; none if nothing is.
    pub(in crate::chat) fn masked_in(&self, entry: &Entry) -> Option<ChatMasked> {
        let names: &[String] = match &entry.item {
            Item::User(user) => &user.masked,
            Item::Answer(answer) => &answer.masked,
            Item::Call(call) => &call.masked,
            Item::Notice(_) => &[],
        };
        let id = entry.item.id();
        (!names.is_empty()).then(|| ChatMasked {
            names: names.to_vec(),
            can_be_sent: self.originals.contains_key(id),
            is_sent: self.as_is.contains_key(id) && self.originals.contains_key(id),
        })
    }
}
