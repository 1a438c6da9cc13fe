//! What the link says while the user is asked for an authorization.

use super::*;

#[tokio::test]
async fn a_request_is_shown_as_waiting_while_the_user_is_asked() {
    let authorizer = Arc::new(Scripted {
        person: Some(Notify::new()),
        ..Scripted::new(None, &[Some(1)])
    });
    let mut harness = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, None, UNAUTHORIZED, CHALLENGE).await;
        accept(&mut peer, "Bearer token-1").await;
    })
    .await;
    harness.ask(1).await;
    let waits = harness.event().await;
    assert!(
        matches!(
            &waits,
            Event::Authorizing {
                id: Some(RequestId::Int(1)),
                on: true
            }
        ),
        "{waits:?}"
    );
    assert_eq!(harness.about().open[0].step, OpenStep::Authorizing);
    authorizer.person.as_ref().unwrap().notify_one();
    let goes_on = harness.event().await;
    assert!(
        matches!(
            &goes_on,
            Event::Authorizing {
                id: Some(RequestId::Int(1)),
                on: false
            }
        ),
        "{goes_on:?}"
    );
    assert_eq!(harness.text().await, result(1));
    harness.over().await;
}

/// Requests behind `notifications/initialized` are not sent before it is answered, so their time does not count either.
#[tokio::test]
async fn all_requests_wait_while_the_user_is_asked_about_initialized() {
    let authorizer = Arc::new(Scripted {
        person: Some(Notify::new()),
        ..Scripted::new(None, &[Some(1)])
    });
    let mut harness = with(Dialect::Legacy, &authorizer, |server| async move {
        let (mut peer, _) = server.request().await;
        peer.json(&result(0)).await;
        refuse(&mut peer, None, UNAUTHORIZED, CHALLENGE).await;
        let asked = peer.request().await.unwrap();
        assert!(asked.body.contains("notifications/initialized"), "{asked:?}");
        peer.respond("202 Accepted", "", "").await;
        let asked = peer.request().await.unwrap();
        for (mut peer, asked) in [(peer, asked), server.request().await] {
            if asked.is("GET") {
                peer.respond("405 No", "", "").await;
            } else {
                peer.json(&result(1)).await;
            }
        }
    })
    .await;
    harness.handshake(Revision::V2025_11_25).await;
    harness.ask(1).await;
    for expected in [true, false] {
        let event = harness.event().await;
        assert!(
            matches!(&event, Event::Authorizing { id: None, on } if *on == expected),
            "{event:?}"
        );
        authorizer.person.as_ref().unwrap().notify_one();
    }
    assert_eq!(harness.text().await, result(1));
    harness.over().await;
}
