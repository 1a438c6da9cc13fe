//! Validates a value against a JSON Schema: on a blocking thread, limited in size and time, without network access.
//!
//! A check cannot be interrupted, so what it would cost is counted before it runs ([`cost`]). As a last resort, one that
//! times out continues to run, its result is ignored, and the number of concurrent checks is limited.

mod cost;

use std::time::Duration;

use jsonschema::{PatternOptions, error::ValidationErrorKind};
use patchbay_contract::{SchemaCheck, SchemaProblem};
use patchbay_protocol::limits::Limits;
use tokio::sync::Semaphore;

/// The maximum size of a value, in bytes.
const LARGEST_VALUE: usize = 16 * 1024 * 1024;
/// The maximum size of a schema, in bytes.
const LARGEST_SCHEMA: usize = 1024 * 1024;
/// The maximum number of concurrent checks, including those that timed out and still run.
const AT_ONCE: usize = 4;
static ROOM: Semaphore = Semaphore::const_new(AT_ONCE);
/// The most ways in which a pattern is tried on one text.
const BACKTRACKS: usize = 10_000;
/// The maximum number of reported problems.
const MOST_PROBLEMS: usize = 100;
/// The maximum length of a message (it quotes the value).
const LONGEST_MESSAGE: usize = 300;

/// Validates the JSON text `value` against `schema`. The dialect is that of `$schema`, or 2020-12.
pub(crate) async fn check(schema: String, value: String, limits: &Limits) -> SchemaCheck {
    if schema.len() > LARGEST_SCHEMA {
        return not_checked("the schema is larger than 1 MiB");
    }
    if value.len() > LARGEST_VALUE {
        return not_checked("the value is larger than 16 MiB");
    }
    let most = limits.schema_evaluations as u64;
    in_time(&ROOM, limits, move || check_now(&schema, &value, most)).await
}

async fn in_time(
    room: &'static Semaphore,
    limits: &Limits,
    check: impl FnOnce() -> SchemaCheck + Send + 'static,
) -> SchemaCheck {
    let checking = async {
        let room = room.acquire().await.ok()?;
        let checked = tokio::task::spawn_blocking(move || {
            let check = check();
            drop(room);
            check
        });
        checked.await.ok()
    };
    let patience = Duration::from_millis(limits.schema_check_ms as u64);
    match tokio::time::timeout(patience, checking).await {
        Ok(Some(check)) => check,
        Ok(None) => not_checked("the check itself failed"),
        Err(_) => not_checked(format!("it took longer than {} seconds", patience.as_secs_f64())),
    }
}

fn not_checked(reason: impl Into<String>) -> SchemaCheck {
    SchemaCheck::NotChecked {
        reason: reason.into(),
    }
}

fn check_now(schema: &str, value: &str, most: u64) -> SchemaCheck {
    let schema = match serde_json::from_str(schema) {
        Ok(schema) => schema,
        Err(error) => return not_checked(format!("the schema cannot be read: {error}")),
    };
    let value = match serde_json::from_str(value) {
        Ok(value) => value,
        Err(error) => return not_checked(format!("the value cannot be read: {error}")),
    };
    if let Err(reason) = cost::affordable(&schema, &value, most) {
        return not_checked(format!("too expensive: {reason}"));
    }
    // Offline: resolving a `$ref` over the network would let a server make us fetch addresses.
    let patterns = PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS);
    let options = jsonschema::options().offline().with_pattern_options(patterns);
    let validator = match options.build(&schema) {
        Ok(validator) => validator,
        Err(error) => return not_checked(format!("the schema cannot be used: {}", cut(error.to_string()))),
    };
    let mut problems = Vec::new();
    for error in validator.iter_errors(&value).take(MOST_PROBLEMS) {
        if let ValidationErrorKind::BacktrackLimitExceeded { .. } = error.kind() {
            return not_checked("too expensive: one of its patterns can be tried in too many ways");
        }
        problems.push(SchemaProblem {
            pointer: error.instance_path().as_str().to_owned(),
            message: cut(error.to_string()),
            schema_pointer: error.schema_path().as_str().to_owned(),
        });
    }
    match problems.is_empty() {
        true => SchemaCheck::Valid {},
        false => SchemaCheck::Invalid { problems },
    }
}

fn cut(message: String) -> String {
    match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((at, _)) => format!("{}…", &message[..at]),
        None => message,
    }
}

#[cfg(test)]
mod tests;
