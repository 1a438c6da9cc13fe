//! Handlers of the doctor.

use patchbay_contract::*;

use crate::{connections::doctor, dispatch::streams::Events, state::Engine};

pub(crate) async fn doctor_run(
    engine: Engine,
    params: DoctorRunParams,
    events: Events<DoctorStep>,
) -> Result<(), CommandError> {
    doctor::run(engine, params, events).await
}
