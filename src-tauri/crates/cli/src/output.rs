//! The only place that writes to the terminal: results to stdout, messages to stderr.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

use patchbay_engine::with_hidden_marked;

/// Writes a result and a line break to stdout. A program or a file gets it unchanged; on a terminal, characters that would
/// control it are written out.
pub(crate) fn answer(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        out.write_all(without_controls(&String::from_utf8_lossy(bytes)).as_bytes())?;
    } else {
        out.write_all(bytes)?;
    }
    out.write_all(b"\n")?;
    out.flush()
}

/// What hides or turns text without controlling a terminal stays, as in a result that is copied from there.
fn without_controls(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.replace("\r\n", "\n").chars() {
        if character.is_control() && !matches!(character, '\n' | '\t') {
            // Writing to a string cannot fail.
            let _ = write!(out, "⟨U+{:04X}⟩", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out
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
