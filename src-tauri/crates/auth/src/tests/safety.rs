//! Protection from untrusted servers, and masking of secrets.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use patchbay_http::Refusal;
use patchbay_secret::Secret;
use serde_json::json;

use super::harness::{Harness, authorize, failure_of, unauthorized};
use super::run::until;
use crate::{Answer, ClientChoice, Enterprise, GrantChoice, RunEventKind, Settings, Step, TokenStore as _};
use patchbay_test_server::http::reply::Whole;

#[tokio::test]
async fn a_public_server_may_not_refer_to_a_private_network_without_consent() {
    let harness = Harness::new();
    // A public address that is never connected to here.
    let provider = harness.provider_of("https://1.1.1.1/mcp", Settings::default());
    let here = harness.server.url("/.well-known/oauth-protected-resource/mcp");
    let challenge = format!("Bearer resource_metadata=\"{here}\"");
    let failure = failure_of(&provider, unauthorized(&challenge)).await;
    assert_eq!(failure.step, Step::ResourceMetadata);
    assert_eq!(failure.rule.unwrap().name, "RFC 9728 section 7.7");
    assert!(harness.asked().is_empty());
    assert!(
        harness
            .reports()
            .iter()
            .any(|line| line.contains("asked PrivateAddress"))
    );

    harness
        .answers
        .lock()
        .unwrap()
        .push_back(Answer::PrivateAddress { allow: true });
    let failure = failure_of(&provider, unauthorized(&challenge)).await;
    // The document was fetched; it is for another resource.
    assert_eq!(failure.rule.unwrap().name, "RFC 9728 section 3.3");
    assert_eq!(harness.asked().len(), 1);
}

/// The address that refused a request decides, not the name. A resolver that answers with a private address after a public
/// one does not make the server private; one that answers with a public address makes it public.
#[tokio::test]
async fn a_server_that_was_reached_at_a_public_address_stays_public() {
    const PUBLIC: [u8; 4] = [1, 1, 1, 1];
    const PRIVATE: [u8; 4] = [10, 0, 0, 7];
    for (addresses, asked) in [
        (&[PRIVATE][..], &[false][..]),
        (&[PUBLIC, PRIVATE], &[true, true]),
        (&[PRIVATE, PUBLIC, PRIVATE], &[false, true, true]),
    ] {
        let harness = Harness::new();
        let provider = harness.provider_of("https://mcp.example/mcp", Settings::default());
        let here = harness.server.url("/.well-known/oauth-protected-resource/mcp");
        let challenge = format!("Bearer resource_metadata=\"{here}\"");
        let mut seen = Vec::new();
        for address in addresses {
            harness.events.lock().unwrap().clear();
            let refusal = Refusal {
                peer: Some((*address).into()),
                ..unauthorized(&challenge)
            };
            let failure = failure_of(&provider, refusal).await;
            let reports = harness.reports();
            let question = reports.iter().any(|line| line.contains("asked PrivateAddress"));
            // Without a question the document was fetched; it is for another resource.
            let rule = if question { "7.7" } else { "3.3" };
            assert!(failure.rule.unwrap().name.ends_with(rule), "{reports:#?}");
            seen.push(question);
        }
        assert_eq!(seen, asked, "{addresses:?}");
        let fetched = asked.iter().filter(|asked| !**asked).count();
        assert_eq!(harness.asked().len(), fetched, "{addresses:?}");
    }
}

/// A public server whose authorization server is in a private network, with a token that the user agreed to.
async fn with_private_issuer() -> Arc<Harness> {
    let harness = Harness::new();
    harness.server.publish_resource(PUBLIC_SERVER);
    let here = harness.server.url("/.well-known/oauth-protected-resource/mcp");
    allow_twice(&harness);
    let provider = harness.provider_of(PUBLIC_SERVER, Settings::default());
    let challenge = format!("Bearer resource_metadata=\"{here}\"");
    assert_eq!(provider.obtain(unauthorized(&challenge)).await, Ok(()));
    assert_eq!(questions(&harness), 2);
    harness
}

/// The resource metadata and the authorization server are at two ports of this machine, and each is asked about.
fn allow_twice(harness: &Harness) {
    let allow = Answer::PrivateAddress { allow: true };
    harness.answers.lock().unwrap().extend([allow.clone(), allow]);
}

/// A public address that is never connected to here.
const PUBLIC_SERVER: &str = "https://1.1.1.1/mcp";

fn questions(harness: &Harness) -> usize {
    let reports = harness.reports();
    reports.iter().filter(|line| line.starts_with("  asked")).count()
}

#[tokio::test]
async fn nothing_is_asked_about_the_issuer_of_a_stored_token() {
    let harness = with_private_issuer().await;
    // After a restart.
    let provider = harness.provider_of(PUBLIC_SERVER, Settings::default());
    provider.refresh(None).await.unwrap();
    assert_eq!(harness.at("/token").len(), 2);
    // It does not lead anywhere else.
    let elsewhere = format!("{}/elsewhere", harness.server.issuer(1));
    harness
        .server
        .answer_instead(move |seen| (seen.target().0 == "/token").then(|| Whole::redirect(&elsewhere)));
    let failure = provider.refresh(None).await.unwrap_err();
    assert!(failure.cause.contains("does not follow redirects"), "{failure}");
    assert!(harness.at("/elsewhere").is_empty());
    provider.forget(true, None).await.unwrap();
    assert_eq!(harness.at("/revoke").len(), 2);
    assert_eq!(questions(&harness), 2);
}

/// The authorization server names it, and it was not requested when the token was issued.
#[tokio::test]
async fn a_revocation_endpoint_at_another_private_address_is_asked_about() {
    for is_away in [false, true] {
        let harness = with_private_issuer().await;
        let mut kept = harness.tokens.load().await.unwrap();
        let other = format!("{}/revoke", harness.server.issuer(1));
        kept.tokens.as_mut().unwrap().revocation_endpoint = Some(other);
        harness.tokens.save(kept).await.unwrap();
        harness.is_away.store(is_away, Ordering::Relaxed);
        let provider = harness.provider_of(PUBLIC_SERVER, Settings::default());
        let cancel = async {
            until(|| questions(&harness) == 3).await;
            // Nobody answers: cancelling ends the question, and the tokens are deleted.
            provider.cancel();
        };
        let both = async { tokio::join!(provider.forget(true, None), cancel) };
        let (forgotten, ()) = tokio::time::timeout(Duration::from_secs(30), both).await.unwrap();
        let failure = forgotten.unwrap_err();
        assert_eq!(failure.rule.unwrap().name, "RFC 9728 section 7.7");
        assert!(harness.at("/revoke").is_empty());
        assert!(harness.tokens.load().await.unwrap().tokens.is_none());
    }
}

#[tokio::test]
async fn a_response_of_another_authorization_server_is_not_used() {
    for iss in ["https://evil.example", "BASE/", ""] {
        let harness = Harness::new();
        let iss = iss.replace("BASE", &harness.server.issuer(0));
        harness.server.answer_instead(move |seen| {
            let query = seen.query();
            let (back, state) = (query.get("redirect_uri"), query.get("state"));
            let to = format!("{back}?code=the-code&state={state}&iss={iss}");
            (seen.target().0 == "/authorize").then(|| Whole::redirect(&to))
        });
        let failure = failure_of(&harness.provider(Settings::default()), unauthorized("Bearer")).await;
        assert_eq!(failure.rule.unwrap().name, "RFC 9207 section 2.4");
        assert!(harness.at("/token").is_empty());
    }
}

#[tokio::test]
async fn no_secret_appears_in_the_log_or_in_reports() {
    let harness = Harness::new();
    harness.server.add_client("known", Some("s3cret"));
    harness.server.answer_instead(|seen| {
        let client = json!({"client_id": "known", "client_secret": "s3cret", "token_endpoint_auth_method": "client_secret_post"});
        (seen.target().0 == "/register").then(|| Whole::json(201, &client))
    });
    let provider = harness.provider(Settings::default());
    let token = authorize(&provider).await;
    provider.refresh(None).await.unwrap();
    provider.forget(true, None).await.unwrap();
    let asked = harness.at("/token");
    let verifier = asked[0].form().get("code_verifier").to_owned();
    assert_eq!(asked[0].form().get("client_secret"), "s3cret");
    let log = harness.log().await;
    assert!(log.contains("/token") && log.contains("token_type"), "{log}");
    let reports = format!("{:?}", harness.events.lock().unwrap());
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
        assert!(!reports.contains(secret), "{secret} was reported: {reports}");
    }
}

/// `oauth2` reads a token before other bytes, so such a run succeeds.
#[tokio::test]
async fn a_token_before_other_bytes_is_masked() {
    let harness = Harness::new();
    harness.server.answer_instead(|seen| {
        let body = r#"{"access_token": "a-token-of-this-server", "token_type": "Bearer"} <!-- 3 ms -->"#;
        (seen.target().0 == "/token").then(|| Whole(200, String::new(), body.to_owned()))
    });
    authorize(&harness.provider(Settings::default())).await;
    let log = harness.log().await;
    assert!(
        log.contains("<!-- 3 ms -->") && !log.contains("a-token-of-this"),
        "{log}"
    );
}

#[tokio::test]
async fn a_response_whose_secrets_cannot_be_masked_ends_the_run_and_is_not_recorded() {
    let long = "t".repeat(17 << 10);
    let many: Vec<_> = (0..70)
        .map(|n| json!({"id_token": format!("token-{n:04}")}))
        .collect();
    let plain = json!({"access_token": "short-enough", "token_type": "Bearer", "others": many}).to_string();
    let escaped = format!(r#"{{"access\u005ftoken": "{long}", "token_type": "Bearer"}};"#);
    for (body, cause) in [
        (plain, "more than 64 tokens"),
        (
            format!(r#"{{"access_token": "{long}", "token_type": "Bearer"}}"#),
            "its access_token has 17408 bytes",
        ),
        (escaped, "issued a token of 17408 bytes"),
    ] {
        let harness = Harness::new();
        harness.server.answer_instead(move |seen| {
            (seen.target().0 == "/token").then(|| Whole(200, String::new(), body.clone()))
        });
        let failure = failure_of(&harness.provider(Settings::default()), unauthorized("Bearer")).await;
        assert_eq!(failure.step, Step::Token, "{failure}");
        assert!(failure.cause.contains(cause), "{failure}");
        assert!(failure.next.contains("shorter tokens") && failure.exchange.is_some());
        let log = harness.log().await;
        assert!(log.contains("/token") && !log.contains("Bearer\""), "{log}");
    }
}

#[tokio::test]
async fn secrets_that_a_server_echoes_are_masked() {
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
    let failure = failure_of(&harness.provider(settings), unauthorized("Bearer")).await;
    assert!(failure.cause.contains("invalid_grant"), "{failure}");
    let sent = harness.at("/token")[0].form();
    let (code, verifier) = (sent.get("code"), sent.get("code_verifier"));
    let reports = format!("{failure:?} {:?}", harness.events.lock().unwrap());
    let log = harness.log().await;
    for secret in [code, verifier] {
        assert!(
            !reports.contains(secret) && !log.contains(secret),
            "{secret}: {reports} {log}"
        );
    }
    assert!(!reports.contains("s3cr"), "{reports}");
}

#[tokio::test]
async fn the_secrets_in_the_settings_are_masked() {
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

#[tokio::test]
async fn nothing_is_asked_about_the_identity_provider_of_the_settings() {
    let harness = Harness::new();
    harness.server.publish_resource(PUBLIC_SERVER);
    harness.server.add_client("machine", Some("machine-secret"));
    harness.server.add_client("patchbay-at-idp", None);
    allow_twice(&harness);
    // In a private network too, and at another name than the authorization server.
    let endpoint = format!("{}/token", harness.server.issuer(1)).replace("127.0.0.1", "localhost");
    let enterprise = Enterprise {
        issuer: None,
        token_endpoint: Some(endpoint.parse().unwrap()),
        client_id: "patchbay-at-idp".to_owned(),
        client_secret: None,
        id_token: Secret::new("id-token-of-ada-0123456789"),
    };
    let settings = Settings {
        grant: GrantChoice::Enterprise(Box::new(enterprise)),
        client: ClientChoice::Manual {
            id: "machine".to_owned(),
            secret: Some(Secret::new("machine-secret")),
            auth_method: None,
            issuer: None,
        },
        ..Settings::default()
    };
    let here = harness.server.url("/.well-known/oauth-protected-resource/mcp");
    let challenge = format!("Bearer resource_metadata=\"{here}\"");
    let provider = harness.provider_of(PUBLIC_SERVER, settings);
    assert_eq!(provider.obtain(unauthorized(&challenge)).await, Ok(()));
    // Only about what the server names.
    assert_eq!(questions(&harness), 2);
}

#[tokio::test]
async fn too_many_scopes_are_refused_and_long_lists_are_shown_in_part() {
    let scopes = |number: usize| {
        let all: Vec<String> = (0..number).map(|at| format!("scope-{at}")).collect();
        all.join(" ")
    };
    // Granted.
    let harness = Harness::new();
    let granted = scopes(1001);
    harness.server.answer_instead(move |seen| {
        let token = json!({"access_token": "access-token-1", "token_type": "bearer", "scope": granted});
        (seen.target().0 == "/token").then(|| Whole::json(200, &token))
    });
    let failure = failure_of(&harness.provider(Settings::default()), unauthorized("Bearer")).await;
    assert_eq!(failure.step, Step::Token);
    assert!(failure.cause.contains("1001 scopes, more than 1000"), "{failure}");
    // Requested, with offline_access.
    let challenge = |number: usize| format!("Bearer scope=\"{}\"", scopes(number));
    let failure = failure_of(
        &harness.provider(Settings::default()),
        unauthorized(&challenge(1000)),
    )
    .await;
    assert_eq!(failure.step, Step::Registration);
    assert!(failure.cause.contains(" scopes, more than 1000"), "{failure}");
    // As many as are allowed are still more than is shown.
    let harness = Harness::new();
    harness.browser(super::harness::Browser::Missing);
    failure_of(
        &harness.provider(Settings::default()),
        unauthorized(&challenge(999)),
    )
    .await;
    let events = harness.events.lock().unwrap();
    let shown = events.iter().find_map(|event| match &event.what {
        RunEventKind::StepDone { facts, .. } => facts.iter().find(|fact| fact.name == "scope").cloned(),
        _ => None,
    });
    let shown = shown.unwrap().value;
    assert!(shown.starts_with("scope-0 scope-1 "), "{shown}");
    assert!(
        shown.ends_with(" more characters)") && shown.len() < 4200,
        "{shown}"
    );
}
