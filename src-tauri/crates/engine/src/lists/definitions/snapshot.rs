//! The definitions of one listing, by name.

use std::collections::{HashMap, HashSet};

use patchbay_protocol::views::canonical_definition;
use sha2::{Digest, Sha256};

/// The hash of a definition's canonical form. Equal hashes mean equal definitions, also against a server that looks for two
/// definitions with the same hash.
pub(super) type Form = [u8; 32];

/// What a server listed.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    /// Names this content: two listings with the same definitions in the same order have the same token.
    pub(super) token: String,
    /// Whether the list was read to its end. If not, a missing tool may still exist.
    pub(super) complete: bool,
    /// How often the list may have changed when it was fetched.
    pub(super) changes: u64,
    /// In the order of the list.
    pub(super) tools: Vec<NamedDefinitions>,
    index: HashMap<String, usize>,
}

/// The definitions with one name: more than one if the server lists the name several times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedDefinitions {
    pub(super) name: String,
    pub(super) definitions: Definitions,
}

/// Definitions with the same name, sorted by meaning, so that their order in the list does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Definitions {
    /// As received, with secrets masked.
    pub(super) texts: Vec<String>,
    forms: Vec<Form>,
}

impl Definitions {
    pub(super) fn new(texts: Vec<String>) -> Self {
        let mut all: Vec<(Form, String)> = texts.into_iter().map(|text| (form(&text), text)).collect();
        all.sort();
        let (forms, texts) = all.into_iter().unzip();
        Self { texts, forms }
    }

    /// Whether both mean the same.
    pub(super) fn same(&self, other: &Self) -> bool {
        self.forms == other.forms
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    pub(super) fn bytes(&self) -> usize {
        self.texts.iter().map(String::len).sum()
    }
}

impl Snapshot {
    /// `rows`: names and definitions in the order of the list. Rows without a name are left out: they cannot be called.
    pub(super) fn new(rows: Vec<(String, String)>, complete: bool, changes: u64) -> Self {
        let mut names = Vec::new();
        let mut texts: HashMap<String, Vec<String>> = HashMap::new();
        for (name, text) in rows.into_iter().filter(|(name, _)| !name.is_empty()) {
            let known = texts.entry(name.clone()).or_default();
            if known.is_empty() {
                names.push(name);
            }
            known.push(text);
        }
        let tools: Vec<NamedDefinitions> = names
            .into_iter()
            .map(|name| NamedDefinitions {
                definitions: Definitions::new(texts.remove(&name).unwrap_or_default()),
                name,
            })
            .collect();
        let mut hash = Sha256::new();
        for tool in &tools {
            hash.update(Sha256::digest(tool.name.as_bytes()));
            tool.definitions.forms.iter().for_each(|form| hash.update(form));
        }
        hash.update([u8::from(complete)]);
        let token = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let index = tools.iter().enumerate();
        let index = index.map(|(at, tool)| (tool.name.clone(), at)).collect();
        Self {
            token,
            complete,
            changes,
            tools,
            index,
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Definitions> {
        let at = *self.index.get(name)?;
        self.tools.get(at).map(|tool| &tool.definitions)
    }

    pub(super) fn names(&self) -> HashSet<&str> {
        self.index.keys().map(String::as_str).collect()
    }
}

fn form(text: &str) -> Form {
    Sha256::digest(canonical_definition(text).as_bytes()).into()
}
