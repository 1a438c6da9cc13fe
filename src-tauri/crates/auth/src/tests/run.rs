//! A run from the 401 to a token, with all its events; its outcome is shared.

use std::time::Duration;

use patchbay_http::Refusal;
use tokio::time::timeout;

use super::harness::{Browser, Harness, authorize, browse, carried, credential, failure_of, unauthorized};
use crate::{RunEventKind, Settings, Step};

#[tokio::test]
async fn from_a_challenge_to_a_token_step_by_step() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    assert_eq!(carried(&provider).await, "none");
    let challenge = format!(
        "Bearer resource_metadata=\"{}\", scope=\"files:read\"",
        harness.server.url("/.well-known/oauth-protected-resource/mcp")
    );
    assert_eq!(provider.obtain(unauthorized(&challenge)).await, Ok(()));
    assert_eq!(carried(&provider).await, harness.bearer(1));
    assert_eq!(
        harness.reports(),
        [
            "begun Challenge",
            "Challenge",
            "  POST MCP/mcp Ok",
            "  done: The server responded with 401 and requires a Bearer token.",
            "ResourceMetadata",
            "  GET MCP/.well-known/oauth-protected-resource/mcp Ok",
            "  done: Tokens are issued by AS.",
            "ServerMetadata",
            "  GET AS/.well-known/oauth-authorization-server Ok",
            "  done: Found the metadata of AS.",
            "Registration",
            "  POST AS/register Ok",
            "  done: Registered with the authorization server.",
            "Authorization",
            "  browser",
            "  resumed",
            "  done: You agreed, and the browser returned with a code.",
            "Token",
            "  POST AS/token Ok",
            "  done: Access token (valid for 3600 s) and a refresh token.",
            "ended Done",
        ]
    );
    let metadata = &harness.at("/.well-known/oauth-authorization-server")[0];
    assert_eq!(metadata.header("mcp-protocol-version"), Some("2026-07-28"));
    let registration = harness.at("/register")[0].json();
    assert_eq!(registration["application_type"], "native");
    assert_eq!(
        registration["grant_types"],
        serde_json::json!(["authorization_code", "refresh_token"])
    );
    assert!(registration.get("scope").is_none());
    let asked = harness.at("/authorize")[0].query();
    assert_eq!(
        asked.get("redirect_uri"),
        registration["redirect_uris"][0].as_str().unwrap()
    );
    let resource = harness.server.address();
    assert_eq!(
        (asked.get("resource"), asked.get("scope")),
        (resource.as_str(), "files:read offline_access")
    );
    assert_eq!(asked.get("code_challenge_method"), "S256");
    let token = &harness.at("/token")[0];
    assert_eq!(token.form().get("resource"), resource);
    assert_eq!(token.form().get("client_id"), "client-1");
    assert_eq!(token.form().get("code_verifier").len(), 43);

    let view = provider.view().await;
    let token = view.token.unwrap();
    assert_eq!(token.scopes, ["files:read", "offline_access"]);
    assert!(token.has_refresh);
    let issued = harness.bearer(1);
    let masked = format!("****{}", &issued[issued.len() - 4..]);
    assert!(token.masked.ends_with(&masked), "{}", token.masked);
    assert_eq!(view.client.unwrap().id, "client-1");
    assert_eq!(view.running, None);
}

#[tokio::test]
async fn concurrent_refusals_share_one_run() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    let refused = (0..8).map(|_| provider.obtain(unauthorized("Bearer")));
    let verdicts = futures_util::future::join_all(refused).await;
    assert!(verdicts.iter().all(|verdict| *verdict == Ok(())));
    assert_eq!(harness.at("/authorize").len(), 1);
    // A later refusal uses the current token.
    assert_eq!(provider.obtain(unauthorized("Bearer")).await, Ok(()));
    assert_eq!(harness.at("/token").len(), 1);
}

#[tokio::test]
async fn a_panic_in_a_step_fails_the_run() {
    let harness = Harness::new();
    harness.browser(Browser::Panics);
    let provider = harness.provider(Settings::default());
    let failure = failure_of(&provider, unauthorized("Bearer")).await;
    assert_eq!(
        (failure.step, failure.cause.as_str(), failure.cancelled),
        (
            Step::Authorization,
            "Patchbay ended this run because of an internal error: the browser is broken",
            false
        )
    );
    assert_eq!(harness.reports().last().unwrap(), "ended Failed");
    assert_eq!(provider.view().await.running, None);
    // The next run is not blocked by the failed one.
    harness.browser(Browser::Agrees);
    authorize(&provider).await;
}

#[tokio::test]
async fn a_run_waits_for_the_user_until_cancelled_or_timed_out() {
    let harness = Harness::new();
    harness.browser(Browser::Waits);
    let provider = harness.provider(Settings {
        browser_timeout: Duration::from_millis(50),
        ..Settings::default()
    });
    let failure = failure_of(&provider, unauthorized("Bearer")).await;
    assert!(failure.cause.contains("did not return within 0 s") && failure.step == Step::Authorization);

    let provider = harness.provider(Settings::default());
    let waiting = tokio::spawn({
        let provider = provider.clone();
        async move { failure_of(&provider, unauthorized("Bearer")).await }
    });
    until(|| {
        harness
            .reports()
            .iter()
            .filter(|line| *line == "  browser")
            .count()
            == 2
    })
    .await;
    assert!(provider.view().await.running.is_some());
    provider.cancel();
    let failure = waiting.await.unwrap();
    assert!(failure.cancelled);
    assert_eq!(harness.reports().last().unwrap(), "ended Cancelled");
}

#[tokio::test]
async fn the_redirected_address_can_be_pasted() {
    let harness = Harness::new();
    harness.browser(Browser::Waits);
    let provider = harness.provider(Settings::default());
    assert!(provider.paste("anything").is_err());
    provider.start(None, Some(vec!["mine".to_owned()]), None);
    until(|| harness.reports().contains(&"  browser".to_owned())).await;
    let page = super::harness::get(&harness.sent_to()).await;
    let back = page
        .lines()
        .find_map(|line| line.strip_prefix("location: "))
        .unwrap();
    // Unrelated text first: it is refused, and the run keeps waiting.
    provider
        .paste("http://localhost:1/callback?code=x&state=wrong")
        .unwrap();
    provider.paste(back).unwrap();
    until(|| harness.reports().contains(&"ended Done".to_owned())).await;
    assert_eq!(carried(&provider).await, harness.bearer(1));
    assert_eq!(harness.at("/authorize")[0].query().get("scope"), "mine");
    // It is not an exchange.
    let is_pasted = |line: &String| line.starts_with("  paste ") && line.ends_with("Refused");
    assert!(harness.reports().iter().any(is_pasted));
}

#[tokio::test]
async fn without_a_browser_the_failure_says_what_to_do() {
    let harness = Harness::new();
    harness.browser(Browser::Missing);
    let failure = failure_of(&harness.provider(Settings::default()), unauthorized("Bearer")).await;
    assert!(
        failure.cause.contains("none is available: a test has none"),
        "{failure}"
    );
}

#[tokio::test]
async fn a_browser_that_cannot_be_started_is_reported_and_the_user_may_open_the_address() {
    let harness = Harness::new();
    harness.browser(Browser::Broken);
    let provider = harness.provider(Settings::default());
    provider.start(None, None, None);
    let endpoint = format!("{}/authorize", harness.server.issuer(0));
    let unopened = || {
        let events = harness.events.lock().unwrap();
        let mut attempts = events.iter().filter_map(|event| match &event.what {
            RunEventKind::Attempt(Step::Authorization, attempt) => Some(attempt.clone()),
            _ => None,
        });
        attempts.next()
    };
    until(|| unopened().is_some()).await;
    let attempt = unopened().unwrap();
    assert_eq!((attempt.method, attempt.url), ("open", endpoint));
    assert_eq!(
        attempt.words,
        "The browser could not be started: a test has removed it."
    );
    browse(harness.sent_to()).await;
    until(|| harness.reports().contains(&"ended Done".to_owned())).await;
}

#[tokio::test]
async fn a_run_can_start_at_any_step() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    let before = harness.asked().len();
    provider.start(Some(Step::Authorization), None, None);
    until(|| {
        harness
            .reports()
            .iter()
            .filter(|line| *line == "ended Done")
            .count()
            == 2
    })
    .await;
    assert_eq!(harness.asked()[before..], ["GET /authorize", "POST /token"]);

    let before = harness.asked().len();
    provider.start(Some(Step::Registration), None, None);
    until(|| {
        harness
            .reports()
            .iter()
            .filter(|line| *line == "ended Done")
            .count()
            == 3
    })
    .await;
    assert_eq!(
        harness.asked()[before..],
        ["POST /register", "GET /authorize", "POST /token"]
    );
}

#[tokio::test]
async fn a_new_run_replaces_the_waiting_one() {
    let harness = Harness::new();
    harness.browser(Browser::Waits);
    let provider = harness.provider(Settings::default());
    let first = provider.start(None, None, None);
    until(|| harness.reports().contains(&"  browser".to_owned())).await;
    let stale = harness.sent_to();
    let second = provider.start(None, None, None);
    assert!(second > first);
    until(|| {
        harness
            .reports()
            .iter()
            .filter(|line| *line == "  browser")
            .count()
            == 2
    })
    .await;
    assert!(harness.reports().contains(&"ended Cancelled".to_owned()));
    // The client and the port are the same, but the response from the old tab is not for the new run.
    assert_eq!(harness.at("/register").len(), 1);
    browse(stale).await;
    assert_eq!(harness.at("/token").len(), 0);
    browse(harness.sent_to()).await;
    until(|| harness.reports().contains(&"ended Done".to_owned())).await;
}

/// The pause between two looks at what tells of no change.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Waits until the condition holds.
pub(super) async fn until(so: impl Fn() -> bool) {
    let looking = async {
        while !so() {
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
    };
    timeout(Duration::from_secs(55), looking)
        .await
        .expect("it is not so");
}

#[tokio::test]
async fn the_exchanges_of_a_run_belong_to_the_operation_that_caused_it() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    let call = harness.operation();
    let refusal = Refusal {
        operation: Some(call),
        ..unauthorized("Bearer")
    };
    provider.obtain(refusal).await.unwrap();
    let of_run = harness.operations().await;
    // Both kinds of metadata, registration and token; the browser's requests are not recorded.
    assert_eq!(of_run, [Some(call); 4]);
    // A refresh before another request belongs to that request, and one that the user starts to what the user did.
    harness.later(3600 - 10);
    let other = harness.operation();
    credential(&provider, Some(other)).await.unwrap();
    let pressed = harness.operation();
    provider.refresh(Some(pressed)).await.unwrap();
    assert_eq!(harness.operations().await[4..], [Some(other), Some(pressed)]);
}
