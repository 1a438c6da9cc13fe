//! Handlers of tasks.

use patchbay_contract::*;

use crate::{
    calls::tasks,
    calls::{self, Ask},
    dispatch::streams::Events,
    state::Engine,
};

pub(crate) async fn task_list(engine: &Engine, params: ListParams) -> Result<TaskListResponse, CommandError> {
    tasks::list(engine, params).await
}

pub(crate) async fn task_get(engine: &Engine, params: TaskGetParams) -> Result<TaskItem, CommandError> {
    tasks::get(engine, params).await
}

pub(crate) async fn task_cancel(engine: &Engine, params: TaskCancelParams) -> Result<Done, CommandError> {
    tasks::cancel(engine, params).await
}

pub(crate) async fn task_result(
    engine: Engine,
    params: TaskResultParams,
    events: Events<ExchangeEvent>,
) -> Result<(), CommandError> {
    calls::run(engine, Ask::TaskResult(params), events)
        .await
        .map(drop)
}
