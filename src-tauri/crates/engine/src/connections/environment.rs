//! The environment of server processes, determined once.

use std::{sync::Arc, time::Duration};

use patchbay_client::{Environment, EnvironmentSource};
use patchbay_contract::PathInfo;
use tokio::sync::OnceCell;

use crate::{convert, engine::options::EnvironmentChoice};

/// The time limit of the login shell; some start slowly.
const SHELL_PATIENCE: Duration = Duration::from_secs(10);
/// How long the start page waits for the login shell before it shows the inherited environment.
const SHOW_PATIENCE: Duration = Duration::from_millis(300);

/// The environment, resolved on first use.
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

    /// Waits for the login shell, if it has to be run.
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

    /// The current PATH, with a short wait.
    pub(crate) async fn path(&self) -> PathInfo {
        if let Ok(environment) = tokio::time::timeout(SHOW_PATIENCE, self.get()).await {
            return path_info(&environment);
        }
        let problem = Some("The login shell has not responded yet.".to_owned());
        path_info(&Environment {
            problem,
            ..Environment::inherited()
        })
    }
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
    PathInfo {
        value,
        source: convert::path_source(source),
        problem: environment.problem.clone(),
    }
}
