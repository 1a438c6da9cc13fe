//! The client that the official conformance suite drives: `patchbay-conformance SERVER-URL`.
//!
//! `MCP_CONFORMANCE_SCENARIO` names what to do, `MCP_CONFORMANCE_PROTOCOL_VERSION` chooses the era,
//! `MCP_CONFORMANCE_CONTEXT` (JSON) holds what a scenario needs besides. It is one more front of the engine: whatever
//! it says on the wire, the window says too.
//! Deliberately not here: what the suite makes of it (`suite.mjs`).
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

use patchbay_contract::EraChoice;

/// What went wrong, in words.
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
    let front = front::Front::open(url, era(), authorization).await?;
    let ended = Box::pin(scenarios::play(&front, scenario, &context)).await;
    front.close().await;
    ended
}

/// The dated revisions say which family they are of by their order.
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
