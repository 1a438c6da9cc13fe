//! What is not done for a stranger's server, and what is not to be seen.

use patchbay_secret::Secret;
use serde_json::json;

use super::harness::{Harness, authorize, given_up, unauthorized};
use crate::{Answer, ClientChoice, Settings, Step};
use patchbay_test_server::http::reply::Whole;

#[tokio::test]
async fn a_public_server_does_not_lead_into_a_private_network_unasked() {
    let harness = Harness::new();
    // Of the public internet, and never connected to here.
    let provider = harness.provider_of("https://1.1.1.1/mcp", Settings::default());
    let here = harness.server.url("/.well-known/oauth-protected-resource/mcp");
    let challenge = format!("Bearer resource_metadata=\"{here}\"");
    let failure = given_up(&provider, unauthorized(&challenge)).await;
    assert_eq!(failure.step, Step::ResourceMetadata);
    assert_eq!(failure.rule.unwrap().name, "RFC 9728 section 7.7");
    assert!(harness.asked().is_empty());
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
    assert_eq!(harness.asked().len(), 1);
}

#[tokio::test]
async fn an_answer_of_another_authorization_server_is_not_exchanged() {
    for iss in ["https://evil.example", "BASE/", ""] {
        let harness = Harness::new();
        let iss = iss.replace("BASE", &harness.server.issuer(0));
        harness.server.answer_instead(move |seen| {
            let query = seen.query();
            let (back, state) = (query.get("redirect_uri"), query.get("state"));
            let to = format!("{back}?code=the-code&state={state}&iss={iss}");
            (seen.target().0 == "/authorize").then(|| Whole::redirect(&to))
        });
        let failure = given_up(&harness.provider(Settings::default()), unauthorized("Bearer")).await;
        assert_eq!(failure.rule.unwrap().name, "RFC 9207 section 2.4");
        assert!(harness.at("/token").is_empty());
    }
}

#[tokio::test]
async fn no_secret_is_to_be_seen_in_the_log_or_in_what_is_told() {
    let harness = Harness::new();
    harness.server.add_client("known", Some("s3cret"));
    harness.server.answer_instead(|seen| {
        let client = json!({"client_id": "known", "client_secret": "s3cret", "token_endpoint_auth_method": "client_secret_post"});
        (seen.target().0 == "/register").then(|| Whole::json(201, &client))
    });
    let provider = harness.provider(Settings::default());
    let token = authorize(&provider).await;
    provider.refresh().await.unwrap();
    provider.forget(true).await.unwrap();
    let asked = harness.at("/token");
    let verifier = asked[0].form().get("code_verifier").to_owned();
    assert_eq!(asked[0].form().get("client_secret"), "s3cret");
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
    // A code, two access tokens, two refresh tokens, the signatures of the JWTs, and the verifier.
    let mut secrets = harness.server.secrets();
    assert!(secrets.len() >= 8 && secrets.contains(&verifier), "{secrets:?}");
    secrets.push(token.trim_start_matches("Bearer ").to_owned());
    for secret in &secrets {
        assert!(!log.contains(secret), "{secret} is in the log: {log}");
        assert!(!told.contains(secret), "{secret} was told: {told}");
    }
}

#[tokio::test]
async fn what_a_server_says_back_is_masked() {
    let harness = Harness::new();
    harness.server.add_client("me", Some("s3cr"));
    harness.server.answer_instead(|seen| {
        let form = seen.form();
        let (code, verifier) = (form.get("code"), form.get("code_verifier"));
        let error =
            json!({"error": "invalid_grant", "error_description": format!("{code} with {verifier} of s3cr")});
        (seen.target().0 == "/token").then(|| Whole::json(400, &error))
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
    let sent = harness.at("/token")[0].form();
    let (code, verifier) = (sent.get("code"), sent.get("code_verifier"));
    let told = format!("{failure:?} {:?}", harness.events.lock().unwrap());
    let log = harness.log().await;
    for secret in [code, verifier] {
        assert!(
            !told.contains(secret) && !log.contains(secret),
            "{secret}: {told} {log}"
        );
    }
    assert!(!told.contains("s3cr"), "{told}");
}

#[tokio::test]
async fn the_secrets_of_the_settings_are_masked_too() {
    let harness = Harness::new();
    harness
        .server
        .add_client("me", Some("the secret of the settings"));
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
    let sent = harness.at("/token")[0]
        .header("authorization")
        .unwrap()
        .to_owned();
    assert!(
        !log.contains("the secret of the settings") && !log.contains(sent.trim_start_matches("Basic ")),
        "{log}"
    );
}
