//! Reads the configuration of a host: a file that somebody else wrote.

use std::path::Path;

use crate::files::{TextError, read_text};

/// The largest file that is read, in bytes. Claude Code keeps its history in the same file as its servers.
pub(super) const LARGEST: u64 = 16 * 1024 * 1024;

/// Why a larger one is not.
pub(super) const TOO_LARGE: &str =
    "It is larger than 16 MiB and was not read. Paste the servers from it instead.";

/// The text of a file; none if there is no such file. The error is a sentence.
pub(super) fn read(path: &Path) -> Result<Option<String>, String> {
    let reason = match read_text(path, LARGEST) {
        Ok(text) => return Ok(Some(text)),
        Err(TextError::Absent) => return Ok(None),
        Err(TextError::TooLarge(_)) => TOO_LARGE.to_owned(),
        Err(error) => format!("It cannot be read: {error}."),
    };
    Err(reason)
}
