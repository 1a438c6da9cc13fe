//! Manifests of each version and type, and those that cannot be used.

use patchbay_contract::TransportDraft;
use serde_json::{Value, json};

use super::{launched, made, manifest};

fn changed(change: impl FnOnce(&mut Value)) -> Value {
    let mut value = manifest();
    change(&mut value);
    value
}

#[test]
fn every_version_is_read_under_both_names() {
    for version in ["0.1", "0.2", "0.3", "0.4"] {
        let old = changed(|manifest| {
            manifest.as_object_mut().unwrap().remove("manifest_version");
            manifest["dxt_version"] = json!(version);
        });
        assert_eq!(made(&old).open().unwrap().manifest.format_version(), version);
        let new = changed(|manifest| manifest["manifest_version"] = json!(version));
        assert_eq!(made(&new).open().unwrap().manifest.format_version(), version);
    }
}

#[test]
fn what_cannot_be_used_names_the_cause_and_the_next_step() {
    type Case = (fn(&mut Value), &'static str, &'static str);
    let cases: [Case; 11] = [
        (
            |m| m["manifest_version"] = json!("0.9"),
            "It is of version 0.9; this Patchbay reads 0.1 to 0.4.",
            "Update Patchbay",
        ),
        (
            |m| m["manifest_version"] = json!(null),
            "It says no `manifest_version`",
            "Ask the author",
        ),
        (
            |m| m["name"] = json!("a\u{200b}b"),
            "`name` has control characters or invisible ones",
            "Do not use this file",
        ),
        (
            |m| {
                m["server"]["mcp_config"]["platform_overrides"] =
                    json!({ "linux": { "args": ["a\u{202e}b"] } })
            },
            "`server.mcp_config.args` has control characters or invisible ones",
            "Do not use this file",
        ),
        (
            |m| {
                m["server"]["mcp_config"]["platform_overrides"] =
                    json!({ "win32": { "command": "a\u{202e}b" } })
            },
            "`server.mcp_config.command` has control characters or invisible ones",
            "Do not use this file",
        ),
        (
            |m| m["server"]["mcp_config"]["env"]["AT"] = json!("a\u{200b}b"),
            "`server.mcp_config.env` has control characters or invisible ones",
            "Do not use this file",
        ),
        (
            |m| m["user_config"]["level"]["type"] = json!("\u{202e}x"),
            "unknown variant `⟨U+202E⟩x`",
            "Ask the author",
        ),
        (
            |m| m["server"]["type"] = json!("ruby"),
            "Its `server.type` is `ruby`",
            "Ask the author",
        ),
        (
            |m| m["server"]["entry_point"] = json!("no.js"),
            "which the bundle does not have",
            "Ask the author",
        ),
        (
            |m| m["author"] = json!("Ada"),
            "It is not a manifest",
            "Ask the author",
        ),
        (
            |m| m["server"]["mcp_config"]["command"] = json!(" "),
            "command` is empty",
            "Ask the author",
        ),
    ];
    for (change, cause, next) in cases {
        let refused = made(&changed(change)).refusal();
        assert!(refused.contains(cause) && refused.contains(next), "{refused}");
    }
}

#[test]
fn another_system_is_a_reason() {
    let other = changed(|m| m["compatibility"] = json!({ "platforms": ["plan9"] }));
    let reason = made(&other).open().unwrap().manifest.wrong_platform().unwrap();
    assert!(
        reason.starts_with("The bundle is for plan9, not for this system ("),
        "{reason}"
    );
    let all = changed(|m| {
        m["compatibility"] =
            json!({ "platforms": ["linux", "darwin", "win32"], "runtimes": { "node": ">=18" } })
    });
    let bundle = made(&all).open().unwrap();
    assert_eq!(bundle.manifest.wrong_platform(), None);
    assert_eq!(bundle.manifest.runtimes().collect::<Vec<_>>(), [("node", ">=18")]);
}

/// The command and the arguments of a bundle without settings, in `/b/x`.
fn command(server: Value) -> (String, Vec<String>) {
    let plain = changed(|m| {
        m["server"] = server;
        m["user_config"] = json!({});
        m["manifest_version"] = json!("0.4");
    });
    match launched(&made(&plain).open().unwrap(), &json!({}))
        .unwrap()
        .transport
    {
        TransportDraft::Stdio { command, args, .. } => (command, args),
        TransportDraft::Http { .. } => panic!("a program"),
    }
}

#[test]
#[cfg(unix)]
fn each_type_is_run_as_its_manifest_or_its_type_says() {
    let entry_point = "server/index.js";
    let uv = command(json!({ "type": "uv", "entry_point": entry_point }));
    assert_eq!(
        uv,
        (
            "uv".to_owned(),
            ["run", "--directory", "/b/x", "server/index.js"]
                .map(str::to_owned)
                .to_vec()
        )
    );
    let node = command(json!({ "type": "node", "entry_point": entry_point }));
    assert_eq!(node, ("node".to_owned(), vec!["/b/x/server/index.js".to_owned()]));
    let binary = command(
        json!({ "type": "binary", "entry_point": "run.sh", "mcp_config": { "command": "run.sh", "args": ["a"] } }),
    );
    assert_eq!(binary, ("/b/x/run.sh".to_owned(), vec!["a".to_owned()]));
    let binary = command(
        json!({ "type": "binary", "entry_point": "run.sh", "mcp_config": { "command": "${__dirname}/run.sh" } }),
    );
    assert_eq!(binary.0, "/b/x/run.sh");
    let here = if cfg!(target_os = "macos") {
        "darwin"
    } else {
        "linux"
    };
    let overridden = command(
        json!({ "type": "node", "entry_point": entry_point, "mcp_config": {
        "command": "node", "args": ["a"], "platform_overrides": { here: { "args": ["b"] }, "win32": { "command": "node.exe" } } } }),
    );
    assert_eq!(overridden, ("node".to_owned(), vec!["b".to_owned()]));
}

#[test]
fn a_secret_is_not_a_program() {
    let secret = changed(|m| m["server"]["mcp_config"]["command"] = json!("${user_config.api_key}"));
    let values = json!({ "folders": ["/a"], "api_key": "k" });
    let refused = launched(&made(&secret).open().unwrap(), &values).unwrap_err();
    assert!(refused.contains("has a secret setting in it"), "{refused}");
}

#[test]
fn an_error_does_not_repeat_a_long_text() {
    let long = changed(|m| m["author"] = json!("x".repeat(100_000)));
    let refused = made(&long).refusal();
    assert!(refused.len() < 600, "{} bytes", refused.len());
}

#[test]
fn a_command_is_not_taken_apart() {
    let line = changed(|m| {
        m["server"]["mcp_config"] = json!({ "command": "env ${user_config.extra}" });
    });
    let values = json!({ "folders": ["/a"], "api_key": "k", "extra": "x --y" });
    let refused = launched(&made(&line).open().unwrap(), &values).unwrap_err();
    assert!(refused.contains("would be taken apart"), "{refused}");
}
