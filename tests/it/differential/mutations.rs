//! Mutations of a JSON value at one location: each member removed, each value replaced by one of another type, an unknown
//! member added to each object. Deterministic.

use serde_json::{Value, json};

/// A value mutated at one location.
pub(super) struct Mutation {
    /// The location, as a JSON pointer with `*` for array indices.
    pub(super) at: String,
    pub(super) what: String,
    pub(super) value: Value,
}

/// All mutations of a value.
pub(super) fn of(value: &Value) -> Vec<Mutation> {
    let mut places = Vec::new();
    collect(value, &mut Vec::new(), &mut places);
    let replacements = [
        json!(null),
        json!(true),
        json!(7),
        json!(-1.5),
        json!("text"),
        json!([]),
        json!({}),
    ];
    let mut all = Vec::new();
    for place in &places {
        for with in &replacements {
            let mut changed = value.clone();
            if let Some(there) = changed.pointer_mut(&pointer(place))
                && there != with
            {
                *there = with.clone();
                all.push(mutation(value, place, format!("{with} instead"), changed));
            }
        }
        all.extend(without(value, place));
        let mut changed = value.clone();
        if let Some(Value::Object(members)) = changed.pointer_mut(&pointer(place)) {
            members.insert("xUnknown".into(), json!(1));
            all.push(mutation(value, place, "a member nobody knows".into(), changed));
        }
    }
    all
}

/// The value without the member at this location.
fn without(value: &Value, place: &[String]) -> Option<Mutation> {
    let (last, parent) = place.split_last()?;
    let mut changed = value.clone();
    let Value::Object(members) = changed.pointer_mut(&pointer(parent))? else {
        return None;
    };
    members.remove(last)?;
    Some(mutation(value, place, "left out".into(), changed))
}

fn mutation(original: &Value, place: &[String], what: String, value: Value) -> Mutation {
    Mutation {
        at: pattern(original, place),
        what,
        value,
    }
}

fn collect(value: &Value, path: &mut Vec<String>, places: &mut Vec<Vec<String>>) {
    places.push(path.clone());
    let children: Vec<(String, &Value)> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, child)| (name.clone(), child))
            .collect(),
        Value::Array(elements) => elements
            .iter()
            .enumerate()
            .map(|(at, child)| (at.to_string(), child))
            .collect(),
        _ => Vec::new(),
    };
    for (name, child) in children {
        path.push(name);
        collect(child, path, places);
        path.pop();
    }
}

fn pointer(place: &[String]) -> String {
    place
        .iter()
        .map(|part| format!("/{}", part.replace('~', "~0").replace('/', "~1")))
        .collect()
}

/// The pointer, with `*` for the indices of arrays.
fn pattern(value: &Value, place: &[String]) -> String {
    let mut there = value;
    let mut out = String::new();
    for part in place {
        let next = match there {
            Value::Array(elements) => {
                out.push_str("/*");
                part.parse::<usize>().ok().and_then(|at| elements.get(at))
            }
            other => {
                out.push('/');
                out.push_str(part);
                other.get(part)
            }
        };
        there = next.unwrap_or(&Value::Null);
    }
    out
}

#[test]
fn a_value_is_mutated_everywhere() {
    let all = of(&json!({"a": [1]}));
    let found: Vec<_> = all
        .iter()
        .map(|one| (one.at.as_str(), one.value.to_string()))
        .collect();
    for expected in [
        ("", "null"),
        ("/a", "{}"),
        ("/a", r#"{"a":null}"#),
        ("/a/*", r#"{"a":[true]}"#),
        ("", r#"{"a":[1],"xUnknown":1}"#),
    ] {
        assert!(
            found.contains(&(expected.0, expected.1.to_owned())),
            "{expected:?} in {found:?}"
        );
    }
}
