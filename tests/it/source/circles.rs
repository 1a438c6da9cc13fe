//! Import cycles: files of one crate, or of the UI, that import each other.
//!
//! A cycle of two or three files is acceptable. A wider one cannot be understood file by file, so it fails here.
//! Deliberately not here: which crate or layer may import which (see `architecture`).

use std::collections::{BTreeMap, BTreeSet};

use crate::{source::architecture, source::tree};

/// The maximum number of files in a cycle.
const WIDEST: usize = 3;

/// The imports: file → files.
type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_import_circle_is_wide() {
    let mut complaints = Vec::new();
    for root in rust_roots() {
        complaints.extend(wide_circles(&rust_graph(&root), WIDEST));
    }
    complaints.extend(wide_circles(&ui_graph(), WIDEST));
    tree::none(&complaints);
}

fn wide_circles(graph: &Graph, widest: usize) -> Vec<String> {
    let wide = circles(graph).into_iter().filter(|circle| circle.len() > widest);
    wide.map(|circle| {
        let arrows: Vec<String> = circle
            .iter()
            .map(|file| {
                let inside: Vec<&str> = graph[file]
                    .iter()
                    .filter(|target| circle.contains(*target))
                    .map(String::as_str)
                    .collect();
                format!("{file} -> {}", inside.join(", "))
            })
            .collect();
        format!(
            "{} files import each other in a ring; move the shared part into a separate file:\n    {}",
            circle.len(),
            arrows.join("\n    ")
        )
    })
    .collect()
}

/// The strongly connected components of more than one file (Tarjan would be faster; the graphs are small).
fn circles(graph: &Graph) -> Vec<BTreeSet<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|file| (file, reachable(graph, file))).collect();
    let mut seen: BTreeSet<&String> = BTreeSet::new();
    let mut found = Vec::new();
    for file in graph.keys() {
        if seen.contains(file) {
            continue;
        }
        let circle: BTreeSet<String> = reach[file]
            .iter()
            .filter(|other| reach.get(**other).is_some_and(|back| back.contains(file)))
            .map(|other| (*other).clone())
            .collect();
        if circle.len() > 1 {
            seen.extend(graph.keys().filter(|file| circle.contains(*file)));
            found.push(circle);
        }
    }
    found
}

fn reachable<'a>(graph: &'a Graph, from: &String) -> BTreeSet<&'a String> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&String> = graph[from].iter().collect();
    while let Some(file) = open.pop() {
        if found.insert(file)
            && let Some(targets) = graph.get(file)
        {
            open.extend(targets);
        }
    }
    found
}

/// The `src` folder of every package.
fn rust_roots() -> Vec<String> {
    let files = tree::files();
    files
        .iter()
        .filter_map(|file| file.strip_suffix("Cargo.toml"))
        .map(|folder| format!("{folder}src/"))
        .filter(|src| files.iter().any(|file| file.starts_with(src.as_str())))
        .collect()
}

/// One file of a crate: its module path (`["actor", "incoming"]`), and its text without tests and comments.
struct Module {
    path: Vec<String>,
    text: String,
}

fn rust_graph(src: &str) -> Graph {
    let mut modules: BTreeMap<String, Module> = BTreeMap::new();
    for file in tree::files() {
        let Some(inside) = file.strip_prefix(src).and_then(|rest| rest.strip_suffix(".rs")) else {
            continue;
        };
        let path: Vec<String> = inside
            .split('/')
            .map(str::to_owned)
            .filter(|part| part != "mod")
            .collect();
        if path.iter().any(|part| part == "tests") || src.starts_with("tests/") && inside.starts_with("bin/")
        {
            continue;
        }
        let is_root = path.len() == 1 && matches!(path[0].as_str(), "lib" | "main");
        let path = if is_root { Vec::new() } else { path };
        let text = without_tests(&tree::text(&file).unwrap_or_default());
        modules.insert(file, Module { path, text });
    }
    let by_path: BTreeMap<Vec<String>, String> = modules
        .iter()
        .map(|(file, module)| (module.path.clone(), file.clone()))
        .collect();
    let mut graph = Graph::new();
    for (file, module) in &modules {
        let targets = graph.entry(file.clone()).or_default();
        // A crate's root declares its modules, which does not count as an import.
        if module.path.is_empty() {
            continue;
        }
        for path in mentioned(module, &by_path) {
            let target = resolve(&path, &modules, &by_path, 0);
            if let Some(target) = target.filter(|target| target != file) {
                targets.insert(target);
            }
        }
    }
    graph
}

/// The file that defines a path: its longest module prefix; if that re-exports the name, the file behind it.
fn resolve(
    path: &[String],
    modules: &BTreeMap<String, Module>,
    by_path: &BTreeMap<Vec<String>, String>,
    depth: usize,
) -> Option<String> {
    let length = (0..=path.len())
        .rev()
        .find(|length| by_path.contains_key(&path[..*length]))?;
    let file = &by_path[&path[..length]];
    let Some(name) = path.get(length).filter(|_| depth < 4) else {
        return Some(file.clone());
    };
    let module = &modules[file];
    let behind = uses(&module.text)
        .into_iter()
        .filter(|used| used.last() == Some(name))
        .filter_map(|used| absolute(&used, module, by_path))
        .find(|used| used.len() > 1 || by_path.contains_key(used));
    match behind {
        Some(behind) => resolve(&behind, modules, by_path, depth + 1),
        None => Some(file.clone()),
    }
}

/// Every path of this crate that a module uses, from the crate's root.
fn mentioned(module: &Module, by_path: &BTreeMap<Vec<String>, String>) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = declarations(&module.text)
        .filter(|(public, _)| !public)
        .flat_map(|(_, declaration)| expanded(declaration))
        .collect();
    found.extend(inline_paths(&module.text));
    found
        .iter()
        .filter_map(|path| absolute(path, module, by_path))
        .collect()
}

fn absolute(
    path: &[String],
    module: &Module,
    by_path: &BTreeMap<Vec<String>, String>,
) -> Option<Vec<String>> {
    let first = path.first()?;
    match first.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([&module.path, &path[1..]].concat()),
        "super" => {
            let ups = path.iter().take_while(|part| *part == "super").count();
            let kept = module.path.len().checked_sub(ups)?;
            Some([&module.path[..kept], &path[ups..]].concat())
        }
        _ => {
            // A child module, named without `self`.
            let child = [&module.path[..], std::slice::from_ref(first)].concat();
            by_path
                .contains_key(&child)
                .then(|| [&module.path, path].concat())
        }
    }
}

/// The paths of all `use` declarations, braces expanded.
fn uses(text: &str) -> Vec<Vec<String>> {
    declarations(text)
        .flat_map(|(_, declaration)| expanded(declaration))
        .collect()
}

/// All `use` declarations, and whether each is a re-export (`pub use`).
fn declarations(text: &str) -> impl Iterator<Item = (bool, &str)> {
    text.match_indices("use ").filter_map(move |(at, _)| {
        let before = text[..at].rsplit('\n').next().unwrap_or_default().trim();
        let public = before.starts_with("pub");
        let declaration = text[at + 4..].split(';').next()?;
        (before.is_empty() || public).then_some((public, declaration))
    })
}

fn expanded(declaration: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    expand(declaration, &[], &mut found);
    found
}

fn expand(tree: &str, prefix: &[String], found: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    if let Some(open) = tree.find('{') {
        let mut path = prefix.to_vec();
        path.extend(parts(&tree[..open]));
        let inside = tree[open + 1..].rsplit_once('}').map_or("", |(inside, _)| inside);
        for branch in branches(inside) {
            expand(branch, &path, found);
        }
    } else if !tree.is_empty() {
        let mut path = prefix.to_vec();
        path.extend(parts(tree.split(" as ").next().unwrap_or_default()));
        path.retain(|part| part != "*");
        if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
            path.pop();
        }
        found.push(path);
    }
}

fn parts(path: &str) -> Vec<String> {
    path.split("::")
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The branches of a use tree, split at the commas of this level.
fn branches(inside: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let mut begin = 0;
    let mut found = Vec::new();
    for (at, character) in inside.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&inside[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.push(&inside[begin..]);
    found
}

/// Paths within code: `crate::a::b`, `super::c`, `child::d`.
fn inline_paths(text: &str) -> Vec<Vec<String>> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("::") {
        let begin = rest[..at].rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
        let length = rest[at..]
            .find(|c: char| !is_word(c) && c != ':')
            .unwrap_or(rest.len() - at);
        let path = &rest[begin..at + length];
        let path = parts(path);
        if begin < at && path.len() > 1 {
            found.push(path);
        }
        rest = &rest[at + length.max(2)..];
    }
    found
}

/// The text up to its tests, without comments.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        if line.starts_with("#[cfg(test)]") {
            break;
        }
        let code = line.split("//").next().unwrap_or_default();
        kept.push_str(code);
        kept.push('\n');
    }
    kept
}

fn ui_graph() -> Graph {
    let files: BTreeSet<String> = tree::files()
        .into_iter()
        .filter_map(|file| file.strip_prefix("ui/src/").map(str::to_owned))
        .filter(|file| file.ends_with(".ts") || file.ends_with(".tsx"))
        .filter(|file| !file.contains(".test.") && !file.contains("/generated/"))
        .collect();
    let mut graph = Graph::new();
    for file in &files {
        let targets = graph.entry(file.clone()).or_default();
        let text = tree::text(&format!("ui/src/{file}")).unwrap_or_default();
        for (_, import) in architecture::imports(&text) {
            if !import.starts_with('.') {
                continue;
            }
            let target = architecture::resolve(file, &import);
            let named = ["", ".ts", ".tsx", "/index.ts"]
                .iter()
                .map(|end| format!("{target}{end}"))
                .find(|name| files.contains(name) && name != file);
            targets.extend(named);
        }
    }
    graph
}

#[test]
fn rings_are_found() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry((*from).into()).or_default().insert((*to).into());
            graph.entry((*to).into()).or_default();
        }
        graph
    };
    let ring = graph(&[("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("d", "e")]);
    let found = circles(&ring);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].iter().cloned().collect::<String>(), "abcd");
    assert_eq!(wide_circles(&ring, WIDEST).len(), 1);
    let small = graph(&[("a", "b"), ("b", "c"), ("c", "a")]);
    assert!(wide_circles(&small, WIDEST).is_empty());
    assert!(circles(&graph(&[("a", "b"), ("b", "c")])).is_empty());
}

#[test]
fn paths_of_rust_are_read() {
    let mut found = Vec::new();
    expand("crate::{a::{self, B}, c::D as E, super_::*}", &[], &mut found);
    let found: Vec<String> = found.iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["crate::a", "crate::a::B", "crate::c::D", "crate::super_"]);
    let inline: Vec<String> = inline_paths("let x = crate::a::b(super::C, y);")
        .iter()
        .map(|path| path.join("::"))
        .collect();
    assert_eq!(inline, ["crate::a::b", "super::C"]);
}
