//! Packages: which program runs one, and with which arguments.

use std::collections::HashSet;

use serde_json::Value;

use super::{
    document::{InstallKind, InstallOption, hidden, text},
    form::{Element, Fields, Place, member},
};

/// The runner of each kind of package.
const RUNNERS: &[(&str, &str)] = &[
    ("npm", "npx"),
    ("pypi", "uvx"),
    ("oci", "docker"),
    ("docker", "docker"),
    ("nuget", "dnx"),
];

/// A package of a server.
pub(super) fn install_option(package: &Value) -> InstallOption {
    let registry = text(package, &["registryType", "registry_type", "registry_name"]).unwrap_or_default();
    let identifier = text(package, &["identifier", "name"]).unwrap_or_default();
    let version = text(package, &["version"]).unwrap_or_default();
    let mut fields = Fields::default();
    let usual = RUNNERS
        .iter()
        .find(|(name, _)| *name == registry)
        .map(|(_, runner)| *runner);
    let hint = text(package, &["runtimeHint", "runtime_hint"]);
    let command = hint.or_else(|| usual.map(str::to_owned)).unwrap_or_default();
    let runtime = arguments(package, "runtimeArguments", &mut fields);
    let own = arguments(package, "packageArguments", &mut fields);
    let variables = member(package, "environmentVariables").and_then(Value::as_array);
    let env: Vec<Element> = variables
        .into_iter()
        .flatten()
        .filter_map(|variable| fields.keyed(variable, Place::Variable))
        .collect();
    let args = command_line(
        &registry,
        &command,
        runtime,
        &versioned(&registry, &identifier, &version),
        own,
        &env,
    );
    let blocker = blocker(package, &registry, &identifier, usual.is_some()).or_else(|| fields.too_large());
    let mut notes = Vec::new();
    if let Some(base) = text(package, &["registryBaseUrl", "registry_base_url"])
        && !["npmjs.org", "pypi.org", "nuget.org", "docker.io"]
            .iter()
            .any(|usual| base.contains(usual))
    {
        notes.push(format!(
            "The package is in the registry at {base}; `{command}` takes it from the one that it is configured for."
        ));
    }
    InstallOption {
        label: format!("{registry}: {identifier} {version}")
            .trim_end()
            .to_owned(),
        program: blocker.is_none().then(|| command.clone()),
        kind: InstallKind::Program { command, args, env },
        blocker,
        notes,
        fields,
    }
}

fn arguments(package: &Value, name: &str, fields: &mut Fields) -> Vec<Element> {
    let list = member(package, name).and_then(Value::as_array);
    let list = list.into_iter().flatten().filter(|item| item.is_object());
    list.map(|argument| fields.argument(argument)).collect()
}

/// The package as its runner names it.
fn versioned(registry: &str, identifier: &str, version: &str) -> String {
    let has_tag = identifier
        .rsplit('/')
        .next()
        .is_some_and(|last| last.contains([':', '@']));
    match registry {
        _ if version.is_empty() || version == "latest" => identifier.to_owned(),
        "oci" | "docker" if has_tag => identifier.to_owned(),
        "oci" | "docker" => format!("{identifier}:{version}"),
        _ => format!("{identifier}@{version}"),
    }
}

/// The arguments of the runner, the package, and those of the server.
fn command_line(
    registry: &str,
    command: &str,
    runtime: Vec<Element>,
    package: &str,
    own: Vec<Element>,
    env: &[Element],
) -> Vec<Element> {
    let fixed = |words: &[&str]| -> Vec<Element> { words.iter().map(|word| Element::fixed(*word)).collect() };
    let says = |word: &str| {
        runtime
            .iter()
            .any(|element| element.words().iter().any(|one| one == word))
    };
    let mut args = Vec::new();
    match registry {
        "npm" if command == "npx" && !says("-y") && !says("--yes") => args.extend(fixed(&["-y"])),
        "oci" | "docker" if !says("run") => args.extend(fixed(&["run", "-i", "--rm"])),
        _ => {}
    }
    // A container sees no variable that is not named.
    if matches!(registry, "oci" | "docker") {
        let named: HashSet<String> = runtime
            .iter()
            .map(|element| {
                element
                    .value
                    .shown()
                    .split('=')
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect();
        for variable in env {
            if !named.contains(&variable.name) {
                args.extend(fixed(&["-e", &variable.name]));
            }
        }
    }
    // Some list the package among the arguments of its runner.
    let identifier = package.rsplit_once('@').map_or(package, |(name, _)| name);
    let is_there = runtime.iter().any(|element| {
        let shown = element.value.shown();
        shown == package || (!identifier.is_empty() && shown.starts_with(identifier))
    });
    args.extend(runtime);
    if !is_there {
        args.extend(fixed(&[package]));
    }
    if registry == "nuget" {
        args.extend(fixed(&["--yes"]));
        if !own.is_empty() {
            args.extend(fixed(&["--"]));
        }
    }
    args.extend(own);
    args
}

/// Why a package cannot be added, and what to do instead.
fn blocker(package: &Value, registry: &str, identifier: &str, is_known: bool) -> Option<String> {
    let transport = text(&package["transport"], &["type"]).unwrap_or_else(|| "stdio".to_owned());
    let address = text(&package["transport"], &["url"]).unwrap_or_default();
    if registry == "mcpb" {
        let sha256 = text(package, &["fileSha256", "file_sha256"]).unwrap_or_default();
        return Some(format!(
            "It is a bundle. Download {identifier}, then choose the file in “Add a server”{}.",
            match sha256.is_empty() {
                true => String::new(),
                false => format!("; its SHA-256 has to be {sha256}"),
            }
        ));
    }
    if identifier.is_empty() {
        return Some("It names no package. Ask its author for a correct server.json.".to_owned());
    }
    // An option in the place of a package.
    if identifier.starts_with('-') {
        return Some("The name of its package is an option of the program. Do not use it.".to_owned());
    }
    if !is_known {
        return Some(format!(
            "Packages of `{registry}` cannot be run by Patchbay. Install it, then add its command."
        ));
    }
    if transport != "stdio" {
        return Some(format!(
            "The package serves HTTP{}. Start it yourself, then add its URL.",
            if address.is_empty() {
                String::new()
            } else {
                format!(" at {address}")
            }
        ));
    }
    hidden(package)
}
