use std::{io::ErrorKind, path::Path};

use patchbay_contract::FolderState;

use super::{facts, spelled, state_of, state_of_error, uri_of};

#[test]
fn a_folder_is_checked_and_its_repository_found() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().canonicalize().unwrap();
    let inner = home.join("src").join("with space");
    std::fs::create_dir_all(&inner).unwrap();
    assert_eq!(facts(&inner).repository, None);
    std::fs::create_dir(home.join(".git")).unwrap();
    let found = facts(&inner);
    assert_eq!(found.state, FolderState::Ready);
    assert!(
        found.uri.as_deref().unwrap().ends_with("/src/with%20space"),
        "{found:?}"
    );
    assert_eq!(found.repository.as_deref(), home.to_str());
    assert_eq!(found.target, None);
    assert_eq!(facts(&home).repository, None, "it is the repository");
    let file = home.join("file");
    std::fs::write(&file, "").unwrap();
    assert_eq!(state_of(&file), FolderState::NotAFolder);
    assert_eq!(state_of(&home.join("gone")), FolderState::Missing);
    for relative in ["src", "../src", "", "~/src"] {
        let relative = facts(Path::new(relative));
        assert_eq!((relative.state, relative.uri), (FolderState::NotAbsolute, None));
    }
    let around = facts(&inner.join("..").join("with space"));
    assert_eq!((around.state, around.uri), (FolderState::NotAbsolute, None));
}

/// A test that runs as root may read everything, so the error of the system is translated here, and the state itself is asked
/// of the system only where it refuses.
#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_read_is_not_missing() {
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(
        state_of_error(ErrorKind::PermissionDenied),
        FolderState::Unreadable
    );
    assert_eq!(state_of_error(ErrorKind::NotADirectory), FolderState::NotAFolder);
    assert_eq!(state_of_error(ErrorKind::NotFound), FolderState::Missing);
    let home = tempfile::tempdir().unwrap();
    let closed = home.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
    let expected = match std::fs::read_dir(&closed) {
        Ok(_) => FolderState::Ready,
        Err(_) => FolderState::Unreadable,
    };
    assert_eq!(state_of(&closed), expected);
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_link_is_a_folder_of_its_own_that_says_where_it_leads() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().canonicalize().unwrap();
    let real = home.join("real");
    std::fs::create_dir(&real).unwrap();
    let link = home.join("link");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let found = facts(&link);
    assert_eq!(found.state, FolderState::Ready);
    assert!(found.uri.unwrap().ends_with("/link"));
    assert_eq!(found.target.as_deref(), real.to_str());
    std::fs::remove_dir(&real).unwrap();
    assert_eq!(facts(&link).state, FolderState::Missing, "it leads nowhere");
}

#[cfg(unix)]
#[test]
fn uris_are_encoded_and_have_no_slash_at_the_end() {
    for (path, uri) in [
        ("/", "file:///"),
        ("/a b/ü#?/", "file:///a%20b/%C3%BC%23%3F"),
        ("/100%/50%25", "file:///100%25/50%2525"),
        ("/C:\\x", "file:///C:%5Cx"),
        ("/日本/e\u{301}", "file:///%E6%97%A5%E6%9C%AC/e%CC%81"),
        ("/a//b/./c/", "file:///a/b/c"),
    ] {
        let found = uri_of(Path::new(path));
        assert_eq!(found.as_deref(), Some(uri), "{path}");
        let back = url::Url::parse(uri).unwrap().to_file_path().unwrap();
        assert_eq!(back, Path::new(path), "{uri}");
    }
}

#[cfg(windows)]
#[test]
fn uris_of_drives_and_shares() {
    for (path, uri) in [
        ("C:\\", "file:///C:/"),
        ("C:\\a b\\ü#", "file:///C:/a%20b/%C3%BC%23"),
        ("\\\\?\\C:\\x\\", "file:///C:/x"),
        ("\\\\server\\share\\x", "file://server/share/x"),
    ] {
        assert_eq!(uri_of(Path::new(path)).as_deref(), Some(uri), "{path}");
    }
    assert_eq!(uri_of(Path::new("\\x")), None, "it has no drive");
}

#[cfg(unix)]
#[test]
fn spellings_of_a_path_are_one_folder() {
    for path in ["/a/b", "/a/b/", "/a//b", "/a/./b", " /a/b "] {
        assert_eq!(spelled(path), "/a/b");
    }
    assert_eq!(spelled("/"), "/");
}
