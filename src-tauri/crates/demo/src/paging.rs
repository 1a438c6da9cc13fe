//! Paged lists.

use patchbay_protocol::json::{self, Object};

use crate::answer::{Answer, Failure, array};

/// The number of items per page: small enough that the tools need several.
const PAGE: usize = 20;

/// The page of `items` that `params` requests, in the member `name`.
pub(crate) fn page(name: &'static str, items: &[String], params: Option<&str>) -> Result<Answer, Failure> {
    let cursor = params
        .and_then(|text| Object::parse(text).ok())
        .and_then(|params| params.get("cursor"));
    let start = match cursor {
        None => 0,
        Some(text) => json::string(text)
            .and_then(|cursor| cursor.strip_prefix("from-")?.parse::<usize>().ok())
            .filter(|start| *start < items.len())
            .ok_or_else(|| Failure::params(format!("Invalid cursor: {text}")))?,
    };
    let end = (start + PAGE).min(items.len());
    let answer = Answer::new()
        .with(name, array(items.get(start..end).unwrap_or_default()))
        .cacheable();
    Ok(if end < items.len() {
        answer.with("nextCursor", format!("\"from-{end}\""))
    } else {
        answer
    })
}
