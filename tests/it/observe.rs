//! Observation in three ways: the records of a live connection, the recording read back, and a check of the bare frames
//! agree about every message: its kind, its pair, its violations.

use std::collections::{BTreeMap, BTreeSet};

use patchbay_client::{EraChoice, Request};
use patchbay_observe::{Answer, Finding, Status, Transcript, TranscriptFrame, check};
use patchbay_traffic::{Kind, RecordedViolation, Violation, recording};
use patchbay_transport::HttpConfig;

use crate::{
    client::{
        run_test,
        session::{self, Session},
    },
    http::server::Server,
};

/// The tools of the scripted HTTP server.
const TOOLS: &[&str] = &[
    "streamed",
    "no-data",
    "bytewise",
    "cut-event",
    "ended-event",
    "html",
    "error-500",
    "wrong-type",
    "truncated",
    "hangs-up",
    "busy",
    "twice",
    "unknown-id",
];

/// Violations of the transport, which are not visible in the bytes.
const OF_THE_CROSSING: &[&str] = &[
    "line-unterminated",
    "content-type",
    "message-cut-off",
    "session-id-repeated",
];

/// A message as all three ways report it.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    kind: Kind,
    method: Option<String>,
    rpc_id: Option<String>,
    summary: Option<String>,
    status: Option<Status>,
    pair: Option<u64>,
    violations: Vec<String>,
}

/// The records of the live connection. Interrupted frames are omitted: an incomplete text is not JSON, which is not the
/// server's fault.
async fn live(session: &Session) -> (BTreeMap<u64, Seen>, BTreeSet<u64>) {
    let mut seen = BTreeMap::new();
    let mut cut_off = BTreeSet::new();
    for row in session.rows().await {
        if row.direction.is_none() || row.kind == Kind::Http {
            continue;
        }
        let record = session.store.record(row.seq).await.unwrap().unwrap();
        let shown = |violation: &RecordedViolation| {
            let pointer = violation.pointer.as_deref().unwrap_or_default();
            format!("{} {pointer} {}", violation.rule, violation.message)
        };
        let violations = record.violations.iter().map(shown).collect();
        if record
            .violations
            .iter()
            .any(|violation| violation.rule == "message-cut-off")
        {
            cut_off.insert(row.seq);
        }
        seen.insert(
            row.seq,
            Seen {
                kind: row.kind,
                method: row.method,
                rpc_id: row.rpc_id,
                summary: row.summary,
                status: row.status.map(|status| of_the_wire(row.kind, status, row.pair)),
                pair: row.pair,
                violations: of_the_bytes(violations),
            },
        );
    }
    (seen, cut_off)
}

/// Timeouts, losses and HTTP errors are outcomes of the client: in the frames, such a request has no response.
fn of_the_wire(kind: Kind, status: Status, pair: Option<u64>) -> Status {
    match (kind, pair) {
        (Kind::Request, None) => Status::Pending,
        _ => status,
    }
}

fn of_the_bytes(mut violations: Vec<String>) -> Vec<String> {
    violations.retain(|violation| !OF_THE_CROSSING.iter().any(|rule| violation.starts_with(rule)));
    violations
}

/// The findings, with completed requests.
fn found(findings: Vec<Finding>) -> BTreeMap<u64, Seen> {
    let mut seen = BTreeMap::new();
    let mut answers: Vec<(u64, Answer)> = Vec::new();
    for Finding {
        seq,
        description,
        completes,
    } in findings
    {
        answers.extend(completes);
        let shown = |violation: &Violation| {
            let pointer = violation.pointer.as_deref().unwrap_or_default();
            format!("{} {pointer} {}", violation.rule.id(), violation.message)
        };
        let violations = description.violations.iter().map(shown).collect();
        seen.insert(
            seq,
            Seen {
                kind: description.kind,
                method: description.method.map(Into::into),
                rpc_id: description.rpc_id,
                summary: description.summary,
                status: description.status,
                pair: description.pair,
                violations: of_the_bytes(violations),
            },
        );
    }
    for (request, answer) in answers {
        if let Some(seen) = seen.get_mut(&request) {
            seen.status = Some(answer.status);
            seen.pair = answer.response;
        }
    }
    seen
}

/// Compares the three ways and returns the number of messages and of violations.
async fn compare(session: &Session, what: &str) -> (usize, usize) {
    let (live, cut_off) = live(session).await;
    let (file, _) = session.store.export_jsonl(0, Vec::new()).await.unwrap();
    let frames: Vec<_> = recording::read(&file[..]).map(Result::unwrap).collect();
    let as_frames = || {
        frames.iter().filter_map(|frame| {
            Some(TranscriptFrame {
                seq: frame.seq,
                direction: frame.direction?,
                at_ns: frame.at_ns,
                bytes: &frame.bytes,
                http: frame.http.map(|http| (http.exchange, http.status, http.reply_to)),
                operation: frame.operation,
                members: &frame.members,
            })
        })
    };
    let mut transcript = Transcript::new();
    let read_back = as_frames().flat_map(|frame| transcript.frame(&frame)).collect();
    let mut read_back = found(read_back);
    let mut checked = found(check(as_frames()));
    for seq in &cut_off {
        for seen in [&mut read_back, &mut checked] {
            let seen = seen.get_mut(seq).unwrap();
            seen.violations
                .retain(|violation| !violation.starts_with("not-json"));
        }
    }
    assert!(live.len() > 1, "{what}: {live:?}");
    for (seq, seen) in &live {
        assert_eq!(
            Some(seen),
            read_back.get(seq),
            "{what}, record {seq}: live beside the recording"
        );
        assert_eq!(
            Some(seen),
            checked.get(seq),
            "{what}, record {seq}: live beside the check"
        );
    }
    let numbers = |seen: &BTreeMap<u64, Seen>| seen.keys().copied().collect::<Vec<_>>();
    assert_eq!(numbers(&live), numbers(&read_back), "{what}");
    let violations = live.values().map(|seen| seen.violations.len()).sum();
    (live.len(), violations)
}

/// Connects to a scripted server, lists its tools and calls one.
async fn session(args: &[&str], era: EraChoice, tool: Option<&str>) -> Session {
    let (session, _) = Session::scripted(args, era).await;
    session.request(Request::new("tools/list", None)).await;
    if let Some(tool) = tool {
        let params = format!(r#"{{"name":"{tool}","arguments":{{}},"_meta":{{"progressToken":"t"}}}}"#);
        session.request(Request::new("tools/call", Some(params))).await;
        session.request(Request::new("ping", None)).await;
    }
    session.connection.close().await;
    session
}

#[test]
fn every_misbehavior_over_stdio_is_reported_equally() {
    run_test(async {
        let mut violations = 0;
        for tool in [
            "numbers",
            "batch",
            "twice",
            "unknown-id",
            "string-id",
            "null-id",
            "null-request",
            "two-on-a-line",
            "split-utf8",
            "not-utf8",
            "crlf",
            "bom",
            "blank",
            "both",
            "stray",
            "progress",
            "progress-back",
            "progress-unknown",
            "sampling",
            "elicitation",
            "roots",
            "cancels-own",
        ] {
            let session = session(&["legacy"], EraChoice::Legacy, Some(tool)).await;
            violations += compare(&session, tool).await.1;
        }
        // The misbehavior is really reported, not only equally.
        assert!(violations > 20, "only {violations} violations");
    });
}

#[test]
fn every_handshake_over_stdio_is_reported_equally() {
    run_test(async {
        for (server, era) in [
            ("legacy", EraChoice::Auto),
            ("legacy-32602", EraChoice::Auto),
            ("strict", EraChoice::Auto),
            ("spoiled", EraChoice::Auto),
            ("fifty", EraChoice::Auto),
            ("stray", EraChoice::Auto),
            ("modern-other", EraChoice::Auto),
            ("cursor-loop", EraChoice::Auto),
            ("refuses-list", EraChoice::Auto),
        ] {
            let session = session(&[server], era, None).await;
            compare(&session, server).await;
        }
    });
}

/// Connects to a scripted HTTP server, lists its tools and calls one.
async fn http_session(behaviour: &str, era: EraChoice, tool: Option<&str>) -> Session {
    let server = Server::start(behaviour);
    let session = Session::new(session::over(HttpConfig::new(&server.url), era));
    session.connection.settled().await;
    session.request(Request::new("tools/list", None)).await;
    if let Some(tool) = tool {
        session.call(tool).await;
        session.call("echo").await;
    }
    session.connection.close().await;
    session
}

#[test]
fn every_handshake_over_http_is_reported_equally() {
    run_test(async {
        for behaviour in [
            "fair",
            "modern",
            "legacy",
            "http-sse",
            "moved",
            "garbage",
            "html",
            "no-type",
            "wrong-type",
            "two-sessions",
            "odd-session",
            "truncated",
            "error-500",
            "json-500",
        ] {
            let session = http_session(behaviour, EraChoice::Auto, None).await;
            compare(&session, behaviour).await;
        }
    });
}

#[test]
fn every_response_over_http_is_reported_equally() {
    run_test(async {
        let mut violations = 0;
        for era in [EraChoice::Modern, EraChoice::Legacy] {
            for tool in TOOLS {
                let session = http_session("fair", era, Some(tool)).await;
                violations += compare(&session, &format!("{tool}, {era:?}")).await.1;
            }
        }
        assert!(violations > 3, "only {violations} violations");
    });
}
