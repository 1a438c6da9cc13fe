//! Renewing tokens: early, once, with rotation; and what happens if it cannot be.

use patchbay_http::{Authorizer, Refusal};
use serde_json::json;

use super::desk::{Desk, authorize, carried, given_up, unauthorized};
use super::world::{Said, said};
use crate::{Keep, Settings, Step};

fn refused(used: u64) -> Refusal {
    Refusal {
        used: Some(used),
        ..unauthorized("Bearer error=\"invalid_token\"")
    }
}

#[tokio::test]
async fn a_token_is_renewed_before_it_expires_once_for_all() {
    let desk = Desk::new().await;
    let keeper = desk.keeper(Settings::default());
    let first = authorize(&keeper).await;
    // Another window of the same user.
    let other = desk.keeper(Settings::default());
    assert_eq!(carried(&other).await, first);
    desk.later(3600 - 40);
    assert_eq!(carried(&keeper).await, first);
    desk.later(20);
    let all = (0..6).map(|at| {
        if at % 2 == 0 {
            carried(&keeper)
        } else {
            carried(&other)
        }
    });
    let all = futures_util::future::join_all(all).await;
    assert!(
        all.iter().all(|token| *token == "Bearer access-token-number-4"),
        "{all:?}"
    );
    let requests = desk.world.at("/token");
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[1].form("grant_type").as_deref(), Some("refresh_token"));
    assert_eq!(
        requests[1].form("refresh_token").as_deref(),
        Some("refresh-token-number-3")
    );
    assert_eq!(requests[1].form("resource"), Some(desk.world.url("/mcp")));
    // Rotated.
    let kept = desk.keep.load().await.unwrap().tokens.unwrap();
    assert_eq!(kept.refresh.unwrap().expose(), "refresh-token-number-4");
}

#[tokio::test]
async fn a_refused_token_is_renewed_and_then_authorized_anew() {
    let desk = Desk::new().await;
    let keeper = desk.keeper(Settings::default());
    authorize(&keeper).await;
    let first = keeper.credential(None).await.unwrap();
    assert_eq!(keeper.obtain(refused(first.version)).await, Ok(()));
    assert_eq!(desk.world.at("/token").len(), 2);
    // Who was refused with the old one is only told to try again.
    assert_eq!(keeper.obtain(refused(first.version)).await, Ok(()));
    assert_eq!(desk.world.at("/token").len(), 2);
    // The renewed one is refused too: the user is asked.
    let second = keeper.credential(None).await.unwrap();
    assert!(second.version > first.version);
    assert_eq!(keeper.obtain(refused(second.version)).await, Ok(()));
    assert_eq!(desk.world.at("/authorize").len(), 2);
}

/// A server that does not say for how long its tokens are good, or loses them: each is refused in its time.
#[tokio::test]
async fn a_renewed_token_that_was_good_is_renewed_again() {
    let desk = Desk::new().await;
    let keeper = desk.keeper(Settings::default());
    authorize(&keeper).await;
    for renewals in 1..=3 {
        let version = keeper.credential(None).await.unwrap().version;
        assert_eq!(keeper.obtain(refused(version)).await, Ok(()));
        assert_eq!(desk.world.at("/token").len(), 1 + renewals);
        let version = keeper.credential(None).await.unwrap().version;
        keeper.accepted(version, &refused(version).purpose);
    }
    assert_eq!(desk.world.at("/authorize").len(), 1);
    // Good for other requests only, it never was good for this one: the user is asked.
    let version = keeper.credential(None).await.unwrap().version;
    assert_eq!(keeper.obtain(refused(version)).await, Ok(()));
    let version = keeper.credential(None).await.unwrap().version;
    keeper.accepted(version, "something else");
    assert_eq!(keeper.obtain(refused(version)).await, Ok(()));
    assert_eq!(desk.world.at("/authorize").len(), 2);
}

#[tokio::test]
async fn what_is_not_worth_asking_the_user_is_renewed_or_left() {
    let desk = Desk::new().await;
    let keeper = desk.keeper(Settings::default());
    authorize(&keeper).await;
    let version = keeper.credential(None).await.unwrap().version;
    assert!(keeper.renewed(refused(version)).await);
    assert_eq!(desk.world.at("/token").len(), 2);
    // There is a newer one by now.
    assert!(keeper.renewed(refused(version)).await);
    assert_eq!(desk.world.at("/token").len(), 2);
    // Neither more scopes nor a first token can be had without the user.
    let version = keeper.credential(None).await.unwrap().version;
    let more = Refusal {
        status: 403,
        ..refused(version)
    };
    assert!(!keeper.renewed(more).await);
    desk.keep_without_refresh().await;
    let later = desk.keeper(Settings::default());
    let version = later.credential(None).await.unwrap().version;
    assert!(!later.renewed(refused(version)).await);
    assert_eq!(desk.world.at("/authorize").len(), 1);
    assert_eq!(desk.world.at("/token").len(), 2);
}

#[tokio::test]
async fn a_dead_refresh_token_leads_to_the_user_and_is_not_used_again() {
    let desk = Desk::new().await;
    let keeper = desk.keeper(Settings::default());
    authorize(&keeper).await;
    desk.world.twist(|seen| {
        let refresh = seen.form("grant_type").as_deref() == Some("refresh_token");
        refresh.then(|| said(400, json!({"error": "invalid_grant"})).unwrap())
    });
    let version = keeper.credential(None).await.unwrap().version;
    assert_eq!(keeper.obtain(refused(version)).await, Ok(()));
    assert_eq!(desk.world.at("/authorize").len(), 2);
    assert_eq!(desk.world.at("/token").len(), 3);
}

#[tokio::test]
async fn an_authorization_server_that_is_down_costs_no_token_and_opens_no_browser() {
    let desk = Desk::new().await;
    let keeper = desk.keeper(Settings::default());
    let token = authorize(&keeper).await;
    desk.world
        .twist(|seen| (seen.path == "/token").then(|| Said(503, String::new(), "down".to_owned())));
    // Not expired yet: it is still good.
    desk.later(3600 - 10);
    assert_eq!(carried(&keeper).await, token);
    let version = keeper.credential(None).await.unwrap().version;
    let failure = given_up(&keeper, refused(version)).await;
    assert_eq!(failure.step, Step::Refresh);
    assert_eq!(desk.world.at("/authorize").len(), 1);
    desk.later(20);
    assert_eq!(carried(&keeper).await, "none");
    assert!(desk.keep.load().await.unwrap().tokens.unwrap().refresh.is_some());
}

#[tokio::test]
async fn a_token_expires_on_request_and_is_given_back() {
    let desk = Desk::new().await;
    let keeper = desk.keeper(Settings::default());
    authorize(&keeper).await;
    keeper.expire().await.unwrap();
    assert_eq!(carried(&keeper).await, "Bearer access-token-number-4");
    keeper.refresh().await.unwrap();
    assert_eq!(carried(&keeper).await, "Bearer access-token-number-5");

    keeper.forget(true).await.unwrap();
    let revoked: Vec<_> = desk
        .world
        .at("/revoke")
        .iter()
        .map(|seen| seen.form("token").unwrap())
        .collect();
    assert_eq!(revoked, ["refresh-token-number-5", "access-token-number-5"]);
    assert_eq!(carried(&keeper).await, "none");
    let view = keeper.view().await;
    assert!(view.token.is_none() && view.client.is_none());
    assert!(desk.keep.load().await.unwrap().clients.is_empty());

    // It is forgotten here though it could not be given back.
    authorize(&keeper).await;
    desk.world
        .twist(|seen| (seen.path == "/revoke").then(|| Said(500, String::new(), String::new())));
    let failure = keeper.forget(true).await.unwrap_err();
    assert_eq!(
        (failure.step, failure.rule.unwrap().name),
        (Step::Revocation, "RFC 7009 section 2.2")
    );
    assert_eq!(carried(&keeper).await, "none");
}

#[tokio::test]
async fn a_token_of_a_type_that_is_not_taken_back_is_told_and_no_failure() {
    let desk = Desk::new().await;
    desk.world.twist(|seen| {
        let is_access = seen.form("token_type_hint").as_deref() == Some("access_token");
        let refused = json!({"error": "unsupported_token_type"});
        (seen.path == "/revoke" && is_access).then(|| said(400, refused).unwrap())
    });
    let keeper = desk.keeper(Settings::default());
    authorize(&keeper).await;
    keeper.forget(true).await.unwrap();
    assert_eq!(desk.world.at("/revoke").len(), 2);
    let told = desk.told().join("\n");
    assert!(
        told.contains("done: The authorization server has back what it takes back"),
        "{told}"
    );
    assert_eq!(carried(&keeper).await, "none");
}

#[tokio::test]
async fn without_a_refresh_token_the_server_is_asked_what_it_wants() {
    let desk = Desk::new().await;
    desk.world.twist(|seen| {
        let token = json!({"access_token": "short-lived-token", "token_type": "bearer", "expires_in": "60"});
        (seen.path == "/token").then(|| said(200, token).unwrap())
    });
    let keeper = desk.keeper(Settings::default());
    assert_eq!(authorize(&keeper).await, "Bearer short-lived-token");
    desk.later(59);
    assert_eq!(carried(&keeper).await, "Bearer short-lived-token");
    desk.later(1);
    assert_eq!(carried(&keeper).await, "none");
    let failure = keeper.refresh().await.unwrap_err();
    assert!(failure.cause.contains("no refresh token"), "{failure}");
}

#[tokio::test]
async fn a_refresh_is_not_cut_short() {
    let desk = Desk::new().await;
    let keeper = desk.keeper(Settings::default());
    authorize(&keeper).await;
    let ((), renewed) = tokio::join!(
        async {
            while keeper.view().await.running.is_none() {
                tokio::task::yield_now().await;
            }
            keeper.cancel();
        },
        keeper.refresh(),
    );
    renewed.unwrap();
    assert_eq!(carried(&keeper).await, "Bearer access-token-number-4");
}

/// Keeps, but for a while cannot write.
struct Full {
    keep: crate::MemoryKeep,
    full: std::sync::atomic::AtomicBool,
}

impl Keep for Full {
    fn load(&self) -> futures_util::future::BoxFuture<'_, Result<crate::Kept, crate::KeepError>> {
        self.keep.load()
    }

    fn save(&self, kept: crate::Kept) -> futures_util::future::BoxFuture<'_, Result<(), crate::KeepError>> {
        if self.full.load(std::sync::atomic::Ordering::Relaxed) {
            let error = crate::KeepError {
                cause: "the disk is full".to_owned(),
                next: "Make room.".to_owned(),
            };
            return Box::pin(async { Err(error) });
        }
        self.keep.save(kept)
    }

    fn lock(&self) -> futures_util::future::BoxFuture<'_, Result<crate::KeepLock, crate::KeepError>> {
        self.keep.lock()
    }
}

#[tokio::test]
async fn a_renewed_token_that_cannot_be_written_down_is_not_lost() {
    let desk = Desk::new().await;
    let keep = std::sync::Arc::new(Full {
        keep: desk.keep.clone(),
        full: false.into(),
    });
    let server = desk.world.url("/mcp").parse().unwrap();
    let keeper = crate::Keeper::new(server, Settings::default(), desk.clone(), keep.clone());
    authorize(&keeper).await;
    keep.full.store(true, std::sync::atomic::Ordering::Relaxed);
    desk.later(3600 - 10);
    assert_eq!(carried(&keeper).await, "Bearer access-token-number-4");
    assert_eq!(keeper.view().await.problem.as_deref(), Some("the disk is full"));
    // The refresh token that was used up is not used again.
    keep.full.store(false, std::sync::atomic::Ordering::Relaxed);
    desk.later(10);
    let version = keeper.credential(None).await.unwrap().version;
    assert_eq!(keeper.obtain(refused(version)).await, Ok(()));
    let used: Vec<_> = desk
        .world
        .at("/token")
        .iter()
        .filter_map(|seen| seen.form("refresh_token"))
        .collect();
    assert_eq!(used, ["refresh-token-number-3", "refresh-token-number-4"]);
    assert_eq!(keeper.view().await.problem, None);
}
