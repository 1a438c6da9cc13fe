//! The folders that the settings of a server name, one by one: its own and those of its shared sets.

use std::{collections::BTreeSet, path::Path};

use patchbay_contract::{RootConsent, RootItem, RootSetId, RootsRule, ServerId};
use patchbay_protocol::json;

use super::{folders, store::RootStore};
use patchbay_contract::FolderState;

/// A folder that is configured as a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// As configured.
    pub(super) path: String,
    /// The one [spelling](folders::spelled) of its path.
    pub(super) folder: String,
    /// The name that the user gave it.
    name: Option<String>,
    is_own: bool,
    sets: Vec<RootSetId>,
    pub(super) consent: RootConsent,
}

impl Entry {
    /// Whether the server gets the folder in this state.
    pub(super) fn is_sent(&self, state: FolderState) -> bool {
        self.consent == RootConsent::Allowed && state == FolderState::Ready
    }

    /// The name that is sent.
    fn name(&self) -> Option<String> {
        self.name.clone().or_else(|| folders::name_of(self.path.as_ref()))
    }

    /// As a member of the result of `roots/list`.
    pub(super) fn root(&self) -> Option<String> {
        root(Path::new(&self.path), self.name.as_deref())
    }

    /// For the UI.
    pub(super) fn item(&self, state: FolderState) -> RootItem {
        RootItem {
            path: self.path.clone(),
            name: self.name(),
            uri: folders::uri_of(self.path.as_ref()),
            state,
            consent: self.consent,
            is_own: self.is_own,
            sets: self.sets.clone(),
        }
    }
}

/// A folder as a member of the result of `roots/list`; none if its path is not absolute.
pub(crate) fn root(folder: &Path, name: Option<&str>) -> Option<String> {
    let uri = folders::uri_of(folder)?;
    let name = name.map(str::to_owned).or_else(|| folders::name_of(folder));
    let name = name.map(|name| format!(",\"name\":{}", json::quote(&name)));
    Some(format!(
        "{{\"uri\":{}{}}}",
        json::quote(&uri),
        name.unwrap_or_default()
    ))
}

/// The folders of a rule, each once: the server's own first.
pub(super) fn entries(rule: Option<&RootsRule>, store: &RootStore, server: &ServerId) -> Vec<Entry> {
    let Some(RootsRule::Folders { paths, names, sets }) = rule else {
        return Vec::new();
    };
    let mut found = Found::default();
    for path in paths {
        found.add(path, names.get(path).cloned(), None);
    }
    for set in sets {
        for folder in store.set(set).map(|set| set.folders).unwrap_or_default() {
            found.add(&folder.path, folder.name, Some(set));
        }
    }
    let mut entries = found.entries;
    let consent = store.consent(server, entries.iter().map(|entry| &*entry.folder));
    for (entry, consent) in entries.iter_mut().zip(consent) {
        entry.consent = consent;
    }
    entries
}

/// The [spellings](folders::spelled) of all folders of a rule.
pub(super) fn folders_of(rule: Option<&RootsRule>, store: &RootStore, server: &ServerId) -> BTreeSet<String> {
    let entries = entries(rule, store, server);
    entries.into_iter().map(|entry| entry.folder).collect()
}

#[derive(Default)]
struct Found {
    entries: Vec<Entry>,
    places: std::collections::HashMap<String, usize>,
}

impl Found {
    fn add(&mut self, path: &str, name: Option<String>, set: Option<&RootSetId>) {
        let path = path.trim();
        if path.is_empty() {
            return;
        }
        let folder = folders::spelled(path);
        let place = *self.places.entry(folder.clone()).or_insert(self.entries.len());
        if place == self.entries.len() {
            self.entries.push(Entry {
                path: path.to_owned(),
                folder,
                name: None,
                is_own: false,
                sets: Vec::new(),
                consent: RootConsent::Open,
            });
        }
        let Some(entry) = self.entries.get_mut(place) else {
            return;
        };
        entry.is_own |= set.is_none();
        entry
            .sets
            .extend(set.filter(|set| !entry.sets.contains(set)).cloned());
        // The first name counts: that of the server before that of a set.
        entry.name = entry.name.take().or(name);
    }
}
