//! The tasks that others run for a connection: one that panics takes the connection with it, as failed.

use tokio::sync::mpsc::WeakSender;

use super::panics::caught;
use crate::command::Command;

/// Watches over the tasks of a connection. Cheap to clone; does not keep the connection open.
#[derive(Debug, Clone)]
pub struct Supervisor {
    commands: WeakSender<Command>,
}

impl Supervisor {
    pub(crate) fn new(commands: WeakSender<Command>) -> Self {
        Self { commands }
    }

    /// Runs a task to its end. If it panics, the connection ends as failed; its status and its log say which task died,
    /// and of what. A connection that is over already stays as it is.
    pub async fn run(self, task: &'static str, work: impl Future<Output = ()>) {
        if let Err(cause) = caught(work).await
            && let Some(commands) = self.commands.upgrade()
        {
            // An error means that the connection is over.
            let _ = commands.send(Command::Died { task, cause }).await;
        }
    }
}
