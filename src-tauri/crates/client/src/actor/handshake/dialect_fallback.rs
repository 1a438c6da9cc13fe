//! In which order the dialects are tried ("Era detection").
//!
//! What an answer means is deliberately not here: see `lifecycle` and `unanswered`.

use std::collections::VecDeque;

use patchbay_protocol::Era;
use patchbay_transport::Dialect;

use crate::{EraChoice, Verdict};

/// The dialects to try.
pub(in crate::actor) struct DialectFallback {
    left: VecDeque<Dialect>,
    /// Whether the first comes from an earlier connection: if it fails, all others are tried.
    remembered: bool,
    /// Why those that were tried failed.
    said: Vec<String>,
    /// Whether a finding is certain enough to be remembered.
    pub(in crate::actor) certain: bool,
    /// Whether the probe under way was sent once more, after -32022.
    asked_again: bool,
    /// Whether `initialize` is under way in a process that was probed before: if that fails, a fresh one may not.
    pub(in crate::actor) probed: bool,
}

impl DialectFallback {
    pub(in crate::actor) fn new(known: &[Dialect], era: EraChoice, remembered: Option<Verdict>) -> Self {
        let fits = |dialect: &&Dialect| match era {
            EraChoice::Auto => true,
            EraChoice::Legacy => dialect.era() == Era::Legacy,
            EraChoice::Modern => dialect.era() == Era::Modern,
        };
        let mut left: VecDeque<Dialect> = known.iter().filter(fits).copied().collect();
        let at = remembered.and_then(|verdict| left.iter().position(|dialect| *dialect == verdict.dialect));
        if let Some(first) = at.and_then(|at| left.remove(at)) {
            left.push_front(first);
        }
        Self {
            left,
            remembered: at.is_some(),
            said: Vec::new(),
            certain: true,
            asked_again: false,
            probed: false,
        }
    }

    /// The next one to try.
    pub(in crate::actor) fn step(&mut self) -> Option<Dialect> {
        self.asked_again = false;
        self.left.pop_front()
    }

    /// The one after this.
    pub(in crate::actor) fn next(&self) -> Option<Dialect> {
        self.left.front().copied()
    }

    /// Whether the one under way was chosen from memory.
    pub(in crate::actor) fn is_remembered(&self) -> bool {
        self.remembered
    }

    /// Whether the one under way was chosen from memory, and another may be what the server speaks by now.
    pub(in crate::actor) fn may_be_outdated(&self) -> bool {
        self.remembered && !self.left.is_empty()
    }

    /// Whether the probe may be sent once more; only the first time.
    pub(in crate::actor) fn may_ask_again(&mut self) -> bool {
        !std::mem::replace(&mut self.asked_again, true)
    }

    /// From now on only this one.
    pub(in crate::actor) fn only(&mut self, dialect: Dialect) {
        self.left = VecDeque::from([dialect]);
    }

    /// The one under way has failed; why.
    pub(in crate::actor) fn failed(&mut self, reason: &str) {
        self.remembered = false;
        self.said.push(reason.to_owned());
    }

    /// Why those that were tried failed, one reason a line.
    pub(in crate::actor) fn said(&self) -> Option<String> {
        (!self.said.is_empty()).then(|| self.said.join("\n"))
    }
}
