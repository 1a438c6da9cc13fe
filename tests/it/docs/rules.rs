//! The lint rules: a page for each, the list of all, and their entries in the contents.

use std::collections::BTreeMap;

use patchbay_protocol::{Revision, Rule, Severity};

use super::RULES;

/// The last entry of the contents that is written by hand; the rules are below it.
const LAST: &str = "- [Lint rules](reference/lint-rules.md)\n";

/// The page of each rule, and the list of all.
pub(super) fn pages() -> BTreeMap<String, String> {
    let mut pages: BTreeMap<String, String> =
        Rule::ALL.iter().map(|rule| (path(*rule), page(*rule))).collect();
    pages.insert("reference/lint-rules.md".to_owned(), list());
    pages
}

/// The contents with the rules at their end.
pub(super) fn summary(contents: &str) -> String {
    let (head, _) = contents
        .split_once(LAST)
        .expect("docs/src/SUMMARY.md must have the entry of the lint rules");
    let mut rules: Vec<Rule> = Rule::ALL.to_vec();
    rules.sort_by_key(|rule| rule.id());
    let entries: Vec<String> = rules
        .iter()
        .map(|rule| format!("  - [{}]({})\n", rule.id(), path(*rule)))
        .collect();
    format!("{head}{LAST}{}", entries.concat())
}

fn path(rule: Rule) -> String {
    format!("{RULES}{}.md", rule.id())
}

fn severity(rule: Rule) -> (&'static str, &'static str) {
    match rule.severity() {
        Severity::Error => (
            "Error",
            "It violates a MUST of the specification, or cannot be decoded.",
        ),
        Severity::Warning => (
            "Warning",
            "It violates a SHOULD of the specification, or is known to break some hosts.",
        ),
    }
}

/// What `patchbay check` makes of it.
fn checked(rule: Rule) -> &'static str {
    match rule.severity() {
        _ if rule.is_live_only() => {
            " It is found on a live connection only: a recording does not have what is needed, so `patchbay check` does not report it."
        }
        Severity::Error => " `patchbay check` exits with 6.",
        Severity::Warning => "",
    }
}

fn page(rule: Rule) -> String {
    let id = rule.id();
    let (severity, meaning) = severity(rule);
    let checked = checked(rule);
    let clauses: Vec<String> = Revision::ALL
        .into_iter()
        .map(|revision| match rule.applies(revision) {
            true => format!("| {revision} | [clause]({}) |\n", rule.spec(Some(revision))),
            false => format!("| {revision} | has no such rule |\n"),
        })
        .collect();
    format!(
        "# {id}\n\n{}\n\n**{severity}.** {meaning}{checked}\n\n| Revision | Specification |\n|---|---|\n{}\n\
         Records that break it: `rule:{id}` in the [filter of the log](../../tasks/find-a-message.md).\n",
        rule.title(),
        clauses.concat()
    )
}

fn list() -> String {
    let rows: Vec<String> = Rule::ALL
        .iter()
        .map(|rule| {
            let id = rule.id();
            let title = rule.title().replace('|', "\\|");
            let live = if rule.is_live_only() { " *Live only.*" } else { "" };
            format!(
                "| [`{id}`](rules/{id}.md) | {} | {title}{live} |\n",
                severity(*rule).0
            )
        })
        .collect();
    format!(
        "# Lint rules\n\nPatchbay checks every message, live and recorded. A message that breaks a rule is shown and recorded like any \
         other; `has:violation` in the filter of the log finds them all, and `patchbay check FILE` lists them for a recording, \
         except for the rules that are marked as *Live only*: the transport, limits of the client, lists of several pages and the \
         schemas of tools are not in the single messages. The ids never change.\n\n| Rule | Severity | |\n|---|---|---|\n{}",
        rows.concat()
    )
}

#[test]
fn every_rule_has_a_page_with_its_clause() {
    for rule in Rule::ALL {
        let text = super::page(&path(*rule));
        assert!(text.starts_with(&format!("# {}\n", rule.id())), "{}", rule.id());
        assert!(
            text.contains("https://modelcontextprotocol.io/specification/"),
            "{}",
            rule.id()
        );
    }
}
