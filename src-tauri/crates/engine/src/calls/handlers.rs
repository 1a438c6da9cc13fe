//! Handlers of calls and other requests.

use patchbay_contract::*;

use crate::{
    calls::{self, Ask, exchanges::follow},
    dispatch::streams::Events,
    state::Engine,
};

pub(crate) async fn app_frame_close(
    engine: &Engine,
    params: AppFrameCloseParams,
) -> Result<Done, CommandError> {
    engine.state.app_frames.close(&params.frame_id);
    Ok(Done {})
}

pub(crate) async fn exchange_cancel(
    engine: &Engine,
    params: ExchangeCancelParams,
) -> Result<Done, CommandError> {
    engine.state.exchanges.cancel(&params.exchange_id).await?;
    Ok(Done {})
}

pub(crate) async fn tool_call(
    engine: Engine,
    params: ToolCallParams,
    events: Events<ExchangeEvent>,
) -> Result<(), CommandError> {
    calls::run(engine, Ask::Tool(params), events).await.map(drop)
}

pub(crate) async fn resource_read(
    engine: Engine,
    params: ResourceReadParams,
    events: Events<ExchangeEvent>,
) -> Result<(), CommandError> {
    calls::run(engine, Ask::Resource(params), events).await.map(drop)
}

pub(crate) async fn prompt_get(
    engine: Engine,
    params: PromptGetParams,
    events: Events<ExchangeEvent>,
) -> Result<(), CommandError> {
    calls::run(engine, Ask::Prompt(params), events).await.map(drop)
}

pub(crate) async fn request_send(
    engine: Engine,
    params: RequestSendParams,
    events: Events<ExchangeEvent>,
) -> Result<(), CommandError> {
    calls::run(engine, Ask::Request(params), events).await.map(drop)
}

pub(crate) async fn task_result(
    engine: Engine,
    params: TaskResultParams,
    events: Events<ExchangeEvent>,
) -> Result<(), CommandError> {
    calls::tasks::result_or_failure(&engine, params, &events)
        .await
        .map(drop)
}

pub(crate) async fn exchange_follow(
    engine: Engine,
    params: ExchangeFollowParams,
    events: Events<ExchangeEvent>,
) -> Result<(), CommandError> {
    follow::follow(&engine, params, &events).await
}
