use std::{
    env, fs,
    path::PathBuf,
    process::{Command, Stdio},
};

use super::*;

/// The variable that tells the helper its data folder.
const DATA: &str = "PATCHBAY_TEST_DIAGNOSTICS";

/// The part of the test below that panics: this test program, started again, as a hook is that of a whole process.
#[test]
fn diagnostics_helper() {
    let Some(data) = env::var_os(DATA).map(PathBuf::from) else {
        return;
    };
    start_diagnostics(Some(&data)).unwrap();
    let dying = std::thread::Builder::new().name("dying".to_owned());
    let dead = dying.spawn(|| panic!("a value of the user")).unwrap().join();
    assert!(dead.is_err());
}

/// The task that dies may be awaited by nobody, and the program goes on. Its place is in the log; its message may quote a
/// secret, and is on stderr only.
#[test]
fn a_panic_is_written_to_the_log_with_its_place_and_without_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let ended = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "files::diagnostics::tests::diagnostics_helper",
            "--nocapture",
        ])
        .env(DATA, folder.path())
        .env_remove("PATCHBAY_LOG")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{stderr}");
    assert!(stderr.contains("a value of the user"), "{stderr}");

    let path = Folders::locate(Some(folder.path())).unwrap().log;
    assert!(path.starts_with(folder.path()), "{}", path.display());
    let log = fs::read_to_string(path).unwrap();
    let mut lines = log.lines().filter(|line| line.contains("a panic"));
    let line = lines.next().unwrap_or_else(|| panic!("no panic in {log:?}"));
    assert!(
        line.contains("ERROR") && line.contains(file!()) && line.contains("dying"),
        "{line}"
    );
    assert!(lines.next().is_none(), "{log}");
    assert!(!log.contains("a value of the user"), "{log}");
}
