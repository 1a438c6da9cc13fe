use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Separate, Tasks, restart_arguments};

#[test]
fn separate_folders_are_numbered_beside_the_wanted_one() {
    let mut separate = Separate::new(Some(PathBuf::from("/data/patchbay")));
    assert!(!separate.is_tried(Some(Path::new("/data/patchbay"))));
    assert_eq!(separate.peek(), Some(PathBuf::from("/data/patchbay-2")));
    assert_eq!(separate.next(), Some(PathBuf::from("/data/patchbay-2")));
    assert!(separate.is_tried(Some(Path::new("/data/patchbay-2"))));
    assert!(!separate.is_tried(Some(Path::new("/data/patchbay"))));
    assert_eq!(separate.next(), Some(PathBuf::from("/data/patchbay-3")));
}

#[test]
fn without_a_wanted_folder_there_is_no_separate_one() {
    let mut separate = Separate::new(None);
    assert_eq!(separate.next(), None);
    assert!(!separate.is_tried(None));
}

#[test]
fn a_task_is_stopped_before_the_shutdown_of_all_returns() {
    let tasks = Tasks::default();
    let (held, started) = (Arc::new(()), Arc::new(tokio::sync::Notify::new()));
    let (in_task, starting) = (held.clone(), started.clone());
    tasks.spawn(async move {
        let _in_task = in_task;
        starting.notify_one();
        std::future::pending::<()>().await;
    });
    tauri::async_runtime::block_on(async {
        started.notified().await;
        tasks.shutdown().await;
    });
    assert_eq!(Arc::strong_count(&held), 1);
}

#[test]
fn a_program_that_starts_again_gets_the_new_links_only() {
    let texts = |texts: &[&str]| texts.iter().map(OsString::from).collect::<Vec<_>>();
    let arguments = texts(&["patchbay-app", "--data-dir", "/data", "patchbay://add?name=old"]);
    let links = vec![
        "patchbay://add?name=1".to_owned(),
        "PATCHBAY:add?name=2".to_owned(),
    ];
    assert_eq!(
        restart_arguments(arguments, links),
        texts(&[
            "patchbay-app",
            "--data-dir",
            "/data",
            "patchbay://add?name=1",
            "PATCHBAY:add?name=2"
        ])
    );
}
