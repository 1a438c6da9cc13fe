use tauri::{DragDropEvent, PhysicalPosition};

use super::{Dropped, LARGEST};

fn drop_of(paths: &[&std::path::Path]) -> DragDropEvent {
    DragDropEvent::Drop {
        paths: paths.iter().map(|path| path.to_path_buf()).collect(),
        position: PhysicalPosition::new(1.0, 1.0),
    }
}

#[test]
fn only_what_was_dropped_last_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("one.txt"), folder.path().join("größer.txt"));
    std::fs::write(&one, "1").unwrap();
    std::fs::write(&other, "2").unwrap();
    let dropped = Dropped::default();
    let refused = |path| dropped.read(path).unwrap_err().message;
    assert!(
        refused(&one).starts_with("one.txt was not dropped"),
        "nothing was"
    );
    dropped.note(&drop_of(&[&one]));
    assert_eq!(dropped.read(&one).unwrap(), b"1");
    assert!(refused(&other).starts_with("größer.txt was not dropped"));
    dropped.note(&DragDropEvent::Leave);
    assert_eq!(
        dropped.read(&one).unwrap(),
        b"1",
        "what only passes over changes nothing"
    );
    dropped.note(&drop_of(&[&other]));
    assert_eq!(dropped.read(&other).unwrap(), b"2");
    assert!(refused(&one).starts_with("one.txt was not dropped"));
}

#[test]
fn folders_missing_and_large_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (missing, large) = (folder.path().join("missing"), folder.path().join("large"));
    std::fs::File::create(&large)
        .unwrap()
        .set_len(LARGEST + 1)
        .unwrap();
    let dropped = Dropped::default();
    dropped.note(&drop_of(&[folder.path(), &missing, &large]));
    let refused = |path| dropped.read(path).unwrap_err().message;
    assert!(
        refused(folder.path()).contains(" is a folder. Drop the files"),
        "{}",
        refused(folder.path())
    );
    assert!(refused(&missing).starts_with("missing could not be read"));
    assert!(refused(&large).contains("more than the 16 MB"));
    std::fs::File::options()
        .write(true)
        .open(&large)
        .unwrap()
        .set_len(LARGEST)
        .unwrap();
    assert_eq!(dropped.read(&large).unwrap().len() as u64, LARGEST);
}

#[cfg(unix)]
#[test]
fn a_pipe_that_nobody_writes_to_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let dropped = Dropped::default();
    dropped.note(&drop_of(&[&pipe]));
    let refused = dropped.read(&pipe).unwrap_err().message;
    assert_eq!(refused, "pipe could not be read: it is not a file.");
}
