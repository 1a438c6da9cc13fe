//! The steps from HTTP (or starting the program) on: the events of a real connection attempt.

use std::sync::Arc;

use patchbay_client::{State, Status};
use patchbay_contract::*;
use patchbay_traffic::{Filter, Kind, Row};

use super::{Report, RunningStep};
use crate::{
    connections::{self, ConnectionHandle},
    convert,
    dispatch::streams::Closed,
    state::Engine,
};

/// The maximum number of exchanges of an attempt that are examined.
const EXCHANGES: usize = 500;

pub(super) fn title(kind: DoctorStepKind) -> &'static str {
    match kind {
        DoctorStepKind::Resolve => "Find the program",
        DoctorStepKind::Tcp => "Connect",
        DoctorStepKind::Tls => "TLS handshake",
        DoctorStepKind::Http => "HTTP response",
        DoctorStepKind::Start => "Start the program",
        DoctorStepKind::Protocol => "MCP handshake",
        DoctorStepKind::Authorization => "Authorization",
    }
}

pub(super) async fn watch(
    engine: &Engine,
    live: &ConnectionHandle,
    report: &mut Report,
) -> Result<(), Closed> {
    let over_http = matches!(*live.transport, TransportDraft::Http { .. });
    let first = match over_http {
        true => DoctorStepKind::Http,
        false => DoctorStepKind::Resolve,
    };
    let running = report.begin(first, title(first)).await?;
    let mut status = news(live).await;
    if !over_http {
        let steps = program(engine, running, report, &status);
        for step in &steps {
            report.send(step).await?;
        }
        if steps.iter().all(|step| step.status == DoctorStatus::Ok) {
            return spoke_mcp(engine, report, &status).await;
        }
        let kind = DoctorStepKind::Protocol;
        return report.skip(kind, title(kind), "Not reached.").await;
    }
    let rows = exchanges(engine, live).await;
    report.send(&http(running, &rows)).await?;
    // The user may be asked; the run is shown in the Authorization panel.
    let asked = status.state == State::Authorizing;
    if asked {
        let kind = DoctorStepKind::Authorization;
        let running = report.begin(kind, title(kind)).await?;
        if let Some(connection) = &live.connection {
            status = connection.settled().await;
        }
        report.send(&authorization(engine, running, &status)).await?;
    }
    spoke_mcp(engine, report, &status).await?;
    if !asked {
        let kind = DoctorStepKind::Authorization;
        let running = report.place(kind, title(kind));
        report.send(&authorization(engine, running, &status)).await?;
    }
    Ok(())
}

async fn spoke_mcp(engine: &Engine, report: &mut Report, status: &Status) -> Result<(), Closed> {
    let running = report.place(DoctorStepKind::Protocol, title(DoctorStepKind::Protocol));
    report.send(&protocol(engine, running, status)).await
}

/// The state of the attempt once it has ended, or waits for an authorization.
async fn news(live: &ConnectionHandle) -> Arc<Status> {
    let mut status = live.status.clone();
    let told = status
        .wait_for(|status| !matches!(status.state, State::Connecting | State::Negotiating))
        .await
        .map(|status| status.clone());
    told.unwrap_or_else(|_| live.status())
}

/// The HTTP exchanges of the attempt, oldest first.
async fn exchanges(engine: &Engine, live: &ConnectionHandle) -> Vec<Row> {
    let store = &engine.state.store;
    let Some(connection) = live.status().connection else {
        return Vec::new();
    };
    let filter = Filter::default().connection(connection).kinds(&[Kind::Http]);
    // Unreadable exchanges are not shown; the traffic log has the reason.
    if store.flush().await.is_err() {
        return Vec::new();
    }
    let rows = store.rows(&filter, 0, EXCHANGES).await;
    rows.unwrap_or_default()
}

fn http(running: RunningStep, rows: &[Row]) -> DoctorStep {
    let Some(first) = rows.first() else {
        return DoctorStep {
            received: Some("Nothing was sent.".to_owned()),
            ..running.ended(DoctorStatus::Failed)
        };
    };
    // Any response is an HTTP response, also a refusal.
    let answered = rows
        .iter()
        .find(|row| row.summary.as_deref().is_some_and(has_status));
    let shown = answered.unwrap_or(first);
    let summary = shown.summary.clone().unwrap_or_default();
    let (sent, received) = match summary.split_once(" → ") {
        Some((sent, received)) => (sent.to_owned(), Some(received.to_owned())),
        None => (summary, None),
    };
    DoctorStep {
        sent: Some(sent),
        received: received.or_else(|| Some("No response.".to_owned())),
        duration_ms: shown.latency_ns.map(|ns| ns as f64 / 1e6),
        seq: Some(convert::seq(shown.seq)),
        next: answered
            .is_none()
            .then(|| "Check the exchange in the traffic log: it shows how far it got.".to_owned()),
        ..running.ended(match answered {
            Some(_) => DoctorStatus::Ok,
            None => DoctorStatus::Failed,
        })
    }
}

/// `POST http://host/ → 200 text/event-stream`
fn has_status(summary: &str) -> bool {
    summary
        .split_once(" → ")
        .is_some_and(|(_, rest)| rest.as_bytes().first().is_some_and(u8::is_ascii_digit))
}

fn program(
    engine: &Engine,
    running: RunningStep,
    report: &mut Report,
    status: &Arc<Status>,
) -> [DoctorStep; 2] {
    let failure = connections::failure(status, |text| engine.state.masked(text));
    let why = failure.as_ref().map(|failure| match &failure.detail {
        Some(detail) => format!("{}\n{detail}", failure.cause),
        None => failure.cause.clone(),
    });
    let next = failure.map(|failure| failure.next);
    let start = report.place(DoctorStepKind::Start, title(DoctorStepKind::Start));
    let process = status.process.as_ref();
    let resolved = process.and_then(|process| process.resolved.clone());
    let found = DoctorStep {
        sent: process.map(|process| process.command.clone()),
        received: match &resolved {
            Some(path) => Some(path.display().to_string()),
            None => why.clone(),
        },
        next: next.clone().filter(|_| resolved.is_none()),
        ..running.ended(match resolved {
            Some(_) => DoctorStatus::Ok,
            None => DoctorStatus::Failed,
        })
    };
    let pid = process.and_then(|process| process.pid);
    let exit = process.and_then(|process| process.exit.as_ref().map(ToString::to_string));
    let tail = status.stderr_tail.lines();
    let received = match (pid, exit) {
        (None, _) if resolved.is_none() => Some("Not reached.".to_owned()),
        (None, _) => why,
        (Some(pid), None) => Some(format!("It runs as process {pid}.")),
        (Some(pid), Some(exit)) => Some(
            std::iter::once(format!("Process {pid} ended: {exit}."))
                .chain(tail)
                .collect::<Vec<_>>()
                .join("\n"),
        ),
    };
    let started = DoctorStep {
        sent: process.map(|process| {
            let words = std::iter::once(&process.command).chain(&process.args);
            engine
                .state
                .masked(words.map(String::as_str).collect::<Vec<_>>().join(" "))
        }),
        received,
        next: next.filter(|_| resolved.is_some() && pid.is_none()),
        ..start.ended(match (resolved, pid) {
            (None, _) => DoctorStatus::Skipped,
            (Some(_), None) => DoctorStatus::Failed,
            (Some(_), Some(_)) => DoctorStatus::Ok,
        })
    };
    [found, started]
}

fn protocol(engine: &Engine, running: RunningStep, status: &Status) -> DoctorStep {
    let masked = |text: String| engine.state.masked(text);
    if status.state == State::Ready {
        let verdict = status.era_verdict.as_ref();
        let revision = status.revision_name().unwrap_or_default();
        return DoctorStep {
            received: Some(match verdict {
                Some(verdict) => format!("{revision}: {}", masked(verdict.reason.clone())),
                None => revision.to_owned(),
            }),
            seq: status
                .handshake
                .as_ref()
                .map(|handshake| convert::seq(handshake.seq)),
            ..running.ended(DoctorStatus::Ok)
        };
    }
    if status.challenge.is_some() {
        return DoctorStep {
            received: Some("The server requires authorization first.".to_owned()),
            ..running.ended(DoctorStatus::Skipped)
        };
    }
    let failure = connections::failure(status, masked);
    DoctorStep {
        received: Some(failure.as_ref().map_or_else(
            || status.why_not_ready(),
            |failure| match &failure.detail {
                Some(detail) => format!("{}: {}\n{detail}", failure.step, failure.cause),
                None => format!("{}: {}", failure.step, failure.cause),
            },
        )),
        next: failure.as_ref().map(|failure| failure.next.clone()),
        seq: failure.and_then(|failure| failure.seq),
        ..running.ended(DoctorStatus::Failed)
    }
}

fn authorization(engine: &Engine, running: RunningStep, status: &Status) -> DoctorStep {
    let Some(challenge) = &status.challenge else {
        return match status.state {
            State::Ready => DoctorStep {
                received: Some("The server accepts the credentials.".to_owned()),
                ..running.ended(DoctorStatus::Ok)
            },
            _ => running.ended(DoctorStatus::Skipped),
        };
    };
    let asks = challenge
        .www_authenticate
        .clone()
        .map(|asks| format!("\nWWW-Authenticate: {}", engine.state.masked(asks)))
        .unwrap_or_default();
    // The outcome of the authorization run, if there was one.
    let (said, next) = match &status.failure {
        Some(failure) => (
            format!(
                "\n{}: {}",
                failure.step,
                engine.state.masked(failure.cause.clone())
            ),
            failure.next.clone(),
        ),
        None => (String::new(), String::new()),
    };
    DoctorStep {
        received: Some(format!("{}{asks}{said}", challenge.status)),
        next: Some(next).filter(|next| !next.is_empty()),
        seq: Some(convert::seq(challenge.http)),
        ..running.ended(DoctorStatus::Failed)
    }
}
