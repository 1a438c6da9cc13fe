//! Client registration: in the order of the specification, and never with the wrong authorization server.

use std::time::Duration;

use patchbay_http::Refusal;
use patchbay_secret::Secret;
use serde_json::json;

use super::harness::{Harness, authorize, credential, failure_of, unauthorized};
use super::run::until;
use crate::{Answer, AuthMethod, ClientChoice, ClientOrigin, Settings, Step};
use patchbay_test_server::http::reply::Whole;

const SERVER: &str = "/.well-known/oauth-authorization-server";

fn manual(issuer: Option<&str>, auth_method: Option<AuthMethod>) -> Settings {
    Settings {
        client: ClientChoice::Manual {
            id: "my client".to_owned(),
            secret: Some(Secret::new("my:secret/value")),
            auth_method,
            issuer: issuer.map(str::to_owned),
        },
        ..Settings::default()
    }
}

#[tokio::test]
async fn a_client_from_the_settings_comes_first_and_authenticates() {
    let harness = Harness::new();
    harness.server.add_client("my client", Some("my:secret/value"));
    authorize(&harness.provider(manual(Some(&harness.server.issuer(0)), None))).await;
    assert!(harness.at("/register").is_empty());
    let token = &harness.at("/token")[0];
    // my+client:my%3Asecret%2Fvalue
    assert_eq!(
        token.header("authorization"),
        Some("Basic bXkrY2xpZW50Om15JTNBc2VjcmV0JTJGdmFsdWU=")
    );
    assert_eq!(token.form().get("client_secret"), "");

    let harness = Harness::new();
    harness.server.add_client("my client", Some("my:secret/value"));
    authorize(&harness.provider(manual(None, Some(AuthMethod::Post)))).await;
    let token = &harness.at("/token")[0];
    assert_eq!(token.form().get("client_secret"), "my:secret/value");
    assert_eq!(token.header("authorization"), None);
}

#[tokio::test]
async fn a_client_is_not_used_with_another_authorization_server() {
    let harness = Harness::new();
    let failure = failure_of(
        &harness.provider(manual(Some("https://other.example"), None)),
        unauthorized("Bearer"),
    )
    .await;
    assert_eq!(failure.step, Step::Registration);
    assert_eq!(
        failure.rule.unwrap().name,
        "MCP authorization: Authorization Server Binding"
    );
    assert!(harness.at("/authorize").is_empty());
}

#[tokio::test]
async fn a_client_metadata_document_is_used_where_supported() {
    let harness = Harness::new();
    harness.server.add_client("https://client.example/me.json", None);
    let mut metadata = harness.server.server_metadata();
    metadata["client_id_metadata_document_supported"] = json!(true);
    harness
        .server
        .answer_instead(move |seen| (seen.target().0 == SERVER).then(|| Whole::json(200, &metadata)));
    let settings = Settings {
        metadata_document: Some("https://client.example/me.json".parse().unwrap()),
        ..Settings::default()
    };
    let provider = harness.provider(settings);
    authorize(&provider).await;
    assert!(harness.at("/register").is_empty());
    assert_eq!(
        harness.at("/authorize")[0].query().get("client_id"),
        "https://client.example/me.json"
    );
    assert_eq!(
        provider.view().await.client.unwrap().origin,
        ClientOrigin::MetadataDocument
    );
}

#[tokio::test]
async fn without_registration_the_user_is_asked_for_a_client() {
    let harness = Harness::new();
    harness.server.add_client("entered", None);
    let mut metadata = harness.server.server_metadata();
    metadata["registration_endpoint"] = json!(null);
    harness
        .server
        .answer_instead(move |seen| (seen.target().0 == SERVER).then(|| Whole::json(200, &metadata)));
    let provider = harness.provider(Settings::default());
    let failure = failure_of(&provider, unauthorized("Bearer")).await;
    assert!(failure.cause.contains("no client ID was entered"), "{failure}");
    let enter = |id: &str| {
        harness.answers.lock().unwrap().push_back(Answer::Client {
            id: id.to_owned(),
            secret: None,
        });
    };
    // A mistyped one: the page shows an error, and nobody returns.
    enter("enterd");
    let hasty = harness.provider(Settings {
        browser_timeout: Duration::from_millis(50),
        ..Settings::default()
    });
    for _ in 0..2 {
        let failure = failure_of(&hasty, unauthorized("Bearer")).await;
        assert!(failure.next.contains("to enter another client ID"), "{failure}");
    }
    enter("entered");
    provider.start(Some(Step::Registration), None, None);
    // The browser of a hasty run may still be on its way.
    let visits = || {
        let all = harness.at("/authorize").into_iter().map(|seen| seen.query());
        all.filter(|query| query.get("client_id") == "entered")
            .collect::<Vec<_>>()
    };
    until(|| harness.at("/token").len() == 1 && harness.reports().last().unwrap() == "ended Done").await;
    let asked = visits().pop().unwrap();
    // The user registers it with this redirect URI, so it does not change.
    assert!(
        harness
            .reports()
            .iter()
            .any(|line| line.contains("asked Client") && line.contains(asked.get("redirect_uri")))
    );
    provider.start(Some(crate::Step::Authorization), None, None);
    until(|| harness.at("/token").len() == 2 && harness.reports().last().unwrap() == "ended Done").await;
    assert_eq!(visits().len(), 2);
    assert_eq!(
        visits().pop().unwrap().get("redirect_uri"),
        asked.get("redirect_uri")
    );
    assert_eq!(provider.view().await.client.unwrap().origin, ClientOrigin::Manual);
}

#[tokio::test]
async fn a_refused_registration_says_why() {
    let harness = Harness::new();
    harness.server.answer_instead(|seen| {
        let error = json!({"error": "invalid_redirect_uri", "error_description": "no\nlocalhost"});
        (seen.target().0 == "/register").then(|| Whole::json(400, &error))
    });
    let failure = failure_of(&harness.provider(Settings::default()), unauthorized("Bearer")).await;
    assert!(
        failure.cause.contains("invalid_redirect_uri (no localhost)"),
        "{failure}"
    );
    assert!(failure.next.contains("http://localhost") && failure.exchange.is_some());
}

#[tokio::test]
async fn a_new_authorization_server_gets_a_new_client_and_both_are_kept() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    let resource =
        json!({"resource": harness.server.address(), "authorization_servers": [harness.server.issuer(1)]});
    harness.server.answer_instead(move |seen| {
        seen.path
            .starts_with("/.well-known/oauth-protected")
            .then(|| Whole::json(200, &resource))
    });
    harness.drop_refresh_token().await;
    let used = credential(&provider, None)
        .await
        .map(|credential| credential.version);
    let refusal = Refusal {
        used,
        purpose: "tools/call add".to_owned(),
        ..unauthorized("Bearer")
    };
    assert_eq!(provider.obtain(refusal).await, Ok(()));
    assert_eq!(harness.at("/register").len(), 2);
    let kept = crate::TokenStore::load(&harness.tokens).await.unwrap();
    let issuers: Vec<String> = kept.clients.into_iter().map(|client| client.issuer).collect();
    assert_eq!(issuers, [harness.server.issuer(0), harness.server.issuer(1)]);
}
