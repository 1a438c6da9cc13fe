//! Detects common mistakes in the schemas of tools. This is not validation: only the keywords are checked.

mod places;

use std::borrow::Cow;
use std::collections::HashSet;

use super::reader::below;
use crate::json::{self, Kind, Object};
use crate::{Rule, Violation};
pub(crate) use places::{Place, Places};

/// The maximum number of reported violations per schema.
const MOST_VIOLATIONS: usize = 50;
/// The maximum number of bytes read per schema. A level is read once for itself and once for each level above it, so a
/// hostile schema could cost the square of its size; ordinary ones stay far below.
const MOST_BYTES: usize = 8 << 20;

/// Checks a schema and reports at most [`MOST_VIOLATIONS`] violations.
pub(super) fn check(schema: &str, pointer: &str, violations: &mut Vec<Violation>) {
    let mut check = Check {
        places: Places::new(pointer),
        // An explicit stack, so that nesting is not limited by recursion.
        rest: vec![(schema, Places::ROOT)],
        ids: HashSet::new(),
        network: Vec::new(),
        found: Vec::new(),
    };
    let mut budget = MOST_BYTES;
    while let Some((text, place)) = check.rest.pop() {
        let Some(left) = budget.checked_sub(text.len()) else {
            // What was not read may have the schemas that are referred to.
            check.network.clear();
            break;
        };
        budget = left;
        if check.is_full() {
            break;
        }
        check.one(text, place);
    }
    check.unresolved();
    let mut found = check.found;
    found.sort_by(|one, other| one.pointer.cmp(&other.pointer));
    violations.append(&mut found);
}

/// A check of one schema.
struct Check<'a> {
    places: Places<'a>,
    /// The subschemas that were not read yet.
    rest: Vec<(&'a str, Place)>,
    /// The `$id`s of the subschemas, which can be referred to without the network.
    ids: HashSet<Cow<'a, str>>,
    /// The references to other addresses: where they are, the keyword, the target.
    network: Vec<(Place, Cow<'a, str>, Cow<'a, str>)>,
    found: Vec<Violation>,
}

impl<'a> Check<'a> {
    fn is_full(&self) -> bool {
        self.found.len() >= MOST_VIOLATIONS
    }

    /// Reports a problem of a member.
    fn wrong(&mut self, place: Place, name: &str, (rule, message): Problem) {
        if !self.is_full() {
            let pointer = below(&self.places.pointer(place), name);
            self.found.push(Violation::at(rule, pointer, message));
        }
    }

    /// Reports the references to addresses that no subschema has.
    fn unresolved(&mut self) {
        for (place, name, target) in std::mem::take(&mut self.network) {
            if !self.ids.contains(without_fragment(&target)) {
                let message = format!("it refers to {target}, which must not be fetched");
                self.wrong(place, &name, (Rule::SchemaNetworkRef, message));
            }
        }
    }

    fn one(&mut self, text: &'a str, place: Place) {
        let Ok(schema) = Object::parse(text) else {
            if json::boolean(text).is_none() {
                let message = format!(
                    "a schema is {} instead of an object or a boolean",
                    json::kind(text).name()
                );
                let pointer = self.places.pointer(place);
                self.found
                    .push(Violation::at(Rule::SchemaKeywordType, pointer, message));
            }
            return;
        };
        for (name, value) in schema.iter() {
            if self.is_full() {
                return;
            }
            if let Some(problem) = self.keyword(place, name.clone(), value) {
                self.wrong(place, name, problem);
            }
        }
    }

    /// Checks one keyword, and takes note of its subschemas.
    fn keyword(&mut self, place: Place, name: Cow<'a, str>, value: &'a str) -> Option<Problem> {
        match &*name {
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
                let Ok(members) = Object::parse(value) else {
                    return Some(wrong_kind(&name, value, "an object"));
                };
                let is_properties = name == "properties";
                let place = self.places.member(place, name);
                for (property, subschema) in members.iter() {
                    if is_properties && property == "required" && json::kind(subschema) == Kind::Array {
                        let message = "`required` is inside `properties`, where it is the schema of a property; \
                                       it belongs beside it";
                        self.wrong(
                            place,
                            property,
                            (Rule::SchemaRequiredMisplaced, message.to_owned()),
                        );
                    } else {
                        let place = self.places.member(place, property.clone());
                        self.rest.push((subschema, place));
                    }
                }
                None
            }
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
                let Some(schemas) = json::array(value) else {
                    return Some(wrong_kind(&name, value, "an array"));
                };
                let place = self.places.member(place, name);
                for (index, schema) in schemas.into_iter().enumerate() {
                    let place = self.places.element(place, index);
                    self.rest.push((schema, place));
                }
                None
            }
            "not"
            | "if"
            | "then"
            | "else"
            | "additionalProperties"
            | "propertyNames"
            | "contains"
            | "unevaluatedItems"
            | "unevaluatedProperties" => self.subschema(place, name, value),
            // Before 2020-12 `items` could be an array.
            "items" if json::kind(value) != Kind::Array => self.subschema(place, name, value),
            "required" => check_required(value),
            "type" => check_type(value),
            "enum" if json::kind(value) != Kind::Array => Some(wrong_kind(&name, value, "an array")),
            "$schema" => check_dialect(value),
            "$id" => self.address(value),
            "$ref" | "$dynamicRef" => self.reference(place, name, value),
            _ => None,
        }
    }

    /// Takes note of the address of a subschema.
    fn address(&mut self, value: &'a str) -> Option<Problem> {
        self.ids.extend(json::string(value).map(|id| match id {
            Cow::Borrowed(id) => Cow::Borrowed(without_fragment(id)),
            Cow::Owned(id) => Cow::Owned(without_fragment(&id).to_owned()),
        }));
        None
    }

    /// Takes note of a reference to another address.
    fn reference(&mut self, place: Place, name: Cow<'a, str>, value: &'a str) -> Option<Problem> {
        let Some(target) = json::string(value) else {
            return Some(wrong_kind("$ref", value, "a string"));
        };
        if is_network(&target) {
            self.network.push((place, name, target));
        }
        None
    }

    fn subschema(&mut self, place: Place, name: Cow<'a, str>, value: &'a str) -> Option<Problem> {
        let place = self.places.member(place, name);
        self.rest.push((value, place));
        None
    }
}

/// What is wrong with a keyword.
type Problem = (Rule, String);

fn wrong_kind(name: &str, value: &str, wanted: &str) -> Problem {
    let message = format!("`{name}` is {} instead of {wanted}", json::kind(value).name());
    (Rule::SchemaKeywordType, message)
}

fn check_required(value: &str) -> Option<Problem> {
    match json::array(value) {
        Some(names) if names.iter().all(|name| json::kind(name) == Kind::String) => None,
        Some(_) => {
            let message = "`required` holds something that is not a string";
            Some((Rule::SchemaKeywordType, message.to_owned()))
        }
        // `required: true` on a property is the syntax of draft-03, and still a frequent mistake.
        None => Some(wrong_kind("required", value, "an array of names")),
    }
}

fn check_type(value: &str) -> Option<Problem> {
    const KNOWN: [&str; 7] = [
        "object", "array", "string", "number", "integer", "boolean", "null",
    ];
    let known = |text: &str| json::string(text).is_some_and(|name| KNOWN.contains(&&*name));
    let fine = match json::array(value) {
        Some(types) => types.into_iter().all(known),
        None => known(value),
    };
    let message = || format!("`type` is {value}, which is not a type of JSON Schema");
    (!fine).then(|| (Rule::SchemaKeywordType, message()))
}

fn check_dialect(value: &str) -> Option<Problem> {
    let dialect = json::string(value).unwrap_or(Cow::Borrowed(value));
    let current = dialect.contains("json-schema.org/draft/2020-12/");
    let message = || format!("the dialect is {dialect}; some hosts know only JSON Schema 2020-12");
    (!current).then(|| (Rule::SchemaDialect, message()))
}

fn is_network(target: &str) -> bool {
    // Every validator includes the dialects' own meta-schemas.
    target.contains("://") && !target.starts_with("file:") && !target.contains("://json-schema.org/")
}

/// The address of a whole schema.
fn without_fragment(target: &str) -> &str {
    target.split_once('#').map_or(target, |(address, _)| address)
}

#[cfg(test)]
mod tests;
