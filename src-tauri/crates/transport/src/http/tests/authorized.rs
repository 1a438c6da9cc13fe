//! Requests that a server refuses without a token.

use std::sync::Mutex;

use patchbay_http::{Authorizer, Credential, Denial, Refusal, Verdict};
use patchbay_secret::Secret;
use tokio::sync::Notify;

use super::*;
use crate::{BoxFuture, OpenStep};

const UNAUTHORIZED: &str = "401 Unauthorized";
const CHALLENGE: &str = "www-authenticate: Bearer realm=\"a\"\r\n";

/// Gives what it is told to, and keeps what it is asked.
#[derive(Default)]
struct Scripted {
    /// The credential there is now.
    version: Mutex<Option<u64>>,
    /// What comes of the refusals to come; after them it gives up.
    verdicts: Mutex<Vec<Option<u64>>>,
    refusals: Mutex<Vec<Refusal>>,
    /// A person is asked, and answers when told to.
    person: Option<Notify>,
    /// What can be had without a person: none, or this version; and how often that was asked.
    silent: Mutex<(Option<u64>, usize)>,
    accepted: Mutex<Vec<(u64, String)>>,
}

impl Scripted {
    fn new(version: Option<u64>, verdicts: &[Option<u64>]) -> Self {
        Self {
            version: Mutex::new(version),
            verdicts: Mutex::new(verdicts.to_vec()),
            ..Self::default()
        }
    }

    fn used(&self) -> Vec<(u16, Option<u64>)> {
        let refusals = self.refusals.lock().unwrap();
        refusals
            .iter()
            .map(|refusal| (refusal.status, refusal.used))
            .collect()
    }
}

impl Authorizer for Scripted {
    fn credential(&self, _: Option<OperationId>) -> BoxFuture<'_, Option<Credential>> {
        let version = *self.version.lock().unwrap();
        Box::pin(async move {
            version.map(|version| Credential {
                value: Secret::new(format!("Bearer token-{version}")),
                version,
            })
        })
    }

    fn refused(&self, refusal: Refusal) -> BoxFuture<'_, Verdict> {
        Box::pin(async move {
            self.refusals.lock().unwrap().push(refusal);
            if let Some(person) = &self.person {
                person.notified().await;
            }
            let mut verdicts = self.verdicts.lock().unwrap();
            if verdicts.is_empty() {
                return Verdict::GiveUp(Denial {
                    step: "Token request",
                    cause: "No.".to_owned(),
                    next: "Nothing.".to_owned(),
                    rule: None,
                });
            }
            *self.version.lock().unwrap() = verdicts.remove(0);
            Verdict::Retry
        })
    }

    fn accepted(&self, version: u64, purpose: &str) {
        self.accepted.lock().unwrap().push((version, purpose.to_owned()));
    }

    fn renewed(&self, _: Refusal) -> BoxFuture<'_, bool> {
        Box::pin(async move {
            let mut silent = self.silent.lock().unwrap();
            silent.1 += 1;
            if silent.0.is_some() {
                *self.version.lock().unwrap() = silent.0;
            }
            silent.0.is_some()
        })
    }
}

async fn with<F>(dialect: Dialect, authorizer: &Arc<Scripted>, script: impl FnOnce(Server) -> F) -> Bench
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let config = HttpConfig {
        authorizer: Some(authorizer.clone()),
        reconnect: quick(),
        ..HttpConfig::new(format!("http://{}/mcp", listener.local_addr().unwrap()))
    };
    bench_with(dialect, config, listener, script)
}

/// Reads a request that must carry this token, and refuses it.
async fn refuse(peer: &mut Peer, token: Option<&str>, status: &str, challenge: &str) {
    let asked = peer.asked().await.unwrap();
    assert_eq!(asked.header("authorization"), token);
    peer.answers(status, challenge, "no").await;
}

async fn accept(peer: &mut Peer, token: &str) {
    let asked = peer.asked().await.unwrap();
    assert_eq!(asked.header("authorization"), Some(token));
    peer.json(&result(1)).await;
}

#[tokio::test]
async fn a_refused_request_is_sent_again_with_the_new_token() {
    let authorizer = Arc::new(Scripted::new(None, &[Some(1)]));
    let mut bench = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, None, UNAUTHORIZED, CHALLENGE).await;
        accept(&mut peer, "Bearer token-1").await;
    })
    .await;
    let message = bench.ask(1).await;
    assert_eq!(bench.text().await, result(1));
    let refusals = authorizer.refusals.lock().unwrap().clone();
    assert_eq!(refusals.len(), 1);
    assert_eq!(refusals[0].www_authenticate, ["Bearer realm=\"a\""]);
    assert_eq!(refusals[0].purpose, "tools/call");
    // Who refuses has not let anything in.
    let accepted = authorizer.accepted.lock().unwrap().clone();
    assert_eq!(accepted, [(1, "tools/call".to_owned())]);
    // Two exchanges, both about the one message.
    let exchanges = bench.rows(Kind::Http).await;
    assert_eq!(exchanges.len(), 2);
    assert_eq!(exchanges[0].seq, refusals[0].exchange);
    for exchange in &exchanges {
        let record = bench.store.http(exchange.seq).await.unwrap().unwrap();
        assert!(record.frames.contains(&message));
    }
    bench.over().await;
}

#[tokio::test]
async fn a_refusal_names_the_operation_of_its_request() {
    let authorizer = Arc::new(Scripted::new(None, &[Some(1)]));
    let mut bench = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, None, UNAUTHORIZED, CHALLENGE).await;
        accept(&mut peer, "Bearer token-1").await;
    })
    .await;
    let operation = Some(OperationId(7));
    let message = crate::Outgoing {
        operation,
        ..request(1, "tools/call")
    };
    bench.link.send(message).await.unwrap();
    assert_eq!(bench.text().await, result(1));
    let refusals = authorizer.refusals.lock().unwrap().clone();
    assert_eq!(refusals[0].operation, operation);
    let exchanges = bench.rows(Kind::Http).await;
    assert!(
        exchanges.iter().all(|row| row.operation == operation),
        "{exchanges:?}"
    );
    bench.over().await;
}

#[tokio::test]
async fn a_new_token_that_is_refused_is_final() {
    let authorizer = Arc::new(Scripted::new(Some(1), &[Some(2), Some(3)]));
    let mut bench = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, Some("Bearer token-1"), UNAUTHORIZED, CHALLENGE).await;
        refuse(&mut peer, Some("Bearer token-2"), UNAUTHORIZED, CHALLENGE).await;
    })
    .await;
    bench.ask(1).await;
    let Unanswered::Status {
        status,
        authorization: Some(failure),
        body_text,
        ..
    } = bench.unanswered(1).await
    else {
        panic!("it says why")
    };
    assert_eq!((status, body_text.as_str()), (401, "no"));
    assert!(
        failure.cause.contains("token that was just obtained"),
        "{failure:?}"
    );
    assert_eq!(authorizer.used(), [(401, Some(1))]);
    bench.over().await;
}

#[tokio::test]
async fn the_same_token_is_not_sent_twice_in_vain() {
    let authorizer = Arc::new(Scripted::new(Some(1), &[Some(1)]));
    let mut bench = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, Some("Bearer token-1"), UNAUTHORIZED, CHALLENGE).await;
        refuse(&mut peer, Some("Bearer token-1"), UNAUTHORIZED, CHALLENGE).await;
    })
    .await;
    bench.ask(1).await;
    let Unanswered::Status {
        authorization: Some(failure),
        ..
    } = bench.unanswered(1).await
    else {
        panic!("it says why")
    };
    assert!(failure.cause.contains("no other token"), "{failure:?}");
    bench.over().await;
}

#[tokio::test]
async fn more_scopes_are_asked_for_only_where_scopes_are_missing() {
    let authorizer = Arc::new(Scripted::new(Some(1), &[Some(2)]));
    let mut bench = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        let challenge = "www-authenticate: Bearer error=\"insufficient_scope\", scope=\"a\"\r\n";
        refuse(&mut peer, Some("Bearer token-1"), "403 Forbidden", challenge).await;
        accept(&mut peer, "Bearer token-2").await;
        refuse(&mut peer, Some("Bearer token-2"), "403 Forbidden", "").await;
    })
    .await;
    bench.ask(1).await;
    assert_eq!(bench.text().await, result(1));
    bench.ask(2).await;
    let Unanswered::Status {
        status: 403,
        authorization: None,
        ..
    } = bench.unanswered(2).await
    else {
        panic!("nobody is asked for that")
    };
    assert_eq!(authorizer.used(), [(403, Some(1))]);
    bench.over().await;
}

#[tokio::test]
async fn while_a_person_is_asked_the_request_waits_in_sight() {
    let authorizer = Arc::new(Scripted {
        person: Some(Notify::new()),
        ..Scripted::new(None, &[Some(1)])
    });
    let mut bench = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, None, UNAUTHORIZED, CHALLENGE).await;
        accept(&mut peer, "Bearer token-1").await;
    })
    .await;
    bench.ask(1).await;
    let waits = bench.event().await;
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
    assert_eq!(bench.about().open[0].step, OpenStep::Authorizing);
    authorizer.person.as_ref().unwrap().notify_one();
    let goes_on = bench.event().await;
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
    assert_eq!(bench.text().await, result(1));
    bench.over().await;
}

#[tokio::test]
async fn a_header_of_the_users_own_goes_before_any_token() {
    let authorizer = Arc::new(Scripted::new(Some(1), &[Some(2)]));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let config = HttpConfig {
        authorizer: Some(authorizer.clone()),
        headers: vec![("Authorization".to_owned(), "Bearer mine".to_owned())],
        ..HttpConfig::new(format!("http://{}/mcp", listener.local_addr().unwrap()))
    };
    let mut bench = bench_with(Dialect::Modern, config, listener, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, Some("Bearer mine"), UNAUTHORIZED, CHALLENGE).await;
    });
    bench.ask(1).await;
    let Unanswered::Status {
        status: 401,
        authorization: None,
        ..
    } = bench.unanswered(1).await
    else {
        panic!("the user's token was refused, and that is all")
    };
    assert_eq!(authorizer.used(), []);
    bench.over().await;
}

#[tokio::test]
async fn the_token_does_not_follow_a_redirect_to_another_origin() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let location = format!("location: http://{}/mcp\r\n", elsewhere.local_addr().unwrap());
    let authorizer = Arc::new(Scripted::new(Some(1), &[]));
    let mut bench = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(
            &mut peer,
            Some("Bearer token-1"),
            "307 Temporary Redirect",
            &location,
        )
        .await;
    })
    .await;
    bench.ask(1).await;
    let Unanswered::Status { status: 307, .. } = bench.unanswered(1).await else {
        panic!("it was not followed")
    };
    assert_eq!(bench.rows(Kind::Http).await.len(), 1);
    bench.over().await;
}

#[tokio::test]
async fn the_stream_of_http_sse_is_asked_for_again() {
    let authorizer = Arc::new(Scripted::new(None, &[Some(1)]));
    let mut bench = with(Dialect::HttpSse, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, None, UNAUTHORIZED, CHALLENGE).await;
        let asked = peer.asked().await.unwrap();
        assert_eq!(asked.header("authorization"), Some("Bearer token-1"));
        peer.stream().await;
        peer.chunk("event: endpoint\ndata: /messages\n\n").await;
        let (mut posts, asked) = server.asked().await;
        assert_eq!(asked.header("authorization"), Some("Bearer token-1"));
        posts.answers("202 Accepted", "", "").await;
        peer.chunk(&format!("data: {}\n\n", result(1))).await;
        peer.closed().await;
    })
    .await;
    bench.ask(1).await;
    assert_eq!(bench.text().await, result(1));
    assert_eq!(authorizer.refusals.lock().unwrap()[0].purpose, "GET");
    bench.over().await;
}

/// Ends a session whose end is refused; what it is asked with, in order.
async fn end_of_a_session(silent: Option<u64>, tokens: &'static [&'static str]) {
    let authorizer = Arc::new(Scripted {
        silent: Mutex::new((silent, 0)),
        ..Scripted::new(Some(1), &[Some(7)])
    });
    let mut bench = with(Dialect::Legacy, &authorizer, move |server| async move {
        let (mut peer, _) = server.asked().await;
        let headers = "content-type: application/json\r\nmcp-session-id: s\r\n";
        peer.answers("200 OK", headers, &result(1)).await;
        for token in tokens {
            let asked = peer.asked().await.unwrap();
            assert!(asked.is("DELETE"), "{}", asked.line);
            assert_eq!(asked.header("authorization"), Some(*token));
            assert_eq!(asked.header("mcp-session-id"), Some("s"));
            peer.answers(UNAUTHORIZED, CHALLENGE, "").await;
        }
        peer.closed().await;
    })
    .await;
    bench.link.send(request(1, "initialize")).await.unwrap();
    assert_eq!(bench.text().await, result(1));
    bench.link.close(None);
    bench.ended().await;
    assert_eq!(authorizer.used(), [], "a person could be asked");
    assert_eq!(authorizer.silent.lock().unwrap().1, 1);
    bench.over().await;
}

#[tokio::test]
async fn the_end_of_a_session_carries_the_token_and_asks_nobody() {
    end_of_a_session(None, &["Bearer token-1"]).await;
}

#[tokio::test]
async fn the_end_of_a_session_is_sent_once_more_with_a_token_that_needs_nobody() {
    end_of_a_session(Some(2), &["Bearer token-1", "Bearer token-2"]).await;
}

/// A token that does not come keeps no connection from being closed.
#[tokio::test]
async fn the_end_of_a_session_does_not_wait_for_a_token() {
    struct Endless;
    impl Authorizer for Endless {
        fn credential(&self, _: Option<OperationId>) -> BoxFuture<'_, Option<Credential>> {
            Box::pin(std::future::ready(None))
        }
        fn refused(&self, _: Refusal) -> BoxFuture<'_, Verdict> {
            Box::pin(std::future::pending())
        }
        fn accepted(&self, _: u64, _: &str) {}
        fn renewed(&self, _: Refusal) -> BoxFuture<'_, bool> {
            Box::pin(std::future::pending())
        }
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let config = HttpConfig {
        authorizer: Some(Arc::new(Endless)),
        reconnect: quick(),
        ..HttpConfig::new(format!("http://{}/mcp", listener.local_addr().unwrap()))
    };
    let mut bench = bench_with(Dialect::Legacy, config, listener, |server| async move {
        let (mut peer, _) = server.asked().await;
        let headers = "content-type: application/json\r\nmcp-session-id: s\r\n";
        peer.answers("200 OK", headers, &result(1)).await;
        // On a slow machine the patience may be over before.
        if peer.asked().await.is_some() {
            peer.answers(UNAUTHORIZED, CHALLENGE, "").await;
            peer.closed().await;
        }
    });
    bench.link.send(request(1, "initialize")).await.unwrap();
    assert_eq!(bench.text().await, result(1));
    bench.link.close(Some(std::time::Duration::from_millis(500)));
    bench.ended().await;
    bench.over().await;
}

#[tokio::test]
async fn a_stream_that_stays_refused_ends_the_link_and_says_so() {
    let authorizer = Arc::new(Scripted::new(None, &[]));
    let mut bench = with(Dialect::HttpSse, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, None, UNAUTHORIZED, CHALLENGE).await;
    })
    .await;
    let failure = bench.ended().await.failure("Initialize");
    assert_eq!(
        (failure.step, failure.detail.as_deref()),
        ("Token request", Some("no"))
    );
    let refusal = failure.refusal.expect("the refusal");
    assert_eq!((refusal.status, refusal.purpose.as_str()), (401, "GET"));
    bench.over().await;
}
