//! Who we are: in the order of the specification, and never to the wrong authorization server.

use patchbay_http::{Authorizer, Refusal};
use patchbay_secret::Secret;
use serde_json::json;

use super::harness::{Harness, authorize, given_up, unauthorized};
use super::provider_server::said;
use crate::{Answer, AuthMethod, ClientChoice, ClientOrigin, Settings, Step};

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
async fn a_client_of_the_settings_comes_first_and_proves_itself() {
    let harness = Harness::new().await;
    authorize(&harness.provider(manual(Some(&harness.server.base), None))).await;
    assert!(harness.server.at("/register").is_empty());
    let token = &harness.server.at("/token")[0];
    // my+client:my%3Asecret%2Fvalue
    assert_eq!(
        token.field("authorization"),
        Some("Basic bXkrY2xpZW50Om15JTNBc2VjcmV0JTJGdmFsdWU=")
    );
    assert_eq!(token.form("client_secret"), None);

    let harness = Harness::new().await;
    authorize(&harness.provider(manual(None, Some(AuthMethod::Post)))).await;
    let token = &harness.server.at("/token")[0];
    assert_eq!(token.form("client_secret").as_deref(), Some("my:secret/value"));
    assert_eq!(token.field("authorization"), None);
}

#[tokio::test]
async fn a_client_is_not_shown_to_another_authorization_server() {
    let harness = Harness::new().await;
    let failure = given_up(
        &harness.provider(manual(Some("https://other.example"), None)),
        unauthorized("Bearer"),
    )
    .await;
    assert_eq!(failure.step, Step::Registration);
    assert_eq!(
        failure.rule.unwrap().name,
        "MCP authorization: Authorization Server Binding"
    );
    assert!(harness.server.at("/authorize").is_empty());
}

#[tokio::test]
async fn a_document_says_who_we_are_where_that_is_supported() {
    let harness = Harness::new().await;
    let mut metadata = harness.server.metadata();
    metadata["client_id_metadata_document_supported"] = json!(true);
    harness
        .server
        .twist(move |seen| (seen.path == SERVER).then(|| said(200, metadata.clone()).unwrap()));
    let settings = Settings {
        metadata_document: Some("https://client.example/me.json".parse().unwrap()),
        ..Settings::default()
    };
    let provider = harness.provider(settings);
    authorize(&provider).await;
    assert!(harness.server.at("/register").is_empty());
    assert_eq!(
        harness.server.at("/authorize")[0].query["client_id"],
        "https://client.example/me.json"
    );
    assert_eq!(
        provider.view().await.client.unwrap().origin,
        ClientOrigin::MetadataDocument
    );
}

#[tokio::test]
async fn who_cannot_register_is_asked() {
    let harness = Harness::new().await;
    let mut metadata = harness.server.metadata();
    metadata["registration_endpoint"] = json!(null);
    harness
        .server
        .twist(move |seen| (seen.path == SERVER).then(|| said(200, metadata.clone()).unwrap()));
    let provider = harness.provider(Settings::default());
    let failure = given_up(&provider, unauthorized("Bearer")).await;
    assert!(failure.cause.contains("no client ID was entered"), "{failure}");
    harness.answers.lock().unwrap().push_back(Answer::Client {
        id: "entered".to_owned(),
        secret: None,
    });
    authorize(&provider).await;
    let asked = harness.server.at("/authorize")[0].query.clone();
    assert_eq!(asked["client_id"], "entered");
    // It is registered by hand with this address, so it stays the same.
    assert!(
        harness
            .told()
            .iter()
            .any(|line| line.contains("asked Client") && line.contains(&asked["redirect_uri"]))
    );
    provider.start(Some(crate::Step::Authorization), None);
    super::run::until(|| harness.server.at("/token").len() == 2).await;
    assert_eq!(
        harness.server.at("/authorize")[1].query["redirect_uri"],
        asked["redirect_uri"]
    );
    assert_eq!(provider.view().await.client.unwrap().origin, ClientOrigin::Manual);
}

#[tokio::test]
async fn a_refused_registration_says_why() {
    let harness = Harness::new().await;
    harness.server.twist(|seen| {
        let error = json!({"error": "invalid_redirect_uri", "error_description": "no\nlocalhost"});
        (seen.path == "/register").then(|| said(400, error).unwrap())
    });
    let failure = given_up(&harness.provider(Settings::default()), unauthorized("Bearer")).await;
    assert!(
        failure.cause.contains("invalid_redirect_uri (no localhost)"),
        "{failure}"
    );
    assert!(failure.next.contains("http://localhost") && failure.exchange.is_some());
}

#[tokio::test]
async fn when_the_authorization_server_changes_we_register_again_and_keep_both_clients() {
    let (harness, other) = (Harness::new().await, Harness::new().await);
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    let resource =
        json!({"resource": harness.server.url("/mcp"), "authorization_servers": [other.server.base]});
    harness.server.twist(move |seen| {
        seen.path
            .starts_with("/.well-known/oauth-protected")
            .then(|| said(200, resource.clone()).unwrap())
    });
    harness.drop_refresh_token().await;
    let used = provider
        .credential(None)
        .await
        .map(|credential| credential.version);
    let refusal = Refusal {
        used,
        purpose: "tools/call add".to_owned(),
        ..unauthorized("Bearer")
    };
    assert_eq!(provider.obtain(refusal).await, Ok(()));
    assert_eq!(other.server.at("/register").len(), 1);
    let kept = crate::TokenStore::load(&harness.keep).await.unwrap();
    let issuers: Vec<&String> = kept.clients.iter().map(|client| &client.issuer).collect();
    assert_eq!(issuers, [&harness.server.base, &other.server.base]);
}
