//! The environment that programs are started with: its settings in `environment.json`, and what a shell printed, once it was
//! run.

mod checks;
pub(crate) mod handlers;
mod outdated;

use std::{
    ffi::OsStr,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant, SystemTime},
};

use patchbay_client::{Environment, EnvironmentSource, Failure};
use patchbay_contract::{CommandError, EnvironmentSettings, ErrorCode, PathInfo, ShellChoice};
use tokio::sync::OnceCell;

use crate::{
    convert,
    dispatch::error::fail,
    engine::options::EnvironmentChoice,
    files::json_file::{CORRECT, JsonFile, lock},
};

/// The time limit of a shell; some start slowly.
const SHELL_PATIENCE: Duration = Duration::from_secs(10);
/// How long the start page waits for the shell before it shows the inherited environment.
const SHOW_PATIENCE: Duration = Duration::from_millis(300);

/// The environment, read on first use.
#[derive(Debug)]
pub(crate) struct ServerEnvironment {
    choice: EnvironmentChoice,
    file: JsonFile,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    settings: EnvironmentSettings,
    /// Another one whenever the shell is to be run again: who waits for the old one gets what that says.
    found: Arc<OnceCell<Found>>,
}

/// What was found, without the folders that the settings add.
#[derive(Debug)]
struct Found {
    environment: Environment,
    at: SystemTime,
    took: Duration,
}

impl ServerEnvironment {
    /// Reads the file if it exists. One that cannot be read is not overwritten: until it can, commands fail with the reason,
    /// and the defaults are used.
    pub(crate) fn open(path: PathBuf, writable: bool, choice: EnvironmentChoice) -> Self {
        let (file, checks::Stored(settings)) = JsonFile::open(path, writable, "settings of the environment");
        Self {
            choice,
            file,
            state: Arc::new(Mutex::new(State {
                settings,
                found: Arc::default(),
            })),
        }
    }

    /// Fails if the file cannot be read.
    fn check(&self) -> Result<(), CommandError> {
        self.file.check(|checks::Stored(settings)| {
            *self.lock() = State {
                settings,
                found: Arc::default(),
            };
        })
    }

    /// That the file cannot be read.
    pub(crate) fn notice(&self) -> Option<String> {
        self.check().err().map(|error| error.message)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Runs the shell, if it has to be run.
    async fn find(&self, settings: &EnvironmentSettings) -> Found {
        let (at, begun) = (SystemTime::now(), Instant::now());
        // Windows sets up the environment of every program alike.
        let choice = if cfg!(windows) {
            ShellChoice::None
        } else {
            settings.shell
        };
        let by_desktop =
            || self.choice == EnvironmentChoice::DesktopAware && Environment::started_by_desktop();
        let mut environment = match choice {
            ShellChoice::Automatic if by_desktop() => Environment::from_login_shell(SHELL_PATIENCE).await,
            ShellChoice::Automatic | ShellChoice::None => Environment::inherited(),
            ShellChoice::Login => Environment::from_login_shell(SHELL_PATIENCE).await,
            ShellChoice::Program => Environment::from_shell(&settings.program, SHELL_PATIENCE).await,
        };
        if let Some(cause) = self.file.problem() {
            const STEP: &str = "Read the settings of the environment";
            environment.problem = Some(Failure::new(STEP, cause, CORRECT));
        }
        Found {
            environment,
            at,
            took: begun.elapsed(),
        }
    }

    /// What programs get, once it was found. Waits for the shell, if it has to be run.
    async fn current(&self) -> Current {
        let _ = self.check();
        let (settings, found) = {
            let state = self.lock();
            (state.settings.clone(), state.found.clone())
        };
        let known = found.get_or_init(|| self.find(&settings)).await;
        Current::of(&settings, known)
    }

    /// Waits for the shell, if it has to be run.
    pub(crate) async fn get(&self) -> Arc<Environment> {
        Arc::new(self.current().await.environment)
    }

    /// The environment, if that is known already.
    fn known(&self) -> Option<Arc<Environment>> {
        let state = self.lock();
        let current = Current::of(&state.settings, state.found.get()?);
        Some(Arc::new(current.environment))
    }

    /// The shell is run again when the environment is used next.
    fn forget(&self) {
        self.lock().found = Arc::default();
    }

    /// The current PATH, with a short wait.
    pub(crate) async fn path(&self) -> PathInfo {
        if let Ok(environment) = tokio::time::timeout(SHOW_PATIENCE, self.get()).await {
            return path_info(&environment);
        }
        PathInfo {
            problem: Some("The shell has not printed its variables yet.".to_owned()),
            ..path_info(&Environment::inherited())
        }
    }

    fn settings(&self) -> Result<EnvironmentSettings, CommandError> {
        self.check()?;
        Ok(self.lock().settings.clone())
    }

    async fn set(&self, settings: EnvironmentSettings) -> Result<(), CommandError> {
        let change = self.file.begin().await;
        self.check()?;
        let settings = checks::checked(settings).map_err(|why| fail(ErrorCode::InvalidParams, why))?;
        let (state, new) = (self.state.clone(), settings.clone());
        let put = move || {
            let mut state = lock(&state);
            let is_same_shell = state.settings.shell == new.shell && state.settings.program == new.program;
            if !is_same_shell {
                state.found = Arc::default();
            }
            state.settings = new;
        };
        self.file.write(change, settings, put).await.map(drop)
    }
}

/// What programs get, and how that was found.
struct Current {
    environment: Environment,
    /// PATH without the folders that were added.
    own_path: String,
    before: Vec<PathBuf>,
    after: Vec<PathBuf>,
    at: SystemTime,
    took: Duration,
}

impl Current {
    fn of(settings: &EnvironmentSettings, found: &Found) -> Self {
        let home = home(&found.environment);
        let folders = |typed: &[String]| -> Vec<PathBuf> {
            typed.iter().map(|folder| checks::whole(folder, home)).collect()
        };
        let (before, after) = (folders(&settings.path_before), folders(&settings.path_after));
        let own_path = found.environment.get("PATH").unwrap_or_default();
        Self {
            own_path: own_path.to_string_lossy().into_owned(),
            environment: found.environment.clone().with_path(&before, &after),
            before,
            after,
            at: found.at,
            took: found.took,
        }
    }
}

/// The home folder.
fn home(environment: &Environment) -> Option<&OsStr> {
    environment.get(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
}

/// The PATH of an environment and its source.
pub(crate) fn path_info(environment: &Environment) -> PathInfo {
    path_of(
        environment
            .get("PATH")
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        environment,
    )
}

/// `value` as the PATH of a server process, with the source of the rest of the environment.
pub(crate) fn path_of(value: String, environment: &Environment) -> PathInfo {
    let source: EnvironmentSource = environment.source;
    let problem = environment.problem.as_ref();
    PathInfo {
        value,
        source: convert::path_source(source),
        shell: environment.shell.clone(),
        problem: problem.map(|problem| format!("{} {}", problem.cause, problem.next)),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
