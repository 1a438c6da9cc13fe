//! The life of a token: refreshed, lost, insufficient, moved, deleted.

use serde_json::{Value, json};

use super::ProtectedServer;
use crate::client::run_test;

#[test]
fn a_token_the_server_lost_is_refreshed_without_the_user() {
    run_test(async {
        let protected = ProtectedServer::ready("fair").await;
        protected.works("lose-token").await;
        let (_, pages) = protected.consenting(protected.works("echo")).await;
        assert!(pages.is_empty(), "{pages:?}");
        assert_eq!(protected.seen("as POST /token refresh_token").len(), 1);
        // The refused call and its retry: nothing else is repeated.
        assert_eq!(protected.seen("mcp POST /mcp tools/call echo [token 1]").len(), 1);
        assert_eq!(protected.seen("mcp POST /mcp tools/call echo [token 2]").len(), 1);
        protected.harness.engine.shutdown().await;
    });
}

/// The token was valid in between, so an earlier refresh does not matter and the user is not asked.
#[test]
fn a_repeatedly_lost_token_is_refreshed_each_time() {
    run_test(async {
        let protected = ProtectedServer::ready("fair").await;
        for round in 1..=3 {
            protected.works("lose-token").await;
            let ((), pages) = protected.consenting(protected.works("echo")).await;
            assert!(pages.is_empty(), "{round}: {pages:?}");
            assert_eq!(protected.seen("as POST /token refresh_token").len(), round);
        }
        protected.harness.engine.shutdown().await;
    });
}

/// With rotation every refresh token works once: a second refresh would lose everything.
#[test]
fn concurrent_calls_share_one_refresh() {
    run_test(async {
        let protected = ProtectedServer::ready("fair").await;
        for round in 1..=3 {
            protected.harness.of_server("authorization_expire").await;
            tokio::join!(
                protected.works("echo"),
                protected.works("streamed"),
                protected.works("echo"),
                protected.works("streamed"),
                protected.works("echo"),
            );
            let refreshed = protected.seen("as POST /token refresh_token").len();
            assert_eq!(refreshed, round, "{:#?}", protected.server.seen());
        }
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn refresh_now_rotates() {
    run_test(async {
        let protected = ProtectedServer::ready("fair").await;
        let before = protected.view().await["token"].clone();
        for _ in 0..2 {
            protected.harness.of_server("authorization_refresh").await;
        }
        let after = protected.view().await["token"].clone();
        assert_ne!(before["masked"], after["masked"]);
        assert!(after["obtainedAtMs"].as_f64() >= before["obtainedAtMs"].as_f64());
        protected.works("echo").await;
        assert_eq!(protected.seen("mcp POST /mcp tools/call echo [token 3]").len(), 1);
        protected.harness.engine.shutdown().await;
    });
}

/// The refresh token is invalid too: the user is asked again.
#[test]
fn an_ended_grant_needs_new_consent() {
    run_test(async {
        let protected = ProtectedServer::ready("fair").await;
        protected.works("lose-grant").await;
        let ((), pages) = protected.consenting(protected.works("echo")).await;
        assert_eq!(pages.len(), 1, "{pages:?}");
        assert_eq!(protected.seen("as POST /token refresh_token").len(), 1);
        assert_eq!(protected.seen("as GET /authorize").len(), 2);
        assert_eq!(
            protected.seen("as POST /register").len(),
            1,
            "the client is still known"
        );
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn without_a_refresh_token_the_user_is_asked_again() {
    run_test(async {
        let protected = ProtectedServer::ready("no-refresh-token").await;
        protected.works("lose-token").await;
        let ((), pages) = protected.consenting(protected.works("echo")).await;
        assert_eq!(pages.len(), 1, "{pages:?}");
        assert!(protected.seen("as POST /token refresh_token").is_empty());
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn a_rejected_refresh_is_reported_with_its_exchange() {
    run_test(async {
        for part in ["refresh-refused", "html-refresh"] {
            let protected = ProtectedServer::ready(part).await;
            let params = json!({"serverId": protected.harness.server}).to_string();
            let refused = protected
                .harness
                .engine
                .call("authorization_refresh", &params)
                .await;
            assert!(refused.is_err(), "{part}: {refused:?}");
            let view = protected.view().await;
            assert_eq!(view["run"]["cause"], "user", "{part}: {view:#}");
            let failed = failed_step(&view);
            assert_eq!(failed["step"], "refresh", "{part}: {view:#}");
            assert!(failed["failure"]["seq"].is_string(), "{part}: {view:#}");
            protected.harness.engine.shutdown().await;
        }
    });
}

#[test]
fn a_step_up_requests_the_granted_scopes_too() {
    run_test(async {
        let protected = ProtectedServer::ready("fair").await;
        let ((), pages) = protected.consenting(protected.works("write")).await;
        assert_eq!(pages.len(), 1, "{pages:?}");
        let asked = protected.seen("as GET /authorize");
        assert!(
            asked[1].contains("mcp:read") && asked[1].contains("mcp:write"),
            "{asked:#?}"
        );
        let view = protected.view().await;
        assert_eq!(view["run"]["cause"], "stepUp", "{view:#}");
        let scopes = view["token"]["scopes"].as_array().unwrap();
        for scope in ["mcp:read", "mcp:write"] {
            assert!(scopes.contains(&json!(scope)), "{view:#}");
        }
        // The new token covers everything, and the user is not asked again.
        let (_, pages) = protected
            .consenting(async { tokio::join!(protected.works("echo"), protected.works("write")) })
            .await;
        assert!(pages.is_empty(), "{pages:?}");
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn an_endless_step_up_is_given_up() {
    run_test(async {
        let protected = ProtectedServer::ready("step-up-for-ever").await;
        let (outcome, pages) = protected.consenting(protected.call("write")).await;
        assert_eq!(outcome["status"], 403, "{outcome}");
        assert!((1..=3).contains(&pages.len()), "{} times", pages.len());
        assert!(outcome.to_string().contains("scope"), "{outcome}");
        protected.works("echo").await;
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn a_server_that_rejects_its_own_tokens_is_given_up() {
    run_test(async {
        let protected = ProtectedServer::of("always-401").await;
        let (connected, pages) = protected.consenting(protected.harness.connect()).await;
        let failure = connected.unwrap_err();
        assert_eq!(failure.http_status, Some(401), "{failure:?}");
        assert!((1..=2).contains(&pages.len()), "{} times", pages.len());
        assert!(!failure.next.is_empty(), "{failure:?}");
        protected.harness.engine.shutdown().await;
    });
}

/// Credentials of one authorization server are never used with another (they are stored per issuer).
#[test]
fn a_server_with_a_new_issuer_gets_a_new_registration() {
    run_test(async {
        let protected = ProtectedServer::ready("moves").await;
        protected.works("move").await;
        let before = protected.server.seen().len();
        protected.consenting(protected.works("echo")).await;
        let since = protected.server.seen().split_off(before);
        for wanted in ["as2 POST /register", "as2 GET /authorize", "as2 POST /token"] {
            assert!(
                since.iter().any(|line| line.starts_with(wanted)),
                "{wanted}: {since:#?}"
            );
        }
        let shown: Vec<_> = since
            .iter()
            .filter(|line| line.starts_with("as2 POST /token refresh"))
            .collect();
        assert!(shown.is_empty(), "{since:#?}");
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn deleted_tokens_are_revoked() {
    run_test(async {
        let protected = ProtectedServer::ready("fair").await;
        protected.harness.of_server("authorization_forget").await;
        let revoked = protected.seen("as POST /revoke");
        assert!(
            !revoked.is_empty() && revoked.iter().all(|line| line.ends_with("known")),
            "{revoked:?}"
        );
        assert_eq!(protected.view().await["token"], Value::Null);
        let ((), pages) = protected.consenting(protected.works("echo")).await;
        assert_eq!(pages.len(), 1, "the user is asked again");
        protected.harness.engine.shutdown().await;
    });
}

/// The only failed step.
fn failed_step(view: &Value) -> Value {
    let steps = view["run"]["steps"].as_array().unwrap();
    let failed: Vec<_> = steps.iter().filter(|step| step["state"] == "failed").collect();
    assert_eq!(failed.len(), 1, "{view:#}");
    failed[0].clone()
}
