//! What becomes of a token: refreshed, lost, too little, moved, forgotten.

use serde_json::{Value, json};

use super::Play;
use crate::client::play;

#[test]
fn a_token_the_server_lost_is_refreshed_without_the_user() {
    play(async {
        let play = Play::ready("fair").await;
        play.works("lose-token").await;
        let (_, pages) = play.consenting(play.works("echo")).await;
        assert!(pages.is_empty(), "{pages:?}");
        assert_eq!(play.seen("as POST /token refresh_token").len(), 1);
        // The call that was refused, and the same again: nothing else is repeated.
        assert_eq!(play.seen("mcp POST /mcp tools/call echo [token 1]").len(), 1);
        assert_eq!(play.seen("mcp POST /mcp tools/call echo [token 2]").len(), 1);
        play.desk.engine.shutdown().await;
    });
}

/// It was good in between: the user is not asked because it had to be renewed before.
#[test]
fn a_token_the_server_loses_again_and_again_is_refreshed_each_time() {
    play(async {
        let play = Play::ready("fair").await;
        for round in 1..=3 {
            play.works("lose-token").await;
            let ((), pages) = play.consenting(play.works("echo")).await;
            assert!(pages.is_empty(), "{round}: {pages:?}");
            assert_eq!(play.seen("as POST /token refresh_token").len(), round);
        }
        play.desk.engine.shutdown().await;
    });
}

/// With rotation every refresh token is good once: who refreshed twice would lose everything.
#[test]
fn many_calls_at_once_share_one_refresh() {
    play(async {
        let play = Play::ready("fair").await;
        for round in 1..=3 {
            play.desk.of_server("authorization_expire").await;
            tokio::join!(
                play.works("echo"),
                play.works("streamed"),
                play.works("echo"),
                play.works("streamed"),
                play.works("echo"),
            );
            let refreshed = play.seen("as POST /token refresh_token").len();
            assert_eq!(refreshed, round, "{:#?}", play.server.seen());
        }
        play.desk.engine.shutdown().await;
    });
}

#[test]
fn refresh_now_rotates() {
    play(async {
        let play = Play::ready("fair").await;
        let before = play.view().await["token"].clone();
        for _ in 0..2 {
            play.desk.of_server("authorization_refresh").await;
        }
        let after = play.view().await["token"].clone();
        assert_ne!(before["masked"], after["masked"]);
        assert!(after["obtainedAtMs"].as_f64() >= before["obtainedAtMs"].as_f64());
        play.works("echo").await;
        assert_eq!(play.seen("mcp POST /mcp tools/call echo [token 3]").len(), 1);
        play.desk.engine.shutdown().await;
    });
}

/// The refresh token is of no use any more either: the user is asked again.
#[test]
fn a_grant_that_is_over_begins_anew() {
    play(async {
        let play = Play::ready("fair").await;
        play.works("lose-grant").await;
        let ((), pages) = play.consenting(play.works("echo")).await;
        assert_eq!(pages.len(), 1, "{pages:?}");
        assert_eq!(play.seen("as POST /token refresh_token").len(), 1);
        assert_eq!(play.seen("as GET /authorize").len(), 2);
        assert_eq!(
            play.seen("as POST /register").len(),
            1,
            "the client is still known"
        );
        play.desk.engine.shutdown().await;
    });
}

#[test]
fn without_a_refresh_token_the_user_is_asked_again() {
    play(async {
        let play = Play::ready("no-refresh-token").await;
        play.works("lose-token").await;
        let ((), pages) = play.consenting(play.works("echo")).await;
        assert_eq!(pages.len(), 1, "{pages:?}");
        assert!(play.seen("as POST /token refresh_token").is_empty());
        play.desk.engine.shutdown().await;
    });
}

#[test]
fn a_refused_refresh_is_told_with_its_exchange() {
    play(async {
        for part in ["refresh-refused", "html-refresh"] {
            let play = Play::ready(part).await;
            let params = json!({"serverId": play.desk.server}).to_string();
            let refused = play.desk.engine.call("authorization_refresh", &params).await;
            assert!(refused.is_err(), "{part}: {refused:?}");
            let view = play.view().await;
            assert_eq!(view["run"]["cause"], "user", "{part}: {view:#}");
            let failed = failed_step(&view);
            assert_eq!(failed["step"], "refresh", "{part}: {view:#}");
            assert!(failed["failure"]["seq"].is_string(), "{part}: {view:#}");
            play.desk.engine.shutdown().await;
        }
    });
}

#[test]
fn more_scopes_are_asked_for_together_with_those_we_have() {
    play(async {
        let play = Play::ready("fair").await;
        let ((), pages) = play.consenting(play.works("write")).await;
        assert_eq!(pages.len(), 1, "{pages:?}");
        let asked = play.seen("as GET /authorize");
        assert!(
            asked[1].contains("mcp:read") && asked[1].contains("mcp:write"),
            "{asked:#?}"
        );
        let view = play.view().await;
        assert_eq!(view["run"]["cause"], "stepUp", "{view:#}");
        let scopes = view["token"]["scopes"].as_array().unwrap();
        for scope in ["mcp:read", "mcp:write"] {
            assert!(scopes.contains(&json!(scope)), "{view:#}");
        }
        // The wider token is good for everything, and nobody is asked again.
        let (_, pages) = play
            .consenting(async { tokio::join!(play.works("echo"), play.works("write")) })
            .await;
        assert!(pages.is_empty(), "{pages:?}");
        play.desk.engine.shutdown().await;
    });
}

#[test]
fn a_server_that_is_never_satisfied_is_left() {
    play(async {
        let play = Play::ready("step-up-for-ever").await;
        let (outcome, pages) = play.consenting(play.call("write")).await;
        assert_eq!(outcome["status"], 403, "{outcome}");
        assert!((1..=3).contains(&pages.len()), "{} times", pages.len());
        assert!(outcome.to_string().contains("scope"), "{outcome}");
        play.works("echo").await;
        play.desk.engine.shutdown().await;
    });
}

#[test]
fn a_server_that_refuses_its_own_tokens_is_left() {
    play(async {
        let play = Play::of("always-401").await;
        let (connected, pages) = play.consenting(play.desk.connect()).await;
        let failure = connected.unwrap_err();
        assert_eq!(failure.http_status, Some(401), "{failure:?}");
        assert!((1..=2).contains(&pages.len()), "{} times", pages.len());
        assert!(!failure.next.is_empty(), "{failure:?}");
        play.desk.engine.shutdown().await;
    });
}

/// What one authorization server gave is never shown to another (wire: credentials are kept per issuer).
#[test]
fn a_server_that_moves_to_another_issuer_is_registered_there() {
    play(async {
        let play = Play::ready("moves").await;
        play.works("move").await;
        let before = play.server.seen().len();
        play.consenting(play.works("echo")).await;
        let since = play.server.seen().split_off(before);
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
        play.desk.engine.shutdown().await;
    });
}

#[test]
fn forgotten_tokens_are_revoked() {
    play(async {
        let play = Play::ready("fair").await;
        play.desk.of_server("authorization_forget").await;
        let revoked = play.seen("as POST /revoke");
        assert!(
            !revoked.is_empty() && revoked.iter().all(|line| line.ends_with("known")),
            "{revoked:?}"
        );
        assert_eq!(play.view().await["token"], Value::Null);
        let ((), pages) = play.consenting(play.works("echo")).await;
        assert_eq!(pages.len(), 1, "the user is asked again");
        play.desk.engine.shutdown().await;
    });
}

/// The one step that failed.
fn failed_step(view: &Value) -> Value {
    let steps = view["run"]["steps"].as_array().unwrap();
    let failed: Vec<_> = steps.iter().filter(|step| step["state"] == "failed").collect();
    assert_eq!(failed.len(), 1, "{view:#}");
    failed[0].clone()
}
