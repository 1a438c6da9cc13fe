//! Proxy selection, and the CONNECT request.

use http::{HeaderValue, Uri};
use hyper_util::client::proxy::matcher::Matcher;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
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
}

impl Proxies {
    pub(crate) fn new(choice: &ProxyChoice) -> Result<Self, SettingsError> {
        let matcher = match choice {
            ProxyChoice::None => None,
            ProxyChoice::System => Some(Matcher::from_system()),
            ProxyChoice::Url(text) => {
                let refused = |cause: String| SettingsError {
                    setting: "proxy",
                    cause,
                    next: "Give it as http://host:port.",
                };
                let url =
                    Url::parse(text).map_err(|error| refused(format!("`{text}` is not a URL: {error}")))?;
                if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
                    return Err(refused(format!(
                        "`{}` proxies are not supported, only http and https",
                        url.scheme()
                    )));
                }
                Some(Matcher::builder().all(url.to_string()).build())
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
        let Ok(uri) = url.as_str().parse::<Uri>() else {
            return Ok(None);
        };
        let Some(found) = matcher.intercept(&uri) else {
            return Ok(None);
        };
        match Url::parse(&found.uri().to_string()) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Some(Proxy {
                url,
                authorization: found.basic_auth().cloned(),
            })),
            _ => Err(Fault::new(
                Step::Connect,
                format!("the proxy {} is not of a supported kind", found.uri()),
                "Use a proxy whose URL begins with http:// or https://, or none, in the server's settings.",
            )),
        }
    }
}

impl Proxy {
    /// Host and port, for messages.
    pub(crate) fn name(&self) -> String {
        let port = self.url.port_or_known_default().unwrap_or_default();
        format!("{}:{port}", self.url.host_str().unwrap_or_default())
    }

    /// Requests a tunnel to a host and port.
    pub(crate) async fn tunnel(&self, mut stream: Stream, host: &str, port: u16) -> Result<Stream, Fault> {
        let name = self.name();
        let broken = |error: std::io::Error| {
            Fault::new(
                Step::Connect,
                format!("the connection to the proxy {name} broke: {}", chain(&error)),
                "Check the proxy's address in the server's settings.",
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
            "407" => Err(Fault::new(
                Step::Connect,
                format!("the proxy {name} requires authentication: {line}"),
                "Give the proxy with user name and password: http://user:password@host:port.",
            )),
            _ => Err(Fault::new(
                Step::Connect,
                format!("the proxy {name} does not connect to {host}:{port}: {line}"),
                "Check that the proxy lets connections to this host and port through.",
            )),
        }
    }
}
