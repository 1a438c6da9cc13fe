//! Enterprise-managed authorization: the organization's identity provider (`as2`) exchanges the user's ID token for an
//! assertion, which the server's authorization server exchanges for a token, without user interaction.

use patchbay_contract::{AuthorizationDraft, AuthorizationMode, EnterpriseDraft};
use serde_json::json;

use super::{
    ProtectedServer,
    rejections::{Rejected, ends},
};
use crate::client::run_test;

const ID_TOKEN: &str = "id-token-of-ada-0123456789";
const SECRET: &str = "known-secret-0123456789";

/// A server whose settings have the identity provider's issuer or its token endpoint.
async fn managed(part: &str, by_issuer: bool) -> ProtectedServer {
    let protected = ProtectedServer::of(part).await;
    let provider = protected.server.report("where").swap_remove(1);
    let authorization = AuthorizationDraft {
        mode: AuthorizationMode::Enterprise,
        client_id: Some("known-client".to_owned()),
        client_secret: Some(SECRET.to_owned()),
        enterprise: Some(EnterpriseDraft {
            issuer: by_issuer.then(|| provider.clone()),
            token_endpoint: (!by_issuer).then(|| format!("{provider}/token")),
            client_id: Some("known-client".to_owned()),
            client_secret: Some(SECRET.to_owned()),
            id_token: Some(ID_TOKEN.to_owned()),
        }),
        ..AuthorizationDraft::default()
    };
    protected
        .harness
        .change(|draft| draft["authorization"] = json!(authorization))
        .await;
    protected
}

#[test]
fn an_identity_assertion_gets_a_token() {
    run_test(async {
        for by_issuer in [true, false] {
            let protected = managed("fair", by_issuer).await;
            let (connected, pages) = protected.consenting(protected.harness.connect()).await;
            assert!(connected.is_ok() && pages.is_empty(), "{connected:?} {pages:?}");
            protected.works("echo").await;
            let mut asked = protected.seen("as");
            asked.retain(|line| !line.contains("/.well-known/"));
            assert_eq!(
                asked,
                [
                    "as2 POST /token urn:ietf:params:oauth:grant-type:token-exchange resource=http://mcp/mcp",
                    "as POST /token urn:ietf:params:oauth:grant-type:jwt-bearer resource=http://mcp/mcp",
                ]
            );
            assert_eq!(protected.seen("as2 GET /.well-known/").is_empty(), !by_issuer);
            assert_eq!(protected.seen("mcp POST /mcp tools/call echo [token 1]").len(), 1);
            let told = protected.server.report("secrets").join("\n");
            assert!(
                told.contains("id-jag ") && told.contains("access_token "),
                "{told}"
            );
            let shown = format!(
                "{}{}",
                protected.view().await,
                protected.harness.recording().await
            );
            for line in told.lines().chain([&*format!("id_token {ID_TOKEN}")]) {
                let secret = line.split_once(' ').unwrap().1;
                assert!(!shown.contains(secret), "{line} is shown");
            }
            protected.harness.engine.shutdown().await;
        }
    });
}

/// An enterprise-managed run that a server's refusal ends: the step, the cause and the advice.
fn run_fails(by_issuer: bool, rejected: Rejected, advice: &str) {
    run_test(async {
        let protected = managed(rejected.part, by_issuer).await;
        let next = ends(&protected, rejected).await;
        assert!(next.contains(advice), "{next}");
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn a_refusal_of_the_identity_provider_ends_the_run() {
    let rejected = Rejected {
        part: "stranger-to-provider",
        step: "token",
        cause: "the identity provider's token endpoint answered invalid_grant (Ada may not use this server)",
        rule: "RFC 6749 section 5.2",
        last: "as2 POST /token urn:ietf:params:oauth:grant-type:token-exchange",
    };
    run_fails(true, rejected, "ID token");
}

#[test]
fn a_rejected_assertion_ends_the_run() {
    let rejected = Rejected {
        part: "assertion-refused",
        step: "token",
        cause: "the token endpoint answered invalid_grant (this assertion is not trusted)",
        rule: "RFC 6749 section 5.2",
        last: "as POST /token urn:ietf:params:oauth:grant-type:jwt-bearer",
    };
    run_fails(false, rejected, "assertion was refused");
}
