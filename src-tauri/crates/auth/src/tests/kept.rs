//! What is stored: a store that cannot be read or written for a while, and other programs that change it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use patchbay_secret::Secret;

use super::harness::{Browser, Harness, authorize, carried, refused};
use super::run::until;
use crate::{
    ClientChoice, CredentialProvider, MemoryTokenStore, Settings, Step, StoredTokens, TokenStore,
    TokenStoreError, TokenStoreLock,
};

/// A store that cannot be written for a while.
struct Full {
    store: MemoryTokenStore,
    full: AtomicBool,
}

impl Full {
    fn of(harness: &Harness) -> Arc<Self> {
        Arc::new(Self {
            store: harness.tokens.clone(),
            full: AtomicBool::default(),
        })
    }

    fn set_full(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }

    fn provider(self: &Arc<Self>, harness: &Arc<Harness>) -> CredentialProvider {
        let server = harness.server.address().parse().unwrap();
        CredentialProvider::new(server, Settings::default(), harness.clone(), self.clone())
    }
}

impl TokenStore for Full {
    fn load(&self) -> BoxFuture<'_, Result<StoredTokens, TokenStoreError>> {
        self.store.load()
    }

    fn save(&self, kept: StoredTokens) -> BoxFuture<'_, Result<(), TokenStoreError>> {
        if self.full.load(Ordering::Relaxed) {
            let error = TokenStoreError {
                cause: "the disk is full".to_owned(),
                next: "Make room.".to_owned(),
            };
            return Box::pin(async { Err(error) });
        }
        self.store.save(kept)
    }

    fn lock(&self) -> BoxFuture<'_, Result<TokenStoreLock, TokenStoreError>> {
        self.store.lock()
    }
}

fn refresh_tokens_used(harness: &Harness) -> Vec<String> {
    let requests = harness.at("/token");
    let used = requests
        .iter()
        .map(|seen| seen.form().get("refresh_token").to_owned());
    used.filter(|token| !token.is_empty()).collect()
}

#[tokio::test]
async fn a_refreshed_token_that_cannot_be_stored_is_kept_in_memory() {
    let harness = Harness::new();
    let store = Full::of(&harness);
    let provider = store.provider(&harness);
    authorize(&provider).await;
    store.set_full(true);
    harness.later(3600 - 10);
    assert_eq!(carried(&provider).await, harness.bearer(2));
    assert_eq!(provider.view().await.problem.as_deref(), Some("the disk is full"));
    // The used refresh token is not used again.
    store.set_full(false);
    harness.later(10);
    let refusal = refused(&provider, "Bearer error=\"invalid_token\"").await;
    assert_eq!(provider.obtain(refusal).await, Ok(()));
    assert_eq!(
        refresh_tokens_used(&harness),
        harness.server.refresh_tokens()[..2]
    );
    assert_eq!(provider.view().await.problem, None);
}

/// It was issued, and its code cannot be used again.
#[tokio::test]
async fn an_issued_token_that_cannot_be_stored_is_kept_in_memory() {
    let harness = Harness::new();
    let store = Full::of(&harness);
    let provider = store.provider(&harness);
    let full = Arc::clone(&store);
    harness.server.answer_instead(move |seen| {
        if seen.target().0 == "/token" {
            full.set_full(true);
        }
        None
    });
    assert_eq!(authorize(&provider).await, harness.bearer(1));
    assert_eq!(provider.view().await.problem.as_deref(), Some("the disk is full"));
    assert_eq!(harness.reports().last().unwrap(), "ended Done");
    assert!(harness.tokens.load().await.unwrap().tokens.is_none());
    // What is stored, which is older, does not replace it.
    harness.server.answer_instead(|_| None);
    store.set_full(false);
    let refusal = refused(&provider, "Bearer error=\"invalid_token\"").await;
    assert_eq!(provider.obtain(refusal).await, Ok(()));
    assert_eq!(
        refresh_tokens_used(&harness),
        harness.server.refresh_tokens()[..1]
    );
    assert!(harness.tokens.load().await.unwrap().tokens.is_some());
    assert_eq!(provider.view().await.problem, None);
}

/// A clock that was ahead and is corrected.
#[tokio::test]
async fn a_token_of_another_program_counts_as_newer_whatever_the_clock_says() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    *harness.now.lock().unwrap() -= Duration::from_secs(7200);
    harness.provider(Settings::default()).refresh(None).await.unwrap();
    let refusal = refused(&provider, "Bearer error=\"invalid_token\"").await;
    assert_eq!(provider.obtain(refusal).await, Ok(()));
    assert_eq!(carried(&provider).await, harness.bearer(2));
    assert_eq!(
        refresh_tokens_used(&harness),
        harness.server.refresh_tokens()[..1]
    );
}

#[tokio::test]
async fn forgetting_revokes_what_is_stored_now() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    // Another program of the same user.
    harness.provider(Settings::default()).refresh(None).await.unwrap();
    provider.forget(true, None).await.unwrap();
    let server = &harness.server;
    assert_eq!(
        harness.revoked(),
        [
            server.refresh_tokens()[1].clone(),
            server.access_tokens()[1].clone()
        ]
    );
    assert!(harness.tokens.load().await.unwrap().tokens.is_none());
}

#[tokio::test]
async fn forgetting_revokes_also_what_only_another_program_obtained() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    assert!(provider.view().await.token.is_none());
    authorize(&harness.provider(Settings::default())).await;
    provider.forget(true, None).await.unwrap();
    assert_eq!(harness.at("/revoke").len(), 2);
}

/// The user entered a new one after the token was issued.
#[tokio::test]
async fn a_token_is_revoked_with_the_secret_of_the_settings() {
    let harness = Harness::new();
    harness.server.add_client("mine", Some("old-secret-123"));
    let settings = |secret: &str| Settings {
        client: ClientChoice::Manual {
            id: "mine".to_owned(),
            secret: Some(Secret::new(secret)),
            auth_method: Some(crate::AuthMethod::Post),
            issuer: None,
        },
        ..Settings::default()
    };
    authorize(&harness.provider(settings("old-secret-123"))).await;
    harness.server.add_client("mine", Some("new-secret-123"));
    let provider = harness.provider(settings("new-secret-123"));
    let _ = provider.forget(true, None).await;
    let secret = harness.at("/revoke")[0].form().get("client_secret").to_owned();
    assert_eq!(secret, "new-secret-123");
}

/// The browser step was not finished: the token is still of the previous client.
#[tokio::test]
async fn registering_again_keeps_the_client_of_the_token_until_there_is_another_token() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    harness.browser(Browser::Waits);
    provider.start(Some(Step::Registration), None, None);
    let visits = || {
        harness
            .reports()
            .iter()
            .filter(|line| *line == "  browser")
            .count()
    };
    until(|| visits() == 2).await;
    provider.cancel();
    until(|| harness.reports().last().unwrap() == "ended Cancelled").await;
    provider.refresh(None).await.unwrap();
    assert_eq!(harness.tokens.load().await.unwrap().clients.len(), 2);
    // The new one is used, and then the previous one is not needed any more.
    harness.browser(Browser::Agrees);
    provider.start(Some(Step::Authorization), None, None);
    until(|| harness.at("/token").len() == 3).await;
    until(|| harness.reports().last().unwrap() == "ended Done").await;
    assert_eq!(harness.at("/register").len(), 2);
    let kept = harness.tokens.load().await.unwrap();
    let tokens = kept.tokens.unwrap();
    let clients: Vec<&str> = kept.clients.iter().map(|client| client.id.as_str()).collect();
    assert_eq!(clients, [tokens.client_id.as_str()]);
}

#[tokio::test]
async fn a_token_whose_client_is_gone_is_obtained_again_and_its_revocation_fails() {
    let harness = Harness::new();
    let provider = harness.provider(Settings::default());
    authorize(&provider).await;
    let forget_clients = async || {
        let mut kept = harness.tokens.load().await.unwrap();
        kept.clients.clear();
        harness.tokens.save(kept).await.unwrap();
    };
    forget_clients().await;
    let refusal = refused(&provider, "Bearer error=\"invalid_token\"").await;
    assert_eq!(provider.obtain(refusal).await, Ok(()));
    assert_eq!(harness.at("/authorize").len(), 2);
    forget_clients().await;
    let failure = provider.forget(true, None).await.unwrap_err();
    assert_eq!(failure.step, Step::Revocation);
    assert!(failure.cause.contains("cannot be revoked"), "{failure}");
    assert!(harness.at("/revoke").is_empty());
    assert!(harness.tokens.load().await.unwrap().tokens.is_none());
}
