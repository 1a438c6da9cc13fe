//! Style sheets: a class that a component names is defined in the sheet that it imports (Vite says nothing about one that is not), and
//! sizes of text are those of the settings.

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
