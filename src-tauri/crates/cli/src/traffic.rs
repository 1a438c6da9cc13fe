//! `patchbay traffic quota`: the size of the stored traffic log and its limits.

use std::path::PathBuf;

use patchbay_contract::{Done, TrafficSetQuotaParams, TrafficUsageParams, TrafficUsageResponse};
use patchbay_engine::Engine;

use crate::{
    args::QuotaArgs,
    exit::{Exit, Problem},
    oneshot::{
        is_read,
        server::{call, with_app},
    },
    output,
};

/// Changes the limits that are given, then prints the size and the limits.
pub(crate) async fn quota(
    data_dir: Option<PathBuf>,
    args: QuotaArgs,
    json: bool,
) -> Result<Exit, (Exit, Problem)> {
    let failed = |problem: Problem| (Exit::Usage, problem);
    let usage = with_app(data_dir, json, async |engine| set_and_read(engine, args).await);
    let usage = usage.await.flatten().map_err(failed)?;
    let text = match json {
        true => serde_json::to_string(&usage)
            .map_err(|error| failed(Problem::internal("The size could not be printed.", &error)))?,
        false => words(&usage),
    };
    is_read(output::answer(text.as_bytes())).map(|_| Exit::Ok)
}

async fn set_and_read(engine: &Engine, args: QuotaArgs) -> Result<TrafficUsageResponse, Problem> {
    let usage: TrafficUsageResponse = call(engine, "traffic_usage", &TrafficUsageParams {}).await?;
    if args.max_size.is_none() && args.max_age.is_none() {
        return Ok(usage);
    }
    let params = TrafficSetQuotaParams {
        max_bytes: args.max_size.map_or(usage.max_bytes, Into::into),
        max_age_ms: args.max_age.map_or(usage.max_age_ms, Into::into),
    };
    call::<_, Done>(engine, "traffic_set_quota", &params).await?;
    call(engine, "traffic_usage", &TrafficUsageParams {}).await
}

fn words(usage: &TrafficUsageResponse) -> String {
    let limit = |limit: Option<f64>, unit: f64, name: &str| match limit {
        Some(value) => format!("{} {name}", value / unit),
        None => "none".to_owned(),
    };
    format!(
        "size      {} bytes\nrecords   {}\nmax size  {}\nmax age   {}",
        usage.bytes,
        usage.records,
        limit(usage.max_bytes, 1.0, "bytes"),
        limit(usage.max_age_ms, 1e3, "s"),
    )
}
