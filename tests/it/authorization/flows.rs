//! The flows that obtain a first token from well-behaved servers of every kind.

use patchbay_contract::{AuthorizationDraft, AuthorizationMode, HttpHeader, TransportDraft};
use serde_json::{Value, json};

use super::{ProtectedServer, browse};
use crate::{
    client::run_test,
    harness::{Harness, page::Page},
    http::server::Server,
};

#[test]
fn a_token_is_sent_to_its_server_only() {
    run_test(async {
        let protected = ProtectedServer::ready("fair").await;
        protected.works("echo").await;
        // The stream for unrequested messages is opened at any time.
        let mut seen = protected.server.seen();
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
        let view = protected.view().await;
        let token = &view["token"];
        assert_eq!(token["scopes"], json!(["mcp:read", "offline_access"]), "{view:#}");
        assert_eq!(token["resource"], protected.server.url, "{view:#}");
        let origin = protected.server.url.strip_suffix("/mcp").unwrap();
        assert_eq!(token["issuedTo"], origin, "{view:#}");
        assert_eq!(token["hasRefresh"], true, "{view:#}");
        let claims: Value = serde_json::from_str(token["jwt"]["claims"].as_str().unwrap()).unwrap();
        assert_eq!(claims["iss"], token["issuer"], "{view:#}");
        let life = token["expiresAtMs"].as_f64().unwrap() - token["obtainedAtMs"].as_f64().unwrap();
        assert!((life - 3_600_000.0).abs() < 1_000.0, "{view:#}");
        assert_eq!(view["client"]["origin"], "dynamic", "{view:#}");
        assert_eq!(view["run"]["state"], "done", "{view:#}");
        protected.harness.engine.shutdown().await;
    });
}

macro_rules! shapes {
    ($($name:ident: $part:literal;)+) => {
        $(#[test] fn $name() {
            run_test(async {
                let protected = ProtectedServer::ready($part).await;
                protected.works("echo").await;
                assert_eq!(protected.seen("mcp POST /mcp tools/call echo [token 1]").len(), 1);
                let seen = protected.server.seen();
                let elsewhere = seen.iter().filter(|line| !["mcp POST /mcp ", "mcp GET /mcp "].iter().any(|own| line.starts_with(own)));
                let leaked: Vec<_> = elsewhere.filter(|line| line.contains("[token")).collect();
                assert!(leaked.is_empty(), "{leaked:#?}");
                protected.harness.engine.shutdown().await;
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

/// The server's clock does not matter: the lifetime counts from when the token was received.
#[test]
fn a_token_expires_by_our_clock() {
    run_test(async {
        let protected = ProtectedServer::ready("clock-skew").await;
        let token = &protected.view().await["token"];
        let life = token["expiresAtMs"].as_f64().unwrap() - token["obtainedAtMs"].as_f64().unwrap();
        assert!((life - 3_600_000.0).abs() < 1_000.0, "{token:#}");
        assert_eq!(protected.seen("as POST /token").len(), 1);
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn the_user_chooses_between_two_authorization_servers() {
    run_test(async {
        let protected = ProtectedServer::of("two-servers").await;
        let choose = async {
            let view = protected.asked("chooseServer").await;
            let issuers = view["run"]["question"]["issuers"].as_array().unwrap().clone();
            assert_eq!(issuers.len(), 2, "{view:#}");
            protected
                .answer(json!({"type": "chooseServer", "issuer": issuers[1]}))
                .await;
        };
        let ((connected, ()), _) = protected
            .consenting(async { tokio::join!(protected.harness.connect(), choose) })
            .await;
        assert!(connected.is_ok(), "{connected:?}");
        assert_eq!(protected.seen("as2 POST /token").len(), 1);
        assert!(protected.seen("as POST").is_empty() && protected.seen("as GET /authorize").is_empty());
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn without_registration_the_user_enters_a_client() {
    run_test(async {
        let protected = ProtectedServer::of("no-registration").await;
        let tell = async {
            let view = protected.asked("client").await;
            let redirect = view["run"]["question"]["redirectUri"].as_str().unwrap();
            assert!(redirect.starts_with("http://localhost:"), "{view:#}");
            protected
                .answer(json!({"type": "client", "id": "known-client", "secret": "known-secret-0123456789"}))
                .await;
        };
        let ((connected, ()), _) = protected
            .consenting(async { tokio::join!(protected.harness.connect(), tell) })
            .await;
        assert!(connected.is_ok(), "{connected:?}");
        let view = protected.view().await;
        assert_eq!(view["client"]["origin"], "manual", "{view:#}");
        assert!(!view.to_string().contains("known-secret"), "{view:#}");
        protected.harness.engine.shutdown().await;
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
fn a_client_from_the_settings_is_not_registered() {
    run_test(async {
        let protected = ProtectedServer::with("fair", |draft| {
            draft.authorization = Some(known_client(AuthorizationMode::Auto));
        })
        .await;
        protected.connect().await.unwrap();
        assert!(protected.seen("as POST /register").is_empty());
        assert_eq!(protected.view().await["client"]["origin"], "preRegistered");
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn client_credentials_need_no_user() {
    run_test(async {
        let protected = ProtectedServer::with("fair", |draft| {
            draft.authorization = Some(known_client(AuthorizationMode::ClientCredentials));
        })
        .await;
        let (connected, pages) = protected.consenting(protected.harness.connect()).await;
        assert!(connected.is_ok() && pages.is_empty(), "{connected:?} {pages:?}");
        assert_eq!(protected.seen("as POST /token client_credentials").len(), 1);
        assert!(protected.seen("as GET /authorize").is_empty());
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn an_authorization_header_of_the_user_disables_runs() {
    run_test(async {
        let protected = ProtectedServer::with("fair", |draft| {
            if let TransportDraft::Http { headers, .. } = &mut draft.transport {
                headers.push(HttpHeader {
                    name: "Authorization".to_owned(),
                    value: "Bearer of-my-own".to_owned(),
                    is_secret: false,
                });
            }
        })
        .await;
        let failure = protected.harness.connect().await.unwrap_err();
        assert_eq!(failure.http_status, Some(401), "{failure:?}");
        assert_eq!(protected.view().await["run"], Value::Null);
        assert!(protected.seen("as").is_empty() && protected.seen("mcp GET /.well").is_empty());
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn with_authorization_off_a_401_is_final() {
    run_test(async {
        let protected = ProtectedServer::with("fair", |draft| {
            draft.authorization = Some(AuthorizationDraft {
                mode: AuthorizationMode::Off,
                ..AuthorizationDraft::default()
            });
        })
        .await;
        let failure = protected.harness.connect().await.unwrap_err();
        assert_eq!(failure.http_status, Some(401), "{failure:?}");
        assert!(protected.seen("as").is_empty());
        protected.harness.engine.shutdown().await;
    });
}

/// A response with another state is rejected, and the run keeps waiting.
#[test]
fn a_wrong_state_is_rejected_and_the_run_keeps_waiting() {
    run_test(async {
        let protected = ProtectedServer::of("mixed-state").await;
        let user = async {
            let address = protected.address().await;
            let state = form_value(&address, "state");
            let pages = browse(address).await;
            let refused = pages.last().unwrap();
            assert_eq!(refused.status, 400, "{refused:?}");
            assert_eq!(protected.view().await["run"]["state"], "waiting");
            assert!(protected.seen("as POST /token").is_empty());
            let callback = pages[0].header("location").unwrap();
            let right = callback.replace(&form_value(callback, "state"), &state);
            browse(right).await.pop().unwrap()
        };
        let (connected, page) = tokio::join!(protected.harness.connect(), user);
        assert!(connected.is_ok(), "{connected:?} {page:?}");
        assert_eq!(page.status, 200, "{page:?}");
        protected.harness.engine.shutdown().await;
    });
}

/// Opening the redirect again does nothing, and sends nothing.
#[test]
fn a_repeated_code_is_not_used_again() {
    run_test(async {
        let protected = ProtectedServer::of("fair").await;
        let user = async {
            let pages = browse(protected.address().await).await;
            pages[0].header("location").unwrap().to_owned()
        };
        let (connected, callback) = tokio::join!(protected.harness.connect(), user);
        assert!(connected.is_ok(), "{connected:?}");
        let host = callback
            .strip_prefix("http://")
            .and_then(|rest| rest.split('/').next());
        let is_listening = std::net::TcpStream::connect(host.unwrap()).is_ok();
        if is_listening {
            let again = Page::get(&callback);
            assert!(again.status >= 400, "{again:?}");
        }
        let run = &protected.view().await["run"]["id"];
        let pasted = json!({
            "serverId": protected.harness.server, "runId": run, "answer": {"type": "callback", "text": callback},
        });
        let engine = &protected.harness.engine;
        let refused = engine.call("authorization_answer", &pasted.to_string()).await;
        assert!(refused.is_err(), "{refused:?}");
        protected.works("echo").await;
        assert_eq!(protected.seen("as POST /token").len(), 1);
        protected.harness.engine.shutdown().await;
    });
}

/// The browser is on another machine: it ends at an unreachable address, which the user pastes.
#[test]
fn the_address_of_the_last_page_can_be_pasted() {
    run_test(async {
        let protected = ProtectedServer::of("fair").await;
        let user = async {
            let address = protected.address().await;
            let ended = tokio::task::spawn_blocking(move || Page::get(&address))
                .await
                .unwrap();
            let callback = ended.header("location").unwrap();
            protected
                .answer(json!({"type": "callback", "text": callback}))
                .await;
        };
        let (connected, ()) = tokio::join!(protected.harness.connect(), user);
        assert!(connected.is_ok(), "{connected:?}");
        protected.works("echo").await;
        protected.harness.engine.shutdown().await;
    });
}

/// A protected server whose first run was cancelled, so that there is no connection.
async fn cancelled() -> ProtectedServer {
    let protected = ProtectedServer::of("fair").await;
    let user = async {
        protected.address().await;
        protected.harness.of_server("authorization_cancel").await;
    };
    let (connected, ()) = tokio::join!(protected.harness.connect(), user);
    assert!(connected.is_err());
    protected
}

#[test]
fn a_run_can_be_cancelled_and_restarted_at_any_step() {
    run_test(async {
        let protected = cancelled().await;
        assert_eq!(protected.view().await["run"]["state"], "cancelled");
        assert!(protected.seen("as POST /token").is_empty());

        let again = json!({"serverId": protected.harness.server, "from": "authorization", "scopes": ["mcp:read", "mcp:write"]});
        let run = protected.harness.call("authorization_start", again).await;
        let ended = async {
            let ended =
                |view: &Value| view["run"]["id"] == run["runId"] && view["run"]["endedAtMs"].is_number();
            protected.until(ended).await
        };
        let (view, _) = protected.consenting(ended).await;
        assert_eq!(view["run"]["state"], "done", "{view:#}");
        assert_eq!(view["history"].as_array().unwrap().len(), 2, "{view:#}");
        assert_eq!(
            protected.seen("as POST /register").len(),
            1,
            "{:#?}",
            protected.server.seen()
        );
        assert_eq!(
            view["token"]["scopes"],
            json!(["mcp:read", "mcp:write"]),
            "{view:#}"
        );
        protected.harness.engine.shutdown().await;
    });
}

/// A user who authorizes in the panel wants the failed connection to be reopened.
#[test]
fn a_run_started_by_the_user_reopens_the_connection() {
    run_test(async {
        let protected = cancelled().await;
        let begin = json!({"serverId": protected.harness.server, "from": null, "scopes": null});
        protected.harness.call("authorization_start", begin).await;
        let connected = protected.until_connected();
        let ((), pages) = protected.consenting(connected).await;
        assert_eq!(pages.len(), 1, "{pages:?}");
        assert_eq!(protected.view().await["run"]["cause"], "user");
        protected.works("echo").await;
        assert_eq!(protected.seen("mcp POST /mcp tools/call echo [token 1]").len(), 1);
        protected.harness.engine.shutdown().await;
    });
}

/// The page in the browser shows our own text and runs no scripts.
#[test]
fn the_page_of_the_browser_is_free_of_injection() {
    run_test(async {
        for (part, status) in [("fair", 200), ("denied", 400), ("injection", 400)] {
            let protected = ProtectedServer::of(part).await;
            let (_, pages) = protected.consenting(protected.harness.connect()).await;
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
            protected.harness.engine.shutdown().await;
        }
    });
}

/// The value of a parameter in an address's query, not decoded.
pub(super) fn form_value(address: &str, name: &str) -> String {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let found = pairs.find(|(known, _)| *known == name);
    found.map(|(_, value)| value.to_owned()).unwrap_or_default()
}

/// In the window, where the system's browser would be opened: a server may send it to any address, so a person opens the first
/// one at an authorization server, after seeing host and scopes.
#[test]
fn the_browser_is_not_opened_at_a_new_authorization_server_without_a_question() {
    run_test(async {
        let server = Server::of("oauth", "fair");
        let harness = Harness::in_the_window(&server.url).await;
        let protected = ProtectedServer::beside(server.into(), harness);
        let connecting = async {
            protected.harness.connect().await.unwrap();
        };
        let asked = async {
            let view = protected.until(|view| view["run"]["awaitsOpen"] == true).await;
            assert_eq!(view["run"]["state"], "waiting", "{view:#}");
            let address = view["run"]["authorizationUrl"].as_str().unwrap().to_owned();
            assert!(address.contains("scope="), "{address}");
            let visits = |line: &&String| line.contains("GET /authorize");
            assert_eq!(protected.server.report("seen").iter().filter(visits).count(), 0);
            // The person opens it.
            browse(address).await;
        };
        tokio::join!(connecting, asked);
        protected.until_connected().await;
    });
}
