//! The origin of a connection, and the operation of a record.

use super::files::folder;
use super::*;
use crate::query::index::Facets;
use crate::{FrameContext, HttpHead, NewOperation, OperationId};

fn call(label: &str) -> NewOperation {
    NewOperation {
        kind: "tool_call",
        label: label.to_owned(),
    }
}

/// `seq origin kind operation`
fn causes(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let operation = row.operation.map(|OperationId(id)| format!(" of {id}"));
        format!(
            "{} {:?} {:?}{}\n",
            row.seq,
            row.origin,
            row.kind,
            operation.unwrap_or_default()
        )
    };
    rows.iter().map(line).collect()
}

#[tokio::test]
async fn every_kind_of_record_can_have_an_operation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.sqlite");
    let harness = Harness::at(Some(path.clone()));
    let tapped = harness.recorder.connection(NewConnection {
        server_id: "one".to_owned(),
        server_name: "One".to_owned(),
        origin: Origin::Tap,
    });
    harness.recorder.redact(vec![Secret::new("hunter2hunter2")]);
    let operation = harness.recorder.begin_operation(call("get-sum hunter2hunter2"));
    let context = FrameContext {
        operation: Some(operation),
        ..FrameContext::default()
    };
    let (recorder, bytes) = (&harness.recorder, Bytes::from_static(b"{}"));
    let frame = recorder.frame_in(tapped, ClientToServer, bytes.clone(), context);
    let frame = frame.await.unwrap();
    let head = HttpHead::default();
    recorder
        .http_begin(harness.one, head, Some(frame), Some(operation))
        .await
        .unwrap();
    recorder
        .lifecycle(harness.two, "authorizing".to_owned(), None, Some(operation))
        .unwrap();
    recorder.frame(harness.two, ServerToClient, bytes).await.unwrap();
    let rows = harness.all().await;
    let expected = "1 Tap Invalid of 1\n2 Client Http of 1\n3 Client Lifecycle of 1\n4 Client Invalid\n";
    assert_eq!(causes(&rows), expected);
    let known = harness.store.operation(operation).await.unwrap().unwrap();
    assert_eq!(
        (known.kind.as_str(), known.label.as_str()),
        ("tool_call", "get-sum **************")
    );
    drop(rows);

    // The next run still has them, and reuses none of their numbers, not even those of cleared operations.
    harness.store.clear(None).await.unwrap();
    harness.store.close().await.unwrap();
    let harness = Harness::at(Some(path));
    assert_eq!(harness.recorder.begin_operation(call("next")), OperationId(2));
    harness.flush().await;
    assert_eq!(harness.store.operation(operation).await.unwrap(), None);
}

/// Records a frame of the operation.
async fn record(harness: &Harness, operation: OperationId) {
    let context = FrameContext {
        operation: Some(operation),
        ..FrameContext::default()
    };
    let bytes = Bytes::from_static(b"{}");
    let frame = harness
        .recorder
        .frame_in(harness.one, ClientToServer, bytes, context);
    frame.await.unwrap();
}

/// A call may take longer than what it recorded so far is kept.
#[tokio::test]
async fn an_operation_in_progress_survives_a_clear() {
    let harness = Harness::new();
    let operation = harness.recorder.begin_operation(call("slow"));
    harness.flush().await;
    harness.store.clear(None).await.unwrap();
    record(&harness, operation).await;
    assert_eq!(causes(&harness.all().await), "1 Client Invalid of 1\n");
    assert!(harness.store.operation(operation).await.unwrap().is_some());
}

/// A batch is committed and indexed while a view reads the records of the operation.
#[tokio::test]
async fn a_record_that_comes_while_an_operation_is_read_is_found() {
    const BEFORE: Seq = 500;
    let (_folder, path) = folder();
    let harness = Harness::at(Some(path.clone()));
    let operation = harness.recorder.begin_operation(call("slow"));
    for _ in 0..BEFORE {
        record(&harness, operation).await;
    }
    harness.flush().await;
    let shared = &harness.store.inner.shared;
    let mut db = Connection::open(&path).unwrap();
    let mut other = Some((Connection::open(&path).unwrap(), Arc::clone(shared)));
    let connection = harness.one.id();
    let meanwhile = move || {
        if let Some((db, shared)) = other.take() {
            db.execute(
                "INSERT INTO record (seq, connection, kind, direction, at_ns, size, redactions, violation_count, operation) \
                 VALUES (?1, ?2, 4, 0, 5, 3, 0, 0, ?3)",
                (BEFORE as i64 + 1, connection, operation.0 as i64),
            )
            .unwrap();
            let facets = Facets {
                connection,
                ..Facets::default()
            };
            shared.index_mut().insert(BEFORE + 1, &facets);
        }
        false
    };
    // After so many steps, the read is in the middle of the records.
    db.progress_handler(500, Some(meanwhile)).unwrap();
    let mut view = View::new(Filter::parse("op:1").unwrap());
    let limits = SearchLimits {
        given_up: &AtomicBool::new(false),
        until: None,
        enough: u64::MAX,
    };
    view.advance(&db, shared, &limits).unwrap();
    assert_eq!(shared.index().last(), BEFORE + 1, "the record came meanwhile");
    view.advance(&db, shared, &limits).unwrap();
    assert_eq!(view.matches().len(), BEFORE + 1);
}
