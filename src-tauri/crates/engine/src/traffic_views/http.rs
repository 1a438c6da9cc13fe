//! One HTTP exchange for the UI. The store has masked its secrets.

use patchbay_contract::*;
use patchbay_traffic::{
    HttpFields, HttpHead, HttpMoment, HttpRecord, HttpStage, HttpTiming, Row, Seq as Number,
};

use crate::{
    convert,
    traffic_views::bodies::{INLINE, View},
};

/// The maximum number of stages that are shown.
const MOST_STAGES: usize = 500;

/// The exchange. `carried` are the rows of its messages, `body` is the rest of the response body.
pub(super) fn item(record: HttpRecord, carried: &[Row], body: Option<&[u8]>) -> HttpExchangeItem {
    let mut item = HttpExchangeItem {
        seq: convert::seq(record.exchange),
        method: String::new(),
        url: String::new(),
        version: String::new(),
        request_headers: Vec::new(),
        request_body: None,
        request_body_size: None,
        status: None,
        reason: None,
        response_headers: Vec::new(),
        timing: None,
        stages: Vec::new(),
        stages_omitted: 0,
        body: body.map(|body| text_body(record.exchange, body)),
        body_bytes: body.map(|_| View::frame(record.exchange).id()),
        request_seq: carried
            .iter()
            .find(|row| row.direction == Some(patchbay_protocol::Direction::ClientToServer))
            .map(|row| convert::seq(row.seq)),
    };
    let mut timing = HttpTimingItem {
        reused: true,
        ..HttpTimingItem::default()
    };
    // An exchange begins before it connects, and the request is sent once the connection is open.
    let mut connected_ns = 0;
    for moment in &record.stages {
        match &moment.stage {
            HttpStage::Sent(head) => take_request(&mut item, head),
            HttpStage::Timing(found) => {
                connected_ns = moment.after_ns;
                take_timing(&mut timing, found);
            }
            HttpStage::Head {
                status,
                reason,
                version,
                fields,
            } => {
                item.status = Some((*status).into());
                item.reason = Some(reason.to_string()).filter(|reason| !reason.is_empty());
                item.version = version.to_string();
                item.response_headers = headers(fields);
                timing.first_byte_ms = Some(ms(moment.after_ns.saturating_sub(connected_ns)));
            }
            _ => {}
        }
    }
    // Until the head has arrived, it is unknown whether a connection was opened for it.
    item.timing = (timing.first_byte_ms.is_some() || !timing.reused).then_some(timing);
    item.stages = shown(&record.stages);
    let omitted = (record.stages.len() - item.stages.len()) as u64;
    item.stages_omitted = convert::count(omitted + record.omitted);
    item
}

/// The first stages, and the end if there is one: without it the exchange would seem to be running.
fn shown(stages: &[HttpMoment]) -> Vec<HttpStageItem> {
    let (first, more) = stages.split_at(stages.len().min(MOST_STAGES));
    let mut shown: Vec<HttpStageItem> = first.iter().map(stage).collect();
    if let Some(end) = more.iter().rfind(|moment| moment.stage.is_end()) {
        shown.pop();
        shown.push(stage(end));
    }
    shown
}

fn take_request(item: &mut HttpExchangeItem, head: &HttpHead) {
    item.method.clone_from(&head.method);
    item.url.clone_from(&head.url);
    item.request_headers = headers(&head.fields);
    item.request_body.clone_from(&head.body);
    item.request_body_size = head.body_size.map(|size| size as f64);
}

fn take_timing(timing: &mut HttpTimingItem, found: &HttpTiming) {
    timing.reused = false;
    timing.dns_ms = found.dns_ns.map(ms);
    timing.connect_ms = Some(ms(found.connect_ns));
    timing.tls_ms = found.tls_ns.map(ms);
    timing.remote = Some(found.remote.clone()).filter(|remote| !remote.is_empty());
    timing.proxy.clone_from(&found.proxy);
    timing.tls = found.tls.as_ref().map(|tls| HttpTlsItem {
        version: tls.version.clone(),
        cipher: tls.cipher.clone(),
        alpn: tls.alpn.clone(),
        subject: tls.subject.clone(),
        issuer: tls.issuer.clone(),
        not_after: tls.not_after.clone(),
        fingerprint: tls.fingerprint.clone(),
        accepted_by_user: tls.accepted_by_user,
    });
}

fn headers(fields: &HttpFields) -> Vec<HttpHeaderItem> {
    fields
        .iter()
        .map(|(name, value)| HttpHeaderItem {
            name: name.to_owned(),
            value: value.to_owned(),
        })
        .collect()
}

fn stage(moment: &HttpMoment) -> HttpStageItem {
    let (stage, text) = match &moment.stage {
        HttpStage::Sent(head) => ("sent", format!("{} {}", head.method, head.url)),
        HttpStage::Timing(timing) => ("connected", connected(timing)),
        HttpStage::Head {
            status,
            reason,
            version,
            ..
        } => (
            "head",
            format!("{version} {status} {reason}").trim_end().to_owned(),
        ),
        HttpStage::SseId { id, .. } => ("sseId", id.clone()),
        HttpStage::SseRetry { ms } => ("sseRetry", format!("{ms} ms")),
        HttpStage::SseComment { text } => ("sseComment", text.clone()),
        HttpStage::Redirect { to, followed, why } => {
            let done = if *followed { "followed" } else { "not followed" };
            ("redirect", format!("{to} ({done}: {why})"))
        }
        HttpStage::End { bytes, .. } => ("end", format!("{bytes} bytes of body")),
        HttpStage::Failed { step, cause, .. } => ("failed", format!("{step}: {cause}")),
        HttpStage::Aborted { bytes } => ("aborted", format!("by us, after {bytes} bytes of body")),
    };
    HttpStageItem {
        after_ms: ms(moment.after_ns),
        stage: stage.to_owned(),
        text,
    }
}

fn connected(timing: &HttpTiming) -> String {
    let proxy = timing
        .proxy
        .as_ref()
        .map(|proxy| format!(" through {proxy}"))
        .unwrap_or_default();
    let tls = timing
        .tls
        .as_ref()
        .map(|tls| format!(", {}", tls.version))
        .unwrap_or_default();
    format!("{}{proxy}{tls}", timing.remote)
}

fn text_body(exchange: Number, body: &[u8]) -> TextBody {
    TextBody {
        inline: (body.len() <= INLINE).then(|| String::from_utf8_lossy(body).into_owned()),
        body: View::frame(exchange).id(),
        size: body.len() as f64,
        pretty: None,
    }
}

fn ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}

#[cfg(test)]
mod tests;
