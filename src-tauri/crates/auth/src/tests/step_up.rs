//! Step-up: more scopes in addition to the granted ones, with a limit on attempts.

use patchbay_http::Refusal;
use serde_json::json;

use super::harness::{Harness, authorize, credential, failure_of, unauthorized};
use super::run::until;
use crate::{Settings, Step};
use patchbay_test_server::http::reply::Whole;

fn insufficient(used: u64, scope: &str) -> Refusal {
    Refusal {
        status: 403,
        used: Some(used),
        purpose: "tools/call write".to_owned(),
        ..unauthorized(&format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\""))
    }
}

#[tokio::test]
async fn a_step_up_requests_the_granted_scopes_too() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    assert_eq!(
        provider.obtain(unauthorized("Bearer scope=\"read\"")).await,
        Ok(())
    );
    let before = harness.asked().len();
    let version = credential(&provider, None).await.unwrap().version;
    assert_eq!(provider.obtain(insufficient(version, "write")).await, Ok(()));
    // No metadata is looked up again.
    assert_eq!(harness.asked()[before..], ["GET /authorize", "POST /token"]);
    assert_eq!(
        harness.at("/authorize")[1].query().get("scope"),
        "read offline_access write"
    );
    // A request refused with the old token is only told to retry.
    assert_eq!(provider.obtain(insufficient(version, "other")).await, Ok(()));
    assert_eq!(harness.at("/authorize").len(), 2);
}

#[tokio::test]
async fn a_useless_step_up_is_tried_three_times() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    for _ in 0..3 {
        let version = credential(&provider, None).await.unwrap().version;
        assert_eq!(provider.obtain(insufficient(version, "admin")).await, Ok(()));
    }
    let version = credential(&provider, None).await.unwrap().version;
    let failure = failure_of(&provider, insufficient(version, "admin")).await;
    assert!(
        failure.cause.contains("after 3 authorizations in a row"),
        "{failure}"
    );
    assert_eq!(
        failure.rule.unwrap().name,
        "MCP authorization: Step-Up Authorization Flow"
    );
    assert_eq!(harness.at("/authorize").len(), 4);
    // Another purpose has a separate limit, and so has a later time.
    let other = Refusal {
        purpose: "tools/call read".to_owned(),
        ..insufficient(version, "admin")
    };
    assert_eq!(provider.obtain(other).await, Ok(()));
    harness.later(61);
    let version = credential(&provider, None).await.unwrap().version;
    assert_eq!(provider.obtain(insufficient(version, "admin")).await, Ok(()));
}

#[tokio::test]
async fn offline_access_is_requested_only_where_it_is_listed() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    assert_eq!(
        provider.obtain(unauthorized("Bearer scope=\"read\"")).await,
        Ok(())
    );
    let asked = harness.at("/authorize")[0].query();
    assert_eq!(
        (asked.get("scope"), asked.get("prompt")),
        ("read offline_access", "consent")
    );

    let harness = Harness::new();
    let mut metadata = harness.server.server_metadata();
    metadata["scopes_supported"] = json!(["read"]);
    harness.server.answer_instead(move |seen| {
        (seen.target().0 == "/.well-known/oauth-authorization-server").then(|| Whole::json(200, &metadata))
    });
    let provider = harness.provider(Settings::default());
    assert_eq!(
        provider.obtain(unauthorized("Bearer scope=\"read\"")).await,
        Ok(())
    );
    let asked = harness.at("/authorize")[0].query();
    assert_eq!((asked.get("scope"), asked.get("prompt")), ("read", ""));
}

/// Publishes the metadata of the resource at `/custom` only, and returns the challenge that names it.
fn publish_at_custom(harness: &Harness) -> String {
    let metadata = harness.server.resource_metadata();
    harness.server.answer_instead(move |seen| match seen.target().0 {
        "/custom" => Some(Whole::json(200, &metadata)),
        path if path.starts_with("/.well-known/oauth-protected-resource") => {
            Some(Whole(404, String::new(), String::new()))
        }
        _ => None,
    });
    format!("Bearer resource_metadata=\"{}\"", harness.server.url("/custom"))
}

/// The challenge of a step-up need not name the metadata again.
#[tokio::test]
async fn a_step_up_keeps_the_address_that_the_server_named() {
    let harness = Harness::new();
    let challenge = publish_at_custom(&harness);
    let provider = harness.provider(Settings::default());
    assert_eq!(provider.obtain(unauthorized(&challenge)).await, Ok(()));
    let version = credential(&provider, None).await.unwrap().version;
    assert_eq!(provider.obtain(insufficient(version, "write")).await, Ok(()));
    let before = harness.asked().len();
    provider.start(None, None, None);
    let ended = || {
        harness
            .reports()
            .iter()
            .filter(|line| line.starts_with("ended"))
            .count()
    };
    until(|| ended() == 3).await;
    assert_eq!(harness.reports().last().unwrap(), "ended Done");
    assert_eq!(harness.asked()[before], "GET /custom");
    let asked = harness.at("/authorize").pop().unwrap();
    assert!(asked.query().get("scope").contains("write"));
}

/// After a restart the address is not known any more. The origin of the server is not the authorization server.
#[tokio::test]
async fn a_step_up_guesses_no_other_authorization_server() {
    let harness = Harness::new();
    let challenge = publish_at_custom(&harness);
    let provider = harness.provider(Settings::default());
    assert_eq!(provider.obtain(unauthorized(&challenge)).await, Ok(()));
    let again = harness.provider(Settings::default());
    let version = credential(&again, None).await.unwrap().version;
    let failure = failure_of(&again, insufficient(version, "write")).await;
    assert_eq!(failure.step, Step::ResourceMetadata);
    assert!(
        failure.cause.contains(&harness.server.issuer(0)) && failure.next.contains("Forget the token"),
        "{failure:?}"
    );
    assert_eq!(harness.at("/register").len(), 1);
    // As it says.
    again.forget(true, None).await.unwrap();
    assert_eq!(again.obtain(unauthorized(&challenge)).await, Ok(()));
}
