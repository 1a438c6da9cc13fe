//! What is masked of what the vault holds.

use super::*;

/// A key for DPoP as it is stored. Generated for tests and used nowhere else.
const KEY: &str = "\
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFXJBmoTqZvIoP9d4\
    hZyiCWCKoCetZJKjnPg4G1vSgPChRANCAAQRqOgduu_A_YCLRzGo5yKksLu16-3q\
    FocOo45gwPSBtel49md7wbun_ephN5hCdGgi4tR24uvMC04mA-xHE6Tv";

#[tokio::test]
async fn tokens_are_masked_as_soon_as_the_vault_is_open() {
    let harness = Harness::new();
    let kept = patchbay_auth::StoredTokens {
        tokens: Some(patchbay_auth::TokenSet {
            access: Secret::new("access-token-0123456789"),
            refresh: Some(Secret::new("refresh-token-0123456789")),
            scopes: None,
            requested: Vec::new(),
            issuer: "https://as".to_owned(),
            resource: None,
            client_id: "me".to_owned(),
            grant: None,
            token_endpoint: "https://as/token".to_owned(),
            revocation_endpoint: None,
            dpop: None,
            obtained_at: std::time::SystemTime::UNIX_EPOCH,
            expires_at: None,
        }),
        clients: Vec::new(),
    };
    let stored = kept.to_secret();
    let (without, with) = (r#""dpopKey":null"#, format!(r#""dpopKey":"{KEY}""#));
    assert!(stored.expose().contains(without));
    let stored = Secret::new(stored.expose().replace(without, &with));
    let engine = harness.engine(StoreChoice::Persistent).await;
    let id = SecretId("server/1/authorization/https://host/mcp".to_owned());
    engine.state.vault.put(vec![(id, stored)]).await.unwrap();
    let server = add(&engine, draft("a", TOKEN)).await.unwrap();
    engine.shutdown().await;

    let again = harness.engine(StoreChoice::Persistent).await;
    given(&again, &server).await.unwrap();
    let text = again
        .state
        .masked("access-token-0123456789 refresh-token-0123456789".to_owned());
    assert_eq!(text, "*******************6789 ********************6789");
    let text = again.state.masked(format!("a {KEY}."));
    assert_eq!(
        text,
        format!("a {}{}.", "*".repeat(KEY.len() - 4), &KEY[KEY.len() - 4..])
    );
    again.shutdown().await;
}
