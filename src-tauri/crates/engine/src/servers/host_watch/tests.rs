use std::fs;

use tempfile::TempDir;
use tokio::sync::mpsc;

use super::*;
use crate::engine::testing::attended;

/// How long is waited for a change before the test fails.
const PATIENCE: Duration = Duration::from_secs(20);

struct Home {
    folder: TempDir,
    path: PathBuf,
}

impl Home {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(".cursor/mcp.json");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        Self { folder, path }
    }

    fn write(&self, servers: &str) {
        fs::write(&self.path, format!(r#"{{"mcpServers":{{{servers}}}}}"#)).unwrap();
    }

    fn folders(&self) -> HostFolders {
        let home = self.folder.path().to_owned();
        HostFolders {
            dot_config: home.join(".config"),
            settings: home.join("settings"),
            home,
        }
    }
}

async fn next(changes: &mut mpsc::Receiver<HostChange>) -> u32 {
    let change = tokio::time::timeout(PATIENCE, changes.recv()).await;
    change
        .expect("a change is reported")
        .expect("it is watched")
        .differing
}

/// What was there at the start is known; a file may be changed, replaced, emptied and removed.
#[tokio::test]
async fn a_change_is_reported_once_and_counts_what_differs() {
    let data = TempDir::new().unwrap();
    let engine = attended(&data).await;
    let home = Home::new();
    home.write(r#""a":{"command":"x"}"#);
    let paths = [home.path.display().to_string(), "/etc/passwd".to_owned()];
    let mut watch = Watch::begin(Arc::downgrade(&engine.state), home.folders(), &paths).unwrap();
    assert_eq!(watch.files.len(), 1, "only what a host keeps is watched");
    let (sender, mut changes) = mpsc::channel(1);
    watch.add_folders().unwrap();
    assert_eq!(
        watch.changes(true).await.unwrap().len(),
        1,
        "everything is new at first"
    );
    assert!(
        watch.changes(true).await.unwrap().is_empty(),
        "and known afterwards"
    );
    // In the same second, of the same length: the system says that it changed.
    home.write(r#""b":{"command":"x"}"#);
    let watching = tokio::spawn(watch.run(Events::new(sender)));
    home.write(r#""a":{"command":"x"},"c":{"url":"https://c.example/mcp"}"#);
    // A host replaces its file.
    let other = home.path.with_extension("new");
    fs::write(
        &other,
        r#"{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"},"c":{"command":"z"}}}"#,
    )
    .unwrap();
    fs::rename(&other, &home.path).unwrap();
    while next(&mut changes).await != 3 {}
    // What it is damaged by is not reported, and what follows is.
    fs::write(&home.path, "{").unwrap();
    fs::remove_file(&home.path).unwrap();
    assert_eq!(next(&mut changes).await, 0);
    drop(changes);
    home.write(r#""a":{"command":"x"}"#);
    // Nobody listens any more.
    tokio::time::timeout(PATIENCE, watching)
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    engine.shutdown().await;
}

#[test]
fn only_the_files_themselves_wake() {
    let names = BTreeSet::from([PathBuf::from("/users/me/.claude.json")]);
    let event = |path: &str| Ok(Event::new(notify::EventKind::Any).add_path(PathBuf::from(path)));
    assert!(concerns(&names, event("/users/me/.claude.json")));
    assert!(!concerns(&names, event("/users/me/notes.txt")));
    let read = Event::new(notify::EventKind::Access(notify::event::AccessKind::Read));
    assert!(!concerns(
        &names,
        Ok(read.add_path(PathBuf::from("/users/me/.claude.json")))
    ));
}
