//! What SQLite can never take, as it has a limit for one value.

use std::time::Duration;

use super::files::{folder, query};
use super::*;
use crate::{HttpFields, HttpHead, HttpStage, NewOperation};

/// Much longer than a write takes. A writer that never gives up would wait for ever.
const PATIENCE: Duration = Duration::from_secs(30);

/// The columns in which a value with this word is as much too large as one of more than a billion bytes.
const COLUMNS: [(&str, &str); 9] = [
    ("connection", "server_name"),
    ("operation", "label"),
    ("record", "summary"),
    ("body", "bytes"),
    ("blob", "bytes"),
    ("violation", "message"),
    ("http_stage", "stages"),
    ("http_later", "stages"),
    ("http_body", "bytes"),
];

/// A log whose SQLite answers as for values above its limit, without a billion bytes.
async fn limited(path: PathBuf) -> Harness {
    let harness = Harness::at(Some(path.clone()));
    harness.flush().await;
    let db = Connection::open(path).unwrap();
    for (table, column) in COLUMNS {
        for moment in ["INSERT", "UPDATE"] {
            db.execute_batch(&format!(
                "CREATE TRIGGER limit_{table}_{moment} BEFORE {moment} ON {table} \
                 WHEN instr(CAST(NEW.{column} AS TEXT), 'oversized') BEGIN SELECT zeroblob(2000000000); END"
            ))
            .unwrap();
        }
    }
    harness
}

/// Writes what is waiting, all of which has to be taken or left out.
async fn written(harness: &Harness) {
    let flushed = tokio::time::timeout(PATIENCE, harness.recorder.flush()).await;
    flushed.expect("the writer is stuck").unwrap();
    assert_eq!(*harness.recorder.problem().borrow(), None);
}

/// A writer that tried again would stop every connection, as what is not recorded does not cross. So the part is left out,
/// and a record that has no row otherwise is said to be missing.
#[tokio::test]
async fn what_can_never_be_stored_does_not_stop_the_log() {
    let (_folder, path) = folder();
    let harness = limited(path.clone()).await;
    let recorder = &harness.recorder;
    let fault = |message: &str| vec![Violation::at(Rule::NotJson, "/id", message)];
    recorder
        .lifecycle(harness.one, "oversized".to_owned(), None, None)
        .unwrap();
    let small = harness.sent("oversized").await;
    let large = harness.sent(&format!("oversized{}", " ".repeat(2 << 20))).await;
    let faulty = harness.received("faulty").await;
    recorder.violations(faulty, fault("oversized"));
    recorder.violations(faulty, fault("small"));
    let _ = recorder.begin_operation(NewOperation {
        kind: "tool_call",
        label: "oversized".to_owned(),
    });
    let _ = recorder.connection(NewConnection {
        server_id: "three".to_owned(),
        server_name: "oversized".to_owned(),
        origin: Origin::Client,
    });
    written(&harness).await;

    // What is said about a record of an earlier write.
    recorder.describe(
        faulty,
        Description {
            summary: Some("oversized".to_owned()),
            ..Description::new(Kind::Notification)
        },
    );
    written(&harness).await;
    harness.received("after").await;

    assert_eq!(
        harness.script().await,
        format!(
            "1 one Invalid \"This record could not be stored: it is too large for the traffic log.\" 0 B\n\
             {small} one -> Invalid 9 B\n\
             {large} one -> Invalid 2097161 B\n\
             4 one <- Invalid \"faulty\" !2 6 B\n\
             5 one <- Invalid \"after\" 5 B\n"
        )
    );
    let of = async |kind| {
        harness
            .store
            .count(&Filter::default().kinds(&[kind]))
            .await
            .unwrap()
    };
    assert_eq!((of(Kind::Lifecycle).await, of(Kind::Invalid).await), (0, 5));
    for left_out in [small, large] {
        let body = harness.store.body(left_out).await.unwrap().unwrap_or_default();
        assert!(body.is_empty(), "{left_out}");
    }
    let record = harness.store.record(faulty).await.unwrap().unwrap();
    assert_eq!(record.violations.len(), 1);
    assert_eq!(record.violations[0].message, "small");
    harness.store.close().await.unwrap();
}

/// Head, later stages and body of an exchange are written separately; its row stays whatever is left out of it.
#[tokio::test]
async fn what_can_never_be_stored_of_an_exchange_does_not_stop_the_log() {
    let (_folder, path) = folder();
    let harness = limited(path.clone()).await;
    let head = |reason: &str| HttpHead {
        method: "POST".to_owned(),
        url: format!("http://one/{reason}"),
        ..HttpHead::default()
    };
    let comment = |text: &str| HttpStage::SseComment {
        text: text.to_owned(),
    };
    let begin = async |url| {
        let begun = harness.recorder.http_begin(harness.one, head(url), None, None);
        begun.await.unwrap()
    };
    begin("oversized").await;
    let exchange = begin("mcp").await;
    written(&harness).await;
    harness.recorder.http_stage(exchange, comment("oversized"));
    let body = async |bytes: &'static [u8]| {
        let body = harness.recorder.http_body(exchange, Bytes::from_static(bytes));
        body.await.unwrap();
    };
    body(b"oversized").await;
    written(&harness).await;
    harness.recorder.http_stage(exchange, comment("later"));
    body(b"kept").await;
    written(&harness).await;

    let rows = harness.all().await;
    assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), [1, 2]);
    let record = harness.store.http(exchange).await.unwrap().unwrap();
    let stages = format!("{:?}", record.stages);
    assert!(
        stages.contains("later") && !stages.contains("oversized"),
        "{stages}"
    );
    assert_eq!(harness.body(exchange).await, "kept");
    harness.store.close().await.unwrap();
}

/// A row says how much its violations matter, without its record.
#[tokio::test]
async fn a_row_has_each_rule_that_it_violates_once() {
    let harness = Harness::new();
    let seq = harness.received("faulty").await;
    let found = |rules: &[Rule]| {
        rules
            .iter()
            .map(|rule| Violation::at(*rule, "/id", "is wrong"))
            .collect()
    };
    harness.received("correct").await;
    harness.recorder.describe(
        seq,
        Description {
            violations: found(&[Rule::NotJson, Rule::BlankLine, Rule::NotJson]),
            ..Description::new(Kind::Notification)
        },
    );
    harness.flush().await;
    let rules = async || {
        harness
            .all()
            .await
            .into_iter()
            .map(|row| row.rules)
            .collect::<Vec<_>>()
    };
    assert_eq!(rules().await, [&["blank-line", "not-json"][..], &[]]);
    let mut tail = harness.store.tail(Filter::default());
    tail.next().await.unwrap();
    harness.recorder.violations(seq, found(&[Rule::ByteOrderMark]));
    let changed = tail.next().await.unwrap().changed;
    assert_eq!(changed[0].rules, ["blank-line", "byte-order-mark", "not-json"]);
}

/// A peer may break a rule as often as it has bytes. So many violations are counted, and not kept.
#[tokio::test]
async fn violations_beyond_the_limit_are_only_counted() {
    let many = |count: usize| vec![Violation::at(Rule::NotJson, "/id", "is wrong"); count];
    // How many of record, description and report are written apart from what follows.
    for late in 0..=2 {
        let (_folder, path) = folder();
        let harness = Harness::at(Some(path.clone()));
        let seq = harness.received("faulty").await;
        if late > 1 {
            harness.flush().await;
        }
        harness.recorder.describe(
            seq,
            Description {
                violations: many(1_500),
                ..Description::new(Kind::Notification)
            },
        );
        if late > 0 {
            harness.flush().await;
        }
        harness.recorder.violations(seq, many(700));
        let row = &harness.all().await[0];
        assert_eq!(row.violation_count, 2_200, "{late}");
        let record = harness.store.record(seq).await.unwrap().unwrap();
        assert_eq!(record.violations.len(), 1_000, "{late}");
        harness.store.close().await.unwrap();
        assert_eq!(query(&path, "SELECT count(*) FROM violation"), 1_000, "{late}");
    }
}

/// One row is read with many others, so the server does not decide how long it is.
#[tokio::test]
async fn the_summary_of_an_exchange_has_a_limit_however_soon_it_is_answered() {
    for is_one_batch in [true, false] {
        let harness = Harness::new();
        let head = HttpHead {
            method: "POST".to_owned(),
            url: "http://one/mcp".to_owned(),
            fields: HttpFields::default(),
            body: None,
            body_size: None,
        };
        let exchange = harness
            .recorder
            .http_begin(harness.one, head, None, None)
            .await
            .unwrap();
        if !is_one_batch {
            harness.flush().await;
        }
        let mut fields = HttpFields::default();
        fields.push("content-type", "\u{e4}".repeat(100_000).as_bytes());
        let answered = HttpStage::Head {
            status: 200,
            reason: "OK".into(),
            version: "HTTP/1.1".into(),
            fields,
        };
        harness.recorder.http_stage(exchange, answered);
        let rows = harness.all().await;
        let summary = rows[0].summary.as_deref().unwrap();
        assert_eq!(summary.chars().count(), 300, "{is_one_batch}");
    }
}
