//! Secrets in JSON of which only the names are known.

use indexmap::IndexMap;
use serde_json::value::{RawValue, to_raw_value};

use super::names::{is_secret_name, placeholder};

/// How many levels are looked through. A member that has more is replaced from there on.
const DEEPEST: usize = 100;

/// The JSON of a member whose texts under names of secrets are `${NAME}`, at any depth; none if there are no such texts. What is not
/// replaced keeps its text.
pub(crate) fn masked_json(name: &str, json: &RawValue) -> Option<Box<RawValue>> {
    masked(name, is_secret_name(name), json, DEEPEST)
}

fn masked(name: &str, is_secret: bool, json: &RawValue, levels: usize) -> Option<Box<RawValue>> {
    if levels == 0 {
        return to_raw_value(&placeholder(name)).ok();
    }
    if let Ok(mut members) = serde_json::from_str::<IndexMap<String, Box<RawValue>>>(json.get()) {
        let mut is_any = false;
        for (name, inner) in &mut members {
            if let Some(masked) = masked(name, is_secret || is_secret_name(name), inner, levels - 1) {
                (*inner, is_any) = (masked, true);
            }
        }
        return is_any.then(|| to_raw_value(&members).ok()).flatten();
    }
    if let Ok(mut items) = serde_json::from_str::<Vec<Box<RawValue>>>(json.get()) {
        let mut is_any = false;
        for inner in &mut items {
            if let Some(masked) = masked(name, is_secret, inner, levels - 1) {
                (*inner, is_any) = (masked, true);
            }
        }
        return is_any.then(|| to_raw_value(&items).ok()).flatten();
    }
    let text = serde_json::from_str::<String>(json.get()).ok()?;
    match is_secret && !text.is_empty() {
        true => to_raw_value(&placeholder(name)).ok(),
        false => None,
    }
}
