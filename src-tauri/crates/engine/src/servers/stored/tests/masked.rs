//! What is masked of what the vault holds.

use super::*;

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
    let engine = harness.engine(StoreChoice::Persistent).await;
    let id = SecretId("server/1/authorization/https://host/mcp".to_owned());
    engine
        .state
        .vault
        .put(vec![(id, kept.to_secret())])
        .await
        .unwrap();
    let server = add(&engine, draft("a", TOKEN)).await.unwrap();
    engine.shutdown().await;

    let again = harness.engine(StoreChoice::Persistent).await;
    given(&again, &server).await.unwrap();
    let text = again
        .state
        .masked("access-token-0123456789 refresh-token-0123456789".to_owned());
    assert_eq!(text, "*******************6789 ********************6789");
    again.shutdown().await;
}
