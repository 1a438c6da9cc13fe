//! Handlers of input requests.

use patchbay_contract::*;

use crate::state::Engine;

pub(crate) async fn input_list(
    engine: &Engine,
    params: InputListParams,
) -> Result<InputListResponse, CommandError> {
    Ok(engine.state.inputs.list(&params.known))
}

pub(crate) async fn input_answer(engine: &Engine, params: InputAnswerParams) -> Result<Done, CommandError> {
    engine.state.inputs.answer(params)?;
    Ok(Done {})
}

pub(crate) async fn input_take_over(
    engine: &Engine,
    params: InputTakeOverParams,
) -> Result<Done, CommandError> {
    engine.state.inputs.take_over(&params.input_id)?;
    Ok(Done {})
}
