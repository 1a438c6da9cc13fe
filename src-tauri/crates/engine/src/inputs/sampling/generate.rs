//! A pending request and a model: the user sends it, and sees the answer arrive.

use std::time::Instant;

use patchbay_contract::{CommandError, SamplingEvent, SamplingGenerateParams};
use patchbay_llm::Delta;
use tokio::sync::mpsc;

use crate::{convert, dispatch::streams::Events, inputs::models, state::Engine};

/// How many pieces of an answer wait for a slow front.
const PIECES: usize = 64;

/// Sends the request and passes the answer on. Dropping the future stops the model.
pub(crate) async fn run(
    engine: Engine,
    params: SamplingGenerateParams,
    events: Events<SamplingEvent>,
) -> Result<(), CommandError> {
    let state = &engine.state;
    let operation = match state.inputs.operation(&params.input_id)? {
        Some(operation) => operation,
        None => state.begin("sampling_generate", &params.model),
    };
    let (sender, mut deltas) = mpsc::channel(PIECES);
    let begun = Instant::now();
    let generating = async move {
        let choice = (&params.provider_id, &*params.model);
        let ended = state
            .models
            .generate(choice, &params.params_json, operation, &sender);
        ended.await
    };
    let forwarding = async {
        while let Some(delta) = deltas.recv().await {
            if events.send(event(delta)).await.is_err() {
                return;
            }
        }
    };
    let mut generating = Box::pin(generating);
    let mut forwarding = Box::pin(forwarding);
    let ended = tokio::select! {
        biased;
        ended = &mut generating => ended,
        // The front has closed the stream.
        () = &mut forwarding => return Ok(()),
    };
    // The sender is dropped with it, so that forwarding ends after the last piece.
    drop(generating);
    forwarding.await;
    let last = match ended? {
        Ok(answer) => SamplingEvent::Finished {
            input_tokens: answer.usage.input.map(convert::count),
            output_tokens: answer.usage.output.map(convert::count),
            took_ms: convert::ms(begun.elapsed()),
            result_json: answer.to_result(),
        },
        Err(failure) => SamplingEvent::Failed {
            failure: models::failure(failure),
        },
    };
    // A closed stream needs no end.
    let _ = events.send(last).await;
    Ok(())
}

fn event(delta: Delta) -> SamplingEvent {
    match delta {
        Delta::Text(text) => SamplingEvent::Text { text },
        Delta::Thinking(text) => SamplingEvent::Thinking { text },
        Delta::ToolUse { name } => SamplingEvent::ToolUse { name },
        Delta::ToolInput(text) => SamplingEvent::ToolInput { text },
    }
}
