//! A server with a self-signed certificate: rejected, then accepted by its fingerprint, which accepts no other certificate.

use patchbay_contract::TransportDraft;

use crate::{client::run_test, harness::Harness, http::server::Server};

#[test]
fn a_self_signed_certificate_is_refused_until_its_fingerprint_is_accepted() {
    run_test(async {
        let server = Server::of("https", "fair");
        let harness = Harness::at(&server.url, |_| {}).await;
        let failure = harness.connect().await.unwrap_err();
        let certificate = failure.certificate.clone().unwrap();
        assert!(failure.cause.contains("self-signed"), "{failure:?}");
        assert!(failure.next.contains("fingerprint"), "{failure:?}");

        harness.accept(&"0".repeat(64)).await;
        let failure = harness.connect().await.unwrap_err();
        assert_eq!(
            failure.certificate.as_ref().map(|refused| &refused.fingerprint),
            Some(&certificate.fingerprint),
            "another certificate than the one that was accepted: {failure:?}"
        );

        harness.accept(&certificate.fingerprint).await;
        harness.connect().await.unwrap();
        let called = harness.call_tool("echo", r#"{"a":1}"#).rest().await;
        assert_eq!(called.last().unwrap()["outcome"]["type"], "result", "{called:?}");

        // The log shows that the user accepted it.
        let mut accepted = 0;
        for row in harness.all_rows().await {
            let record = harness.record(&row["seq"]).await;
            accepted += u32::from(record["http"]["timing"]["tls"]["acceptedByUser"] == true);
        }
        assert!(accepted >= 1);
        harness.engine.shutdown().await;
    });
}

/// Accepting the certificate of one server does not affect other servers.
#[test]
fn an_accepted_fingerprint_applies_to_its_server_only() {
    run_test(async {
        let (one, other) = (Server::of("https", "fair"), Server::of("https", "fair"));
        let harness = Harness::at(&one.url, |_| {}).await;
        let failure = harness.connect().await.unwrap_err();
        let fingerprint = failure.certificate.unwrap().fingerprint;
        let harness = Harness::at(&other.url, |draft| {
            if let TransportDraft::Http {
                accepted_fingerprint, ..
            } = &mut draft.transport
            {
                *accepted_fingerprint = Some(fingerprint);
            }
        })
        .await;
        let failure = harness.connect().await.unwrap_err();
        assert!(failure.certificate.is_some(), "{failure:?}");
        harness.engine.shutdown().await;
    });
}
