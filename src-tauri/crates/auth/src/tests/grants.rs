//! Grants without a user in the browser, and what an answer of a token endpoint must be.

use patchbay_secret::Secret;
use serde_json::json;

use super::harness::{Harness, authorize, given_up, unauthorized};
use super::provider_server::{Said, html, redirect, said};
use crate::{ClientChoice, Enterprise, GrantChoice, Settings, Step};

fn machine(grant: GrantChoice) -> Settings {
    Settings {
        grant,
        client: ClientChoice::Manual {
            id: "machine".to_owned(),
            secret: Some(Secret::new("machine-secret")),
            auth_method: None,
            issuer: None,
        },
        scopes: Some(vec!["work".to_owned()]),
        ..Settings::default()
    }
}

#[tokio::test]
async fn a_client_speaks_for_itself() {
    let harness = Harness::new().await;
    let provider = harness.provider(machine(GrantChoice::ClientCredentials { key: None }));
    authorize(&provider).await;
    let token = &harness.server.at("/token")[0];
    assert_eq!(token.form("grant_type").as_deref(), Some("client_credentials"));
    assert_eq!(token.form("scope").as_deref(), Some("work"));
    assert_eq!(token.form("resource"), Some(harness.server.url("/mcp")));
    assert_eq!(
        token.field("authorization"),
        Some("Basic bWFjaGluZTptYWNoaW5lLXNlY3JldA==")
    );
    assert!(harness.server.at("/authorize").is_empty());
    assert!(harness.told().contains(&"Authorization skipped".to_owned()));

    let nobody = Settings {
        client: ClientChoice::Auto,
        ..machine(GrantChoice::ClientCredentials { key: None })
    };
    let failure = given_up(&Harness::new().await.provider(nobody), unauthorized("Bearer")).await;
    assert_eq!(failure.step, Step::Registration);
}

#[tokio::test]
async fn an_identity_provider_vouches_for_the_user() {
    let (harness, idp) = (Harness::new().await, Harness::new().await);
    idp.server.twist(|seen| {
        let issued = json!({
            "access_token": "the-identity-assertion",
            "issued_token_type": "urn:ietf:params:oauth:token-type:id-jag",
            "token_type": "N_A",
        });
        (seen.path == "/token").then(|| said(200, issued).unwrap())
    });
    let enterprise = Enterprise {
        issuer: Some(idp.server.base.clone()),
        token_endpoint: None,
        client_id: "patchbay-at-idp".to_owned(),
        client_secret: None,
        id_token: Secret::new("the-users-id-token"),
    };
    let provider = harness.provider(machine(GrantChoice::Enterprise(Box::new(enterprise))));
    authorize(&provider).await;
    let exchange = &idp.server.at("/token")[0];
    for (name, value) in [
        ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
        ("requested_token_type", "urn:ietf:params:oauth:token-type:id-jag"),
        ("subject_token", "the-users-id-token"),
        ("subject_token_type", "urn:ietf:params:oauth:token-type:id_token"),
        ("audience", harness.server.base.as_str()),
        ("resource", &harness.server.url("/mcp")),
        ("client_id", "patchbay-at-idp"),
        ("scope", "work"),
    ] {
        assert_eq!(exchange.form(name).as_deref(), Some(value), "{name}");
    }
    let token = &harness.server.at("/token")[0];
    assert_eq!(
        token.form("grant_type").as_deref(),
        Some(crate::grant::JWT_BEARER)
    );
    assert_eq!(token.form("assertion").as_deref(), Some("the-identity-assertion"));
    assert!(token.field("authorization").unwrap().starts_with("Basic "));

    idp.server.twist(|seen| {
        let issued = json!({"access_token": "something-else", "token_type": "Bearer"});
        (seen.path == "/token").then(|| said(200, issued).unwrap())
    });
    provider.forget(false).await.unwrap();
    let failure = given_up(&provider, unauthorized("Bearer")).await;
    assert_eq!(failure.rule.unwrap().name, "RFC 8693 section 2.2");
}

#[tokio::test]
async fn what_a_token_endpoint_answers_wrong_is_said() {
    let check = async |answer: fn() -> Option<Said>, rule: &str, expected: &str| {
        let harness = Harness::new().await;
        harness
            .server
            .twist(move |seen| if seen.path == "/token" { answer() } else { None });
        let failure = given_up(&harness.provider(Settings::default()), unauthorized("Bearer")).await;
        assert_eq!(failure.step, Step::Token, "{failure}");
        assert!(failure.cause.contains(expected), "{failure}");
        assert!(!failure.cause.contains("hidden"), "{failure}");
        assert_eq!(failure.rule.map(|rule| rule.name), Some(rule), "{failure}");
        assert!(failure.exchange.is_some());
    };
    let (response, error) = ("RFC 6749 section 5.1", "RFC 6749 section 5.2");
    let invalid = || {
        said(
            400,
            json!({"error": "invalid_grant", "error_description": "used\nup"}),
        )
    };
    check(invalid, error, "invalid_grant (used up)").await;
    // As GitHub does it.
    check(
        || said(200, json!({"error": "bad_verification_code"})),
        error,
        "bad_verification_code",
    )
    .await;
    check(html, response, "Content-Type").await;
    check(
        || Some(Said(500, String::new(), "<h1>oh</h1>".to_owned())),
        response,
        "a web page",
    )
    .await;
    check(
        || Some(Said(200, String::new(), String::new())),
        response,
        "empty",
    )
    .await;
    check(
        || said(200, json!({"access_token": ["hidden"], "token_type": "Bearer"})),
        response,
        "access_token",
    )
    .await;
    check(
        || said(200, json!({"access_token": "hidden-token"})),
        response,
        "a field is missing",
    )
    .await;
    check(
        || said(200, json!({"access_token": "hidden-token", "token_type": "DPoP"})),
        response,
        "only Bearer",
    )
    .await;
    let away = || redirect("https://elsewhere.example/token");
    check(away, "RFC 9700 section 4.12", "does not follow").await;
}

#[tokio::test]
async fn a_client_that_is_no_longer_known_is_registered_again() {
    let harness = Harness::new().await;
    let provider = harness.provider(Settings::default());
    harness.server.twist(|seen| {
        let unknown = seen.form("client_id").as_deref() == Some("client-1");
        (seen.path == "/token" && unknown).then(|| said(401, json!({"error": "invalid_client"})).unwrap())
    });
    let failure = given_up(&provider, unauthorized("Bearer")).await;
    assert!(failure.next.contains("Register again"), "{failure}");
    authorize(&provider).await;
    assert_eq!(harness.server.at("/register").len(), 2);
}
