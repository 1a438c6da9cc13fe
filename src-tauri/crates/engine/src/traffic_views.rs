//! The traffic log for the UI: windows of rows, a live tail, single records.

pub(crate) mod bodies;
mod check;
mod export;
pub(crate) mod handlers;
mod http;

use std::time::Duration;

pub use check::{CheckedRecording, RecordingViolation, check_recording};
use patchbay_contract::*;
use patchbay_protocol::{
    json,
    message::{Message, decode},
    meta::without_client_members,
};
use patchbay_traffic::{self as traffic, Store};

use crate::{
    convert,
    dispatch::error::{fail, fail_with},
    dispatch::streams::Events,
    traffic_views::bodies::{Form, INLINE, View, unreadable},
};

/// The maximum number of rows per response.
const MOST_ROWS: u32 = 500;
/// Messages above this are not sent again: they are edited as text.
const MOST_RESENT: usize = 16 << 20;
/// The minimum size quota: the tables and indexes of an empty log take a part of it.
const LEAST_BYTES: f64 = 1_048_576.0;
/// The minimum age quota, so that a record can be read before it is removed.
const LEAST_AGE_MS: f64 = 60_000.0;
/// The kind of operation under which all records of a conversation's turn are.
pub(crate) const CHAT_TURN: &str = "chat_turn";

pub(crate) async fn rows(
    store: &Store,
    params: TrafficRowsParams,
) -> Result<TrafficRowsResponse, CommandError> {
    let filter = convert::filter(&params.filter)?;
    let limit = params.limit.min(MOST_ROWS) as usize;
    let rows = store
        .rows(&filter, params.offset.into(), limit)
        .await
        .map_err(unreadable)?;
    let total = store.count(&filter).await.map_err(unreadable)?;
    Ok(TrafficRowsResponse {
        rows: convert::rows(rows),
        total: convert::count(total),
    })
}

pub(crate) async fn locate(
    store: &Store,
    params: TrafficLocateParams,
) -> Result<TrafficLocateResponse, CommandError> {
    let seq = convert::parse_seq(&params.seq)?;
    bodies::written(store, seq).await?;
    let index = store
        .locate(&convert::filter(&params.filter)?, seq)
        .await
        .map_err(unreadable)?;
    Ok(TrafficLocateResponse {
        index: index.map(convert::count),
    })
}

pub(crate) async fn record(
    store: &Store,
    params: TrafficRecordParams,
) -> Result<TrafficRecordResponse, CommandError> {
    let seq = convert::parse_seq(&params.seq)?;
    let gone = || {
        fail(
            ErrorCode::NotFound,
            format!("There is no record {seq}; it may have been cleared."),
        )
    };
    // Waits for a record that has a number but is not written yet.
    let bytes = bodies::record_bytes(store, seq).await?;
    let record = store.record(seq).await.map_err(unreadable)?.ok_or_else(gone)?;
    let bytes = bytes.unwrap_or_default();
    let is_utf8 = std::str::from_utf8(&bytes).is_ok();
    let frame = View::frame(seq);
    let raw = TextBody {
        inline: (bytes.len() <= INLINE).then(|| String::from_utf8_lossy(&bytes).into_owned()),
        body: frame.id(),
        size: bytes.len() as f64,
        pretty: is_json(bytes.clone()).await.then(|| {
            View {
                form: Form::Pretty,
                ..frame.clone()
            }
            .id()
        }),
    };
    let http = exchange(store, &record, seq, &bytes).await?;
    let operation = match record.row.operation {
        Some(id) => store.operation(id).await.map_err(unreadable)?,
        None => None,
    };
    let turn = operation.filter(|operation| operation.kind == CHAT_TURN);
    Ok(TrafficRecordResponse {
        http,
        chat_title: turn.map(|turn| turn.label),
        row: convert::row(record.row),
        raw,
        bytes: frame.id(),
        is_utf8,
        redactions: record.redactions,
        violations: convert::recorded_violations(record.violations),
        pair: record.pair.map(convert::row),
        related: convert::rows(record.related),
    })
}

/// A recorded message in parts, to send it again.
pub(crate) async fn message(
    store: &Store,
    params: TrafficMessageParams,
) -> Result<TrafficMessageResponse, CommandError> {
    let seq = convert::parse_seq(&params.seq)?;
    let refused = |why: &str| fail(ErrorCode::InvalidParams, format!("Record {seq} {why}"));
    let bytes = bodies::record_bytes(store, seq).await?;
    let record = store.record(seq).await.map_err(unreadable)?;
    let (Some(record), Some(bytes)) = (record, bytes) else {
        return Err(refused("is not in the log; it may have been cleared."));
    };
    if matches!(
        record.row.kind,
        traffic::Kind::Http | traffic::Kind::Stderr | traffic::Kind::Lifecycle | traffic::Kind::Gap
    ) {
        return Err(refused("is not a message."));
    }
    if bytes.len() > MOST_RESENT {
        return Err(refused("is larger than 16 MiB and cannot be sent again."));
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut messages = decode(text.as_bytes()).messages;
    let (request_method, params_json) = match messages.pop().map(|located| located.message) {
        Some(Message::Request { method, params, .. }) if messages.is_empty() => {
            (Some(method.into_owned()), params.and_then(without_client_members))
        }
        _ => (None, None),
    };
    Ok(TrafficMessageResponse {
        server_id: convert::row(record.row).server_id,
        text,
        request_method,
        params_json,
        redactions: record.redactions,
    })
}

/// The HTTP exchange of a record, or the one that carried it.
async fn exchange(
    store: &Store,
    record: &traffic::Record,
    seq: traffic::Seq,
    bytes: &[u8],
) -> Result<Option<HttpExchangeItem>, CommandError> {
    let own = record.row.kind == traffic::Kind::Http;
    let Some(exchange) = own.then_some(seq).or(record.row.http) else {
        return Ok(None);
    };
    let Some(found) = store.http(exchange).await.map_err(unreadable)? else {
        return Ok(None);
    };
    let of_exchange = match own {
        true => None,
        false => store.record(exchange).await.map_err(unreadable)?,
    };
    let carried = of_exchange.as_ref().map_or(&record.related, |of| &of.related);
    let pulled = match own {
        true => None,
        false => store.body(exchange).await.map_err(unreadable)?,
    };
    let body = pulled.as_deref().or(own.then_some(bytes));
    let body = body.filter(|body| !body.is_empty());
    Ok(Some(http::item(found, carried, body)))
}

/// Whether the bytes are one JSON text that can be indented. On a blocking thread: a frame may be large.
async fn is_json(bytes: bytes::Bytes) -> bool {
    let check = move || {
        let Ok(text) = std::str::from_utf8(&bytes) else {
            return false;
        };
        let text = text.trim_start_matches('\u{feff}');
        matches!(json::kind(text), json::Kind::Object | json::Kind::Array) && json::well_formed(text).is_ok()
    };
    tokio::task::spawn_blocking(check).await.unwrap_or(false)
}

pub(crate) async fn usage(store: &Store) -> Result<TrafficUsageResponse, CommandError> {
    let usage = store.usage().await.map_err(unreadable)?;
    Ok(TrafficUsageResponse {
        bytes: usage.bytes as f64,
        records: convert::count(usage.records),
        oldest_at_ms: usage.oldest_ms,
        max_bytes: usage.quota.bytes.map(|bytes| bytes as f64),
        max_age_ms: usage.quota.age.map(|age| age.as_secs_f64() * 1e3),
        removed: usage.removed as f64,
        removed_upto_ms: usage.removed_upto_ms,
    })
}

pub(crate) async fn set_quota(store: &Store, params: TrafficSetQuotaParams) -> Result<Done, CommandError> {
    let limit = |value: Option<f64>, least: f64, refusal: &str| match value {
        Some(value) if !(value.is_finite() && value >= least) => Err(fail(ErrorCode::InvalidParams, refusal)),
        value => Ok(value.map(|value| value as u64)),
    };
    let quota = traffic::Quota {
        bytes: limit(
            params.max_bytes,
            LEAST_BYTES,
            "The traffic log needs at least 1 MiB.",
        )?,
        age: limit(
            params.max_age_ms,
            LEAST_AGE_MS,
            "Records are kept for at least one minute.",
        )?
        .map(Duration::from_millis),
    };
    let saved = store.set_quota(quota).await;
    saved.map_err(|error| {
        fail_with(
            ErrorCode::Storage,
            "The limits of the traffic log could not be saved.",
            error,
        )
    })?;
    Ok(Done {})
}

pub(crate) async fn clear(store: &Store, params: TrafficClearParams) -> Result<Done, CommandError> {
    store
        .clear(params.server_id.as_ref().map(|id| id.0.as_str()))
        .await
        .map_err(unreadable)?;
    Ok(Done {})
}

pub(crate) async fn tail(
    store: Store,
    params: TrafficTailParams,
    events: Events<TrafficDelta>,
) -> Result<(), CommandError> {
    let mut tail = store.tail(convert::filter(&params.filter)?);
    let unwritten = store.problem();
    while let Some(delta) = tail.next().await {
        // The window says by itself that the log cannot be written, whatever it shows.
        let problem = delta
            .problem
            .filter(|problem| unwritten.borrow().as_ref() != Some(problem));
        let delta = TrafficDelta {
            reset: delta.reset,
            total: convert::count(delta.total),
            added: convert::rows(delta.added),
            changed: convert::rows(delta.changed),
            changed_missed: delta.changed_missed,
            searching: delta.searching,
            store_problem: problem.map(|problem| traffic::problem_words(&problem)),
        };
        if events.send(delta).await.is_err() {
            break;
        }
    }
    Ok(())
}
