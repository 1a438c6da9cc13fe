//! Handlers of the traffic log.

use patchbay_contract::*;

use crate::{
    dispatch::streams::Events,
    state::Engine,
    traffic_views::{self, export},
};

pub(crate) async fn traffic_rows(
    engine: &Engine,
    params: TrafficRowsParams,
) -> Result<TrafficRowsResponse, CommandError> {
    traffic_views::rows(&engine.state.store, params).await
}

pub(crate) async fn traffic_locate(
    engine: &Engine,
    params: TrafficLocateParams,
) -> Result<TrafficLocateResponse, CommandError> {
    traffic_views::locate(&engine.state.store, params).await
}

pub(crate) async fn traffic_record(
    engine: &Engine,
    params: TrafficRecordParams,
) -> Result<TrafficRecordResponse, CommandError> {
    traffic_views::record(&engine.state.store, params).await
}

pub(crate) async fn traffic_message(
    engine: &Engine,
    params: TrafficMessageParams,
) -> Result<TrafficMessageResponse, CommandError> {
    traffic_views::message(&engine.state.store, params).await
}

pub(crate) async fn traffic_usage(
    engine: &Engine,
    _: TrafficUsageParams,
) -> Result<TrafficUsageResponse, CommandError> {
    traffic_views::usage(&engine.state.store).await
}

pub(crate) async fn traffic_set_quota(
    engine: &Engine,
    params: TrafficSetQuotaParams,
) -> Result<Done, CommandError> {
    traffic_views::set_quota(&engine.state.store, params).await
}

pub(crate) async fn traffic_clear(engine: &Engine, params: TrafficClearParams) -> Result<Done, CommandError> {
    traffic_views::clear(&engine.state.store, params).await
}

pub(crate) async fn traffic_tail(
    engine: Engine,
    params: TrafficTailParams,
    events: Events<TrafficDelta>,
) -> Result<(), CommandError> {
    let store = engine.state.store.clone();
    // A listener does not keep the engine alive.
    drop(engine);
    traffic_views::tail(store, params, events).await
}

pub(crate) async fn traffic_export(
    engine: Engine,
    params: TrafficExportParams,
    events: Events<TrafficExportEvent>,
) -> Result<(), CommandError> {
    let store = engine.state.store.clone();
    // An export does not keep the engine alive.
    drop(engine);
    export::run(store, params, events).await
}
