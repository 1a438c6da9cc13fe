//! The requests of a run: restricted by the guard, limited in time and size, recorded without secrets.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use patchbay_http::{Failed, HeaderMap, HeaderValue, Method, Redirects, Request, Response, Url, header};
use patchbay_secret::Secret;
use patchbay_traffic::{OperationId, Seq};
use serde_json::Value;

use crate::run::conceal;
use crate::run::guard::{self, Guard};
use crate::run::reporter::RunReporter;
use crate::{Attempt, AttemptVerdict, Failure, Wire, rules};

/// The maximum size of a response body, in bytes.
const LONGEST: usize = 1 << 20;
/// The maximum number of redirects of a metadata request.
const HOPS: usize = 5;

/// Sends the requests of one run.
pub(crate) struct Net {
    wire: Wire,
    /// The operation that the requests are recorded as part of.
    operation: Option<OperationId>,
    guard: Guard,
    reporter: Arc<RunReporter>,
    limit: Duration,
}

/// A complete response.
pub(crate) struct Reply {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) exchange: Seq,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Net {
    pub(crate) fn new(
        wire: Wire,
        operation: Option<OperationId>,
        guard: Guard,
        reporter: Arc<RunReporter>,
        limit: Duration,
    ) -> Self {
        Self {
            wire,
            operation,
            guard,
            reporter,
            limit,
        }
    }

    pub(crate) fn reporter(&self) -> &Arc<RunReporter> {
        &self.reporter
    }

    pub(crate) fn guard(&self) -> &Guard {
        &self.guard
    }

    /// Masks these in everything that is recorded and reported from now on.
    pub(crate) fn redact(&self, secrets: Vec<Secret>) {
        self.reporter.hide(&secrets);
        self.wire.recorder.redact(secrets);
    }

    /// Fetches a document. Redirects are followed, each under the same guard and reported as a separate attempt.
    pub(crate) async fn get(&self, what: &str, url: &Url, headers: &HeaderMap) -> Result<Reply, Failure> {
        let mut url = url.clone();
        for _ in 0..=HOPS {
            guard::secure(self.reporter.at(), what, &url)?;
            let request = Request {
                headers: headers.clone(),
                ..Request::new(Method::GET, url.clone())
            };
            let mut response = self.send(request).await?;
            let to = response.redirected.take();
            let reply = self.whole(Method::GET, response, true).await?;
            let Some(to) = to else { return Ok(reply) };
            let Ok(next) = Url::parse(&to.to) else {
                return Err(self.bad(&reply, format!("it redirects to {}, which is not a URL", to.to)));
            };
            self.attempt(
                &reply,
                AttemptVerdict::Ok,
                format!("Redirects to {next}, which is requested next."),
            );
            url = next;
        }
        let cause = format!("the {what} redirects more than {HOPS} times, last to {url}");
        Err(Failure::new(
            self.reporter.at(),
            cause,
            "The server's redirects must be corrected.",
        ))
    }

    /// Posts a body with secrets, whose response may contain secrets too. Redirects are refused.
    pub(crate) async fn post(
        &self,
        what: &str,
        url: &Url,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Reply, Failure> {
        guard::secure(self.reporter.at(), what, url)?;
        let mut request = Request {
            headers,
            body,
            ..Request::new(Method::POST, url.clone())
        };
        // So that the secrets of the response can be found and masked.
        request
            .headers
            .insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let mut response = self.send(request).await?;
        let to = response.redirected.take();
        let reply = self.whole(Method::POST, response, false).await?;
        let (recorded, secrets) =
            conceal::answer(&reply.body).map_err(|cause| self.too_many_secrets(&reply, &cause))?;
        self.redact(secrets);
        if !recorded.is_empty() {
            let recorded = self.wire.recorder.http_body(reply.exchange, recorded).await;
            recorded.map_err(|error| self.bad(&reply, error.to_string()))?;
        }
        let Some(to) = to else { return Ok(reply) };
        let cause = format!(
            "the {what} {url} redirects to {}; a request that carries secrets does not follow redirects",
            to.to
        );
        self.attempt(&reply, AttemptVerdict::Refused, "Refused to follow a redirect.");
        Err(Failure::new(
            self.reporter.at(),
            cause,
            "The metadata must name the final address.",
        )
        .against(rules::REDIRECTS)
        .seen_in(reply.exchange))
    }

    /// Sends a request after the guard allowed its address.
    async fn send(&self, mut request: Request) -> Result<Box<Response>, Failure> {
        request.follow = Redirects::Never;
        request.operation = self.operation;
        loop {
            request.addresses = self.guard.addresses(&request.url);
            let sent = self.wire.http.send(self.wire.connection, request.clone());
            let failed = match tokio::time::timeout(self.limit, sent).await {
                Ok(Ok(response)) => {
                    self.guard.connected(&request.url, response.peer);
                    return Ok(response);
                }
                Ok(Err(failed)) => failed,
                Err(_) => return Err(self.too_slow(&request.method, &request.url)),
            };
            match failed.private {
                Some(address) => self.guard.consent(&request.url, address, &self.reporter).await?,
                None => return Err(self.failed(&request.method, &request.url, failed)),
            }
        }
    }

    /// Reads the whole response.
    async fn whole(&self, method: Method, mut response: Box<Response>, keep: bool) -> Result<Reply, Failure> {
        response.keep_body(keep);
        let url = response.url.clone();
        let read = tokio::time::timeout(self.limit, response.read(LONGEST)).await;
        let (body, more) = match read {
            Ok(Ok(read)) => read,
            Ok(Err(failed)) => return Err(self.failed(&method, &url, failed)),
            Err(_) => return Err(self.too_slow(&method, &url).seen_in(response.exchange)),
        };
        let reply = Reply {
            method,
            url,
            exchange: response.exchange,
            status: response.status,
            headers: std::mem::take(&mut response.headers),
            body,
        };
        if more {
            return Err(self.bad(&reply, format!("the response is longer than {LONGEST} bytes")));
        }
        Ok(reply)
    }

    /// Reports the verdict on a response.
    pub(crate) fn attempt(&self, reply: &Reply, verdict: AttemptVerdict, words: impl Into<String>) {
        self.reporter.attempt(Attempt {
            method: if reply.method == Method::POST {
                "POST"
            } else {
                "GET"
            },
            url: reply.url.to_string(),
            exchange: Some(reply.exchange),
            status: Some(reply.status),
            verdict,
            words: words.into(),
        });
    }

    /// The failure for a response that ends the run.
    fn bad(&self, reply: &Reply, cause: String) -> Failure {
        self.unusable(reply, cause, "Check the exchange; the server must be corrected.")
    }

    /// The failure for a response whose secrets could not all be masked, and whose body is therefore not in the log.
    fn too_many_secrets(&self, reply: &Reply, cause: &str) -> Failure {
        self.unusable(
            reply,
            format!("{cause}, so its body was not recorded"),
            "The authorization server must issue fewer or shorter tokens.",
        )
    }

    fn unusable(&self, reply: &Reply, cause: String, next: &str) -> Failure {
        self.attempt(reply, AttemptVerdict::Failed, format!("{cause}."));
        let cause = format!("the response of {} cannot be used: {cause}", reply.url);
        Failure::new(self.reporter.at(), cause, next).seen_in(reply.exchange)
    }

    /// The failure of a request without a response.
    fn failed(&self, method: &Method, url: &Url, failed: Failed) -> Failure {
        let cause = format!("the request to {url} failed: {}", failed.cause);
        self.no_answer(method, url, failed.exchange, failed.to_string());
        Failure::new(self.reporter.at(), cause, failed.next).seen_in(failed.exchange)
    }

    fn too_slow(&self, method: &Method, url: &Url) -> Failure {
        let seconds = self.limit.as_secs_f64();
        let cause = format!("the server at {url} did not respond within {seconds} s");
        self.no_answer(method, url, None, format!("No response within {seconds} s."));
        Failure::new(
            self.reporter.at(),
            cause,
            "Check that server's own log; it has to respond within that time.",
        )
    }

    fn no_answer(&self, method: &Method, url: &Url, exchange: Option<Seq>, words: String) {
        self.reporter.attempt(Attempt {
            method: if *method == Method::POST { "POST" } else { "GET" },
            url: url.to_string(),
            exchange,
            status: None,
            verdict: AttemptVerdict::Failed,
            words,
        });
    }
}

impl Reply {
    /// The JSON object in the body; the error describes what is there instead.
    pub(crate) fn object(&self) -> Result<Value, String> {
        match serde_json::from_slice::<Value>(&self.body) {
            Ok(value) if value.is_object() => Ok(value),
            Ok(_) => Err("the response is JSON, but not an object".to_owned()),
            Err(error) => Err(self.instead_of_json(&error)),
        }
    }

    fn instead_of_json(&self, error: &serde_json::Error) -> String {
        let kind = self
            .headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok());
        match kind {
            _ if self.body.is_empty() => "the response is empty".to_owned(),
            Some(kind) if !kind.to_ascii_lowercase().contains("json") => {
                format!("the response is {kind}, not JSON")
            }
            _ => format!("the response is not JSON: {error}"),
        }
    }
}
