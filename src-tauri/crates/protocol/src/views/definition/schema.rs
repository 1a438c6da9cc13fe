//! The difference between two JSON Schemas, keyword by keyword, in words.

use std::collections::BTreeSet;

use crate::{
    json::{self, Kind, Object},
    views::reader::escape,
};

use super::{
    canonical::{Reading, canonical, inside},
    difference::{DefinitionChanges, by_name, change, same, short, verb},
};

/// The deepest level that is compared keyword by keyword.
const DEEPEST: usize = 48;

/// Compares the schemas of a part of a definition.
pub(super) fn compare(part: &str, old: &str, new: &str, found: &mut DefinitionChanges) {
    let place = Place {
        part,
        pointer: format!("/{part}"),
        name: String::new(),
        depth: 0,
    };
    schemas(&place, old, new, found);
}

/// Where a schema is.
struct Place<'a> {
    part: &'a str,
    pointer: String,
    /// The value that it describes, such as `filter.paths[]`; empty at the top.
    name: String,
    depth: usize,
}

impl Place<'_> {
    fn below(&self, keyword: &str, key: Option<&str>, name: String) -> Place<'_> {
        let key = key.map(|key| format!("/{}", escape(key))).unwrap_or_default();
        Place {
            part: self.part,
            pointer: format!("{}/{}{key}", self.pointer, escape(keyword)),
            name,
            depth: self.depth + 1,
        }
    }

    /// The subject of a sentence.
    fn subject(&self) -> String {
        match self.name.as_str() {
            "" => format!("`{}`", self.part),
            name => format!("`{}`", short(name)),
        }
    }

    fn property(&self, key: &str) -> String {
        match self.name.as_str() {
            "" => key.to_owned(),
            name => format!("{name}.{key}"),
        }
    }
}

fn schemas(place: &Place<'_>, old: &str, new: &str, found: &mut DefinitionChanges) {
    if canonical(old, Reading::Schema) == canonical(new, Reading::Schema) {
        return;
    }
    let both = (Object::parse(old), Object::parse(new));
    let (Ok(before), Ok(after)) = both else {
        let words = format!("The schema of {} changed", place.subject());
        found.push(change(place.part, &place.pointer, words, Some(old), Some(new)));
        return;
    };
    let mut keywords: Vec<&str> = after
        .iter()
        .chain(before.iter())
        .map(|(name, _)| &**name)
        .collect();
    let mut seen = BTreeSet::new();
    keywords.retain(|keyword| seen.insert(*keyword));
    let (before, after) = (by_name(&before), by_name(&after));
    let earlier = found.changes.len();
    for name in keywords {
        let values = (before.get(name).copied(), after.get(name).copied());
        keyword(place, name, values, found);
    }
    if found.changes.len() == earlier && !found.more {
        // Only duplicate members differ, which have no own place.
        let words = format!("The schema of {} changed", place.subject());
        found.push(change(place.part, &place.pointer, words, Some(old), Some(new)));
    }
}

fn keyword(
    place: &Place<'_>,
    name: &str,
    (old, new): (Option<&str>, Option<&str>),
    found: &mut DefinitionChanges,
) {
    let is = |kind: Kind| {
        let has = |raw: Option<&str>| raw.is_none_or(|raw| json::kind(raw) == kind);
        has(old) && has(new)
    };
    let both = old.zip(new);
    let deep = place.depth >= DEEPEST;
    match (inside(Reading::Schema, name), both) {
        (Reading::Schemas, _) if is(Kind::Object) && !deep => named(place, name, (old, new), found),
        (Reading::Schema, Some((old, new))) if is(Kind::Array) && !deep => {
            listed(place, name, (old, new), found);
        }
        (Reading::Schema, Some((old, new))) if !deep => {
            let label = match name {
                "items" | "contains" => format!("{}[]", place.name),
                "additionalProperties" => place.property("*"),
                _ => place.property(&format!("({name})")),
            };
            schemas(&place.below(name, None, label), old, new, found);
        }
        _ if matches!(name, "required" | "enum") && is(Kind::Array) => {
            elements(place, name, (old, new), found);
        }
        _ => plain(place, name, (old, new), found),
    }
}

/// Compares `properties` and other schemas with names.
fn named(
    place: &Place<'_>,
    keyword: &str,
    (old, new): (Option<&str>, Option<&str>),
    found: &mut DefinitionChanges,
) {
    let (old, new) = (old.unwrap_or("{}"), new.unwrap_or("{}"));
    let (Ok(before), Ok(after)) = (Object::parse(old), Object::parse(new)) else {
        return plain(place, keyword, (Some(old), Some(new)), found);
    };
    let mut names: Vec<&str> = after
        .iter()
        .chain(before.iter())
        .map(|(name, _)| &**name)
        .collect();
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    let (before, after) = (by_name(&before), by_name(&after));
    for name in names {
        let label = match keyword {
            "properties" => place.property(name),
            _ => place.property(&format!("{keyword}/{name}")),
        };
        let there = place.below(keyword, Some(name), label);
        match (before.get(name).copied(), after.get(name).copied()) {
            (Some(old), Some(new)) => schemas(&there, old, new, found),
            (old, new) => {
                let what = match keyword {
                    "properties" => "Property",
                    _ => "Schema",
                };
                let kind = new.or(old).and_then(type_of);
                let kind = kind.map(|kind| format!(" ({kind})")).unwrap_or_default();
                let words = format!("{what} {}{kind} {}", there.subject(), verb(old, new));
                found.push(change(there.part, &there.pointer, words, old, new));
            }
        }
    }
}

/// Compares `anyOf` and other lists of schemas, by position.
fn listed(place: &Place<'_>, keyword: &str, (old, new): (&str, &str), found: &mut DefinitionChanges) {
    let (before, after) = (
        json::array(old).unwrap_or_default(),
        json::array(new).unwrap_or_default(),
    );
    for at in 0..before.len().max(after.len()) {
        let label = place.property(&format!("({keyword} {})", at + 1));
        let there = place.below(keyword, Some(&at.to_string()), label);
        match (before.get(at).copied(), after.get(at).copied()) {
            (Some(old), Some(new)) => schemas(&there, old, new, found),
            (old, new) => {
                let words = format!("Alternative {} {}", there.subject(), verb(old, new));
                found.push(change(there.part, &there.pointer, words, old, new));
            }
        }
    }
}

/// Compares `required` and `enum`: the order of their elements has no meaning.
fn elements(
    place: &Place<'_>,
    keyword: &str,
    (old, new): (Option<&str>, Option<&str>),
    found: &mut DefinitionChanges,
) {
    let read = |raw: Option<&str>| -> BTreeSet<String> {
        let elements = raw.and_then(json::array).unwrap_or_default();
        elements
            .into_iter()
            .map(|element| canonical(element, Reading::Data))
            .collect()
    };
    let (before, after) = (read(old), read(new));
    // A missing `enum` allows every value, an empty one none.
    if keyword == "enum" && (old.is_none() || new.is_none()) {
        return plain(place, keyword, (old, new), found);
    }
    let pointer = format!("{}/{keyword}", place.pointer);
    let changed = before
        .difference(&after)
        .map(|element| (element, false))
        .chain(after.difference(&before).map(|element| (element, true)));
    for (element, is_new) in changed {
        let text = json::string(element).map_or_else(|| element.clone(), Into::into);
        let words = match (keyword, is_new) {
            ("required", true) => format!("`{}` is required now", short(&place.property(&text))),
            ("required", false) => format!("`{}` is no longer required", short(&place.property(&text))),
            (_, true) => format!("{} allows the value {} now", place.subject(), short(element)),
            (_, false) => format!(
                "{} no longer allows the value {}",
                place.subject(),
                short(element)
            ),
        };
        let value = Some(&**element);
        let (old, new) = if is_new { (None, value) } else { (value, None) };
        found.push(change(place.part, &pointer, words, old, new));
    }
}

/// Compares a keyword as a whole.
fn plain(
    place: &Place<'_>,
    keyword: &str,
    (old, new): (Option<&str>, Option<&str>),
    found: &mut DefinitionChanges,
) {
    let form = |raw: Option<&str>| raw.map(|raw| canonical(raw, inside(Reading::Schema, keyword)));
    let unchanged = match keyword {
        "type" => type_names(old) == type_names(new),
        _ => same(old, new) || form(old) == form(new),
    };
    if unchanged {
        return;
    }
    let subject = place.subject();
    let pointer = format!("{}/{}", place.pointer, escape(keyword));
    let words = match (keyword, old, new) {
        ("type", Some(old), Some(new)) => {
            let name = |raw: &str| short(&type_names(Some(raw)).join(" or "));
            format!(
                "The type of {subject} changed from {} to {}",
                name(old),
                name(new)
            )
        }
        ("description" | "title", ..) => format!("The {keyword} of {subject} {}", verb(old, new)),
        (_, Some(old), Some(new)) if scalar(old) && scalar(new) => {
            let keyword = short(keyword);
            format!(
                "`{keyword}` of {subject} changed from {} to {}",
                short(old),
                short(new)
            )
        }
        (_, None, Some(new)) if scalar(new) => {
            format!("`{}` of {subject} was added: {}", short(keyword), short(new))
        }
        _ => format!("`{}` of {subject} {}", short(keyword), verb(old, new)),
    };
    found.push(change(place.part, &pointer, words, old, new));
}

fn scalar(raw: &str) -> bool {
    !matches!(json::kind(raw), Kind::Object | Kind::Array)
}

fn type_of(schema: &str) -> Option<String> {
    let names = type_names(Object::parse(schema).ok()?.get("type"));
    (!names.is_empty()).then(|| short(&names.join(" or ")))
}

/// The value of `type` as a sorted list.
fn type_names(raw: Option<&str>) -> Vec<String> {
    let Some(raw) = raw else { return Vec::new() };
    let elements = json::array(raw).unwrap_or_else(|| vec![raw]);
    let mut names: Vec<String> = elements
        .into_iter()
        .map(|name| json::string(name).map_or_else(|| canonical(name, Reading::Data), Into::into))
        .collect();
    names.sort();
    names.dedup();
    names
}
