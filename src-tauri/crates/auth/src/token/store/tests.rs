use std::time::{Duration, SystemTime};

use patchbay_secret::Secret;

use crate::{AuthMethod, ClientOrigin, DpopKey, GrantKind, RegisteredClient, StoredTokens, TokenSet};

#[test]
fn stored_tokens_round_trip_through_the_vault() {
    let at = SystemTime::UNIX_EPOCH + Duration::from_millis(1_234_567);
    let kept = StoredTokens {
        tokens: Some(TokenSet {
            access: Secret::new("the access token"),
            refresh: Some(Secret::new("the refresh token")),
            scopes: Some(vec!["a".to_owned()]),
            requested: vec!["a".to_owned(), "b".to_owned()],
            issuer: "https://as.example/".to_owned(),
            resource: Some("https://h.example/mcp".to_owned()),
            client_id: "me".to_owned(),
            grant: Some(GrantKind::Enterprise),
            token_endpoint: "https://as.example/token".to_owned(),
            revocation_endpoint: None,
            dpop: Some(DpopKey::generate().unwrap()),
            obtained_at: at,
            expires_at: Some(at + Duration::from_secs(60)),
        }),
        clients: vec![RegisteredClient {
            issuer: "https://as.example/".to_owned(),
            id: "me".to_owned(),
            secret: Some(Secret::new("the secret")),
            secret_expires_at: None,
            auth_method: AuthMethod::Post,
            origin: ClientOrigin::Dynamic,
            redirect_uri: Some("http://localhost:1/callback".to_owned()),
        }],
    };
    let written = kept.to_secret();
    let back = StoredTokens::from_secret(&written).unwrap();
    assert_eq!(back.to_secret().expose(), written.expose());
    let tokens = back.tokens.unwrap();
    assert_eq!(tokens.expires_at, Some(at + Duration::from_secs(60)));
    assert_eq!(tokens.access.expose(), "the access token");
    assert_eq!(tokens.grant, Some(GrantKind::Enterprise));
    assert_eq!(
        tokens.dpop.unwrap().thumbprint(),
        kept.tokens.unwrap().dpop.unwrap().thumbprint()
    );
    assert_eq!(back.clients[0].origin, ClientOrigin::Dynamic);

    // As an earlier version wrote it.
    let earlier = written.expose().replace("\"grant\":\"enterprise\",", "");
    let earlier = StoredTokens::from_secret(&Secret::new(earlier)).unwrap();
    assert_eq!(earlier.tokens.unwrap().grant, None);

    let empty = StoredTokens::from_secret(&StoredTokens::default().to_secret()).unwrap();
    assert!(empty.tokens.is_none() && empty.clients.is_empty());
    for junk in [
        "",
        "{}",
        "{\"version\":2,\"tokens\":null,\"clients\":[]}",
        "[\"the access token\"]",
    ] {
        let error = StoredTokens::from_secret(&Secret::new(junk)).err().unwrap();
        assert!(!error.to_string().contains("the access token"));
    }
}

fn client(issuer: &str, id: &str, origin: ClientOrigin) -> RegisteredClient {
    RegisteredClient {
        issuer: issuer.to_owned(),
        id: id.to_owned(),
        secret: None,
        secret_expires_at: None,
        auth_method: AuthMethod::None,
        origin,
        redirect_uri: None,
    }
}

fn ids(kept: &StoredTokens) -> Vec<&str> {
    kept.clients.iter().map(|client| client.id.as_str()).collect()
}

/// They were obtained while the vault was locked.
#[test]
fn what_is_in_memory_is_merged_into_what_is_stored() {
    let (one, other) = ("https://one.example", "https://other.example");
    let tokens = |issuer: &str, id: &str| TokenSet {
        access: Secret::new("the access token"),
        refresh: None,
        scopes: None,
        requested: Vec::new(),
        issuer: issuer.to_owned(),
        resource: None,
        client_id: id.to_owned(),
        grant: None,
        token_endpoint: format!("{issuer}/token"),
        revocation_endpoint: None,
        dpop: None,
        obtained_at: SystemTime::UNIX_EPOCH,
        expires_at: None,
    };
    let stored = || StoredTokens {
        tokens: Some(tokens(one, "entered")),
        clients: vec![
            client(one, "entered", ClientOrigin::Manual),
            client(one, "registered", ClientOrigin::Dynamic),
        ],
    };
    // A client was registered, and there is no token yet.
    let mut kept = StoredTokens {
        tokens: None,
        clients: vec![client(one, "again", ClientOrigin::Dynamic)],
    };
    kept.merge(stored());
    assert_eq!(ids(&kept), ["entered", "again"]);
    assert_eq!(kept.tokens.unwrap().client_id, "entered");
    // There is a new token; a client of another kind stays.
    let mut kept = StoredTokens {
        tokens: Some(tokens(other, "new")),
        clients: vec![client(other, "new", ClientOrigin::Dynamic)],
    };
    kept.merge(stored());
    assert_eq!(ids(&kept), ["entered", "registered", "new"]);
    assert_eq!(kept.tokens.unwrap().client_id, "new");
}
