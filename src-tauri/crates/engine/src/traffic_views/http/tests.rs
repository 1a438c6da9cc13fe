use patchbay_traffic::{HttpFields, HttpHead, HttpMoment, HttpRecord, HttpStage, HttpTiming};

use super::{MOST_STAGES, item};

fn record(stages: Vec<(u64, HttpStage)>, omitted: u64) -> HttpRecord {
    HttpRecord {
        exchange: 5,
        stages: stages
            .into_iter()
            .map(|(after_ns, stage)| HttpMoment { after_ns, stage })
            .collect(),
        omitted,
        frames: Vec::new(),
    }
}

fn sent() -> HttpStage {
    let mut fields = HttpFields::with_capacity(1);
    fields.push("accept", b"a: b");
    HttpStage::Sent(HttpHead {
        method: "POST".to_owned(),
        url: "http://h/mcp".to_owned(),
        fields,
        body: None,
        body_size: None,
    })
}

fn head() -> HttpStage {
    HttpStage::Head {
        status: 200,
        reason: "OK".into(),
        version: "HTTP/1.1".into(),
        fields: HttpFields::default(),
    }
}

#[test]
fn a_hanging_exchange_shows_its_progress() {
    let item = item(record(vec![(0, sent())], 0), &[], None);
    assert_eq!(
        (item.method.as_str(), item.url.as_str()),
        ("POST", "http://h/mcp")
    );
    assert_eq!(item.request_headers[0].value, "a: b");
    assert_eq!(item.status, None);
    assert_eq!(item.timing, None);
}

#[test]
fn timings_are_separate_and_a_reused_connection_is_marked() {
    let timing = HttpStage::Timing(HttpTiming {
        remote: "127.0.0.1:80".to_owned(),
        connect_ns: 2_000_000,
        ..HttpTiming::default()
    });
    let fresh = item(
        record(vec![(0, sent()), (2_500_000, timing), (4_000_000, head())], 0),
        &[],
        Some(b"<html>"),
    );
    let timing = fresh.timing.unwrap();
    assert_eq!(timing.connect_ms, Some(2.0));
    assert_eq!(timing.first_byte_ms, Some(1.5));
    assert_eq!(timing.dns_ms, None);
    assert!(!timing.reused);
    assert_eq!(fresh.body.unwrap().inline.as_deref(), Some("<html>"));
    let words: Vec<&str> = fresh.stages.iter().map(|stage| stage.stage.as_str()).collect();
    assert_eq!(words, ["sent", "connected", "head"]);
    let used = item(record(vec![(0, sent()), (1, head())], 0), &[], None);
    assert!(used.timing.unwrap().reused);
}

#[test]
fn an_endless_stream_is_truncated_and_counted() {
    let mut stages = vec![(0, sent())];
    stages.extend((0..600).map(|n| {
        let text = "ping".to_owned();
        (n, HttpStage::SseComment { text })
    }));
    let shown = item(record(stages.clone(), 7), &[], None);
    assert_eq!(shown.stages.len(), MOST_STAGES);
    assert_eq!(shown.stages_omitted, 101 + 7);
    assert_eq!(shown.stages.last().unwrap().stage, "sseComment");
    // Once it has ended, the end is shown too.
    stages.push((700, HttpStage::Aborted { bytes: 9 }));
    let ended = item(record(stages, 7), &[], None);
    assert_eq!(ended.stages.len(), MOST_STAGES);
    assert_eq!(ended.stages_omitted, 102 + 7);
    assert_eq!(ended.stages.last().unwrap().stage, "aborted");
}

#[test]
fn a_request_body_that_is_cut_has_its_size() {
    let cut = HttpStage::Sent(HttpHead {
        body: Some("begin".to_owned()),
        body_size: Some(100_000),
        ..HttpHead::default()
    });
    let item = item(record(vec![(0, cut)], 0), &[], None);
    assert_eq!(item.request_body.as_deref(), Some("begin"));
    assert_eq!(item.request_body_size, Some(100_000.0));
}
