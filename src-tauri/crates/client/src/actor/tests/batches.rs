//! Batches that a user writes (2025-03-26): each message is a record of its own.

use patchbay_traffic::Kind;
use patchbay_transport::{Failure, OutgoingKind, Unanswered};

use super::{
    dialect_fallback::Web,
    wire::{Happens, with_status},
    *,
};
use crate::RawMessage;

#[tokio::test(start_paused = true)]
async fn the_requests_of_a_batch_are_completed_by_their_responses() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    let text = r#"[{"jsonrpc":"2.0","id":101,"method":"tools/call","params":{"name":"a"}},{"jsonrpc":"2.0","id":102,"method":"ping"}]"#;
    let raw = RawMessage {
        text: text.to_owned(),
        operation: None,
        repeats: None,
    };
    let batch = bench.connection.send_message(raw).await.unwrap();
    assert_eq!(peer.heard().await, text);
    peer.says(r#"{"jsonrpc":"2.0","id":102,"error":{"code":-32603,"message":"no"}}"#)
        .await;
    peer.says(r#"{"jsonrpc":"2.0","id":101,"result":{"content":[]}}"#)
        .await;
    // What comes later was observed later.
    let later = bench.call("prompts/list", "{}").await;
    peer.heard().await;
    peer.says(r#"{"jsonrpc":"2.0","id":2,"result":{"prompts":[]}}"#)
        .await;
    finished(later).await;

    bench.store.flush().await.unwrap();
    let rows = bench.store.rows(&Filter::default(), 0, 1000).await.unwrap();
    let sent: Vec<_> = rows
        .iter()
        .filter(|row| row.seq >= batch && row.seq <= batch + 2)
        .map(|row| (row.kind, row.method.as_deref(), row.tool.as_deref(), row.status))
        .collect();
    assert_eq!(
        sent,
        [
            (Kind::Batch, None, None, None),
            (
                Kind::Request,
                Some("tools/call"),
                Some("a"),
                Some(RecordStatus::Ok)
            ),
            (Kind::Request, Some("ping"), None, Some(RecordStatus::Error)),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn the_requests_of_a_batch_end_when_it_is_refused() {
    let broken = Unanswered::Broken {
        failure: Failure::new("Send", "The connection was closed.", ""),
        may_have_run: true,
    };
    for (why, status) in [
        (with_status(400), RecordStatus::Error),
        (broken, RecordStatus::Lost),
    ] {
        let (web, mut wire) = Web::legacy().await;
        let mut batches = Vec::new();
        for id in ["101", "102"] {
            let raw = RawMessage {
                text: format!(r#"[{{"jsonrpc":"2.0","id":{id},"method":"ping"}}]"#),
                operation: None,
                repeats: None,
            };
            batches.push(web.bench.connection.send_message(raw).await.unwrap());
            wire.heard().await;
        }
        wire.let_happen(Happens::Refused(batches[0], why));
        // What comes later was observed later.
        let later = web.bench.call("prompts/list", "{}").await;
        let (id, _, _) = wire.heard().await;
        wire.answers(id, r#"{"prompts":[]}"#);
        finished(later).await;

        web.bench.store.flush().await.unwrap();
        let rows = web.bench.store.rows(&Filter::default(), 0, 1000).await.unwrap();
        let pings = rows.iter().filter(|row| row.method.as_deref() == Some("ping"));
        let ended: Vec<_> = pings.map(|row| row.status).collect();
        assert_eq!(ended, [Some(status), Some(RecordStatus::Pending)]);
    }
}

/// Only then is an answer awaited without a limit.
#[tokio::test(start_paused = true)]
async fn what_a_user_writes_is_a_batch_if_a_request_is_in_it() {
    const REQUEST: &str = r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#;
    const NOTIFICATION: &str = r#"{"jsonrpc":"2.0","method":"notifications/x"}"#;
    let (web, mut wire) = Web::legacy().await;
    for (text, kind) in [
        (format!("[{NOTIFICATION},{REQUEST}]"), OutgoingKind::Batch),
        (format!("[{REQUEST}]"), OutgoingKind::Batch),
        (format!("[{NOTIFICATION},{NOTIFICATION}]"), OutgoingKind::Other),
        (r#"{"jsonrpc":"2.0","result":{}}"#.to_owned(), OutgoingKind::Other),
        ("{".to_owned(), OutgoingKind::Other),
    ] {
        let raw = RawMessage {
            text: text.clone(),
            operation: None,
            repeats: None,
        };
        web.bench.connection.send_message(raw).await.unwrap();
        assert_eq!(wire.heard_kind().await, kind, "{text}");
    }
}
