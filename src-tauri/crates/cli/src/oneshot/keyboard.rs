//! Lines that the user types, for everything that asks.

use std::{io::BufRead as _, sync::Arc};

use tokio::sync::{Mutex, MutexGuard, oneshot};

use crate::output;

/// Reads stdin. A run has one, and one question is open at a time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keyboard(Arc<Mutex<Option<Reading>>>);

/// A line that is being read. It outlives a question that nobody waits for any more, because reading cannot be interrupted.
type Reading = oneshot::Receiver<Option<String>>;

/// The open question, from its first word to its answer. Others wait until it is dropped.
#[derive(Debug)]
pub(crate) struct Dialog<'a>(MutexGuard<'a, Option<Reading>>);

impl Keyboard {
    /// Waits until no other question is open.
    pub(crate) async fn dialog(&self) -> Dialog<'_> {
        Dialog(self.0.lock().await)
    }

    /// The answer to a question that is only its prompt; none at the end of input.
    pub(crate) async fn line(&self, prompt: &str) -> Option<String> {
        self.dialog().await.line(prompt).await
    }
}

impl Dialog<'_> {
    /// The line that is typed after the prompt; none at the end of input. Nothing is read from a terminal before it is wanted:
    /// what is typed later may be for a program, or a question without echo.
    pub(crate) async fn line(&mut self, prompt: &str) -> Option<String> {
        // An answer to a question that ended meanwhile is none to this one.
        if self.0.as_mut().is_some_and(|reading| reading.try_recv().is_ok()) {
            *self.0 = None;
        }
        output::prompt(prompt);
        let line = self.0.get_or_insert_with(line_of_stdin).await;
        *self.0 = None;
        line.ok().flatten()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "reading cannot be interrupted; the thread ends with the line, or with the program"
)]
fn line_of_stdin() -> Reading {
    let (sender, reading) = oneshot::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        // At a terminal more may come after the end of input.
        let read = match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(line.trim_end_matches(['\n', '\r']).to_owned()),
        };
        // The program may have ended.
        let _ = sender.send(read);
    });
    reading
}
