//! Restarting a program when its files change: only where the settings of a server say so, only while the user wants it
//! connected, and never in a loop.
//!
//! `scope` is what is watched, `watcher` gathers changes, `plan` decides what they mean, `build` is the output of a build, and
//! `task` does it: it waits for quiet, runs the build, waits for pending requests, and restarts as the user would.

mod build;
pub(crate) mod handlers;
mod plan;
mod scope;
mod state;
mod task;
mod watcher;

use std::sync::Arc;

use patchbay_contract::{FileWatchDraft, ServerDraft, ServerId, TransportDraft};
use tokio::sync::mpsc;

use self::{
    state::{View, Watch},
    task::Task,
    watcher::PendingChanges,
};
use crate::{
    connections::owned::OwnedTask,
    state::{Engine, EngineState},
};

pub(crate) use self::state::FileWatches;

impl Engine {
    /// The settings of a server were replaced. Those of watching take effect at once.
    pub(crate) fn file_watch_settings_changed(&self, id: &ServerId, before: &ServerDraft, now: &ServerDraft) {
        let watched = |draft: &ServerDraft| (draft.file_watch.clone(), draft.transport.clone());
        if watched(before) == watched(now) {
            return;
        }
        let is_open = self.state.live(id).is_some_and(|live| live.is_open());
        let was_watched = self.state.file_watches.item(id).is_some();
        self.state.file_watches.forget(id);
        if is_open || was_watched {
            begin(&self.state, id);
        }
        self.state.nudges.connection_changed(id);
    }
}

/// What the settings of a server say; none if nothing is to be watched.
fn settings(state: &EngineState, server: &ServerId) -> Option<FileWatchDraft> {
    let draft = state.servers.get(server).ok()?.draft;
    let is_program = matches!(draft.transport, TransportDraft::Stdio { .. });
    draft.file_watch.filter(|watch| watch.on && is_program)
}

/// Watches the files of a server that is connected, if its settings say so. Does nothing if they are watched, or were until
/// the user stopped it. Returns whether they are watched.
pub(crate) fn begin(state: &EngineState, server: &ServerId) -> bool {
    let Some(settings) = settings(state, server) else {
        return false;
    };
    let mut all = state.file_watches.lock();
    if !state.stays_open() || state.is_closing() {
        return false;
    }
    if all.get(server).is_some_and(|watch| watch.settings == settings) {
        return true;
    }
    let view = Arc::new(View::default());
    // One wish that is not taken yet is enough.
    let (now, wanted) = mpsc::channel(1);
    let task = Task {
        engine: state.itself.get().cloned().unwrap_or_default(),
        server: server.clone(),
        settings: settings.clone(),
        view: view.clone(),
        now: wanted,
        pending: Arc::new(PendingChanges::default()),
        sources: plan::Sources::default(),
        series: plan::Series::default(),
        is_incomplete: false,
    };
    let watching = async move {
        // It ends with the engine.
        let _ = task.run().await;
    };
    let watch = Watch {
        settings,
        view,
        now,
        task: Some(OwnedTask::spawn(watching)),
    };
    let before = all.insert(server.clone(), watch);
    drop(all);
    drop(before);
    state.nudges.connection_changed(server);
    true
}

#[cfg(test)]
mod tests;
