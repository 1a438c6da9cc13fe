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

/// What is at the end of a proxy is not known, and its own address says nothing about the server.
#[tokio::test]
async fn a_response_names_the_address_of_its_server_except_behind_a_proxy() {
    let server = Server::new([ok("one"), ok("two")]).await;
    let harness = Harness::new(direct());
    for body in ["one", "two"] {
        let mut response = harness.get(&server.url("/")).await.unwrap();
        assert_eq!(response.peer, Some([127, 0, 0, 1].into()), "{body}");
        assert_eq!(response.read(100).await.unwrap().0, body);
    }
    let proxy = Server::new([ok("from the proxy")]).await;
    let response = Harness::new(through(&proxy)).get("http://127.0.0.1:9/").await;
    assert_eq!(response.unwrap().peer, None);
}

#[tokio::test]
async fn a_failing_proxy_is_reported() {
    for (answer, cause) in [
        (
            response(407, &[], b""),
            "rejects the user name or password: HTTP/1.1 407 Some",
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
    assert_eq!(proxy("https://one.test/"), Ok(Some("proxy.test:1080".to_owned())));
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
        "the proxy is not a URL: relative URL without a base"
    );
    assert_eq!(refused("socks4://h:1"), "`socks4` proxies are not supported");
    // Otherwise all requests would go without a proxy.
    for (text, host) in [
        ("socks5://user:pw@pr\u{f6}xy:1080", "pr%C3%B6xy"),
        ("http://${PROXY_HOST}:3128", "${proxy_host}"),
    ] {
        assert_eq!(
            refused(text),
            format!("`{host}` is not a host name that a proxy can have")
        );
    }
}

#[test]
fn a_bypass_of_everything_is_valid() {
    let everything = ProxyChoice::Except {
        url: "http://proxy.test".to_owned(),
        bypass: "*".to_owned(),
    };
    let proxies = Proxies::new(&everything).unwrap();
    let found = proxies.on_the_way_to(&"http://one.test/".parse().unwrap());
    assert!(found.unwrap().is_none());
}

/// The matcher cannot say anything about it, so it is not sent at all.
#[test]
fn an_address_that_the_proxy_cannot_get_does_not_go_without_it() {
    let choice = ProxyChoice::Url("http://proxy.test".to_owned());
    let proxies = Proxies::new(&choice).unwrap();
    let found = proxies.on_the_way_to(&"http://a{b}.test/".parse().unwrap());
    assert!(found.is_err());
}

#[tokio::test]
async fn a_proxy_with_exceptions_is_not_used_for_them_nor_for_this_machine() {
    let proxies = Proxies::new(&ProxyChoice::Except {
        url: "http://proxy.test".to_owned(),
        bypass: "direct.test, 10.0.0.0/8".to_owned(),
    })
    .unwrap();
    let proxy = |url: &str| {
        let found = proxies.on_the_way_to(&url.parse::<Url>().unwrap()).unwrap();
        found.map(|proxy| proxy.name())
    };
    for url in ["http://one.test/", "https://one.test/", "http://notdirect.test/"] {
        assert_eq!(proxy(url), Some("proxy.test:80".to_owned()), "{url}");
    }
    for url in [
        "http://127.0.0.1/",
        "https://localhost/",
        "http://a.direct.test/",
        "https://10.1.2.3/",
    ] {
        assert_eq!(proxy(url), None, "{url}");
    }
}

#[tokio::test]
async fn a_proxy_that_asks_for_a_password_is_named_for_plain_requests_too() {
    for (login, cause) in [
        ("", "requires authentication"),
        ("user:pw@", "rejects the user name or password"),
    ] {
        let proxy = Server::new([Act::Say(response(407, &[], b"<html>"))]).await;
        let harness = Harness::new(Settings {
            proxy: ProxyChoice::Url(format!("http://{login}127.0.0.1:{}", proxy.port)),
            ..direct()
        });
        let failed = harness.refused("http://one.test/").await;
        assert_eq!(failed.step, Step::Connect);
        let port = proxy.port;
        assert!(
            failed
                .cause
                .starts_with(&format!("the proxy 127.0.0.1:{port} {cause}: HTTP 407")),
            "{}",
            failed.cause
        );
        assert!(
            failed
                .next
                .contains("user name and password of the proxy in Settings > Proxy")
        );
        assert!(!failed.may_have_been_sent);
    }
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_named() {
    let (_held, port) = refusing();
    for (url, cause) in [
        (
            format!("http://127.0.0.1:{port}"),
            format!("the proxy 127.0.0.1:{port} is not reachable: 127.0.0.1:{port}: connection refused"),
        ),
        (
            "socks5://nowhere.invalid".to_owned(),
            "the proxy nowhere.invalid:1080 cannot be found: ".to_owned(),
        ),
    ] {
        let harness = Harness::new(Settings {
            proxy: ProxyChoice::Url(url),
            ..direct()
        });
        let failed = harness.refused("http://one.test/").await;
        assert_eq!(failed.step, Step::Connect);
        assert!(failed.cause.starts_with(&cause), "{}", failed.cause);
        assert!(failed.next.contains("in Settings > Proxy"), "{}", failed.next);
    }
}

/// Reads `count` bytes.
async fn bytes(stream: &mut tokio::net::TcpStream, count: usize) -> Vec<u8> {
    use tokio::io::AsyncReadExt as _;
    let mut read = vec![0; count];
    stream.read_exact(&mut read).await.unwrap();
    read
}

/// Answers one SOCKS 5 handshake (RFC 1928 and 1929) with `reply`, and connects to `there` if that is 0. Returns what was asked for:
/// user, password and target.
pub(super) async fn socks(
    listener: &tokio::net::TcpListener,
    accepts: bool,
    reply: u8,
    there: u16,
) -> (String, String, String) {
    use tokio::io::AsyncWriteExt as _;
    let (mut client, _) = listener.accept().await.unwrap();
    let methods = bytes(&mut client, 2).await;
    assert_eq!(methods[0], 5);
    let methods = bytes(&mut client, methods[1].into()).await;
    let (mut user, mut password) = (String::new(), String::new());
    if methods.contains(&2) {
        client.write_all(&[5, 2]).await.unwrap();
        assert_eq!(bytes(&mut client, 1).await, [1]);
        for part in [&mut user, &mut password] {
            let length = bytes(&mut client, 1).await[0];
            *part = String::from_utf8(bytes(&mut client, length.into()).await).unwrap();
        }
        client.write_all(&[1, u8::from(!accepts)]).await.unwrap();
        if !accepts {
            return (user, password, String::new());
        }
    } else {
        client.write_all(&[5, 0]).await.unwrap();
    }
    assert_eq!(bytes(&mut client, 4).await, [5, 1, 0, 3]);
    let length = bytes(&mut client, 1).await[0];
    let host = String::from_utf8(bytes(&mut client, length.into()).await).unwrap();
    let port = bytes(&mut client, 2).await;
    let target = format!("{host}:{}", u16::from_be_bytes([port[0], port[1]]));
    client
        .write_all(&[5, reply, 0, 1, 0, 0, 0, 0, 0, 0])
        .await
        .unwrap();
    if reply == 0 {
        let mut server = tokio::net::TcpStream::connect(("127.0.0.1", there))
            .await
            .unwrap();
        let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
    }
    (user, password, target)
}

#[tokio::test]
async fn a_socks_proxy_connects_and_resolves_the_name() {
    let own = Server::new([ok("over SOCKS")]).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let harness = Harness::new(Settings {
        proxy: ProxyChoice::Url(format!("socks5://us%40er:p%3Aw@127.0.0.1:{port}")),
        ..direct()
    });
    let serving = tokio::spawn({
        let there = own.port;
        async move { socks(&listener, true, 0, there).await }
    });
    assert_eq!(harness.text("http://unknown.test/path").await, "over SOCKS");
    // The path alone: the proxy knows nothing of HTTP.
    assert!(own.asked.all()[0].starts_with("GET /path HTTP/1.1\r\nhost: unknown.test\r\n"));
    drop(harness);
    let asked = serving.await.unwrap();
    let expected = ("us@er".to_owned(), "p:w".to_owned(), "unknown.test:80".to_owned());
    assert_eq!(asked, expected);
}

#[tokio::test]
async fn a_failing_socks_proxy_is_reported() {
    for (login, accepts, reply, cause) in [
        ("u:p@", false, 0, "rejects the user name or password"),
        ("", true, 2, "does not connect to one.test:443"),
        ("", true, 5, "does not connect to one.test:443"),
    ] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let harness = Harness::new(Settings {
            proxy: ProxyChoice::Url(format!("socks5h://{login}127.0.0.1:{port}")),
            ..direct()
        });
        let (failed, _) = tokio::join!(
            harness.refused("https://one.test/"),
            socks(&listener, accepts, reply, 0)
        );
        assert_eq!(failed.step, Step::Connect);
        assert!(
            failed
                .cause
                .starts_with(&format!("the proxy 127.0.0.1:{port} {cause}")),
            "{}",
            failed.cause
        );
    }
    // Something else listens there.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let harness = Harness::new(Settings {
        proxy: ProxyChoice::Url(format!("socks5://127.0.0.1:{port}")),
        ..direct()
    });
    let other = async {
        use tokio::io::AsyncWriteExt as _;
        let (mut client, _) = listener.accept().await.unwrap();
        client
            .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .await
            .unwrap();
        client
    };
    let (failed, _client) = tokio::join!(harness.refused("http://one.test/"), other);
    assert_eq!(
        failed.cause,
        format!("127.0.0.1:{port} does not answer as a SOCKS 5 proxy")
    );
}

#[test]
fn a_choice_is_printed_without_its_password() {
    let url = "http://me:s3cr3t@proxy.test:3128".to_owned();
    let bypass = String::new();
    for choice in [ProxyChoice::Url(url.clone()), ProxyChoice::Except { url, bypass }] {
        assert!(!format!("{choice:?}").contains("s3cr3t"));
    }
}
