//! What the answers to `server/discover` and `initialize` mean.

mod connect_deadline;
mod dialect_fallback;
mod same_process;

use std::{sync::Arc, time::Duration};

use patchbay_protocol::{
    Era, Negotiated, Revision,
    json::{self, Object},
    limits::TEXT_BYTES,
    message::{Outcome as ResponseOutcome, RpcError},
    meta::{ProbeVerdict, probe_verdict},
    methods, negotiate,
    views::{ClientCapabilities, DiscoverResult, Implementation, InitializeResult},
};
use patchbay_transport::{Dialect, Failure, SHUTDOWN_GRACE};

use super::{
    Actor, Phase,
    incoming::Incoming,
    lifecycle::{DISCOVER, INITIALIZE, SILENT_PATIENCE, SLOW, SLOW_OR_PROBED, tenths, words},
    unanswered::authorization_required,
};
use crate::{Answer, Challenge, Handshake, ServerInfo, State, Verdict, pending::Purpose};

pub(super) use connect_deadline::ConnectDeadline;
pub(super) use dialect_fallback::DialectFallback;

/// The maximum number of supported versions that are shown.
const MOST_VERSIONS: usize = 100;
/// The maximum size of the server's error as it is shown, in bytes. The log has all of it.
const ERROR_LIMIT: usize = 64 << 10;

impl Actor {
    /// The answer to `server/discover` or `initialize`.
    pub(super) async fn handshake(
        &mut self,
        purpose: Purpose,
        said: &ResponseOutcome<'_>,
        answer: Answer,
        at: &Incoming<'_>,
    ) {
        if at.status == Some(401) {
            self.publisher.status.challenge = Some(Challenge {
                status: 401,
                www_authenticate: None,
                http: at.http.unwrap_or(at.seq),
            });
            return self.fail(authorization_required("Connect"));
        }
        match purpose {
            Purpose::Discover => self.discovered(said, answer).await,
            Purpose::Initialize => self.initialized(said, answer, at.status).await,
            Purpose::Exchange(_) | Purpose::Relist(_) | Purpose::Ping => {}
        }
    }

    async fn discovered(&mut self, said: &ResponseOutcome<'_>, answer: Answer) {
        let versions = match (probe_verdict(said), said) {
            (ProbeVerdict::Modern { versions }, ResponseOutcome::Result(result)) => {
                if let Some(revision) = self.agreed(Era::Modern, &versions) {
                    self.ready_modern(revision, result, answer);
                    return;
                }
                versions
            }
            (ProbeVerdict::ModernOther { versions } | ProbeVerdict::Modern { versions }, _) => versions,
            (ProbeVerdict::ModernRefused { .. }, ResponseOutcome::Error(error)) => {
                return self.fail(self.handshake_refused(DISCOVER, error, None));
            }
            (ProbeVerdict::ModernRefused { code }, ResponseOutcome::Result(_)) => {
                let reason = format!("it answered server/discover with error {code}");
                return self.not_modern(reason).await;
            }
            (ProbeVerdict::Legacy { reason }, _) => {
                return self.not_modern(self.shown(&reason, TEXT_BYTES)).await;
            }
        };
        let list = self.shown(&versions.join(", "), TEXT_BYTES);
        // A modern server that would not say this revision: once more with one that it speaks, even if it is the same.
        let shared = self.agreed(Era::Modern, &versions);
        if let Some(AgreedRevision { name, .. }) = &shared
            && let Some(meta) = &mut self.meta
            && self.fallback.may_ask_again()
        {
            if let Some(link) = &mut self.link {
                link.agreed(Era::Modern, name);
            }
            meta.revision.clone_from(name);
            return self.probe().await;
        }
        // Or a modern server of revisions we do not speak. It may speak a legacy one.
        if let Negotiated::Agreed(_) = negotiate(Era::Legacy, &versions) {
            self.not_modern(format!("it answered server/discover with the versions {list}"))
                .await;
        } else if let (Some(_), Some(meta)) = (shared, &self.meta) {
            self.fail(still_refused(&meta.revision, &list));
        } else {
            self.fail(no_common_version(DISCOVER, "server/discover", &list));
        }
    }

    /// The revision to go on with; none if the server speaks no known one, unless that does not matter.
    fn agreed(&self, era: Era, versions: &[impl AsRef<str>]) -> Option<AgreedRevision> {
        if let Negotiated::Agreed(known) = negotiate(era, versions) {
            let name = known.as_str().to_owned();
            return Some(AgreedRevision { known, name });
        }
        let is_unknown =
            |name: &&str| (1..=TEXT_BYTES).contains(&name.len()) && Revision::parse(name).is_none();
        let unknown = versions.iter().map(AsRef::as_ref).find(is_unknown);
        let name = unknown.filter(|_| self.options.any_revision)?.to_owned();
        let known = match era {
            Era::Legacy => Revision::LATEST_LEGACY,
            Era::Modern => Revision::LATEST_MODERN,
        };
        Some(AgreedRevision { known, name })
    }

    fn ready_modern(&mut self, revision: AgreedRevision, result: &str, answer: Answer) {
        let view = DiscoverResult::parse(result);
        let handshake = Handshake {
            seq: answer.seq,
            server: view.server_info.as_ref().map(|info| self.server_info(info)),
            capabilities_json: Some(view.capabilities.raw.into_owned()),
            instructions: view.instructions.map(std::borrow::Cow::into_owned),
            supported_versions: view
                .supported_versions
                .iter()
                .take(MOST_VERSIONS)
                .map(|version| self.shown(version, TEXT_BYTES))
                .collect(),
            result: answer.body,
            frame: answer.frame,
        };
        if let Some(meta) = &mut self.meta {
            meta.revision.clone_from(&revision.name);
        }
        if !self.fallback.is_remembered() {
            self.verdict("server/discover was answered".to_owned());
        }
        self.ready(Era::Modern, revision, handshake);
    }

    async fn initialized(&mut self, said: &ResponseOutcome<'_>, answer: Answer, http: Option<u16>) {
        let result = match said {
            ResponseOutcome::Result(result) => *result,
            ResponseOutcome::Error(error) => {
                let failure = self.handshake_refused(INITIALIZE, error, http);
                let reason = failure.cause.trim_end_matches('.').to_owned();
                let modern = !matches!(probe_verdict(said), ProbeVerdict::Legacy { .. });
                if modern && !self.fallback.certain {
                    // The probe was only too slow for this server: it gets the time that is left.
                    self.fallback.only(Dialect::Modern);
                    self.fallback.certain = true;
                }
                // What an old server's POST is answered with (2025-11-25 `basic/transports`, "Backwards Compatibility").
                let old = http.is_some_and(|status| matches!(status, 400 | 404 | 405));
                let goes_on = self.fallback.next().is_some_and(|next| {
                    if modern {
                        next == Dialect::Modern
                    } else {
                        old || self.fallback.is_remembered()
                    }
                });
                if goes_on {
                    return self.try_next(reason, SHUTDOWN_GRACE);
                }
                // The probe may be why it refuses.
                if modern || !self.initialize_afresh(reason, SHUTDOWN_GRACE) {
                    self.fail(failure);
                }
                return;
            }
        };
        // A process that takes `initialize` after it was silent to the probe is legacy, not slow.
        self.fallback.certain |= self.fallback.probed;
        let view = InitializeResult::parse(result);
        let version = view.protocol_version.into_owned();
        let handshake = Handshake {
            seq: answer.seq,
            server: view.server_info.as_ref().map(|info| self.server_info(info)),
            capabilities_json: Some(view.capabilities.raw.into_owned()),
            instructions: view.instructions.map(std::borrow::Cow::into_owned),
            supported_versions: Vec::new(),
            result: answer.body,
            frame: answer.frame,
        };
        match self.agreed(Era::Legacy, &[&version]) {
            Some(revision) => {
                if let Some(link) = &mut self.link {
                    link.agreed(Era::Legacy, &revision.name);
                }
                self.notify(methods::INITIALIZED, None, self.options.operation)
                    .await;
                self.ready(Era::Legacy, revision, handshake);
            }
            None => {
                let version = self.shown(&version, TEXT_BYTES);
                self.publisher.status.handshake = Some(Arc::new(handshake));
                self.fail(no_common_version(INITIALIZE, "initialize", &version));
            }
        }
    }

    fn ready(&mut self, era: Era, revision: AgreedRevision, handshake: Handshake) {
        let name = handshake
            .server
            .as_ref()
            .map(|server| format!(", {}", server.name))
            .unwrap_or_default();
        let unknown = (revision.known.as_str() != revision.name).then(|| revision.name.clone());
        let as_known = unknown
            .as_ref()
            .map(|_| format!(" (not known; handled as {})", revision.known))
            .unwrap_or_default();
        self.log(format!("Ready: {}{as_known}{name}", revision.name), None);
        let declared = handshake.capabilities_json.as_deref().unwrap_or("{}");
        let ours = self.declared.to_json();
        let extensions = shared_extensions(&self.declared, declared);
        if era == Era::Modern
            && let Some(link) = &mut self.link
        {
            link.agreed(era, &revision.name);
        }
        let status = &mut self.publisher.status;
        status.era = Some(era);
        status.revision = Some(revision.known);
        status.unknown_revision = unknown;
        status.client_capabilities_json = ours;
        status.extensions = extensions;
        status.link = self.link.as_ref().map(|link| link.about());
        if let Some(verdict) = &mut status.era_verdict {
            verdict.remember = self.fallback.certain.then_some(Verdict {
                era,
                dialect: self.dialect,
            });
        }
        status.handshake = Some(Arc::new(handshake));
        self.phase = Phase::Ready;
        self.lost_sessions.begin();
        self.plan_ping();
        self.publisher.state(State::Ready);
    }

    fn server_info(&self, view: &Implementation<'_>) -> ServerInfo {
        let shown = |text: &str| self.shown(text, TEXT_BYTES);
        ServerInfo {
            name: shown(&view.name),
            title: view.title.as_deref().map(shown),
            version: Some(shown(&view.version)).filter(|version| !version.is_empty()),
        }
    }

    fn handshake_refused(&self, step: &'static str, error: &RpcError<'_>, status: Option<u16>) -> Failure {
        let method = if step == INITIALIZE {
            methods::INITIALIZE
        } else {
            methods::SERVER_DISCOVER
        };
        let status = status.filter(|status| !(200..300).contains(status));
        let status = status.map_or_else(String::new, |status| format!("HTTP {status} and "));
        Failure::new(
            step,
            format!(
                "The server answered {method} with {status}error {}: {}.",
                self.shown(&error.code_text, TEXT_BYTES),
                self.shown(error.message.trim_end_matches('.'), TEXT_BYTES)
            ),
            "Check the server's error. If the era is fixed, try Auto.",
        )
        .with_detail(self.shown(error.raw, ERROR_LIMIT))
    }

    /// A request of the handshake was not answered in time.
    pub(super) async fn no_handshake(&mut self, purpose: &Purpose, after: Duration) {
        let seconds = tenths(after);
        match purpose {
            Purpose::Discover => {
                // It may only be slow today: such a finding is not remembered.
                self.fallback.certain = false;
                let reason = format!("it did not answer server/discover within {seconds} s");
                self.not_modern(reason).await;
            }
            Purpose::Initialize => {
                let limit = match self.fallback.said() {
                    Some(_) => format!(
                        "; connecting may take {} s in total",
                        tenths(self.deadline.limit())
                    ),
                    None => String::new(),
                };
                let cause = format!("The server did not answer initialize within {seconds} s{limit}.");
                let next = if self.fallback.probed {
                    SLOW_OR_PROBED
                } else {
                    SLOW
                };
                self.fail(Failure::new(INITIALIZE, cause, next));
            }
            Purpose::Exchange(_) | Purpose::Relist(_) | Purpose::Ping => {}
        }
    }

    /// The probe did not find a modern server: `initialize` follows in the same process, if that takes it.
    pub(super) async fn not_modern(&mut self, reason: String) {
        let legacy_next = self.fallback.next() == Some(Dialect::Legacy);
        if legacy_next && self.takes_both_eras() && !self.deadline.left().is_zero() {
            self.log(format!("Not a modern server: {reason}"), None);
            return self.initialize_probed(reason).await;
        }
        self.not_modern_here(reason, SILENT_PATIENCE);
    }

    /// The probe did not find a modern server, and its link is of no more use. What is left of it has `patience` to end by
    /// itself.
    pub(super) fn not_modern_here(&mut self, reason: String, patience: Duration) {
        self.log(format!("Not a modern server: {reason}"), None);
        if self.fallback.next().is_some() {
            return self.try_next(reason, patience);
        }
        self.fail(Failure::new(
            DISCOVER,
            format!("The server does not speak {}: {reason}.", Revision::LATEST_MODERN),
            "Set the era of this server to auto or legacy.",
        ));
    }

    /// Ends the link, within what is left of the time to connect, and tries the next dialect.
    pub(super) fn try_next(&mut self, reason: String, patience: Duration) {
        let patience = patience.min(self.deadline.left());
        self.fallback
            .failed(&format!("{}: {reason}", words(self.dialect)));
        self.phase = Phase::Switching(reason);
        if let Some(link) = &mut self.link {
            link.close(Some(patience));
        }
    }
}

/// A revision that client and server agreed on.
struct AgreedRevision {
    /// The one whose rules are used.
    known: Revision,
    /// The one that was agreed: the same, unless that is not known.
    name: String,
}

/// Each extension that we declare, and whether the server does too.
fn shared_extensions(ours: &ClientCapabilities, theirs: &str) -> Vec<(String, bool)> {
    let theirs = Object::parse(theirs)
        .ok()
        .and_then(|theirs| Object::parse(theirs.get("extensions")?).ok());
    let ours = ours.value("extensions").and_then(|ours| Object::parse(ours).ok());
    let has = |name: &str| {
        theirs
            .as_ref()
            .and_then(|theirs| theirs.get(name))
            .is_some_and(|value| json::kind(value) == json::Kind::Object)
    };
    ours.iter()
        .flat_map(Object::iter)
        .map(|(name, _)| (name.to_string(), has(name)))
        .collect()
}

/// The server contradicts itself.
fn still_refused(asked: &str, listed: &str) -> Failure {
    let cause = format!(
        "The server refuses revision {asked} in server/discover, although it lists it as supported ({listed})."
    );
    Failure::new(
        DISCOVER,
        cause,
        "Report it to the maker of the server; the log has the exchange.",
    )
}

fn no_common_version(step: &'static str, method: &str, offered: &str) -> Failure {
    let ours = Revision::ALL.map(Revision::as_str).join(", ");
    let theirs = if offered.is_empty() {
        "no version at all"
    } else {
        offered
    };
    Failure::new(
        step,
        format!("No common revision: the server answered {method} with {theirs}; Patchbay speaks {ours}."),
        "Use a version of the server that speaks one of these revisions, or allow unknown revisions in its settings.",
    )
}
