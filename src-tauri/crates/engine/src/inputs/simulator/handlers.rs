//! Handlers of the simulator.

use patchbay_contract::*;

use super::plan::check;
use crate::{dispatch::error::fail, state::Engine};

pub(crate) async fn simulator_get(
    engine: &Engine,
    params: SimulatorGetParams,
) -> Result<SimulatorGetResponse, CommandError> {
    let server = engine.state.servers.get(&params.server_id)?;
    let live = engine.state.live(&server.id).filter(|live| live.is_open());
    Ok(SimulatorGetResponse {
        given: live.map(|live| live.simulator.given()).unwrap_or_default(),
        settings: server.simulator,
    })
}

pub(crate) async fn simulator_set(engine: &Engine, params: SimulatorSetParams) -> Result<Done, CommandError> {
    let SimulatorSetParams { server_id, settings } = params;
    engine.check_simulator(&settings).await?;
    let (id, stored) = (server_id.clone(), settings.clone());
    engine
        .change_servers(move |servers| servers.set_simulator(&id, stored))
        .await?;
    let Some(live) = engine.state.live(&server_id).filter(|live| live.is_open()) else {
        return Ok(Done {});
    };
    if let Some(connection) = live.status().connection {
        // A closed store means that the engine is shutting down.
        let _ = engine
            .state
            .recorder
            .lifecycle(connection, summary(&settings), None, None);
    }
    live.simulator.set(settings);
    Ok(Done {})
}

pub(crate) async fn simulator_check(
    _: &Engine,
    params: SimulatorCheckParams,
) -> Result<SimulatorCheckResponse, CommandError> {
    let SimulatorCheckParams { script, kind } = params;
    let simulation = Simulation {
        answer: SimulatedAnswer::Script {
            script,
            at_end: ScriptEnd::Stop,
        },
        delay_ms: 0,
    };
    Ok(match check(&simulation, kind).await {
        Ok(answers) => SimulatorCheckResponse::Valid {
            answers: answers.unwrap_or(0),
        },
        Err(problem) => SimulatorCheckResponse::Invalid { problem },
    })
}

impl Engine {
    /// Checks what is simulated now. What is off may be incomplete, so that it can always be switched off.
    ///
    /// # Errors
    /// A script cannot be used, or a value is out of range.
    pub async fn check_simulator(&self, settings: &SimulatorSettings) -> Result<(), CommandError> {
        for kind in settings.simulated() {
            if let Some(simulation) = settings.of(kind) {
                check(simulation, kind)
                    .await
                    .map_err(|why| fail(ErrorCode::InvalidParams, format!("{}: {why}", word(kind))))?;
            }
        }
        Ok(())
    }
}

/// For the log.
fn summary(settings: &SimulatorSettings) -> String {
    let simulated: Vec<&str> = settings.simulated().into_iter().map(word).collect();
    match simulated.is_empty() {
        true => "The simulator is off".to_owned(),
        false => format!("The simulator is on: {}", simulated.join(", ")),
    }
}

fn word(kind: InputKind) -> &'static str {
    match kind {
        InputKind::Sampling => "Sampling",
        InputKind::Elicitation => "Elicitation",
        InputKind::Roots => "Roots",
    }
}
