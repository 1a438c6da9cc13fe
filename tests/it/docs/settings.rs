//! The settings of a server, from the types that hold them and their comments.

use crate::source::tree;

const SOURCE: &str = "src-tauri/crates/contract/src/server.rs";
const ROOTS: &str = "src-tauri/crates/contract/src/server/roots.rs";
const DEBUGGER: &str = "src-tauri/crates/contract/src/server/debugger.rs";
const FILE_WATCH: &str = "src-tauri/crates/contract/src/server/file_watch.rs";
const AUTHORIZATION: &str = "src-tauri/crates/contract/src/authorization/authorization_draft.rs";
const PAGING: &str = "src-tauri/crates/contract/src/explore/list.rs";
const TRUST: &str = "src-tauri/crates/contract/src/explore/definition.rs";

/// The sections: title, file, type, what comes before the table.
const SECTIONS: &[(&str, &str, &str, &str)] = &[
    (
        "Every server",
        SOURCE,
        "pub struct ServerDraft",
        "In `servers.json`, the members of the transport are beside these, as in the configurations of other hosts.",
    ),
    ("A program", SOURCE, "    Stdio", ""),
    ("A URL", SOURCE, "    Http", ""),
    ("`era`", SOURCE, "pub enum EraChoice", ""),
    ("`kind` of a URL", SOURCE, "pub enum HttpKind", ""),
    ("`headers`", SOURCE, "pub struct HttpHeader", ""),
    ("`proxy`", SOURCE, "pub enum ProxyDraft", ""),
    ("`timeouts`", SOURCE, "pub struct Timeouts", ""),
    ("`roots`", ROOTS, "pub enum RootsRule", ""),
    (
        "`authorization`",
        AUTHORIZATION,
        "pub struct AuthorizationDraft",
        "",
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
                let rows = members(&tree::text(file).unwrap_or_default(), start);
                assert!(!rows.is_empty(), "{file} has no `{start}` with members");
                section += &format!("\n| Name | Meaning |\n|---|---|\n{}", rows.concat());
            }
            section
        })
        .collect();
    format!(
        "# Settings of a server\n\nThe dialog of a server has all of them; `servers.json` stores them by the names below. What is absent has \
         its default. Unknown members of an entry are kept.\n{}",
        sections.concat()
    )
}

/// The members or the variants of a type, as rows.
fn members(text: &str, start: &str) -> Vec<String> {
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
            rows.push(format!("| `{}` | {meaning} |\n", camel_case(&name)));
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
    assert_eq!(
        members(text, "pub struct A"),
        ["| `firstOf` | One. |\n", "| `b` | Two lines. |\n"]
    );
    assert_eq!(
        members(text, "pub enum E"),
        ["| `streamableHttp` | Yes. |\n", "| `none` | No. |\n"]
    );
    assert_eq!(members(text, "    StreamableHttp"), ["| `url` | Inner. |\n"]);
}
