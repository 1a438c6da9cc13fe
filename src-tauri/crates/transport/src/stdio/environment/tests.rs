#![cfg(unix)]

use std::path::PathBuf;

use super::{
    shell::{find, variables},
    *,
};
use crate::stdio::tests::executable;

/// A shell that runs this script; `$4` is the command it is to run.
fn script(folder: &tempfile::TempDir, name: &str, script: &str) -> PathBuf {
    let file = folder.path().join(name);
    executable(&file, &format!("#!/bin/sh\n{script}"));
    file
}

/// The variables that a shell with this script prints.
async fn printed(text: &str, limit: Duration) -> Result<Vec<(OsString, OsString)>, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let shell = script(&folder, "shell", text);
    variables(shell.as_os_str(), limit)
        .await
        .map_err(|failure| Failure {
            cause: failure.cause.replace(shell.to_str().unwrap(), "SHELL"),
            ..failure
        })
}

const PATIENT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn the_shells_own_noise_is_no_variable() {
    let vars = printed(
        "echo Welcome=1; LINES2='a\nb' export LINES2; eval \"$4\"; echo bye",
        PATIENT,
    )
    .await
    .unwrap();
    assert!(vars.contains(&("LINES2".into(), "a\nb".into())), "{vars:?}");
    assert!(!vars.iter().any(|(name, _)| name == "Welcome" || name == "_"));
}

#[tokio::test]
async fn start_up_files_can_see_what_they_run_for_and_servers_cannot() {
    let vars = printed(
        "SEEN=$PATCHBAY_RESOLVING_ENVIRONMENT$VSCODE_RESOLVING_ENVIRONMENT; export SEEN; eval \"$4\"",
        PATIENT,
    )
    .await
    .unwrap();
    assert!(vars.contains(&("SEEN".into(), "11".into())), "{vars:?}");
    let of_shell = |name: &OsString| name.to_string_lossy().contains("RESOLVING");
    assert!(!vars.iter().any(|(name, _)| of_shell(name)));
}

/// As dash does, for which `_` is the last word of the command before.
#[tokio::test]
async fn a_mark_in_a_variable_does_not_end_them() {
    let text = "printf '__PATCHBAY_ENV___=__PATCHBAY_ENV__\\0PATH=/late\\0__PATCHBAY_ENV__'";
    let vars = printed(text, PATIENT).await.unwrap();
    assert_eq!(vars, [("PATH".into(), "/late".into())]);
    // On Debian it is dash.
    let vars = printed("_=x; export _; exec /bin/sh -c \"$4\"", PATIENT)
        .await
        .unwrap();
    assert!(vars.iter().any(|(name, _)| name == "PATH"), "{vars:?}");
}

#[tokio::test]
async fn what_the_shell_leaves_running_is_not_waited_for() {
    let vars = printed("eval \"$4\"; sleep 1000", PATIENT).await.unwrap();
    assert!(vars.iter().any(|(name, _)| name == "PATH"));
}

#[tokio::test]
async fn a_shell_that_fails_says_how_and_what_to_do() {
    let short = Duration::from_millis(50);
    for (text, limit, cause) in [
        (
            "exit 3",
            PATIENT,
            "ended with exit code 3 before it printed its variables.",
        ),
        (
            "kill -9 $$",
            PATIENT,
            "ended with signal 9 (SIGKILL) before it printed its variables.",
        ),
        (
            "exit 0",
            PATIENT,
            "printed nothing: it did not run the command that prints its variables.",
        ),
        (
            "echo hello",
            PATIENT,
            "did not run the command that prints its variables.",
        ),
        (
            "echo __PATCHBAY_ENV____PATCHBAY_ENV__",
            PATIENT,
            "printed no variables.",
        ),
        (
            "while :; do printf '%100000s' x; done",
            PATIENT,
            "printed more than 4 MiB.",
        ),
        ("sleep 1000", short, "did not print its variables within 0.05 s."),
    ] {
        let failure = printed(text, limit).await.unwrap_err();
        assert_eq!(failure.cause, format!("SHELL {cause}"));
        assert_eq!(failure.step, "Read the environment of the shell");
        assert!(
            failure.next.contains("Settings > Environment"),
            "{}",
            failure.next
        );
    }
    let said = printed("echo 'rc: no such file' >&2; exit 1", PATIENT).await;
    assert_eq!(said.unwrap_err().detail.as_deref(), Some("rc: no such file"));
    // Neither what `set -x` shows nor half a line, which may be half a secret.
    let said = printed("printf '+ export TOKEN=x\nrc: bad\n' >&2; exit 1", PATIENT).await;
    assert_eq!(said.unwrap_err().detail.as_deref(), Some("rc: bad"));
    let long = "printf '%5000s\nrc: bad\n' x >&2; exit 1";
    let said = printed(long, PATIENT).await.unwrap_err();
    assert_eq!(said.detail.as_deref(), Some("rc: bad"));
    let missing = variables(OsStr::new("/nothing/sh"), PATIENT).await.unwrap_err();
    assert!(
        missing.cause.starts_with("/nothing/sh could not be started: "),
        "{}",
        missing.cause
    );
}

#[test]
fn a_chosen_shell_is_looked_for_and_what_is_wrong_is_said() {
    let path = Some(OsStr::new("/usr/bin:/bin"));
    assert!(find("sh", path).unwrap().ends_with("sh"));
    let failure = find("no-such-shell", path).unwrap_err();
    assert_eq!(failure.step, "Read the environment of the shell");
    assert_eq!(
        failure.cause,
        "The shell \"no-such-shell\" was not found in PATH."
    );
    assert!(failure.next.contains("Settings > Environment"));
    let failure = find("/nothing/sh", path).unwrap_err();
    assert_eq!(failure.cause, "The file /nothing/sh does not exist.");
    let failure = find("/etc/passwd", path).unwrap_err();
    assert!(failure.cause.contains("not executable"), "{}", failure.cause);
}

#[tokio::test]
async fn shells_with_other_options_get_theirs() {
    let folder = tempfile::tempdir().unwrap();
    for (name, options) in [
        ("tcsh", "-i -c printf"),
        ("pwsh", "-Login -Command & printf"),
        ("nu", "-l -i -c ^printf"),
        ("zsh", "-l -i -c printf"),
    ] {
        // It shows its words in place of variables.
        let mark = "__PATCHBAY_ENV__";
        let text = format!("printf '%s' {mark}; printf 'WORDS=%s\\0%s' \"$*\" {mark}");
        let shell = script(&folder, name, &text);
        let vars = variables(shell.as_os_str(), PATIENT).await.unwrap();
        let words = vars[0].1.to_str().unwrap();
        assert!(words.starts_with(options), "{words}");
    }
}

#[test]
fn folders_are_added_around_the_path() {
    let with = |path: Option<&str>, before: &[&str], after: &[&str]| {
        let mut environment = desktop("/bin/sh");
        environment.vars.retain(|(name, _)| name != "PATH");
        let path = path.map(|path| ("PATH".into(), path.into()));
        environment.vars.extend(path);
        let folders = |list: &[&str]| list.iter().map(PathBuf::from).collect::<Vec<_>>();
        let environment = environment.with_path(&folders(before), &folders(after));
        environment
            .get("PATH")
            .map(|path| path.to_str().unwrap().to_owned())
    };
    assert_eq!(with(Some("/a::/b"), &[], &[]).as_deref(), Some("/a::/b"));
    assert_eq!(
        with(Some("/a::/b"), &["/x", "/y"], &["/z"]).as_deref(),
        Some("/x:/y:/a::/b:/z")
    );
    // An empty part would mean the working directory.
    assert_eq!(with(Some(""), &["/x"], &["/z"]).as_deref(), Some("/x:/z"));
    assert_eq!(with(None, &["/x"], &[]).as_deref(), Some("/x"));
    assert_eq!(with(None, &[], &[]), None);
}

/// What a desktop gave us, with this as the user's shell.
fn desktop(shell: &str) -> Environment {
    Environment {
        vars: vec![("SHELL".into(), shell.into()), ("PATH".into(), "/desktop".into())],
        source: EnvironmentSource::Inherited,
        shell: None,
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
    let noisy = script(&folder, "noisy", noisy);
    let noisy = noisy.to_str().unwrap();
    let path = |found: &Environment| found.get("PATH").unwrap().to_str().unwrap().to_owned();
    let found = desktop(noisy).in_login_shell(PATIENT).await;
    assert_eq!(found.source, EnvironmentSource::LoginShell);
    assert_eq!(found.shell.as_deref(), Some(noisy));
    assert!(path(&found).starts_with("/from/rc:"), "{}", path(&found));
    let found = desktop("/bin/false").in_shell(noisy, PATIENT).await;
    assert_eq!(found.source, EnvironmentSource::ChosenShell);
    assert!(path(&found).starts_with("/from/rc:"), "{}", path(&found));

    for found in [
        desktop("/bin/false").in_login_shell(PATIENT).await,
        desktop(noisy).in_shell("/bin/false", PATIENT).await,
    ] {
        assert_eq!(found.source, EnvironmentSource::Inherited);
        assert_eq!(found.shell.as_deref(), Some("/bin/false"));
        assert_eq!(path(&found), "/desktop");
        let problem = found.problem.unwrap();
        assert_eq!(
            problem.cause,
            "/bin/false ended with exit code 1 before it printed its variables."
        );
    }
    let found = desktop(noisy).in_shell("no-such-shell", PATIENT).await;
    assert_eq!(found.source, EnvironmentSource::Inherited);
    assert!(found.problem.unwrap().cause.contains("was not found in PATH"));
}

/// A desktop session that was not begun by a shell.
#[tokio::test]
async fn without_shell_the_account_says_which() {
    let found = desktop("").in_login_shell(PATIENT).await;
    assert_eq!(found.shell.map(OsString::from), super::shell::of_account().await);
}
