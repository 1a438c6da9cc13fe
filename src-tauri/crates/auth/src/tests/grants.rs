//! Grants without a browser, and the validation of token responses.

use patchbay_secret::Secret;
use serde_json::json;

use patchbay_test_server::http::reply::Whole;

use super::harness::{Harness, authorize, failure_of, json, redirected, unauthorized};
use crate::{
    AuthMethod, ClientChoice, ClientOrigin, Enterprise, GrantChoice, RegisteredClient, Settings, Step,
    StoredTokens, TokenStore as _,
};

/// The token of the only user that the scripted identity provider knows.
const ID_TOKEN: &str = "id-token-of-ada-0123456789";

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
async fn client_credentials_need_no_user() {
    let harness = Harness::new();
    harness.server.add_client("machine", Some("machine-secret"));
    let provider = harness.provider(machine(GrantChoice::ClientCredentials { key: None }));
    authorize(&provider).await;
    let token = &harness.at("/token")[0];
    assert_eq!(token.form().get("grant_type"), "client_credentials");
    assert_eq!(token.form().get("scope"), "work");
    assert_eq!(token.form().get("resource"), harness.server.address());
    assert_eq!(
        token.header("authorization"),
        Some("Basic bWFjaGluZTptYWNoaW5lLXNlY3JldA==")
    );
    assert!(harness.at("/authorize").is_empty());
    assert!(harness.reports().contains(&"Authorization skipped".to_owned()));

    let nobody = Settings {
        client: ClientChoice::Auto,
        ..machine(GrantChoice::ClientCredentials { key: None })
    };
    let failure = failure_of(&Harness::new().provider(nobody), unauthorized("Bearer")).await;
    assert_eq!(failure.step, Step::Registration);
}

/// A client with a secret and a key authenticates as the user chose.
#[tokio::test]
async fn a_chosen_authentication_is_used_although_there_is_a_key() {
    let harness = Harness::new();
    harness.server.add_client("machine", Some("machine-secret"));
    let key = crate::SigningKey {
        pem: Secret::new("not a key: it is not used"),
        algorithm: None,
        key_id: None,
    };
    let settings = Settings {
        client: ClientChoice::Manual {
            id: "machine".to_owned(),
            secret: Some(Secret::new("machine-secret")),
            auth_method: Some(AuthMethod::Basic),
            issuer: None,
        },
        ..machine(GrantChoice::ClientCredentials { key: Some(key) })
    };
    authorize(&harness.provider(settings)).await;
    let token = &harness.at("/token")[0];
    assert!(token.header("authorization").unwrap().starts_with("Basic "));
    assert!(!token.form().has("client_assertion"));
}

#[tokio::test]
async fn an_identity_assertion_is_exchanged_for_a_token() {
    let harness = Harness::new();
    harness.server.add_client("machine", Some("machine-secret"));
    harness.server.add_client("patchbay-at-idp", None);
    let enterprise = Enterprise {
        issuer: Some(harness.server.issuer(1)),
        token_endpoint: None,
        client_id: "patchbay-at-idp".to_owned(),
        client_secret: None,
        id_token: Secret::new(ID_TOKEN),
    };
    let provider = harness.provider(machine(GrantChoice::Enterprise(Box::new(enterprise))));
    authorize(&provider).await;
    let exchange = &harness.at("/token")[0];
    for (name, value) in [
        ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
        ("requested_token_type", "urn:ietf:params:oauth:token-type:id-jag"),
        ("subject_token", ID_TOKEN),
        ("subject_token_type", "urn:ietf:params:oauth:token-type:id_token"),
        ("audience", harness.server.issuer(0).as_str()),
        ("resource", &harness.server.address()),
        ("client_id", "patchbay-at-idp"),
        ("scope", "work"),
    ] {
        assert_eq!(exchange.form().get(name), value, "{name}");
    }
    let token = &harness.at("/token")[1];
    assert_eq!(token.form().get("grant_type"), crate::grant::JWT_BEARER);
    let assertion = token.form().get("assertion").to_owned();
    assert!(harness.server.secrets().contains(&assertion), "{assertion}");
    assert!(token.header("authorization").unwrap().starts_with("Basic "));

    harness.server.answer_instead(|seen| {
        let issued = json!({"access_token": "something-else", "token_type": "Bearer"});
        (seen.target().0 == "/token").then(|| Whole::json(200, &issued))
    });
    provider.forget(false, None).await.unwrap();
    let failure = failure_of(&provider, unauthorized("Bearer")).await;
    assert_eq!(failure.rule.unwrap().name, "RFC 8693 section 2.2");
}

#[tokio::test]
async fn an_invalid_token_response_is_reported() {
    let check = async |answer: fn() -> Option<Whole>, rule: &str, expected: &str| {
        let harness = Harness::new();
        harness.server.answer_instead(move |seen| {
            if seen.target().0 == "/token" {
                answer()
            } else {
                None
            }
        });
        let failure = failure_of(&harness.provider(Settings::default()), unauthorized("Bearer")).await;
        assert_eq!(failure.step, Step::Token, "{failure}");
        assert!(failure.cause.contains(expected), "{failure}");
        assert!(!failure.cause.contains("hidden"), "{failure}");
        assert_eq!(failure.rule.map(|rule| rule.name), Some(rule), "{failure}");
        assert!(failure.exchange.is_some());
    };
    let (response, error) = ("RFC 6749 section 5.1", "RFC 6749 section 5.2");
    let invalid = || {
        json(
            400,
            json!({"error": "invalid_grant", "error_description": "used\nup"}),
        )
    };
    check(invalid, error, "invalid_grant (used up)").await;
    // As GitHub responds.
    check(
        || json(200, json!({"error": "bad_verification_code"})),
        error,
        "bad_verification_code",
    )
    .await;
    check(|| Some(Whole::html()), response, "Content-Type").await;
    check(
        || Some(Whole(500, String::new(), "<h1>oh</h1>".to_owned())),
        response,
        "a web page",
    )
    .await;
    check(
        || Some(Whole(200, String::new(), String::new())),
        response,
        "empty",
    )
    .await;
    check(
        || json(200, json!({"access_token": ["hidden"], "token_type": "Bearer"})),
        response,
        "access_token",
    )
    .await;
    check(
        || json(200, json!({"access_token": "hidden-token"})),
        response,
        "a field is missing",
    )
    .await;
    check(
        || json(200, json!({"access_token": "hidden-token", "token_type": "DPoP"})),
        response,
        "only Bearer",
    )
    .await;
    let away = || redirected("https://elsewhere.example/token");
    check(away, "RFC 9700 section 4.12", "does not follow").await;
}

#[tokio::test]
async fn a_client_that_is_no_longer_known_is_registered_again() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    harness.server.answer_instead(|seen| {
        let unknown = seen.form().get("client_id") == "client-1";
        (seen.target().0 == "/token" && unknown)
            .then(|| Whole::json(401, &json!({"error": "invalid_client"})))
    });
    let failure = failure_of(&provider, unauthorized("Bearer")).await;
    assert!(failure.next.contains("Register again"), "{failure}");
    authorize(&provider).await;
    assert_eq!(harness.at("/register").len(), 2);
}

#[tokio::test]
async fn a_client_with_a_secret_or_a_key_is_shown_as_confidential() {
    for (auth_method, secret, is_confidential) in [
        (AuthMethod::None, None, false),
        (AuthMethod::Basic, Some("machine-secret"), true),
        (AuthMethod::PrivateKeyJwt, None, true),
    ] {
        let harness = Harness::new();
        let client = RegisteredClient {
            issuer: harness.server.issuer(0),
            id: "machine".to_owned(),
            secret: secret.map(Secret::new),
            secret_expires_at: None,
            auth_method,
            origin: ClientOrigin::PreRegistered,
            redirect_uri: None,
        };
        let kept = StoredTokens {
            tokens: None,
            clients: vec![client],
        };
        harness.tokens.save(kept).await.unwrap();
        let shown = harness.provider(Settings::default()).view().await.client.unwrap();
        assert_eq!(shown.is_confidential, is_confidential, "{auth_method:?}");
    }
}
