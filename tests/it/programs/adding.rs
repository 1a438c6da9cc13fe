//! `patchbay add`: servers are added after a review, and nothing is started.

#[cfg(unix)]
mod at_a_terminal;

use std::{io::Write as _, path::Path};

use crate::programs::Patchbay;

/// Writes a bundle whose server gets these arguments, and that asks for these settings. Returns its path.
fn bundle(folder: &Path, args: &[&str], settings: &serde_json::Value) -> String {
    let manifest = serde_json::json!({
        "manifest_version": "0.3", "name": "hello", "version": "1.0.0", "description": "Says hello.", "author": { "name": "Ada" },
        "server": { "type": "binary", "entry_point": "run.sh", "mcp_config": { "command": "run.sh", "args": args } },
        "user_config": settings,
    });
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in [
        ("manifest.json", manifest.to_string()),
        ("run.sh", "#!/bin/sh\n".to_owned()),
    ] {
        zip.start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let path = folder.join("hello.mcpb");
    std::fs::write(&path, zip.finish().unwrap().into_inner()).unwrap();
    path.display().to_string()
}

/// Adds nothing without a terminal or `--yes`, refuses a link that would run code, and starts nothing.
#[test]
fn servers_are_added_after_a_review() {
    let patchbay = Patchbay::new();
    let refused = patchbay.run(&["add", "npx -y x"]).code(1);
    assert!(refused.stderr.contains("add `--yes`"), "{}", refused.stderr);
    let marker = tempfile::tempdir().unwrap();
    let file = marker.path().join("ran");
    let text = format!("touch {}", file.display());
    let added = patchbay.run(&["add", "--yes", "--name", "probe", &text]).code(0);
    assert_eq!(added.stdout, "Added probe\n");
    for part in ["  starts     touch", "Nothing is started until you connect."] {
        assert!(added.stderr.contains(part), "{}", added.stderr);
    }
    assert!(!file.exists(), "nothing is started");
    // It is saved under its name.
    let known = patchbay.run(&["tools", "list", "--server", "probe", "--timeout", "5"]);
    assert_eq!(known.code, Some(2), "{}", known.stderr);
    let link = "patchbay://add?command=sh%20-c%20%22touch%20x%22";
    let refused = patchbay.run(&["add", "--yes", link]).code(1);
    assert!(
        refused
            .stderr
            .contains("The link is refused: `sh` would run code"),
        "{}",
        refused.stderr
    );
    let several = r#"{"mcpServers":{"a":{"command":"x"},"b":{"url":"https://b.example/mcp"}}}"#;
    let refused = patchbay.run(&["add", "--yes", "--name", "n", several]).code(1);
    assert!(
        refused.stderr.contains("a text with one server"),
        "{}",
        refused.stderr
    );
    let added = patchbay.run(&["--json", "add", "--yes", several]).code(0);
    assert!(
        added.stdout.contains(r#""name":"a""#) && added.stdout.contains(r#""name":"b""#),
        "{}",
        added.stdout
    );
}

/// Shows what a bundle contains, refuses what it is not asked for, and adds it.
#[test]
fn a_bundle_is_added_after_a_review() {
    let folder = tempfile::tempdir().unwrap();
    let settings = serde_json::json!({
        "words": { "type": "string", "title": "Words", "description": "", "required": true },
        "count": { "type": "number", "title": "Count", "description": "", "default": 1 },
    });
    let args = ["${user_config.words}", "${user_config.count}"];
    let path = bundle(folder.path(), &args, &settings);

    let patchbay = Patchbay::new();
    let refused = patchbay.run(&["add", "--yes", &path]).code(1);
    for part in [
        "hello 1.0.0 by Ada",
        "  starts     run.sh",
        "\"Words\" is required. Give it with `--set words=…`.",
    ] {
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
    let refused = patchbay.run(&["add", "--yes", "--set", "other=1", &path]).code(1);
    assert!(
        refused.stderr.contains("There are: count, words."),
        "{}",
        refused.stderr
    );
    let added = patchbay
        .run(&[
            "add",
            "--yes",
            "--set",
            "words=a b",
            "--set",
            "count=2",
            "--name",
            "greeter",
            &path,
        ])
        .code(0);
    assert_eq!(added.stdout, "Added greeter\n");
    std::fs::write(&path, "not a bundle").unwrap();
    let refused = patchbay.run(&["add", "--yes", &path]).code(1);
    assert!(
        refused.stderr.contains("It is not a zip archive"),
        "{}",
        refused.stderr
    );
}

/// A damaged file is set aside once, so what does that is what has to say so.
#[test]
fn what_is_set_aside_is_said() {
    let patchbay = Patchbay::new();
    let folder = patchbay.folder().join("all");
    std::fs::create_dir(&folder).unwrap();
    let run = |args: &[&str]| {
        let data = folder.display().to_string();
        patchbay.run(&[&["--data-dir", &data], args].concat()).code(0)
    };
    let broken = || std::fs::write(folder.join("servers.json"), "{\"mcpServers\": {").unwrap();
    let notice = "It was set aside as ";

    broken();
    let added = run(&["add", "--yes", "--name", "probe", "npx -y x"]);
    assert_eq!(added.stdout, "Added probe\n");
    assert!(
        added.stderr.contains("servers.json was not understood (") && added.stderr.contains(notice),
        "{}",
        added.stderr
    );
    let again = run(&["add", "--yes", "--name", "another", "npx -y x"]);
    assert!(!again.stderr.contains(notice), "{}", again.stderr);

    broken();
    std::fs::write(folder.join("traffic.sqlite"), "not a database".repeat(1000)).unwrap();
    let sized = run(&["--json", "traffic", "quota"]);
    let mut said: Vec<String> = Vec::new();
    for line in sized.stderr.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["code"], "notice");
        said.push(line["message"].as_str().unwrap().to_owned());
    }
    assert_eq!(said.len(), 2, "{said:?}");
    for (said, file) in said.iter().zip(["traffic.sqlite", "servers.json"]) {
        assert!(said.contains(file) && said.contains(notice), "{said}");
    }
}

/// What would be ignored is refused.
#[test]
fn settings_of_a_bundle_need_one() {
    let patchbay = Patchbay::new();
    for option in [["--set", "token=x"], ["--package", "2"]] {
        let args = [&["add", "--yes"], &option[..], &["npx -y x"]].concat();
        let refused = patchbay.run(&args).code(1);
        assert!(
            refused.stderr.contains("a bundle or a server.json"),
            "{refused:?}"
        );
    }
}
