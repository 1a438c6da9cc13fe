//! The proxy of Patchbay's settings: servers, authorization and model providers go through it, this machine never does. The
//! requests to public names are mapped to this machine by the proxy.

use std::sync::{Arc, Mutex};

use patchbay_contract::{EraChoice, ProxyDraft, TransportDraft};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpListener,
};

use super::server::Server;
use crate::{client::run_test, harness::Harness, harness::proxy::Proxy};

const PASSWORD: &str = "s3cr3t-0f-the-proxy";
/// `me:s3cr3t-0f-the-proxy`.
const LOGIN: &str = "proxy-authorization: Basic bWU6czNjcjN0LTBmLXRoZS1wcm94eQ==";

fn address(url: &str) -> String {
    let rest = url.strip_prefix("http://").unwrap();
    rest.split('/').next().unwrap().to_owned()
}

async fn set(harness: &Harness, mode: &str, url: &str, bypass: &str) {
    let settings = json!({"mode": mode, "url": url, "user": "me", "bypass": bypass});
    let password = json!({"type": "set", "text": PASSWORD});
    harness
        .call("proxy_set", json!({"settings": settings, "password": password}))
        .await;
}

/// The server at a public name, and the proxy that knows where it is.
async fn public(server: &Server) -> (Harness, Proxy) {
    let proxy = Proxy::start("mcp.test", address(&server.url)).await;
    let harness = Harness::at("http://mcp.test/mcp", |draft| draft.era = EraChoice::Legacy).await;
    set(&harness, "manual", &proxy.url, "").await;
    (harness, proxy)
}

#[test]
fn a_server_is_reached_through_the_proxy_of_the_settings_with_its_password() {
    run_test(async {
        let server = Server::start("legacy");
        let (harness, proxy) = public(&server).await;
        harness.connect().await.unwrap();
        let seen = proxy.seen();
        assert!(
            seen[0].starts_with("POST http://mcp.test/mcp HTTP/1.1\r\n"),
            "{seen:?}"
        );
        assert!(seen.iter().all(|head| head.contains(LOGIN)), "{seen:?}");
        // It is not in the log.
        let rows = harness
            .call("traffic_rows", json!({"filter": "", "offset": 0, "limit": 100}))
            .await;
        assert!(!rows.to_string().contains(PASSWORD) && !rows.to_string().contains("bWU6"));
    });
}

#[test]
fn a_server_with_a_choice_of_its_own_and_this_machine_do_not_use_it() {
    run_test(async {
        let server = Server::start("legacy");
        let (harness, proxy) = public(&server).await;
        // This machine, by the same settings.
        let mut own = harness.engine.draft_of_url(&server.url);
        own.era = EraChoice::Legacy;
        own.name = "own".to_owned();
        let own = harness.engine.add_server(own).await.unwrap();
        harness.engine.connect(&own).await.unwrap().unwrap();
        assert_eq!(proxy.seen(), [""; 0]);
        // None at all: the name is unknown here.
        harness
            .change(|draft| draft["transport"]["proxy"] = json!({"type": "none"}))
            .await;
        let failure = harness.connect().await.unwrap_err();
        assert!(
            failure.cause.contains("mcp.test cannot be resolved"),
            "{failure:?}"
        );
        assert_eq!(proxy.seen(), [""; 0]);
    });
}

#[test]
fn hosts_of_the_list_are_reached_without_it_and_a_change_holds_for_the_next_connection() {
    run_test(async {
        let server = Server::start("legacy");
        let (harness, proxy) = public(&server).await;
        set(&harness, "manual", &proxy.url, "*.test").await;
        let failure = harness.connect().await.unwrap_err();
        assert!(
            failure.cause.contains("mcp.test cannot be resolved"),
            "{failure:?}"
        );
        set(&harness, "none", "", "").await;
        harness.connect().await.unwrap_err();
        assert_eq!(proxy.seen(), [""; 0]);
        set(&harness, "manual", &proxy.url, "other.test").await;
        harness.connect().await.unwrap();
    });
}

#[test]
fn a_proxy_that_fails_is_named_instead_of_the_server() {
    run_test(async {
        let harness = Harness::at("http://mcp.test/mcp", |draft| {
            draft.era = EraChoice::Legacy;
            if let TransportDraft::Http { proxy, .. } = &mut draft.transport {
                assert_eq!(*proxy, ProxyDraft::App);
            }
        })
        .await;
        // Bound, so that it is nobody else's, but it does not listen.
        let refusing = tokio::net::TcpSocket::new_v4().unwrap();
        refusing.bind(([127, 0, 0, 1], 0).into()).unwrap();
        let port = refusing.local_addr().unwrap().port();
        for kind in ["http", "socks5"] {
            set(&harness, "manual", &format!("{kind}://127.0.0.1:{port}"), "").await;
            let failure = harness.connect().await.unwrap_err();
            let cause = format!("the proxy 127.0.0.1:{port} is not reachable");
            assert!(failure.cause.to_lowercase().contains(&cause), "{failure:?}");
            assert!(failure.next.contains("Settings > Proxy"), "{failure:?}");
        }
    });
}

#[test]
fn a_model_provider_is_reached_through_it() {
    run_test(async {
        let models = Server::of("models", "any");
        let proxy = Proxy::start("models.test", address(&models.url)).await;
        let harness = Harness::at("http://mcp.test/mcp", |_| {}).await;
        set(&harness, "manual", &proxy.url, "").await;
        let provider = json!({
            "providerId": null, "name": "far", "api": "chatCompletions",
            "baseUrl": "http://models.test/open/v1", "key": {"type": "none"}, "defaultModel": null,
        });
        let saved = harness.call("provider_save", provider).await;
        let params = json!({"providerId": saved["providerId"]});
        let listed: Value = harness.call("provider_models", params.clone()).await;
        assert!(listed.to_string().contains("talk"), "{listed}");
        assert!(proxy.seen()[0].starts_with("GET http://models.test/open/v1/models HTTP/1.1"));
        // A change holds for the next request.
        set(&harness, "none", "", "").await;
        let failed = harness.engine.call("provider_models", &params.to_string()).await;
        let said = format!("{failed:?}");
        assert!(said.contains("models.test cannot be resolved"), "{said}");
    });
}

#[test]
fn what_an_authorization_requests_goes_through_it() {
    run_test(async {
        // It answers in place of the server: authorization is required, and its metadata is at a third address.
        let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", proxy.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = seen.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = proxy.accept().await {
                let mut client = BufReader::new(client);
                let mut head = String::new();
                while !head.ends_with("\r\n\r\n")
                    && client.read_line(&mut head).await.is_ok_and(|read| read > 0)
                {}
                let status = if head.starts_with("POST http://mcp.test/mcp ") {
                    "401 Unauthorized\r\nWWW-Authenticate: Bearer resource_metadata=\"https://metadata.test/resource\""
                } else {
                    "502 Bad Gateway"
                };
                kept.lock().unwrap().push(head);
                let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                let _ = client.write_all(answer.as_bytes()).await;
            }
        });
        let harness = Harness::at("http://mcp.test/mcp", |draft| draft.era = EraChoice::Legacy).await;
        set(&harness, "manual", &url, "").await;
        harness.connect().await.unwrap_err();
        let seen = seen.lock().unwrap().join("").to_lowercase();
        assert!(
            seen.contains("connect metadata.test:443") && seen.matches(&LOGIN.to_lowercase()).count() > 1,
            "{seen}"
        );
    });
}
