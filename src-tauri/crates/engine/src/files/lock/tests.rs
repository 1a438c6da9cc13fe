use super::Lock;
use crate::dispatch::error::EngineError;

#[test]
fn a_second_one_learns_who_holds_it_and_how_to_go_on() {
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
fn another_folder_is_free() {
    let folder = tempfile::tempdir().unwrap();
    let _first = Lock::take(&folder.path().join("a/traffic.sqlite"), "The window").unwrap();
    Lock::take(&folder.path().join("b/traffic.sqlite"), "The window").unwrap();
}
