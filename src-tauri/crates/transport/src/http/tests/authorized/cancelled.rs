//! Cancelled requests that were refused: they did not run, and are not sent again.

use super::*;

#[tokio::test]
async fn a_request_that_is_cancelled_while_the_user_is_asked_is_not_sent_again() {
    let authorizer = Arc::new(Scripted {
        person: Some(Notify::new()),
        ..Scripted::new(None, &[Some(1)])
    });
    let mut harness = with(Dialect::Legacy, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, None, UNAUTHORIZED, CHALLENGE).await;
        // It arrives neither here nor over another connection.
        let again = tokio::select! {
            again = peer.request() => again,
            (_, again) = server.request() => Some(again),
        };
        assert!(again.is_none(), "{again:?}");
    })
    .await;
    harness.ask(1).await;
    let waits = harness.event().await;
    assert!(matches!(waits, Event::Authorizing { on: true, .. }), "{waits:?}");
    assert!(
        harness.link.abandon(&RequestId::Int(1)),
        "the server must not be told of a request that it did not run"
    );
    authorizer.person.as_ref().unwrap().notify_one();
    harness.link.close(None);
    let ended = harness.event().await;
    assert!(matches!(ended, Event::Ended(_)), "{ended:?}");
    harness.over().await;
}

/// The server still has the request when it is cancelled, so it may answer; with a refusal there is nothing left to do.
#[tokio::test]
async fn nobody_is_asked_for_a_token_for_a_request_that_was_cancelled() {
    let authorizer = Arc::new(Scripted::new(None, &[Some(1)]));
    let (arrived, arrives) = tokio::sync::oneshot::channel();
    let (go, told) = tokio::sync::oneshot::channel();
    let mut harness = with(Dialect::Legacy, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        peer.request().await.unwrap();
        arrived.send(()).unwrap();
        told.await.unwrap();
        peer.respond(UNAUTHORIZED, CHALLENGE, "no").await;
        assert!(peer.request().await.is_none());
    })
    .await;
    harness.ask(1).await;
    tokio::select! {
        arrived = arrives => arrived.unwrap(),
        event = harness.event() => panic!("{event:?}"),
    }
    assert!(
        !harness.link.abandon(&RequestId::Int(1)),
        "the server must be told"
    );
    go.send(()).unwrap();
    assert!(matches!(
        harness.unanswered(1).await,
        Unanswered::Status { status: 401, .. }
    ));
    assert_eq!(authorizer.used(), []);
    harness.over().await;
}
