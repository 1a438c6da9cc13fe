//! `subscriptions/listen`, and streams of responses that the answer does not end.

use patchbay_protocol::{RequestId, limits::TEXT_BYTES};

use super::{
    dialect_fallback::Web,
    wire::{Happens, Wire},
    *,
};

async fn bench() -> (Bench, Peer) {
    let server =
        r#"{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true}}"#;
    Bench::modern(ClientCapabilities::none(), server).await
}

fn of(id: i64, method: &str, params: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}{params}}}}}"#
    )
}

fn acknowledged(id: i64, granted: &str) -> String {
    of(
        id,
        "subscriptions/acknowledged",
        &format!(r#","notifications":{granted}"#),
    )
}

/// The next event in short.
async fn next(exchange: &mut Exchange) -> String {
    match exchange.next().await.unwrap() {
        ExchangeEvent::Sent { .. } => "sent".to_owned(),
        ExchangeEvent::Acknowledged { granted, .. } => format!("granted {granted}"),
        ExchangeEvent::Notified { method, count, .. } => format!("{count}: {method}"),
        ExchangeEvent::Finished(finished) => format!("{:?}", finished.outcome),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn several_streams_each_get_their_own() {
    let (bench, mut peer) = bench().await;
    let mut tools = bench.connection.listen(r#"{"toolsListChanged":true}"#).await;
    let heard = peer.heard().await;
    assert!(
        heard.contains(r#""id":2,"method":"subscriptions/listen""#),
        "{heard}"
    );
    let mut files = bench
        .connection
        .listen(r#"{"resourceSubscriptions":["file:///a"],"promptsListChanged":true}"#)
        .await;
    peer.heard().await;
    peer.says(&acknowledged(3, r#"{"resourceSubscriptions":["file:///a"]}"#))
        .await;
    peer.says(&acknowledged(2, r#"{"toolsListChanged":true}"#)).await;
    peer.says(&of(3, "resources/updated", r#","uri":"file:///a""#))
        .await;
    peer.says(&of(2, "tools/list_changed", "")).await;
    assert_eq!(next(&mut tools).await, "sent");
    assert_eq!(next(&mut tools).await, r#"granted {"toolsListChanged":true}"#);
    assert_eq!(next(&mut tools).await, "1: notifications/tools/list_changed");
    assert_eq!(next(&mut files).await, "sent");
    assert_eq!(
        next(&mut files).await,
        r#"granted {"resourceSubscriptions":["file:///a"]}"#
    );
    assert_eq!(next(&mut files).await, "1: notifications/resources/updated");
    // Hours of silence are no timeout once it is acknowledged.
    tokio::time::sleep(Duration::from_secs(10 * 3600)).await;
    // One ends gracefully, one abruptly; the two are distinguished.
    peer.says(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}"#)
        .await;
    assert_eq!(next(&mut tools).await, "Result");
    drop(peer);
    assert!(next(&mut files).await.starts_with("ConnectionLost"));
    assert_eq!(bench.broken_rules().await, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn what_nobody_asked_for_is_found_and_delivered_all_the_same() {
    let (bench, mut peer) = bench().await;
    let mut exchange = bench.connection.listen(r#"{"toolsListChanged":true}"#).await;
    peer.heard().await;
    peer.says(&of(2, "tools/list_changed", "")).await;
    peer.says(&acknowledged(
        2,
        r#"{"toolsListChanged":true,"promptsListChanged":true}"#,
    ))
    .await;
    peer.says(&of(2, "prompts/list_changed", "")).await;
    peer.says(&of(99, "tools/list_changed", "")).await;
    peer.says(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#)
        .await;
    assert_eq!(next(&mut exchange).await, "sent");
    assert_eq!(next(&mut exchange).await, "1: notifications/tools/list_changed");
    assert!(next(&mut exchange).await.starts_with("granted"));
    assert_eq!(next(&mut exchange).await, "2: notifications/prompts/list_changed");
    let settled = bench.call("x", "{}").await;
    peer.heard().await;
    peer.says(r#"{"jsonrpc":"2.0","id":3,"result":{"resultType":"complete"}}"#)
        .await;
    finished(settled).await;
    assert_eq!(
        bench.broken_rules().await,
        [
            "subscription-before-acknowledged",
            "subscription-beyond-filter",
            "subscription-uninvited",
            "subscription-unknown",
            "subscription-id-missing",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn either_side_may_end_it() {
    let (bench, mut peer) = bench().await;
    let ours = bench.connection.listen("{}").await;
    let theirs = bench.connection.listen("{}").await;
    peer.heard().await;
    peer.heard().await;
    bench.connection.cancel(ours.id, None).await;
    assert_eq!(finished(ours).await.outcome, Outcome::Cancelled);
    assert!(
        peer.heard()
            .await
            .contains(r#""method":"notifications/cancelled","params":{"requestId":2}"#)
    );
    peer.says(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"closing"}}"#,
    )
    .await;
    assert_eq!(
        finished(theirs).await.outcome,
        Outcome::EndedByServer(Some("closing".to_owned()))
    );
    // It may not cancel anything else, and the request continues.
    let call = bench.call("x", "{}").await;
    peer.heard().await;
    peer.says(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}"#)
        .await;
    peer.says(r#"{"jsonrpc":"2.0","id":4,"result":{"resultType":"complete"}}"#)
        .await;
    assert_eq!(finished(call).await.outcome, Outcome::Result);
    assert!(
        bench
            .broken_rules()
            .await
            .contains(&"server-cancelled".to_owned())
    );
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_never_acknowledged_times_out() {
    let (bench, mut peer) = bench().await;
    let exchange = bench.connection.listen("{}").await;
    peer.heard().await;
    assert!(matches!(
        finished(exchange).await.outcome,
        Outcome::TimedOut { .. }
    ));
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_misses_some_but_not_the_end() {
    let (bench, mut peer) = bench().await;
    let exchange = bench.connection.listen(r#"{"toolsListChanged":true}"#).await;
    peer.heard().await;
    peer.says(&acknowledged(2, r#"{"toolsListChanged":true}"#)).await;
    for _ in 0..100 {
        peer.says(&of(2, "tools/list_changed", "")).await;
    }
    peer.says(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete"}}"#)
        .await;
    assert_eq!(finished(exchange).await.outcome, Outcome::Result);
    assert_eq!(bench.connection.notices().borrow().tools_changed, 100);
}

async fn next_id(wire: &mut Wire) -> i64 {
    wire.heard().await.0
}

/// The link sees an answer only in the response to its request.
#[tokio::test(start_paused = true)]
async fn the_link_is_told_of_an_answer_that_came_elsewhere() {
    let (web, mut wire) = Web::legacy().await;
    let own = web.bench.request(false).await;
    let id = next_id(&mut wire).await;
    wire.answers(id, r#"{"content":[]}"#);
    finished(own).await;
    assert_eq!(wire.answered(), None);
    // On the stream of the session, and in the response to another request.
    for carrier in [None, Some((id, 200))] {
        let call = web.bench.request(false).await;
        let id = next_id(&mut wire).await;
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[]}}}}"#);
        wire.let_happen(Happens::Frame(answer, carrier));
        assert_eq!(finished(call).await.outcome, Outcome::Result);
        assert_eq!(wire.answered(), Some(RequestId::Int(id)));
    }
}

#[tokio::test(start_paused = true)]
async fn the_link_is_told_of_a_stream_that_a_notification_ended() {
    let (web, mut wire) = Web::modern().await;
    let stream = web.bench.connection.listen("{}").await;
    let id = next_id(&mut wire).await;
    let cancelled =
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#);
    wire.let_happen(Happens::Frame(cancelled, Some((id, 200))));
    assert_eq!(finished(stream).await.outcome, Outcome::EndedByServer(None));
    assert_eq!(wire.answered(), Some(RequestId::Int(id)));
}

/// What waits for a reader is bounded; the log has all of it.
#[tokio::test(start_paused = true)]
async fn long_texts_of_a_server_are_shortened() {
    let (bench, mut peer) = bench().await;
    let long = "\u{e9}".repeat(100_000);
    let is_cut =
        |text: &str, most: usize| text.ends_with('\u{2026}') && text.len() <= most + '\u{2026}'.len_utf8();
    let mut call = bench.request(true).await;
    peer.heard().await;
    peer.says(&format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":2,"progress":1,"message":"{long}"}}}}"#
    ))
    .await;
    assert_eq!(next(&mut call).await, "sent");
    let Some(ExchangeEvent::Progress(progress)) = call.next().await else {
        panic!("no progress");
    };
    let message = progress.message.unwrap();
    assert!(message.ends_with("\u{2026} [the beginning of 200000 bytes]"));
    assert!((65_530..=64 * 1024).contains(&message.len()), "{}", message.len());

    let mut stream = bench.connection.listen("{}").await;
    peer.heard().await;
    peer.says(&of(3, &long, "")).await;
    peer.says(&of(3, "resources/updated", &format!(r#","uri":"{long}""#)))
        .await;
    peer.says(&format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":3,"reason":"{long}"}}}}"#
    ))
    .await;
    assert_eq!(next(&mut stream).await, "sent");
    let Some(ExchangeEvent::Notified { method, .. }) = stream.next().await else {
        panic!("no notification");
    };
    assert!(is_cut(&method, TEXT_BYTES), "{}", method.len());
    let Some(ExchangeEvent::Notified { subject, .. }) = stream.next().await else {
        panic!("no notification");
    };
    assert_eq!(subject, None);
    let Outcome::EndedByServer(Some(reason)) = finished(stream).await.outcome else {
        panic!("not ended");
    };
    assert!(is_cut(&reason, TEXT_BYTES), "{}", reason.len());

    for (id, code, member) in [(4, -32021, "requiredCapabilities"), (5, -32022, "supported")] {
        let call = bench.request(false).await;
        peer.heard().await;
        peer.says(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"m","data":{{"{member}":["{long}"]}}}}}}"#
        ))
        .await;
        let advice = finished(call).await.advice.unwrap();
        assert!(
            advice.contains('\u{2026}') && advice.len() < TEXT_BYTES + 200,
            "{}",
            advice.len()
        );
    }
}
