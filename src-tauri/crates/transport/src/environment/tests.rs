#![cfg(unix)]

use std::{fs, os::unix::fs::PermissionsExt as _};

use super::*;

/// What a login shell that runs this script tells; `$3` is the command it is asked to run.
async fn told(script: &str, limit: Duration) -> Result<Vec<(OsString, OsString)>, String> {
    let folder = tempfile::tempdir().unwrap();
    let shell = folder.path().join("shell");
    fs::write(&shell, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&shell, fs::Permissions::from_mode(0o755)).unwrap();
    ask(shell.as_os_str(), limit).await
}

const PATIENT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn the_shells_own_noise_is_no_variable() {
    let vars = told(
        "echo Welcome=1; LINES2='a\nb' export LINES2; eval \"$4\"; echo bye",
        PATIENT,
    )
    .await
    .unwrap();
    assert!(vars.contains(&("LINES2".into(), "a\nb".into())), "{vars:?}");
    assert!(!vars.iter().any(|(name, _)| name == "Welcome" || name == "_"));
}

#[tokio::test]
async fn what_the_shell_leaves_running_is_not_waited_for() {
    let vars = told("eval \"$4\"; sleep 1000", PATIENT).await.unwrap();
    assert!(vars.iter().any(|(name, _)| name == "PATH"));
}

#[tokio::test]
async fn a_shell_that_fails_says_how() {
    assert_eq!(
        told("exit 1", PATIENT).await.unwrap_err(),
        "did not print its variables."
    );
    assert_eq!(
        told("sleep 1000", Duration::from_millis(50)).await.unwrap_err(),
        "did not answer within 0.05 s."
    );
    let missing = ask(OsStr::new("/nothing/sh"), PATIENT).await.unwrap_err();
    assert!(missing.starts_with("could not be started: "), "{missing}");
}
