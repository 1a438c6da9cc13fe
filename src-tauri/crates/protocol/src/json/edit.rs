//! Edits a JSON text without rewriting the rest.

use super::{Kind, Object, kind, push_quoted, span_of, trim};

/// `params` with members added to, or replaced in, its `_meta`. Everything else is unchanged.
///
/// `members` are names and JSON texts. Without `params`, the result is an object with `_meta` only. If `params` is not an
/// object, it is returned unchanged, because the user wants to send exactly that.
#[must_use]
pub fn with_meta(params: Option<&str>, members: &[(&str, &str)]) -> String {
    let Some(params) = params else {
        return format!("{{\"_meta\":{}}}", object_of(members));
    };
    if members.is_empty() {
        return params.to_owned();
    }
    let Ok(object) = Object::parse(params) else {
        return params.to_owned();
    };
    match object.get("_meta") {
        None => insert(params, &format!("\"_meta\":{}", object_of(members))),
        Some(meta) => {
            let changed = if kind(meta) == Kind::Object {
                with_members(meta, members)
            } else {
                object_of(members)
            };
            let span = span_of(params, meta);
            let mut out = String::with_capacity(params.len() + changed.len());
            out.push_str(params.get(..span.start).unwrap_or_default());
            out.push_str(&changed);
            out.push_str(params.get(span.end..).unwrap_or_default());
            out
        }
    }
}

/// An object of these members.
fn object_of(members: &[(&str, &str)]) -> String {
    format!("{{{}}}", list_of(members))
}

fn list_of(members: &[(&str, &str)]) -> String {
    let mut out = String::new();
    for (index, (name, value)) in members.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        push_quoted(name, &mut out);
        out.push(':');
        out.push_str(value);
    }
    out
}

/// Replaces the values of existing members and inserts the others at the front.
fn with_members(object: &str, members: &[(&str, &str)]) -> String {
    let Ok(parsed) = Object::parse(object) else {
        return object_of(members);
    };
    let mut out = String::with_capacity(object.len() + 64);
    let mut done = 0;
    for member in parsed.members() {
        if let Some((_, value)) = members.iter().find(|(name, _)| *name == member.name) {
            let span = span_of(object, member.value);
            out.push_str(object.get(done..span.start).unwrap_or_default());
            out.push_str(value);
            done = span.end;
        }
    }
    out.push_str(object.get(done..).unwrap_or_default());
    let new: Vec<(&str, &str)> = members
        .iter()
        .filter(|(name, _)| parsed.get(name).is_none())
        .copied()
        .collect();
    if new.is_empty() {
        out
    } else {
        insert(&out, &list_of(&new))
    }
}

/// Inserts members at the front of an object.
fn insert(object: &str, members: &str) -> String {
    let Some(open) = object.find('{') else {
        return object.to_owned();
    };
    let (head, rest) = object.split_at(open + 1);
    let comma = if trim(rest).starts_with('}') { "" } else { "," };
    format!("{head}{members}{comma}{rest}")
}
