//! `initialize` in the process that `server/discover` was sent to.
//!
//! A legacy server answers the probe with an error or not at all (2026-07-28 `basic/transports/stdio`, "Backward
//! Compatibility"), and most then take `initialize` from the same stdin. Starting a server costs a second or more, so a fresh
//! process is started only if this one ended, or if its answer shows that the probe has changed its state.

use std::time::Duration;

use patchbay_protocol::{
    Era, Negotiated, Revision,
    limits::TEXT_BYTES,
    message::Outcome as ResponseOutcome,
    meta::{ProbeVerdict, probe_verdict},
    methods, negotiate,
    views::initialize_params,
};
use patchbay_traffic::Status as RecordStatus;
use patchbay_transport::{Dialect, Failure, SHUTDOWN_GRACE};

use super::super::{Actor, Phase, lifecycle::words};
use crate::{State, pending::Purpose};

impl Actor {
    /// Whether `initialize` can follow on the link that was probed: over HTTP each dialect has a link of its own.
    pub(super) fn takes_both_eras(&self) -> bool {
        let about = self.link.as_ref().map(|link| link.about());
        about.is_some_and(|about| about.http().is_none())
    }

    /// Goes on with `initialize` where the probe was sent.
    pub(super) async fn initialize_probed(&mut self, reason: String) {
        self.fallback
            .failed(&format!("{}: {reason}", words(self.dialect)));
        self.verdict(format!("{reason}; initialize in the same process"));
        if let Some(dialect) = self.fallback.step() {
            self.dialect = dialect;
        }
        self.fallback.probed = true;
        if let Err(failure) = self.ask_initialize().await {
            let reason = failure.cause.trim_end_matches('.').to_owned();
            // The process that refused the probe takes nothing more.
            if !self.initialize_afresh(reason, SHUTDOWN_GRACE) {
                self.fail(failure);
            }
        }
    }

    /// Tries `initialize` once more in a fresh process, if this one was probed before and there is time left. Returns whether
    /// it does.
    pub(in crate::actor) fn initialize_afresh(&mut self, reason: String, patience: Duration) -> bool {
        let probed = std::mem::take(&mut self.fallback.probed);
        if !probed || self.deadline.left().is_zero() {
            return false;
        }
        self.fallback.only(Dialect::Legacy);
        self.try_next(reason, patience);
        true
    }

    /// The answer to a probe that was given up. An error confirms a legacy server. If it is a modern server's, only that era
    /// is tried from now on, for as long as connecting may still take: in this process if it still answers
    /// `server/discover` after `initialize`, otherwise in a fresh one.
    pub(in crate::actor) async fn answered_late(&mut self, said: &ResponseOutcome<'_>) {
        let versions = match probe_verdict(said) {
            ProbeVerdict::Modern { versions } | ProbeVerdict::ModernOther { versions } => versions,
            ProbeVerdict::ModernRefused { .. } => return,
            ProbeVerdict::Legacy { reason } => {
                if self.phase == Phase::Initializing && self.fallback.probed {
                    self.fallback.certain = true;
                    let reason = self.shown(&reason, TEXT_BYTES);
                    self.verdict(format!("{reason}, only late; initialize in the same process"));
                }
                return;
            }
        };
        if !matches!(negotiate(Era::Modern, &versions), Negotiated::Agreed(_)) {
            return;
        }
        match &mut self.phase {
            Phase::Switching(reason) => {
                "it answered server/discover, only late".clone_into(reason);
                self.modern_after_all();
            }
            Phase::Initializing if self.fallback.probed => {
                self.modern_after_all();
                self.fallback.probed = false;
                for (id, entry) in self.pending.drain() {
                    self.finish_record(&entry, RecordStatus::Cancelled);
                    self.abandoned.insert(id, RecordStatus::Cancelled);
                }
                self.publisher.pending(self.pending.len());
                self.dialect = Dialect::Modern;
                self.discover_here().await;
            }
            _ => {}
        }
    }

    fn modern_after_all(&mut self) {
        self.fallback.only(Dialect::Modern);
        self.fallback.certain = true;
        self.log("A modern server after all: it answered late".to_owned(), None);
    }

    /// Sends `initialize` on the link that is there.
    pub(in crate::actor) async fn ask_initialize(&mut self) -> Result<(), Failure> {
        self.phase = Phase::Initializing;
        self.publisher.state(State::Negotiating);
        self.meta = None;
        let revision = self.offer(Revision::LATEST_LEGACY);
        let params = initialize_params(&revision, &self.declared, &self.client_info);
        let left = self.deadline.left();
        let purpose = Purpose::Initialize;
        self.ask_handshake(methods::INITIALIZE, Some(&params), left, purpose)
            .await
            .map(|_| ())
    }
}
