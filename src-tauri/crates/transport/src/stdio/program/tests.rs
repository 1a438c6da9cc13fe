#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;

use super::*;

/// A folder with a program, a plain file and a folder in it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, mode) in [("program", 0o755), ("plain", 0o644)] {
        let file = folder.path().join(name);
        fs::write(&file, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    }
    fs::create_dir(folder.path().join("folder")).unwrap();
    folder
}

/// The file found, or the cause, both without the folder's name.
fn found(command: &str, path: &[&str]) -> String {
    let folder = folder();
    let entries = path.iter().map(|entry| folder.path().join(entry));
    let path = std::env::join_paths(entries).unwrap();
    let text = match resolve(command, folder.path(), Some(path.as_os_str())) {
        Ok(file) => file.display().to_string(),
        Err(failure) => failure.cause,
    };
    text.replace(&folder.path().display().to_string(), "DIR")
}

#[test]
fn finds_what_a_shell_would_find() {
    assert_eq!(found("program", &["folder", ""]), "DIR/program");
    assert_eq!(found("./program", &[]), "DIR/./program");
    assert_eq!(found("/bin/sh", &[]), "/bin/sh");
}

#[test]
fn says_exactly_why_not() {
    assert_eq!(
        found("nothing", &["folder"]),
        "The program \"nothing\" was not found in PATH."
    );
    assert_eq!(
        found("plain", &[""]),
        "Permission denied: DIR/plain is not executable."
    );
    assert_eq!(found("folder", &[""]), "DIR/folder is a directory.");
    assert_eq!(found("./folder", &[]), "DIR/./folder is a directory.");
    assert_eq!(found("./nothing", &[]), "The file DIR/./nothing does not exist.");
    assert_eq!(found(" ", &[]), "No program is given.");
}

#[test]
fn tells_the_path_it_searched() {
    let failure = resolve("nothing", Path::new("/"), Some(OsStr::new("/a:/b"))).unwrap_err();
    assert_eq!(failure.detail.as_deref(), Some("PATH used: /a:/b"));
    assert!(
        failure.next.contains("Settings > Environment"),
        "{}",
        failure.next
    );
}

#[test]
fn tells_whose_path_it_is_and_why_it_may_lack_folders() {
    let problem = Failure::new(
        "Read the environment of the shell",
        "zsh is gone.",
        "Choose another.",
    );
    let mut path = SearchPath {
        value: None,
        is_own: false,
        problem: Some(&problem),
    };
    let failure = resolve("nothing", Path::new("/"), path).unwrap_err();
    let detail = "PATH used: (not set)\nzsh is gone. Choose another.";
    assert_eq!(failure.detail.as_deref(), Some(detail));
    path.is_own = true;
    let failure = resolve("nothing", Path::new("/"), path).unwrap_err();
    assert_eq!(failure.detail.as_deref(), Some("PATH used: (not set)"));
    assert!(
        failure.next.contains("settings of this server"),
        "{}",
        failure.next
    );
}

#[test]
fn a_folder_to_start_in_must_be_one() {
    let folder = folder();
    let cause = |name: &str| {
        check_cwd(&folder.path().join(name))
            .err()
            .map(|failure| failure.cause)
    };
    assert_eq!(cause("folder"), None);
    assert!(cause("plain").unwrap().ends_with("plain is not a folder."));
    assert!(cause("nothing").unwrap().ends_with("nothing does not exist."));
}
