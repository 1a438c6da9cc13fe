//! The assertion of a workload: from a file, a variable of the environment, or a command's output. Read for each token
//! request, because platforms renew it.

use std::{io::Read as _, sync::Weak, time::Duration};

use patchbay_auth as auth;
use patchbay_contract::{AssertionDraft, AssertionFrom};
use patchbay_secret::Secret;
use patchbay_transport::{BoxFuture, output_of};

use crate::state::EngineState;

/// The most that is read, in bytes.
const MOST: u64 = 64 << 10;
/// The time limit of a command.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where a workload's assertion comes from.
pub(super) struct Assertion {
    pub(super) draft: AssertionDraft,
    pub(super) engine: Weak<EngineState>,
}

impl Assertion {
    async fn read(&self) -> Result<Secret, auth::AssertionError> {
        let AssertionDraft { from, value } = &self.draft;
        match from {
            AssertionFrom::File => in_file(value).await,
            AssertionFrom::Variable => self.in_variable(value).await,
            AssertionFrom::Command => self.by_command(value).await,
        }
        .map_err(|(cause, next)| auth::AssertionError {
            cause,
            next: next.to_owned(),
        })
    }

    async fn in_variable(&self, name: &str) -> Outcome {
        let environment = match self.engine.upgrade() {
            Some(engine) => engine.environment.get().await,
            None => return Err(ended()),
        };
        let value = environment.get(name).and_then(|value| value.to_str());
        value.map(Secret::new).ok_or_else(|| {
            let cause = format!("the environment variable {name} is not set");
            (cause, "Set it before Patchbay starts, or choose another source.")
        })
    }

    async fn by_command(&self, line: &str) -> Outcome {
        let next = "Run the command in a terminal to see what it prints, or choose another source.";
        let Some((program, args)) = patchbay_config::command_words(line) else {
            return Err((format!("`{line}` is not a command"), next));
        };
        let environment = match self.engine.upgrade() {
            Some(engine) => engine.environment.get().await,
            None => return Err(ended()),
        };
        let output = output_of(&program, &args, &environment, PATIENCE, MOST).await;
        let output = output.map_err(|why| {
            (
                format!("the command {program} {}", why.trim_end_matches('.')),
                next,
            )
        })?;
        text(output).ok_or_else(|| {
            (
                format!("the command {program} printed something that is not text"),
                next,
            )
        })
    }
}

/// The assertion, or the cause and what to do.
type Outcome = Result<Secret, (String, &'static str)>;

fn ended() -> (String, &'static str) {
    ("Patchbay is closing".to_owned(), "Start it again.")
}

async fn in_file(path: &str) -> Outcome {
    let next = "Check the path and its permissions, or choose another source.";
    let at = path.to_owned();
    let read = tokio::task::spawn_blocking(move || {
        let mut bytes = Vec::new();
        // One byte more than is accepted, so that a longer one is not cut silently.
        std::fs::File::open(at)?.take(MOST + 1).read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(bytes)
    });
    let bytes = match tokio::time::timeout(PATIENCE, read).await {
        Ok(Ok(Ok(bytes))) => bytes,
        Ok(Ok(Err(error))) => return Err((format!("the file {path} cannot be read: {error}"), next)),
        Ok(Err(_)) => return Err(ended()),
        Err(_) => {
            let seconds = PATIENCE.as_secs();
            return Err((
                format!("the file {path} could not be read within {seconds} s"),
                next,
            ));
        }
    };
    if bytes.len() as u64 > MOST {
        return Err((format!("the file {path} is longer than {MOST} bytes"), next));
    }
    text(bytes).ok_or_else(|| (format!("the file {path} is not text"), next))
}

fn text(bytes: Vec<u8>) -> Option<Secret> {
    String::from_utf8(bytes).ok().map(Secret::new)
}

impl auth::AssertionSource for Assertion {
    fn load(&self) -> BoxFuture<'_, Result<Secret, auth::AssertionError>> {
        Box::pin(self.read())
    }

    fn name(&self) -> String {
        let AssertionDraft { from, value } = &self.draft;
        match from {
            AssertionFrom::File => format!("the file {value}"),
            AssertionFrom::Variable => format!("the variable {value}"),
            AssertionFrom::Command => {
                let program =
                    patchbay_config::command_words(value).map_or_else(String::new, |(program, _)| program);
                format!("the command {program}")
            }
        }
    }
}

#[cfg(test)]
mod tests;
