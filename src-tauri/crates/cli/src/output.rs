//! The only place that writes to the terminal: results to stdout, messages to stderr.

use std::io::{self, Write};

use patchbay_engine::with_hidden_marked;

/// Writes a result and a line break to stdout, unchanged.
pub(crate) fn answer(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Writes a prompt to stderr, without a line break.
pub(crate) fn prompt(text: &str) {
    say(text);
}

/// Writes a message to stderr.
pub(crate) fn words(text: &str) {
    say(&format!("{text}\n"));
}

/// Writes a text that may be a server's or a model's, harmless for a terminal. A closed stderr is ignored: there is nowhere to
/// report it.
fn say(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(with_hidden_marked(text).as_bytes());
    let _ = err.flush();
}
