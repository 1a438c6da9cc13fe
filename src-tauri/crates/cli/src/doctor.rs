//! `patchbay doctor`: diagnoses why a server cannot be reached, one line per step.

use std::path::PathBuf;

use patchbay_contract::{
    CommandError, DoctorRunParams, DoctorStatus, DoctorStep, DoctorStepKind, DoctorSubject,
};
use patchbay_engine::{Engine, with_hidden_marked};
use serde::Deserialize;
use tokio::sync::mpsc;

use crate::{
    args::ServerArgs,
    exit::{Exit, Problem},
    oneshot::{self, passphrase, server},
};

/// A message of the stream.
#[derive(Debug, Deserialize)]
struct StreamMessage {
    event: Option<DoctorStep>,
    error: Option<CommandError>,
}

pub(crate) async fn run(
    data_dir: Option<PathBuf>,
    args: ServerArgs,
    json: bool,
) -> Result<Exit, (Exit, Problem)> {
    oneshot::with_engine(data_dir, &args, json, async |engine, _| {
        examine(engine, &args, json).await
    })
    .await
}

async fn examine(engine: &Engine, args: &ServerArgs, json: bool) -> Result<Exit, (Exit, Problem)> {
    let server_id = server::configure(engine, args, json).await?;
    let params = DoctorRunParams {
        subject: DoctorSubject::Server { server_id },
    };
    let params = serde_json::to_string(&params).map_err(|error| broken(&error))?;
    let ended = match steps(engine, &params, json).await? {
        Err(error) if passphrase::opened(engine, &error).await => steps(engine, &params, json).await?,
        ended => ended,
    };
    ended.map_err(|error| (Exit::Usage, error.into()))
}

/// Prints the steps. The inner error is why there are none.
async fn steps(
    engine: &Engine,
    params: &str,
    json: bool,
) -> Result<Result<Exit, CommandError>, (Exit, Problem)> {
    let (sink, mut messages) = mpsc::channel(16);
    let _stream = engine
        .open_stream("doctor_run", params, sink)
        .map_err(|error| (Exit::Usage, error.into()))?;
    let mut exit = Exit::Ok;
    while let Some(text) = messages.recv().await {
        let message: StreamMessage = serde_json::from_str(&text).map_err(|error| broken(&error))?;
        if let Some(error) = message.error {
            return Ok(Err(error));
        }
        let Some(step) = message.event else { break };
        exit = worse(exit, &step);
        if step.status != DoctorStatus::Running {
            let text = match json {
                true => serde_json::to_string(&step).map_err(|error| broken(&error))?,
                false => with_hidden_marked(&words(&step)),
            };
            // stdout was closed: nothing is left to do.
            if !oneshot::answer(text).await? {
                break;
            }
        }
    }
    Ok(Ok(exit))
}

fn broken(error: &dyn std::fmt::Display) -> (Exit, Problem) {
    let problem = Problem::internal("The doctor could not be run.", error);
    (Exit::Usage, problem)
}

/// The exit code after a step with this status.
fn worse(exit: Exit, step: &DoctorStep) -> Exit {
    match (exit, step.status, step.kind) {
        (_, DoctorStatus::Failed, DoctorStepKind::Authorization) => Exit::Unauthorized,
        (Exit::Ok, DoctorStatus::Failed, _) => Exit::NotConnected,
        (exit, ..) => exit,
    }
}

/// `ok      Connect to 127.0.0.1:80 (0.2 ms)`, followed by the response and the next action.
fn words(step: &DoctorStep) -> String {
    let status = match step.status {
        DoctorStatus::Running => "…",
        DoctorStatus::Ok => "ok",
        DoctorStatus::Warning => "warning",
        DoctorStatus::Failed => "FAILED",
        DoctorStatus::Skipped => "skipped",
    };
    let took = step
        .duration_ms
        .map(|ms| format!(" ({ms:.1} ms)"))
        .unwrap_or_default();
    let mut text = format!("{status:<8}{}{took}", step.title);
    let certificate = step.certificate.as_ref().map(|certificate| {
        format!(
            "{}: {} To accept it: --accept-fingerprint {}",
            certificate.subject, certificate.reason, certificate.fingerprint
        )
    });
    let lines = [
        ("sent", &step.sent),
        ("back", &step.received),
        ("cert", &certificate),
        ("next", &step.next),
    ];
    for (what, words) in lines {
        for (at, line) in words.iter().flat_map(|words| words.lines()).enumerate() {
            let what = if at == 0 { what } else { "" };
            text.push_str(&format!("\n        {what:<5} {line}"));
        }
    }
    text
}
