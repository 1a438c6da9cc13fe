use patchbay_secret::Secret;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use super::{Listener, route};
use crate::grant::callback::{Checked, Expected};

async fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn one_path_is_served_on_both_addresses_and_only_the_matching_response_counts() {
    let listener = Listener::bind(None).await.unwrap();
    let port = listener.port;
    assert_eq!(
        listener.redirect_uri(),
        format!("http://localhost:{port}/callback")
    );
    assert_eq!(listener.sockets.len(), 2, "this machine has no IPv6");
    let expected = Expected {
        state: Secret::new("right-state"),
        issuer: "https://as.example".to_owned(),
        promises_iss: false,
    };
    let (found, mut brought) = mpsc::channel(1);
    let serve = tokio::spawn(async move { listener.serve(&expected, &found).await });

    let four = format!("127.0.0.1:{port}");
    let six = format!("[::1]:{port}");
    let get = |target: &str| format!("GET {target} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
    let right = "/callback?code=the-code&state=right-state";
    for (request, status) in [
        (get("/"), "404"),
        (get("/favicon.ico"), "404"),
        (get(&right.replace("right", "wrong")), "400"),
        (get("/callback"), "400"),
        (
            format!("POST {right} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"),
            "405",
        ),
        (
            format!("GET {right} HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n"),
            "404",
        ),
        (format!("GET {right} HTTP/1.1\r\n\r\n"), "404"),
    ] {
        let answer = ask(&four, &request).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{request}{answer}"
        );
    }
    assert!(brought.try_recv().is_err());

    let page = ask(&six, &get(right)).await;
    assert!(page.starts_with("HTTP/1.1 200 OK"), "{page}");
    for field in [
        "Cache-Control: no-store",
        "Referrer-Policy: no-referrer",
        "default-src 'none'",
    ] {
        assert!(page.contains(field), "{page}");
    }
    assert!(!page.contains("the-code") && !page.contains("right-state"));
    let Some(Checked::Code(code)) = brought.recv().await else {
        panic!("no code");
    };
    assert_eq!(code.expose(), "the-code");

    let nasty = "/callback?error=%3Cscript%3Ealert(1)%3C%2Fscript%3E&state=right-state";
    let page = ask(&four, &get(nasty)).await;
    assert!(
        page.contains("&lt;script&gt;") && !page.contains("<script"),
        "{page}"
    );
    assert!(matches!(brought.recv().await, Some(Checked::Refused(_))));
    serve.abort();
}

#[tokio::test]
async fn a_port_in_use_is_reported() {
    let first = Listener::bind(None).await.unwrap();
    let failure = Listener::bind(Some(first.port)).await.err().unwrap();
    assert!(
        failure
            .cause
            .contains(&format!("port {} cannot be used", first.port)),
        "{failure}"
    );
}

#[test]
fn a_browser_may_leave_out_the_default_port() {
    let expected = Expected {
        state: Secret::new("right-state"),
        issuer: "https://as.example".to_owned(),
        promises_iss: false,
    };
    let status = |host: &str, port: u16| {
        let head = format!("GET /callback?code=the-code&state=right-state HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let page = route(&head, port, &expected).0;
        page.split(' ').nth(1).unwrap().to_owned()
    };
    for host in ["localhost", "127.0.0.1", "[::1]", "localhost:80"] {
        assert_eq!(status(host, 80), "200", "{host}");
    }
    assert_eq!(status("localhost", 8080), "404");
    assert_eq!(status("evil.example", 80), "404");
}

#[tokio::test]
async fn the_documentation_has_the_redirect_uri() {
    let listener = Listener::bind(None).await.unwrap();
    let page = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../docs/src/tasks/authorize.md"
    );
    let sent = listener
        .redirect_uri()
        .replace(&listener.port.to_string(), "PORT");
    assert!(
        std::fs::read_to_string(page)
            .unwrap()
            .contains(&format!("register `{sent}`"))
    );
}
