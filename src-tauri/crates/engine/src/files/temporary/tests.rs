use std::{path::Path, time::Duration};

use super::{LOCK, PREFIX, TemporaryFolder, sweep};

fn names(parent: &Path) -> usize {
    std::fs::read_dir(parent).unwrap().count()
}

#[test]
fn a_folder_is_deleted_with_its_owner() {
    let parent = tempfile::tempdir().unwrap();
    let folder = TemporaryFolder::new(parent.path()).unwrap();
    std::fs::write(folder.file("traffic.sqlite"), "x").unwrap();
    assert_eq!(names(parent.path()), 1);
    drop(folder);
    assert_eq!(names(parent.path()), 0);
}

#[test]
fn only_abandoned_folders_are_deleted() {
    let parent = tempfile::tempdir().unwrap();
    let used = TemporaryFolder::new(parent.path()).unwrap();
    for (name, lock) in [
        (format!("{PREFIX}left"), true),
        (format!("{PREFIX}unlocked"), false),
        ("patchbay-other".to_owned(), true),
    ] {
        let folder = parent.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("traffic.sqlite"), "x").unwrap();
        if lock {
            std::fs::write(folder.join(LOCK), "").unwrap();
        }
    }
    // A folder created just now may not be locked yet.
    sweep(parent.path(), Duration::from_secs(60));
    assert_eq!(names(parent.path()), 4);
    sweep(parent.path(), Duration::ZERO);
    assert!(!parent.path().join(format!("{PREFIX}left")).exists());
    assert!(used.file(LOCK).exists());
    assert_eq!(names(parent.path()), 3);
}

/// Every user can write to the temporary folder, and could otherwise stop every command line.
#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_lock_stops_nobody() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join(format!("{PREFIX}trap"));
    std::fs::create_dir(&folder).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(folder.join(LOCK))
        .status();
    assert!(made.unwrap().success());
    let (done, ended) = std::sync::mpsc::channel();
    let path = parent.path().to_owned();
    std::thread::spawn(move || {
        sweep(&path, Duration::ZERO);
        done.send(()).unwrap();
    });
    ended
        .recv_timeout(Duration::from_secs(20))
        .expect("the sweep hangs");
    assert!(folder.exists());
}
