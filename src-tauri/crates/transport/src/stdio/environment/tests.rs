#![cfg(unix)]

use std::path::PathBuf;

use super::*;
use crate::stdio::tests::executable;

/// A shell that runs this script; `$4` is the command it is asked to run.
fn shell(folder: &tempfile::TempDir, script: &str) -> PathBuf {
    let shell = folder.path().join("shell");
    executable(&shell, &format!("#!/bin/sh\n{script}"));
    shell
}

/// What a login shell that runs this script tells.
async fn told(script: &str, limit: Duration) -> Result<Vec<(OsString, OsString)>, String> {
    let folder = tempfile::tempdir().unwrap();
    ask(shell(&folder, script).as_os_str(), limit).await
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

/// What a desktop gave us, with this as the user's shell.
fn desktop(shell: &str) -> Environment {
    Environment {
        vars: vec![("SHELL".into(), shell.into()), ("PATH".into(), "/desktop".into())],
        source: EnvironmentSource::Inherited,
        problem: None,
        withheld: 0,
    }
}

#[test]
fn the_short_list_has_what_programs_need_and_no_secret() {
    let passed = [
        ("PATH", "/bin"),
        ("HOME", "/me"),
        ("LC_ALL", "C"),
        ("https_proxy", "http://proxy:1"),
        ("npm_config_registry", "https://npm"),
        ("XDG_CACHE_HOME", "/c"),
        ("NVM_DIR", "/n"),
    ];
    let withheld = [
        ("AWS_SECRET_ACCESS_KEY", "s3cr3t"),
        ("GITHUB_TOKEN", "s3cr3t"),
        ("npm_config__authToken", "s3cr3t"),
        ("OPENAI_API_KEY", "s3cr3t"),
        ("LC_TOKEN", "s3cr3t"),
        ("LD_PRELOAD", "/evil.so"),
        ("NODE_OPTIONS", "--require /evil.js"),
        // A function that bash exported.
        ("LANG", "() { evil; }"),
    ];
    let vars = passed.iter().chain(&withheld);
    let all = Environment {
        vars: vars.map(|(name, value)| (name.into(), value.into())).collect(),
        ..desktop("/bin/sh")
    };
    let short = all.short();
    let names: Vec<_> = short
        .vars
        .iter()
        .map(|(name, _)| name.to_str().unwrap())
        .collect();
    assert_eq!(names, passed.map(|(name, _)| name));
    assert_eq!(
        (short.withheld, short.short().withheld),
        (withheld.len(), withheld.len())
    );
}

#[tokio::test]
async fn the_path_of_the_shell_is_used_or_why_not_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let noisy = "echo motd; echo PATH=/wrong; PATH=/from/rc:$PATH; export PATH; eval \"$4\"";
    let noisy = shell(&folder, noisy);
    let noisy = noisy.to_str().unwrap();
    let found = desktop(noisy).in_login_shell(PATIENT).await;
    assert_eq!(found.source, EnvironmentSource::LoginShell);
    let path = found.get("PATH").unwrap().to_str().unwrap();
    assert!(path.starts_with("/from/rc:"), "{path}");

    let folder = tempfile::tempdir().unwrap();
    let slow = shell(&folder, "sleep 1000");
    let slow = slow.to_str().unwrap();
    for (shell, limit, problem) in [
        (slow, Duration::from_millis(50), " did not answer within 0.05 s."),
        ("/bin/false", PATIENT, "/bin/false did not print its variables."),
        ("", PATIENT, "SHELL is not set, so the login shell is not known."),
    ] {
        let found = desktop(shell).in_login_shell(limit).await;
        assert_eq!(found.source, EnvironmentSource::Inherited, "{shell}");
        assert_eq!(found.get("PATH"), Some(OsStr::new("/desktop")), "{shell}");
        assert!(
            found.problem.as_deref().unwrap().ends_with(problem),
            "{:?}",
            found.problem
        );
    }
}
