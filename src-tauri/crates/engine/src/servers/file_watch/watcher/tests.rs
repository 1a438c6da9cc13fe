use std::time::Duration;

use super::*;

/// A watched folder; the changes in it.
struct Harness {
    folder: tempfile::TempDir,
    pending: Arc<PendingChanges>,
    watcher: ScopeWatcher,
}

impl Harness {
    fn new(paths: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["src", "node_modules"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("src/a"), "").unwrap();
        let pending = Arc::new(PendingChanges::default());
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        let scope = Scope::find(&paths, &[], folder.path()).unwrap();
        let watcher = ScopeWatcher::begin(scope, &pending).unwrap();
        Self {
            folder,
            pending,
            watcher,
        }
    }

    fn write(&self, name: &str) {
        fs::write(self.folder.path().join(name), "x").unwrap();
    }

    /// Unlike writing, it is reported at once.
    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.folder.path().join(from), self.folder.path().join(to)).unwrap();
    }

    async fn changed(&self) {
        let patience = Duration::from_secs(30);
        tokio::time::timeout(patience, self.pending.changed())
            .await
            .unwrap();
    }

    /// Waits until a file is known to have changed; then what has changed so far.
    async fn until(&self, name: &str) -> Vec<String> {
        let begun = std::time::Instant::now();
        let path = self.folder.path().canonicalize().unwrap().join(name);
        loop {
            self.changed().await;
            if self.pending.lock().paths.contains(&path) {
                let paths = self.pending.take().paths;
                return paths.iter().map(|path| self.watcher.scope.shown(path)).collect();
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "{name}");
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn files_are_watched_and_what_is_ignored_is_not() {
    let harness = Harness::new(&["."]);
    // In this order: when the last one is known, the first one would be too.
    harness.write("node_modules/x");
    harness.rename("node_modules/x", "src/b");
    assert_eq!(harness.until("src/b").await, ["src/b"]);
    // Not even where each folder is watched on its own.
    assert_eq!(harness.watcher.folders(), ONE_BY_ONE.then_some(2));
    // Reading is not a change.
    fs::read(harness.folder.path().join("src/a")).unwrap();
    harness.rename("src/b", "src/c");
    assert_eq!(harness.until("src/c").await, ["src/b", "src/c"]);
    fs::remove_file(harness.folder.path().join("src/a")).unwrap();
    harness.until("src/a").await;
    harness.write("src/d");
    harness.until("src/d").await;
}

#[tokio::test]
async fn folders_that_are_made_later_are_watched_too() {
    let mut harness = Harness::new(&["."]);
    fs::create_dir_all(harness.folder.path().join("lib/deep")).unwrap();
    harness.until("lib").await;
    harness.watcher.add_new().unwrap();
    harness.pending.take();
    harness.write("lib/deep/a");
    assert_eq!(harness.until("lib/deep/a").await, ["lib/deep/a"]);
}

#[tokio::test]
async fn a_single_file_is_watched_when_it_is_replaced() {
    let harness = Harness::new(&["src/a"]);
    harness.write("src/other");
    harness.write("src/new");
    fs::rename(
        harness.folder.path().join("src/new"),
        harness.folder.path().join("src/a"),
    )
    .unwrap();
    assert_eq!(harness.until("src/a").await, ["src/a"]);
}

#[tokio::test]
async fn a_folder_that_is_removed_is_noticed() {
    let harness = Harness::new(&["src"]);
    fs::remove_dir_all(harness.folder.path().join("src")).unwrap();
    let begun = std::time::Instant::now();
    while !harness.pending.lock().is_incomplete {
        harness.changed().await;
        assert!(begun.elapsed() < Duration::from_secs(30));
        tokio::task::yield_now().await;
    }
    assert!(!harness.watcher.scope.is_same());
}

#[tokio::test]
async fn any_number_of_changes_is_bounded() {
    let pending = PendingChanges::default();
    for number in 0..5_000 {
        pending.add(Some(PathBuf::from(format!("/{number}"))));
        pending.add_folder(PathBuf::from(format!("/{number}")));
    }
    let changes = pending.take();
    assert_eq!((changes.count, changes.paths.len()), (5_000, MOST_PATHS));
    assert_eq!(pending.lock().new_folders.len(), MOST_PATHS);
    assert!(
        changes.is_incomplete,
        "everything is watched again, with all folders"
    );
    assert!(pending.last().is_none());
}

#[test]
fn limits_of_the_system_are_named_with_what_can_be_done() {
    let of = |kind| match failed(Path::new("/x"), notify::Error::new(kind)) {
        Problem::Failed { cause, next } => format!("{cause} {next}"),
        missing @ Problem::Missing(_) => format!("{missing:?}"),
    };
    let watches = of(ErrorKind::MaxFilesWatch);
    assert!(
        watches.contains("fs.inotify.max_user_watches") && watches.contains("sysctl"),
        "{watches}"
    );
    let denied = of(ErrorKind::Io(std::io::ErrorKind::PermissionDenied.into()));
    assert!(denied.contains("/x cannot be watched"), "{denied}");
    assert_eq!(of(ErrorKind::PathNotFound), r#"Missing("/x")"#);
    if cfg!(target_os = "linux") {
        let instances = of(ErrorKind::Io(std::io::Error::from_raw_os_error(24)));
        assert!(instances.contains("fs.inotify.max_user_instances"), "{instances}");
    }
}
