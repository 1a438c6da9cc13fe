//! The credential of an open connection, whose settings may be saved meanwhile.

use std::sync::{Arc, Weak};

use patchbay_auth::{CredentialProvider, Url};
use patchbay_contract::ServerId;
use patchbay_http::{Authorizer, Credential, HeaderMap, Outbound, Refusal, Verdict};
use patchbay_transport::BoxFuture;

use super::table::ServerAuthorization;
use crate::state::EngineState;

/// Authorizes the requests of a connection through the provider that the server has now. What the user does in the panel, with
/// the settings as saved, then concerns the connection too.
pub(super) struct Connected {
    opened_with: Arc<ServerAuthorization>,
    server: ServerId,
    engine: Weak<EngineState>,
}

impl Connected {
    pub(super) fn new(
        opened_with: Arc<ServerAuthorization>,
        server: ServerId,
        engine: Weak<EngineState>,
    ) -> Self {
        Self {
            opened_with,
            server,
            engine,
        }
    }

    /// The provider of now. A token of another address, which the settings may name by now, is not for this connection.
    fn provider(&self) -> CredentialProvider {
        let engine = self.engine.upgrade();
        let current = engine.and_then(|state| state.authorizations.of(&self.server));
        let is_for_it = |current: &Arc<ServerAuthorization>| {
            let opened_with = &self.opened_with;
            current.store.has_name_of(&opened_with.store)
        };
        let current = current.filter(is_for_it);
        current.as_ref().unwrap_or(&self.opened_with).provider.clone()
    }
}

impl Authorizer for Connected {
    fn credential<'a>(&'a self, request: &'a Outbound<'a>) -> BoxFuture<'a, Option<Credential>> {
        Box::pin(async move { self.provider().credential(request).await })
    }

    fn answered(&self, url: &Url, headers: &HeaderMap) -> bool {
        self.provider().answered(url, headers)
    }

    fn refused(&self, refusal: Refusal) -> BoxFuture<'_, Verdict> {
        Box::pin(async move { self.provider().refused(refusal).await })
    }

    fn accepted(&self, version: u64, purpose: &str) {
        self.provider().accepted(version, purpose);
    }

    fn renewed(&self, refusal: Refusal) -> BoxFuture<'_, bool> {
        Box::pin(async move { self.provider().renewed(refusal).await })
    }
}
