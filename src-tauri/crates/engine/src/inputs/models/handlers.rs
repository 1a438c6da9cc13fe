//! Handlers of the model providers.

use std::time::{Duration, Instant};

use patchbay_contract::*;
use patchbay_llm::{FailureKind, LOCAL};
use tokio::sync::mpsc;

use super::view;
use crate::state::Engine;

/// The request of a test.
const TEST: &str =
    r#"{"messages":[{"role":"user","content":{"type":"text","text":"Reply with OK."}}],"maxTokens":16}"#;
/// The time limit of looking for one program on this machine.
const FIND_TIMEOUT: Duration = Duration::from_secs(3);

pub(crate) async fn provider_list(
    engine: &Engine,
    _: ProviderListParams,
) -> Result<ProviderListResponse, CommandError> {
    let items = engine.state.models.list()?;
    Ok(ProviderListResponse { items })
}

pub(crate) async fn provider_save(
    engine: &Engine,
    params: ProviderSaveParams,
) -> Result<ProviderSaveResponse, CommandError> {
    let provider_id = engine.state.models.save(params).await?;
    Ok(ProviderSaveResponse { provider_id })
}

pub(crate) async fn provider_remove(
    engine: &Engine,
    params: ProviderRemoveParams,
) -> Result<Done, CommandError> {
    engine.state.models.remove(&params.provider_id).await?;
    Ok(Done {})
}

pub(crate) async fn provider_models(
    engine: &Engine,
    params: ProviderModelsParams,
) -> Result<ProviderModelsResponse, CommandError> {
    let state = &engine.state;
    let id = params.provider_id;
    let operation = state.begin("provider_models", state.models.name(&id));
    Ok(match state.models.models(&id, operation).await? {
        Ok(models) => ProviderModelsResponse::Listed {
            models: models.iter().map(view::model).collect(),
        },
        Err(failure) => ProviderModelsResponse::Failed {
            failure: view::failure(failure),
        },
    })
}

pub(crate) async fn provider_test(
    engine: &Engine,
    params: ProviderTestParams,
) -> Result<ProviderTestResponse, CommandError> {
    let state = &engine.state;
    let operation = state.begin("provider_test", state.models.name(&params.provider_id));
    // The pieces of the answer are not needed.
    let (deltas, _) = mpsc::channel(1);
    let choice = (&params.provider_id, &*params.model);
    let begun = Instant::now();
    let tested = state.models.generate(choice, TEST, operation, &deltas).await?;
    let works = ProviderTestResponse::Works {
        took_ms: begun.elapsed().as_secs_f64() * 1000.0,
    };
    Ok(match tested {
        Ok(_) => works,
        // A model that thinks first may use up the few tokens; address, key and model are right.
        Err(failure) if failure.kind == FailureKind::Empty => works,
        Err(failure) => ProviderTestResponse::Failed {
            failure: view::failure(failure),
        },
    })
}

pub(crate) async fn provider_find(
    engine: &Engine,
    _: ProviderFindParams,
) -> Result<ProviderFindResponse, CommandError> {
    let operation = engine.state.begin("provider_find", "this machine");
    let mut items = Vec::new();
    for local in LOCAL {
        let asked = engine
            .state
            .models
            .models_at(local.name, local.base_url, operation);
        let (models, problem) = match tokio::time::timeout(FIND_TIMEOUT, asked).await {
            Ok(Ok(Ok(models))) => (Some(models.iter().map(view::model).collect()), None),
            Ok(Ok(Err(failure))) if failure.kind == FailureKind::Unreachable => (None, None),
            Ok(Ok(Err(failure))) => (None, Some(failure.cause)),
            Ok(Err(error)) => return Err(error),
            Err(_) => (None, Some("The program at this port did not respond.".to_owned())),
        };
        items.push(FoundProvider {
            name: local.name.to_owned(),
            base_url: local.base_url.to_owned(),
            models,
            problem,
        });
    }
    Ok(ProviderFindResponse { items })
}
