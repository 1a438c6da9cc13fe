//! The only place that writes to the terminal: results to stdout, messages to stderr.

use std::io::{self, IsTerminal, Write};

use patchbay_engine::{with_controls_marked, with_hidden_marked};

/// Writes a result and a line break to stdout. A program or a file gets it unchanged; on a terminal, characters that would
/// control it are written out.
pub(crate) fn answer(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        out.write_all(with_controls_marked(&text).as_bytes())?;
    } else {
        out.write_all(bytes)?;
    }
    out.write_all(b"\n")?;
    out.flush()
}

/// Writes a result as [`answer`] does, on another thread: while nobody reads stdout the caller can be dropped, as it is when a
/// signal arrives.
pub(crate) async fn deliver(bytes: impl AsRef<[u8]> + Send + 'static) -> io::Result<()> {
    let written = tokio::task::spawn_blocking(move || answer(bytes.as_ref())).await;
    written.unwrap_or_else(|error| Err(io::Error::other(error)))
}

/// Writes a message to stderr.
pub(crate) fn words(text: &str) {
    prompt(&format!("{text}\n"));
}

/// Text of others on one line of a terminal: what hides, turns or breaks it is written out.
pub(crate) fn visible(text: &str) -> String {
    with_hidden_marked(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Writes a prompt to stderr, without a line break. It may be a server's or a model's text, so it is made harmless for a
/// terminal. A closed stderr is ignored: there is nowhere to report it.
pub(crate) fn prompt(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(with_hidden_marked(text).as_bytes());
    let _ = err.flush();
}
