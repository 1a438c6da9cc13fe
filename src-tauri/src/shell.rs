//! Manages the engine within the window's process: opened while the page loads, closed before the program exits, after
//! closing the window, Ctrl-Q, SIGTERM, SIGINT or SIGHUP.
//!
//! A killed program does not run this code: then the guardian in `transport` ends the servers.

mod tasks;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use patchbay_contract::{CommandError, ErrorCode};
use patchbay_engine::{
    BrowserChoice, Engine, EngineError, EngineOptions, EnvironmentChoice, InputChain, SecretsChoice,
    StoreChoice,
};
use tauri::async_runtime::spawn;
use tauri::{AppHandle, Manager, Runtime};
use tokio::sync::{Notify, mpsc, watch};

use crate::dropped::Dropped;
use crate::ipc::{Bodies, Streams};
use crate::problem::{Choice, Problem};
use crate::save::Saves;
use crate::{is_link, window};
use tasks::Tasks;

/// The time limit for ending all servers and for storing the result of a token refresh, whose request may take 30 s. The engine's
/// own limits are shorter; this one covers defects.
const GRACE: Duration = Duration::from_secs(45);
/// How long the hidden page may take to save its changes. Usually a few ms.
const SAVE_TIMEOUT: Duration = Duration::from_secs(2);
/// The polling interval of a store that another process holds.
const LOCK_POLL: Duration = Duration::from_secs(1);

/// The state shared by the parts of the window.
#[derive(Debug)]
pub(crate) struct Shell {
    /// None until it is open.
    engine: watch::Sender<Option<Engine>>,
    /// The page's open streams.
    pub(crate) streams: Streams,
    /// The bodies that the page receives in parts.
    pub(crate) bodies: Bodies,
    /// What waits for the engine, or opens it.
    pub(crate) tasks: Tasks,
    /// What was dropped into the window.
    pub(crate) dropped: Dropped,
    /// Why the engine could not be opened, while that is shown.
    problem: Mutex<Option<Problem>>,
    /// Receives the choices of the problem page.
    choices: mpsc::Sender<Choice>,
    /// The page has saved everything.
    pub(crate) goodbye: Notify,
    /// The program is exiting.
    leaving: AtomicBool,
    /// Everything has ended.
    left: AtomicBool,
    /// It was started again while exiting, with these links.
    restart: Mutex<Option<Vec<String>>>,
}

impl Shell {
    /// Creates a shell without an engine, and the receiver of choices.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Choice>) {
        let (choices, chosen) = mpsc::channel(1);
        let shell = Self {
            engine: watch::Sender::new(None),
            streams: Streams::default(),
            bodies: Bodies::default(),
            tasks: Tasks::default(),
            dropped: Dropped::default(),
            problem: Mutex::new(None),
            choices,
            goodbye: Notify::new(),
            leaving: AtomicBool::new(false),
            left: AtomicBool::new(false),
            restart: Mutex::new(None),
        };
        (shell, chosen)
    }

    /// Waits for the engine to open.
    pub(crate) async fn engine(&self) -> Result<Engine, CommandError> {
        let mut engine = self.engine.subscribe();
        let open = engine
            .wait_for(Option::is_some)
            .await
            .ok()
            .and_then(|open| open.clone());
        open.ok_or_else(|| CommandError {
            code: ErrorCode::Internal,
            message: "Patchbay is closing.".to_owned(),
            detail: None,
        })
    }

    /// The problem that is shown, if any. The state is consistent after every statement, so a poisoned lock is usable.
    pub(crate) fn problem(&self) -> MutexGuard<'_, Option<Problem>> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn restart(&self) -> MutexGuard<'_, Option<Vec<String>>> {
        self.restart.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes on a choice of the problem page. Ignored without a problem.
    pub(crate) fn choose(&self, choice: Choice) {
        if self.problem().is_some() {
            // Full means that an earlier choice is still being processed.
            let _ = self.choices.try_send(choice);
        }
    }
}

/// Starts opening the engine and listening for signals.
#[expect(
    clippy::disallowed_methods,
    reason = "the process ends it: a second signal counts while everything is being closed"
)]
pub(crate) fn start<R: Runtime>(
    app: &AppHandle<R>,
    data_dir: Option<PathBuf>,
    choices: mpsc::Receiver<Choice>,
) {
    let options = EngineOptions {
        data_dir,
        store: StoreChoice::Persistent,
        environment: EnvironmentChoice::DesktopAware,
        demo_program: std::env::current_exe().ok(),
        front: "the window",
        inputs: InputChain::attended(),
        browser: BrowserChoice::System,
        secrets: SecretsChoice::Vault,
    };
    let opening = open_engine(app.clone(), options, choices);
    app.state::<Shell>().tasks.spawn(opening);
    spawn(obey_signals(app.clone()));
}

/// Hands a link over as soon as the engine is open. The page shows it for review.
pub(crate) fn open_link<R: Runtime>(app: &AppHandle<R>, link: String) {
    let handing_over = {
        let app = app.clone();
        async move {
            // Without an engine the program is closing.
            if let Ok(engine) = app.state::<Shell>().engine().await {
                engine.opened_with_link(link);
            }
        }
    };
    app.state::<Shell>().tasks.spawn(handing_over);
}

/// Opens the engine. After a failure, shows the reason and applies the user's choice until it succeeds.
async fn open_engine<R: Runtime>(
    app: AppHandle<R>,
    mut options: EngineOptions,
    mut choices: mpsc::Receiver<Choice>,
) {
    let shell = app.state::<Shell>();
    let wanted = options
        .data_dir
        .clone()
        .or_else(|| Some(app.path().data_dir().ok()?.join("patchbay")));
    let mut separate = Separate::new(wanted);
    loop {
        let error = match Engine::open(options.clone()).await {
            Ok(engine) => {
                engine.connect_at_start();
                shell.engine.send_replace(Some(engine));
                if shell.problem().take().is_some() {
                    window::show_page(&app, options.data_dir.as_deref());
                }
                return;
            }
            Err(error) => error,
        };
        let locked = matches!(error, EngineError::Locked { .. });
        if locked && separate.is_tried(options.data_dir.as_deref()) {
            options.data_dir = separate.next();
            continue;
        }
        let problem = Problem::new(&error, separate.peek());
        // Not at each attempt, of which there is one a second.
        if shell.problem().replace(problem.clone()).as_ref() != Some(&problem) {
            tracing::error!(%error, "the engine could not be opened");
            window::show_problem(&app);
        }
        let choice = tokio::select! {
            choice = choices.recv() => choice.unwrap_or(Choice::Quit),
            // Retried automatically when the other process ends.
            () = tokio::time::sleep(LOCK_POLL), if locked => Choice::Retry,
        };
        match choice {
            Choice::Retry => {}
            Choice::Separate => options.data_dir = separate.next(),
            Choice::Quit => return app.exit(1),
        }
    }
}

/// Separate folders beside one that could not be opened: `patchbay-2`, `patchbay-3` …
#[derive(Debug)]
struct Separate {
    wanted: Option<PathBuf>,
    number: u32,
}

impl Separate {
    fn new(wanted: Option<PathBuf>) -> Self {
        Self { wanted, number: 2 }
    }

    /// The folder that [`Self::next`] will return.
    fn peek(&self) -> Option<PathBuf> {
        self.numbered(self.number)
    }

    fn next(&mut self) -> Option<PathBuf> {
        let folder = self.peek();
        self.number += 1;
        folder
    }

    /// Whether this is the last returned folder: if it is in use too, the next one is tried automatically.
    fn is_tried(&self, folder: Option<&Path>) -> bool {
        folder.is_some() && self.number > 2 && self.numbered(self.number - 1).as_deref() == folder
    }

    fn numbered(&self, number: u32) -> Option<PathBuf> {
        let wanted = self.wanted.as_deref()?;
        let mut name = wanted.file_name()?.to_owned();
        name.push(format!("-{number}"));
        Some(wanted.with_file_name(name))
    }
}

/// Exits properly on the first signal, immediately on a second.
async fn obey_signals<R: Runtime>(app: AppHandle<R>) {
    // Created once: a signal between two listeners would be lost.
    let mut signals = match Signals::listen() {
        Ok(signals) => signals,
        Err(error) => return tracing::warn!(%error, "signals cannot be listened for"),
    };
    signals.next().await;
    app.exit(0);
    signals.next().await;
    tracing::warn!("ending without waiting for the servers: a second signal came");
    let engine = app.state::<Shell>().engine.borrow().clone();
    if let Some(engine) = engine {
        // Recorded data is kept; the guardian ends the servers.
        let _ = tokio::time::timeout(SAVE_TIMEOUT, engine.abandon()).await;
    }
    std::process::exit(130);
}

/// SIGTERM, SIGINT and SIGHUP, from creation on; on other platforms Ctrl-C.
struct Signals {
    #[cfg(unix)]
    streams: [tokio::signal::unix::Signal; 3],
}

impl Signals {
    #[cfg(unix)]
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        let kinds = [
            SignalKind::terminate(),
            SignalKind::interrupt(),
            SignalKind::hangup(),
        ];
        let [term, int, hangup] = kinds.map(signal);
        Ok(Self {
            streams: [term?, int?, hangup?],
        })
    }

    #[cfg(not(unix))]
    fn listen() -> std::io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(unix)]
    async fn next(&mut self) {
        let [term, int, hangup] = &mut self.streams;
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
            _ = hangup.recv() => {}
        }
    }

    #[cfg(not(unix))]
    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Whether the program is exiting.
pub(crate) fn is_leaving<R: Runtime>(app: &AppHandle<R>) -> bool {
    app.state::<Shell>().leaving.load(Ordering::SeqCst)
}

/// Whether everything has ended, so that the event loop may end.
pub(crate) fn has_left<R: Runtime>(app: &AppHandle<R>) -> bool {
    app.state::<Shell>().left.load(Ordering::SeqCst)
}

/// The user started the program again: shows the links for review, and the window. A program that is exiting starts again
/// afterwards.
pub(crate) fn started_again<R: Runtime>(app: &AppHandle<R>, links: Vec<String>) {
    if is_leaving(app) {
        app.state::<Shell>()
            .restart()
            .get_or_insert_default()
            .extend(links);
        return;
    }
    for link in links {
        open_link(app, link);
    }
    window::focus(app);
}

/// Starts the program again if the user did while it was exiting. The last step of the event loop.
pub(crate) fn restart<R: Runtime>(app: &AppHandle<R>) {
    let Some(links) = app.state::<Shell>().restart().take() else {
        return;
    };
    // Releases the name by which the new program would find this one.
    app.cleanup_before_exit();
    let mut env = app.env();
    env.args_os = restart_arguments(env.args_os, links);
    tauri::process::restart(&env);
}

/// The arguments of the program that starts again: its own links have been reviewed already.
fn restart_arguments(arguments: Vec<OsString>, links: Vec<String>) -> Vec<OsString> {
    let is_ours = |argument: &OsString| argument.to_str().is_some_and(is_link);
    let kept = arguments.into_iter().filter(|argument| !is_ours(argument));
    kept.chain(links.into_iter().map(OsString::from)).collect()
}

/// Hides the window, ends every server, then exits with this code.
#[expect(
    clippy::disallowed_methods,
    reason = "it ends everything else, and then the process"
)]
pub(crate) fn leave<R: Runtime>(app: &AppHandle<R>, code: i32) {
    if app.state::<Shell>().leaving.swap(true, Ordering::SeqCst) {
        return;
    }
    window::put_away(app);
    let app = app.clone();
    spawn(async move {
        let shell = app.state::<Shell>();
        // Nothing opens an engine from here on.
        shell.tasks.shutdown().await;
        let is_open = shell.engine.borrow().is_some();
        if is_open && window::request_final_save(&app) {
            await_goodbye(&shell.goodbye).await;
        }
        window::destroy(&app);
        close(&app).await;
        app.exit(code);
    });
}

/// Ends every server after the event loop has ended without asking first: *Quit* and a logout do so on macOS. It is too late for the
/// page to save the last moment's changes.
pub(crate) fn close_at_exit<R: Runtime>(app: &AppHandle<R>) {
    if has_left(app) {
        return;
    }
    let shell = app.state::<Shell>();
    shell.leaving.store(true, Ordering::SeqCst);
    tauri::async_runtime::block_on(async {
        shell.tasks.shutdown().await;
        close(app).await;
    });
}

/// Ends what the page started, then every server.
async fn close<R: Runtime>(app: &AppHandle<R>) {
    let shell = app.state::<Shell>();
    app.state::<Saves>().abandon();
    shell.streams.close_all();
    shell.bodies.clear();
    let engine = shell.engine.borrow().clone();
    if let Some(engine) = engine
        && tokio::time::timeout(GRACE, engine.shutdown()).await.is_err()
    {
        tracing::error!("the engine did not shut down in {} s", GRACE.as_secs());
    }
    shell.left.store(true, Ordering::SeqCst);
}

/// Waits until the page has saved everything. A page that cannot say so has as much time to save as one that is slow.
async fn await_goodbye(goodbye: &Notify) {
    if tokio::time::timeout(SAVE_TIMEOUT, goodbye.notified())
        .await
        .is_err()
    {
        tracing::error!(
            "the page did not say within {} s that its changes are saved",
            SAVE_TIMEOUT.as_secs()
        );
    }
}

#[cfg(test)]
mod tests;
