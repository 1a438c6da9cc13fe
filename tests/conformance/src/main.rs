//! The client for the official conformance suite: `patchbay-conformance SERVER-URL`.
//!
//! `MCP_CONFORMANCE_SCENARIO` names the scenario, `MCP_CONFORMANCE_PROTOCOL_VERSION` selects the era,
//! `MCP_CONFORMANCE_CONTEXT` (JSON) has additional data of the scenario. It is another front of the engine, so it sends the
//! same messages as the window. Deliberately not here: evaluating the results (`suite.mjs`).
#![allow(
    clippy::disallowed_methods,
    reason = "a program of the tests or of the build, not of the product"
)]

mod answers;
mod browser;
mod front;
mod grants;
mod scenarios;

use std::process::ExitCode;

use patchbay_contract::{AuthorizationDraft, EraChoice};

/// The error, in words.
type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> ExitCode {
    let Some(url) = std::env::args().next_back().filter(|word| word.contains("://")) else {
        eprintln!("usage: patchbay-conformance SERVER-URL (the suite sets MCP_CONFORMANCE_SCENARIO)");
        return ExitCode::from(1);
    };
    let scenario = variable("MCP_CONFORMANCE_SCENARIO");
    match run(&url, &scenario).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("patchbay-conformance: {scenario}: {error}");
            ExitCode::from(2)
        }
    }
}

async fn run(url: &str, scenario: &str) -> Result<(), Failure> {
    let context = variable("MCP_CONFORMANCE_CONTEXT");
    let authorization = grants::of(scenario, &context)?;
    let assertion = authorization.as_ref().and_then(|draft| draft.assertion.clone());
    let ended = play(url, scenario, &context, authorization).await;
    if let Some(assertion) = assertion {
        std::fs::remove_file(assertion.value)?;
    }
    ended
}

async fn play(
    url: &str,
    scenario: &str,
    context: &str,
    authorization: Option<AuthorizationDraft>,
) -> Result<(), Failure> {
    let front = front::Front::open(url, era(), authorization).await?;
    let ended = Box::pin(scenarios::play(&front, scenario, context)).await;
    front.close().await;
    ended
}

/// The order of the dated revisions determines their era.
fn era() -> EraChoice {
    if *variable("MCP_CONFORMANCE_PROTOCOL_VERSION") < *"2026-07-28" {
        EraChoice::Legacy
    } else {
        EraChoice::Modern
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}
