//! Workload identity federation (SEP-1933): the platform's assertion for a token.

use std::sync::{Arc, Mutex};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use futures_util::future::BoxFuture;
use patchbay_secret::Secret;
use patchbay_test_server::http::reply::Whole;
use serde_json::{Value, json};

use super::harness::{Harness, authorize, failure_of, json as reply, unauthorized};
use crate::{AssertionError, AssertionSource, ClientChoice, GrantChoice, Settings, Step, Workload};

/// A platform that issues what a test says.
struct Platform(Mutex<Result<String, String>>);

impl AssertionSource for Platform {
    fn load(&self) -> BoxFuture<'_, Result<Secret, AssertionError>> {
        let read = self.0.lock().unwrap().clone();
        Box::pin(async move {
            read.map(Secret::new).map_err(|cause| AssertionError {
                cause,
                next: "Mount it.".to_owned(),
            })
        })
    }

    fn name(&self) -> String {
        "the file /run/token".to_owned()
    }
}

fn jwt(claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.c2lnbmF0dXJl", part(&json!({"alg": "ES256"})), part(claims))
}

fn valid() -> String {
    jwt(&json!({"iss": "https://k8s.example", "sub": "pod-1", "aud": "https://as.example", "exp": 1_000_100}))
}

fn settings(assertion: Result<String, String>) -> Settings {
    Settings {
        grant: GrantChoice::Workload(Workload {
            source: Arc::new(Platform(Mutex::new(assertion))),
        }),
        scopes: Some(vec!["work".to_owned()]),
        ..Settings::default()
    }
}

fn accepting(harness: &Harness, answer: impl Fn() -> Option<Whole> + Send + 'static) {
    let mut metadata = harness.server.server_metadata();
    metadata["grant_types_supported"] = json!([crate::grant::JWT_BEARER]);
    metadata["token_endpoint_auth_methods_supported"] = json!(["none"]);
    metadata.as_object_mut().unwrap().remove("registration_endpoint");
    harness.server.answer_instead(move |seen| match seen.target().0 {
        "/.well-known/oauth-authorization-server" => reply(200, metadata.clone()),
        "/token" => answer(),
        _ => None,
    });
}

#[tokio::test]
async fn an_assertion_is_exchanged_without_a_client_and_a_user() {
    let harness = Harness::new();
    accepting(&harness, || {
        reply(
            200,
            json!({"access_token": "token-of-the-pod", "token_type": "Bearer"}),
        )
    });
    let provider = harness.provider(settings(Ok(format!("{}\n", valid()))));
    assert_eq!(authorize(&provider).await, "Bearer token-of-the-pod");
    let request = &harness.at("/token")[0];
    for (name, value) in [
        ("grant_type", crate::grant::JWT_BEARER),
        ("assertion", &valid()),
        ("resource", &harness.server.address()),
        ("scope", "work"),
        ("client_id", ""),
    ] {
        assert_eq!(request.form().get(name), value, "{name}");
    }
    let shown = harness.reports().join("\n");
    assert!(
        shown.contains("the assertion from the file /run/token (issuer https://k8s.example, subject pod-1")
    );
    assert!(shown.contains("Authorization skipped"), "{shown}");
    assert!(!shown.contains(&valid()) && !harness.log().await.contains(&valid()));

    // A client that the authorization server wants is sent.
    let known = Settings {
        client: ClientChoice::Manual {
            id: "workload".to_owned(),
            secret: None,
            auth_method: None,
            issuer: None,
        },
        ..settings(Ok(valid()))
    };
    provider.forget(false, None).await.unwrap();
    authorize(&harness.provider(known)).await;
    assert_eq!(harness.at("/token")[1].form().get("client_id"), "workload");
}

#[tokio::test]
async fn a_refused_assertion_is_final() {
    for code in ["invalid_grant", "invalid_scope", "unauthorized_client"] {
        let harness = Harness::new();
        accepting(&harness, move || reply(400, json!({"error": code})));
        let provider = harness.provider(settings(Ok(valid())));
        let failure = failure_of(&provider, unauthorized("Bearer")).await;
        assert!(failure.cause.contains(code), "{failure}");
        assert!(
            failure.next.contains("audience https://as.example"),
            "{}",
            failure.next
        );
        assert_eq!(failure.rule.unwrap().name, "RFC 6749 section 5.2");
        // Neither again nor with another grant.
        assert_eq!(harness.at("/token").len(), 1);
        assert!(harness.at("/authorize").is_empty());
    }
}

#[tokio::test]
async fn an_assertion_that_nobody_could_accept_is_not_sent() {
    let expired = jwt(&json!({"iss": "a", "sub": "b", "exp": 999_000}));
    for (assertion, cause) in [
        (Err("the file /run/token is not there".to_owned()), "is not there"),
        (Ok(" \n".to_owned()), "is empty"),
        (Ok("not a token".to_owned()), "is not a signed JWT"),
        (Ok("x".repeat(70_000)), "is longer than 65536 bytes"),
        (Ok(expired), "expired 1000 s ago"),
    ] {
        let harness = Harness::new();
        let failure = failure_of(&harness.provider(settings(assertion)), unauthorized("Bearer")).await;
        assert_eq!(failure.step, Step::Token, "{failure}");
        assert!(failure.cause.contains(cause), "{failure}");
        assert!(harness.at("/token").is_empty());
    }
}
