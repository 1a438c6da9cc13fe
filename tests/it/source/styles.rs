//! Style sheets: a class that a component names is defined in the sheet that it imports (Vite says nothing about one that is not), and
//! sizes of text are those of the settings. Names and values in columns have one style sheet.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::source::tree;

#[test]
fn classes_that_components_name_are_defined() {
    let mut sheets = 0;
    let mut undefined = Vec::new();
    for file in tree::files() {
        if !file.starts_with("ui/src/") || !(file.ends_with(".ts") || file.ends_with(".tsx")) {
            continue;
        }
        let code = tree::text(&file).unwrap_or_default();
        for (name, sheet) in imports(&code) {
            let path = beside(&file, sheet);
            let css = tree::text(&path).unwrap_or_default();
            let defined = classes(&css);
            sheets += 1;
            for class in members(&code, name) {
                if !defined.contains(class) {
                    undefined.push(format!(
                        "{file} names the class `{class}`, which {path} does not define"
                    ));
                }
            }
        }
    }
    assert!(sheets > 50, "only {sheets} imports of style sheets were found");
    tree::none(&undefined);
}

/// The properties whose sizes follow the chosen font size.
const SIZED: &[&str] = &["font-size", "line-height"];

#[test]
fn font_sizes_and_line_heights_are_tokens() {
    let mut sheets = 0;
    let mut fixed = Vec::new();
    for file in tree::files() {
        if !file.starts_with("ui/src/") || !file.ends_with(".css") || file.ends_with("/tokens.css") {
            continue;
        }
        sheets += 1;
        for line in tree::text(&file).unwrap_or_default().lines() {
            let Some((property, value)) = line.trim().split_once(": ") else {
                continue;
            };
            let px = value.contains("px") && !value.contains("var(--pb-");
            if SIZED.contains(&property) && px {
                fixed.push(format!(
                    "{file}: `{property}: {value}` is not one of the sizes in styles/tokens.css"
                ));
            }
        }
    }
    assert!(sheets > 50, "only {sheets} style sheets were found");
    tree::none(&fixed);
}

/// The one layout of names and values.
const FACTS: &str = "ui/src/widgets/facts/Facts.module.css";

#[test]
fn names_and_values_are_laid_out_by_one_component() {
    let mut sheets = 0;
    let mut copies = Vec::new();
    for file in tree::files() {
        if !file.starts_with("ui/src/") || !file.ends_with(".module.css") || file == FACTS {
            continue;
        }
        sheets += 1;
        for name in description_lists(&tree::text(&file).unwrap_or_default()) {
            copies.push(format!(
                "{file}: `{name}` puts names and values of a `dl` in columns; that is what `<Facts>` is for"
            ));
        }
    }
    assert!(sheets > 50, "only {sheets} style sheets were found");
    let found = description_lists(&tree::text(FACTS).unwrap_or_default());
    assert_eq!(found, BTreeSet::from([".facts".to_owned()]));
    tree::none(&copies);
}

#[test]
fn columns_of_names_and_values_are_found() {
    for css in [
        ".a { display: grid; } .a dt { color: red; }",
        ".a { display: inline-grid; } .b, .a > dd { margin: 0; }",
        "@media print { .a { margin: 0; display: grid } .a dd.b { color: red } }",
        ".a div { display: flex; } .a dt { width: 120px; }",
        "dl.a { display: grid; }",
        "/* } */ .a { gap: 2px; } .a dl { margin: 0; display: grid; }",
    ] {
        assert_eq!(description_lists(css).len(), 1, "{css}");
    }
    for css in [
        ".a { display: grid; } .b dt { font-weight: 500; }",
        ".a { display: block; } .a dd { margin: 0; }",
        ".a { display: grid; } .a > [role='alert'] > dl { margin: 0; }",
        ".a { display: grid; } .a .dt { margin: 0; }",
    ] {
        assert_eq!(description_lists(css).len(), 0, "{css}");
    }
}

/// The classes of a style sheet that put names and values in columns: they are in selectors of a `dt` or `dd`, and in one that has a
/// grid or flexible rows. And each selector of a `dl` that has them.
fn description_lists(css: &str) -> BTreeSet<String> {
    let mut arranged = BTreeSet::new();
    let mut described = BTreeSet::new();
    let mut found = BTreeSet::new();
    for (selectors, declarations) in rules(css) {
        let columns = declarations
            .split(';')
            .filter_map(|each| each.split_once(':'))
            .any(|(property, value)| {
                property.trim() == "display" && (value.contains("grid") || value.contains("flex"))
            });
        for selector in selectors.split(',').map(str::trim) {
            let mut parts = selector.split([' ', '>', '+', '~']);
            let classes = parts
                .clone()
                .filter(|part| part.starts_with('.'))
                .map(str::to_owned);
            let element = parts.next_back().map_or("", word);
            if columns && element == "dl" {
                found.insert(selector.to_owned());
            } else if columns {
                arranged.extend(classes.clone());
            }
            if element == "dt" || element == "dd" {
                described.extend(classes);
            }
        }
    }
    found.extend(arranged.intersection(&described).cloned());
    found
}

/// The rules of a style sheet: their selectors, and their declarations. Those in a condition are among them.
fn rules(css: &str) -> Vec<(String, String)> {
    let mut text = String::new();
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        text.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let mut rules = Vec::new();
    for (at, _) in text.match_indices('{') {
        let before = text[..at].rsplit(['{', '}', ';']).next().unwrap_or_default();
        let after = text[at + 1..].split(['{', '}']).next().unwrap_or_default();
        rules.push((before.trim().to_owned(), after.to_owned()));
    }
    rules
}

/// The style sheets that a file imports, with the names it gives them.
fn imports(code: &str) -> impl Iterator<Item = (&str, &str)> {
    code.lines().filter_map(|line| {
        let (name, path) = line.strip_prefix("import ")?.split_once(" from '")?;
        let path = path.strip_suffix("';")?;
        path.ends_with(".module.css").then_some((name, path))
    })
}

/// A path relative to the folder of a file, as one in the tree.
fn beside(file: &str, relative: &str) -> String {
    let mut path = PathBuf::from(file);
    path.pop();
    for part in Path::new(relative).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    path.to_string_lossy().replace('\\', "/")
}

/// The classes in a style sheet.
fn classes(css: &str) -> BTreeSet<&str> {
    words_after(css, ".").collect()
}

/// The members of an object that code reads.
fn members<'a>(code: &'a str, object: &str) -> BTreeSet<&'a str> {
    let before = |at: usize| code[..at].chars().next_back();
    let dotted = format!("{object}.");
    let found = code.match_indices(&dotted).filter_map(|(at, _)| {
        let is_part = before(at).is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '/'));
        let member = word(&code[at + dotted.len()..]);
        (!is_part && !member.is_empty()).then_some(member)
    });
    found.collect()
}

fn words_after<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(mark)
        .map(move |(at, _)| word(&text[at + mark.len()..]))
        .filter(|word| !word.is_empty())
}

/// The word at the beginning of a text.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
    &text[..end.unwrap_or(text.len())]
}
