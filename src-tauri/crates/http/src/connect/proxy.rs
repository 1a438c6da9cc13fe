//! Proxy selection, and the CONNECT request.

use http::{HeaderValue, Uri};
use hyper_util::client::proxy::matcher::Matcher;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_socks::tcp::Socks5Stream;
use url::Url;

use crate::connect::resolve::is_loopback;
use crate::connect::stream::Stream;
use crate::failed::{Fault, chain};
use crate::{ProxyChoice, SettingsError, Step};

/// The maximum size of the head of a proxy's response, in bytes.
const HEAD: usize = 16 << 10;

/// The proxies of the settings.
pub(crate) struct Proxies {
    matcher: Option<Matcher>,
    /// Configured by the user: also used for this machine itself.
    asked: bool,
}

/// A proxy on the way to the server.
#[derive(Clone)]
pub(crate) struct Proxy {
    /// Its address, without credentials.
    pub(crate) url: Url,
    /// `Proxy-Authorization`.
    pub(crate) authorization: Option<HeaderValue>,
    /// The user name and password for SOCKS.
    login: Option<(String, String)>,
}

/// What is wrong with the settings of a proxy is corrected there.
const WHERE: &str = "in Settings > Proxy, or in the settings of this server";

impl Proxies {
    pub(crate) fn new(choice: &ProxyChoice) -> Result<Self, SettingsError> {
        let matcher = match choice {
            ProxyChoice::None => None,
            ProxyChoice::System => Some(Matcher::from_system()),
            ProxyChoice::Url(text) => Some(Matcher::builder().all(checked(text)?).build()),
            ProxyChoice::Except { url, bypass } => {
                Some(Matcher::builder().all(checked(url)?).no(bypass.clone()).build())
            }
        };
        Ok(Self {
            matcher,
            asked: matches!(choice, ProxyChoice::Url(_)),
        })
    }

    #[cfg(test)]
    pub(crate) fn of_environment(matcher: Matcher) -> Self {
        Self {
            matcher: Some(matcher),
            asked: false,
        }
    }

    /// The proxy on the way to a URL.
    pub(crate) fn on_the_way_to(&self, url: &Url) -> Result<Option<Proxy>, Fault> {
        let host = url.host_str().unwrap_or_default();
        let Some(matcher) = self.matcher.as_ref().filter(|_| self.asked || !is_loopback(host)) else {
            return Ok(None);
        };
        // Not without the proxy because the matcher cannot say whether there is one.
        let uri = url.as_str().parse::<Uri>().map_err(|error| {
            Fault::new(
                Step::Connect,
                format!("{url} cannot be sent through a proxy: {error}"),
                "Check the URL.",
            )
        })?;
        let Some(found) = matcher.intercept(&uri) else {
            return Ok(None);
        };
        match Url::parse(&found.uri().to_string()) {
            Ok(url) if is_supported(&url) => Ok(Some(Proxy {
                url,
                authorization: found.basic_auth().cloned(),
                login: found
                    .raw_auth()
                    .map(|(user, password)| (user.to_owned(), password.to_owned())),
            })),
            _ => Err(Fault::new(
                Step::Connect,
                format!("the proxy {} is not of a supported kind", found.uri()),
                format!("Use a proxy whose URL begins with http://, https:// or socks5://, {WHERE}."),
            )),
        }
    }
}

/// The URL of a proxy as given, if it can be used.
fn checked(text: &str) -> Result<String, SettingsError> {
    let refused = |cause: String| SettingsError {
        setting: "proxy",
        cause,
        next: "Give it as http://host:port, https://host:port or socks5://host:port.",
    };
    let url = Url::parse(text).map_err(|error| refused(format!("the proxy is not a URL: {error}")))?;
    if !is_supported(&url) {
        return Err(refused(format!("`{}` proxies are not supported", url.scheme())));
    }
    // The matcher ignores a proxy whose address it cannot read, and all requests would go without.
    let matcher = Matcher::builder().all(url.to_string()).build();
    let is_known = |address| matcher.intercept(&Uri::from_static(address)).is_some();
    match is_known("http://example.com/") && is_known("https://example.com/") {
        true => Ok(url.to_string()),
        false => Err(refused(format!(
            "`{}` is not a host name that a proxy can have",
            url.host_str().unwrap_or_default()
        ))),
    }
}

fn is_supported(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h")
        && url.host_str().is_some_and(|host| !host.is_empty())
}

/// Host and port of the proxy that the system names for HTTPS, without credentials; none if there is none.
#[must_use]
pub fn system_proxy() -> Option<String> {
    let found = Matcher::from_system().intercept(&Uri::from_static("https://example.com/"))?;
    let mut url = Url::parse(&found.uri().to_string()).ok()?;
    // Both fail only for a URL without a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Some(url.to_string().trim_end_matches('/').to_owned())
}

impl Proxy {
    /// Its host and port.
    pub(crate) fn address(&self) -> (&str, u16) {
        let port = self.url.port_or_known_default().unwrap_or(1080);
        (self.url.host_str().unwrap_or_default(), port)
    }

    /// Host and port, for messages.
    pub(crate) fn name(&self) -> String {
        let (host, port) = self.address();
        format!("{host}:{port}")
    }

    /// Whether it passes bytes on and knows nothing of HTTP.
    pub(crate) fn is_socks(&self) -> bool {
        self.url.scheme().starts_with("socks")
    }

    /// A failure on the way to the proxy, named as such.
    pub(crate) fn fault(&self, fault: Fault) -> Fault {
        let (name, cause) = (self.name(), fault.cause);
        let (cause, next) = match fault.step {
            Step::Resolve => (
                format!("the proxy {name} cannot be found: {cause}"),
                format!("Check the host name of the proxy {WHERE}."),
            ),
            Step::Tls => (
                format!("the TLS connection to the proxy {name} failed: {cause}"),
                format!(
                    "Check whether the proxy speaks TLS on this port; if not, its URL begins with http://, {WHERE}."
                ),
            ),
            _ => (
                format!("the proxy {name} is not reachable: {cause}"),
                format!("Check that the proxy is running, and its address {WHERE}."),
            ),
        };
        Fault {
            timed_out: fault.timed_out,
            ..Fault::new(Step::Connect, cause, next)
        }
    }

    /// The proxy asks for a user name and a password, or refuses those that it got.
    pub(crate) fn unauthorized(&self, answer: &str) -> Fault {
        let has_login = self.authorization.is_some() || self.login.is_some();
        let (cause, what) = match has_login {
            true => ("rejects the user name or password", "Correct"),
            false => ("requires authentication", "Enter"),
        };
        Fault::new(
            Step::Connect,
            format!("the proxy {} {cause}: {answer}", self.name()),
            format!("{what} the user name and password of the proxy {WHERE}."),
        )
    }

    /// Requests a connection to a host and port over SOCKS 5. The proxy resolves the name.
    pub(crate) async fn socks(&self, stream: Stream, host: &str, port: u16) -> Result<Stream, Fault> {
        let target = (host.trim_start_matches('[').trim_end_matches(']'), port);
        let done = match &self.login {
            Some((user, password)) => {
                Socks5Stream::connect_with_password_and_socket(stream, target, user, password).await
            }
            None => Socks5Stream::connect_with_socket(stream, target).await,
        };
        done.map(Socks5Stream::into_inner)
            .map_err(|error| self.socks_fault(&error, host, port))
    }

    fn socks_fault(&self, error: &tokio_socks::Error, host: &str, port: u16) -> Fault {
        use tokio_socks::Error;
        let name = self.name();
        match error {
            Error::NoAcceptableAuthMethods
            | Error::UnknownAuthMethod
            | Error::AuthorizationRequired
            | Error::InvalidAuthValues(_)
            | Error::PasswordAuthFailure(_) => self.unauthorized(&error.to_string()),
            Error::Io(cause) => self.fault(Fault::new(Step::Connect, chain(cause), "")),
            Error::InvalidResponseVersion => Fault::new(
                Step::Connect,
                format!("{name} does not answer as a SOCKS 5 proxy"),
                format!("Check the kind and the port of the proxy {WHERE}."),
            ),
            _ => Fault::new(
                Step::Connect,
                format!("the proxy {name} does not connect to {host}:{port}: {error}"),
                "Check that the proxy lets connections to this host and port through.",
            ),
        }
    }

    /// Requests a tunnel to a host and port.
    pub(crate) async fn tunnel(&self, mut stream: Stream, host: &str, port: u16) -> Result<Stream, Fault> {
        let name = self.name();
        let broken = |error: std::io::Error| {
            Fault::new(
                Step::Connect,
                format!("the connection to the proxy {name} broke: {}", chain(&error)),
                format!("Check the kind and the address of the proxy {WHERE}."),
            )
        };
        let mut request = format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n").into_bytes();
        if let Some(authorization) = &self.authorization {
            request.extend_from_slice(b"Proxy-Authorization: ");
            request.extend_from_slice(authorization.as_bytes());
            request.extend_from_slice(b"\r\n");
        }
        request.extend_from_slice(b"\r\n");
        stream.write_all(&request).await.map_err(broken)?;
        stream.flush().await.map_err(broken)?;
        let mut head = Vec::new();
        let end = loop {
            if let Some(at) = head.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
            if head.len() > HEAD {
                return Err(broken(std::io::Error::other("its answer has no end")));
            }
            if stream.read_buf(&mut head).await.map_err(broken)? == 0 {
                return Err(broken(std::io::ErrorKind::UnexpectedEof.into()));
            }
        };
        let line = String::from_utf8_lossy(&head[..end]);
        let line = line.lines().next().unwrap_or_default();
        let status = line.split(' ').nth(1).unwrap_or_default();
        match status {
            // The server sends nothing before the client, so no bytes of it can follow the head.
            _ if line.starts_with("HTTP/1.") && status.starts_with('2') && head.len() == end => Ok(stream),
            "407" => Err(self.unauthorized(line)),
            _ => Err(Fault::new(
                Step::Connect,
                format!("the proxy {name} does not connect to {host}:{port}: {line}"),
                "Check that the proxy lets connections to this host and port through.",
            )),
        }
    }
}
