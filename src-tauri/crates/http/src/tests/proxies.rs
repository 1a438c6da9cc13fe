//! Proxies.

use hyper_util::client::proxy::matcher::Matcher;

use super::server::{ok, response};
use super::*;
use crate::connect::Connector;
use crate::connect::proxy::Proxies;
use crate::{SettingsError, Step};

fn through(proxy: &Server) -> Settings {
    Settings {
        proxy: ProxyChoice::Url(format!("http://user:pw@127.0.0.1:{}", proxy.port)),
        ..direct()
    }
}

#[tokio::test]
async fn a_configured_proxy_receives_absolute_urls() {
    let proxy = Server::new([ok("from the proxy"), ok("again")]).await;
    let harness = Harness::new(through(&proxy));
    assert_eq!(
        harness.text("http://127.0.0.1:9/path?q=1").await,
        "from the proxy"
    );
    assert_eq!(harness.text("http://127.0.0.1:9/path?q=1").await, "again");
    for request in proxy.asked.all() {
        assert!(request.starts_with("GET http://127.0.0.1:9/path?q=1 HTTP/1.1\r\nhost: 127.0.0.1:9\r\n"));
        assert!(request.contains("\r\nproxy-authorization: Basic dXNlcjpwdw==\r\n"));
    }
    let stages = harness.stages(1).await;
    let HttpStage::Timing(timing) = &stages[1] else {
        panic!("{stages:?}")
    };
    assert_eq!(timing.proxy, Some(format!("127.0.0.1:{}", proxy.port)));
}

#[tokio::test]
async fn a_failing_proxy_is_reported() {
    for (answer, cause) in [
        (
            response(407, &[], b""),
            "requires authentication: HTTP/1.1 407 Some",
        ),
        (
            response(403, &[], b""),
            "does not connect to one.test:443: HTTP/1.1 403 Some",
        ),
        (
            b"nonsense\r\n\r\n".to_vec(),
            "does not connect to one.test:443: nonsense",
        ),
    ] {
        let proxy = Server::new([Act::Say(answer)]).await;
        let harness = Harness::new(through(&proxy));
        let failed = harness.refused("https://one.test/").await;
        assert_eq!(failed.step, Step::Connect);
        assert_eq!(
            failed.cause,
            format!("the proxy 127.0.0.1:{} {cause}", proxy.port)
        );
        assert!(proxy.asked.all()[0].starts_with("CONNECT one.test:443 HTTP/1.1\r\n"));
    }
}

#[tokio::test]
async fn the_environment_applies_except_to_this_machine() {
    let proxies = Proxies::of_environment(
        Matcher::builder()
            .http("http://proxy.test:3128")
            .https("socks5://proxy.test:1080")
            .no("direct.test, 10.0.0.0/8")
            .build(),
    );
    let proxy = |url: &str| {
        proxies
            .on_the_way_to(&url.parse::<Url>().unwrap())
            .map(|proxy| proxy.map(|proxy| proxy.name()))
            .map_err(|fault| fault.cause)
    };
    assert_eq!(proxy("http://one.test/"), Ok(Some("proxy.test:3128".to_owned())));
    for own in [
        "http://localhost:1/",
        "http://a.localhost/",
        "http://127.0.0.1/",
        "http://127.9.9.9/",
        "http://[::1]/",
        "http://direct.test/",
        "http://sub.direct.test/",
        "http://10.1.2.3/",
    ] {
        assert_eq!(proxy(own), Ok(None), "{own}");
    }
    assert_eq!(
        proxy("https://one.test/"),
        Err("the proxy socks5://proxy.test:1080/ is not of a supported kind".to_owned())
    );
}

#[tokio::test]
async fn requests_use_the_proxy_of_the_environment() {
    let proxy = Server::new([ok("from the proxy")]).await;
    let own = Server::new([ok("direct")]).await;
    let (store, recorder, connection) = log();
    let settings = direct();
    let mut connector = Connector::new(&settings, Arc::new(Names)).unwrap();
    connector.proxies = Proxies::of_environment(
        Matcher::builder()
            .all(format!("http://127.0.0.1:{}", proxy.port))
            .build(),
    );
    let client = Client::with_connector(&settings, recorder.clone(), connector);
    let harness = Harness {
        store,
        recorder,
        connection,
        client,
    };
    assert_eq!(harness.text("http://one.test/").await, "from the proxy");
    assert_eq!(harness.text(&own.url("/")).await, "direct");
}

#[tokio::test]
async fn an_invalid_proxy_is_rejected_at_once() {
    let refused = |text: &str| {
        let settings = Settings {
            proxy: ProxyChoice::Url(text.to_owned()),
            ..direct()
        };
        let (_, recorder, _) = log();
        match Client::new(settings, recorder) {
            Err(SettingsError { cause, .. }) => cause,
            Ok(_) => panic!("taken"),
        }
    };
    assert_eq!(
        refused("nonsense"),
        "`nonsense` is not a URL: relative URL without a base"
    );
    assert_eq!(
        refused("socks5://h:1"),
        "`socks5` proxies are not supported, only http and https"
    );
}
