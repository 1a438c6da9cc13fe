//! The steps below HTTP: the name, each address, TLS.

use patchbay_contract::*;
use patchbay_http::{
    Settings, Step, Url,
    doctor::{self, Outcome, StepReport},
};

use super::{Report, RunningStep};
use crate::{convert, dispatch::streams::Closed};

/// Runs the steps below HTTP. Returns whether the later steps can still succeed.
pub(super) async fn http(url: &str, settings: &Settings, report: &mut Report) -> Result<bool, Closed> {
    let first = report
        .begin(DoctorStepKind::Resolve, format!("Resolve {}", host(url)))
        .await?;
    let Ok(parsed) = Url::parse(url) else {
        let step = DoctorStep {
            received: Some("This is not a valid URL.".to_owned()),
            ..first.ended(DoctorStatus::Failed)
        };
        report.send(&step).await?;
        return Ok(false);
    };
    let reports = doctor::steps(&parsed, settings).await;
    // One reachable address is enough, and then others follow: the tunnel of a proxy, TLS. They end with the first that fails.
    let last = reports.last();
    let reachable = !last.is_some_and(|report| matches!(report.outcome, Outcome::Fails { .. }));
    let mut first = Some(first);
    for found in &reports {
        let running = match first.take() {
            Some(first) if found.step == Step::Resolve => first,
            Some(first) => {
                // An IP address needs no lookup.
                report.send(&first.ended(DoctorStatus::Skipped)).await?;
                report.place(kind(found.step), title(found))
            }
            None => report.place(kind(found.step), title(found)),
        };
        report.send(&step(running, found, reachable)).await?;
    }
    if let Some(first) = first {
        report.send(&first.ended(DoctorStatus::Skipped)).await?;
    }
    Ok(reachable)
}

fn host(url: &str) -> String {
    let host = Url::parse(url)
        .ok()
        .and_then(|url| url.host_str().map(str::to_owned));
    host.unwrap_or_else(|| url.to_owned())
}

fn kind(step: Step) -> DoctorStepKind {
    match step {
        Step::Resolve => DoctorStepKind::Resolve,
        Step::Connect => DoctorStepKind::Tcp,
        Step::Tls => DoctorStepKind::Tls,
        Step::Send | Step::Head | Step::Body => DoctorStepKind::Http,
    }
}

fn title(found: &StepReport) -> String {
    match found.step {
        Step::Resolve => format!("Resolve {}", found.target),
        Step::Connect => format!("Connect to {}", found.target),
        Step::Tls => format!("TLS handshake with {}", found.target),
        Step::Send | Step::Head | Step::Body => format!("{} {}", found.step.title(), found.target),
    }
}

fn step(running: RunningStep, found: &StepReport, reachable: bool) -> DoctorStep {
    let facts: Vec<String> = found
        .facts
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    let facts = (!facts.is_empty()).then(|| facts.join("\n"));
    let (status, received, next, certificate) = match &found.outcome {
        Outcome::Works => (DoctorStatus::Ok, facts, None, None),
        Outcome::Skipped(why) => (DoctorStatus::Skipped, Some(why.clone()), None, None),
        Outcome::Fails { cause, next, tls } => {
            let words = [Some(cause.clone()), facts].into_iter().flatten();
            (
                // Another address was reachable.
                match reachable {
                    true => DoctorStatus::Warning,
                    false => DoctorStatus::Failed,
                },
                Some(words.collect::<Vec<_>>().join("\n")),
                Some(next.clone()),
                tls.as_deref().map(convert::certificate),
            )
        }
    };
    DoctorStep {
        sent: Some(found.target.clone()),
        received,
        next,
        duration_ms: Some(convert::ms(found.took)),
        certificate,
        ..running.ended(status)
    }
}
