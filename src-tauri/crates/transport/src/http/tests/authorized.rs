//! Requests that a server refuses without a token.

use std::sync::Mutex;

use patchbay_http::{
    Authorizer, Credential, Denial, HeaderMap, HeaderValue, Outbound, Refusal, Url, Verdict,
};
use patchbay_secret::Secret;
use tokio::sync::Notify;

use super::*;
use crate::{BoxFuture, OpenStep};

mod cancelled;
mod nonces;
mod waiting;

const UNAUTHORIZED: &str = "401 Unauthorized";
const CHALLENGE: &str = "www-authenticate: Bearer realm=\"a\"\r\n";

/// An authorizer that follows a script and records its calls.
#[derive(Default)]
struct Scripted {
    /// The current credential.
    version: Mutex<Option<u64>>,
    /// The results of the next refusals; afterwards it gives up.
    verdicts: Mutex<Vec<Option<u64>>>,
    refusals: Mutex<Vec<Refusal>>,
    /// The user is asked, and answers when told to.
    person: Option<Notify>,
    /// The credential available without the user: none, or this version; and the number of calls.
    silent: Mutex<(Option<u64>, usize)>,
    accepted: Mutex<Vec<(u64, String)>>,
    /// The latest nonce for proofs; with one, each credential has a proof.
    nonce: Mutex<Option<String>>,
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
    fn credential<'a>(&'a self, _: &'a Outbound<'a>) -> BoxFuture<'a, Option<Credential>> {
        let version = *self.version.lock().unwrap();
        let nonce = self.nonce.lock().unwrap().clone();
        Box::pin(async move {
            version.map(|version| Credential {
                value: Secret::new(format!("Bearer token-{version}")),
                proof: nonce.map(|nonce| HeaderValue::from_str(&format!("proof-{nonce}")).unwrap()),
                version,
            })
        })
    }

    fn answered(&self, _: &Url, headers: &HeaderMap) -> bool {
        let nonce = headers
            .get("dpop-nonce")
            .map(|nonce| nonce.to_str().unwrap().to_owned());
        let mut known = self.nonce.lock().unwrap();
        let is_new = nonce.is_some() && *known != nonce;
        *known = nonce.or(known.take());
        is_new
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

async fn with<F>(dialect: Dialect, authorizer: &Arc<Scripted>, script: impl FnOnce(Server) -> F) -> Harness
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let config = HttpConfig {
        authorizer: Some(authorizer.clone()),
        reconnect: quick(),
        ..HttpConfig::new(format!("http://{}/mcp", listener.local_addr().unwrap()))
    };
    harness_with(dialect, config, listener, script)
}

/// Reads a request that must carry this token, and refuses it.
async fn refuse(peer: &mut Peer, token: Option<&str>, status: &str, challenge: &str) {
    let asked = peer.request().await.unwrap();
    assert_eq!(asked.header("authorization"), token);
    peer.respond(status, challenge, "no").await;
}

async fn accept(peer: &mut Peer, token: &str) {
    let asked = peer.request().await.unwrap();
    assert_eq!(asked.header("authorization"), Some(token));
    peer.json(&result(1)).await;
}

#[tokio::test]
async fn a_refused_request_is_sent_again_with_the_new_token() {
    let authorizer = Arc::new(Scripted::new(None, &[Some(1)]));
    let mut harness = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, None, UNAUTHORIZED, CHALLENGE).await;
        accept(&mut peer, "Bearer token-1").await;
    })
    .await;
    let message = harness.ask(1).await;
    assert_eq!(harness.text().await, result(1));
    let refusals = authorizer.refusals.lock().unwrap().clone();
    assert_eq!(refusals.len(), 1);
    assert_eq!(refusals[0].www_authenticate, ["Bearer realm=\"a\""]);
    assert_eq!(refusals[0].purpose, "tools/call");
    // Whether the server may refer to private addresses is decided by its own.
    assert_eq!(refusals[0].peer, Some([127, 0, 0, 1].into()));
    // A refused credential was not accepted.
    let accepted = authorizer.accepted.lock().unwrap().clone();
    assert_eq!(accepted, [(1, "tools/call".to_owned())]);
    // Two exchanges of the same message.
    let exchanges = harness.rows(Kind::Http).await;
    assert_eq!(exchanges.len(), 2);
    assert_eq!(exchanges[0].seq, refusals[0].exchange);
    for exchange in &exchanges {
        let record = harness.store.http(exchange.seq).await.unwrap().unwrap();
        assert!(record.frames.contains(&message));
    }
    harness.over().await;
}

#[tokio::test]
async fn a_refusal_names_the_operation_of_its_request() {
    let authorizer = Arc::new(Scripted::new(None, &[Some(1)]));
    let mut harness = with(Dialect::Modern, &authorizer, |server| async move {
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
    harness.link.send(message).await.unwrap();
    assert_eq!(harness.text().await, result(1));
    let refusals = authorizer.refusals.lock().unwrap().clone();
    assert_eq!(refusals[0].operation, operation);
    let exchanges = harness.rows(Kind::Http).await;
    assert!(
        exchanges.iter().all(|row| row.operation == operation),
        "{exchanges:?}"
    );
    harness.over().await;
}

#[tokio::test]
async fn a_new_token_that_is_refused_is_final() {
    let authorizer = Arc::new(Scripted::new(Some(1), &[Some(2), Some(3)]));
    let mut harness = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, Some("Bearer token-1"), UNAUTHORIZED, CHALLENGE).await;
        refuse(&mut peer, Some("Bearer token-2"), UNAUTHORIZED, CHALLENGE).await;
    })
    .await;
    harness.ask(1).await;
    let Unanswered::Status {
        status,
        authorization: Some(failure),
        body_text,
        ..
    } = harness.unanswered(1).await
    else {
        panic!("expected a failure")
    };
    assert_eq!((status, body_text.as_str()), (401, "no"));
    assert!(
        failure.cause.contains("token that was just obtained"),
        "{failure:?}"
    );
    assert_eq!(authorizer.used(), [(401, Some(1))]);
    harness.over().await;
}

#[tokio::test]
async fn the_same_token_is_not_sent_twice() {
    let authorizer = Arc::new(Scripted::new(Some(1), &[Some(1)]));
    let mut harness = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, Some("Bearer token-1"), UNAUTHORIZED, CHALLENGE).await;
        refuse(&mut peer, Some("Bearer token-1"), UNAUTHORIZED, CHALLENGE).await;
    })
    .await;
    harness.ask(1).await;
    let Unanswered::Status {
        authorization: Some(failure),
        ..
    } = harness.unanswered(1).await
    else {
        panic!("expected a failure")
    };
    assert!(failure.cause.contains("no token other than"), "{failure:?}");
    harness.over().await;
}

#[tokio::test]
async fn more_scopes_are_requested_only_for_insufficient_scope() {
    let authorizer = Arc::new(Scripted::new(Some(1), &[Some(2)]));
    let mut harness = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        let challenge = "www-authenticate: Bearer error=\"insufficient_scope\", scope=\"a\"\r\n";
        refuse(&mut peer, Some("Bearer token-1"), "403 Forbidden", challenge).await;
        accept(&mut peer, "Bearer token-2").await;
        refuse(&mut peer, Some("Bearer token-2"), "403 Forbidden", "").await;
    })
    .await;
    harness.ask(1).await;
    assert_eq!(harness.text().await, result(1));
    harness.ask(2).await;
    let Unanswered::Status {
        status: 403,
        authorization: None,
        ..
    } = harness.unanswered(2).await
    else {
        panic!("the authorizer must not be asked")
    };
    assert_eq!(authorizer.used(), [(403, Some(1))]);
    harness.over().await;
}

#[tokio::test]
async fn an_authorization_header_of_the_user_replaces_tokens() {
    let authorizer = Arc::new(Scripted::new(Some(1), &[Some(2)]));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let config = HttpConfig {
        authorizer: Some(authorizer.clone()),
        headers: vec![("Authorization".to_owned(), "Bearer mine".to_owned())],
        ..HttpConfig::new(format!("http://{}/mcp", listener.local_addr().unwrap()))
    };
    let mut harness = harness_with(Dialect::Modern, config, listener, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, Some("Bearer mine"), UNAUTHORIZED, CHALLENGE).await;
    });
    harness.ask(1).await;
    let Unanswered::Status {
        status: 401,
        authorization: None,
        ..
    } = harness.unanswered(1).await
    else {
        panic!("expected the refusal of the user's token")
    };
    assert_eq!(authorizer.used(), []);
    harness.over().await;
}

#[tokio::test]
async fn the_token_does_not_follow_a_redirect_to_another_origin() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let location = format!("location: http://{}/mcp\r\n", elsewhere.local_addr().unwrap());
    let authorizer = Arc::new(Scripted::new(Some(1), &[]));
    let mut harness = with(Dialect::Modern, &authorizer, |server| async move {
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
    harness.ask(1).await;
    let Unanswered::Status { status: 307, .. } = harness.unanswered(1).await else {
        panic!("expected a refused redirect")
    };
    assert_eq!(harness.rows(Kind::Http).await.len(), 1);
    harness.over().await;
}

#[tokio::test]
async fn the_stream_of_http_sse_is_requested_again() {
    let authorizer = Arc::new(Scripted::new(None, &[Some(1)]));
    let mut harness = with(Dialect::HttpSse, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, None, UNAUTHORIZED, CHALLENGE).await;
        let asked = peer.request().await.unwrap();
        assert_eq!(asked.header("authorization"), Some("Bearer token-1"));
        peer.stream().await;
        peer.chunk("event: endpoint\ndata: /messages\n\n").await;
        let (mut posts, asked) = server.request().await;
        assert_eq!(asked.header("authorization"), Some("Bearer token-1"));
        posts.respond("202 Accepted", "", "").await;
        peer.chunk(&format!("data: {}\n\n", result(1))).await;
        peer.closed().await;
    })
    .await;
    harness.ask(1).await;
    assert_eq!(harness.text().await, result(1));
    assert_eq!(authorizer.refusals.lock().unwrap()[0].purpose, "GET");
    harness.over().await;
}

/// Ends a session whose DELETE is refused. Returns the tokens of its requests, in order.
async fn end_of_a_session(silent: Option<u64>, tokens: &'static [&'static str]) {
    let authorizer = Arc::new(Scripted {
        silent: Mutex::new((silent, 0)),
        ..Scripted::new(Some(1), &[Some(7)])
    });
    let mut harness = with(Dialect::Legacy, &authorizer, move |server| async move {
        let (mut peer, _) = server.request().await;
        let headers = "content-type: application/json\r\nmcp-session-id: s\r\n";
        peer.respond("200 OK", headers, &result(1)).await;
        for token in tokens {
            let asked = peer.request().await.unwrap();
            assert!(asked.is("DELETE"), "{}", asked.line);
            assert_eq!(asked.header("authorization"), Some(*token));
            assert_eq!(asked.header("mcp-session-id"), Some("s"));
            peer.respond(UNAUTHORIZED, CHALLENGE, "").await;
        }
        peer.closed().await;
    })
    .await;
    harness.link.send(request(1, "initialize")).await.unwrap();
    assert_eq!(harness.text().await, result(1));
    harness.link.close(None);
    harness.ended().await;
    assert_eq!(authorizer.used(), [], "the user could be asked");
    assert_eq!(authorizer.silent.lock().unwrap().1, 1);
    harness.over().await;
}

#[tokio::test]
async fn ending_a_session_uses_the_token_without_the_user() {
    end_of_a_session(None, &["Bearer token-1"]).await;
}

#[tokio::test]
async fn ending_a_session_is_retried_with_a_quietly_renewed_token() {
    end_of_a_session(Some(2), &["Bearer token-1", "Bearer token-2"]).await;
}

/// A token that never arrives does not prevent closing the connection.
#[tokio::test]
async fn ending_a_session_does_not_wait_for_a_token() {
    struct Endless;
    impl Authorizer for Endless {
        fn credential<'a>(&'a self, _: &'a Outbound<'a>) -> BoxFuture<'a, Option<Credential>> {
            Box::pin(std::future::ready(None))
        }
        fn answered(&self, _: &Url, _: &HeaderMap) -> bool {
            false
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
    let mut harness = harness_with(Dialect::Legacy, config, listener, |server| async move {
        let (mut peer, _) = server.request().await;
        let headers = "content-type: application/json\r\nmcp-session-id: s\r\n";
        peer.respond("200 OK", headers, &result(1)).await;
        // On a slow machine the time limit may have passed already.
        if peer.request().await.is_some() {
            peer.respond(UNAUTHORIZED, CHALLENGE, "").await;
            peer.closed().await;
        }
    });
    harness.link.send(request(1, "initialize")).await.unwrap();
    assert_eq!(harness.text().await, result(1));
    harness.link.close(Some(std::time::Duration::from_millis(500)));
    harness.ended().await;
    harness.over().await;
}

#[tokio::test]
async fn a_refused_stream_ends_the_link_with_a_failure() {
    let authorizer = Arc::new(Scripted::new(None, &[]));
    let mut harness = with(Dialect::HttpSse, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        refuse(&mut peer, None, UNAUTHORIZED, CHALLENGE).await;
    })
    .await;
    let failure = harness.ended().await.failure("Initialize");
    assert_eq!(
        (failure.step, failure.detail.as_deref()),
        ("Token request", Some("no"))
    );
    let refusal = failure.refusal.expect("the refusal");
    assert_eq!((refusal.status, refusal.purpose.as_str()), (401, "GET"));
    harness.over().await;
}
