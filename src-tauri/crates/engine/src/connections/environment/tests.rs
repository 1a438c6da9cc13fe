//! The settings of the environment, and what programs are started with.

use std::path::Path;

use patchbay_contract::{EnvironmentSettings, ServerId, ShellChoice};
use serde_json::{Value, json};

use super::checks::{checked, whole};
use crate::{
    Engine,
    engine::{
        options::EngineOptions,
        testing::{attended, call, legacy_script, refusal},
    },
};

/// A server that answers the handshake of the legacy era and nothing else.
const SERVER: &str = r#"while read -r line; do case $line in *'"initialize"'*) echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}';; esac; done"#;

/// Written by another process: what a test beside this one starts would inherit our open file for a moment, and a file that is
/// open for writing cannot be run.
fn program(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    let made = std::process::Command::new("/bin/sh")
        .args([
            "-c",
            r#"mkdir -p "${1%/*}" && printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod 755 "$1""#,
            "sh",
        ])
        .arg(&file)
        .arg(text)
        .status();
    assert!(made.unwrap().success());
    file.display().to_string()
}

/// A shell that counts how often it is run, and adds a folder to PATH.
fn shell(folder: &Path) -> String {
    let runs = folder.join("runs").display().to_string();
    let text = format!("echo run >> {runs}; PATH=/from/shell:$PATH; export PATH; eval \"$4\"");
    program(folder, "shell", &text)
}

fn settings(shell: &str, program: &str, before: &[&str], after: &[&str]) -> Value {
    json!({"settings": {"shell": shell, "program": program, "pathBefore": before, "pathAfter": after}})
}

async fn read(engine: &Engine, again: bool) -> Value {
    call(engine, "environment_read", json!({"again": again})).await
}

/// The PATH that a server was started with, and whether it is an old one.
async fn process(engine: &Engine, server: &ServerId) -> (String, bool) {
    let got = call(engine, "connection_get", json!({"serverId": server})).await;
    let process = &got["process"];
    (
        process["path"]["value"].as_str().unwrap().to_owned(),
        process["environmentOutdated"].as_bool().unwrap(),
    )
}

#[tokio::test]
async fn programs_start_with_the_chosen_shell_and_the_added_folders_and_running_ones_keep_theirs() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let server = legacy_script(&engine, SERVER).await;
    let (before, outdated) = process(&engine, &server).await;
    assert!(!outdated && !before.contains("/from/shell"));

    let shell = shell(folder.path());
    let set = settings("program", &shell, &["/first", "~/bin"], &["/last"]);
    call(&engine, "environment_set", set).await;
    let got = read(&engine, false).await;
    assert_eq!(
        (&got["source"], &got["shell"]),
        (&json!("chosenShell"), &json!(shell))
    );
    assert_eq!(got["problem"], Value::Null);
    assert_eq!(got["outdated"], json!([server]));
    let home = got["home"].as_str().unwrap();
    let path = got["path"].as_array().unwrap();
    assert_eq!(path[0], json!({"folder": "/first", "from": "before"}));
    assert_eq!(path[1]["folder"], json!(format!("{home}/bin")));
    assert_eq!(path[2], json!({"folder": "/from/shell", "from": "environment"}));
    assert_eq!(path.last().unwrap(), &json!({"folder": "/last", "from": "after"}));
    assert_eq!(process(&engine, &server).await, (before, true));

    call(&engine, "connection_restart", json!({"serverId": server})).await;
    engine.connect(&server).await.unwrap().unwrap();
    let (now, outdated) = process(&engine, &server).await;
    assert!(
        now.starts_with(&format!("/first:{home}/bin:/from/shell:")),
        "{now}"
    );
    assert!(now.ends_with(":/last") && !outdated);
    assert_eq!(read(&engine, false).await["outdated"], json!([]));

    // Other folders do not run the shell again; the button does.
    let runs = || {
        std::fs::read_to_string(folder.path().join("runs"))
            .unwrap()
            .lines()
            .count()
    };
    assert_eq!(runs(), 1);
    let set = settings("program", &shell, &[], &["/last"]);
    call(&engine, "environment_set", set).await;
    assert_eq!(read(&engine, false).await["outdated"], json!([server]));
    assert_eq!(runs(), 1);
    read(&engine, true).await;
    assert_eq!(runs(), 2);
    engine.shutdown().await;

    // Another Patchbay, and a command, have the same settings.
    for engine in [
        attended(&folder).await,
        Engine::open(EngineOptions::within(folder.path())).await.unwrap(),
    ] {
        let got = call(&engine, "environment_get", json!({})).await;
        assert_eq!(got["settings"]["program"], json!(shell));
        assert_eq!(read(&engine, false).await["source"], "chosenShell");
        engine.shutdown().await;
    }
}

#[tokio::test]
async fn a_server_is_found_through_an_added_folder_only_and_its_own_path_wins() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let bin = folder.path().join("bin");
    program(&bin, "only-there", SERVER);
    let mut draft = engine.draft_of_command("only-there").unwrap();
    draft.era = patchbay_contract::EraChoice::Legacy;
    let server = engine.add_server(draft.clone()).await.unwrap();
    let failure = engine.connect(&server).await.unwrap().unwrap_err();
    assert_eq!(failure.cause, "The program \"only-there\" was not found in PATH.");
    assert!(
        failure.next.contains("Settings > Environment"),
        "{}",
        failure.next
    );

    let set = settings("none", "", &[bin.to_str().unwrap()], &[]);
    call(&engine, "environment_set", set).await;
    engine.connect(&server).await.unwrap().unwrap();
    let command = call(&engine, "terminal_command", json!({"serverId": server})).await;
    let command = command["command"].as_str().unwrap();
    assert!(command.contains(bin.to_str().unwrap()), "{command}");

    if let patchbay_contract::TransportDraft::Stdio { env, .. } = &mut draft.transport {
        env.push(patchbay_contract::EnvVar {
            name: "PATH".to_owned(),
            value: "/usr/bin:/bin".to_owned(),
        });
    }
    draft.name = "own".to_owned();
    let own = engine.add_server(draft).await.unwrap();
    let failure = engine.connect(&own).await.unwrap().unwrap_err();
    assert_eq!(failure.detail.as_deref(), Some("PATH used: /usr/bin:/bin"));
    engine.shutdown().await;
}

#[tokio::test]
async fn a_shell_that_fails_is_named_and_the_inherited_environment_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let broken = program(folder.path(), "broken", "echo 'rc: line 3' >&2; exit 4");
    call(
        &engine,
        "environment_set",
        settings("program", &broken, &["/added"], &[]),
    )
    .await;
    let got = read(&engine, false).await;
    assert_eq!(got["source"], "inherited");
    let problem = &got["problem"];
    assert_eq!(problem["step"], "Read the environment of the shell");
    let cause = format!("{broken} ended with exit code 4 before it printed its variables.");
    assert_eq!(problem["cause"], json!(cause));
    assert_eq!(problem["detail"], "rc: line 3");
    // Added folders do not need the shell.
    assert_eq!(got["path"][0]["folder"], "/added");
    let draft = engine.draft_of_command("surely-not-there").unwrap();
    let server = engine.add_server(draft).await.unwrap();
    let failure = engine.connect(&server).await.unwrap().unwrap_err();
    let detail = failure.detail.unwrap();
    assert!(
        detail.starts_with("PATH used: /added:") && detail.contains(&cause),
        "{detail}"
    );
    engine.shutdown().await;
}

#[tokio::test]
async fn a_damaged_or_newer_file_is_named_and_never_replaced() {
    for (text, why) in [
        ("{", "EOF"),
        (r#"{"shell":"remote"}"#, "unknown variant `remote`"),
        (r#"{"shell":"login","shellArgs":[]}"#, "unknown field `shellArgs`"),
        // As refused when it is set.
        (r#"{"shell":"program","program":"zsh -l"}"#, "without options"),
        (r#"{"pathBefore":["bin"]}"#, "not absolute"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("environment.json");
        std::fs::write(&file, text).unwrap();
        let engine = attended(&folder).await;
        let named = file.display().to_string();
        for message in [
            refusal(&engine, "environment_get", json!({})).await,
            refusal(&engine, "environment_set", settings("none", "", &[], &[])).await,
        ] {
            assert!(message.contains(&named) && message.contains(why), "{message}");
        }
        let info = call(&engine, "app_info", json!({})).await;
        assert!(info["notices"][0].as_str().unwrap().contains(&named), "{info}");
        let problem = read(&engine, true).await["problem"].clone();
        assert!(problem["cause"].as_str().unwrap().contains(why), "{problem}");
        engine.shutdown().await;
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn wrong_settings_are_refused_with_the_cause() {
    let chosen = |program: &str| EnvironmentSettings {
        shell: ShellChoice::Program,
        program: program.to_owned(),
        ..EnvironmentSettings::default()
    };
    for (program, why) in [
        ("  ", "Enter the shell"),
        ("./zsh", "relative path"),
        ("zsh -l", "without options"),
        ("/bin/z\nsh", "control characters"),
    ] {
        let error = checked(chosen(program)).unwrap_err();
        assert!(error.contains(why), "{program}: {error}");
    }
    assert!(checked(chosen(&"x".repeat(5000))).is_err());
    assert_eq!(
        checked(chosen(" /opt/my shells/zsh ")).unwrap().program,
        "/opt/my shells/zsh"
    );
    assert_eq!(checked(chosen("zsh")).unwrap().program, "zsh");
    let with = |folders: &[&str]| {
        checked(EnvironmentSettings {
            path_after: folders.iter().map(|&folder| folder.to_owned()).collect(),
            ..EnvironmentSettings::default()
        })
    };
    for (folder, why) in [
        ("bin", "not absolute"),
        ("~other/bin", "not absolute"),
        ("/a:/b", "a row of its own"),
        ("/a\u{0}", "control characters"),
    ] {
        let error = with(&[folder]).unwrap_err();
        assert!(error.contains(why), "{folder}: {error}");
    }
    assert_eq!(
        with(&["", " /a ", "~", "/a", "~/b"]).unwrap().path_after,
        ["/a", "~", "~/b"]
    );
    let many: Vec<String> = (0..101).map(|at| format!("/{at}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(with(&many).unwrap_err().contains("At most 100"));
    assert!(with(&many[1..]).is_ok());
}

#[test]
fn a_tilde_is_the_home_folder() {
    let home = Some(std::ffi::OsStr::new("/h"));
    assert_eq!(whole("~", home), Path::new("/h"));
    assert_eq!(whole("~/a", home), Path::new("/h/a"));
    assert_eq!(whole("~//a", home), Path::new("/h/a"));
    assert_eq!(whole("/x/~", home), Path::new("/x/~"));
    assert_eq!(whole("~/a", None), Path::new("~/a"));
}
