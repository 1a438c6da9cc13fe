//! Folders that are roots: whether they exist, their URIs, and the repository around them.

use std::{
    io,
    path::{Path, PathBuf},
};

use patchbay_contract::{FolderCheckResponse, FolderState};

/// What a folder would be as a root. Reads the file system.
pub(crate) fn check(path: &Path) -> FolderCheckResponse {
    let state = state_of(path);
    FolderCheckResponse {
        state,
        uri: uri_of(path),
        repository: (state == FolderState::Ready)
            .then(|| repository_around(path))
            .flatten()
            .map(|folder| folder.to_string_lossy().into_owned()),
    }
}

/// Whether a folder exists and can be read.
pub(crate) fn state_of(path: &Path) -> FolderState {
    if !path.is_absolute() {
        return FolderState::NotAbsolute;
    }
    match std::fs::read_dir(path) {
        Ok(_) => FolderState::Ready,
        Err(error) => match error.kind() {
            io::ErrorKind::NotADirectory => FolderState::NotAFolder,
            io::ErrorKind::PermissionDenied => FolderState::Unreadable,
            _ => FolderState::Missing,
        },
    }
}

/// The `file:` URI of a folder, without a slash at its end (that of the file system's root is its path). None if the path is
/// not absolute.
pub(crate) fn uri_of(path: &Path) -> Option<String> {
    let uri = url::Url::from_directory_path(path).ok()?;
    let text = uri.as_str();
    let is_root = uri.path() == "/";
    Some(if is_root { text } else { text.trim_end_matches('/') }.to_owned())
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
mod tests {
    use std::path::Path;

    use patchbay_contract::FolderState;

    use super::{check, uri_of};

    #[test]
    fn a_folder_is_checked_and_its_repository_found() {
        let home = tempfile::tempdir().unwrap();
        let inner = home.path().join("src").join("with space");
        std::fs::create_dir_all(&inner).unwrap();
        assert_eq!(check(&inner).repository, None);
        std::fs::create_dir(home.path().join(".git")).unwrap();
        let found = check(&inner);
        assert_eq!(found.state, FolderState::Ready);
        assert!(
            found.uri.as_deref().unwrap().ends_with("/src/with%20space"),
            "{found:?}"
        );
        assert_eq!(found.repository.as_deref(), home.path().to_str());
        assert_eq!(check(home.path()).repository, None, "it is the repository");
        let file = home.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(check(&file).state, FolderState::NotAFolder);
        assert_eq!(check(&home.path().join("gone")).state, FolderState::Missing);
        let relative = check(Path::new("src"));
        assert_eq!((relative.state, relative.uri), (FolderState::NotAbsolute, None));
    }

    #[cfg(unix)]
    #[test]
    fn uris_are_encoded_and_have_no_slash_at_the_end() {
        assert_eq!(uri_of(Path::new("/")).as_deref(), Some("file:///"));
        assert_eq!(
            uri_of(Path::new("/a b/ü#?/")).as_deref(),
            Some("file:///a%20b/%C3%BC%23%3F")
        );
    }
}
