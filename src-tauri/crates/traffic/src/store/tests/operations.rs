//! Who opened a connection, and which operation a record belongs to.

use super::*;
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
async fn every_kind_of_record_can_name_its_operation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.sqlite");
    let desk = Desk::at(Some(path.clone()));
    let tapped = desk.recorder.connection(NewConnection {
        server_id: "one".to_owned(),
        server_name: "One".to_owned(),
        origin: Origin::Tap,
    });
    desk.recorder.redact(vec![Secret::new("hunter2hunter2")]);
    let operation = desk.recorder.begin_operation(call("get-sum hunter2hunter2"));
    let context = FrameContext {
        operation: Some(operation),
        ..FrameContext::default()
    };
    let (recorder, bytes) = (&desk.recorder, Bytes::from_static(b"{}"));
    let frame = recorder.frame_in(tapped, ClientToServer, bytes.clone(), context);
    let frame = frame.await.unwrap();
    let head = HttpHead::default();
    recorder
        .http_begin(desk.one, head, Some(frame), Some(operation))
        .await
        .unwrap();
    recorder
        .lifecycle(desk.two, "authorizing".to_owned(), None, Some(operation))
        .unwrap();
    recorder.frame(desk.two, ServerToClient, bytes).await.unwrap();
    let rows = desk.all().await;
    let expected = "1 Tap Invalid of 1\n2 Client Http of 1\n3 Client Lifecycle of 1\n4 Client Invalid\n";
    assert_eq!(causes(&rows), expected);
    let known = desk.store.operation(operation).await.unwrap().unwrap();
    assert_eq!(
        (known.kind.as_str(), known.label.as_str()),
        ("tool_call", "get-sum **************")
    );
    drop(rows);

    // The next run knows them all, and gives none of their numbers again, not even of operations that were cleared.
    desk.store.clear(None).await.unwrap();
    desk.store.close().await.unwrap();
    let desk = Desk::at(Some(path));
    assert_eq!(desk.recorder.begin_operation(call("next")), OperationId(2));
    desk.flush().await;
    assert_eq!(desk.store.operation(operation).await.unwrap(), None);
}
