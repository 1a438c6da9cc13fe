//! Refreshing tokens: in time, once, with rotation; and failures.

use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};

use patchbay_http::{Authorizer, Refusal};
use patchbay_secret::Secret;
use serde_json::json;

use patchbay_test_server::http::{reply::Whole, request::Request};

use super::harness::{Harness, authorize, carried, credential, failure_of, unauthorized};
use crate::{AuthMethod, ClientChoice, Settings, Step, TokenStore};

fn refused(used: u64) -> Refusal {
    Refusal {
        used: Some(used),
        ..unauthorized("Bearer error=\"invalid_token\"")
    }
}

#[tokio::test]
async fn a_token_is_refreshed_once_before_it_expires() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    let first = authorize(&provider).await;
    // Another window of the same user.
    let other = harness.provider(Settings::default());
    assert_eq!(carried(&other).await, first);
    harness.later(3600 - 40);
    assert_eq!(carried(&provider).await, first);
    harness.later(20);
    let all = (0..6).map(|at| {
        if at % 2 == 0 {
            carried(&provider)
        } else {
            carried(&other)
        }
    });
    let all = futures_util::future::join_all(all).await;
    assert!(all.iter().all(|token| *token == harness.bearer(2)), "{all:?}");
    let requests = harness.at("/token");
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[1].form().get("grant_type"), "refresh_token");
    assert_eq!(
        requests[1].form().get("refresh_token"),
        harness.server.refresh_tokens()[0]
    );
    assert_eq!(requests[1].form().get("resource"), harness.server.address());
    // Rotated.
    let kept = harness.tokens.load().await.unwrap().tokens.unwrap();
    assert_eq!(kept.refresh.unwrap().expose(), harness.server.refresh_tokens()[1]);
}

#[tokio::test]
async fn a_refused_token_is_refreshed_and_then_authorized_again() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    let first = credential(&provider, None).await.unwrap();
    assert_eq!(provider.obtain(refused(first.version)).await, Ok(()));
    assert_eq!(harness.at("/token").len(), 2);
    // A request refused with the old token is only reports to retry.
    assert_eq!(provider.obtain(refused(first.version)).await, Ok(()));
    assert_eq!(harness.at("/token").len(), 2);
    // The refreshed token is refused too: the user is asked.
    let second = credential(&provider, None).await.unwrap();
    assert!(second.version > first.version);
    assert_eq!(provider.obtain(refused(second.version)).await, Ok(()));
    assert_eq!(harness.at("/authorize").len(), 2);
}

/// A server that does not state the lifetime of its tokens, or loses them: each is refused after a while.
#[tokio::test]
async fn a_refreshed_token_that_was_accepted_is_refreshed_again() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    for renewals in 1..=3 {
        let version = credential(&provider, None).await.unwrap().version;
        assert_eq!(provider.obtain(refused(version)).await, Ok(()));
        assert_eq!(harness.at("/token").len(), 1 + renewals);
        let version = credential(&provider, None).await.unwrap().version;
        provider.accepted(version, &refused(version).purpose);
    }
    assert_eq!(harness.at("/authorize").len(), 1);
    // It was accepted for other purposes only, so the user is asked.
    let version = credential(&provider, None).await.unwrap().version;
    assert_eq!(provider.obtain(refused(version)).await, Ok(()));
    let version = credential(&provider, None).await.unwrap().version;
    provider.accepted(version, "something else");
    assert_eq!(provider.obtain(refused(version)).await, Ok(()));
    assert_eq!(harness.at("/authorize").len(), 2);
}

#[tokio::test]
async fn a_quiet_renewal_never_asks_the_user() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    let version = credential(&provider, None).await.unwrap().version;
    assert!(provider.renewed(refused(version)).await);
    assert_eq!(harness.at("/token").len(), 2);
    // There is a newer token by now.
    assert!(provider.renewed(refused(version)).await);
    assert_eq!(harness.at("/token").len(), 2);
    // More scopes and a first token need the user.
    let version = credential(&provider, None).await.unwrap().version;
    let more = Refusal {
        status: 403,
        ..refused(version)
    };
    assert!(!provider.renewed(more).await);
    harness.drop_refresh_token().await;
    let later = harness.provider(Settings::default());
    let version = credential(&later, None).await.unwrap().version;
    assert!(!later.renewed(refused(version)).await);
    assert_eq!(harness.at("/authorize").len(), 1);
    assert_eq!(harness.at("/token").len(), 2);
}

#[tokio::test]
async fn a_rejected_refresh_token_is_deleted_and_the_user_is_asked() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    harness.server.answer_instead(|seen| {
        let refresh = seen.form().get("grant_type") == "refresh_token";
        refresh.then(|| Whole::json(400, &json!({"error": "invalid_grant"})))
    });
    let version = credential(&provider, None).await.unwrap().version;
    assert_eq!(provider.obtain(refused(version)).await, Ok(()));
    assert_eq!(harness.at("/authorize").len(), 2);
    assert_eq!(harness.at("/token").len(), 3);
}

/// A gateway, a crash and a rate limit answer with JSON too, and any text can be an error code.
#[tokio::test]
async fn only_a_refusal_of_the_refresh_token_deletes_it() {
    for (status, code, is_kept) in [
        (500, "Internal Server Error", true),
        (503, "Service Unavailable", true),
        (502, "invalid_grant", true),
        (429, "rate_limited", true),
        (400, "temporarily_unavailable", true),
        (400, "use_dpop_nonce", true),
        (401, "use_dpop_nonce", true),
        (400, "invalid_dpop_proof", true),
        (400, "invalid_grant", false),
        (401, "invalid_client", false),
        (403, "access_denied", false),
        // As some servers send it.
        (200, "bad_refresh_token", false),
    ] {
        let harness = Harness::new();
        let provider = harness.provider(Settings::default());
        authorize(&provider).await;
        let refresh = async || harness.tokens.load().await.unwrap().tokens.unwrap().refresh;
        let issued = refresh().await;
        harness.server.answer_instead(move |seen| {
            let is_refresh = seen.form().get("grant_type") == "refresh_token";
            is_refresh.then(|| Whole::json(status, &json!({"error": code})))
        });
        let failure = provider.refresh(None).await.unwrap_err();
        assert_eq!(failure.step, Step::Refresh, "{status} {code}");
        assert_eq!(refresh().await.is_some(), is_kept, "{status} {code}");
        // The user is asked only if another attempt cannot help.
        let version = credential(&provider, None).await.unwrap().version;
        let outcome = provider.obtain(refused(version)).await;
        assert_eq!(outcome.is_err(), is_kept, "{status} {code}: {outcome:?}");
        let asked = harness.at("/authorize").len();
        assert_eq!(asked, if is_kept { 1 } else { 2 }, "{status} {code}");
        assert!(!is_kept || refresh().await == issued, "{status} {code}");
    }
}

/// The user rotated the secret of the client. Authorizing again would end with the same error, and the token is still good.
#[tokio::test]
async fn a_refused_client_of_the_settings_keeps_the_refresh_token_and_opens_no_browser() {
    let harness = Harness::new();
    harness.server.add_client("mine", Some("old-secret-123"));
    let settings = |secret: &str| Settings {
        client: ClientChoice::Manual {
            id: "mine".to_owned(),
            secret: Some(Secret::new(secret)),
            auth_method: None,
            issuer: None,
        },
        ..Settings::default()
    };
    let provider = harness.provider(settings("old-secret-123"));
    authorize(&provider).await;
    let is_new = |seen: &Request| seen.header("authorization") == Some("Basic bWluZTpuZXctc2VjcmV0LTEyMw==");
    harness.server.answer_instead(move |seen| {
        let refused = || Whole::json(401, &json!({"error": "invalid_client"}));
        (seen.target().0 == "/token" && !is_new(seen)).then(refused)
    });
    let version = credential(&provider, None).await.unwrap().version;
    let failure = failure_of(&provider, refused(version)).await;
    assert_eq!(failure.step, Step::Refresh);
    assert!(failure.next.contains("check the settings"), "{failure}");
    assert_eq!(harness.at("/authorize").len(), 1);
    // With the new secret it is refreshed.
    let provider = harness.provider(settings("new-secret-123"));
    let version = credential(&provider, None).await.unwrap().version;
    let _ = provider.obtain(refused(version)).await;
    let refresh = harness.at("/token").pop().unwrap();
    assert!(is_new(&refresh));
    assert_eq!(
        refresh.form().get("refresh_token"),
        harness.server.refresh_tokens()[0]
    );
}

/// The user gave the client a secret, or changed how it is sent, after the token was issued.
#[tokio::test]
async fn a_token_is_refreshed_and_revoked_as_the_settings_say_now() {
    const BASIC: &str = "Basic bWluZTpzZWNyZXQtMTIzNDU=";
    const SECRET: Option<&str> = Some("secret-12345");
    let settings = |secret: Option<&str>, auth_method: Option<AuthMethod>| Settings {
        client: ClientChoice::Manual {
            id: "mine".to_owned(),
            secret: secret.map(Secret::new),
            auth_method,
            issuer: None,
        },
        ..Settings::default()
    };
    let (basic, post) = (Some(AuthMethod::Basic), Some(AuthMethod::Post));
    for (before, now, header, in_form) in [
        ((None, None), (SECRET, None), Some(BASIC), ""),
        ((SECRET, basic), (SECRET, post), None, "secret-12345"),
        ((SECRET, post), (SECRET, basic), Some(BASIC), ""),
        // What still fits stays.
        ((SECRET, post), (SECRET, None), None, "secret-12345"),
        ((SECRET, Some(AuthMethod::None)), (SECRET, None), None, ""),
        ((SECRET, None), (None, None), None, ""),
        // There is no key to sign with.
        (
            (SECRET, None),
            (SECRET, Some(AuthMethod::PrivateKeyJwt)),
            Some(BASIC),
            "",
        ),
    ] {
        let case = format!("{before:?} {now:?}");
        let harness = Harness::new();
        harness.server.add_client("mine", None);
        authorize(&harness.provider(settings(before.0, before.1))).await;
        let provider = harness.provider(settings(now.0, now.1));
        provider.refresh(None).await.unwrap();
        provider.forget(true, None).await.unwrap();
        for path in ["/token", "/revoke"] {
            let sent = harness.at(path).pop().unwrap();
            assert_eq!(sent.header("authorization"), header, "{path} {case}");
            assert_eq!(sent.form().get("client_secret"), in_form, "{path} {case}");
        }
    }
}

#[tokio::test]
async fn an_unreachable_authorization_server_keeps_the_token_and_opens_no_browser() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    let token = authorize(&provider).await;
    harness.server.answer_instead(|seen| {
        (seen.target().0 == "/token").then(|| Whole(503, String::new(), "down".to_owned()))
    });
    // It has not expired yet, so it is still used.
    harness.later(3600 - 10);
    assert_eq!(carried(&provider).await, token);
    let version = credential(&provider, None).await.unwrap().version;
    let failure = failure_of(&provider, refused(version)).await;
    assert_eq!(failure.step, Step::Refresh);
    assert_eq!(harness.at("/authorize").len(), 1);
    harness.later(20);
    assert_eq!(carried(&provider).await, "none");
    assert!(
        harness
            .tokens
            .load()
            .await
            .unwrap()
            .tokens
            .unwrap()
            .refresh
            .is_some()
    );
}

#[tokio::test]
async fn a_token_can_be_expired_and_revoked() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    provider.expire().await.unwrap();
    assert_eq!(carried(&provider).await, harness.bearer(2));
    provider.refresh(None).await.unwrap();
    assert_eq!(carried(&provider).await, harness.bearer(3));

    provider.forget(true, None).await.unwrap();
    let server = &harness.server;
    assert_eq!(
        harness.revoked(),
        [
            server.refresh_tokens()[2].clone(),
            server.access_tokens()[2].clone()
        ]
    );
    assert_eq!(carried(&provider).await, "none");
    let view = provider.view().await;
    assert!(view.token.is_none() && view.client.is_none());
    assert!(harness.tokens.load().await.unwrap().clients.is_empty());

    // It is deleted here although it could not be revoked.
    authorize(&provider).await;
    harness.server.answer_instead(|seen| {
        (seen.target().0 == "/revoke").then(|| Whole(500, String::new(), String::new()))
    });
    let failure = provider.forget(true, None).await.unwrap_err();
    assert_eq!(
        (failure.step, failure.rule.unwrap().name),
        (Step::Revocation, "RFC 7009 section 2.2")
    );
    assert_eq!(carried(&provider).await, "none");
}

/// A program that ends waits for this lock, and no other program may refresh what is being refreshed or revoked.
#[tokio::test]
async fn the_stored_tokens_are_locked_during_a_refresh_and_a_revocation() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    let (tokens, seen) = (harness.tokens.clone(), Arc::new(Mutex::new(Vec::new())));
    let locked = Arc::clone(&seen);
    harness.server.answer_instead(move |request| {
        let mut lock = tokens.lock();
        let now = lock.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let path = request.target().0.to_owned();
        locked.lock().unwrap().push((path, now.is_pending()));
        None
    });
    provider.refresh(None).await.unwrap();
    provider.forget(true, None).await.unwrap();
    let all = ["/token", "/revoke", "/revoke"].map(|path| (path.to_owned(), true));
    assert_eq!(*seen.lock().unwrap(), all);
}

#[tokio::test]
async fn an_unsupported_token_type_is_reported_and_not_a_failure() {
    let harness = Harness::new();
    harness.server.answer_instead(|seen| {
        let is_access = seen.form().get("token_type_hint") == "access_token";
        let refused = json!({"error": "unsupported_token_type"});
        (seen.target().0 == "/revoke" && is_access).then(|| Whole::json(400, &refused))
    });
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    provider.forget(true, None).await.unwrap();
    assert_eq!(harness.at("/revoke").len(), 2);
    let reports = harness.reports().join("\n");
    assert!(
        reports.contains("done: The authorization server revoked the token types it supports"),
        "{reports}"
    );
    assert_eq!(carried(&provider).await, "none");
}

#[tokio::test]
async fn without_a_refresh_token_the_server_is_asked_for_a_challenge() {
    let harness = Harness::new();
    harness.server.answer_instead(|seen| {
        let token = json!({"access_token": "short-lived-token", "token_type": "bearer", "expires_in": "60"});
        (seen.target().0 == "/token").then(|| Whole::json(200, &token))
    });
    let provider = harness.provider(Settings::default());
    assert_eq!(authorize(&provider).await, "Bearer short-lived-token");
    harness.later(59);
    assert_eq!(carried(&provider).await, "Bearer short-lived-token");
    harness.later(1);
    assert_eq!(carried(&provider).await, "none");
    let failure = provider.refresh(None).await.unwrap_err();
    assert!(failure.cause.contains("no refresh token"), "{failure}");
}

#[tokio::test]
async fn a_refresh_is_not_interrupted() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    let ((), renewed) = tokio::join!(
        async {
            while provider.view().await.running.is_none() {
                tokio::task::yield_now().await;
            }
            provider.cancel();
        },
        provider.refresh(None),
    );
    renewed.unwrap();
    assert_eq!(carried(&provider).await, harness.bearer(2));
}
