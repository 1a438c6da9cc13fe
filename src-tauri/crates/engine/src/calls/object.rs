//! JSON objects that a user wrote, in the form they are sent.

use patchbay_contract::{CommandError, ErrorCode};
use patchbay_protocol::json;

use crate::dispatch::error::fail;

/// The JSON text of an object as it may appear in a frame: line breaks, which can only be between tokens, become spaces.
pub(crate) fn object(what: &str, text: &str) -> Result<String, CommandError> {
    json::well_formed(text).map_err(|error| {
        let (line, column, why) = (error.line, error.column, error.message);
        fail(
            ErrorCode::InvalidParams,
            format!("The {what} are not valid JSON: {why} at line {line}, column {column}."),
        )
    })?;
    match json::kind(text) {
        json::Kind::Object => Ok(text.trim().replace(['\n', '\r'], " ")),
        other => Err(fail(
            ErrorCode::InvalidParams,
            format!("The {what} must be a JSON object, not {}.", other.name()),
        )),
    }
}
