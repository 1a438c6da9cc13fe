//! The certificate that the user accepted although it fails the normal check.

use super::secure::{Authority, secure, url};
use super::server::ok;
use super::*;
use crate::TlsReason;

/// Another host, such as an authorization server that the server names, could have any certificate of the server's owner.
#[tokio::test]
async fn an_accepted_certificate_is_accepted_for_the_host_of_the_server_only() {
    let authority = Authority::new();
    let identity = authority.issue(|_| {});
    let server = secure(&identity, None, [ok("accepted"), ok("trusted")]).await;
    let fingerprint = crate::connect::tls::Facts::of(&identity.chain[0]).fingerprint;
    let accepting = |host: &str, settings: Settings| Settings {
        accepted_fingerprint: Some(fingerprint.clone()),
        server_host: Some(host.to_owned()),
        ..settings
    };
    let failed = Harness::new(accepting("elsewhere.test", direct()))
        .refused(&url(&server))
        .await;
    assert_eq!(failed.tls.unwrap().reason, TlsReason::UnknownIssuer);
    assert_eq!(
        failed.next,
        "If you know this host, add its authority's file under TLS."
    );
    for (host, settings, text, is_by_user) in [
        ("ONE.test", direct(), "accepted", true),
        ("elsewhere.test", authority.trusting(), "trusted", false),
    ] {
        let harness = Harness::new(accepting(host, settings));
        assert_eq!(harness.text(&url(&server)).await, text);
        let HttpStage::Timing(timing) = harness.stages(1).await.remove(1) else {
            panic!("no timing")
        };
        assert_eq!(timing.tls.unwrap().accepted_by_user, is_by_user, "{host}");
    }
}
