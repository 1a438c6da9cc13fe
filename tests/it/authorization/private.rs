//! A public server that refers to this machine: the user is asked first (RFC 9728 section 7.7). The server is reached
//! through a proxy that maps its public address to this machine.

use std::sync::Arc;

use patchbay_contract::{EraChoice, ProxyDraft, TransportDraft};
use serde_json::{Value, json};

use super::ProtectedServer;
use crate::{client::run_test, harness::Harness, harness::proxy::Proxy, http::server::Server};

/// A server at a public address, whose certificate is accepted.
async fn public(part: &str) -> ProtectedServer {
    let server = Server::of("oauth", part);
    let there = server.report("where").pop().unwrap();
    let through = Proxy::start("1.1.1.1:443", there).await;
    let harness = Harness::at("https://1.1.1.1/mcp", |draft| {
        draft.era = EraChoice::Legacy;
        if let TransportDraft::Http { proxy, .. } = &mut draft.transport {
            *proxy = ProxyDraft::Url { url: through.url };
        }
    })
    .await;
    let refused = harness.connect().await.unwrap_err();
    harness.accept(&refused.certificate.unwrap().fingerprint).await;
    ProtectedServer::beside(Arc::new(server), harness)
}

/// Connects and answers the question; returns the question and the outcome.
async fn answered(
    protected: &ProtectedServer,
    allow: bool,
) -> (Value, Result<(), patchbay_contract::FailureItem>) {
    let user = async {
        let view = protected.asked("privateAddress").await;
        // No request was sent yet.
        assert_eq!(protected.seen("as "), [""; 0], "{view:#}");
        let url = &view["run"]["question"]["url"];
        protected
            .answer(json!({"type": "privateAddress", "url": url, "allow": allow}))
            .await;
        view["run"]["question"].clone()
    };
    let both = async { tokio::join!(protected.harness.connect(), user) };
    let ((connected, question), _) = protected.consenting(both).await;
    (question, connected)
}

async fn check(part: &str, step: &str) {
    let protected = public(part).await;
    let (question, connected) = answered(&protected, false).await;
    let asked = question.to_string();
    let failure = connected.unwrap_err();
    let view = protected.view().await;
    let shown = format!("{asked}\n{failure:?}\n{view:#}");
    let private = protected.server.report("where").swap_remove(0);
    assert!(question["url"].as_str().unwrap().starts_with(&private), "{shown}");
    assert!(question["why"].as_str().unwrap().contains("1.1.1.1"), "{shown}");
    let steps = view["run"]["steps"].as_array().unwrap();
    let failed = steps.iter().find(|step| step["state"] == "failed").unwrap();
    assert_eq!(failed["step"], step, "{shown}");
    assert_eq!(
        failed["failure"]["rule"]["name"], "RFC 9728 section 7.7",
        "{shown}"
    );
    assert!(failure.cause.contains("private network"), "{shown}");
    assert!(failure.next.contains("Allow it"), "{shown}");
    assert_eq!(protected.seen("as "), [""; 0], "{shown}");

    // A refusal is not permanent; consent applies to the whole run.
    let (_, connected) = answered(&protected, true).await;
    assert!(connected.is_ok(), "{connected:?}\n{:#}", protected.view().await);
    protected.works("echo").await;
    assert_eq!(protected.seen("as POST /token").len(), 1);
    assert_eq!(protected.seen("mcp POST /mcp tools/call echo [token 1]").len(), 1);
    protected.harness.engine.shutdown().await;
}

#[test]
fn a_private_authorization_server_needs_consent() {
    run_test(check("public", "serverMetadata"));
}

#[test]
fn private_endpoints_need_consent() {
    run_test(check("public-issuer", "registration"));
}
