//! Clients that the authorization server no longer knows are deleted, so that the next run registers again.

use super::Run;
use crate::grant::authorization::NotGranted;
use crate::registration::{self, Registered};
use crate::token::endpoint::Denied;
use crate::{ClientOrigin, Failure, RegisteredClient, Step, StoredTokens};

impl Run<'_> {
    /// Handles a browser that did not return with a code. If it waits at an error because the server no longer knows the client,
    /// every further run would end the same way.
    pub(super) async fn not_granted(&self, denied: NotGranted, registered: &Registered) -> Failure {
        let client = &registered.client;
        if denied.timed_out && client.origin == ClientOrigin::Manual {
            return Failure {
                next: "Authorize again. If the page showed an error about the client, select the step Registration and Retry from \
                       here, to enter another client ID. If the browser is on another machine, paste the address of its last page."
                    .to_owned(),
                ..denied.failure
            };
        }
        let is_reused = client.origin == ClientOrigin::Dynamic && !registered.new;
        if !denied.timed_out || !is_reused {
            return denied.failure;
        }
        // A client that refreshes tokens is needed, and a refresh says whether the server knows it.
        let forgotten = self.forget(Step::Authorization, client, |kept| !kept.can_refresh_with(client));
        match forgotten.await {
            true => Failure {
                next: "Authorize again: Patchbay then registers a new client, in case the page showed an error. If the browser is \
                       on another machine, paste the address of its last page."
                    .to_owned(),
                ..denied.failure
            },
            false => denied.failure,
        }
    }

    /// Handles a refused token request. A client that the server no longer knows is deleted.
    pub(super) async fn denied(&self, denied: Denied, client: &RegisteredClient) -> Failure {
        let code = denied.code.as_deref().unwrap_or_default();
        let is_gone = registration::is_gone(client, code);
        if is_gone && self.forget(Step::Token, client, |_| true).await && code != "invalid_client" {
            let next = "Authorize again: Patchbay then registers a new client.".to_owned();
            return Failure {
                next,
                ..denied.failure
            };
        }
        denied.failure
    }

    /// Deletes a client, so that the next run registers again. Returns whether it did.
    async fn forget(
        &self,
        step: Step,
        client: &RegisteredClient,
        may: impl FnOnce(&StoredTokens) -> bool,
    ) -> bool {
        let mut is_forgotten = false;
        let forgotten = self.change(step, |kept| {
            is_forgotten = may(kept);
            if is_forgotten {
                kept.forget(&client.issuer, &client.id);
            }
        });
        if let Err(failure) = forgotten.await {
            tracing::warn!(cause = failure.cause, "a client could not be forgotten");
            return false;
        }
        is_forgotten
    }
}
