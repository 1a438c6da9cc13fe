//! Copying and writing files, with errors that name them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;

/// Runs a command to its end; the step of a test writes its output to a log.
pub(super) type Run<'a> = &'a mut dyn FnMut(&mut Command) -> Outcome;

/// Copies a file, and makes the folder it goes to.
pub(super) fn copy(from: &Path, to: &Path) -> Outcome {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    match fs::copy(from, to) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{} → {}: {error}", from.display(), to.display())),
    }
}

/// Writes a file, and makes its folder.
pub(super) fn write(file: &Path, text: impl AsRef<[u8]>) -> Outcome {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// The files of a folder, sorted; none if it is missing.
pub(super) fn files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(Vec::new());
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    Ok(files)
}
