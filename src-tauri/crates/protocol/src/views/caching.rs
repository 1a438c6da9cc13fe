//! How long a result may be cached, and by whom (2026-07-28, `server/utilities/caching`).

use super::reader::Reader;
use crate::json;
use crate::{Rule, Violation};

/// Who may cache a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CacheScope {
    /// Everybody.
    Public,
    /// Only the caller.
    Private,
}

/// How long a result may be cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheHint {
    /// In ms from its arrival; 0 is stale immediately. None if it is missing (which counts as 0).
    pub ttl_ms: Option<u64>,
    /// Who may cache it; none if it is missing.
    pub scope: Option<CacheScope>,
}

/// Reads the hint of a result, with its violations. Pointers are into the result.
#[must_use]
pub fn cache_hint(result: &str) -> (CacheHint, Vec<Violation>) {
    let mut reader = Reader::new(result);
    (read_cache_hint(&mut reader), reader.violations)
}

/// As [`cache_hint`], with the reader of the result, which gets the violations.
pub(super) fn read_cache_hint(reader: &mut Reader<'_>) -> CacheHint {
    let mut hint = CacheHint::default();
    for name in ["ttlMs", "cacheScope"] {
        if reader.is_object() && reader.raw(name).is_none() {
            let message = format!("the result has no `{name}`");
            reader.push(Rule::CacheHintMissing, name, message);
        }
    }
    if let Some(value) = reader.raw("ttlMs") {
        match json::integer(value).map(u64::try_from) {
            Some(Ok(ttl)) => hint.ttl_ms = Some(ttl),
            // Clients "SHOULD ignore it and treat it as 0".
            _ => {
                let message = format!("`ttlMs` is {value}, not a non-negative integer; it counts as 0");
                reader.push(Rule::CacheHintInvalid, "ttlMs", message);
                hint.ttl_ms = Some(0);
            }
        }
    }
    if let Some(value) = reader.raw("cacheScope") {
        hint.scope = match json::string(value).as_deref() {
            Some("public") => Some(CacheScope::Public),
            Some("private") => Some(CacheScope::Private),
            _ => {
                let message = format!("`cacheScope` is {value}, neither \"public\" nor \"private\"");
                reader.push(Rule::CacheHintInvalid, "cacheScope", message);
                None
            }
        };
    }
    hint
}

#[cfg(test)]
mod tests;
