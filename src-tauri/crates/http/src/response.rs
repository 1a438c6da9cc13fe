//! Responses and their bodies.

use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, HeaderName};
use http::response::Parts;
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming};
use patchbay_traffic::Seq;
use url::{Position, Url};

use crate::client::ClientState;
use crate::connect::h1::Http1;
use crate::decode::{Decoder, Limits, Undecodable};
use crate::exchange::Exchange;
use crate::failed::{Failed, Fault};
use crate::{Step, words};

/// How much of the body of a redirect is read, and for how long, so that its connection can be reused.
const DISCARDED: (usize, Duration) = (64 << 10, Duration::from_secs(1));

/// A response with its head. Dropping it before its end aborts the exchange: HTTP/1.1 closes the connection, HTTP/2 resets
/// the stream.
pub struct Response {
    /// The recorded exchange.
    pub exchange: Seq,
    /// The status code.
    pub status: u16,
    /// The fields.
    pub headers: HeaderMap,
    /// `HTTP/1.1` or `HTTP/2`.
    pub version: Cow<'static, str>,
    /// The final URL, after redirects.
    pub url: Url,
    /// The address of the server, as far as known: a public one if any connection to it went to one. `None` behind a proxy.
    pub peer: Option<IpAddr>,
    /// The redirect, if it was not followed.
    pub redirected: Option<Redirected>,
    record: Exchange,
    body: Body,
}

/// A redirect that was not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirected {
    /// The target, absolute if it could be parsed.
    pub to: String,
    /// Why it was not followed, in a sentence.
    pub why: String,
}

impl Response {
    pub(crate) fn new(record: Exchange, head: Parts, url: Url, body: Body) -> Box<Self> {
        Box::new(Self {
            exchange: record.seq,
            status: head.status.as_u16(),
            version: words::version(head.version),
            headers: head.headers,
            peer: body.client.pool.peer(&url[..Position::BeforePath]),
            url,
            redirected: None,
            record,
            body,
        })
    }

    pub(crate) fn exchange_mut(&mut self) -> &mut Exchange {
        &mut self.record
    }

    /// Sets whether the body is recorded as the exchange's body, decoded. This is the default; a caller that records it as
    /// frames turns it off before the first chunk. Bytes that cannot be decoded are not recorded: secrets in them could not
    /// be masked.
    pub fn keep_body(&mut self, keep: bool) {
        self.body.keep = keep;
    }

    /// Treats the body as an endless stream whose events are recorded as frames: the body is not recorded, and its size is
    /// not limited.
    pub fn stream(&mut self) {
        self.body.keep = false;
        self.body.decoder.without_end();
    }

    /// A header field as text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The next bytes of the body, decoded; `None` at its end. Cancel-safe.
    ///
    /// # Errors
    /// The connection was interrupted, or the body is incomplete, cannot be decoded or exceeds the limit.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Failed> {
        match self.body.next(&mut self.record).await {
            Ok(chunk) => Ok(chunk),
            Err(fault) => {
                self.body.close();
                Err(self.record.fail(fault, true))
            }
        }
    }

    /// The whole body, decoded, if it has at most `limit` bytes; otherwise its start, and whether there is more.
    ///
    /// # Errors
    /// As [`Response::chunk`].
    pub async fn read(&mut self, limit: usize) -> Result<(Bytes, bool), Failed> {
        let Some(first) = self.chunk().await? else {
            return Ok((Bytes::new(), false));
        };
        let Some(second) = self.chunk().await? else {
            let more = first.len() > limit;
            return Ok((first.slice(..first.len().min(limit)), more));
        };
        let mut body = BytesMut::from(&first[..]);
        body.extend_from_slice(&second);
        while body.len() <= limit {
            match self.chunk().await? {
                Some(chunk) => body.extend_from_slice(&chunk),
                None => return Ok((body.freeze(), false)),
            }
        }
        body.truncate(limit);
        Ok((body.freeze(), true))
    }

    /// Ends the exchange at once if there is no body.
    pub(crate) fn end_if_empty(&mut self) {
        if self.body.is_at_end() {
            self.body.complete(&mut self.record);
        }
    }

    /// Reads the rest of a short body, so that the connection can be reused; a long one is dropped.
    pub(crate) async fn discard(mut self: Box<Self>) {
        let (size, time) = DISCARDED;
        let _ = tokio::time::timeout(time, self.read(size)).await;
        self.record.end();
    }
}

/// The body of a response.
pub(crate) struct Body {
    client: Arc<ClientState>,
    /// HTTP/1.1: the connection. HTTP/2 connections are shared.
    connection: Option<Box<Http1>>,
    /// `None` once it is complete or dropped.
    incoming: Option<Incoming>,
    origin: Box<str>,
    keep_alive: Option<Box<str>>,
    decoder: Decoder,
    keep: bool,
    /// Decoded bytes that are not recorded yet.
    pending: Option<Bytes>,
}

impl Body {
    pub(crate) fn new(
        client: Arc<ClientState>,
        connection: Option<Box<Http1>>,
        incoming: Incoming,
        url: &Url,
        headers: &HeaderMap,
        limits: Limits,
    ) -> Self {
        let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        Self {
            client,
            connection,
            incoming: Some(incoming),
            origin: url[..Position::BeforePath].into(),
            keep_alive: text(&HeaderName::from_static("keep-alive")).map(Into::into),
            decoder: Decoder::new(text(&CONTENT_ENCODING), limits),
            keep: true,
            pending: None,
        }
    }

    async fn next(&mut self, exchange: &mut Exchange) -> Result<Option<Bytes>, Fault> {
        loop {
            // Kept while waiting, so that nothing is lost if the future is dropped.
            if self.pending.is_some() {
                exchange.record_body().await.map_err(|error| {
                    Fault::new(
                        Step::Body,
                        error.to_string(),
                        "Nothing is read that cannot be recorded.",
                    )
                })?;
                let decoded = self.pending.take();
                // Known without polling the connection again: most responses have a single chunk.
                if self.incoming.is_none() || !self.decoder.is_needed() && self.is_at_end() {
                    self.complete(exchange);
                }
                return Ok(decoded);
            }
            let decoded = match self.frame().await {
                Some(Ok(frame)) => {
                    let Ok(data) = frame.into_data() else { continue };
                    exchange.raw += data.len() as u64;
                    self.decoder.push(data).map_err(fault)?
                }
                Some(Err(error)) => return Err(words::fault(&error, Step::Body, false)),
                None if self.incoming.is_none() => return Ok(None),
                None => {
                    self.incoming = None;
                    self.decoder.finish().map_err(fault)?
                }
            };
            if !decoded.is_empty() {
                if self.keep {
                    exchange.body.push(&decoded);
                }
                self.pending = Some(decoded);
            } else if self.incoming.is_none() || !self.decoder.is_needed() && self.is_at_end() {
                self.complete(exchange);
            }
        }
    }

    async fn frame(&mut self) -> Option<hyper::Result<Frame<Bytes>>> {
        let incoming = self.incoming.as_mut()?;
        match &mut self.connection {
            Some(connection) => connection.frame(incoming).await,
            None => incoming.frame().await,
        }
    }

    fn is_at_end(&self) -> bool {
        self.incoming
            .as_ref()
            .is_some_and(hyper::body::Body::is_end_stream)
    }

    /// The body is complete: the connection can be reused.
    fn complete(&mut self, exchange: &mut Exchange) {
        self.incoming = None;
        if let Some(connection) = self.connection.take() {
            self.client
                .pool
                .put(&self.origin, connection, self.keep_alive.as_deref());
        }
        exchange.end();
    }

    /// Drops the body and its connection.
    fn close(&mut self) {
        self.incoming = None;
        self.connection = None;
        self.pending = None;
    }
}

fn fault(why: Undecodable) -> Fault {
    Fault::new(Step::Body, why.to_string(), why.next())
}
