//! Sessions of the legacy era over HTTP: a lost one is restarted, visibly and without repeating anything; and the
//! health ping.

pub(super) mod lost;

use std::time::Duration;

use patchbay_protocol::{Era, methods};
use patchbay_transport::Failure;
use tokio::time::Instant;

use super::{Actor, Phase, outgoing::Outgoing};
use crate::{State, Timeouts, pending::Purpose};

impl Actor {
    /// The link tells something new of itself.
    pub(super) fn link_changed(&mut self) {
        let Some(about) = self.link.as_ref().map(|link| link.about()) else {
            return;
        };
        let lost = about.http().is_some_and(|http| http.session_lost);
        self.publisher.status.process = about.process().cloned();
        self.publisher.status.link = Some(about);
        self.publisher.counts_changed();
        if lost {
            self.session_lost();
        }
    }

    /// The server does not know the session any more: nothing that waits will be answered, and a new one must begin.
    pub(super) fn session_lost(&mut self) {
        if self.phase != Phase::Ready || self.publisher.status.era != Some(Era::Legacy) {
            return;
        }
        let failure = Failure::new(
            "Session",
            "The server does not know the session any more.",
            "A new session is begun. Nothing was repeated: send again what you still need.",
        );
        self.publisher.status.sessions_lost += 1;
        // The new session has the server's default.
        self.publisher.status.log_level = None;
        if !self.lost_sessions.lose() {
            let cause = format!(
                "The server lost {} sessions in a row, each within {} s and without answering a request.",
                self.lost_sessions.in_a_row,
                lost::LASTED.as_secs()
            );
            return self.fail(Failure::new("Session", cause, "Look at the server's output."));
        }
        self.log("Session lost: a new one is begun".to_owned(), None);
        self.lose_all(&failure);
        self.fallback.only(self.dialect);
        self.deadline.restart();
        self.phase = Phase::Switching("the server lost the session".to_owned());
        self.publisher.state(State::Negotiating);
        if let Some(link) = &mut self.link {
            link.close(Some(Duration::ZERO));
        }
    }

    /// Whether the server still answers, if somebody wants to know that.
    pub(super) async fn ping(&mut self) {
        self.ping_due = None;
        let Some(every) = self.options.health_ping.filter(|_| self.phase == Phase::Ready) else {
            return;
        };
        let patience = self.options.timeouts.request.min(every);
        let outgoing = Outgoing {
            timeouts: Timeouts {
                request: patience,
                max_total: patience,
                reset_on_progress: false,
                count_input_wait: false,
            },
            ..Outgoing::new(methods::PING)
        };
        if self.request(outgoing, Purpose::Ping).await.is_err() {
            self.ping_failed("it could not be sent");
        }
    }

    /// When the next ping is due, if any.
    pub(super) fn plan_ping(&mut self) {
        let legacy = self.publisher.status.era == Some(Era::Legacy);
        self.ping_due = self
            .options
            .health_ping
            .filter(|_| legacy)
            .map(|every| Instant::now() + every);
    }

    /// A ping was not answered. That is recorded, and no more.
    pub(super) fn ping_failed(&mut self, why: &str) {
        self.publisher.status.failed_pings += 1;
        self.publisher.counts_changed();
        self.log(format!("Health ping failed: {why}"), None);
        self.plan_ping();
    }
}
