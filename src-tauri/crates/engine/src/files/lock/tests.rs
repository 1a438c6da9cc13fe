use super::Lock;
use crate::dispatch::error::EngineError;

#[test]
fn the_error_names_the_holder_and_the_next_step() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("deep/traffic.sqlite");
    let first = Lock::take(&store, "The window").unwrap();

    let error = Lock::take(&store, "patchbay serve").unwrap_err();
    assert!(matches!(error, EngineError::Locked { .. }));
    let words = error.to_string();
    assert!(
        words.contains(&format!("The window (process {})", std::process::id())),
        "{words}"
    );
    assert!(words.contains("--data-dir"), "{words}");

    drop(first);
    Lock::take(&store, "patchbay serve").unwrap();
}

#[test]
fn another_folder_is_not_locked() {
    let folder = tempfile::tempdir().unwrap();
    let _first = Lock::take(&folder.path().join("a/traffic.sqlite"), "The window").unwrap();
    Lock::take(&folder.path().join("b/traffic.sqlite"), "The window").unwrap();
}
