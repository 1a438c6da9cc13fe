//! The comparison itself, without files.

use std::collections::{HashMap, HashSet};

use patchbay_contract::{ChangedItem, FactChangeItem, ItemChange, ListKind, ServerFact};
use patchbay_protocol::{json, views::canonical_definition};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The longest text of a fact, in characters.
const LONGEST: usize = 64 * 1024;

/// What a server says about itself. Texts have secrets masked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Facts {
    pub(super) name: Option<String>,
    pub(super) title: Option<String>,
    pub(super) version: Option<String>,
    pub(super) revision: Option<String>,
    pub(super) capabilities: Option<String>,
    pub(super) instructions: Option<String>,
}

impl Facts {
    /// Every text through `change`, and cut.
    pub(super) fn map(self, change: impl Fn(String) -> String) -> Self {
        let each = |text: Option<String>| text.map(|text| change(text).chars().take(LONGEST).collect());
        Self {
            name: each(self.name),
            title: each(self.title),
            version: each(self.version),
            revision: each(self.revision),
            capabilities: each(self.capabilities),
            instructions: each(self.instructions),
        }
    }

    /// What differs in `now`.
    pub(super) fn changes(&self, now: &Self) -> Vec<FactChangeItem> {
        let all = [
            (ServerFact::Name, &self.name, &now.name),
            (ServerFact::Title, &self.title, &now.title),
            (ServerFact::Version, &self.version, &now.version),
            (ServerFact::Revision, &self.revision, &now.revision),
            (ServerFact::Capabilities, &self.capabilities, &now.capabilities),
            (ServerFact::Instructions, &self.instructions, &now.instructions),
        ];
        let differs = |fact, before: &Option<String>, after: &Option<String>| match fact {
            ServerFact::Capabilities => meaning(before) != meaning(after),
            _ => before != after,
        };
        all.into_iter()
            .filter(|(fact, before, after)| differs(*fact, before, after))
            .map(|(fact, before, after)| FactChangeItem {
                fact,
                before: before.clone(),
                after: after.clone(),
            })
            .collect()
    }
}

fn meaning(json: &Option<String>) -> String {
    canonical_definition(json.as_deref().unwrap_or("{}"))
}

/// An item as it is kept: the definitions with this identity, more than one if the server lists it several times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Item {
    pub(super) id: String,
    /// Hashes of their meaning, sorted.
    pub(super) forms: Vec<String>,
    /// The definitions, in the order of `forms`; none if the list is too large to be kept whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) texts: Vec<String>,
}

/// The items of a list, in its order. Rows without an identity are left out: they cannot be found again.
pub(super) fn items(list: ListKind, identity: &str, rows: Vec<String>) -> Vec<Item> {
    let mut at: HashMap<String, usize> = HashMap::with_capacity(rows.len());
    let mut found: Vec<(String, Vec<(String, String)>)> = Vec::with_capacity(rows.len());
    for text in rows {
        let object = json::Object::parse(&text).ok();
        let id = object.and_then(|object| Some(object.string(identity)?.into_owned()));
        let Some(id) = id.filter(|id| !id.is_empty()) else {
            continue;
        };
        let index = *at.entry(id.clone()).or_insert_with(|| {
            found.push((id, Vec::with_capacity(1)));
            found.len() - 1
        });
        if let Some((_, definitions)) = found.get_mut(index) {
            definitions.push((form(list, &text), text));
        }
    }
    let item = |(id, mut definitions): (String, Vec<(String, String)>)| {
        definitions.sort();
        let (forms, texts) = definitions.into_iter().unzip();
        Item { id, forms, texts }
    };
    found.into_iter().map(item).collect()
}

/// What differs: new and changed items in the order of the list, then removed ones in their old order.
pub(super) fn differences(list: ListKind, before: &[Item], now: &[Item], complete: bool) -> Vec<ChangedItem> {
    let known: HashMap<&str, &Item> = before.iter().map(|item| (item.id.as_str(), item)).collect();
    let item = |id: &str, change| ChangedItem {
        list,
        id: id.to_owned(),
        change,
    };
    let mut found: Vec<ChangedItem> = now
        .iter()
        .filter_map(|new| match known.get(new.id.as_str()) {
            None => Some(item(&new.id, ItemChange::Added)),
            Some(old) if old.forms != new.forms => Some(item(&new.id, ItemChange::Changed)),
            Some(_) => None,
        })
        .collect();
    if complete {
        let listed: HashSet<&str> = now.iter().map(|item| item.id.as_str()).collect();
        let gone = before.iter().filter(|old| !listed.contains(old.id.as_str()));
        found.extend(gone.map(|old| item(&old.id, ItemChange::Removed)));
    }
    found
}

/// The hash of a definition's meaning.
fn form(list: ListKind, text: &str) -> String {
    let lasting = match list {
        ListKind::Resources => lasting(text),
        _ => None,
    };
    let canonical = canonical_definition(lasting.as_deref().unwrap_or(text));
    // Half of SHA-256: enough to tell definitions apart, in files of thousands of them.
    let hash = Sha256::digest(canonical.as_bytes());
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// A resource without what changes with its content: its size, and when it was last changed.
fn lasting(text: &str) -> Option<String> {
    let object = json::Object::parse(text).ok()?;
    let without = |object: &json::Object<'_>, left_out: &str, change: &dyn Fn(&str, &str) -> String| {
        let kept = object.members().iter().filter(|member| member.name != left_out);
        let members: Vec<String> = kept
            .map(|member| format!("{}:{}", member.name_text, change(&member.name, member.value)))
            .collect();
        format!("{{{}}}", members.join(","))
    };
    let as_it_is = |_: &str, value: &str| value.to_owned();
    Some(without(
        &object,
        "size",
        &|name, value| match (name, json::Object::parse(value)) {
            ("annotations", Ok(annotations)) => without(&annotations, "lastModified", &as_it_is),
            _ => value.to_owned(),
        },
    ))
}
