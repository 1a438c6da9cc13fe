//! What is not done for a stranger's server, and what is not to be seen.

use patchbay_secret::Secret;
use serde_json::json;

use super::harness::{Harness, authorize, given_up, unauthorized};
use super::provider_server::{redirect, said};
use crate::{Answer, ClientChoice, Settings, Step};

#[tokio::test]
async fn a_public_server_does_not_lead_into_a_private_network_unasked() {
    let harness = Harness::new().await;
    // Of the public internet, and never connected to here.
    let provider = harness.provider_of("https://1.1.1.1/mcp", Settings::default());
    let here = harness.server.url("/.well-known/oauth-protected-resource/mcp");
    let challenge = format!("Bearer resource_metadata=\"{here}\"");
    let failure = given_up(&provider, unauthorized(&challenge)).await;
    assert_eq!(failure.step, Step::ResourceMetadata);
    assert_eq!(failure.rule.unwrap().name, "RFC 9728 section 7.7");
    assert!(harness.server.asked().is_empty());
    assert!(
        harness
            .told()
            .iter()
            .any(|line| line.contains("asked PrivateAddress"))
    );

    harness
        .answers
        .lock()
        .unwrap()
        .push_back(Answer::PrivateAddress { allow: true });
    let failure = given_up(&provider, unauthorized(&challenge)).await;
    // It was gone to, and is for another resource.
    assert_eq!(failure.rule.unwrap().name, "RFC 9728 section 3.3");
    assert_eq!(harness.server.asked().len(), 1);
}

#[tokio::test]
async fn an_answer_of_another_authorization_server_is_not_exchanged() {
    for iss in ["https://evil.example", "BASE/", ""] {
        let harness = Harness::new().await;
        let iss = iss.replace("BASE", &harness.server.base);
        harness.server.twist(move |seen| {
            let (back, state) = (seen.query.get("redirect_uri")?, seen.query.get("state")?);
            redirect(&format!("{back}?code=the-code&state={state}&iss={iss}"))
        });
        let failure = given_up(&harness.provider(Settings::default()), unauthorized("Bearer")).await;
        assert_eq!(failure.rule.unwrap().name, "RFC 9207 section 2.4");
        assert!(harness.server.at("/token").is_empty());
    }
}

#[tokio::test]
async fn no_secret_is_to_be_seen_in_the_log_or_in_what_is_told() {
    let harness = Harness::new().await;
    harness.server.twist(|seen| {
        let client = json!({"client_id": "known", "client_secret": "s3cret", "token_endpoint_auth_method": "client_secret_post"});
        (seen.path == "/register").then(|| said(201, client).unwrap())
    });
    let provider = harness.provider(Settings::default());
    let token = authorize(&provider).await;
    provider.refresh().await.unwrap();
    provider.forget(true).await.unwrap();
    let asked = harness.server.at("/token");
    let verifier = asked[0].form("code_verifier").unwrap();
    assert_eq!(asked[0].form("client_secret").as_deref(), Some("s3cret"));
    let log = harness.log().await;
    assert!(log.contains("/token") && log.contains("token_type"), "{log}");
    let told = format!("{:?}", harness.events.lock().unwrap());
    let state = harness
        .sent_to()
        .query_pairs()
        .find(|(name, _)| name == "state")
        .unwrap()
        .1
        .into_owned();
    assert!(!log.contains(&state));
    for secret in [
        token.trim_start_matches("Bearer "),
        "access-token-number-",
        "refresh-token-number-",
        "the-secret-code-",
        verifier.as_str(),
        "s3cret",
    ] {
        assert!(!log.contains(secret), "{secret} is in the log: {log}");
        assert!(!told.contains(secret), "{secret} was told: {told}");
    }
}

#[tokio::test]
async fn what_a_server_says_back_is_masked() {
    let harness = Harness::new().await;
    harness.server.twist(|seen| {
        let (code, verifier) = (seen.form("code")?, seen.form("code_verifier")?);
        said(
            400,
            json!({"error": "invalid_grant", "error_description": format!("{code} with {verifier} of s3cr")}),
        )
    });
    let settings = Settings {
        client: ClientChoice::Manual {
            id: "me".to_owned(),
            secret: Some(Secret::new("s3cr")),
            auth_method: None,
            issuer: None,
        },
        ..Settings::default()
    };
    let failure = given_up(&harness.provider(settings), unauthorized("Bearer")).await;
    assert!(failure.cause.contains("invalid_grant"), "{failure}");
    let sent = &harness.server.at("/token")[0];
    let (code, verifier) = (sent.form("code").unwrap(), sent.form("code_verifier").unwrap());
    let told = format!("{failure:?} {:?}", harness.events.lock().unwrap());
    let log = harness.log().await;
    for secret in [&code, &verifier] {
        assert!(
            !told.contains(secret.as_str()) && !log.contains(secret.as_str()),
            "{secret}: {told} {log}"
        );
    }
    assert!(!told.contains("s3cr"), "{told}");
}

#[tokio::test]
async fn the_secrets_of_the_settings_are_masked_too() {
    let harness = Harness::new().await;
    let settings = Settings {
        client: ClientChoice::Manual {
            id: "me".to_owned(),
            secret: Some(Secret::new("the secret of the settings")),
            auth_method: None,
            issuer: None,
        },
        ..Settings::default()
    };
    authorize(&harness.provider(settings)).await;
    let log = harness.log().await;
    let sent = harness.server.at("/token")[0]
        .field("authorization")
        .unwrap()
        .to_owned();
    assert!(
        !log.contains("the secret of the settings") && !log.contains(sent.trim_start_matches("Basic ")),
        "{log}"
    );
}
