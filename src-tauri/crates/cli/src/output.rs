//! The only place that writes to the terminal: results to stdout, messages to stderr.

use std::io::{self, Write};

/// Writes a result and a line break to stdout.
pub(crate) fn answer(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Writes a prompt to stderr, without a line break.
pub(crate) fn prompt(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes());
    let _ = err.flush();
}

/// Writes a message to stderr. A closed stderr is ignored: there is nowhere to report it.
pub(crate) fn words(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
