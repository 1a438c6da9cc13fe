//! The files of the clone, as listed by git, for rules that read them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The clone.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// Every file that git tracks or would add, relative to the clone, with `/`.
pub(crate) fn files() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git is needed to list the tree");
    assert!(
        output.status.success(),
        "git ls-files: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let list = String::from_utf8(output.stdout).unwrap();
    let mut files: Vec<String> = list
        .split('\0')
        .filter(|file| !file.is_empty())
        .map(str::to_owned)
        .collect();
    files.sort();
    files.dedup();
    // A deleted file is listed until the deletion is committed.
    files.retain(|file| root().join(file).is_file());
    files
}

/// A file's text; none if it is not UTF-8.
pub(crate) fn text(file: &str) -> Option<String> {
    String::from_utf8(fs::read(root().join(file)).unwrap()).ok()
}

/// Fails with all complaints at once.
pub(crate) fn none(complaints: &[String]) {
    assert!(
        complaints.is_empty(),
        "{} to mend:\n  {}",
        complaints.len(),
        complaints.join("\n  ")
    );
}
