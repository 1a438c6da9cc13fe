//! The output of a build, and how it ended.

use std::time::Duration;

use patchbay_contract::BuildEnd;
use patchbay_transport::{Exit, Failure};

use crate::convert;

/// How much of the output is kept, in bytes.
const OUTPUT_BYTES: usize = 64 * 1024;

/// What a build has printed: the newest part.
#[derive(Debug, Clone, Default)]
pub(super) struct Output {
    bytes: Vec<u8>,
    dropped: usize,
}

impl Output {
    pub(super) fn add(&mut self, part: &[u8]) {
        self.bytes.extend_from_slice(part);
        // Not at every part: moving the rest costs as much as it is long.
        if self.bytes.len() > 2 * OUTPUT_BYTES {
            self.cut();
        }
    }

    /// As text, without escape sequences (colours), and of lines that were written over only what was written last.
    pub(super) fn text(&self) -> String {
        let mut kept = self.clone();
        kept.cut();
        let text = String::from_utf8_lossy(&kept.bytes);
        let text = anstream::adapter::strip_str(&text).to_string();
        let lines = text.split('\n').map(|line| {
            let line = line.strip_suffix('\r').unwrap_or(line);
            line.rsplit('\r').next().unwrap_or(line)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// How many bytes are not kept.
    pub(super) fn dropped(&self) -> f64 {
        let mut kept = self.clone();
        kept.cut();
        convert::count(kept.dropped).into()
    }

    /// Leaves the newest part, from the beginning of a line if there is one.
    fn cut(&mut self) {
        let excess = self.bytes.len().saturating_sub(OUTPUT_BYTES);
        if excess == 0 {
            return;
        }
        let rest = self.bytes.get(excess - 1..).unwrap_or_default();
        let line = rest.iter().position(|byte| *byte == b'\n');
        let cut = line.map_or(excess, |line| excess + line);
        self.dropped += cut;
        self.bytes.drain(..cut);
    }
}

/// How a build ended, for the user. `limit` is how long it may take.
pub(super) fn end(ended: Result<Option<Exit>, Failure>, limit: Duration, took: Duration) -> BuildEnd {
    let words = match &ended {
        Ok(Some(exit)) => exit.to_string(),
        Ok(None) => format!(
            "ended after {} s, the most it may take by the settings",
            limit.as_secs_f32()
        ),
        Err(failure) => format!("{} {}", failure.cause, failure.next),
    };
    BuildEnd {
        succeeded: matches!(ended, Ok(Some(Exit::Code(0)))),
        words,
        duration_ms: convert::ms(took),
    }
}

/// A build that was not run, and why.
pub(super) fn not_run(words: String) -> BuildEnd {
    BuildEnd {
        succeeded: false,
        words,
        duration_ms: 0.0,
    }
}

#[cfg(test)]
mod tests;
