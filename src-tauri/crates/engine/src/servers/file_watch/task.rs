//! The task of one server: watches, waits for quiet, builds, waits for calls, restarts.

use std::{
    path::PathBuf,
    sync::{Arc, Weak},
    time::{Duration, SystemTime},
};

use patchbay_contract::{BuildDraft, BuildItem, FileWatchDraft, FileWatchState, ServerId};
use patchbay_transport::run_to_end;
use tokio::{
    sync::mpsc,
    time::{Instant, sleep, sleep_until},
};

use super::{
    build::{self, Output},
    plan::{self, Series, Sources},
    scope::{Problem, Scope},
    state::{Build, View},
    watcher::{Changes, PendingChanges, ScopeWatcher},
};
use crate::{
    connections, convert,
    servers::stored,
    state::{Engine, EngineState},
};

/// How often it is looked whether what is watched is still there, and whether what was missing is back.
const LOOK: Duration = Duration::from_secs(2);
/// How often the output of a running build is shown.
const SHOW: Duration = Duration::from_millis(100);

/// See the module. Everything ends when it is dropped.
pub(super) struct Task {
    pub(super) engine: Weak<EngineState>,
    pub(super) server: ServerId,
    pub(super) settings: FileWatchDraft,
    pub(super) view: Arc<View>,
    /// The user wants a restart now.
    pub(super) now: mpsc::Receiver<()>,
    pub(super) pending: Arc<PendingChanges>,
    pub(super) sources: Sources,
    pub(super) series: Series,
    /// Changes were missed while a build ran.
    pub(super) is_incomplete: bool,
}

impl Task {
    /// Goes on until the engine is gone. `None` everywhere below: it is.
    pub(super) async fn run(mut self) -> Option<()> {
        // Whether what was missing is back. That is a change too.
        let mut is_back = false;
        loop {
            match self.begin().await? {
                Ok((watcher, before)) => {
                    if is_back {
                        self.react(&watcher.scope, Changes::default(), false).await?;
                    } else if before.first.is_some() {
                        self.react(&watcher.scope, before, false).await?;
                    }
                    is_back = self.watch(watcher).await?;
                }
                Err(problem) => {
                    is_back = matches!(problem, Problem::Missing(_));
                    // What is missing may come back by itself; for the rest the user has to do something.
                    let pause = if is_back { LOOK } else { Duration::MAX };
                    self.show(match problem {
                        Problem::Missing(path) => FileWatchState::Missing {
                            path: path.display().to_string(),
                        },
                        Problem::Failed { cause, next } => FileWatchState::Failed { cause, next },
                    });
                    tokio::select! {
                        () = sleep(pause) => {}
                        // It is not watched, but it can be built.
                        wanted = self.now.recv() => {
                            wanted?;
                            self.react(&Scope::default(), Changes::default(), true).await?;
                        }
                    }
                }
            }
        }
    }

    /// Begins to watch, unless there is a problem. Also returns what was reported until then and is not done: changes during a
    /// restart after which everything is watched again.
    async fn begin(&mut self) -> Option<Result<(ScopeWatcher, Changes), Problem>> {
        let engine = self.engine.upgrade()?;
        let server = engine.servers.get(&self.server).ok()?;
        let environment = engine.environment.get().await;
        drop(engine);
        let program = connections::build_of(&server, environment, &BuildDraft::default())?;
        let (paths, ignored) = (self.settings.paths.clone(), self.settings.ignored.clone());
        let pending = self.pending.clone();
        let before = pending.take();
        pending.clear();
        let begun = tokio::task::spawn_blocking(move || {
            let scope = Scope::find(&paths, &ignored, &program.working_folder())?;
            ScopeWatcher::begin(scope, &pending)
        });
        let begun = begun.await.unwrap_or_else(|error| Err(interrupted(&error)));
        if let Ok(watcher) = &begun {
            let mut shown = self.view.lock();
            let roots = watcher.scope.roots.iter();
            shown.paths = roots.map(|root| root.path.display().to_string()).collect();
            shown.folders = watcher.folders();
            let is_new = matches!(
                shown.state,
                FileWatchState::Starting {}
                    | FileWatchState::Settling {}
                    | FileWatchState::Busy {}
                    | FileWatchState::Missing { .. }
                    | FileWatchState::Failed { .. }
            );
            drop(shown);
            if is_new {
                self.show(FileWatchState::Watching {});
            }
        }
        Some(begun.map(|watcher| (watcher, before)))
    }

    /// Restarts after changes, until everything has to be watched again. Returns whether something is gone.
    async fn watch(&mut self, mut watcher: ScopeWatcher) -> Option<bool> {
        loop {
            watcher = match self.add_folders(watcher).await {
                Ok(watcher) => watcher,
                // It comes up again, or is over.
                Err(_) => return Some(true),
            };
            let mut wanted = tokio::select! {
                () = self.pending.changed() => false,
                wanted = self.now.recv() => { wanted?; true }
                () = sleep(LOOK) => match is_same(&watcher.scope).await {
                    true => continue,
                    false => return Some(true),
                },
            };
            if !wanted {
                match self.settle(watcher).await? {
                    Ok((still, now)) => (watcher, wanted) = (still, now),
                    Err(_) => return Some(true),
                }
            }
            let changes = self.pending.take();
            self.is_incomplete = changes.is_incomplete;
            if changes.is_incomplete && !is_same(&watcher.scope).await {
                return Some(true);
            }
            self.react(&watcher.scope, changes, wanted).await?;
            if self.is_incomplete {
                return Some(false);
            }
        }
    }

    /// Waits until nothing has changed for a while. Returns whether the user does not want to wait.
    async fn settle(&mut self, mut watcher: ScopeWatcher) -> Option<Result<(ScopeWatcher, bool), Problem>> {
        let (began, quiet) = (Instant::now(), self.quiet());
        let busy_at = began + plan::LONGEST_UNREST;
        self.show(FileWatchState::Settling {});
        loop {
            watcher = match self.add_folders(watcher).await {
                Ok(watcher) => watcher,
                Err(problem) => return Some(Err(problem)),
            };
            let mut until = self.pending.last().unwrap_or(began) + quiet;
            if Instant::now() >= until {
                return Some(Ok((watcher, false)));
            }
            match Instant::now() < busy_at {
                true => until = until.min(busy_at),
                false => {
                    let (count, paths) = self.pending.sample();
                    self.show_changed(&watcher.scope, count, &paths);
                    self.show(FileWatchState::Busy {});
                }
            }
            tokio::select! {
                () = sleep_until(until) => {}
                wanted = self.now.recv() => {
                    wanted?;
                    return Some(Ok((watcher, true)));
                }
            }
        }
    }

    /// Also watches the folders that were made meanwhile.
    async fn add_folders(&self, mut watcher: ScopeWatcher) -> Result<ScopeWatcher, Problem> {
        if !self.pending.has_folders() {
            return Ok(watcher);
        }
        let added = tokio::task::spawn_blocking(move || watcher.add_new().map(|()| watcher));
        let watcher = added.await.unwrap_or_else(|error| Err(interrupted(&error)))?;
        self.view.lock().folders = watcher.folders();
        Ok(watcher)
    }

    fn quiet(&self) -> Duration {
        Duration::from_millis(self.settings.quiet_ms.into())
    }

    /// Builds and restarts because of changes, or because the user wants it now.
    async fn react(&mut self, scope: &Scope, changes: Changes, mut wanted: bool) -> Option<()> {
        let paths = changes.sample();
        self.show_changed(scope, changes.count, &paths);
        if wanted {
            self.series.reset();
        } else if self.is_loop(&changes)? {
            let path = paths.first().map(|path| scope.shown(path));
            self.show(FileWatchState::Looping {
                path: path.unwrap_or_default(),
            });
            self.now.recv().await?;
            wanted = true;
            self.series.reset();
            self.pending.take();
        }
        if let Some(build) = self.settings.build.clone() {
            if !wanted {
                self.sources.add(&changes.paths);
            }
            if !self.build(scope, &build).await? {
                return Some(());
            }
        }
        if !wanted {
            self.wait_for_calls().await?;
        }
        self.restart(scope, &paths).await
    }

    /// Whether each of the last restarts led to the next change.
    fn is_loop(&mut self, changes: &Changes) -> Option<bool> {
        let was_restarted = self.view.lock().restarts > 0;
        let live = self.engine.upgrade()?.live(&self.server);
        let follows = match (live, changes.first) {
            (Some(live), Some(first)) if was_restarted => plan::follows(&live.status(), first),
            _ => false,
        };
        Some(self.series.is_loop(follows))
    }

    /// Builds, and once more if files were edited meanwhile. Returns whether that succeeded.
    async fn build(&mut self, scope: &Scope, build: &BuildDraft) -> Option<bool> {
        let mut is_repeat = false;
        loop {
            self.pending.take();
            let succeeded = self.build_once(build).await?;
            self.rest_after_build().await;
            let during = self.pending.take();
            self.is_incomplete |= during.is_incomplete;
            let (edited, written) = self.sources.sort(during.paths);
            let edited = if is_repeat { Vec::new() } else { edited };
            if let Some(build) = &mut self.view.lock().build {
                let count = during.count.saturating_sub(edited.len() as u64);
                build.item.set_aside = convert::count(count);
                build.item.set_aside_paths = written.iter().take(3).map(|path| scope.shown(path)).collect();
            }
            if edited.is_empty() {
                // What was wanted while it ran is done.
                while self.now.try_recv().is_ok() {}
                if !succeeded {
                    self.show(FileWatchState::BuildFailed {});
                }
                return Some(succeeded);
            }
            self.show_changed(scope, edited.len() as u64, &edited);
            is_repeat = true;
        }
    }

    /// Waits until what the build wrote is reported and has not changed for a while.
    pub(super) async fn rest_after_build(&self) {
        let ended = Instant::now();
        loop {
            let quiet_at = self.pending.last().map(|last| last + self.quiet());
            let rested_at = quiet_at.unwrap_or(ended).max(ended + plan::LATE);
            let until = rested_at.min(ended + plan::LONGEST_AFTER_BUILD);
            if Instant::now() >= until {
                return;
            }
            sleep_until(until).await;
        }
    }

    /// Runs the build. Returns whether it succeeded.
    async fn build_once(&mut self, build: &BuildDraft) -> Option<bool> {
        let engine = self.engine.upgrade()?;
        let began = Instant::now();
        let now = convert::at_ms(SystemTime::now());
        let item = BuildItem {
            command: build.command.clone(),
            args: build.args.clone(),
            began_at_ms: now,
            end: None,
            output: String::new(),
            dropped_bytes: 0.0,
            set_aside: 0,
            set_aside_paths: Vec::new(),
        };
        self.view.lock().build = Some(Build {
            item,
            output: Output::default(),
        });
        self.show(FileWatchState::Building { since_at_ms: now });
        let limit = Duration::from_millis(build.timeout_ms.into());
        let config = match self.program(&engine).await? {
            Ok(config) => config,
            Err(cause) => {
                self.built(build::not_run(cause));
                return Some(false);
            }
        };
        let nudges = engine.nudges.clone();
        drop(engine);
        let (view, server) = (self.view.clone(), self.server.clone());
        let mut shown_at = began;
        let ended = run_to_end(&config, limit, move |part| {
            if let Some(build) = &mut view.lock().build {
                build.output.add(part);
            }
            if shown_at.elapsed() >= SHOW {
                shown_at = Instant::now();
                nudges.connection_changed(&server);
            }
        });
        let end = build::end(ended.await, limit, began.elapsed());
        let succeeded = end.succeeded;
        self.built(end);
        Some(succeeded)
    }

    /// The build as it is started, with its secrets; or why not.
    async fn program(&self, engine: &EngineState) -> Option<Result<patchbay_transport::StdioConfig, String>> {
        let server = engine.servers.get(&self.server).ok()?;
        let server = match stored::resolved(engine, &server).await {
            Ok(server) => server,
            Err(error) => return Some(Err(error.message)),
        };
        let environment = engine.environment.get().await;
        let build = server.draft.file_watch.as_ref()?.build.as_ref()?;
        let config = connections::build_of(&server, environment, build)?;
        connections::mask_settings(engine, &server, &config.environment);
        Some(Ok(config))
    }

    fn built(&self, end: patchbay_contract::BuildEnd) {
        if let Some(build) = &mut self.view.lock().build {
            build.item.end = Some(end);
        }
        if let Some(engine) = self.engine.upgrade() {
            engine.nudges.connection_changed(&self.server);
        }
    }

    /// Waits until no request is pending, but not for long: then they end as lost, as at each restart.
    async fn wait_for_calls(&mut self) -> Option<()> {
        let live = self.engine.upgrade()?.live(&self.server);
        let Some(live) = live.filter(connections::ConnectionHandle::is_open) else {
            return Some(());
        };
        let (subscribed, mut status) = (live.subscribed.clone(), live.status.clone());
        drop(live);
        let until = Instant::now() + plan::LONGEST_WAIT;
        let until_at_ms = convert::at_ms(SystemTime::now() + plan::LONGEST_WAIT);
        loop {
            let pending = status.borrow_and_update().pending_count;
            // A subscription has no end.
            let pending = pending.saturating_sub(subscribed.streams());
            if pending == 0 {
                return Some(());
            }
            self.show(FileWatchState::WaitingForCalls {
                pending: convert::count(pending),
                until_at_ms,
            });
            tokio::select! {
                changed = status.changed() => if changed.is_err() { return Some(()) },
                wanted = self.now.recv() => return wanted,
                () = sleep_until(until) => return Some(()),
            }
        }
    }

    /// Restarts the server, as the user would.
    async fn restart(&mut self, scope: &Scope, paths: &[PathBuf]) -> Option<()> {
        let engine = Engine {
            state: self.engine.upgrade()?,
        };
        engine.taken_over(&self.server);
        self.show(FileWatchState::Restarting {});
        match engine.restart_connection(&self.server).await {
            Ok(()) => {
                let mut shown = self.view.lock();
                shown.restarts = shown.restarts.saturating_add(1);
                drop(shown);
                self.record(&engine.state, scope, paths);
                self.show(FileWatchState::Watching {});
            }
            Err(error) => self.show(FileWatchState::Failed {
                cause: format!("The server was not restarted. {}", error.message),
                next: "Remove the cause, then restart it.".to_owned(),
            }),
        }
        Some(())
    }

    /// Says in the log why the server was restarted.
    fn record(&self, engine: &EngineState, scope: &Scope, paths: &[PathBuf]) {
        let connection = engine
            .live(&self.server)
            .and_then(|live| live.status().connection);
        if let Some(connection) = connection {
            let why = match paths.first() {
                Some(path) => format!("{} changed", scope.shown(path)),
                None => "at the user's request".to_owned(),
            };
            let text = format!("Patchbay restarted the server: {why}");
            // A closed store means that the engine is shutting down.
            let _ = engine.recorder.lifecycle(connection, text, None, None);
        }
    }

    fn show_changed(&self, scope: &Scope, count: u64, paths: &[PathBuf]) {
        let mut shown = self.view.lock();
        shown.changed = paths.iter().take(3).map(|path| scope.shown(path)).collect();
        shown.changed_count = convert::count(count);
    }

    fn show(&self, state: FileWatchState) {
        let before = std::mem::replace(&mut self.view.lock().state, state.clone());
        if before != state
            && let Some(engine) = self.engine.upgrade()
        {
            engine.nudges.connection_changed(&self.server);
        }
    }
}

/// Asks the file system, which may take a while.
async fn is_same(scope: &Arc<Scope>) -> bool {
    let scope = scope.clone();
    let looked = tokio::task::spawn_blocking(move || scope.is_same()).await;
    looked.unwrap_or(false)
}

fn interrupted(error: &tokio::task::JoinError) -> Problem {
    Problem::Failed {
        cause: format!("The folders could not be listed: {error}."),
        next: "Stop watching and begin again.".to_owned(),
    }
}
