//! Folders that are roots: whether they can be read, their URIs, and the repository around them. Reads the file system.

use std::{
    io,
    path::{Component, Path, PathBuf},
};

use patchbay_contract::{FolderFacts, FolderState};

/// What a folder would be as a root.
pub(crate) fn facts(path: &Path) -> FolderFacts {
    let state = state_of(path);
    let is_ready = state == FolderState::Ready;
    let shown = |folder: PathBuf| folder.to_string_lossy().into_owned();
    FolderFacts {
        state,
        uri: uri_of(path),
        repository: is_ready.then(|| repository_around(path)).flatten().map(shown),
        target: is_ready.then(|| target_of(path)).flatten().map(shown),
    }
}

/// What is known of a folder whose file system does not answer. Reads nothing.
pub(crate) fn unknown(path: &Path) -> FolderFacts {
    FolderFacts {
        state: FolderState::NotAnswering,
        uri: uri_of(path),
        repository: None,
        target: None,
    }
}

/// Whether a folder exists and can be read.
pub(crate) fn state_of(path: &Path) -> FolderState {
    if !is_whole(path) {
        return FolderState::NotAbsolute;
    }
    match std::fs::read_dir(path) {
        Ok(_) => FolderState::Ready,
        Err(error) => state_of_error(error.kind()),
    }
}

/// What the error of opening a folder says about it.
fn state_of_error(error: io::ErrorKind) -> FolderState {
    match error {
        io::ErrorKind::NotADirectory => FolderState::NotAFolder,
        io::ErrorKind::PermissionDenied => FolderState::Unreadable,
        _ => FolderState::Missing,
    }
}

/// Whether a path says by itself which folder it means: it is absolute and has no `..`, which means another folder if there
/// is a link before it.
pub(crate) fn is_whole(path: &Path) -> bool {
    path.is_absolute() && !path.components().any(|part| part == Component::ParentDir)
}

/// The same text for all spellings of a path: without a slash at its end, doubled slashes and `.`. Links are not followed.
pub(crate) fn spelled(path: &str) -> String {
    let path: PathBuf = Path::new(path.trim()).components().collect();
    path.to_string_lossy().into_owned()
}

/// The `file:` URI of a folder, without a slash at its end (that of a file system's root is its path). None if the path does
/// not say which folder it means.
pub(crate) fn uri_of(path: &Path) -> Option<String> {
    let uri = is_whole(path)
        .then(|| url::Url::from_directory_path(path).ok())
        .flatten()?;
    let text = uri.as_str();
    // `/`, and `/C:/` on Windows.
    let is_root = path.parent().is_none();
    Some(if is_root { text } else { text.trim_end_matches('/') }.to_owned())
}

/// The name of a root that the user did not name.
pub(crate) fn name_of(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_string_lossy().into_owned())
}

/// Where a path leads if there is a link in it.
fn target_of(path: &Path) -> Option<PathBuf> {
    let target = path.canonicalize().ok()?;
    let plain: PathBuf = path.components().collect();
    // On Windows a canonical path is spelled in another way, also without a link.
    (cfg!(unix) && target != plain).then_some(target)
}

/// The nearest folder above `path` that holds a repository; none if `path` is one itself.
fn repository_around(path: &Path) -> Option<PathBuf> {
    let holds = |folder: &&Path| {
        [".git", ".hg", ".jj"]
            .iter()
            .any(|name| folder.join(name).exists())
    };
    let found = path.ancestors().find(holds)?;
    (found != path).then(|| found.to_owned())
}

#[cfg(test)]
mod tests;
