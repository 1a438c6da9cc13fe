//! Access control from the outside: plain TCP and a plain WebSocket client against a real listener.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use patchbay_engine::{BrowserChoice, Engine, EngineOptions, EnvironmentChoice, SecretsChoice, StoreChoice};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite};
use tungstenite::{Message, client::IntoClientRequest as _};

use super::{
    Serving, SessionAuth,
    connections::{self, Limits},
    router,
};

mod dying;
mod unread;
pub(super) use dying::strike;

/// An engine with temporary folders, and what its pages share.
pub(super) async fn serving() -> (Serving, tempfile::TempDir) {
    serving_on(0, Limits::default()).await
}

async fn serving_on(port: u16, limits: Limits) -> (Serving, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = EngineOptions {
        data_dir: Some(folder.path().to_owned()),
        store: StoreChoice::Temporary,
        environment: EnvironmentChoice::Inherited,
        demo_program: None,
        front: "a test",
        inputs: patchbay_engine::InputChain::attended(),
        browser: BrowserChoice::Shown,
        secrets: SecretsChoice::Memory,
    };
    let serving = Serving {
        engine: Engine::open(options).await.unwrap(),
        auth: SessionAuth::new(port).unwrap(),
        limits,
        closing: tokio::sync::watch::Sender::new(false),
    };
    (serving, folder)
}

/// A served engine with temporary folders.
struct Served {
    port: u16,
    token: String,
    engine: Engine,
    _folder: tempfile::TempDir,
    _serving: JoinSet<std::convert::Infallible>,
}

impl Served {
    async fn start() -> Self {
        Self::within(Limits::default()).await
    }

    async fn within(limits: Limits) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (serving, folder) = serving_on(port, limits).await;
        let engine = serving.engine.clone();
        let token = serving.auth.address().split_once("#token=").unwrap().1.to_owned();
        let router = router(serving.into());
        let mut serving = JoinSet::new();
        serving
            .spawn(async move { connections::serve(listener, &router, limits, &mut JoinSet::new()).await });
        Self {
            port,
            token,
            engine,
            _folder: folder,
            _serving: serving,
        }
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Sends one request verbatim and returns the whole response.
    async fn request(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        let length = body.len();
        let request = format!("{head}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The status of a request.
    async fn status(&self, head: &str) -> u16 {
        status(&self.request(head, "").await)
    }

    async fn exchange(&self, token: &str, cookie: Option<&str>) -> String {
        let (host, cookie) = (
            self.host(),
            cookie
                .map(|cookie| format!("\r\nCookie: {cookie}"))
                .unwrap_or_default(),
        );
        let head = format!("POST /session HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}{cookie}");
        self.request(&head, &format!("{{\"token\":\"{token}\"}}")).await
    }

    /// Opens the link: the cookie and the page key.
    async fn open_link(&self) -> (String, String) {
        let answer = self.exchange(&self.token, None).await;
        let cookie = answer
            .split_once("set-cookie: ")
            .unwrap()
            .1
            .split_once(';')
            .unwrap()
            .0
            .to_owned();
        let page = answer
            .split_once("{\"page\":\"")
            .unwrap()
            .1
            .split_once('"')
            .unwrap()
            .0
            .to_owned();
        (cookie, page)
    }

    async fn socket(&self, cookie: &str, origin: &str) -> Result<Socket, u16> {
        let mut request = format!("ws://{}/ws", self.host()).into_client_request().unwrap();
        request.headers_mut().insert("origin", origin.parse().unwrap());
        request.headers_mut().insert("cookie", cookie.parse().unwrap());
        match connect_async(request).await {
            Ok((socket, _)) => Ok(socket),
            Err(tungstenite::Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(error) => panic!("no answer: {error}"),
        }
    }
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

async fn next(socket: &mut Socket) -> Message {
    tokio::time::timeout(Duration::from_secs(10), socket.next())
        .await
        .unwrap()
        .unwrap()
        .unwrap()
}

async fn say(socket: &mut Socket, text: String) {
    socket.send(Message::from(text)).await.unwrap();
}

#[tokio::test]
async fn the_token_works_once_and_then_only_with_its_cookie() {
    let served = Served::start().await;
    assert_eq!(status(&served.exchange("wrong", None).await), 401);
    assert_eq!(status(&served.exchange("", None).await), 401);
    let (cookie, _) = served.open_link().await;
    assert!(
        cookie.starts_with(&format!("patchbay_{}=", served.port)),
        "{cookie}"
    );
    assert!(!cookie.contains(&served.token));
    assert_eq!(status(&served.exchange(&served.token, None).await), 401);
    assert_eq!(
        status(&served.exchange(&served.token, Some(&format!("{cookie}x"))).await),
        401
    );
    assert_eq!(
        status(
            &served
                .exchange(&served.token, Some(&format!("other=1; {cookie}")))
                .await
        ),
        200
    );
}

#[tokio::test]
async fn another_host_or_origin_is_refused() {
    let served = Served::start().await;
    let (port, host) = (served.port, served.host());
    for (host, expected) in [
        (format!("127.0.0.1:{port}"), 200),
        (format!("localhost:{port}"), 200),
        ("evil.example".to_owned(), 403),
        (format!("evil.example:{port}"), 403),
        ("127.0.0.1".to_owned(), 403),
        (format!("{host}\r\nHost: evil.example"), 403),
    ] {
        // The HTTP library may already refuse a second Host.
        let got = served.status(&format!("GET / HTTP/1.1\r\nHost: {host}")).await;
        assert!(
            got == expected || (expected == 403 && got == 400),
            "{host}: {got}"
        );
    }
    for origin in [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "http://127.0.0.1",
    ] {
        let head = format!("POST /session HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}");
        assert_eq!(served.status(&head).await, 403, "{origin}");
    }
    assert_eq!(
        served
            .status(&format!("POST /session HTTP/1.1\r\nHost: {host}"))
            .await,
        403
    );
    let (cookie, _) = served.open_link().await;
    assert_eq!(
        served.socket(&cookie, "http://evil.example").await.err(),
        Some(403)
    );
    // Only with the host name of the page itself.
    assert_eq!(
        served
            .socket(&cookie, &format!("http://localhost:{port}"))
            .await
            .err(),
        Some(403)
    );
}

#[tokio::test]
async fn a_socket_needs_the_cookie_and_a_body_the_key_of_the_page_too() {
    let served = Served::start().await;
    let origin = format!("http://{}", served.host());
    assert_eq!(served.socket("a=b", &origin).await.err(), Some(401));
    let body = format!("GET /body/x HTTP/1.1\r\nHost: {}", served.host());
    assert_eq!(served.status(&body).await, 401);
    let (cookie, page) = served.open_link().await;
    // Pages of other ports of this host send the cookie too, but none knows the key of our page.
    let cookie_only = format!("{body}\r\nCookie: {cookie}");
    assert_eq!(served.status(&cookie_only).await, 401);
    let wrong_key = format!("{cookie_only}\r\nX-Patchbay-Page: {page}x");
    assert_eq!(served.status(&wrong_key).await, 401);
    let key_only = format!("{body}\r\nX-Patchbay-Page: {page}");
    assert_eq!(served.status(&key_only).await, 401);
    let answer = served
        .request(&format!("{cookie_only}\r\nX-Patchbay-Page: {page}"), "")
        .await;
    assert_eq!(status(&answer), 404);
    assert!(answer.contains("\"code\":\"notFound\""), "{answer}");
    assert_eq!(served.socket("a=b", &origin).await.err(), Some(401));
}

#[tokio::test]
async fn a_page_without_a_key_is_closed_with_4401() {
    let served = Served::start().await;
    let (cookie, page) = served.open_link().await;
    let origin = format!("http://{}", served.host());
    for first in [
        "{\"page\":\"wrong\"}".to_owned(),
        format!("{{\"page\":\"{page}x\"}}"),
        "x".to_owned(),
    ] {
        let mut socket = served.socket(&cookie, &origin).await.unwrap();
        say(&mut socket, first.clone()).await;
        let Message::Close(Some(frame)) = next(&mut socket).await else {
            panic!("closed: {first}")
        };
        assert_eq!(u16::from(frame.code), 4401, "{first}");
    }
}

#[tokio::test]
async fn calls_and_streams_over_the_socket() {
    let served = Served::start().await;
    let (cookie, page) = served.open_link().await;
    let mut socket = served
        .socket(&cookie, &format!("http://{}", served.host()))
        .await
        .unwrap();
    say(&mut socket, format!("{{\"page\":\"{page}\"}}")).await;
    for (frame, expected) in [
        (
            "{\"id\":1,\"call\":\"server_list\",\"params\":{}}",
            "{\"id\":1,\"ok\":{\"items\":[]}}",
        ),
        (
            "{\"id\":2,\"call\":\"nothing\"}",
            "{\"id\":2,\"error\":{\"code\":\"invalidParams\"",
        ),
        (
            "{\"id\":3,\"call\":\"tool_get\",\"params\":{}}",
            "{\"id\":3,\"error\":{\"code\":\"invalidParams\"",
        ),
        (
            "{\"id\":4,\"open\":\"app_watch\",\"params\":{}}",
            "{\"id\":4,\"event\":{\"topic\":\"servers\"",
        ),
        (
            "{\"id\":5,\"open\":\"tool_call\",\"params\":{\"serverId\":\"x\",\"name\":\"t\",\"argumentsJson\":\"{}\"}}",
            "{\"id\":5,\"end\":true,\"error\":{\"code\":\"notFound\"",
        ),
        (
            "{\"id\":6,\"open\":\"server_list\"}",
            "{\"id\":6,\"error\":{\"code\":\"invalidParams\"",
        ),
    ] {
        say(&mut socket, frame.to_owned()).await;
        let Message::Text(text) = next(&mut socket).await else {
            panic!("a text for {frame}")
        };
        assert!(text.starts_with(expected), "{frame} was answered {text}");
    }
    // A closed stream stays silent: the next frame is the result of the call, not the nudge that it causes.
    say(&mut socket, "{\"id\":4,\"close\":true}".to_owned()).await;
    let draft = r#"{"name":"a","transport":{"type":"stdio","command":"x","args":[],"env":[],"cwd":null},"era":"auto","timeouts":{"requestMs":1,"maxTotalMs":1,"resetOnProgress":true}}"#;
    say(
        &mut socket,
        format!("{{\"id\":7,\"call\":\"server_add\",\"params\":{{\"draft\":{draft}}}}}"),
    )
    .await;
    let Message::Text(text) = next(&mut socket).await else {
        panic!("a text")
    };
    assert!(text.starts_with("{\"id\":7,\"ok\":{\"serverId\":"), "{text}");
    say(&mut socket, "not a frame".to_owned()).await;
    let Message::Close(Some(frame)) = next(&mut socket).await else {
        panic!("closed")
    };
    assert_eq!(u16::from(frame.code), 4400);
    served.engine.shutdown().await;
}

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let served = Served::start().await;
    let host = served.host();
    for path in ["/", "/body/x", "/app/x", "/no/such/file", "/session"] {
        let answer = served
            .request(&format!("GET {path} HTTP/1.1\r\nHost: {host}"), "")
            .await
            .to_ascii_lowercase();
        for header in [
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-store",
            "content-security-policy: default-src 'none'",
        ] {
            assert!(answer.contains(header), "{path}: {answer}");
        }
    }
}

/// A connection that sent an incomplete request.
async fn unfinished(served: &Served) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", served.port)).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: ").await.unwrap();
    stream
}

/// Whether the server closes a connection within ten seconds.
async fn closes(stream: &mut TcpStream) -> bool {
    let mut rest = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut rest));
    read.await.is_ok()
}

#[tokio::test]
async fn an_incomplete_request_is_closed() {
    let served = Served::within(Limits {
        head: Duration::from_millis(50),
        ..Limits::default()
    })
    .await;
    let mut silent = TcpStream::connect(("127.0.0.1", served.port)).await.unwrap();
    assert!(closes(&mut unfinished(&served).await).await);
    assert!(closes(&mut silent).await, "and so is an idle connection");
    served.engine.shutdown().await;
}

#[tokio::test]
async fn a_request_without_its_body_gets_408() {
    let served = Served::within(Limits {
        response: Duration::from_millis(50),
        ..Limits::default()
    })
    .await;
    let host = served.host();
    let mut stream = TcpStream::connect(("127.0.0.1", served.port)).await.unwrap();
    let head = format!(
        "POST /session HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: 9\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut start = [0; 12];
    let read = tokio::time::timeout(Duration::from_secs(10), stream.read_exact(&mut start));
    read.await.unwrap().unwrap();
    assert_eq!(&start, b"HTTP/1.1 408");
    served.engine.shutdown().await;
}

#[tokio::test]
async fn no_more_connections_are_served_than_the_limit_says() {
    let served = Served::within(Limits {
        connections: 1,
        head: Duration::from_millis(200),
        ..Limits::default()
    })
    .await;
    let first = unfinished(&served).await;
    // Served only once the first is closed.
    let answer = served
        .status(&format!("GET / HTTP/1.1\r\nHost: {}", served.host()))
        .await;
    assert_eq!(answer, 200);
    let mut byte = [0];
    let over =
        !matches!(first.try_read(&mut byte), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock);
    assert!(over, "the first was still open when the second was answered");
    let (cookie, page) = served.open_link().await;
    let mut socket = served
        .socket(&cookie, &format!("http://{}", served.host()))
        .await
        .unwrap();
    say(&mut socket, format!("{{\"page\":\"{page}\"}}")).await;
    let call = "{\"id\":1,\"call\":\"server_list\",\"params\":{}}";
    say(&mut socket, call.to_owned()).await;
    next(&mut socket).await;
    // The WebSocket occupies the only slot, although its HTTP connection has ended.
    let host = served.host();
    let head = format!("GET / HTTP/1.1\r\nHost: {host}");
    let waiting = served.status(&head);
    tokio::pin!(waiting);
    tokio::select! {
        biased;
        status = &mut waiting => panic!("answered with {status} beside the socket"),
        () = async {
            for _ in 0..20 {
                say(&mut socket, call.to_owned()).await;
                next(&mut socket).await;
            }
        } => {}
    }
    socket.close(None).await.unwrap();
    drop(socket);
    assert_eq!(waiting.await, 200);
    served.engine.shutdown().await;
}
