use std::path::PathBuf;

use super::*;

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|one| (*one).to_owned()).collect()
}

/// A folder with `src/a.py`.
fn project() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    std::fs::create_dir(path.join("src")).unwrap();
    std::fs::write(path.join("src/a.py"), "").unwrap();
    (folder, path)
}

#[test]
fn what_tools_write_is_not_watched_but_what_is_chosen_is() {
    let (_folder, path) = project();
    for name in ["target", "node_modules"] {
        std::fs::create_dir(path.join(name)).unwrap();
    }
    let scope = Scope::find(&texts(&["."]), &[], &path).unwrap();
    for file in ["a.py", "src/a.py", "src/deep/er/a.py", ".env", "src/targets/x"] {
        assert!(scope.has(&path.join(file), false), "{file}");
    }
    for file in [
        ".git/index",
        "src/node_modules/x/index.js",
        "target/debug/x",
        "src/__pycache__/a.cpython-313.pyc",
        ".venv/bin/python",
        "src/.a.py.swp",
        "src/4913",
        "src/a.py~",
        "src/.#a.py",
        "src/#a.py#",
    ] {
        assert!(!scope.has(&path.join(file), false), "{file}");
    }
    assert!(!scope.has(&path.join("target"), true));
    assert!(!scope.has(&path, true), "the folder itself is not a change in it");
    // Chosen, it is watched whatever its name is.
    let chosen = Scope::find(&texts(&["target", "node_modules"]), &[], &path).unwrap();
    assert!(chosen.has(&path.join("target/debug/x"), false));
    assert!(!chosen.has(&path.join("src/a.py"), false));
}

#[test]
fn patterns_are_those_of_gitignore() {
    let (_folder, path) = project();
    let ignored = texts(&["dist/", "*.log", "/data", "!target"]);
    let scope = Scope::find(&texts(&["."]), &ignored, &path).unwrap();
    assert!(!scope.has(&path.join("dist/index.js"), false));
    assert!(!scope.has(&path.join("dist"), true));
    assert!(!scope.has(&path.join("src/x.log"), false));
    assert!(!scope.has(&path.join("data/x"), false));
    assert!(scope.has(&path.join("src/data/x"), false));
    assert!(scope.has(&path.join("target/x"), false), "`!` watches it again");
    let wrong = Scope::find(&texts(&["."]), &texts(&["a[z-a]"]), &path).unwrap_err();
    assert!(matches!(wrong, Problem::Failed { cause, .. } if cause.contains("a[z-a]")));
}

#[test]
fn a_file_is_watched_alone_and_paths_are_shown_relative() {
    let (_folder, path) = project();
    let scope = Scope::find(&texts(&["src/a.py"]), &[], &path).unwrap();
    assert!(scope.has(&path.join("src/a.py"), false));
    assert!(!scope.has(&path.join("src/b.py"), false));
    assert_eq!(scope.shown(&path.join("src/a.py")), "src/a.py");
    assert_eq!(scope.shown(Path::new("/else/where")), "/else/where");
}

#[test]
fn what_is_gone_or_replaced_is_noticed() {
    let (_folder, path) = project();
    let missing = Scope::find(&texts(&["src", "lib"]), &[], &path).unwrap_err();
    assert_eq!(missing, Problem::Missing(path.join("lib")));
    let scope = Scope::find(&texts(&["src", "src/a.py"]), &[], &path).unwrap();
    assert!(scope.is_same());
    // Editors replace files, which is a change and no more.
    std::fs::write(path.join("src/new"), "").unwrap();
    std::fs::rename(path.join("src/new"), path.join("src/a.py")).unwrap();
    assert!(scope.is_same());
    std::fs::rename(path.join("src"), path.join("old")).unwrap();
    assert!(!scope.is_same());
    std::fs::create_dir(path.join("src")).unwrap();
    std::fs::write(path.join("src/a.py"), "").unwrap();
    assert!(!scope.is_same(), "another folder of the same name");
}
