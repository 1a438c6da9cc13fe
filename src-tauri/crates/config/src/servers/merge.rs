//! Applies what was changed in a server's settings to the settings as they are now.

use std::collections::BTreeSet;

use patchbay_contract::ServerDraft;
use serde_json::{Map, Value};

/// The settings `now`, with what differs in `draft` from `base`, which it was made from. What was changed elsewhere meanwhile
/// stays, down to the members of objects; a list is one setting.
pub(super) fn merged(
    now: &ServerDraft,
    base: &ServerDraft,
    draft: &ServerDraft,
) -> serde_json::Result<ServerDraft> {
    let value = serde_json::to_value::<&ServerDraft>;
    serde_json::from_value(merged_value(value(now)?, value(base)?, value(draft)?))
}

fn merged_value(now: Value, base: Value, draft: Value) -> Value {
    match (now, base, draft) {
        (now, base, draft) if draft == base => now,
        (Value::Object(now), Value::Object(base), Value::Object(draft))
            if is_one_kind([&now, &base, &draft]) =>
        {
            Value::Object(merged_members(now, base, draft))
        }
        (_, _, draft) => draft,
    }
}

/// Whether they are one variant, or of a type without variants: members of different variants do not fit together.
fn is_one_kind(objects: [&Map<String, Value>; 3]) -> bool {
    let [now, base, draft] = objects.map(|object| object.get("type"));
    now == draft && base == draft
}

fn merged_members(
    mut now: Map<String, Value>,
    mut base: Map<String, Value>,
    mut draft: Map<String, Value>,
) -> Map<String, Value> {
    let names: BTreeSet<String> = [&now, &base, &draft]
        .into_iter()
        .flat_map(Map::keys)
        .cloned()
        .collect();
    let mut members = Map::new();
    for name in names {
        // A setting that is absent and one that is null are the same.
        let [now, base, draft] =
            [&mut now, &mut base, &mut draft].map(|object| object.remove(&name).unwrap_or_default());
        let value = merged_value(now, base, draft);
        if !value.is_null() {
            members.insert(name, value);
        }
    }
    members
}

#[cfg(test)]
mod tests;
