//! Whether a value fits a JSON Schema: on a blocking thread, bounded in size and time, never from the network.
//!
//! A check cannot be interrupted: one that takes too long runs on, and its result is ignored. So there are only a few at a time, and while
//! all of them are stuck nothing more is checked.

use std::time::Duration;

use patchbay_contract::{SchemaCheck, SchemaProblem};
use tokio::sync::Semaphore;

/// Larger values are not checked.
const LARGEST_VALUE: usize = 16 * 1024 * 1024;
/// Larger schemas are not checked.
const LARGEST_SCHEMA: usize = 1024 * 1024;
/// How long a check may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// So many checks run at once, including those that timed out and still run.
static ROOM: Semaphore = Semaphore::const_new(4);
/// More problems than this are not listed.
const MOST_PROBLEMS: usize = 100;
/// Longer messages (they quote the value) are cut.
const LONGEST_MESSAGE: usize = 300;

/// Checks JSON text `value` against `schema`: the dialect by `$schema`, 2020-12 if it names none.
pub(crate) async fn check(schema: String, value: String) -> SchemaCheck {
    if schema.len() > LARGEST_SCHEMA {
        return not_checked("the schema is larger than 1 MiB");
    }
    if value.len() > LARGEST_VALUE {
        return not_checked("the value is larger than 16 MiB");
    }
    in_time(move || check_now(&schema, &value)).await
}

async fn in_time(check: impl FnOnce() -> SchemaCheck + Send + 'static) -> SchemaCheck {
    let checking = async {
        let room = ROOM.acquire().await.ok()?;
        let checked = tokio::task::spawn_blocking(move || {
            let check = check();
            drop(room);
            check
        });
        checked.await.ok()
    };
    match tokio::time::timeout(PATIENCE, checking).await {
        Ok(Some(check)) => check,
        Ok(None) => not_checked("the check itself failed"),
        Err(_) => not_checked("it took longer than 2 seconds"),
    }
}

fn not_checked(reason: impl Into<String>) -> SchemaCheck {
    SchemaCheck::NotChecked {
        reason: reason.into(),
    }
}

fn check_now(schema: &str, value: &str) -> SchemaCheck {
    let schema = match serde_json::from_str(schema) {
        Ok(schema) => schema,
        Err(error) => return not_checked(format!("the schema cannot be read: {error}")),
    };
    let value = match serde_json::from_str(value) {
        Ok(value) => value,
        Err(error) => return not_checked(format!("the value cannot be read: {error}")),
    };
    // Offline: a `$ref` into the network would let a server make us fetch addresses.
    let validator = match jsonschema::options().offline().build(&schema) {
        Ok(validator) => validator,
        Err(error) => return not_checked(format!("the schema cannot be used: {}", cut(error.to_string()))),
    };
    let problems: Vec<SchemaProblem> = validator
        .iter_errors(&value)
        .take(MOST_PROBLEMS)
        .map(|error| SchemaProblem {
            pointer: error.instance_path().as_str().to_owned(),
            message: cut(error.to_string()),
            schema_pointer: error.schema_path().as_str().to_owned(),
        })
        .collect();
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
