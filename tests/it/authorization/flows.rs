//! Ways to a first token, in every shape a good server may have.

use patchbay_contract::{AuthorizationDraft, AuthorizationMode, HttpHeader, TransportDraft};
use serde_json::{Value, json};

use super::{Play, browse};
use crate::{client::play, page::Page};

#[test]
fn a_server_that_wants_a_token_gets_one_and_nobody_else_does() {
    play(async {
        let play = Play::ready("fair").await;
        play.works("echo").await;
        // The stream for the server's own messages opens when it likes.
        let mut seen = play.server.seen();
        seen.retain(|line| !line.starts_with("mcp GET /mcp "));
        insta::assert_snapshot!(seen.join("\n"), @r"
        mcp POST /mcp initialize
        mcp GET /.well-known/oauth-protected-resource/mcp v2026-07-28
        as GET /.well-known/oauth-authorization-server v2026-07-28
        as POST /register
        as GET /authorize scope=mcp:read offline_access resource=http://mcp/mcp
        as POST /token authorization_code resource=http://mcp/mcp
        mcp POST /mcp initialize [token 1]
        mcp POST /mcp notifications/initialized [token 1]
        mcp POST /mcp tools/call echo [token 1]
        ");
        let view = play.view().await;
        let token = &view["token"];
        assert_eq!(token["scopes"], json!(["mcp:read", "offline_access"]), "{view:#}");
        assert_eq!(token["resource"], play.server.url, "{view:#}");
        assert_eq!(token["issuedTo"], play.server.url, "{view:#}");
        assert_eq!(token["hasRefresh"], true, "{view:#}");
        let claims: Value = serde_json::from_str(token["jwt"]["claims"].as_str().unwrap()).unwrap();
        assert_eq!(claims["iss"], token["issuer"], "{view:#}");
        let life = token["expiresAtMs"].as_f64().unwrap() - token["obtainedAtMs"].as_f64().unwrap();
        assert!((life - 3_600_000.0).abs() < 1_000.0, "{view:#}");
        assert_eq!(view["client"]["origin"], "dynamic", "{view:#}");
        assert_eq!(view["run"]["state"], "done", "{view:#}");
        play.desk.engine.shutdown().await;
    });
}

macro_rules! shapes {
    ($($name:ident: $part:literal;)+) => {
        $(#[test] fn $name() {
            play(async {
                let play = Play::ready($part).await;
                play.works("echo").await;
                assert_eq!(play.seen("mcp POST /mcp tools/call echo [token 1]").len(), 1);
                let seen = play.server.seen();
                let elsewhere = seen.iter().filter(|line| !["mcp POST /mcp ", "mcp GET /mcp "].iter().any(|own| line.starts_with(own)));
                let leaked: Vec<_> = elsewhere.filter(|line| line.contains("[token")).collect();
                assert!(leaked.is_empty(), "{leaked:#?}");
                play.desk.engine.shutdown().await;
            });
        })+
    };
}

shapes! {
    metadata_at_the_root_only: "root-metadata";
    openid_discovery_for_an_issuer_with_a_path: "openid";
    a_secret_in_a_header: "secret-basic";
    a_secret_in_the_form: "secret-post";
    tokens_that_are_no_jwts: "opaque";
    no_refresh_tokens: "no-refresh-token";
    several_challenges: "many-challenges";
    metadata_of_2025_03_26: "2025-03-26";
    default_endpoints_of_2025_03_26: "default-endpoints";
    a_clock_that_is_a_day_behind: "clock-skew";
    a_life_that_is_no_number: "odd-expiry";
}

/// The server's clock is its own affair: what counts is for how long, from when we got it.
#[test]
fn a_token_ends_by_our_clock() {
    play(async {
        let play = Play::ready("clock-skew").await;
        let token = &play.view().await["token"];
        let life = token["expiresAtMs"].as_f64().unwrap() - token["obtainedAtMs"].as_f64().unwrap();
        assert!((life - 3_600_000.0).abs() < 1_000.0, "{token:#}");
        assert_eq!(play.seen("as POST /token").len(), 1);
        play.desk.engine.shutdown().await;
    });
}

#[test]
fn of_two_authorization_servers_the_user_chooses() {
    play(async {
        let play = Play::of("two-servers").await;
        let choose = async {
            let view = play.asked("chooseServer").await;
            let issuers = view["run"]["question"]["issuers"].as_array().unwrap().clone();
            assert_eq!(issuers.len(), 2, "{view:#}");
            play.answer(json!({"type": "chooseServer", "issuer": issuers[1]}))
                .await;
        };
        let ((connected, ()), _) = play
            .consenting(async { tokio::join!(play.desk.connect(), choose) })
            .await;
        assert!(connected.is_ok(), "{connected:?}");
        assert_eq!(play.seen("as2 POST /token").len(), 1);
        assert!(play.seen("as POST").is_empty() && play.seen("as GET /authorize").is_empty());
        play.desk.engine.shutdown().await;
    });
}

#[test]
fn where_nobody_can_register_the_user_says_who_we_are() {
    play(async {
        let play = Play::of("no-registration").await;
        let tell = async {
            let view = play.asked("client").await;
            let redirect = view["run"]["question"]["redirectUri"].as_str().unwrap();
            assert!(redirect.starts_with("http://localhost:"), "{view:#}");
            play.answer(json!({"type": "client", "id": "known-client", "secret": "known-secret-0123456789"}))
                .await;
        };
        let ((connected, ()), _) = play
            .consenting(async { tokio::join!(play.desk.connect(), tell) })
            .await;
        assert!(connected.is_ok(), "{connected:?}");
        let view = play.view().await;
        assert_eq!(view["client"]["origin"], "manual", "{view:#}");
        assert!(!view.to_string().contains("known-secret"), "{view:#}");
        play.desk.engine.shutdown().await;
    });
}

fn known_client(mode: AuthorizationMode) -> AuthorizationDraft {
    AuthorizationDraft {
        mode,
        client_id: Some("known-client".to_owned()),
        client_secret: Some("known-secret-0123456789".to_owned()),
        ..AuthorizationDraft::default()
    }
}

#[test]
fn a_client_of_the_settings_is_not_registered() {
    play(async {
        let play = Play::with("fair", |draft| {
            draft.authorization = Some(known_client(AuthorizationMode::Auto));
        })
        .await;
        play.connect().await.unwrap();
        assert!(play.seen("as POST /register").is_empty());
        assert_eq!(play.view().await["client"]["origin"], "preRegistered");
        play.desk.engine.shutdown().await;
    });
}

#[test]
fn client_credentials_want_no_user() {
    play(async {
        let play = Play::with("fair", |draft| {
            draft.authorization = Some(known_client(AuthorizationMode::ClientCredentials));
        })
        .await;
        let (connected, pages) = play.consenting(play.desk.connect()).await;
        assert!(connected.is_ok() && pages.is_empty(), "{connected:?} {pages:?}");
        assert_eq!(play.seen("as POST /token client_credentials").len(), 1);
        assert!(play.seen("as GET /authorize").is_empty());
        play.desk.engine.shutdown().await;
    });
}

#[test]
fn a_header_of_the_users_own_comes_before_any_authorization() {
    play(async {
        let play = Play::with("fair", |draft| {
            if let TransportDraft::Http { headers, .. } = &mut draft.transport {
                headers.push(HttpHeader {
                    name: "Authorization".to_owned(),
                    value: "Bearer of-my-own".to_owned(),
                    is_secret: false,
                });
            }
        })
        .await;
        let failure = play.desk.connect().await.unwrap_err();
        assert_eq!(failure.http_status, Some(401), "{failure:?}");
        assert_eq!(play.view().await["run"], Value::Null);
        assert!(play.seen("as").is_empty() && play.seen("mcp GET /.well").is_empty());
        play.desk.engine.shutdown().await;
    });
}

#[test]
fn switched_off_a_401_is_the_end() {
    play(async {
        let play = Play::with("fair", |draft| {
            draft.authorization = Some(AuthorizationDraft {
                mode: AuthorizationMode::Off,
                ..AuthorizationDraft::default()
            });
        })
        .await;
        let failure = play.desk.connect().await.unwrap_err();
        assert_eq!(failure.http_status, Some(401), "{failure:?}");
        assert!(play.seen("as").is_empty());
        play.desk.engine.shutdown().await;
    });
}

/// Another's answer is refused and the right one still waited for.
#[test]
fn a_mixed_up_state_is_refused_and_waited_on() {
    play(async {
        let play = Play::of("mixed-state").await;
        let user = async {
            let address = play.address().await;
            let state = form_value(&address, "state");
            let pages = browse(address).await;
            let refused = pages.last().unwrap();
            assert_eq!(refused.status, 400, "{refused:?}");
            assert_eq!(play.view().await["run"]["state"], "waiting");
            assert!(play.seen("as POST /token").is_empty());
            let callback = pages[0].header("location").unwrap();
            let right = callback.replace(&form_value(callback, "state"), &state);
            browse(right).await.pop().unwrap()
        };
        let (connected, page) = tokio::join!(play.desk.connect(), user);
        assert!(connected.is_ok(), "{connected:?} {page:?}");
        assert_eq!(page.status, 200, "{page:?}");
        play.desk.engine.shutdown().await;
    });
}

/// Anyone who sends the browser there again gets nothing, and nothing is sent because of it.
#[test]
fn a_code_that_comes_again_is_not_used_again() {
    play(async {
        let play = Play::of("fair").await;
        let user = async {
            let pages = browse(play.address().await).await;
            pages[0].header("location").unwrap().to_owned()
        };
        let (connected, callback) = tokio::join!(play.desk.connect(), user);
        assert!(connected.is_ok(), "{connected:?}");
        let host = callback
            .strip_prefix("http://")
            .and_then(|rest| rest.split('/').next());
        let is_listening = std::net::TcpStream::connect(host.unwrap()).is_ok();
        if is_listening {
            let again = Page::get(&callback);
            assert!(again.status >= 400, "{again:?}");
        }
        play.works("echo").await;
        assert_eq!(play.seen("as POST /token").len(), 1);
        play.desk.engine.shutdown().await;
    });
}

/// The browser is on another machine: it ends at an address that leads nowhere, which the user gives to us.
#[test]
fn the_address_where_a_browser_ended_can_be_pasted() {
    play(async {
        let play = Play::of("fair").await;
        let user = async {
            let address = play.address().await;
            let ended = tokio::task::spawn_blocking(move || Page::get(&address))
                .await
                .unwrap();
            let callback = ended.header("location").unwrap();
            play.answer(json!({"type": "callback", "text": callback})).await;
        };
        let (connected, ()) = tokio::join!(play.desk.connect(), user);
        assert!(connected.is_ok(), "{connected:?}");
        play.works("echo").await;
        play.desk.engine.shutdown().await;
    });
}

/// A play whose first run the user cancelled, so that there is no connection.
async fn cancelled() -> Play {
    let play = Play::of("fair").await;
    let user = async {
        play.address().await;
        play.desk.of_server("authorization_cancel").await;
    };
    let (connected, ()) = tokio::join!(play.desk.connect(), user);
    assert!(connected.is_err());
    play
}

#[test]
fn a_run_can_be_cancelled_and_begun_again_from_any_step() {
    play(async {
        let play = cancelled().await;
        assert_eq!(play.view().await["run"]["state"], "cancelled");
        assert!(play.seen("as POST /token").is_empty());

        let again = json!({"serverId": play.desk.server, "from": "authorization", "scopes": ["mcp:read", "mcp:write"]});
        let run = play.desk.call("authorization_start", again).await;
        let ended = async {
            let ended =
                |view: &Value| view["run"]["id"] == run["runId"] && view["run"]["endedAtMs"].is_number();
            play.until(ended).await
        };
        let (view, _) = play.consenting(ended).await;
        assert_eq!(view["run"]["state"], "done", "{view:#}");
        assert_eq!(view["history"].as_array().unwrap().len(), 2, "{view:#}");
        assert_eq!(
            play.seen("as POST /register").len(),
            1,
            "{:#?}",
            play.server.seen()
        );
        assert_eq!(
            view["token"]["scopes"],
            json!(["mcp:read", "mcp:write"]),
            "{view:#}"
        );
        play.desk.engine.shutdown().await;
    });
}

/// Who authorizes from the panel wants the connection that had failed without it.
#[test]
fn a_run_that_the_user_began_is_followed_by_the_connection() {
    play(async {
        let play = cancelled().await;
        let begin = json!({"serverId": play.desk.server, "from": null, "scopes": null});
        play.desk.call("authorization_start", begin).await;
        let connected = play.until_connected();
        let ((), pages) = play.consenting(connected).await;
        assert_eq!(pages.len(), 1, "{pages:?}");
        assert_eq!(play.view().await["run"]["cause"], "user");
        play.works("echo").await;
        assert_eq!(play.seen("mcp POST /mcp tools/call echo [token 1]").len(), 1);
        play.desk.engine.shutdown().await;
    });
}

/// The page in the browser says what happened, in our words, and runs nothing.
#[test]
fn the_page_of_the_browser_is_free_of_injection() {
    play(async {
        for (part, status) in [("fair", 200), ("denied", 400), ("injection", 400)] {
            let play = Play::of(part).await;
            let (_, pages) = play.consenting(play.desk.connect()).await;
            let page = pages.last().unwrap();
            assert_eq!(page.status, status, "{page:?}");
            let policy = page.header("content-security-policy").unwrap_or_default();
            assert!(
                policy.contains("default-src 'none'") && !policy.contains("script"),
                "{page:?}"
            );
            assert_eq!(page.header("cache-control"), Some("no-store"), "{page:?}");
            assert_eq!(page.header("referrer-policy"), Some("no-referrer"), "{page:?}");
            for markup in ["<script", "<img", "onerror=\""] {
                assert!(!page.body.contains(markup), "{markup}: {page:?}");
            }
            play.desk.engine.shutdown().await;
        }
    });
}

/// The value of a name in an address's query, as it is there.
pub(super) fn form_value(address: &str, name: &str) -> String {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let found = pairs.find(|(known, _)| *known == name);
    found.map(|(_, value)| value.to_owned()).unwrap_or_default()
}
