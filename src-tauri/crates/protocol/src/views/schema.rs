//! Detects common mistakes in the schemas of tools. This is not validation: only the keywords are checked.

use std::borrow::Cow;

use super::reader::escape;
use crate::json::{self, Kind, Object};
use crate::{Rule, Violation};

/// The maximum number of reported violations per schema.
const MOST_VIOLATIONS: usize = 50;
/// The maximum number of bytes read per schema. A level is read once for itself and once for each level above it, so a
/// hostile schema could cost the square of its size; ordinary ones stay far below.
const MOST_BYTES: usize = 8 << 20;

/// The number of properties at the top level of a schema.
pub(super) fn property_count(schema: &str) -> usize {
    json::member(schema, "properties")
        .and_then(|text| Object::parse(text).ok())
        .map_or(0, |object| object.len())
}

/// Checks a schema and reports at most [`MOST_VIOLATIONS`] violations.
pub(super) fn check(schema: &str, pointer: &str, violations: &mut Vec<Violation>) {
    let mut found = Vec::new();
    // An explicit stack, so that nesting is not limited by recursion.
    let mut rest = vec![(schema, pointer.to_owned())];
    let mut budget = MOST_BYTES;
    while let Some((text, pointer)) = rest.pop() {
        let Some(left) = budget.checked_sub(text.len()) else {
            break;
        };
        budget = left;
        if found.len() >= MOST_VIOLATIONS {
            break;
        }
        check_one(text, &pointer, &mut rest, &mut found);
    }
    found.sort_by(|one, other| one.pointer.cmp(&other.pointer));
    violations.append(&mut found);
}

fn check_one<'a>(
    text: &'a str,
    pointer: &str,
    rest: &mut Vec<(&'a str, String)>,
    violations: &mut Vec<Violation>,
) {
    let Ok(schema) = Object::parse(text) else {
        if json::boolean(text).is_none() {
            let message = format!(
                "a schema is {} instead of an object or a boolean",
                json::kind(text).name()
            );
            violations.push(Violation::at(Rule::SchemaKeywordType, pointer, message));
        }
        return;
    };
    for (name, value) in schema.iter() {
        let place = || format!("{pointer}/{}", escape(name));
        match &**name {
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
                let Ok(members) = Object::parse(value) else {
                    violations.push(wrong_kind(place(), name, value, "an object"));
                    continue;
                };
                for (property, subschema) in members.iter() {
                    let place = format!("{}/{}", place(), escape(property));
                    if name == "properties" && property == "required" && json::kind(subschema) == Kind::Array
                    {
                        let message = "`required` is inside `properties`, where it is the schema of a property; \
                                       it belongs beside it";
                        violations.push(Violation::at(Rule::SchemaRequiredMisplaced, place, message));
                    } else {
                        rest.push((subschema, place));
                    }
                }
            }
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => match json::array(value) {
                Some(schemas) => {
                    let schemas = schemas.into_iter().enumerate();
                    rest.extend(schemas.map(|(index, schema)| (schema, format!("{}/{index}", place()))));
                }
                None => violations.push(wrong_kind(place(), name, value, "an array")),
            },
            "not"
            | "if"
            | "then"
            | "else"
            | "additionalProperties"
            | "propertyNames"
            | "contains"
            | "unevaluatedItems"
            | "unevaluatedProperties" => rest.push((value, place())),
            // Before 2020-12 `items` could be an array.
            "items" if json::kind(value) != Kind::Array => rest.push((value, place())),
            "required" => violations.extend(check_required(value, place())),
            "type" => violations.extend(check_type(value, place())),
            "enum" if json::kind(value) != Kind::Array => {
                violations.push(wrong_kind(place(), name, value, "an array"))
            }
            "$schema" => violations.extend(check_dialect(value, place())),
            "$ref" | "$dynamicRef" => violations.extend(check_ref(value, place())),
            _ => {}
        }
    }
}

fn wrong_kind(pointer: String, name: &str, value: &str, wanted: &str) -> Violation {
    let message = format!("`{name}` is {} instead of {wanted}", json::kind(value).name());
    Violation::at(Rule::SchemaKeywordType, pointer, message)
}

fn check_required(value: &str, pointer: String) -> Option<Violation> {
    match json::array(value) {
        Some(names) if names.iter().all(|name| json::kind(name) == Kind::String) => None,
        Some(_) => Some(Violation::at(
            Rule::SchemaKeywordType,
            pointer,
            "`required` holds something that is not a string",
        )),
        // `required: true` on a property is the syntax of draft-03, and still a frequent mistake.
        None => Some(wrong_kind(pointer, "required", value, "an array of names")),
    }
}

fn check_type(value: &str, pointer: String) -> Option<Violation> {
    const KNOWN: [&str; 7] = [
        "object", "array", "string", "number", "integer", "boolean", "null",
    ];
    let known = |text: &str| json::string(text).is_some_and(|name| KNOWN.contains(&&*name));
    let fine = match json::array(value) {
        Some(types) => types.into_iter().all(known),
        None => known(value),
    };
    let message = || format!("`type` is {value}, which is not a type of JSON Schema");
    (!fine).then(|| Violation::at(Rule::SchemaKeywordType, pointer, message()))
}

fn check_dialect(value: &str, pointer: String) -> Option<Violation> {
    let dialect = json::string(value).unwrap_or(Cow::Borrowed(value));
    let current = dialect.contains("json-schema.org/draft/2020-12/");
    (!current).then(|| {
        let message = format!("the dialect is {dialect}; some hosts know only JSON Schema 2020-12");
        Violation::at(Rule::SchemaDialect, pointer, message)
    })
}

fn check_ref(value: &str, pointer: String) -> Option<Violation> {
    let Some(target) = json::string(value) else {
        return Some(wrong_kind(pointer, "$ref", value, "a string"));
    };
    let network = target.contains("://") && !target.starts_with("file:");
    // Every validator includes the dialects' own meta-schemas.
    (network && !target.contains("://json-schema.org/")).then(|| {
        let message = format!("it refers to {target}, which must not be fetched");
        Violation::at(Rule::SchemaNetworkRef, pointer, message)
    })
}

#[cfg(test)]
mod tests;
