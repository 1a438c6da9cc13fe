//! Command lines to copy, and the command that opens a terminal.

use std::path::Path;

use patchbay_contract::EnvVar;

use super::{command_line, quoted, quoted_for_sh, quoted_for_windows, shown};

fn var(name: &str, value: &str) -> EnvVar {
    EnvVar {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

#[test]
fn a_command_line_has_variables_in_place_of_secrets() {
    let reference = format!("${{vault:{}}}", "0".repeat(32));
    let env = [
        var("MODE", "a b"),
        var("API_KEY", "plain"),
        var("OTHER", &reference),
        var("1X", "y"),
    ];
    let words = ["node", "it's.js", &reference].map(str::to_owned);
    let found = command_line(Path::new("/a b"), "/usr/bin:/bin", &env, &words);
    assert_eq!(
        found.command,
        r#"cd '/a b' && env PATH=/usr/bin:/bin MODE='a b' API_KEY="$API_KEY" OTHER="$OTHER" node 'it'\''s.js' "$SECRET_3""#
    );
    assert_eq!(found.variables, ["API_KEY", "OTHER", "SECRET_3"]);
    assert_eq!(shown(&words), r"$ node 'it'\''s.js' …");
}

#[test]
fn a_word_is_quoted_for_the_shells_of_each_system() {
    for (word, on_windows, elsewhere) in [
        ("read_file", "read_file", "read_file"),
        (r"C:\x\y.json", r"C:\x\y.json", r"'C:\x\y.json'"),
        ("a b's", r#""a b's""#, r"'a b'\''s'"),
        (r"D:\my folder\", r#""D:\my folder\\""#, r"'D:\my folder\'"),
        (r#"say "x""#, r#""say \"x\"""#, r#"'say "x"'"#),
        ("%PATH%,@x", r#""%PATH%,@x""#, "%PATH%,@x"),
        ("", r#""""#, "''"),
    ] {
        assert_eq!(quoted_for_windows(word), on_windows);
        assert_eq!(quoted_for_sh(word), elsewhere);
        assert_eq!(quoted(word), if cfg!(windows) { on_windows } else { elsewhere });
    }
}

#[cfg(unix)]
mod commands {
    use std::process::Command;

    use serde_json::json;

    use crate::engine::testing;

    /// The fake terminal runs what it is given; the server notes the secret that it got.
    #[tokio::test]
    async fn a_terminal_gets_the_secret_of_the_vault_and_a_command_line_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let engine = testing::attended(&folder).await;
        let terminal = folder.path().join("my terminal");
        // By another process: one that is started beside this test would inherit our open file, which then cannot be run.
        let written = Command::new("/bin/sh")
            .args(["-c", r#"printf '%s\n' "$2" > "$1" && chmod 755 "$1""#, "sh"])
            .arg(&terminal)
            .arg("#!/bin/sh\nSHELL=/bin/true \"$@\" < /dev/null > /dev/null 2>&1")
            .status();
        assert!(written.unwrap().success());
        let got = folder.path().join("got");
        std::fs::create_dir(folder.path().join("work")).unwrap();
        let draft = json!({
            "name": "notes",
            "transport": {
                "type": "stdio",
                "command": "sh",
                "args": ["-c", format!("printf '%s ' \"$API_TOKEN\" \"$PWD\" end > '{}'", got.display())],
                "env": [{ "name": "API_TOKEN", "value": "tok-123456" }],
                "cwd": folder.path().join("work"),
            },
        });
        let mut whole = serde_json::to_value(engine.draft_of_command("sh").unwrap()).unwrap();
        for (name, value) in draft.as_object().unwrap() {
            whole[name] = value.clone();
        }
        let draft = serde_json::from_value(whole).unwrap();
        let server = engine.add_server(draft).await.unwrap();
        let id = json!({ "serverId": server.0 });
        let copied = testing::call(&engine, "terminal_command", id).await;
        let command = copied["command"].as_str().unwrap();
        assert!(
            command.contains("API_TOKEN=\"$API_TOKEN\"") && !command.contains("tok-123456"),
            "{command}"
        );
        let chosen = format!("'{}'", terminal.display());
        let open = json!({ "serverId": server.0, "terminal": chosen });
        let opened = testing::call(&engine, "terminal_open", open).await;
        assert_eq!(opened["terminal"], terminal.display().to_string());
        let work = folder.path().join("work").display().to_string();
        let expected = format!("tok-123456 {work} end ");
        let read = move || {
            while !std::fs::read_to_string(&got).is_ok_and(|text| text == expected) {
                std::thread::yield_now();
            }
        };
        tokio::task::spawn_blocking(read).await.unwrap();
        let unfinished = json!({ "serverId": server.0, "terminal": "xterm 'x" });
        let told = testing::refusal(&engine, "terminal_open", unfinished).await;
        assert!(told.contains("quotation mark"), "{told}");
        let missing = json!({ "serverId": server.0, "terminal": "no-such-terminal" });
        let told = testing::refusal(&engine, "terminal_open", missing).await;
        assert!(
            told.contains("was not found") && told.contains("copy the command"),
            "{told}"
        );
        engine.shutdown().await;
    }
}
