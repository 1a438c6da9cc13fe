//! The client: sends requests and follows redirects until there is a response to return.

use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT_ENCODING, AUTHORIZATION, CONTENT_LENGTH, HOST, PROXY_AUTHORIZATION};
use http::{HeaderMap, HeaderValue, Method, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use patchbay_traffic::{ConnectionRef, HttpStage, Recorder};
use url::{Position, Url};

use crate::connect::h1::{Http1, Outgoing};
use crate::connect::pool::{Carrier, Http2, Pool};
use crate::connect::resolve::{Resolve, System};
use crate::connect::{Connector, Wire, host_and_port};
use crate::decode::{self, Limits};
use crate::exchange::{Exchange, fields};
use crate::failed::{Failed, Fault};
use crate::redirect::{self, Verdict};
use crate::request::Request;
use crate::response::{Body, Response};
use crate::{Settings, SettingsError, Step, words};

/// How long nothing may arrive on an HTTP/2 connection with open requests before a ping asks whether it is alive.
const PING_AFTER: Duration = Duration::from_secs(20);
/// The time limit for the answer to a ping of an HTTP/2 connection. Without one, all requests on it fail.
const PING_TIMEOUT: Duration = Duration::from_secs(10);

/// Sends requests, pools connections, records everything. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    inner: Arc<ClientState>,
}

pub(crate) struct ClientState {
    connector: Connector,
    pub(crate) pool: Pool,
    recorder: Recorder,
    head_timeout: Duration,
    limits: Limits,
    max_redirects: usize,
}

/// The head of a response, and the connection that carries its body.
struct Answer {
    response: hyper::Response<Incoming>,
    connection: Option<Box<Http1>>,
}

impl Client {
    /// Creates a client with these settings. Reads the files they name.
    ///
    /// # Errors
    /// A setting is invalid.
    pub fn new(settings: Settings, recorder: Recorder) -> Result<Self, SettingsError> {
        Self::with_resolver(settings, recorder, Arc::new(System))
    }

    pub(crate) fn with_resolver(
        settings: Settings,
        recorder: Recorder,
        resolver: Arc<dyn Resolve>,
    ) -> Result<Self, SettingsError> {
        let connector = Connector::new(&settings, resolver)?;
        Ok(Self::with_connector(&settings, recorder, connector))
    }

    pub(crate) fn with_connector(settings: &Settings, recorder: Recorder, connector: Connector) -> Self {
        Self {
            inner: Arc::new(ClientState {
                connector,
                pool: Pool::default(),
                recorder,
                head_timeout: settings.head_timeout,
                limits: Limits {
                    total: Some(settings.max_body),
                    ratio: settings.max_ratio,
                },
                max_redirects: settings.max_redirects,
            }),
        }
    }

    /// Sends a request and returns the head of the response. Dropping the future aborts the exchange.
    ///
    /// A request is sent once. If a pooled connection turns out to be closed before any byte was sent, another connection
    /// is used; if it closes after that without a response, only a request that may run twice ([`Request::repeatable`], or
    /// an idempotent method) is sent once more, as a separate exchange. The response is boxed, because many futures hand it
    /// on.
    ///
    /// # Errors
    /// There was no response; the error has the step, the cause and the next action.
    pub async fn send(
        &self,
        connection: ConnectionRef,
        mut request: Request,
    ) -> Result<Box<Response>, Failed> {
        request.url.set_fragment(None);
        let identity = self.inner.connector.tls.has_identity();
        let mut way = Vec::new();
        loop {
            let mut response = match self.once(connection, &request, Reuse::Open).await {
                Err(failed) if failed.stale && request.may_be_repeated() => {
                    Box::pin(self.once(connection, &request, Reuse::None)).await?
                }
                done => done?,
            };
            let most = self.inner.max_redirects;
            match redirect::decide(
                response.status,
                &response.headers,
                &request,
                (&way, most),
                identity,
            ) {
                Verdict::None => {
                    response.end_if_empty();
                    return Ok(response);
                }
                Verdict::Stay(redirected) => {
                    response.exchange_mut().tell(HttpStage::Redirect {
                        to: redirected.to.clone(),
                        followed: false,
                        why: redirected.why.clone(),
                    });
                    response.redirected = Some(redirected);
                    response.end_if_empty();
                    return Ok(response);
                }
                Verdict::Loop(fault) => return Err(response.exchange_mut().fail(fault, true)),
                Verdict::Follow(to, why) => {
                    response.exchange_mut().tell(HttpStage::Redirect {
                        to: to.to_string(),
                        followed: true,
                        why: why.to_owned(),
                    });
                    request.on_wire.set(false);
                    // The rare case, in a box of its own: without it, every caller would carry its size.
                    Box::pin(response.discard()).await;
                    way.push(std::mem::replace(&mut request.url, to));
                }
            }
        }
    }

    /// One exchange.
    async fn once(
        &self,
        connection: ConnectionRef,
        request: &Request,
        reuse: Reuse,
    ) -> Result<Box<Response>, Failed> {
        let headers = complete(request);
        let mut exchange = Exchange::begin(&self.inner.recorder, connection, request, &headers)
            .await
            .map_err(|error| {
                Fault::new(
                    Step::Send,
                    error.to_string(),
                    "Nothing is sent that cannot be recorded.",
                )
                .of(None, false)
            })?;
        let Answer { response, connection } = self.answer(&mut exchange, request, headers, reuse).await?;
        let (head, body) = response.into_parts();
        exchange.status = head.status.as_u16();
        exchange.tell(HttpStage::Head {
            status: exchange.status,
            reason: words::reason(&head),
            version: words::version(head.version),
            fields: fields(&head.headers),
        });
        let forward = connection
            .as_ref()
            .and_then(|connection| connection.forward.as_ref());
        if let (407, Some(proxy)) = (exchange.status, forward) {
            let fault = proxy.unauthorized(&format!("HTTP {}", head.status));
            return Err(exchange.fail(fault, false));
        }
        let body = Body::new(
            Arc::clone(&self.inner),
            connection,
            body,
            &request.url,
            &head.headers,
            self.inner.limits,
        );
        Ok(Response::new(exchange, head, request.url.clone(), body))
    }

    /// Sends the request on a pooled or a new connection.
    async fn answer(
        &self,
        exchange: &mut Exchange,
        request: &Request,
        headers: HeaderMap,
        reuse: Reuse,
    ) -> Result<Answer, Failed> {
        let origin = &request.url[..Position::BeforePath];
        let mut reused = true;
        let limit = request.head_timeout.unwrap_or(self.inner.head_timeout);
        let mut outgoing = outgoing(request, headers).map_err(|fault| exchange.fail(fault, false))?;
        loop {
            let carrier = match self.pooled(origin, reuse).await {
                Some(open) => open,
                None => {
                    // Boxed, because it is rare and large.
                    let wire = Box::pin(self.inner.connector.connect(&request.url, request.addresses))
                        .await
                        .map_err(|fault| exchange.fail(fault, false))?;
                    reused = false;
                    exchange.tell(HttpStage::Timing(wire.timing.clone()));
                    Box::pin(self.begin(origin, wire)).await.map_err(|error| {
                        exchange.fail(words::fault(&error, Step::Send, self.has_identity()), false)
                    })?
                }
            };
            address(&mut outgoing, &request.url, &carrier).map_err(|fault| exchange.fail(fault, false))?;
            request.on_wire.set(true);
            match self.on(origin, carrier, outgoing, limit).await {
                Ok((response, connection)) => {
                    return Ok(Answer { response, connection });
                }
                Err(Unanswered::Unsent(back)) if reused && !request.on_wire.is_cancelled() => {
                    request.on_wire.set(false);
                    outgoing = *back;
                }
                Err(Unanswered::Unsent(_)) => {
                    let fault = Fault::new(
                        Step::Send,
                        "the server closed the connection before the request was sent",
                        "Check the server's own log.",
                    );
                    return Err(exchange.fail(fault, false));
                }
                Err(Unanswered::Broken(error)) => {
                    let fault = words::fault(&error, Step::Head, self.has_identity());
                    let stale = reused && words::is_closed(&error);
                    return Err(exchange.fail(if stale { fault.stale() } else { fault }, true));
                }
                Err(Unanswered::TimedOut) => {
                    return Err(exchange.fail(Fault::timed_out(Step::Head, limit), true));
                }
            }
        }
    }

    /// An open connection from the pool, if one may be used.
    async fn pooled(&self, origin: &str, reuse: Reuse) -> Option<Carrier> {
        if matches!(reuse, Reuse::None) {
            return None;
        }
        loop {
            match self.inner.pool.take(origin)? {
                Carrier::H1(mut connection) => {
                    if connection.is_ready().await {
                        return Some(Carrier::H1(connection));
                    }
                }
                open => return Some(open),
            }
        }
    }

    fn has_identity(&self) -> bool {
        self.inner.connector.tls.has_identity()
    }

    /// Starts HTTP on a new connection.
    #[expect(clippy::disallowed_methods, reason = "it ends with the connection it drives")]
    async fn begin(&self, origin: &str, wire: Wire) -> hyper::Result<Carrier> {
        if wire.timing.proxy.is_none() {
            self.inner.pool.reached(origin, wire.remote.ip());
        }
        if !wire.h2 {
            return Ok(Carrier::H1(Box::new(
                Http1::new(wire.stream, wire.forward).await?,
            )));
        }
        let (sender, connection) = hyper::client::conn::http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .keep_alive_interval(PING_AFTER)
            .keep_alive_timeout(PING_TIMEOUT)
            .handshake(TokioIo::new(wire.stream))
            .await?;
        let shared = Http2::new(sender);
        // The task ends when the pool and the last response have dropped the connection. Its errors are reported by the
        // exchanges.
        tokio::spawn(async move {
            let _ = connection.await;
        });
        self.inner.pool.share(origin, shared.clone());
        Ok(Carrier::H2(shared))
    }

    /// Sends the request on a connection and waits for the head of the response.
    async fn on(
        &self,
        origin: &str,
        carrier: Carrier,
        request: Outgoing,
        limit: Duration,
    ) -> Result<(hyper::Response<Incoming>, Option<Box<Http1>>), Unanswered> {
        let shared = match &carrier {
            Carrier::H1(_) => None,
            Carrier::H2(shared) => Some(shared.clone()),
        };
        let answer = async {
            match carrier {
                Carrier::H1(mut connection) => {
                    let response = connection.send(request).await?;
                    Ok((response, Some(connection)))
                }
                Carrier::H2(mut shared) => {
                    if shared.sender.ready().await.is_err() {
                        return Err(Unanswered::Unsent(Box::new(request)));
                    }
                    Ok((shared.sender.try_send_request(request).await?, None))
                }
            }
        };
        match tokio::time::timeout(limit, answer).await {
            Ok(done) => done,
            Err(_) => {
                // The server may be slow, or the connection dead: nobody knows before the system gives it up, after many minutes.
                if let Some(shared) = shared {
                    self.inner.pool.retire(origin, &shared);
                }
                Err(Unanswered::TimedOut)
            }
        }
    }
}

/// Which connections may carry a request.
#[derive(Clone, Copy)]
enum Reuse {
    /// A pooled one, if there is one.
    Open,
    /// A new one only.
    None,
}

/// Why there is no response head.
enum Unanswered {
    /// No byte of the request was sent; it is returned.
    Unsent(Box<Outgoing>),
    Broken(hyper::Error),
    TimedOut,
}

impl From<hyper::client::conn::TrySendError<Outgoing>> for Unanswered {
    fn from(mut error: hyper::client::conn::TrySendError<Outgoing>) -> Self {
        match error.take_message() {
            Some(request) => Self::Unsent(Box::new(request)),
            None => Self::Broken(error.into_error()),
        }
    }
}

/// The request's fields and those that the client adds.
fn complete(request: &Request) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(request.headers.len() + 4);
    let authority = &request.url[Position::BeforeHost..Position::AfterPort];
    if let Ok(host) = HeaderValue::from_str(authority) {
        headers.insert(HOST, host);
    }
    headers.extend(
        request
            .headers
            .iter()
            .filter(|(name, _)| *name != HOST && *name != CONTENT_LENGTH)
            .map(|(name, value)| (name.clone(), value.clone())),
    );
    if !headers.contains_key(ACCEPT_ENCODING) {
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(decode::ACCEPTED));
    }
    if !headers.contains_key(AUTHORIZATION)
        && let Some(value) = basic(&request.url)
    {
        headers.insert(AUTHORIZATION, value);
    }
    if !request.body.is_empty() || request.method == Method::POST {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(request.body.len()));
    }
    headers
}

/// The user name and password of a URL as basic authorization.
fn basic(url: &Url) -> Option<HeaderValue> {
    use base64::Engine;
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let decoded = |text: &str| percent_encoding::percent_decode_str(text).collect::<Vec<u8>>();
    let mut pair = decoded(url.username());
    pair.push(b':');
    pair.extend(decoded(url.password().unwrap_or_default()));
    let text = format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(pair));
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// The request in the form for a direct HTTP/1.1 connection.
fn outgoing(request: &Request, headers: HeaderMap) -> Result<Outgoing, Fault> {
    host_and_port(&request.url)?;
    let mut outgoing = Outgoing::new(Full::new(request.body.clone()));
    *outgoing.method_mut() = request.method.clone();
    *outgoing.uri_mut() = uri(
        &request.url,
        &request.url[Position::BeforePath..Position::AfterQuery],
    )?;
    *outgoing.headers_mut() = headers;
    Ok(outgoing)
}

/// Adapts it to other connections: HTTP/2 and proxies need the whole URL.
fn address(request: &mut Outgoing, url: &Url, carrier: &Carrier) -> Result<(), Fault> {
    let proxy = match carrier {
        Carrier::H1(connection) => match &connection.forward {
            Some(proxy) => Some(proxy),
            None => return Ok(()),
        },
        Carrier::H2(_) => None,
    };
    let mut bare = url.clone();
    let _ = bare.set_username("");
    let _ = bare.set_password(None);
    *request.uri_mut() = uri(url, bare.as_str())?;
    let headers = request.headers_mut();
    match proxy {
        None => drop(headers.remove(HOST)),
        Some(proxy) => {
            if let Some(authorization) = &proxy.authorization {
                headers.insert(PROXY_AUTHORIZATION, authorization.clone());
            }
        }
    }
    Ok(())
}

fn uri(url: &Url, text: &str) -> Result<Uri, Fault> {
    text.parse().map_err(|error| {
        Fault::new(
            Step::Send,
            format!("{url} cannot be sent: {error}"),
            "Check the URL.",
        )
    })
}
