//! The keeper as the transport asks it.

use patchbay_auth::{self as auth, Keeper};
use patchbay_transport::{Authorizer, BoxFuture, Credential, Failure, Refusal, Verdict};

/// A server's keeper, for its transport.
pub(super) struct ByKeeper(pub(super) Keeper);

impl Authorizer for ByKeeper {
    fn credential(&self) -> BoxFuture<'_, Option<Credential>> {
        Box::pin(async move {
            let credential = self.0.credential().await?;
            Some(Credential {
                value: credential.value,
                version: credential.version,
            })
        })
    }

    fn refused(&self, refusal: Refusal) -> BoxFuture<'_, Verdict> {
        Box::pin(async move {
            match self.0.refused(of_keeper(refusal)).await {
                auth::Verdict::Retry => Verdict::Retry,
                auth::Verdict::GiveUp(failure) => Verdict::GiveUp(words(failure)),
            }
        })
    }

    fn accepted(&self, version: u64, purpose: &str) {
        self.0.accepted(version, purpose);
    }

    fn renewed(&self, refusal: Refusal) -> BoxFuture<'_, bool> {
        Box::pin(async move { self.0.renewed(of_keeper(refusal)).await })
    }
}

fn of_keeper(refusal: Refusal) -> auth::Refusal {
    auth::Refusal {
        status: refusal.status,
        www_authenticate: refusal.www_authenticate,
        exchange: Some(refusal.exchange),
        used: refusal.used,
        purpose: refusal.purpose,
    }
}

fn words(failure: auth::Failure) -> Failure {
    let told = Failure::new(failure.step.title(), failure.cause, failure.next);
    match failure.rule {
        Some(rule) => told.with_detail(format!("{}: {}", rule.name, rule.url)),
        None => told,
    }
}
