//! A client that the authorization server no longer knows is registered again.

use std::time::Duration;

use patchbay_http::Refusal;
use serde_json::json;

use super::harness::{Browser, Harness, authorize, failure_of, refused, unauthorized};
use crate::{Settings, Step};
use patchbay_test_server::http::reply::Whole;

const NEW_CLIENT: &str = "Patchbay then registers a new client";

/// Its authorization page shows an error, and nobody returns.
#[tokio::test]
async fn a_browser_that_does_not_return_ends_the_use_of_an_old_client() {
    let harness = Harness::new();
    let provider = harness.provider(Settings {
        browser_timeout: Duration::from_millis(50),
        ..Settings::default()
    });
    harness.browser(Browser::Waits);
    let failure = failure_of(&provider, unauthorized("Bearer")).await;
    // It was new.
    assert!(
        failure.cause.contains("did not return") && !failure.next.contains(NEW_CLIENT),
        "{failure:?}"
    );
    let failure = failure_of(&provider, unauthorized("Bearer")).await;
    assert_eq!(failure.step, Step::Authorization);
    assert!(
        failure.next.contains(NEW_CLIENT) && failure.next.contains("paste the address of its last page"),
        "{failure:?}"
    );
    assert_eq!(harness.at("/register").len(), 1);
    failure_of(&provider, unauthorized("Bearer")).await;
    assert_eq!(harness.at("/register").len(), 2);
}

/// A refresh needs the client, and says whether the authorization server knows it.
#[tokio::test]
async fn a_client_that_refreshes_a_token_stays() {
    let harness = Harness::new();
    let settings = || Settings {
        browser_timeout: Duration::from_millis(50),
        ..Settings::default()
    };
    authorize(&harness.provider(Settings::default())).await;
    harness.browser(Browser::Waits);
    let provider = harness.provider(settings());
    let used = refused(&provider, "Bearer").await.used;
    let more = Refusal {
        status: 403,
        used,
        ..unauthorized("Bearer error=\"insufficient_scope\", scope=\"admin\"")
    };
    let failure = failure_of(&provider, more).await;
    assert!(
        failure.cause.contains("did not return") && !failure.next.contains(NEW_CLIENT),
        "{failure:?}"
    );
    provider.refresh(None).await.unwrap();
    assert_eq!(harness.at("/register").len(), 1);
}

#[tokio::test]
async fn a_client_that_may_not_get_a_token_any_more_is_registered_again() {
    let is_refused = |grant: &'static str| {
        move |seen: &patchbay_test_server::http::request::Request| {
            let error = json!({"error": "unauthorized_client"});
            (seen.form().get("grant_type") == grant).then(|| Whole::json(400, &error))
        }
    };
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    harness.server.answer_instead(is_refused("authorization_code"));
    let failure = failure_of(&provider, unauthorized("Bearer")).await;
    assert!(failure.next.contains(NEW_CLIENT), "{failure:?}");
    harness.server.answer_instead(|_| None);
    authorize(&provider).await;
    assert_eq!(harness.at("/register").len(), 2);

    harness.server.answer_instead(is_refused("refresh_token"));
    provider.refresh(None).await.unwrap_err();
    let refusal = refused(&provider, "Bearer").await;
    assert_eq!(provider.obtain(refusal).await, Ok(()));
    assert_eq!(harness.at("/register").len(), 3);
}
