//! Handlers of input requests.

use patchbay_contract::*;

use crate::state::Engine;

pub(crate) async fn input_list(
    engine: &Engine,
    _: InputListParams,
) -> Result<InputListResponse, CommandError> {
    Ok(engine.inner.inputs.list())
}

pub(crate) async fn input_answer(engine: &Engine, params: InputAnswerParams) -> Result<Done, CommandError> {
    engine.inner.inputs.answer(params)?;
    Ok(Done {})
}
