//! JSON in canonical form: sorted members, no white space, one way to write each string and each number. Numbers are exact:
//! they are compared as decimal text, never as floats.

use crate::json::{self, Kind};

/// The deepest level whose members are sorted. Deeper values count as equal only if they are written alike.
const DEEPEST: usize = 64;

/// How a value is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Any JSON value.
    Data,
    /// A JSON Schema: `required`, `type` and `enum` are sets.
    Schema,
    /// An object whose values are schemas, by names that are not keywords.
    Schemas,
}

/// The canonical form of a value.
pub(super) fn canonical(raw: &str, reading: Reading) -> String {
    let mut out = String::with_capacity(raw.len());
    push(raw, reading, 0, &mut out);
    out
}

fn push(raw: &str, reading: Reading, depth: usize, out: &mut String) {
    if depth >= DEEPEST {
        json::compact(raw, out);
        return;
    }
    match json::kind(raw) {
        Kind::Object => object(raw, reading, depth, out),
        Kind::Array => {
            let elements = json::array(raw).unwrap_or_default();
            let elements = elements.into_iter().map(|element| below(element, reading, depth));
            push_all(elements.collect(), out);
        }
        Kind::String => out.push_str(&string(raw)),
        Kind::Number => out.push_str(&number(raw)),
        Kind::Bool | Kind::Null | Kind::Invalid => out.push_str(raw.trim()),
    }
}

fn object(raw: &str, reading: Reading, depth: usize, out: &mut String) {
    let Ok(object) = json::Object::parse(raw) else {
        out.push_str(raw.trim());
        return;
    };
    let mut members: Vec<_> = object.members().iter().collect();
    // Stable: of duplicates the last one counts, so their order matters.
    members.sort_by(|one, other| one.name.cmp(&other.name));
    let members = members.into_iter().map(|member| {
        let value = match reading {
            Reading::Schema if is_set(&member.name) && json::kind(member.value) == Kind::Array => {
                set(member.value, depth)
            }
            _ => below(member.value, inside(reading, &member.name), depth),
        };
        format!("{}:{value}", string(member.name_text))
    });
    out.push('{');
    out.push_str(&members.collect::<Vec<_>>().join(","));
    out.push('}');
}

/// How the value of a member is read.
pub(super) fn inside(reading: Reading, name: &str) -> Reading {
    match reading {
        Reading::Data => Reading::Data,
        Reading::Schemas => Reading::Schema,
        Reading::Schema => match name {
            "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
                Reading::Schemas
            }
            "items"
            | "prefixItems"
            | "additionalItems"
            | "additionalProperties"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "contains"
            | "propertyNames"
            | "not"
            | "if"
            | "then"
            | "else"
            | "allOf"
            | "anyOf"
            | "oneOf" => Reading::Schema,
            _ => Reading::Data,
        },
    }
}

fn is_set(keyword: &str) -> bool {
    matches!(keyword, "required" | "type" | "enum")
}

fn set(raw: &str, depth: usize) -> String {
    let elements = json::array(raw).unwrap_or_default();
    let elements = elements.into_iter();
    let mut elements: Vec<_> = elements
        .map(|element| below(element, Reading::Data, depth))
        .collect();
    elements.sort();
    elements.dedup();
    let mut out = String::new();
    push_all(elements, &mut out);
    out
}

fn below(raw: &str, reading: Reading, depth: usize) -> String {
    let mut out = String::with_capacity(raw.len());
    push(raw, reading, depth + 1, &mut out);
    out
}

fn push_all(elements: Vec<String>, out: &mut String) {
    out.push('[');
    out.push_str(&elements.join(","));
    out.push(']');
}

/// A string, with every character escaped in the same way. One with an unpaired surrogate, which has no decoded form, stays
/// as written.
fn string(quoted: &str) -> String {
    match json::string(quoted) {
        Some(text) if !text.contains('\u{fffd}') => json::quote(&text),
        _ => quoted.trim().to_owned(),
    }
}

/// A number as its digits without leading and trailing zeros, and its exponent: `1.50e2` becomes `15e1`.
fn number(text: &str) -> String {
    let text = text.trim();
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let Ok(exponent) = exponent.parse::<i64>() else {
        return text.to_owned();
    };
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return "0".to_owned();
    }
    let moved = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let exponent = exponent
        .checked_sub(moved(fraction.len()))
        .and_then(|exponent| exponent.checked_add(moved(digits.len() - kept.len())));
    match exponent {
        Some(0) => format!("{sign}{kept}"),
        Some(exponent) => format!("{sign}{kept}e{exponent}"),
        None => text.to_owned(),
    }
}
