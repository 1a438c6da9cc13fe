//! No message that the official schemas allow is accused: every request, notification and result, in every revision and in
//! both directions.

use patchbay_protocol::{Revision, Severity, shapes};
use serde_json::Value;

use super::*;
use crate::random::Random;

/// How many of each type are made.
const EACH: u64 = 60;
/// All messages with a method.
const UNIONS: [&str; 4] = [
    "ClientRequest",
    "ClientNotification",
    "ServerRequest",
    "ServerNotification",
];
/// Results, which have no method.
const RESULTS: [(&str, &str); 17] = [
    ("InitializeResult", "initialize"),
    ("DiscoverResult", "server/discover"),
    ("ListToolsResult", "tools/list"),
    ("CallToolResult", "tools/call"),
    ("ListResourcesResult", "resources/list"),
    ("ListResourceTemplatesResult", "resources/templates/list"),
    ("ReadResourceResult", "resources/read"),
    ("ListPromptsResult", "prompts/list"),
    ("GetPromptResult", "prompts/get"),
    ("CompleteResult", "completion/complete"),
    ("ListTasksResult", "tasks/list"),
    ("GetTaskResult", "tasks/get"),
    ("CancelTaskResult", "tasks/cancel"),
    ("CreateMessageResult", "sampling/createMessage"),
    ("ElicitResult", "elicitation/create"),
    ("ListRootsResult", "roots/list"),
    ("EmptyResult", "ping"),
];

fn schemas() -> Option<Schemas> {
    let named = std::env::var_os("PATCHBAY_SPEC_DIR").map(std::path::PathBuf::from);
    let folder = named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec"));
    let read = Schemas::read(&folder);
    if read.is_none() {
        // Bypasses libtest's capture, which hides the output of passing tests.
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!(
                "SKIPPED what the official schemas allow: they are not in {}; set PATCHBAY_SPEC_DIR\n",
                folder.display()
            ),
        );
    }
    read
}

fn names(schemas: &Schemas, revision: &str, union: &str) -> Vec<String> {
    let Some(union) = schemas.0[revision].get(union) else {
        return Vec::new();
    };
    let one = std::slice::from_ref(union);
    let all = union["anyOf"].as_array().map_or(one, Vec::as_slice);
    let name = |each: &Value| Some(each["$ref"].as_str()?.rsplit('/').next()?.to_owned());
    all.iter().filter_map(name).collect()
}

#[test]
fn no_message_that_the_official_schemas_allow_is_accused() {
    let Some(schemas) = schemas() else { return };
    let mut checked = 0;
    let mut accused = std::collections::BTreeMap::new();
    for text in REVISIONS {
        let revision = Revision::parse(text).unwrap();
        let mut judge = |name: &str, found: Vec<patchbay_protocol::Violation>, whole: &Value| {
            checked += 1;
            for violation in found {
                if violation.rule.severity() == Severity::Error {
                    let at = violation.pointer.unwrap_or_default();
                    let at: Vec<&str> = at
                        .split('/')
                        .filter(|part| part.parse::<usize>().is_err())
                        .collect();
                    let what = format!("{text} {name} {}: {}", at.join("/"), violation.rule.id());
                    accused
                        .entry(what)
                        .or_insert_with(|| format!("{} in {whole}", violation.message));
                }
            }
        };
        let made = |name: &str, number: u64| -> Value {
            let mut random = Random::new(7, number);
            let mut written = schemas.make(text, name, &mut random).written();
            // What the schemas say in words only.
            if name == "ListRootsResult" {
                written = written.replace("https://example.test/", "file:///");
            }
            serde_json::from_str(&written).unwrap()
        };
        for name in UNIONS.iter().flat_map(|union| names(&schemas, text, union)) {
            for number in 0..EACH {
                let message = made(&name, number);
                let method = message["method"].as_str().unwrap();
                let params = message.get("params").map(Value::to_string);
                judge(
                    &name,
                    shapes::params(revision, method, params.as_deref()),
                    &message,
                );
            }
        }
        for (name, method) in RESULTS.iter().filter(|(name, _)| schemas.has(text, name)) {
            for number in 0..EACH {
                let result = made(name, number);
                judge(
                    name,
                    shapes::result(revision, method, &result.to_string()),
                    &result,
                );
            }
        }
    }
    assert!(checked > 5_000, "{checked}");
    assert!(accused.is_empty(), "{checked} checked: {accused:#?}");
}
