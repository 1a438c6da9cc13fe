//! Lines that the user types. One thread reads them for everything that asks, because reading blocks.

use std::{io::BufRead as _, sync::Arc};

use tokio::sync::{Mutex, mpsc};

/// The lines of stdin, from the first time that one is wanted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keyboard(Arc<Mutex<Option<mpsc::Receiver<Option<String>>>>>);

impl Keyboard {
    /// The next line; none at the end of input. Cancel safe.
    pub(crate) async fn line(&self) -> Option<String> {
        let mut lines = self.0.lock().await;
        lines.get_or_insert_with(lines_of_stdin).recv().await.flatten()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "reading a line cannot be interrupted; the thread ends with the program"
)]
fn lines_of_stdin() -> mpsc::Receiver<Option<String>> {
    let (sender, lines) = mpsc::channel(1);
    std::thread::spawn(move || {
        loop {
            let mut line = String::new();
            // At a terminal more may come after the end of input.
            let read = match std::io::stdin().lock().read_line(&mut line) {
                Ok(0) | Err(_) => None,
                Ok(_) => Some(line.trim_end_matches(['\n', '\r']).to_owned()),
            };
            if sender.blocking_send(read).is_err() {
                return;
            }
        }
    });
    lines
}
