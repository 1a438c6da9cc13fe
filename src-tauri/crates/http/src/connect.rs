//! Opens a connection: resolve the host, TCP, proxy, TLS; each step is timed.

pub(crate) mod h1;
pub(crate) mod pool;
pub(crate) mod private;
pub(crate) mod proxy;
pub(crate) mod resolve;
pub(crate) mod stream;
pub(crate) mod tls;

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::stream::{FuturesUnordered, StreamExt};
use patchbay_traffic::{HttpTiming, HttpTls};
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use url::Url;

use self::proxy::{Proxies, Proxy};
use self::resolve::Resolve;
use self::stream::Stream;
use self::tls::{Tls, With};
use crate::failed::{Fault, chain, find};
use crate::{Addresses, Settings, SettingsError, Step};

/// How long an attempt may take before the next address is tried in parallel (RFC 8305).
const HEAD_START: Duration = Duration::from_millis(250);

/// Opens connections.
pub(crate) struct Connector {
    pub(crate) proxies: Proxies,
    pub(crate) tls: Tls,
    pub(crate) resolver: Arc<dyn Resolve>,
    pub(crate) limit: Duration,
}

/// A connection before HTTP starts.
pub(crate) struct Wire {
    pub(crate) stream: Stream,
    pub(crate) remote: SocketAddr,
    /// HTTP/2 was negotiated.
    pub(crate) h2: bool,
    /// A proxy that expects absolute URLs and credentials.
    pub(crate) forward: Option<Proxy>,
    pub(crate) timing: HttpTiming,
}

impl Connector {
    pub(crate) fn new(settings: &Settings, resolver: Arc<dyn Resolve>) -> Result<Self, SettingsError> {
        Ok(Self {
            proxies: Proxies::new(&settings.proxy)?,
            tls: Tls::new(settings)?,
            resolver,
            limit: settings.connect_timeout,
        })
    }

    /// Connects to the server of a URL, within the limit of the settings.
    pub(crate) async fn connect(&self, url: &Url, allowed: Addresses) -> Result<Wire, Fault> {
        let mut step = Step::Resolve;
        let proxy = self.proxies.on_the_way_to(url)?;
        let steps = self.steps(url, proxy.clone(), allowed, &mut step);
        match tokio::time::timeout(self.limit, steps).await {
            Ok(done) => done,
            Err(_) => {
                let fault = Fault::timed_out(step, self.limit);
                match proxy {
                    Some(proxy) if step <= Step::Connect => Err(proxy.fault(fault)),
                    _ => Err(fault),
                }
            }
        }
    }

    async fn steps(
        &self,
        url: &Url,
        proxy: Option<Proxy>,
        allowed: Addresses,
        step: &mut Step,
    ) -> Result<Wire, Fault> {
        let named = |fault: Fault| match &proxy {
            Some(proxy) => proxy.fault(fault),
            None => fault,
        };
        let (host, port) = host_and_port(url)?;
        let secure = url.scheme() == "https";
        let (first, first_port) = match &proxy {
            Some(proxy) => proxy.address(),
            None => (host, port),
        };
        let mut timing = HttpTiming {
            proxy: proxy.as_ref().map(Proxy::name),
            ..HttpTiming::default()
        };

        let begun = Instant::now();
        let addresses = self.addresses(first, first_port).await.map_err(named)?;
        if allowed == Addresses::Public {
            refuse_private(host, proxy.is_some(), &addresses)?;
        }
        if resolve::literal(first).is_none() {
            timing.dns_ns = Some(nanos(begun));
        }

        *step = Step::Connect;
        let begun = Instant::now();
        let (stream, remote) = race(addresses).await.map_err(named)?;
        stream::set_options(&stream);
        let mut stream = Stream::Tcp(stream);
        if let Some(proxy) = &proxy {
            stream = self.through(proxy, stream, url).await?;
        }
        timing.connect_ns = nanos(begun);
        timing.remote = remote.to_string();

        let mut h2 = false;
        if secure {
            *step = Step::Tls;
            let begun = Instant::now();
            let (secured, agreed) = self.secure(stream, host, With::Server).await?;
            stream = secured;
            timing.tls_ns = Some(nanos(begun));
            h2 = agreed.alpn.as_deref() == Some("h2");
            timing.tls = Some(agreed);
        }
        Ok(Wire {
            stream,
            remote,
            h2,
            forward: proxy.filter(|proxy| !secure && !proxy.is_socks()),
            timing,
        })
    }

    /// What a proxy needs before the connection is one to the server: its own TLS, and a tunnel.
    pub(crate) async fn through(
        &self,
        proxy: &Proxy,
        mut stream: Stream,
        url: &Url,
    ) -> Result<Stream, Fault> {
        let (host, port) = host_and_port(url)?;
        if proxy.url.scheme() == "https" {
            let secured = self.secure(stream, proxy.address().0, With::Proxy).await;
            stream = secured.map_err(|fault| proxy.fault(fault))?.0;
        }
        if proxy.is_socks() {
            proxy.socks(stream, host, port).await
        } else if url.scheme() == "https" {
            proxy.tunnel(stream, host, port).await
        } else {
            Ok(stream)
        }
    }

    /// The addresses of a host, in the order to try them.
    pub(crate) async fn addresses(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, Fault> {
        if let Some(address) = resolve::literal(host) {
            return Ok(vec![SocketAddr::new(address, port)]);
        }
        let next = "Check the spelling of the host name, and the network connection.";
        match self.resolver.resolve(host, port).await {
            Ok(addresses) if addresses.is_empty() => Err(Fault::new(
                Step::Resolve,
                format!("the host name {host} has no address"),
                next,
            )),
            Ok(addresses) => Ok(resolve::interleaved(addresses)),
            Err(error) => Err(Fault::new(
                Step::Resolve,
                format!(
                    "the host name {host} cannot be resolved: {}",
                    resolver_words(&error)
                ),
                next,
            )),
        }
    }

    /// TLS over a stream.
    pub(crate) async fn secure(
        &self,
        stream: Stream,
        host: &str,
        with: With,
    ) -> Result<(Stream, HttpTls), Fault> {
        let config = self.tls.config(host, with).await.map_err(|error| {
            Fault::new(
                Step::Tls,
                error.to_string(),
                "Check the TLS settings of this server.",
            )
        })?;
        let plain = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let name = ServerName::try_from(plain).map_err(|error| {
            Fault::new(
                Step::Tls,
                format!("`{host}` is not a name that TLS can use: {error}"),
                "Check the URL.",
            )
        })?;
        let stream = TlsConnector::from(config)
            .connect(name, stream)
            .await
            .map_err(|error| self.tls_fault(&error, host, with))?;
        let agreed = self.tls.agreed(stream.get_ref().1, host, with);
        Ok((Stream::Tls(Box::new(stream)), agreed))
    }

    /// Converts a TLS error.
    fn tls_fault(&self, error: &io::Error, host: &str, with: With) -> Fault {
        let Some(error) = find::<rustls::Error>(error) else {
            return Fault::new(
                Step::Tls,
                format!(
                    "the server closed the connection during the TLS handshake: {}",
                    chain(error)
                ),
                "Check that the port speaks TLS; use http:// if it does not.",
            );
        };
        let mut fault = tls_fault(error, with == With::Server && self.tls.has_identity());
        if let Some(problem) = fault.tls.as_ref().filter(|_| !self.tls.is_server(host, with)) {
            fault.next = problem.reason.next_elsewhere().to_owned();
        }
        fault
    }
}

/// Refuses addresses that are not public: those of the host, or the one it is written as if a proxy resolves it.
fn refuse_private(host: &str, is_by_proxy: bool, addresses: &[SocketAddr]) -> Result<(), Fault> {
    if is_by_proxy {
        private::none_of(host, private::literal(host))
    } else {
        private::none_of(host, addresses.iter().map(SocketAddr::ip))
    }
}

/// Converts a TLS error.
pub(crate) fn tls_fault(error: &rustls::Error, has_identity: bool) -> Fault {
    use rustls::AlertDescription as Alert;
    if let Some((problem, cause)) = tls::problem(error) {
        let next = problem.reason.next();
        return Fault {
            tls: Some(Box::new(problem)),
            ..Fault::new(Step::Tls, cause, next)
        };
    }
    match error {
        rustls::Error::InvalidMessage(_) => Fault::new(
            Step::Tls,
            "the server does not speak TLS on this port",
            "Use http:// instead of https://, or another port.",
        ),
        rustls::Error::AlertReceived(Alert::CertificateRequired) => certificate_fault(has_identity),
        rustls::Error::AlertReceived(
            Alert::HandshakeFailure | Alert::BadCertificate | Alert::UnknownCA | Alert::AccessDenied,
        ) if has_identity => certificate_fault(true),
        other => Fault::new(
            Step::Tls,
            format!("the TLS handshake failed: {other}"),
            "Check which versions of TLS the server allows, and whether it requires a client certificate.",
        ),
    }
}

fn certificate_fault(has_identity: bool) -> Fault {
    if has_identity {
        Fault::new(
            Step::Tls,
            "the server does not accept our client certificate",
            "Check that the client certificate is one that this server knows, and has not expired.",
        )
    } else {
        Fault::new(
            Step::Tls,
            "the server requires a client certificate",
            "Set a PEM file with certificate and key under TLS.",
        )
    }
}

/// Connects to the first address that responds.
async fn race(addresses: Vec<SocketAddr>) -> Result<(TcpStream, SocketAddr), Fault> {
    let mut waiting = addresses.into_iter();
    let mut tried = FuturesUnordered::new();
    let mut failures: Vec<(SocketAddr, io::Error)> = Vec::new();
    let try_one = |address: SocketAddr| async move { (address, TcpStream::connect(address).await) };
    loop {
        if let Some(address) = waiting.next() {
            tried.push(try_one(address));
        } else if tried.is_empty() {
            return Err(unreachable_fault(&failures));
        }
        let head_start = async {
            if waiting.len() == 0 {
                std::future::pending::<()>().await;
            }
            tokio::time::sleep(HEAD_START).await;
        };
        tokio::select! {
            biased;
            Some((address, done)) = tried.next() => match done {
                Ok(stream) => return Ok((stream, address)),
                Err(error) => failures.push((address, error)),
            },
            () = head_start => {}
        }
    }
}

pub(crate) fn unreachable_fault(failures: &[(SocketAddr, io::Error)]) -> Fault {
    let causes: Vec<String> = failures
        .iter()
        .map(|(address, error)| format!("{address}: {}", reason(error)))
        .collect();
    let refused = failures
        .iter()
        .all(|(_, error)| error.kind() == io::ErrorKind::ConnectionRefused);
    Fault::new(
        Step::Connect,
        causes.join("; "),
        if refused {
            "Nothing listens there. Check that the server is running, and its port."
        } else {
            "Check host, port and network; a proxy may be needed."
        },
    )
}

/// The resolver's message without its common prefix.
fn resolver_words(error: &io::Error) -> String {
    let text = chain(error);
    let words = text.strip_prefix("failed to lookup address information: ");
    let mut letters = words.unwrap_or(&text).chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// The description of an I/O error without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        io::ErrorKind::ConnectionReset => "connection reset".to_owned(),
        io::ErrorKind::HostUnreachable => "host unreachable".to_owned(),
        io::ErrorKind::NetworkUnreachable => "network unreachable".to_owned(),
        _ => chain(error as &(dyn Error + 'static)),
    }
}

/// Host (with brackets, if IPv6) and port of a URL.
pub(crate) fn host_and_port(url: &Url) -> Result<(&str, u16), Fault> {
    match (url.scheme(), url.host_str(), url.port_or_known_default()) {
        ("http" | "https", Some(host), Some(port)) => Ok((host, port)),
        (scheme, ..) => Err(Fault::new(
            Step::Resolve,
            format!("`{scheme}` URLs cannot be requested"),
            "Use a URL that begins with http:// or https://.",
        )),
    }
}

fn nanos(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
