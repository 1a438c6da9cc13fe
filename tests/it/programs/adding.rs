//! `patchbay add`: servers are added after a review, and nothing is started.

use crate::programs::Patchbay;

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
