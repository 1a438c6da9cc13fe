//! What is watched, by server, and what is shown of it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use patchbay_contract::{
    BuildItem, FileWatchDraft, FileWatchGetResponse, FileWatchItem, FileWatchState, ServerId,
};
use tokio::sync::mpsc;

use crate::connections::owned::OwnedTask;

/// The servers whose files are watched, or were until the user stopped it.
#[derive(Debug, Default)]
pub(crate) struct FileWatches {
    servers: Mutex<HashMap<ServerId, Watch>>,
}

/// The files of one server.
#[derive(Debug)]
pub(super) struct Watch {
    pub(super) settings: FileWatchDraft,
    pub(super) view: Arc<View>,
    /// Takes "restart now"; one that is not taken yet is enough.
    pub(super) now: mpsc::Sender<()>,
    /// Watches, builds and restarts. None: the user stopped it.
    pub(super) task: Option<OwnedTask>,
}

/// What is shown. Each task has its own, so that one that is ending changes nothing of the next.
#[derive(Debug)]
pub(super) struct View(Mutex<Shown>);

/// See [`View`].
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) state: FileWatchState,
    pub(super) changed: Vec<String>,
    pub(super) changed_count: u32,
    pub(super) restarts: u32,
    pub(super) paths: Vec<String>,
    pub(super) folders: Option<u32>,
    pub(super) build: Option<Build>,
}

/// A build with its output as it was printed.
#[derive(Debug, Clone)]
pub(super) struct Build {
    /// Without its output.
    pub(super) item: BuildItem,
    pub(super) output: super::build::Output,
}

impl Default for View {
    fn default() -> Self {
        Self(Mutex::new(Shown {
            state: FileWatchState::Starting {},
            changed: Vec::new(),
            changed_count: 0,
            restarts: 0,
            paths: Vec::new(),
            folders: None,
            build: None,
        }))
    }
}

impl View {
    pub(super) fn lock(&self) -> MutexGuard<'_, Shown> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shown {
    fn item(&self) -> FileWatchItem {
        FileWatchItem {
            state: self.state.clone(),
            changed: self.changed.clone(),
            changed_count: self.changed_count,
            restarts: self.restarts,
        }
    }
}

impl FileWatches {
    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<ServerId, Watch>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is shown in the list of servers.
    pub(crate) fn item(&self, server: &ServerId) -> Option<FileWatchItem> {
        let view = self.lock().get(server)?.view.clone();
        let item = view.lock().item();
        Some(item)
    }

    /// Everything that is shown; `masked` masks the secrets in the output of a build.
    pub(super) fn details(
        &self,
        server: &ServerId,
        masked: impl Fn(String) -> String,
    ) -> FileWatchGetResponse {
        let view = self.lock().get(server).map(|watch| watch.view.clone());
        let Some(view) = view else {
            return FileWatchGetResponse {
                item: None,
                paths: Vec::new(),
                folders: None,
                build: None,
            };
        };
        let shown = view.lock();
        let build = shown.build.clone();
        let response = FileWatchGetResponse {
            item: Some(shown.item()),
            paths: shown.paths.clone(),
            folders: shown.folders,
            build: None,
        };
        drop(shown);
        let build = build.map(|Build { item, output }| BuildItem {
            args: item.args.into_iter().map(&masked).collect(),
            output: masked(output.text()),
            dropped_bytes: output.dropped(),
            ..item
        });
        FileWatchGetResponse { build, ..response }
    }

    /// Ends watching until the next connect. Returns whether anything was watched.
    pub(super) fn stop(&self, server: &ServerId) -> bool {
        let mut all = self.lock();
        let Some(watch) = all.get_mut(server) else {
            return false;
        };
        let task = watch.task.take();
        watch.view.lock().state = FileWatchState::Stopped {};
        drop(all);
        drop(task);
        true
    }

    /// The user connects or restarts the server: what was stopped may begin again.
    pub(crate) fn resume(&self, server: &ServerId) {
        let mut all = self.lock();
        if all.get(server).is_some_and(|watch| watch.task.is_none()) {
            all.remove(server);
        }
    }

    /// Ends watching, and a build that runs: the server was disconnected or removed. Nothing is shown any more.
    pub(crate) fn forget(&self, server: &ServerId) {
        let watch = self.lock().remove(server);
        drop(watch);
    }

    /// Ends everything.
    pub(crate) fn clear(&self) {
        let all = std::mem::take(&mut *self.lock());
        drop(all);
    }
}
