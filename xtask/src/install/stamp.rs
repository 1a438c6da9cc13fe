//! Stamps: a file with the hash of the inputs of an output, so that an unchanged output is not rebuilt.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::Outcome;

/// A hash over the names and contents of files; generated files in folders are left out.
pub(crate) fn hash(paths: &[PathBuf]) -> String {
    let mut files: Vec<PathBuf> = paths.iter().flat_map(|path| self::files(path)).collect();
    files.sort();
    let contents: Vec<Vec<u8>> = files
        .iter()
        .flat_map(|file| {
            [
                file.to_string_lossy().into_owned().into_bytes(),
                fs::read(file).unwrap_or_default(),
            ]
        })
        .collect();
    hash_bytes(&contents)
}

/// A hash over contents, in 16 hexadecimal digits. For freshness, not for security.
pub(crate) fn hash_bytes(contents: &[Vec<u8>]) -> String {
    let mut hasher = DefaultHasher::new();
    contents.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The files below a folder without the generated ones, or the file itself.
pub(crate) fn files(path: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(path, &mut files);
    files
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(path) else {
        files.push(path.to_path_buf());
        return;
    };
    for entry in entries.flatten() {
        if !matches!(
            entry.file_name().to_str(),
            Some("node_modules" | "dist" | "test-results")
        ) {
            collect(&entry.path(), files);
        }
    }
}

/// Fills a folder, unless an earlier run completed it: a file beside it with the extension `done` says so.
pub(crate) fn once(folder: &Path, fill: impl FnOnce(&Path) -> Outcome) -> Outcome {
    let done = folder.with_extension("done");
    if done.exists() && folder.exists() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    fill(folder)?;
    fs::write(&done, "").map_err(|error| format!("{} cannot be written: {error}", done.display()))
}

/// Runs `make` unless `stamp` already contains `hash`.
pub(crate) fn unless_fresh(stamp: &Path, hash: &str, made: &Path, make: impl FnOnce() -> Outcome) -> Outcome {
    if made.exists() && fs::read_to_string(stamp).is_ok_and(|old| old == hash) {
        return Ok(());
    }
    // Remove the stamp first: an interrupted run must not look fresh.
    let _ = fs::remove_file(stamp);
    make()?;
    fs::write(stamp, hash).map_err(|error| format!("{} cannot be written: {error}", stamp.display()))
}
