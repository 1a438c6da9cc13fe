//! A stored token that was obtained with other settings than those of now.

use std::sync::Arc;

use patchbay_secret::Secret;

use super::harness::{Harness, authorize, carried};
use crate::{ClientChoice, DpopChoice, GrantChoice, Settings, TokenStore as _};

fn with_client(id: &str, grant: GrantChoice) -> Settings {
    Settings {
        grant,
        client: ClientChoice::Manual {
            id: id.to_owned(),
            secret: Some(Secret::new("machine-secret")),
            auth_method: None,
            issuer: None,
        },
        ..Settings::default()
    }
}

fn machine() -> Settings {
    with_client("machine", GrantChoice::ClientCredentials { key: None })
}

fn user(id: &str) -> Settings {
    with_client(id, GrantChoice::AuthorizationCode)
}

async fn with_token_of(settings: Settings) -> Arc<Harness> {
    let harness = Harness::new();
    for id in ["machine", "other"] {
        harness.server.add_client(id, Some("machine-secret"));
    }
    authorize(&harness.provider(settings)).await;
    harness
}

#[tokio::test]
async fn a_token_of_another_grant_or_client_is_neither_sent_nor_refreshed() {
    let elsewhere = |id: &str| Settings {
        client: ClientChoice::Manual {
            id: id.to_owned(),
            secret: None,
            auth_method: None,
            issuer: Some("https://other.example".to_owned()),
        },
        ..Settings::default()
    };
    for (before, now, grant) in [
        (Settings::default(), machine(), "client_credentials"),
        (Settings::default(), user("machine"), "authorization_code"),
        (user("machine"), machine(), "client_credentials"),
        (user("machine"), user("other"), "authorization_code"),
        (user("machine"), Settings::default(), "authorization_code"),
        (machine(), user("machine"), "authorization_code"),
        (user("machine"), elsewhere("machine"), ""),
    ] {
        let harness = with_token_of(before).await;
        // It is shown, and can be revoked.
        let provider = harness.provider(now);
        let view = provider.view().await;
        assert!(view.token.is_some(), "{grant}");
        assert!(view.problem.unwrap().contains("is not used"), "{grant}");
        assert_eq!(carried(&provider).await, "none", "{grant}");
        let failure = provider.refresh(None).await.unwrap_err();
        assert!(failure.cause.contains("does not fit the settings"), "{failure}");
        // It has not been used up.
        harness.later(3600 - 1);
        assert_eq!(carried(&provider).await, "none", "{grant}");
        assert_eq!(harness.at("/token").len(), 1, "{grant}");
        if !grant.is_empty() {
            assert_eq!(authorize(&provider).await, harness.bearer(2), "{grant}");
            assert_eq!(harness.at("/token")[1].form().get("grant_type"), grant);
            assert_eq!(provider.view().await.problem, None);
        }
        provider.forget(true, None).await.unwrap();
        assert!(!harness.at("/revoke").is_empty(), "{grant}");
    }
}

/// An earlier version did not store how it was obtained.
#[tokio::test]
async fn a_token_of_an_earlier_version_is_used_unless_its_client_is_another() {
    for (before, now, is_used) in [
        (Settings::default(), Settings::default(), true),
        (user("machine"), user("machine"), true),
        (machine(), machine(), true),
        (user("machine"), machine(), true),
        (Settings::default(), machine(), false),
        (user("machine"), user("other"), false),
    ] {
        let harness = with_token_of(before).await;
        let mut kept = harness.tokens.load().await.unwrap();
        kept.tokens.as_mut().unwrap().grant = None;
        harness.tokens.save(kept).await.unwrap();
        let expected = if is_used {
            harness.bearer(1)
        } else {
            "none".to_owned()
        };
        assert_eq!(carried(&harness.provider(now)).await, expected);
    }
}

#[tokio::test]
async fn a_bearer_token_is_not_sent_where_tokens_have_to_be_bound() {
    let harness = with_token_of(Settings::default()).await;
    for (dpop, expected) in [
        (DpopChoice::Always, "none".to_owned()),
        (DpopChoice::Never, harness.bearer(1)),
    ] {
        let provider = harness.provider(Settings {
            dpop,
            ..Settings::default()
        });
        assert_eq!(carried(&provider).await, expected, "{dpop:?}");
    }
    harness.later(3600 - 1);
    let always = harness.provider(Settings {
        dpop: DpopChoice::Always,
        ..Settings::default()
    });
    assert_eq!(carried(&always).await, "none");
    assert!(always.refresh(None).await.is_err());
    assert_eq!(harness.at("/token").len(), 1);
}
