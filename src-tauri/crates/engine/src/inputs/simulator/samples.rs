//! Values that match a schema of a form, and values that do not.

use std::cell::Cell;

use patchbay_protocol::json::{self, Kind, Object};

/// Longer texts are not invented.
const LONGEST: usize = 10_000;
/// More elements are not invented.
const MOST_ITEMS: usize = 100;
/// Values nested deeper are not invented: what nests schemas is a peer.
const DEEPEST: usize = 16;
/// The maximum size of the texts and the repeated elements that are invented for one schema, in bytes: nested lists multiply.
const MOST_BYTES: usize = 1 << 20;

/// How many bytes may still be invented.
struct Budget(Cell<usize>);

impl Budget {
    /// Whether this many bytes are left; they are used up then.
    fn take(&self, bytes: usize) -> bool {
        let left = self.0.get().checked_sub(bytes);
        left.inspect(|left| self.0.set(*left)).is_some()
    }
}

/// An object that matches the schema: defaults where there are some, and samples for required members without one.
pub(super) fn valid_content(schema: &str) -> String {
    valid_object(schema, 0, &Budget(Cell::new(MOST_BYTES)))
}

fn valid_object(schema: &str, depth: usize, budget: &Budget) -> String {
    let required = required(schema);
    members(schema, |name, property| {
        let default = property.get("default").map(str::to_owned);
        default.or_else(|| {
            required
                .iter()
                .any(|one| one == name)
                .then(|| valid(property, depth, budget))
        })
    })
}

/// An object whose every member has the wrong type, or is not among the choices.
pub(super) fn invalid_content(schema: &str) -> String {
    let content = members(schema, |_, property| Some(invalid(property).to_owned()));
    match content.as_str() {
        // There is nothing to get wrong but the object itself.
        "{}" => "\"not an object\"".to_owned(),
        _ => content,
    }
}

fn members(schema: &str, value: impl Fn(&str, &Object<'_>) -> Option<String>) -> String {
    let schema = Object::parse(schema).ok();
    let properties = schema
        .as_ref()
        .and_then(|schema| Object::parse(schema.get("properties")?).ok());
    let members: Vec<String> = properties
        .iter()
        .flat_map(Object::iter)
        .filter_map(|(name, property)| {
            let property = Object::parse(property).ok()?;
            Some(format!("{}:{}", json::quote(name), value(name, &property)?))
        })
        .collect();
    format!("{{{}}}", members.join(","))
}

fn required(schema: &str) -> Vec<String> {
    let schema = Object::parse(schema).ok();
    let names = schema
        .as_ref()
        .and_then(|schema| json::array(schema.get("required")?));
    let names = names.unwrap_or_default().into_iter();
    names
        .filter_map(|name| Some(json::string(name)?.into_owned()))
        .collect()
}

/// A value that matches the schema of a primitive, an enum or a list of choices.
fn valid(schema: &Object<'_>, depth: usize, budget: &Budget) -> String {
    if depth > DEEPEST {
        return "null".to_owned();
    }
    if let Some(value) = schema.get("default").or_else(|| schema.get("const")) {
        return value.to_owned();
    }
    if let Some(first) = choices(schema, depth + 1, budget).into_iter().next() {
        return first;
    }
    match type_of(schema) {
        "integer" | "number" => number(schema),
        "boolean" => "false".to_owned(),
        "array" => array(schema, depth + 1, budget),
        "object" => valid_object(schema.text(), depth + 1, budget),
        "null" => "null".to_owned(),
        _ => {
            let text = text(schema);
            match budget.take(text.len()) {
                true => json::quote(&text),
                false => "null".to_owned(),
            }
        }
    }
}

/// The values of `enum`, of titled choices, or of the first alternative.
fn choices(schema: &Object<'_>, depth: usize, budget: &Budget) -> Vec<String> {
    if let Some(values) = schema.get("enum").and_then(json::array) {
        return values.into_iter().map(str::to_owned).collect();
    }
    let alternatives = schema.get("oneOf").or_else(|| schema.get("anyOf"));
    let alternatives = alternatives.and_then(json::array).unwrap_or_default();
    alternatives
        .into_iter()
        .filter_map(|one| Some(valid(&Object::parse(one).ok()?, depth, budget)))
        .collect()
}

fn type_of<'a>(schema: &Object<'a>) -> &'a str {
    let name = schema.get("type").unwrap_or_default();
    // Of several types, the first one.
    let first = match json::kind(name) {
        Kind::Array => json::array(name).and_then(|names| names.first().copied()),
        _ => Some(name),
    };
    first.unwrap_or_default().trim_matches('"')
}

fn number(schema: &Object<'_>) -> String {
    let is_whole = type_of(schema) == "integer";
    let limit = |name: &str| {
        let number = schema.get(name).and_then(json::number);
        number.filter(|number| number.is_finite())
    };
    if let Some(minimum) = schema.get("minimum").filter(|_| limit("minimum").is_some()) {
        return minimum.to_owned();
    }
    if let Some(minimum) = limit("exclusiveMinimum") {
        let above = if is_whole {
            minimum.floor() + 1.0
        } else {
            minimum + 0.5
        };
        return format!("{above}");
    }
    match schema.get("maximum") {
        Some(maximum) if limit("maximum").is_some_and(|most| most < 0.0) => maximum.to_owned(),
        _ => match limit("exclusiveMaximum") {
            Some(most) if most <= 0.0 => format!("{}", most.ceil() - 1.0),
            _ => "0".to_owned(),
        },
    }
}

fn text(schema: &Object<'_>) -> String {
    let known = match schema.string("format").as_deref() {
        Some("email") => "someone@example.com",
        Some("uri") => "https://example.com/",
        Some("date") => "2026-07-28",
        Some("date-time") => "2026-07-28T12:00:00Z",
        _ => "simulated",
    };
    let length = |name: &str| {
        let number = schema.get(name).and_then(json::integer);
        number.and_then(|number| usize::try_from(number).ok())
    };
    let is_free = schema.get("format").is_none();
    let mut text: String = match length("maxLength").filter(|_| is_free) {
        Some(most) => known.chars().take(most).collect(),
        None => known.to_owned(),
    };
    let least = length("minLength").filter(|_| is_free).unwrap_or(0).min(LONGEST);
    let missing = least.saturating_sub(text.chars().count());
    text.extend(std::iter::repeat_n('x', missing));
    text
}

fn array(schema: &Object<'_>, depth: usize, budget: &Budget) -> String {
    let least = schema.get("minItems").and_then(json::integer).unwrap_or(0);
    let least = usize::try_from(least).unwrap_or(0).min(MOST_ITEMS);
    let items = schema.get("items").and_then(|items| Object::parse(items).ok());
    let values = items.map(|items| match choices(&items, depth, budget) {
        choices if choices.is_empty() => repeated(valid(&items, depth, budget), least, budget),
        choices => choices,
    });
    let values: Vec<String> = values.unwrap_or_default().into_iter().take(least).collect();
    format!("[{}]", values.join(","))
}

/// The value this many times; not at all if that is more than may be invented.
fn repeated(value: String, times: usize, budget: &Budget) -> Vec<String> {
    match budget.take(value.len().saturating_mul(times)) {
        true => vec![value; times],
        false => Vec::new(),
    }
}

/// A value that does not match the schema.
fn invalid(schema: &Object<'_>) -> &'static str {
    if schema.get("enum").is_some() || schema.get("oneOf").is_some() || schema.get("const").is_some() {
        return "\"not one of the choices\"";
    }
    match type_of(schema) {
        "integer" | "number" => "\"not a number\"",
        "boolean" => "\"not a boolean\"",
        "array" => "\"not a list\"",
        "object" => "\"not an object\"",
        "null" => "\"not null\"",
        _ => "7",
    }
}
