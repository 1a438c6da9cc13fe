//! Reads a file that somebody else wrote: within a bound, and only if it is a file.

use std::{
    fs::File,
    io::{ErrorKind, Read as _},
    path::Path,
};

/// The largest file that is read. Claude Code keeps its history in the same file as its servers.
pub(super) const LARGEST: u64 = 16 * 1024 * 1024;

/// Why a larger one is not.
pub(super) const TOO_LARGE: &str =
    "It is larger than 16 MiB and was not read. Paste the servers from it instead.";

/// The text of a file; none if there is no such file. The error is a sentence.
pub(super) fn read(path: &Path) -> Result<Option<String>, String> {
    // Before it is opened: opening a pipe would wait for a writer.
    match std::fs::metadata(path) {
        Ok(about) if about.is_file() => {}
        Ok(_) => return Err("It is not a file.".to_owned()),
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(unreadable(&error)),
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    // The size is not trusted: the host may be writing.
    file.take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(TOO_LARGE.to_owned());
    }
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| "It is not UTF-8 text.".to_owned())
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn unreadable(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => "You have no permission to read it.".to_owned(),
        _ => format!("It cannot be read: {error}."),
    }
}
