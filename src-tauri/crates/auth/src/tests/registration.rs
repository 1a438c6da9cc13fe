//! Who we are: in the order of the specification, and never to the wrong authorization server.

use patchbay_http::{Authorizer, Refusal};
use patchbay_secret::Secret;
use serde_json::json;

use super::desk::{Desk, authorize, given_up, unauthorized};
use super::world::said;
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
    let desk = Desk::new().await;
    authorize(&desk.keeper(manual(Some(&desk.world.base), None))).await;
    assert!(desk.world.at("/register").is_empty());
    let token = &desk.world.at("/token")[0];
    // my+client:my%3Asecret%2Fvalue
    assert_eq!(
        token.field("authorization"),
        Some("Basic bXkrY2xpZW50Om15JTNBc2VjcmV0JTJGdmFsdWU=")
    );
    assert_eq!(token.form("client_secret"), None);

    let desk = Desk::new().await;
    authorize(&desk.keeper(manual(None, Some(AuthMethod::Post)))).await;
    let token = &desk.world.at("/token")[0];
    assert_eq!(token.form("client_secret").as_deref(), Some("my:secret/value"));
    assert_eq!(token.field("authorization"), None);
}

#[tokio::test]
async fn a_client_is_not_shown_to_another_authorization_server() {
    let desk = Desk::new().await;
    let failure = given_up(
        &desk.keeper(manual(Some("https://other.example"), None)),
        unauthorized("Bearer"),
    )
    .await;
    assert_eq!(failure.step, Step::Registration);
    assert_eq!(
        failure.rule.unwrap().name,
        "MCP authorization: Authorization Server Binding"
    );
    assert!(desk.world.at("/authorize").is_empty());
}

#[tokio::test]
async fn a_document_says_who_we_are_where_that_is_supported() {
    let desk = Desk::new().await;
    let mut metadata = desk.world.metadata();
    metadata["client_id_metadata_document_supported"] = json!(true);
    desk.world
        .twist(move |seen| (seen.path == SERVER).then(|| said(200, metadata.clone()).unwrap()));
    let settings = Settings {
        metadata_document: Some("https://client.example/me.json".parse().unwrap()),
        ..Settings::default()
    };
    let keeper = desk.keeper(settings);
    authorize(&keeper).await;
    assert!(desk.world.at("/register").is_empty());
    assert_eq!(
        desk.world.at("/authorize")[0].query["client_id"],
        "https://client.example/me.json"
    );
    assert_eq!(
        keeper.view().await.client.unwrap().origin,
        ClientOrigin::MetadataDocument
    );
}

#[tokio::test]
async fn who_cannot_register_is_asked() {
    let desk = Desk::new().await;
    let mut metadata = desk.world.metadata();
    metadata["registration_endpoint"] = json!(null);
    desk.world
        .twist(move |seen| (seen.path == SERVER).then(|| said(200, metadata.clone()).unwrap()));
    let keeper = desk.keeper(Settings::default());
    let failure = given_up(&keeper, unauthorized("Bearer")).await;
    assert!(failure.cause.contains("no client id was entered"), "{failure}");
    desk.answers.lock().unwrap().push_back(Answer::Client {
        id: "entered".to_owned(),
        secret: None,
    });
    authorize(&keeper).await;
    let asked = desk.world.at("/authorize")[0].query.clone();
    assert_eq!(asked["client_id"], "entered");
    // It is registered by hand with this address, so it stays the same.
    assert!(
        desk.told()
            .iter()
            .any(|line| line.contains("asked Client") && line.contains(&asked["redirect_uri"]))
    );
    keeper.start(Some(crate::Step::Authorization), None);
    super::run::until(|| desk.world.at("/token").len() == 2).await;
    assert_eq!(
        desk.world.at("/authorize")[1].query["redirect_uri"],
        asked["redirect_uri"]
    );
    assert_eq!(keeper.view().await.client.unwrap().origin, ClientOrigin::Manual);
}

#[tokio::test]
async fn a_refused_registration_says_why() {
    let desk = Desk::new().await;
    desk.world.twist(|seen| {
        let error = json!({"error": "invalid_redirect_uri", "error_description": "no\nlocalhost"});
        (seen.path == "/register").then(|| said(400, error).unwrap())
    });
    let failure = given_up(&desk.keeper(Settings::default()), unauthorized("Bearer")).await;
    assert!(
        failure.cause.contains("invalid_redirect_uri (no localhost)"),
        "{failure}"
    );
    assert!(failure.next.contains("http://localhost") && failure.exchange.is_some());
}

#[tokio::test]
async fn when_the_server_moves_we_register_anew_and_keep_both_clients() {
    let (desk, other) = (Desk::new().await, Desk::new().await);
    let keeper = desk.keeper(Settings::default());
    authorize(&keeper).await;
    let resource = json!({"resource": desk.world.url("/mcp"), "authorization_servers": [other.world.base]});
    desk.world.twist(move |seen| {
        seen.path
            .starts_with("/.well-known/oauth-protected")
            .then(|| said(200, resource.clone()).unwrap())
    });
    desk.keep_without_refresh().await;
    let used = keeper.credential(None).await.map(|credential| credential.version);
    let refusal = Refusal {
        used,
        purpose: "tools/call add".to_owned(),
        ..unauthorized("Bearer")
    };
    assert_eq!(keeper.obtain(refusal).await, Ok(()));
    assert_eq!(other.world.at("/register").len(), 1);
    let kept = crate::Keep::load(&desk.keep).await.unwrap();
    let issuers: Vec<&String> = kept.clients.iter().map(|client| &client.issuer).collect();
    assert_eq!(issuers, [&desk.world.base, &other.world.base]);
}
