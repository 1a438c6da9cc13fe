//! Third-party crates: each has a license, a name and a source that `deny.toml` allows.
//!
//! `cargo xtask deny` checks the same with `cargo deny` for every platform; this test needs no additional program and
//! covers the current platform.

use std::process::Command;

use serde_json::Value;

use crate::source::tree;

#[test]
fn every_crate_is_allowed_by_deny_toml() {
    let rules = tree::text("deny.toml").unwrap();
    let licenses = strings_of(&rules, "allow = [");
    let banned = banned_crates(&rules);
    assert!(licenses.len() > 5 && banned.len() > 2, "deny.toml was not read");
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 200, "cargo metadata lists too few packages");
    let mut complaints = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let Some(source) = package["source"].as_str() else {
            continue;
        };
        if !source.starts_with("registry+") {
            complaints.push(format!(
                "`{name}` comes from {source}: only the registry is allowed"
            ));
        }
        let license = package["license"].as_str().unwrap_or("no license");
        if !is_allowed(license, &licenses) {
            complaints.push(format!(
                "`{name}` is under {license}, which deny.toml does not allow"
            ));
        }
        let by_ours = |wrappers: &[String]| {
            packages.iter().any(|user| {
                let user_name = user["name"].as_str().unwrap_or_default();
                let uses = user["dependencies"].as_array().is_some_and(|all| {
                    all.iter()
                        .any(|dependency| dependency["name"] == name && dependency["optional"] == false)
                });
                uses && user["source"].is_null() && !wrappers.iter().any(|wrapper| wrapper == user_name)
            })
        };
        if let Some((_, wrappers)) = banned.iter().find(|(banned, _)| banned == name)
            && (wrappers.is_empty() || by_ours(wrappers))
        {
            complaints.push(format!("`{name}` is banned by deny.toml, which says why"));
        }
    }
    tree::none(&complaints);
}

/// Nothing is sent that was not requested: no package and no program looks for a newer version.
#[test]
fn nothing_looks_for_updates() {
    let lock = tree::text("Cargo.lock").unwrap();
    let configuration: Value =
        serde_json::from_str(&tree::text("src-tauri/tauri.conf.json").unwrap()).unwrap();
    assert!(!lock.contains("\"tauri-plugin-updater\"") && !lock.contains("\"self_update\""));
    assert_eq!(configuration["plugins"]["updater"], Value::Null);
    assert_eq!(configuration["bundle"]["createUpdaterArtifacts"], Value::Null);
}

fn metadata() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1", "--offline", "--locked"]);
    if cfg!(target_os = "linux") {
        command.args(["--filter-platform", &host]);
    }
    let output = command.current_dir(tree::root()).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata: {words}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// An SPDX expression: one of the alternatives must be allowed, with all of its parts.
fn is_allowed(expression: &str, licenses: &[String]) -> bool {
    let plain = expression.replace(['(', ')'], " ").replace('/', " OR ");
    plain.split(" OR ").any(|alternative| {
        alternative
            .split(" AND ")
            .all(|license| licenses.iter().any(|allowed| allowed == license.trim()))
    })
}

/// The strings of a TOML array that starts with `begin`, one per line.
fn strings_of(text: &str, begin: &str) -> Vec<String> {
    let inside = text.split(begin).nth(1).unwrap_or_default();
    let lines = inside.lines().skip(1).take_while(|line| line.trim() != "]");
    lines
        .filter_map(|line| line.split('"').nth(1).map(str::to_owned))
        .collect()
}

/// The banned crates, each with the crates that may still depend on it.
fn banned_crates(text: &str) -> Vec<(String, Vec<String>)> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("{ crate = \""))
        .map(|rest| {
            let name = rest.split('"').next().unwrap_or_default().to_owned();
            let wrappers = rest.split("wrappers = [").nth(1).unwrap_or_default();
            let names = wrappers.split('"').skip(1).step_by(2).map(str::to_owned);
            (name, names.collect())
        })
        .collect()
}

#[test]
fn licenses_are_read() {
    let allowed = ["MIT".to_owned(), "Unicode-3.0".to_owned()];
    assert!(is_allowed("MIT OR Apache-2.0", &allowed));
    assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed));
    assert!(is_allowed("Apache-2.0/MIT", &allowed));
    assert!(!is_allowed("GPL-3.0-only", &allowed));
    assert!(!is_allowed("MIT AND GPL-3.0-only", &allowed));
}
