//! Watches a scope, and gathers what changes in it. However much that is, it costs a bounded amount of memory.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use notify::{
    Config, ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode, CreateKind, MetadataKind, ModifyKind, RemoveKind},
};
use tokio::{sync::Notify, time::Instant};

use super::scope::{Problem, Scope};

/// The most folders that are watched one by one.
const MOST_FOLDERS: usize = 20_000;
/// The most changed paths that are known by name; the others are counted.
const MOST_PATHS: usize = 1_000;
/// inotify watches single folders, and is limited in them: what is ignored must not be watched. Other systems watch a folder
/// with all that is in it.
const ONE_BY_ONE: bool = cfg!(target_os = "linux");

/// What has changed since it was taken last.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// How many changes were reported; several of one file count once until there are too many.
    pub(super) count: u64,
    /// At most [`MOST_PATHS`].
    pub(super) paths: BTreeSet<PathBuf>,
    /// When the first one was reported.
    pub(super) first: Option<SystemTime>,
    /// When the last one was reported.
    last: Option<Instant>,
    /// Folders that are new, and not watched yet.
    new_folders: BTreeSet<PathBuf>,
    /// Changes were missed, or what is watched is gone: everything has to be watched again.
    pub(super) is_incomplete: bool,
}

/// How many paths are shown.
const SHOWN: usize = 3;

impl Changes {
    /// Some of the paths, to be shown.
    pub(super) fn sample(&self) -> Vec<PathBuf> {
        self.paths.iter().take(SHOWN).cloned().collect()
    }
}

/// Receives changes on the thread of the watcher.
#[derive(Debug, Default)]
pub(super) struct PendingChanges {
    changes: Mutex<Changes>,
    woken: Notify,
}

impl PendingChanges {
    fn lock(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Completes when something has changed and was not taken. Cancel safe.
    pub(super) async fn changed(&self) {
        loop {
            let woken = self.woken.notified();
            if self.last().is_some() {
                return;
            }
            woken.await;
        }
    }

    /// When something changed last.
    pub(super) fn last(&self) -> Option<Instant> {
        self.lock().last
    }

    /// How many changes there are so far, and some of the paths.
    pub(super) fn sample(&self) -> (u64, Vec<PathBuf>) {
        let changes = self.lock();
        (changes.count, changes.sample())
    }

    /// What has changed. Folders that are not watched yet stay.
    pub(super) fn take(&self) -> Changes {
        let mut changes = self.lock();
        let new_folders = std::mem::take(&mut changes.new_folders);
        let kept = Changes {
            new_folders,
            ..Changes::default()
        };
        std::mem::replace(&mut *changes, kept)
    }

    /// Forgets everything: all is watched again.
    pub(super) fn clear(&self) {
        *self.lock() = Changes::default();
    }

    /// Something changed: a path, or it is not known what.
    pub(super) fn add(&self, path: Option<PathBuf>) {
        let mut changes = self.lock();
        changes.first.get_or_insert_with(SystemTime::now);
        changes.last = Some(Instant::now());
        match path {
            None => changes.is_incomplete = true,
            Some(path) if changes.paths.contains(&path) => return,
            Some(path) => {
                changes.count += 1;
                if changes.paths.len() < MOST_PATHS {
                    changes.paths.insert(path);
                }
            }
        }
        drop(changes);
        self.woken.notify_waiters();
    }

    fn add_folder(&self, path: PathBuf) {
        let mut changes = self.lock();
        if changes.new_folders.len() < MOST_PATHS {
            changes.new_folders.insert(path);
        } else {
            changes.is_incomplete = true;
        }
    }

    /// Whether folders are new, and not watched yet.
    pub(super) fn has_folders(&self) -> bool {
        !self.lock().new_folders.is_empty()
    }

    fn take_folders(&self) -> BTreeSet<PathBuf> {
        std::mem::take(&mut self.lock().new_folders)
    }

    fn receive(&self, scope: &Scope, event: notify::Result<Event>) {
        let Ok(event) = event else {
            return self.add(None);
        };
        if event.need_rescan() {
            return self.add(None);
        }
        if !is_change(event.kind) {
            return;
        }
        for path in event.paths {
            let is_folder = is_folder(event.kind, &path);
            let is_gone = matches!(
                event.kind,
                EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
            );
            if is_gone && is_folder != Some(false) && scope.is_root(&path) {
                self.add(None);
            }
            // A folder is said to be modified when what is in it is, ignored or not.
            let is_of_content =
                matches!(event.kind, EventKind::Modify(kind) if !matches!(kind, ModifyKind::Name(_)));
            let is_folder = is_folder.unwrap_or(false);
            if (is_of_content && is_folder) || !scope.has(&path, is_folder) {
                continue;
            }
            if is_folder && ONE_BY_ONE && !matches!(event.kind, EventKind::Remove(_)) {
                self.add_folder(path.clone());
            }
            self.add(Some(path));
        }
    }
}

/// Whether a file may have other content, or is there no more. Reading it is not a change, nor are its permissions.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        EventKind::Modify(ModifyKind::Metadata(metadata)) => metadata == MetadataKind::WriteTime,
        _ => true,
    }
}

/// Whether a path is a folder; none if it is gone and the system did not say.
fn is_folder(kind: EventKind, path: &Path) -> Option<bool> {
    match kind {
        EventKind::Create(CreateKind::Folder) | EventKind::Remove(RemoveKind::Folder) => Some(true),
        EventKind::Create(CreateKind::File) | EventKind::Remove(RemoveKind::File) => Some(false),
        EventKind::Remove(_) => None,
        _ => path.symlink_metadata().ok().map(|about| about.is_dir()),
    }
}

/// What is watched. Dropped, it no longer is.
#[derive(Debug)]
pub(super) struct ScopeWatcher {
    pub(super) scope: Arc<Scope>,
    pending: Arc<PendingChanges>,
    watcher: RecommendedWatcher,
    /// How many folders are watched one by one.
    folders: usize,
}

impl ScopeWatcher {
    /// Begins to watch. Takes as long as listing all folders does.
    pub(super) fn begin(scope: Scope, pending: &Arc<PendingChanges>) -> Result<Self, Problem> {
        let scope = Arc::new(scope);
        let (of, into) = (scope.clone(), pending.clone());
        let handler = move |event| into.receive(&of, event);
        // Links in a folder are not followed: they may lead anywhere, also back.
        let config = Config::default().with_follow_symlinks(false);
        let watcher =
            RecommendedWatcher::new(handler, config).map_err(|error| failed(Path::new(""), error))?;
        let mut watcher = Self {
            scope: scope.clone(),
            pending: pending.clone(),
            watcher,
            folders: 0,
        };
        for root in &scope.roots {
            match (root.is_folder(), ONE_BY_ONE) {
                (true, true) => watcher.add_tree(&root.real, true)?,
                (true, false) => watcher.add(&root.real, RecursiveMode::Recursive)?,
                // Editors replace a file: its folder is told of that.
                (false, _) => {
                    let folder = root.real.parent().unwrap_or(&root.real);
                    watcher.add(folder, RecursiveMode::NonRecursive)?;
                }
            }
        }
        Ok(watcher)
    }

    /// How many folders are watched; none where that is not known.
    pub(super) fn folders(&self) -> Option<u32> {
        ONE_BY_ONE.then(|| u32::try_from(self.folders).unwrap_or(u32::MAX))
    }

    /// Also watches the folders that were made meanwhile.
    pub(super) fn add_new(&mut self) -> Result<(), Problem> {
        for folder in self.pending.take_folders() {
            self.add_tree(&folder, false)?;
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, mode: RecursiveMode) -> Result<(), Problem> {
        self.folders += 1;
        self.watcher
            .watch(path, mode)
            .map_err(|error| failed(path, error))
    }

    /// Watches a folder and those in it. What is gone again or cannot be read is left out, unless it is a root.
    fn add_tree(&mut self, top: &Path, is_root: bool) -> Result<(), Problem> {
        let mut left = vec![top.to_owned()];
        while let Some(folder) = left.pop() {
            if self.folders >= MOST_FOLDERS {
                return Err(Problem::Failed {
                    cause: format!("There are more than {MOST_FOLDERS} folders to watch."),
                    next: "Watch narrower folders, or leave some out in the settings of the server."
                        .to_owned(),
                });
            }
            match self.watcher.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => self.folders += 1,
                Err(error) if (is_root && folder == top) || is_limit(&error) => {
                    return Err(failed(&folder, error));
                }
                Err(_) => continue,
            }
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            let folders = folders.map(|entry| entry.path());
            left.extend(folders.filter(|path| self.scope.has(path, true)));
        }
        Ok(())
    }
}

/// Whether the system watches no more.
fn is_limit(error: &notify::Error) -> bool {
    matches!(error.kind, ErrorKind::MaxFilesWatch)
}

/// Why something is not watched, with what can be done.
fn failed(path: &Path, error: notify::Error) -> Problem {
    let raised = |limit: &str, value: u32| Problem::Failed {
        cause: format!(
            "The system's limit of watched files ({limit}) is reached; other programs, such as editors, count too."
        ),
        next: format!(
            "Watch narrower folders, close programs that watch many files, or raise the limit: sudo sysctl {limit}={value}"
        ),
    };
    match error.kind {
        ErrorKind::MaxFilesWatch => raised("fs.inotify.max_user_watches", 524_288),
        ErrorKind::Io(error) if cfg!(target_os = "linux") && error.raw_os_error() == Some(24) => {
            raised("fs.inotify.max_user_instances", 1_024)
        }
        ErrorKind::PathNotFound => Problem::Missing(path.to_owned()),
        ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Problem::Missing(path.to_owned())
        }
        kind => Problem::Failed {
            cause: format!(
                "{} cannot be watched: {}.",
                path.display(),
                notify::Error::new(kind)
            ),
            next: "Choose other paths in the settings of the server.".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests;
