//! The comparison of a session: the records of its live connection beside the findings in its recording.

use std::collections::{BTreeMap, BTreeSet};

use patchbay_observe::{Answer, Finding, LogClass, Status, Transcript, TranscriptFrame, check};
use patchbay_protocol::methods;
use patchbay_traffic::{Kind, RecordedViolation, Violation, recording};

use crate::client::session::Session;

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
    tool: Option<String>,
    log: Option<LogClass>,
    logger: Option<String>,
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
                tool: row.tool,
                log: row.log,
                logger: row.logger,
                status: row.status,
                pair: row.pair,
                violations: of_the_bytes(violations),
            },
        );
    }
    of_the_wire(&mut seen);
    (seen, cut_off)
}

/// Timeouts, losses and HTTP errors are outcomes of the client. In the frames, such a request has no response. If one comes
/// late, the client's outcome stays in the live record, but the frames show what the server knew: a request that timed out
/// was cancelled by a message, except in a handshake; one that was lost with its connection was not, and has the status of
/// its response.
fn of_the_wire(live: &mut BTreeMap<u64, Seen>) {
    let responses: BTreeMap<_, _> = live.iter().map(|(seq, seen)| (*seq, seen.status)).collect();
    for seen in live.values_mut().filter(|seen| seen.kind == Kind::Request) {
        let is_handshake = matches!(
            seen.method.as_deref(),
            Some(methods::INITIALIZE | methods::SERVER_DISCOVER)
        );
        seen.status = match (seen.status, seen.pair) {
            (_, None) => Some(Status::Pending),
            (Some(Status::Lost), Some(response)) => responses[&response],
            (Some(Status::TimedOut), Some(response)) if is_handshake => responses[&response],
            (Some(Status::TimedOut), Some(_)) => Some(Status::Cancelled),
            (status, Some(_)) => status,
        };
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
                tool: description.tool,
                log: description.log,
                logger: description.logger,
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

/// Compares the three ways and returns the rules that are violated.
pub(super) async fn compare(session: &Session, what: &str) -> BTreeSet<String> {
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
    assert!(!live.is_empty(), "{what}: nothing was recorded");
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
    assert_eq!(numbers(&live), numbers(&checked), "{what}");
    let violations = live.values().flat_map(|seen| &seen.violations);
    let rules = violations.filter_map(|violation| violation.split(' ').next());
    rules.map(str::to_owned).collect()
}
