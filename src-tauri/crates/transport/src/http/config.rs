//! How to reach a server over HTTP.

use std::{
    fmt,
    sync::{Arc, Mutex},
};

use patchbay_http::{Authorizer, Client, HeaderMap, Settings, Url, header};
use patchbay_traffic::OperationId;
use tokio::sync::mpsc;

use super::{link::HttpLink, reconnect::Reconnect, requests::field, shared::Shared};
use crate::{About, Connector, Dialect, Failure, HttpPeer, Link, NotStarted, Peer, StreamState, Tap};

/// The maximum number of events that wait for the link's user.
const EVENTS: usize = 16;
const READ_URL: &str = "Read the URL";

/// How to reach a server over HTTP.
#[derive(Clone)]
pub struct HttpConfig {
    /// Its URL: `http` or `https`.
    pub url: String,
    /// The HTTP transport it supports.
    pub kind: HttpKind,
    /// Proxy and certificates; the limits of bodies and redirects are those of the connection.
    pub settings: Settings,
    /// Sent with every request, in place of our own headers of the same name. Their values may be secret: the caller tells
    /// the recorder what to mask.
    pub headers: Vec<(String, String)>,
    /// How interrupted streams are resumed.
    pub reconnect: Reconnect,
    /// Provides credentials. Not used if `headers` contain an `Authorization` of the user.
    pub authorizer: Option<Arc<dyn Authorizer>>,
    /// The operation of connecting. The GET that opens the stream of HTTP+SSE is recorded as part of it.
    pub operation: Option<OperationId>,
}

/// The HTTP transport of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HttpKind {
    /// Unknown; it is detected.
    #[default]
    Auto,
    /// Streamable HTTP, of either era.
    StreamableHttp,
    /// HTTP+SSE of 2024-11-05.
    Sse,
}

/// Omits the headers' values, which may be secret.
impl fmt::Debug for HttpConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        formatter
            .debug_struct("HttpConfig")
            .field("kind", &self.kind)
            .field("headers", &names)
            .finish_non_exhaustive()
    }
}

impl HttpConfig {
    /// For a server known only by its URL.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            kind: HttpKind::Auto,
            settings: Settings::default(),
            headers: Vec::new(),
            reconnect: Reconnect::default(),
            authorizer: None,
            operation: None,
        }
    }

    fn parsed_url(&self) -> Result<Url, Failure> {
        let bad = |cause: String| {
            Failure::new(
                READ_URL,
                cause,
                "Give the address of the server as http://host/path or https://host/path.",
            )
        };
        let url =
            Url::parse(self.url.trim()).map_err(|error| bad(format!("The URL cannot be read: {error}.")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad(format!(
                "The URL begins with {}:, which is not HTTP.",
                url.scheme()
            )));
        }
        Ok(url)
    }

    fn header_map(&self) -> Result<HeaderMap, Failure> {
        let mut map = HeaderMap::with_capacity(self.headers.len());
        for (name, value) in &self.headers {
            let (name, value) = field(name, value)?;
            map.append(name, value);
        }
        Ok(map)
    }

    fn made(&self, dialect: Dialect, tap: Tap) -> Result<HttpLink, Failure> {
        let url = self.parsed_url()?;
        let headers = self.header_map()?;
        let limits = tap.limits();
        let settings = Settings {
            max_body: limits.body_bytes as u64,
            max_ratio: limits.compression_ratio as u64,
            max_redirects: limits.redirects,
            ..self.settings.clone()
        };
        let client = Client::new(settings, tap.recorder().clone())
            .map_err(|error| Failure::new(error.setting, error.cause, error.next))?;
        let (sender, events) = mpsc::channel(EVENTS);
        let authorizer = self
            .authorizer
            .clone()
            .filter(|_| !headers.contains_key(header::AUTHORIZATION));
        let shared = Shared {
            client,
            url,
            dialect,
            tap,
            reconnect: self.reconnect.clone(),
            events: sender,
            headers,
            authorizer,
            connecting: self.operation,
            state: Mutex::default(),
        };
        Ok(HttpLink::new(shared, events))
    }
}

impl Connector for HttpConfig {
    fn connect(&self, dialect: Dialect, tap: Tap) -> Result<Box<dyn Link>, Box<NotStarted>> {
        match self.made(dialect, tap) {
            Ok(link) => Ok(Box::new(link)),
            Err(failure) => {
                let peer = HttpPeer {
                    url: self.url.clone(),
                    endpoint: None,
                    dialect,
                    protocol: None,
                    session_id: None,
                    session_lost: false,
                    stream: StreamState::None,
                    open: Vec::new(),
                };
                Err(Box::new(NotStarted {
                    about: About::new(Peer::Http(peer)),
                    failure,
                }))
            }
        }
    }

    fn dialects(&self) -> &'static [Dialect] {
        match self.kind {
            HttpKind::Auto => &[Dialect::Modern, Dialect::Legacy, Dialect::HttpSse],
            HttpKind::StreamableHttp => &[Dialect::Modern, Dialect::Legacy],
            HttpKind::Sse => &[Dialect::HttpSse],
        }
    }
}
