//! The settings of a server as `servers.json` has them, from the types that hold them and their comments.

use std::collections::BTreeSet;

use patchbay_engine::{Engine, EngineOptions, StoreChoice};
use serde_json::{Map, Value, json};

use crate::client::run_test;
use crate::source::tree;

const SOURCE: &str = "src-tauri/crates/contract/src/server.rs";
const ROOTS: &str = "src-tauri/crates/contract/src/server/roots.rs";
const DEBUGGER: &str = "src-tauri/crates/contract/src/server/debugger.rs";
const FILE_WATCH: &str = "src-tauri/crates/contract/src/server/file_watch.rs";
const AUTHORIZATION: &str = "src-tauri/crates/contract/src/authorization/authorization_draft.rs";
const PAGING: &str = "src-tauri/crates/contract/src/explore/list.rs";
const TRUST: &str = "src-tauri/crates/contract/src/explore/definition.rs";
const AUTOMATIC: &str = "src-tauri/crates/contract/src/server/automatic.rs";
const ADVERTISED: &str = "src-tauri/crates/contract/src/server/advertised.rs";

const EVERY_SERVER: &str = "Every server";
const PROGRAM: &str = "A program";
const URL: &str = "A URL";
const TYPE: &str = "`type` of a URL";
const PROXY: &str = "`proxy`";
const DECLARED: &str = "`advertised`";

/// The sections: title, file, type, what comes before the table.
const SECTIONS: &[(&str, &str, &str, &str)] = &[
    (
        EVERY_SERVER,
        SOURCE,
        "pub struct ServerDraft",
        "In `servers.json`, the members of the transport are beside these, as in the configurations of other hosts.",
    ),
    (PROGRAM, SOURCE, "    Stdio", ""),
    (URL, SOURCE, "    Http", ""),
    ("`era`", SOURCE, "pub enum EraChoice", ""),
    (TYPE, SOURCE, "pub enum HttpKind", ""),
    (PROXY, SOURCE, "pub enum ProxyDraft", "One text:"),
    ("`timeouts`", SOURCE, "pub struct Timeouts", ""),
    (
        "`roots`",
        ROOTS,
        "pub enum RootsRule",
        "An object with one of these as its `type`:",
    ),
    (
        "`roots` with folders",
        ROOTS,
        "    Folders",
        "With the `type` `folders`:",
    ),
    (
        "`authorization`",
        AUTHORIZATION,
        "pub struct AuthorizationDraft",
        "",
    ),
    ("`automatic`", AUTOMATIC, "pub struct AutomaticDraft", ""),
    (
        DECLARED,
        ADVERTISED,
        "pub struct AdvertisedDraft",
        "Whether each capability is declared, if something can answer its requests, and the revision:",
    ),
    ("`fileWatch`", FILE_WATCH, "pub struct FileWatchDraft", ""),
    ("`build` of `fileWatch`", FILE_WATCH, "pub struct BuildDraft", ""),
    ("`debugger`", DEBUGGER, "pub struct DebuggerDraft", ""),
    ("`kind` of `debugger`", DEBUGGER, "pub enum DebuggerKind", ""),
    ("`definitionTrust`", TRUST, "pub enum DefinitionTrust", ""),
    ("`listPaging`", PAGING, "pub enum ListPaging", ""),
    (
        "`limits`",
        "",
        "",
        "[Limits](limits.md) lists them with their defaults and ranges.",
    ),
];

/// A row of the page: a name and its meaning.
type Row = (&'static str, &'static str);

/// What the file writes in another way than the types: section, member, and the rows in place of that of the member.
const IN_FILE: &[(&str, &str, &[Row])] = &[
    // It is the name of the entry.
    (EVERY_SERVER, "name", &[]),
    (
        PROGRAM,
        "env",
        &[(
            "env",
            "Variables set on top of the environment: an object with a text for each name.",
        )],
    ),
    (
        URL,
        "kind",
        &[("type", "The HTTP transport; both are tried if absent.")],
    ),
    (
        URL,
        "headers",
        &[
            (
                "headers",
                "Sent with every request: an object with a text for each name.",
            ),
            (
                "secretHeaders",
                "The names of the headers whose values are masked in the log and omitted from exports. A name that indicates a \
                 secret is masked anyway.",
            ),
        ],
    ),
    (
        URL,
        "proxy",
        &[("proxy", "The proxy; that of Patchbay's settings if absent.")],
    ),
    (
        TYPE,
        "streamableHttp",
        &[("http", "Streamable HTTP (since 2025-03-26).")],
    ),
    (PROXY, "app", &[]),
    (
        PROXY,
        "url",
        &[(
            "http://HOST:PORT",
            "This proxy; also with `https://` or `socks5://`, perhaps with `user:password@`.",
        )],
    ),
    (
        DECLARED,
        "experimentalJson",
        &[(
            "experimental",
            "`experimental`: an object of objects; nothing if absent.",
        )],
    ),
    (
        DECLARED,
        "extensionsJson",
        &[(
            "extensions",
            "`extensions`: an object of objects, declared instead of the extensions that Patchbay supports.",
        )],
    ),
];

/// A program and a URL with every member that an entry may have.
const EXAMPLE: &str = r#"{
  "mcpServers": {
    "a program": {
      "command": "node",
      "args": ["build/index.js"],
      "env": { "LOG_LEVEL": "debug" },
      "cwd": "/srv/server",
      "disabled": true,
      "groups": ["Work"],
      "era": "legacy",
      "timeouts": { "requestMs": 30000 },
      "healthPingMs": 30000,
      "roots": { "type": "folders", "paths": ["/srv/project"] },
      "automatic": { "connect": true },
      "fileWatch": { "on": true, "paths": ["build"] },
      "debugger": { "kind": "node", "port": 9229 },
      "inheritEnvironment": true,
      "advertised": { "sampling": false },
      "limits": { "redirects": 2 }
    },
    "a URL": {
      "url": "https://example.com/mcp",
      "type": "http",
      "headers": { "X-Team": "blue" },
      "secretHeaders": ["X-Team"],
      "proxy": "http://proxy.example.com:3128",
      "caFile": "/etc/ssl/ca.pem",
      "clientCertificate": "/etc/ssl/client.pem",
      "acceptedFingerprint": "abababababababababababababababababababababababababababababababab",
      "authorization": { "scopes": "read" },
      "definitionTrust": "accept",
      "trustAnnotations": true,
      "listPaging": "pageByPage"
    }
  }
}"#;

/// The whole page.
pub(super) fn page() -> String {
    let sections: Vec<String> = SECTIONS
        .iter()
        .map(|(title, file, start, note)| {
            let mut section = format!("\n## {title}\n");
            if !note.is_empty() {
                section += &format!("\n{note}\n");
            }
            if !file.is_empty() {
                let rows = rows(title, file, start);
                assert!(!rows.is_empty(), "{file} has no `{start}` with members");
                let rows: Vec<String> = rows
                    .iter()
                    .map(|(name, meaning)| format!("| `{name}` | {meaning} |\n"))
                    .collect();
                section += &format!("\n| Name | Meaning |\n|---|---|\n{}", rows.concat());
            }
            section
        })
        .collect();
    format!(
        "# Settings of a server\n\nThe dialog of a server has all of them; `servers.json` stores them by the names below, each server under its \
         name in the list (unique, at most 100 characters). What is absent has its default. Unknown members of an entry are kept.\n\nAll members of an entry, in two servers:\n\n```json\n{EXAMPLE}\n```\n{}",
        sections.concat()
    )
}

/// The rows of a section: names as in the file, and meanings.
fn rows(title: &str, file: &str, start: &str) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for (name, meaning) in members(&tree::text(file).unwrap_or_default(), start) {
        match IN_FILE
            .iter()
            .find(|(section, member, _)| *section == title && *member == name)
        {
            Some((_, _, others)) => rows.extend(
                others
                    .iter()
                    .map(|(name, meaning)| ((*name).to_owned(), (*meaning).to_owned())),
            ),
            None => rows.push((name, meaning)),
        }
    }
    rows
}

/// The members or the variants of a type with their meanings.
fn members(text: &str, start: &str) -> Vec<(String, String)> {
    let mut lines = text
        .lines()
        .skip_while(|line| *line != format!("{start} {{"))
        .peekable();
    let Some(first) = lines.next() else {
        return Vec::new();
    };
    let indent = first.len() - first.trim_start().len();
    let inner = " ".repeat(indent + 4);
    let mut comment = String::new();
    let mut rows = Vec::new();
    for line in
        lines.take_while(|line| !(line.trim() == "}" || line.trim() == "},") || line.len() > indent + 2)
    {
        let Some(line) = line
            .strip_prefix(&inner)
            .filter(|line| !line.starts_with([' ', '#', '}']))
        else {
            continue;
        };
        if let Some(words) = line.strip_prefix("///") {
            comment += words;
            continue;
        }
        let name = line.trim_start_matches("pub ");
        let name: String = name
            .chars()
            .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
            .collect();
        let comment = std::mem::take(&mut comment);
        // The transport has sections of its own.
        if name != "transport" {
            let meaning = comment.trim().replace('|', "\\|");
            rows.push((camel_case(&name), meaning));
        }
    }
    rows
}

/// As serde names it.
fn camel_case(name: &str) -> String {
    let mut camel = String::new();
    let mut upper = false;
    for letter in name.chars() {
        match letter {
            '_' => upper = true,
            letter if upper => {
                camel.extend(letter.to_uppercase());
                upper = false;
            }
            letter if camel.is_empty() => camel.extend(letter.to_lowercase()),
            letter => camel.push(letter),
        }
    }
    camel
}

#[test]
fn members_and_variants_are_found() {
    let text = "pub struct A {\n    /// One.\n    #[serde(default)]\n    pub first_of: u32,\n    /// Two\n    /// lines.\n    pub b: u32,\n}\npub enum E {\n    /// Yes.\n    StreamableHttp {\n        /// Inner.\n        url: String,\n    },\n    /// No.\n    None,\n}\n";
    let pairs = |start: &str| members(text, start);
    let pair = |name: &str, meaning: &str| (name.to_owned(), meaning.to_owned());
    assert_eq!(
        pairs("pub struct A"),
        [pair("firstOf", "One."), pair("b", "Two lines.")]
    );
    assert_eq!(
        pairs("pub enum E"),
        [pair("streamableHttp", "Yes."), pair("none", "No.")]
    );
    assert_eq!(pairs("    StreamableHttp"), [pair("url", "Inner.")]);
}

#[test]
fn what_the_file_writes_in_another_way_is_a_member() {
    for (title, member, _) in IN_FILE {
        let (_, file, start, _) = SECTIONS.iter().find(|section| section.0 == *title).unwrap();
        let members = members(&tree::text(file).unwrap(), start);
        assert!(
            members.iter().any(|(name, _)| name == member),
            "{title} has no `{member}`"
        );
    }
}

/// The entries of the example, by name.
fn entries() -> Map<String, Value> {
    let example: Value = serde_json::from_str(EXAMPLE).unwrap();
    example["mcpServers"].as_object().unwrap().clone()
}

#[test]
fn the_example_has_every_member_of_an_entry() {
    let shown: BTreeSet<String> = entries()
        .values()
        .flat_map(|entry| entry.as_object().unwrap().keys().cloned())
        .collect();
    let documented: BTreeSet<String> = SECTIONS
        .iter()
        .filter(|section| [EVERY_SERVER, PROGRAM, URL].contains(&section.0))
        .flat_map(|(title, file, start, _)| rows(title, file, start))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(shown, documented);
}

#[test]
fn every_member_of_the_example_is_read() {
    run_test(async {
        // Each entry as it is, and once without each of its members but the one that makes it a server.
        let mut servers = Map::new();
        let mut without = Vec::new();
        for (name, entry) in entries() {
            for member in entry.as_object().unwrap().keys() {
                if member != "command" && member != "url" {
                    let mut less = entry.clone();
                    less.as_object_mut().unwrap().remove(member);
                    let other = format!("{name} without {member}");
                    servers.insert(other.clone(), less);
                    without.push((name.clone(), other));
                }
            }
            servers.insert(name, entry);
        }
        let folder = tempfile::tempdir().unwrap();
        let file = json!({ "mcpServers": servers }).to_string();
        std::fs::write(folder.path().join("servers.json"), file).unwrap();
        let options = EngineOptions {
            store: StoreChoice::Temporary,
            ..EngineOptions::within(folder.path())
        };
        let engine = Engine::open(options).await.unwrap();
        let info: Value = serde_json::from_str(&engine.call("app_info", "{}").await.unwrap()).unwrap();
        let notices = info["notices"].to_string();
        assert!(!notices.contains("servers.json"), "{notices}");
        let list: Value = serde_json::from_str(&engine.call("server_list", "{}").await.unwrap()).unwrap();
        let settings = |name: &str| {
            let items = list["items"].as_array().unwrap();
            let item = items.iter().find(|item| item["draft"]["name"] == name);
            let mut draft = item.unwrap_or_else(|| panic!("{name} is not read"))["draft"].clone();
            draft["name"] = Value::Null;
            draft
        };
        for (whole, less) in without {
            assert_ne!(settings(&whole), settings(&less), "{less}: nothing reads it");
        }
        let http = settings("a URL");
        assert_eq!(http["transport"]["kind"], "streamableHttp");
        assert_eq!(
            http["transport"]["headers"],
            json!([{"name": "X-Team", "value": "blue", "isSecret": true}])
        );
        assert_eq!(
            http["transport"]["proxy"],
            json!({"type": "url", "url": "http://proxy.example.com:3128"})
        );
        engine.shutdown().await;
    });
}
