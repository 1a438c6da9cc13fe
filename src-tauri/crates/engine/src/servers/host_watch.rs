//! Watches the configurations of other hosts, while a window wants it. They are only read: what changed is reported, and nothing is
//! added or run.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    time::{Duration, SystemTime},
};

use notify::{Config, ErrorKind as WatchError, Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use patchbay_config::{HostFolders, find_hosts, host_places};
use patchbay_contract::{
    CommandError, ErrorCode, HostChange, HostComparison, HostFile, HostPlace, HostWatchParams,
};
use tokio::sync::Notify;

use crate::{
    dispatch::{error::fail_with, streams::Events},
    state::{Engine, EngineState},
};

/// How long is waited after a change: hosts write a file in parts, or replace it.
const QUIET: Duration = Duration::from_millis(500);
/// The pause between two readings, however often a file changes.
const PAUSE: Duration = Duration::from_secs(2);
/// The pause between two looks at what the system does not report: a folder that is new, a network drive.
const LOOK: Duration = Duration::from_secs(30);

pub(crate) async fn host_watch(
    engine: Engine,
    params: HostWatchParams,
    events: Events<HostChange>,
) -> Result<(), CommandError> {
    // Without a home folder there are no hosts.
    let Some(folders) = HostFolders::of_user() else {
        return Ok(());
    };
    let state = Arc::downgrade(&engine.state);
    // What is watched does not keep the engine alive.
    drop(engine);
    let mut watch = Watch::begin(state, folders, &params.paths)?;
    watch.add_folders()?;
    // What is there now is known.
    watch.changes(true).await;
    watch.run(events).await
}

/// The files that are watched.
#[derive(Debug)]
struct Watch {
    state: Weak<EngineState>,
    folders: HostFolders,
    files: Vec<WatchedFile>,
    watcher: RecommendedWatcher,
    woken: Arc<Notify>,
}

/// A file that is watched.
#[derive(Debug)]
struct WatchedFile {
    place: HostPlace,
    /// When it was written, and how large it is; none if it is not there.
    stamp: Option<(SystemTime, u64)>,
    /// A hash of its servers as they were read last.
    servers: u64,
}

impl Watch {
    /// Begins to watch those of `paths` at which a host keeps its servers.
    fn begin(state: Weak<EngineState>, folders: HostFolders, paths: &[String]) -> Result<Self, CommandError> {
        let places = host_places(&folders)
            .into_iter()
            .filter(|place| paths.contains(&place.path));
        let files: Vec<WatchedFile> = places
            .map(|place| WatchedFile {
                place,
                stamp: None,
                servers: 0,
            })
            .collect();
        let woken = Arc::new(Notify::new());
        let (names, waker) = (names(&files), woken.clone());
        let handler = move |event| {
            if concerns(&names, event) {
                waker.notify_one();
            }
        };
        let watcher = RecommendedWatcher::new(handler, Config::default());
        Ok(Self {
            state,
            folders,
            files,
            watcher: watcher.map_err(refused)?,
            woken,
        })
    }

    async fn run(mut self, events: Events<HostChange>) -> Result<(), CommandError> {
        loop {
            let is_woken = tokio::time::timeout(LOOK, self.woken.notified()).await.is_ok();
            if is_woken {
                tokio::time::sleep(QUIET).await;
            }
            // Before reading, so that nothing is missed in between.
            self.add_folders()?;
            let Some(changes) = self.changes(is_woken).await else {
                return Ok(());
            };
            for change in changes {
                if events.send(change).await.is_err() {
                    return Ok(());
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Watches the folders of all files: files are replaced. One that was watched already may be another of that name.
    fn add_folders(&mut self) -> Result<(), CommandError> {
        let mut folders = BTreeSet::new();
        for file in &self.files {
            let path = Path::new(&file.place.path);
            folders.extend(path.parent().map(Path::to_owned));
            // A link to a file elsewhere.
            let real = path.canonicalize().ok();
            folders.extend(real.and_then(|real| real.parent().map(Path::to_owned)));
        }
        for folder in folders {
            match self.watcher.watch(&folder, RecursiveMode::NonRecursive) {
                Err(error) if matches!(error.kind, WatchError::MaxFilesWatch) => return Err(refused(error)),
                // It is not there, or not readable: it is looked at again later.
                _ => {}
            }
        }
        Ok(())
    }

    /// The files whose servers are others than before; none once the engine is gone. Unless the system said that something changed,
    /// they are read only if they were written.
    async fn changes(&mut self, is_woken: bool) -> Option<Vec<HostChange>> {
        let mut is_touched = is_woken;
        for file in &mut self.files {
            let stamp = stamp(Path::new(&file.place.path));
            is_touched |= stamp != file.stamp;
            file.stamp = stamp;
        }
        let state = self.state.upgrade().filter(|state| !state.is_closing())?;
        let ours = state.servers.all();
        drop(state);
        if !is_touched {
            return Some(Vec::new());
        }
        let folders = self.folders.clone();
        let found = tokio::task::spawn_blocking(move || find_hosts(&folders, &ours));
        let found = found.await.ok()?.files;
        let mut changes = Vec::new();
        for file in &mut self.files {
            let now = found.iter().find(|found| found.place.path == file.place.path);
            // A file that is being written cannot be read: it is read again when it changes.
            if now.is_some_and(|now| now.servers.is_empty() && !now.problems.is_empty()) {
                continue;
            }
            let servers = now.map_or(0, hash);
            if servers != file.servers {
                file.servers = servers;
                changes.push(HostChange {
                    place: file.place.clone(),
                    differing: now.map_or(0, differing),
                });
            }
        }
        Some(changes)
    }
}

/// The names of the files, as they are reported.
fn names(files: &[WatchedFile]) -> BTreeSet<PathBuf> {
    let mut names = BTreeSet::new();
    for file in files {
        let path = PathBuf::from(&file.place.path);
        names.extend(path.canonicalize());
        names.insert(path);
    }
    names
}

/// Whether a file that is watched may have changed. Its folder may be the home folder, in which much happens.
fn concerns(names: &BTreeSet<PathBuf>, event: notify::Result<Event>) -> bool {
    match event {
        Ok(event) if event.kind.is_access() => false,
        Ok(event) => event.need_rescan() || event.paths.iter().any(|path| names.contains(path)),
        Err(_) => true,
    }
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// What its servers are, whatever is configured here. Not 0.
fn hash(file: &HostFile) -> u64 {
    let mut hasher = DefaultHasher::new();
    for server in &file.servers {
        let transport = serde_json::to_string(&server.draft.transport).unwrap_or_default();
        (&server.name, server.disabled, &server.project, transport).hash(&mut hasher);
    }
    hasher.finish().max(1)
}

/// How many of its servers can be added or updated.
fn differing(file: &HostFile) -> u32 {
    let is_other = |comparison: &HostComparison| !matches!(comparison, HostComparison::Same { .. });
    let others = file.servers.iter().filter(|server| is_other(&server.comparison));
    u32::try_from(others.count()).unwrap_or(u32::MAX)
}

fn refused(error: notify::Error) -> CommandError {
    fail_with(
        ErrorCode::Storage,
        "The configurations of other hosts cannot be watched. Close programs that watch many files, then turn the setting on again.",
        error,
    )
}

#[cfg(test)]
mod tests;
