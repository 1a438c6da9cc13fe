//! Every link and picture of the pages leads somewhere, every page is in the contents, every picture is taken by the script.

use std::collections::BTreeSet;
use std::path::Path;

use super::{ROOT, page, pages};
use crate::source::tree;

/// The targets of links and pictures outside of code.
fn targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        // Every other part is in backticks.
        let plain: String = line.split('`').step_by(2).collect();
        let mut rest = plain.as_str();
        while let Some((_, after)) = rest.split_once("](") {
            let (target, behind) = after.split_once(')').unwrap_or((after, ""));
            targets.push(target.to_owned());
            rest = behind;
        }
    }
    targets
}

/// The path that a relative link of a page leads to, below the folder of the pages; none if it leaves it.
fn resolved(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The anchors of a page's headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let words = line.trim_start_matches('#').trim().to_lowercase();
            let kept = words
                .chars()
                .filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut complaints = Vec::new();
    let mut checked = 0;
    for from in pages() {
        for target in targets(&page(&from)) {
            checked += 1;
            if target.starts_with("https://") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let to = match path.is_empty() {
                true => Some(from.clone()),
                false => resolved(&from, path),
            };
            let Some(to) = to.filter(|to| tree::root().join(ROOT).join(to).is_file()) else {
                complaints.push(format!("{from}: `{target}` leads nowhere"));
                continue;
            };
            if !anchor.is_empty() && !anchors(&page(&to)).contains(anchor) {
                complaints.push(format!("{from}: {to} has no heading `{anchor}`"));
            }
        }
    }
    for target in targets(&tree::text("README.md").unwrap_or_default()) {
        let path = target.split('#').next().unwrap_or_default();
        if !target.contains("://") && !path.is_empty() && !tree::root().join(path).exists() {
            complaints.push(format!("README.md: `{target}` leads nowhere"));
        }
    }
    assert!(checked > 300, "only {checked} links were found");
    tree::none(&complaints);
}

#[test]
fn the_contents_have_every_page_once() {
    let listed = targets(&page("SUMMARY.md"));
    let once: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    let missing = pages()
        .into_iter()
        .filter(|path| path != "SUMMARY.md" && !once.contains(path))
        .map(|path| format!("{path} is not in SUMMARY.md"));
    tree::none(&missing.collect::<Vec<_>>());
}

#[test]
fn every_picture_is_taken_by_the_script() {
    let script = tree::text("tests/e2e/pictures/screenshots.mjs").unwrap();
    let untaken = tree::files().into_iter().filter_map(|file| {
        let picture = file.strip_prefix("docs/src/pictures/")?;
        let name = Path::new(picture).file_stem()?.to_str()?;
        (!script.contains(&format!("shoot('{name}')")))
            .then(|| format!("{file} is not taken by tests/e2e/pictures/screenshots.mjs"))
    });
    tree::none(&untaken.collect::<Vec<_>>());
}

#[test]
fn links_are_found_and_resolved() {
    let text = "[a](b.md) and `[c](d.md)` ![p](../q.png)\n```\n[e](f.md)\n```\n";
    assert_eq!(targets(text), ["b.md", "../q.png"]);
    assert_eq!(resolved("tasks/a.md", "../q.png").as_deref(), Some("q.png"));
    assert_eq!(resolved("a.md", "../q.png"), None);
    assert!(anchors("## patchbay tools call\n").contains("patchbay-tools-call"));
}
