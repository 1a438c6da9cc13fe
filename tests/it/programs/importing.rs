//! `patchbay import`: servers of other hosts are listed and added after a review, and nothing is started.

use std::{fs, path::PathBuf};

use crate::programs::{Ended, Patchbay};

/// A user with other hosts.
struct Home(Patchbay);

impl Home {
    fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.0.folder().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn run(&self, args: &[&str]) -> Ended {
        let mut command = self.0.command(args);
        command.env("HOME", self.0.folder()).output().unwrap().into()
    }
}

const CURSOR: &str = r#"{"mcpServers":{
    "weather": {"command": "touch", "args": ["ran", "--api-key", "very-secret"]},
    "off": {"url": "https://off.example/mcp", "disabled": true}
}}"#;

/// Lists without changing anything, adds what is chosen, and then tells what is the same and what differs.
#[test]
fn servers_of_a_host_are_listed_added_and_compared() {
    let home = Home(Patchbay::new());
    home.write(".cursor/mcp.json", CURSOR);
    let listed = home.run(&["import", "--dry-run"]).code(0);
    for part in [
        "Cursor  ",
        "+ weather  new, 1 secret in plaintext",
        "  starts     touch",
        "  off  new, disabled in the host",
    ] {
        assert!(listed.stdout.contains(part), "{part} in {}", listed.stdout);
    }
    assert!(!listed.stdout.contains("very-secret"), "{}", listed.stdout);

    let refused = home.run(&["import", "cursor"]).code(1);
    assert!(refused.stderr.contains("add `--yes`"), "{}", refused.stderr);
    let added = home
        .run(&["import", "cursor", "--yes", "--plain-secrets"])
        .code(0);
    assert_eq!(added.stdout, "Added weather\n");
    assert!(!home.0.folder().join("ran").exists(), "nothing is started");
    let again = home.run(&["import", "cursor", "--yes"]).code(0);
    assert!(
        again.stderr.contains("weather  same as weather"),
        "{}",
        again.stderr
    );
    assert!(
        again.stderr.contains("There is nothing to add."),
        "{}",
        again.stderr
    );

    home.write(".cursor/mcp.json", &CURSOR.replace("\"ran\"", "\"never\""));
    let listed = home.run(&["--json", "import", "cursor", "--dry-run"]).code(0);
    let lines = listed.stdout.lines();
    let mut all = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let one = all.find(|one| one["name"] == "weather").unwrap();
    assert_eq!(one["state"], "differs");
    assert_eq!(one["differences"][0]["setting"], "Arguments");
    assert!(!listed.stdout.contains("very-secret"), "{}", listed.stdout);
    let updated = home
        .run(&[
            "import",
            "cursor",
            "--differing",
            "update",
            "--yes",
            "--plain-secrets",
        ])
        .code(0);
    assert_eq!(updated.stdout, "Updated weather\n");
    let listed = home.run(&["import", "cursor", "--dry-run"]).code(0);
    assert!(
        listed.stdout.contains("weather  same as weather"),
        "{}",
        listed.stdout
    );
}

/// A file is known by its content; what is wrong is named with the next step.
#[test]
fn a_file_is_imported_and_what_is_wrong_is_named() {
    let home = Home(Patchbay::new());
    let codex = home.write("my.toml", "[mcp_servers.a]\ncommand = \"x\"\n");
    let added = home
        .run(&["import", &codex.display().to_string(), "--yes"])
        .code(0);
    assert_eq!(added.stdout, "Added a\n");
    let document = home.write("server.json", r#"{"name":"a/b","remotes":[]}"#);
    let huge = home.write("huge.json", &" ".repeat((16 << 20) + 1));
    let folder = home.0.folder().join("data");
    for (args, why) in [
        (
            ["import", "netscape"],
            "There is no host `netscape`. There are: Claude Code, Claude Desktop,",
        ),
        (["import", "cursor"], "No servers of cursor were found in "),
        (["import", "gone.json"], "gone.json cannot be read: "),
        (["import", "hello.mcpb"], "Add it with `patchbay add hello.mcpb`."),
        (
            ["import", &document.display().to_string()],
            "Add its servers with `patchbay add ",
        ),
        (
            ["import", &huge.display().to_string()],
            "it is larger than 16 MiB",
        ),
        (["import", &folder.display().to_string()], "it is not a file"),
    ] {
        let refused = home.run(&[args[0], args[1], "--dry-run"]).code(1);
        assert!(refused.stderr.contains(why), "{why} in {}", refused.stderr);
    }
}

/// An empty line would not be JSON.
#[test]
fn the_json_of_no_servers_is_empty() {
    let home = Home(Patchbay::new());
    let listed = home.run(&["--json", "import", "--dry-run"]).code(0);
    assert_eq!(listed.stdout, "");
}
