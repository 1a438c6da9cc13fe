//! The allowed dependencies between packages and UI layers. They match ARCHITECTURE.md; a new one is added in both places,
//! with a reason.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use crate::source::tree;

/// Package → our packages that it may depend on (including tests).
const EDGES: &[(&str, &[&str])] = &[
    ("patchbay-secret", &[]),
    ("patchbay-protocol", &[]),
    ("patchbay-observe", &["patchbay-protocol"]),
    (
        "patchbay-traffic",
        &["patchbay-protocol", "patchbay-observe", "patchbay-secret"],
    ),
    (
        "patchbay-http",
        &["patchbay-protocol", "patchbay-secret", "patchbay-traffic"],
    ),
    (
        "patchbay-transport",
        &[
            "patchbay-protocol",
            "patchbay-secret",
            "patchbay-traffic",
            "patchbay-http",
        ],
    ),
    (
        "patchbay-auth",
        &[
            "patchbay-protocol",
            "patchbay-secret",
            "patchbay-traffic",
            "patchbay-http",
        ],
    ),
    (
        "patchbay-llm",
        &[
            "patchbay-protocol",
            "patchbay-secret",
            "patchbay-traffic",
            "patchbay-http",
        ],
    ),
    ("patchbay-vault", &["patchbay-secret"]),
    (
        "patchbay-client",
        &[
            "patchbay-observe",
            "patchbay-protocol",
            "patchbay-transport",
            "patchbay-traffic",
            // Its tests of what is masked.
            "patchbay-secret",
        ],
    ),
    ("patchbay-demo", &["patchbay-protocol"]),
    ("patchbay-contract", &[]),
    (
        "patchbay-config",
        &["patchbay-contract", "patchbay-protocol", "patchbay-secret"],
    ),
    (
        "patchbay-engine",
        &[
            "patchbay-config",
            "patchbay-secret",
            "patchbay-observe",
            "patchbay-protocol",
            "patchbay-traffic",
            "patchbay-http",
            "patchbay-transport",
            "patchbay-auth",
            "patchbay-llm",
            "patchbay-vault",
            "patchbay-client",
            "patchbay-contract",
        ],
    ),
    (
        "patchbay-cli",
        &["patchbay-engine", "patchbay-contract", "patchbay-demo"],
    ),
    (
        "patchbay-app",
        &["patchbay-engine", "patchbay-contract", "patchbay-demo"],
    ),
    ("patchbay-test-server", &[]),
    (
        "patchbay-it",
        &[
            // Its definition of the command line.
            "patchbay-cli",
            "patchbay-observe",
            "patchbay-client",
            "patchbay-contract",
            "patchbay-engine",
            "patchbay-protocol",
            "patchbay-traffic",
            "patchbay-transport",
            // Its faults of the disk.
            "patchbay-test-server",
        ],
    ),
    (
        "patchbay-bench",
        &[
            "patchbay-observe",
            "patchbay-rmcp",
            "patchbay-protocol",
            "patchbay-traffic",
            "patchbay-transport",
            "patchbay-client",
            "patchbay-engine",
            "patchbay-contract",
        ],
    ),
    ("patchbay-rmcp", &[]),
    // One more front.
    ("patchbay-conformance", &["patchbay-engine", "patchbay-contract"]),
    (
        "patchbay-soak",
        &[
            "patchbay-engine",
            "patchbay-contract",
            "patchbay-traffic",
            "patchbay-protocol",
            // Its faults of the disk.
            "patchbay-test-server",
        ],
    ),
    ("xtask", &[]),
];

/// A library that affects the whole program → the only packages that may use it.
const OWNERS: &[(&str, &[&str])] = &[
    ("rusqlite", &["patchbay-traffic"]),
    ("process-wrap", &["patchbay-transport"]),
    ("webbrowser", &["patchbay-engine"]),
    ("notify", &["patchbay-engine"]),
    ("tauri", &["patchbay-app"]),
    ("tauri-build", &["patchbay-app"]),
    ("hyper", &["patchbay-http", "patchbay-cli"]),
    ("hyper-util", &["patchbay-http", "patchbay-cli"]),
    ("rustls", &["patchbay-http", "patchbay-test-server"]),
    ("tokio-rustls", &["patchbay-http", "patchbay-test-server"]),
    ("reqwest", &[]),
    ("keyring", &["patchbay-vault"]),
    ("keyring-core", &["patchbay-vault"]),
    ("chacha20poly1305", &["patchbay-vault"]),
    ("argon2", &["patchbay-vault"]),
    ("rpassword", &["patchbay-cli"]),
    ("oauth2", &["patchbay-auth"]),
    ("axum", &["patchbay-cli", "patchbay-rmcp"]),
    ("rmcp", &["patchbay-rmcp"]),
    ("zip", &["patchbay-config"]),
];

/// Packages without I/O: no runtime, no sockets.
const NO_TOKIO: &[&str] = &[
    "patchbay-secret",
    "patchbay-protocol",
    "patchbay-observe",
    "patchbay-contract",
    "patchbay-config",
];

struct Package {
    name: String,
    manifest: String,
    dependencies: Vec<Dependency>,
}

struct Dependency {
    name: String,
    ours: bool,
    only_in_tests: bool,
}

fn packages() -> Vec<Package> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(tree::root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "cargo metadata: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let package = |package: &Value| Package {
        name: package["name"].as_str().unwrap().to_owned(),
        manifest: package["manifest_path"].as_str().unwrap().to_owned(),
        dependencies: package["dependencies"]
            .as_array()
            .unwrap()
            .iter()
            .map(dependency)
            .collect(),
    };
    metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(package)
        .collect()
}

fn dependency(value: &Value) -> Dependency {
    Dependency {
        name: value["name"].as_str().unwrap().to_owned(),
        ours: value["path"].is_string(),
        only_in_tests: value["kind"] == "dev",
    }
}

#[test]
fn crates_depend_only_along_the_allowed_edges() {
    let allowed: BTreeMap<_, _> = EDGES.iter().copied().collect();
    let mut complaints = Vec::new();
    for package in packages() {
        let Some(edges) = allowed.get(package.name.as_str()) else {
            complaints.push(format!(
                "`{}` is new: give it its edges in ARCHITECTURE.md and in EDGES",
                package.name
            ));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|dependency| dependency.ours) {
            // A package's own tests may use the scripted server's library.
            let test_server = dependency.only_in_tests && dependency.name == "patchbay-test-server";
            if !edges.contains(&dependency.name.as_str()) && !test_server {
                complaints.push(format!(
                    "`{}` uses `{}`, which ARCHITECTURE.md does not allow: move the code, or pass it in",
                    package.name, dependency.name
                ));
            }
        }
    }
    tree::none(&complaints);
}

#[test]
fn restricted_libraries_are_used_by_their_owners_only() {
    let mut complaints = Vec::new();
    for package in packages() {
        for dependency in &package.dependencies {
            let owner = OWNERS.iter().find(|(library, _)| *library == dependency.name);
            if let Some((library, owners)) = owner
                && !owners.contains(&package.name.as_str())
                && !dependency.only_in_tests
            {
                complaints.push(format!(
                    "`{}` uses `{library}`; only {} may: use its interface instead",
                    package.name,
                    owners.join(", ")
                ));
            }
            if NO_TOKIO.contains(&package.name.as_str())
                && dependency.name == "tokio"
                && !dependency.only_in_tests
            {
                complaints.push(format!("`{}` has no I/O and must not use tokio", package.name));
            }
        }
    }
    tree::none(&complaints);
}

#[test]
fn packages_are_named_after_their_folder() {
    let root = tree::root();
    let mut complaints = Vec::new();
    for package in packages() {
        let manifest = package.manifest.replace('\\', "/");
        let folder = manifest
            .trim_end_matches("/Cargo.toml")
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_owned();
        let inside = manifest
            .strip_prefix(&*root.to_string_lossy())
            .unwrap_or(&manifest)
            .to_owned();
        let expected = match folder.as_str() {
            "xtask" => "xtask".to_owned(),
            "src-tauri" => "patchbay-app".to_owned(),
            "servers" => "patchbay-test-server".to_owned(),
            folder => format!("patchbay-{folder}"),
        };
        if package.name != expected {
            complaints.push(format!(
                "{inside}: the package is `{}`, its folder says `{expected}`",
                package.name
            ));
        }
    }
    tree::none(&complaints);
}

/// Processes are started in one place, so that all are cleaned up.
#[test]
fn only_transport_starts_processes() {
    let allowed = ["src-tauri/crates/transport/", "tests/", "xtask/"];
    let mut complaints = Vec::new();
    for file in tree::files()
        .iter()
        .filter(|file| file.ends_with(".rs") && !allowed.iter().any(|place| file.starts_with(place)))
    {
        if file.contains("/tests") {
            continue;
        }
        for (at, line) in tree::text(file).unwrap().lines().enumerate() {
            if line.contains("process::Command") || line.contains("Command::new(") && !line.contains("clap") {
                complaints.push(format!(
                    "{file}:{}: starts a process; `transport` does that, recorded and cleaned up",
                    at + 1
                ));
            }
        }
    }
    tree::none(&complaints);
}

/// Layer → the layers it may import from, in addition to itself.
const UI_EDGES: &[(&str, &[&str])] = &[
    (
        "main",
        &["app", "panels", "model", "host", "styles", "widgets", "contract"],
    ),
    (
        "app",
        &["panels", "model", "host", "styles", "widgets", "contract"],
    ),
    (
        "panels",
        &["forms", "content", "model", "widgets", "styles", "contract"],
    ),
    ("forms", &["model", "widgets", "styles", "contract"]),
    ("content", &["model", "widgets", "styles", "contract"]),
    ("widgets", &["model", "styles", "contract"]),
    ("model", &["host", "contract"]),
    ("host", &["contract"]),
    ("contract", &[]),
    ("styles", &[]),
];

#[test]
fn ui_layers_import_only_downwards() {
    let mut complaints = Vec::new();
    for file in tree::files() {
        let Some(inside) = file.strip_prefix("ui/src/") else {
            continue;
        };
        if !inside.ends_with(".ts") && !inside.ends_with(".tsx") {
            continue;
        }
        let is_test = inside.contains(".test.");
        for (at, import) in imports(&tree::text(&file).unwrap()) {
            let complain = |what: String| format!("{file}:{at}: {what}");
            if !is_test && (import.starts_with("@tauri-apps") && layer(inside) != "host") {
                complaints.push(complain(
                    "only ui/src/host may use @tauri-apps: use the Host instead".into(),
                ));
            }
            if !import.starts_with('.') {
                continue;
            }
            let target = resolve(inside, &import);
            let (from, to) = (layer(inside), layer(&target));
            if from == to {
                let (one, other) = (panel(inside), panel(&target));
                if from == "panels" && one != other && !is_test {
                    complaints.push(complain(format!(
                        "panel `{one}` imports panel `{other}`: share it in widgets or model"
                    )));
                }
                continue;
            }
            let edges = UI_EDGES
                .iter()
                .find(|(name, _)| *name == from)
                .map_or(&[][..], |(_, edges)| edges);
            if !edges.contains(&to) && !is_test {
                complaints.push(complain(format!(
                    "`{from}` imports `{to}` ({import}): layers go app, panels, model, host, contract"
                )));
            }
        }
    }
    tree::none(&complaints);
}

/// The imports of a module, with line numbers: `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`.
pub(crate) fn imports(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for marker in [" from '", "import '", "import('", "} from '"] {
            if let Some(begin) = line.find(marker) {
                let rest = &line[begin + marker.len()..];
                if let Some(end) = rest.find('\'') {
                    found.push((at + 1, rest[..end].to_owned()));
                    break;
                }
            }
        }
    }
    found
}

/// `panels/tools/ToolList.tsx` + `../../model/tools` → `model/tools`.
pub(crate) fn resolve(from: &str, import: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn layer(inside: &str) -> &str {
    let first = inside.split('/').next().unwrap_or_default();
    first.split('.').next().unwrap_or_default()
}

fn panel(inside: &str) -> &str {
    inside.split('/').nth(1).unwrap_or_default()
}

#[test]
fn imports_are_found_and_resolved() {
    let text = "import { a } from '../../model/x';\nexport * from './y';\nimport './z.css';\nconst w = import('../w');\nconst s = 'from';\n";
    let found: Vec<String> = imports(text).into_iter().map(|(_, import)| import).collect();
    assert_eq!(found, ["../../model/x", "./y", "./z.css", "../w"]);
    assert_eq!(resolve("panels/tools/ToolList.tsx", "../../model/x"), "model/x");
    assert_eq!(layer("main.tsx"), "main");
    assert_eq!(panel("panels/tools/ToolList.tsx"), "tools");
}

/// Every rule in the table is emitted and tested.
#[test]
fn every_lint_rule_is_emitted_and_tested() {
    let table = tree::text("src-tauri/crates/protocol/src/rule.rs").unwrap();
    let rows = table.lines().filter_map(|line| {
        let (name, rest) = line.trim().split_once(" = \"")?;
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        Some((name, rest.split_once('"')?.0)).filter(|_| is_name)
    });
    let (tests, code): (Vec<String>, Vec<String>) = tree::files()
        .into_iter()
        .filter(|file| file.ends_with(".rs") && !file.ends_with("protocol/src/rule.rs"))
        .filter(|file| file.starts_with("src-tauri/") || file.starts_with("tests/"))
        .partition(|file| file.starts_with("tests/") || file.contains("/tests"));
    let read = |files: Vec<String>| {
        files
            .iter()
            .filter_map(|file| tree::text(file))
            .collect::<String>()
    };
    let (tests, code) = (read(tests), read(code));
    let names = |text: &str, name: &str| {
        let path = format!("Rule::{name}");
        text.match_indices(&path).any(|(at, _)| {
            let next = text[at + path.len()..].chars().next();
            !next.is_some_and(char::is_alphanumeric)
        })
    };
    let mut complaints = Vec::new();
    let mut count = 0;
    for (name, id) in rows {
        count += 1;
        if !names(&code, name) {
            complaints.push(format!(
                "nothing emits Rule::{name}: delete its row in protocol/src/rule.rs"
            ));
        }
        if !names(&tests, name) && !tests.contains(id) {
            complaints.push(format!("no test names Rule::{name} or {id}"));
        }
    }
    assert!(count > 80, "{count} rows were read");
    tree::none(&complaints);
}
