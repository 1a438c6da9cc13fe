//! Renewing tokens: early, once, with rotation; and what happens if it cannot be.

use patchbay_http::{Authorizer, Refusal};
use serde_json::json;

use patchbay_test_server::http::reply::Whole;

use super::harness::{Harness, authorize, carried, given_up, unauthorized};
use crate::{Settings, Step, TokenStore};

fn refused(used: u64) -> Refusal {
    Refusal {
        used: Some(used),
        ..unauthorized("Bearer error=\"invalid_token\"")
    }
}

#[tokio::test]
async fn a_token_is_renewed_before_it_expires_once_for_all() {
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
    let kept = harness.keep.load().await.unwrap().tokens.unwrap();
    assert_eq!(kept.refresh.unwrap().expose(), harness.server.refresh_tokens()[1]);
}

#[tokio::test]
async fn a_refused_token_is_refreshed_and_then_authorized_again() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    let first = provider.credential(None).await.unwrap();
    assert_eq!(provider.obtain(refused(first.version)).await, Ok(()));
    assert_eq!(harness.at("/token").len(), 2);
    // Who was refused with the old one is only told to try again.
    assert_eq!(provider.obtain(refused(first.version)).await, Ok(()));
    assert_eq!(harness.at("/token").len(), 2);
    // The renewed one is refused too: the user is asked.
    let second = provider.credential(None).await.unwrap();
    assert!(second.version > first.version);
    assert_eq!(provider.obtain(refused(second.version)).await, Ok(()));
    assert_eq!(harness.at("/authorize").len(), 2);
}

/// A server that does not say for how long its tokens are good, or loses them: each is refused in its time.
#[tokio::test]
async fn a_renewed_token_that_was_good_is_renewed_again() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    for renewals in 1..=3 {
        let version = provider.credential(None).await.unwrap().version;
        assert_eq!(provider.obtain(refused(version)).await, Ok(()));
        assert_eq!(harness.at("/token").len(), 1 + renewals);
        let version = provider.credential(None).await.unwrap().version;
        provider.accepted(version, &refused(version).purpose);
    }
    assert_eq!(harness.at("/authorize").len(), 1);
    // Good for other requests only, it never was good for this one: the user is asked.
    let version = provider.credential(None).await.unwrap().version;
    assert_eq!(provider.obtain(refused(version)).await, Ok(()));
    let version = provider.credential(None).await.unwrap().version;
    provider.accepted(version, "something else");
    assert_eq!(provider.obtain(refused(version)).await, Ok(()));
    assert_eq!(harness.at("/authorize").len(), 2);
}

#[tokio::test]
async fn what_is_not_worth_asking_the_user_is_renewed_or_left() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    let version = provider.credential(None).await.unwrap().version;
    assert!(provider.renewed(refused(version)).await);
    assert_eq!(harness.at("/token").len(), 2);
    // There is a newer one by now.
    assert!(provider.renewed(refused(version)).await);
    assert_eq!(harness.at("/token").len(), 2);
    // Neither more scopes nor a first token can be had without the user.
    let version = provider.credential(None).await.unwrap().version;
    let more = Refusal {
        status: 403,
        ..refused(version)
    };
    assert!(!provider.renewed(more).await);
    harness.drop_refresh_token().await;
    let later = harness.provider(Settings::default());
    let version = later.credential(None).await.unwrap().version;
    assert!(!later.renewed(refused(version)).await);
    assert_eq!(harness.at("/authorize").len(), 1);
    assert_eq!(harness.at("/token").len(), 2);
}

#[tokio::test]
async fn a_dead_refresh_token_leads_to_the_user_and_is_not_used_again() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    harness.server.answer_instead(|seen| {
        let refresh = seen.form().get("grant_type") == "refresh_token";
        refresh.then(|| Whole::json(400, &json!({"error": "invalid_grant"})))
    });
    let version = provider.credential(None).await.unwrap().version;
    assert_eq!(provider.obtain(refused(version)).await, Ok(()));
    assert_eq!(harness.at("/authorize").len(), 2);
    assert_eq!(harness.at("/token").len(), 3);
}

#[tokio::test]
async fn an_authorization_server_that_is_down_costs_no_token_and_opens_no_browser() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    let token = authorize(&provider).await;
    harness.server.answer_instead(|seen| {
        (seen.target().0 == "/token").then(|| Whole(503, String::new(), "down".to_owned()))
    });
    // Not expired yet: it is still good.
    harness.later(3600 - 10);
    assert_eq!(carried(&provider).await, token);
    let version = provider.credential(None).await.unwrap().version;
    let failure = given_up(&provider, refused(version)).await;
    assert_eq!(failure.step, Step::Refresh);
    assert_eq!(harness.at("/authorize").len(), 1);
    harness.later(20);
    assert_eq!(carried(&provider).await, "none");
    assert!(
        harness
            .keep
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
async fn a_token_expires_on_request_and_is_given_back() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    provider.expire().await.unwrap();
    assert_eq!(carried(&provider).await, harness.bearer(2));
    provider.refresh().await.unwrap();
    assert_eq!(carried(&provider).await, harness.bearer(3));

    provider.forget(true).await.unwrap();
    let revoked: Vec<_> = harness
        .at("/revoke")
        .iter()
        .map(|seen| seen.form().get("token").to_owned())
        .collect();
    let server = &harness.server;
    assert_eq!(
        revoked,
        [
            server.refresh_tokens()[2].clone(),
            server.access_tokens()[2].clone()
        ]
    );
    assert_eq!(carried(&provider).await, "none");
    let view = provider.view().await;
    assert!(view.token.is_none() && view.client.is_none());
    assert!(harness.keep.load().await.unwrap().clients.is_empty());

    // It is forgotten here though it could not be given back.
    authorize(&provider).await;
    harness.server.answer_instead(|seen| {
        (seen.target().0 == "/revoke").then(|| Whole(500, String::new(), String::new()))
    });
    let failure = provider.forget(true).await.unwrap_err();
    assert_eq!(
        (failure.step, failure.rule.unwrap().name),
        (Step::Revocation, "RFC 7009 section 2.2")
    );
    assert_eq!(carried(&provider).await, "none");
}

#[tokio::test]
async fn a_token_of_a_type_that_is_not_taken_back_is_told_and_no_failure() {
    let harness = Harness::new();
    harness.server.answer_instead(|seen| {
        let is_access = seen.form().get("token_type_hint") == "access_token";
        let refused = json!({"error": "unsupported_token_type"});
        (seen.target().0 == "/revoke" && is_access).then(|| Whole::json(400, &refused))
    });
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    provider.forget(true).await.unwrap();
    assert_eq!(harness.at("/revoke").len(), 2);
    let told = harness.told().join("\n");
    assert!(
        told.contains("done: The authorization server revoked the token types it supports"),
        "{told}"
    );
    assert_eq!(carried(&provider).await, "none");
}

#[tokio::test]
async fn without_a_refresh_token_the_server_is_asked_what_it_wants() {
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
    let failure = provider.refresh().await.unwrap_err();
    assert!(failure.cause.contains("no refresh token"), "{failure}");
}

#[tokio::test]
async fn a_refresh_is_not_cut_short() {
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
        provider.refresh(),
    );
    renewed.unwrap();
    assert_eq!(carried(&provider).await, harness.bearer(2));
}

/// Keeps, but for a while cannot write.
struct Full {
    keep: crate::MemoryTokenStore,
    full: std::sync::atomic::AtomicBool,
}

impl TokenStore for Full {
    fn load(
        &self,
    ) -> futures_util::future::BoxFuture<'_, Result<crate::StoredTokens, crate::TokenStoreError>> {
        self.keep.load()
    }

    fn save(
        &self,
        kept: crate::StoredTokens,
    ) -> futures_util::future::BoxFuture<'_, Result<(), crate::TokenStoreError>> {
        if self.full.load(std::sync::atomic::Ordering::Relaxed) {
            let error = crate::TokenStoreError {
                cause: "the disk is full".to_owned(),
                next: "Make room.".to_owned(),
            };
            return Box::pin(async { Err(error) });
        }
        self.keep.save(kept)
    }

    fn lock(
        &self,
    ) -> futures_util::future::BoxFuture<'_, Result<crate::TokenStoreLock, crate::TokenStoreError>> {
        self.keep.lock()
    }
}

#[tokio::test]
async fn a_renewed_token_that_cannot_be_written_down_is_not_lost() {
    let harness = Harness::new();
    let keep = std::sync::Arc::new(Full {
        keep: harness.keep.clone(),
        full: false.into(),
    });
    let server = harness.server.address().parse().unwrap();
    let provider = crate::CredentialProvider::new(server, Settings::default(), harness.clone(), keep.clone());
    authorize(&provider).await;
    keep.full.store(true, std::sync::atomic::Ordering::Relaxed);
    harness.later(3600 - 10);
    assert_eq!(carried(&provider).await, harness.bearer(2));
    assert_eq!(provider.view().await.problem.as_deref(), Some("the disk is full"));
    // The refresh token that was used up is not used again.
    keep.full.store(false, std::sync::atomic::Ordering::Relaxed);
    harness.later(10);
    let version = provider.credential(None).await.unwrap().version;
    assert_eq!(provider.obtain(refused(version)).await, Ok(()));
    let used: Vec<_> = harness
        .at("/token")
        .iter()
        .map(|seen| seen.form().get("refresh_token").to_owned())
        .filter(|token| !token.is_empty())
        .collect();
    assert_eq!(used, harness.server.refresh_tokens()[..2]);
    assert_eq!(provider.view().await.problem, None);
}
