//! The server's stderr: recorded line by line as it comes, its end kept for failures.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use patchbay_traffic::{ConnectionRef, LongLine, Recorder};
use tokio::io::AsyncRead;

use crate::framing::lines::{Fill, Line, Lines};

/// How many lines the tail keeps.
const TAIL_LINES: usize = 20;
/// How much of a line the tail keeps.
const TAIL_LINE_BYTES: usize = 2_000;
/// A longer line is recorded in pieces.
const LINE_LIMIT: usize = 256 * 1024;

/// The last lines of a server's stderr, live. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct StderrTail(Arc<Mutex<VecDeque<String>>>);

impl StderrTail {
    /// The last lines (at most 20), oldest first.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .cloned()
            .collect()
    }

    /// Adds a line as it is recorded. It is masked before it is cut: part of a secret is not recognized as one.
    fn push(&self, line: Bytes, recorder: &Recorder) {
        let line = recorder.masked(line);
        let text = String::from_utf8_lossy(line.get(..TAIL_LINE_BYTES).unwrap_or(&line));
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == TAIL_LINES {
            lines.pop_front();
        }
        lines.push_back(text.trim_end_matches('\r').to_owned());
    }
}

/// Records everything until the pipe ends.
pub(crate) async fn record(
    pipe: Box<dyn AsyncRead + Send + Unpin>,
    recorder: Recorder,
    connection: ConnectionRef,
    tail: StderrTail,
) {
    #[cfg(test)]
    crate::stdio::doomed::strike(crate::stdio::doomed::Task::Stderr);
    let mut lines = Lines::new(pipe);
    // The parts of a line that is longer than the limit.
    let mut long: Option<LongLine> = None;
    let mut keep = |line: Line, whole: bool| {
        // Of a long line, only the first piece: the next one may begin with the rest of a secret.
        if long.is_none() {
            tail.push(line.bytes.clone(), &recorder);
        }
        match (long.take(), whole) {
            (None, true) => recorder.stderr(connection, line.bytes),
            (begun, _) => {
                let mut begun = begun.unwrap_or_default();
                recorder.stderr_part(connection, &mut begun, &line.bytes, whole);
                long = (!whole).then_some(begun);
            }
        }
    };
    loop {
        while let Some(line) = lines.take() {
            keep(line, true);
        }
        if lines.ended() {
            if let Some(mut begun) = long {
                recorder.stderr_part(connection, &mut begun, b"", true);
            }
            return;
        }
        if lines.unfinished() >= LINE_LIMIT
            && let Some(piece) = lines.take_unfinished()
        {
            keep(piece, false);
        }
        match lines.fill().await {
            Ok(Fill::More | Fill::End) => {}
            Err(error) => tracing::debug!(%error, "stderr ended"),
        }
    }
}

#[cfg(test)]
mod tests;
