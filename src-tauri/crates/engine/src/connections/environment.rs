//! The environment that servers start in, found out once.

use std::{sync::Arc, time::Duration};

use patchbay_client::{Environment, EnvironmentSource};
use patchbay_contract::PathInfo;
use tokio::sync::OnceCell;

use crate::{convert, engine::options::EnvironmentChoice};

/// How long a login shell may take; some start slowly.
const SHELL_PATIENCE: Duration = Duration::from_secs(10);
/// How long the start page waits for the shell before it shows what we inherited.
const SHOW_PATIENCE: Duration = Duration::from_millis(300);

/// The environment, resolved when it is first asked for.
#[derive(Debug)]
pub(crate) struct ServerEnvironment {
    choice: EnvironmentChoice,
    found: OnceCell<Arc<Environment>>,
}

impl ServerEnvironment {
    pub(crate) fn new(choice: EnvironmentChoice) -> Self {
        Self {
            choice,
            found: OnceCell::new(),
        }
    }

    /// Waits for the login shell, if it has to be asked.
    pub(crate) async fn get(&self) -> Arc<Environment> {
        let resolve = async || {
            Arc::new(match self.choice {
                EnvironmentChoice::DesktopAware if Environment::started_by_desktop() => {
                    Environment::from_login_shell(SHELL_PATIENCE).await
                }
                _ => Environment::inherited(),
            })
        };
        self.found.get_or_init(resolve).await.clone()
    }

    /// The PATH in use, without waiting long.
    pub(crate) async fn path(&self) -> PathInfo {
        if let Ok(environment) = tokio::time::timeout(SHOW_PATIENCE, self.get()).await {
            return path_info(&environment);
        }
        let problem = Some("The login shell has not answered yet.".to_owned());
        path_info(&Environment {
            problem,
            ..Environment::inherited()
        })
    }
}

/// The PATH of an environment and where it is from.
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

/// `value` as the PATH that a server got, with where the rest of the environment is from.
pub(crate) fn path_of(value: String, environment: &Environment) -> PathInfo {
    let source: EnvironmentSource = environment.source;
    PathInfo {
        value,
        source: convert::path_source(source),
        problem: environment.problem.clone(),
    }
}
