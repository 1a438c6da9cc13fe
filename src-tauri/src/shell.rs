//! The engine's life inside the window's process: opened while the page loads, closed before the program ends,
//! whether the window was closed, Ctrl-Q pressed, or SIGTERM, SIGINT or SIGHUP came.
//!
//! What does not come by here is a program that is killed: then the servers are ended by what `transport` set up for
//! that case.

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

use crate::ipc::Streams;
use crate::problem::{Choice, Problem};
use crate::window;

/// How long the servers get in all to end. The engine's own limits are shorter; this is for a defect in them.
const GRACE: Duration = Duration::from_secs(20);
/// How long the page, out of sight already, may take to save what it has not saved yet. Usually it takes a few ms.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How often a store that somebody else holds is tried again.
const LOCK_POLL: Duration = Duration::from_secs(1);

/// What the parts of the window share.
#[derive(Debug)]
pub(crate) struct Shell {
    /// None until it is open.
    engine: watch::Sender<Option<Engine>>,
    /// The page's open streams.
    pub(crate) streams: Streams,
    /// Why the engine could not be opened, while that is on show.
    problem: Mutex<Option<Problem>>,
    /// Where the problem page's buttons lead.
    choices: mpsc::Sender<Choice>,
    /// The page has saved everything.
    pub(crate) goodbye: Notify,
    /// The program is ending.
    leaving: AtomicBool,
    /// Nothing is left to end.
    left: AtomicBool,
    /// It was started again while it was ending.
    come_back: AtomicBool,
}

impl Shell {
    /// A shell without an engine yet, and the choices made on the problem page.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Choice>) {
        let (choices, chosen) = mpsc::channel(1);
        let shell = Self {
            engine: watch::Sender::new(None),
            streams: Streams::default(),
            problem: Mutex::new(None),
            choices,
            goodbye: Notify::new(),
            leaving: AtomicBool::new(false),
            left: AtomicBool::new(false),
            come_back: AtomicBool::new(false),
        };
        (shell, chosen)
    }

    /// The engine, as soon as it is open.
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

    /// The problem that the window shows, if any. A panic elsewhere cannot take the lock away: what it guards is whole after
    /// every statement.
    pub(crate) fn problem(&self) -> MutexGuard<'_, Option<Problem>> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A button of the problem page. Without a problem there is nothing to choose.
    pub(crate) fn choose(&self, choice: Choice) {
        if self.problem().is_some() {
            // Full means that the choice before this one is still being carried out.
            let _ = self.choices.try_send(choice);
        }
    }
}

/// Begins to open the engine, and to listen for signals.
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
    spawn(open_engine(app.clone(), options, choices));
    spawn(obey_signals(app.clone()));
}

/// Opens the engine; shows why it cannot and does what the user chooses until it can.
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
        tracing::error!(%error, "the engine could not be opened");
        let problem = Problem::new(&error, separate.peek());
        if shell.problem().replace(problem.clone()).as_ref() != Some(&problem) {
            window::show_problem(&app);
        }
        let choice = tokio::select! {
            choice = choices.recv() => choice.unwrap_or(Choice::Quit),
            // Nobody needs to press a button when the other one ends.
            () = tokio::time::sleep(LOCK_POLL), if locked => Choice::Retry,
        };
        match choice {
            Choice::Retry => {}
            Choice::Separate => options.data_dir = separate.next(),
            Choice::Quit => return app.exit(1),
        }
    }
}

/// The folders beside one that could not be opened: `patchbay-2`, `patchbay-3` …
#[derive(Debug)]
struct Separate {
    wanted: Option<PathBuf>,
    number: u32,
}

impl Separate {
    fn new(wanted: Option<PathBuf>) -> Self {
        Self { wanted, number: 2 }
    }

    /// The folder that [`Self::next`] will give.
    fn peek(&self) -> Option<PathBuf> {
        self.numbered(self.number)
    }

    fn next(&mut self) -> Option<PathBuf> {
        let folder = self.peek();
        self.number += 1;
        folder
    }

    /// Whether this is the separate folder given last: if even that one is held, the next is tried unasked.
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

/// Ends the program properly on the first signal, at once on a second.
async fn obey_signals<R: Runtime>(app: AppHandle<R>) {
    // Listened for once: one that comes between two would not be heard.
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
        // What is recorded is kept; the guardian ends the servers.
        let _ = tokio::time::timeout(LAST_WORDS, engine.abandon()).await;
    }
    std::process::exit(130);
}

/// SIGTERM, SIGINT and SIGHUP, from the moment it is made; elsewhere Ctrl-C.
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

/// Whether the program is ending.
pub(crate) fn is_leaving<R: Runtime>(app: &AppHandle<R>) -> bool {
    app.state::<Shell>().leaving.load(Ordering::SeqCst)
}

/// Whether everything is ended and the event loop may be.
pub(crate) fn has_left<R: Runtime>(app: &AppHandle<R>) -> bool {
    app.state::<Shell>().left.load(Ordering::SeqCst)
}

/// Opens again when the program has ended: the user started it again before it had.
pub(crate) fn come_back<R: Runtime>(app: &AppHandle<R>) {
    app.state::<Shell>().come_back.store(true, Ordering::SeqCst);
}

/// Takes the window away, ends every server, then the program with this exit code.
pub(crate) fn leave<R: Runtime>(app: &AppHandle<R>, code: i32) {
    if app.state::<Shell>().leaving.swap(true, Ordering::SeqCst) {
        return;
    }
    window::put_away(app);
    let app = app.clone();
    spawn(async move {
        let shell = app.state::<Shell>();
        let engine = shell.engine.borrow().clone();
        if engine.is_some() && window::ask_for_last_words(&app) {
            let _ = tokio::time::timeout(LAST_WORDS, shell.goodbye.notified()).await;
        }
        window::destroy(&app);
        shell.streams.close_all();
        if let Some(engine) = engine
            && tokio::time::timeout(GRACE, engine.shutdown()).await.is_err()
        {
            tracing::error!("the engine did not shut down in {} s", GRACE.as_secs());
        }
        shell.left.store(true, Ordering::SeqCst);
        if shell.come_back.load(Ordering::SeqCst) {
            app.request_restart();
        } else {
            app.exit(code);
        }
    });
}

#[cfg(test)]
mod tests;
