//! Over HTTP: requests that got no answer, and what that says about the server.

use std::time::Duration;

use patchbay_protocol::RequestId;
use patchbay_traffic::{Seq, Status as RecordStatus};
use patchbay_transport::{Dialect, Failure, Unanswered as Why};

use super::{Actor, incoming::number};
use crate::{Challenge, Outcome, Unanswered, pending::Purpose};

const RESUME: &str = "Resume the stream";
const MAY_HAVE_RUN: &str =
    "The request may have run: look at the exchange in the log before it is sent again.";

/// What an attempt to connect came to.
enum Attempt {
    /// It fails; so would any other.
    Failed,
    /// The server does not speak this dialect.
    OtherDialect(String),
}

impl Actor {
    /// No answer to a request will come.
    pub(super) fn unanswered(&mut self, id: &RequestId, why: Why) {
        let lost = is_session_lost(&why);
        let status = record_status(&why);
        let is_raw = self.end_raw_request(id, status);
        let entry = number(id).and_then(|number| Some((number, self.pending.remove(number)?)));
        let Some((number, entry)) = entry else {
            if is_raw && lost {
                self.session_lost();
            }
            return;
        };
        self.publisher.pending(self.pending.len());
        self.finish_record(&entry, status);
        self.abandoned.insert(number, status);
        match entry.purpose {
            Purpose::Discover => self.probe_unanswered(why),
            Purpose::Initialize => self.initialize_unanswered(why),
            Purpose::Exchange(_) | Purpose::Relist(_) | Purpose::Ping => {
                let told = explain("Send", &why);
                let outcome = if lost {
                    Outcome::ConnectionLost(told.failure)
                } else {
                    Outcome::Unanswered(Box::new(told))
                };
                self.over(entry, outcome);
            }
        }
        if lost {
            self.session_lost();
        }
    }

    /// A notification, an answer of ours or a batch was not accepted.
    pub(super) fn refused(&mut self, frame: Seq, why: Why) {
        self.end_raw_batch(frame, record_status(&why));
        let told = explain("Send", &why);
        self.log(
            format!(
                "The server did not accept message {frame}: {}",
                told.failure.cause
            ),
            told.failure.detail.clone(),
        );
        if is_session_lost(&why) {
            self.session_lost();
        }
    }

    fn probe_unanswered(&mut self, why: Why) {
        // When no other dialect is left to try, the response itself is the better error.
        let refused = matches!(
            why,
            Why::Status {
                status: 400 | 404 | 405,
                ..
            }
        );
        match judge(&why, Dialect::Modern, false) {
            Attempt::OtherDialect(said) if refused || self.fallback.next().is_some() => {
                self.not_modern_here(
                    format!("server/discover was answered with {said}"),
                    Duration::ZERO,
                );
            }
            _ => self.fail_with(explain("Discover", &why)),
        }
    }

    fn initialize_unanswered(&mut self, why: Why) {
        match judge(&why, self.dialect, self.fallback.is_remembered()) {
            Attempt::OtherDialect(said) if self.fallback.next().is_some() => {
                self.try_next(format!("initialize was answered with {said}"), Duration::ZERO);
            }
            _ => self.fail_with(explain("Initialize", &why)),
        }
    }

    /// Ends the connection as failed; if the server wants authorization, the status says so.
    fn fail_with(&mut self, why: Unanswered) {
        self.publisher.status.challenge = why.challenge;
        self.fail(why.failure);
    }
}

/// What the log says of a request that ended so.
fn record_status(why: &Why) -> RecordStatus {
    match why {
        Why::Status {
            session_lost: false, ..
        } => RecordStatus::Error,
        Why::Status { .. } | Why::Broken { .. } => RecordStatus::Lost,
    }
}

fn is_session_lost(why: &Why) -> bool {
    matches!(
        why,
        Why::Status {
            session_lost: true,
            ..
        }
    )
}

/// What it says about the dialect that nothing (or something else) came back (2026-07-28 `streamable-http`,
/// 2025-11-25 `basic/transports`, "Backwards Compatibility").
///
/// What a remembered dialect is answered with may be any other, since the server may have changed.
fn judge(why: &Why, dialect: Dialect, remembered: bool) -> Attempt {
    match why {
        // It speaks this dialect: the answer was under way.
        Why::Status { resuming: true, .. } => Attempt::Failed,
        // The server is not to be used by us at all, or not now; of proxies and redirections nothing is known.
        Why::Status {
            status: 401 | 403 | 407 | 429 | 502..=504 | 300..=399,
            ..
        } => Attempt::Failed,
        Why::Status { status, .. } => {
            let other = match dialect {
                Dialect::Modern => true,
                Dialect::Legacy => matches!(status, 400 | 404 | 405),
                Dialect::HttpSse => false,
            };
            if other || remembered {
                Attempt::OtherDialect(format!("HTTP {status} and no JSON-RPC message"))
            } else {
                Attempt::Failed
            }
        }
        // It came to the server, and the server broke off: so do old servers on what they do not know.
        Why::Broken {
            failure,
            may_have_run: true,
        } if dialect == Dialect::Modern || remembered => Attempt::OtherDialect(format!(
            "a broken connection ({})",
            failure.cause.trim_end_matches('.')
        )),
        Why::Broken { .. } => Attempt::Failed,
    }
}

/// In words.
pub(super) fn explain(step: &'static str, why: &Why) -> Unanswered {
    match why {
        Why::Status {
            exchange,
            status,
            body_text,
            session_lost,
            www_authenticate,
            retry_after,
            authorization,
            resuming,
        } => {
            let mut failure = if let Some(failure) = authorization {
                failure.clone()
            } else if *status == 401 {
                authorization_required(if *resuming { RESUME } else { step })
            } else if *session_lost {
                session_gone(*resuming)
            } else if *resuming {
                let cause = format!("The server answered the GET with HTTP {status}.");
                Failure::new(RESUME, cause, MAY_HAVE_RUN)
            } else {
                Failure::new(step, answered_with(*status), what_next(*status, *retry_after))
            };
            if !body_text.is_empty() && failure.detail.is_none() {
                failure.detail = Some(body_text.clone());
            }
            let challenge = (*status == 401 || authorization.is_some()).then(|| Challenge {
                status: *status,
                www_authenticate: www_authenticate.clone(),
                http: *exchange,
            });
            Unanswered {
                failure,
                status: Some(*status),
                http: Some(*exchange),
                // The server replied: it did not run a request that it rejected. After an internal failure it may have run it.
                may_have_run: *resuming || (!*session_lost && !(400..=499).contains(status)),
                challenge,
                retry_after: *retry_after,
            }
        }
        Why::Broken {
            failure,
            may_have_run,
        } => Unanswered {
            failure: failure.clone(),
            status: None,
            http: None,
            may_have_run: *may_have_run,
            challenge: None,
            retry_after: None,
        },
    }
}

fn session_gone(resuming: bool) -> Failure {
    let next = if resuming {
        MAY_HAVE_RUN
    } else {
        "A new session is begun; send it again if you still need it."
    };
    Failure::new("Session", "The server does not know the session any more.", next)
}

/// The failure of a server that wants authorization.
pub(super) fn authorization_required(step: &'static str) -> Failure {
    Failure::new(
        step,
        "Authorization required: the server answered with HTTP 401.",
        "Authorize Patchbay with this server, or set the header it expects.",
    )
}

fn answered_with(status: u16) -> String {
    match status {
        200..=299 => format!("The server answered with HTTP {status}, but with no JSON-RPC message."),
        300..=399 => format!("The server answered with HTTP {status}: it redirects elsewhere."),
        _ => format!("The server answered with HTTP {status}."),
    }
}

fn what_next(status: u16, retry_after: Option<Duration>) -> String {
    if let Some(wait) = retry_after {
        return format!("It asks to wait {} s before the next try.", wait.as_secs());
    }
    match status {
        200..=299 => "Check that the URL is that of an MCP endpoint.",
        300..=399 => "Set the URL it redirects to, if you trust it.",
        403 => "The server refuses this client: look at its answer, and at the headers you set.",
        404 | 405 => "Check the path of the URL. MCP servers usually answer at /mcp.",
        407 => "The proxy wants authorization: set it in the proxy's URL.",
        429 => "The server limits how often it may be asked: wait, then try again.",
        500..=599 => "Check the server's own log, then try again.",
        _ => "Look at its answer in the log.",
    }
    .to_owned()
}
