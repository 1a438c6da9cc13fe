//! TLS: trust, rejections and their reasons, HTTP/2, client certificates.

use std::path::PathBuf;

use futures_util::future::BoxFuture;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::danger::ClientCertVerifier;
use rustls::server::{ClientCertVerifierBuilder, WebPkiClientVerifier};
use rustls::{RootCertStore, ServerConfig};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::server::ok;
use super::*;
use crate::{SettingsError, Step, TlsReason};

/// An authority that issues certificates.
pub(super) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: tempfile::TempDir,
}

pub(super) struct Identity {
    pub(super) chain: Vec<CertificateDer<'static>>,
    key: KeyPair,
    pem: String,
}

impl Authority {
    pub(super) fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params
            .distinguished_name
            .push(DnType::CommonName, "Test Authority");
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        Self {
            issuer,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(super) fn issue(&self, change: impl FnOnce(&mut CertificateParams)) -> Identity {
        let mut params = CertificateParams::new(vec!["one.test".to_owned(), "127.0.0.1".to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, "One");
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        Identity {
            chain: vec![certificate.der().clone()],
            pem: certificate.pem(),
            key,
        }
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Requires a client certificate of its own.
    fn clients(&self) -> ClientCertVerifierBuilder {
        let mut roots = RootCertStore::empty();
        roots.add(self.issuer.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
    }

    /// Settings that trust it.
    pub(super) fn trusting(&self) -> Settings {
        Settings {
            ca_file: Some(self.file("ca.pem", &self.issuer.pem())),
            ..direct()
        }
    }
}

fn self_signed() -> Identity {
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(vec!["one.test".to_owned()])
        .unwrap()
        .self_signed(&key)
        .unwrap();
    Identity {
        chain: vec![certificate.der().clone()],
        pem: certificate.pem(),
        key,
    }
}

/// A server with this certificate; `clients` is the authority of the accepted client certificates.
pub(super) async fn secure(
    identity: &Identity,
    clients: Option<&Authority>,
    acts: impl IntoIterator<Item = Act>,
) -> Server {
    let clients = clients.map(|authority| authority.clients().build().unwrap());
    let acceptor = acceptor(identity, clients, &[b"http/1.1"]);
    Server::over(acts, move |stream| accept(acceptor.clone(), stream)).await
}

pub(super) fn acceptor(
    identity: &Identity,
    clients: Option<Arc<dyn ClientCertVerifier>>,
    alpn: &[&[u8]],
) -> TlsAcceptor {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(clients) => builder.with_client_cert_verifier(clients),
    };
    let key = PrivateKeyDer::try_from(identity.key.serialize_der()).unwrap();
    let mut config = builder.with_single_cert(identity.chain.clone(), key).unwrap();
    config.alpn_protocols = alpn.iter().map(|protocol| protocol.to_vec()).collect();
    TlsAcceptor::from(Arc::new(config))
}

fn accept(acceptor: TlsAcceptor, stream: TcpStream) -> BoxFuture<'static, Option<TlsStream<TcpStream>>> {
    Box::pin(async move { acceptor.accept(stream).await.ok() })
}

pub(super) fn url(server: &Server) -> String {
    format!("https://one.test:{}/", server.port)
}

#[tokio::test]
async fn a_server_of_an_additional_authority_is_trusted_and_its_certificate_recorded() {
    let authority = Authority::new();
    let identity = authority.issue(|_| {});
    let server = secure(&identity, None, [ok("safe"), ok("again")]).await;
    let harness = Harness::new(authority.trusting());
    assert_eq!(harness.text(&url(&server)).await, "safe");
    assert_eq!(harness.text(&url(&server)).await, "again");
    assert_eq!(server.asked.connections(), 1);
    let stages = harness.stages(1).await;
    let HttpStage::Timing(timing) = &stages[1] else {
        panic!("{stages:?}")
    };
    assert!(timing.dns_ns.is_some() && timing.tls_ns.is_some());
    let tls = timing.tls.as_ref().unwrap();
    assert_eq!(
        (
            &*tls.version,
            tls.alpn.as_deref(),
            &*tls.issuer,
            tls.accepted_by_user
        ),
        ("TLS 1.3", Some("http/1.1"), "CN=Test Authority", false)
    );
    assert_eq!(tls.fingerprint.len(), 64);
}

#[tokio::test]
async fn a_rejected_certificate_has_a_reason_and_a_fingerprint() {
    let authority = Authority::new();
    let past = authority.issue(|params| {
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 2, 3);
    });
    let future = authority.issue(|params| {
        params.not_before = date_time_ymd(2999, 1, 2);
        params.not_after = date_time_ymd(3000, 1, 1);
    });
    let other = authority.issue(|params| {
        params.subject_alt_names = vec![rcgen::SanType::DnsName("other.test".try_into().unwrap())];
    });
    let cases = [
        (
            authority.issue(|_| {}),
            direct(),
            TlsReason::UnknownIssuer,
            "the certificate of one.test is from CN=Test Authority, which this system does not trust",
        ),
        (
            self_signed(),
            direct(),
            TlsReason::SelfSigned,
            "the certificate of one.test is self-signed (CN=rcgen self signed cert)",
        ),
        (
            past,
            authority.trusting(),
            TlsReason::Expired,
            "the certificate of one.test expired on 2002-02-03T00:00:00Z",
        ),
        (
            future,
            authority.trusting(),
            TlsReason::NotYetValid,
            "the certificate of one.test is not valid before 2999-01-02T00:00:00Z",
        ),
        (
            other,
            authority.trusting(),
            TlsReason::WrongName,
            "the certificate is not for one.test but for other.test",
        ),
    ];
    for (identity, settings, reason, cause) in cases {
        let server = secure(&identity, None, [ok("accepted"), ok("accepted")]).await;
        let harness = Harness::new(settings.clone());
        let failed = harness.refused(&url(&server)).await;
        assert_eq!((failed.step, &*failed.cause), (Step::Tls, cause));
        assert!(!failed.may_have_been_sent);
        let problem = failed.tls.unwrap();
        assert_eq!(problem.reason, reason);

        // The shown fingerprint accepts this certificate only.
        let accepting = |fingerprint: &str| Settings {
            accepted_fingerprint: Some(fingerprint.to_owned()),
            ..settings.clone()
        };
        let shown: String = problem
            .fingerprint
            .to_uppercase()
            .as_bytes()
            .chunks(2)
            .map(|pair| std::str::from_utf8(pair).unwrap())
            .collect::<Vec<_>>()
            .join(":");
        let harness = Harness::new(accepting(&shown));
        assert_eq!(harness.text(&url(&server)).await, "accepted");
        let HttpStage::Timing(timing) = harness.stages(1).await.remove(1) else {
            panic!("no timing")
        };
        assert!(timing.tls.unwrap().accepted_by_user);
        let harness = Harness::new(accepting(&"0".repeat(64)));
        assert_eq!(harness.refused(&url(&server)).await.cause, cause);
    }
}

#[tokio::test]
async fn a_client_certificate_is_sent_on_request() {
    let authority = Authority::new();
    let identity = authority.issue(|_| {});
    let server = secure(&identity, Some(&authority), [ok("welcome"), ok("welcome")]).await;
    let failed = Harness::new(authority.trusting()).refused(&url(&server)).await;
    assert_eq!(
        (failed.step, &*failed.cause),
        (Step::Tls, "the server requires a client certificate")
    );

    let ours = authority.issue(|_| {});
    let both = format!("{}{}", ours.pem, ours.key.serialize_pem());
    let settings = Settings {
        client_certificate: Some(authority.file("me.pem", &both)),
        ..authority.trusting()
    };
    assert_eq!(Harness::new(settings).text(&url(&server)).await, "welcome");

    // To another host than the one it is for, it is not shown.
    let settings = |host: &str| Settings {
        client_certificate: Some(authority.file("mine.pem", &both)),
        server_host: Some(host.to_owned()),
        ..authority.trusting()
    };
    let failed = Harness::new(settings("elsewhere.test"))
        .refused(&url(&server))
        .await;
    assert_eq!(failed.step, Step::Tls);
    let host = url(&server)
        .parse::<url::Url>()
        .unwrap()
        .host_str()
        .unwrap()
        .to_owned();
    assert_eq!(Harness::new(settings(&host)).text(&url(&server)).await, "welcome");

    let stranger = self_signed();
    let both = format!("{}{}", stranger.pem, stranger.key.serialize_pem());
    let settings = Settings {
        client_certificate: Some(authority.file("stranger.pem", &both)),
        ..authority.trusting()
    };
    let failed = Harness::new(settings).refused(&url(&server)).await;
    assert_eq!(failed.cause, "the server does not accept our client certificate");
}

#[tokio::test]
async fn tls_to_a_plain_port_is_reported() {
    let harness = Harness::new(direct());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        use tokio::io::AsyncWriteExt;
        while let Ok((mut stream, _)) = listener.accept().await {
            let answer = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";
            stream.write_all(answer).await.unwrap();
        }
    });
    let failed = harness.refused(&format!("https://one.test:{port}/")).await;
    assert_eq!(
        (failed.step, &*failed.cause),
        (Step::Tls, "the server does not speak TLS on this port")
    );
}

#[tokio::test]
async fn invalid_settings_are_reported_with_their_cause() {
    let authority = Authority::new();
    let ours = authority.issue(|_| {});
    let other = authority.issue(|_| {});
    let missing = authority.folder.path().join("missing.pem");
    let cause = |settings: Settings| {
        let (_, recorder, _) = log();
        match Client::new(settings, recorder) {
            Err(SettingsError { setting, cause, .. }) => {
                format!("{setting}: {cause}").replace(&*authority.folder.path().to_string_lossy(), "DIR")
            }
            Ok(_) => panic!("taken"),
        }
    };
    let with_ca = |ca_file: PathBuf| Settings {
        ca_file: Some(ca_file),
        ..direct()
    };
    let with_certificate = |text: &str| Settings {
        client_certificate: Some(authority.file("c.pem", text)),
        ..direct()
    };
    assert!(
        cause(with_ca(missing)).starts_with("certificate authority file: DIR/missing.pem cannot be read:")
    );
    assert_eq!(
        cause(with_ca(authority.file("empty.pem", "nothing"))),
        "certificate authority file: DIR/empty.pem holds no certificate"
    );
    assert!(
        cause(with_certificate(&ours.pem))
            .starts_with("client certificate: DIR/c.pem holds no private key that can be used")
    );
    let mixed = format!("{}{}", ours.pem, other.key.serialize_pem());
    assert_eq!(
        cause(with_certificate(&mixed)),
        "client certificate: keys may not be consistent: KeyMismatch"
    );
    let fingerprint = Settings {
        accepted_fingerprint: Some("abc".to_owned()),
        ..direct()
    };
    assert_eq!(
        cause(fingerprint),
        "accepted certificate: `abc` is not a SHA-256 fingerprint: 64 hex digits were expected"
    );
}

#[tokio::test]
async fn negotiated_http_2_uses_one_connection() {
    let authority = Authority::new();
    let acceptor = acceptor(&authority.issue(|_| {}), None, &[b"h2"]);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let connections = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    tokio::spawn(h2_server(listener, acceptor, connections.clone()));
    let harness = Harness::new(authority.trusting());
    let url = format!("https://one.test:{port}/path?q");
    let mut response = harness.get(&url).await.unwrap();
    assert_eq!(&*response.version, "HTTP/2");
    assert_eq!(response.read(99).await.unwrap().0, format!("GET {url} None"));
    let all = futures_util::future::join_all((0..20).map(|_| harness.text(&url))).await;
    assert!(all.iter().all(|text| *text == format!("GET {url} None")));
    assert_eq!(connections.load(std::sync::atomic::Ordering::Relaxed), 1);
    assert_eq!(harness.names(1).await, ["sent", "timing", "head", "end"]);
    assert_eq!(harness.names(2).await, ["sent", "head", "end"]);
}

/// Responds to every request with its method and URL.
pub(super) async fn h2_server(
    listener: tokio::net::TcpListener,
    acceptor: TlsAcceptor,
    connections: Arc<std::sync::atomic::AtomicUsize>,
) {
    use hyper_util::rt::{TokioExecutor, TokioIo};
    while let Ok((stream, _)) = listener.accept().await {
        connections.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let stream = acceptor.accept(stream).await.unwrap();
        let service =
            hyper::service::service_fn(|request: hyper::Request<hyper::body::Incoming>| async move {
                let (head, _) = request.into_parts();
                let text = format!("{} {} {:?}", head.method, head.uri, head.headers.get("host"));
                Ok::<_, std::convert::Infallible>(hyper::Response::new(http_body_util::Full::new(
                    bytes::Bytes::from(text),
                )))
            });
        tokio::spawn(
            hyper::server::conn::http2::Builder::new(TokioExecutor::new())
                .serve_connection(TokioIo::new(stream), service),
        );
    }
}

#[tokio::test]
async fn a_proxy_tunnels_tls() {
    let authority = Authority::new();
    let identity = authority.issue(|_| {});
    let server = secure(&identity, None, [ok("through the tunnel")]).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let (mut client, _) = listener.accept().await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            assert_ne!(client.read_buf(&mut head).await.unwrap(), 0);
        }
        let head = String::from_utf8(head).unwrap();
        let target = head.split(' ').nth(1).unwrap();
        let port: u16 = target.strip_prefix("one.test:").unwrap().parse().unwrap();
        let mut server = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        client
            .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
            .await
            .unwrap();
        let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
    });
    let settings = Settings {
        proxy: ProxyChoice::Url(format!("http://127.0.0.1:{proxy}")),
        ..authority.trusting()
    };
    assert_eq!(
        Harness::new(settings).text(&url(&server)).await,
        "through the tunnel"
    );
}

/// The client certificate identifies the user to the server, and the accepted certificate is the server's.
#[tokio::test]
async fn the_tls_settings_of_a_server_are_not_for_its_proxy() {
    let authority = Authority::new();
    let identity = authority.issue(|_| {});
    let clients = authority.clients().allow_unauthenticated().build().unwrap();
    let acceptor = acceptor(&identity, Some(clients), &[b"h2", b"http/1.1"]);
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let proxy = Server::over([ok("from the proxy")], {
        let seen = Arc::clone(&seen);
        move |stream| {
            let (acceptor, seen) = (acceptor.clone(), Arc::clone(&seen));
            Box::pin(async move {
                let stream = acceptor.accept(stream).await.ok()?;
                let tls = stream.get_ref().1;
                let protocol = tls.alpn_protocol().map(<[u8]>::to_vec);
                seen.lock()
                    .unwrap()
                    .push((protocol, tls.peer_certificates().is_some()));
                Some(stream)
            })
        }
    })
    .await;
    let ours = authority.issue(|_| {});
    let both = format!("{}{}", ours.pem, ours.key.serialize_pem());
    let through = |settings: Settings| Settings {
        proxy: ProxyChoice::Url(format!("https://127.0.0.1:{}", proxy.port)),
        client_certificate: Some(authority.file("me.pem", &both)),
        ..settings
    };
    let harness = Harness::new(through(authority.trusting()));
    assert_eq!(harness.text("http://one.test/").await, "from the proxy");
    assert_eq!(*seen.lock().unwrap(), [(Some(b"http/1.1".to_vec()), false)]);

    let accepting = Settings {
        accepted_fingerprint: Some(crate::connect::tls::Facts::of(&identity.chain[0]).fingerprint),
        ..direct()
    };
    let failed = Harness::new(through(accepting)).refused("http://one.test/").await;
    assert!(
        failed.cause.contains("which this system does not trust"),
        "{}",
        failed.cause
    );
}
