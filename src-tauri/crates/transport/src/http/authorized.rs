//! Exchanges that a server may refuse without a token. Refused requests did not run, so they are sent again with a new
//! token, as a separate record of the same message.

use std::{pin::pin, time::Duration};

use bytes::Bytes;
use patchbay_http::{
    Credential, Failed, HeaderMap, HeaderName, HeaderValue, Method, OnWire, Outbound, Refusal, Request,
    Response, Url, Verdict, header,
};
use patchbay_protocol::RequestId;
use patchbay_traffic::{OperationId, Seq};
use tokio::time::timeout;

use super::{
    INITIALIZED,
    answer::{self, READ_LIMIT},
    shared::Shared,
};
use crate::{Dialect, Event, Failure, OpenStep};

/// The maximum number of attempts, whatever the authorizer returns.
const MOST: usize = 6;
/// The maximum number of times a request is sent again with a nonce that its server asked for.
const MOST_NONCES: u32 = 2;
/// The header of a proof (RFC 9449).
const DPOP: HeaderName = HeaderName::from_static("dpop");
/// The time limit for the body of a refusal, which is only recorded.
const BODY_PATIENCE: Duration = Duration::from_secs(5);
/// A wait too short to report.
const UNNOTICED: Duration = Duration::from_millis(200);
const STEP: &str = "Authorization";

/// A request that may be sent several times.
pub(crate) struct HttpAttempt<'a> {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// The record of the message, and its id if it is a request.
    pub(crate) message: Option<Seq>,
    pub(crate) request: Option<&'a RequestId>,
    /// Whether it is sent again on a new connection if the one that it was sent on ended: a lost notification or reply is never
    /// noticed.
    pub(crate) is_repeatable: bool,
    pub(crate) head_timeout: Option<Duration>,
    /// The operation of the exchanges.
    pub(crate) operation: Option<OperationId>,
    /// The purpose, such as `tools/call add`.
    pub(crate) purpose: &'a str,
    /// Tells whether the current attempt may have reached the server, and is told that the message was cancelled.
    pub(crate) on_wire: OnWire,
}

/// The result of an attempt.
pub(crate) struct Answered {
    pub(crate) response: Box<Response>,
    /// It stays refused without a token: its body, which was read, and the reason.
    pub(crate) refused: Option<(Bytes, Failure)>,
}

impl Shared {
    /// Sends with the current credential, and again when the server requires another one and there is one.
    pub(crate) async fn ask(&self, attempt: HttpAttempt<'_>) -> Result<Answered, Failed> {
        let mut refused_as = Vec::new();
        let mut nonces = 0;
        loop {
            let Sent {
                mut response,
                used,
                new_nonce,
            } = self.ask_once(&attempt).await?;
            let is_wanted = !attempt.on_wire.is_cancelled();
            if new_nonce && nonces < MOST_NONCES && is_wanted {
                attempt.on_wire.set(false);
                nonces += 1;
                read(&mut response).await;
                continue;
            }
            let refusal = refusal(&response, used, attempt.purpose, attempt.operation);
            let authorizer = self.authorizer.as_ref().filter(|_| is_wanted);
            let (Some(refusal), Some(authorizer)) = (refusal, authorizer) else {
                let let_in = (200..300).contains(&response.status);
                if let (Some(authorizer), Some(version), true) = (&self.authorizer, used, let_in) {
                    authorizer.accepted(version, attempt.purpose);
                }
                return Ok(Answered {
                    response,
                    refused: None,
                });
            };
            attempt.on_wire.set(false);
            let body = read(&mut response).await;
            let failure = match again(&refused_as, &refusal) {
                Some(failure) => failure,
                None => {
                    refused_as.push((refusal.status, used));
                    let asked = authorizer.refused(refusal.clone());
                    match self.with_clocks_paused(&attempt, asked).await {
                        Verdict::Retry => continue,
                        Verdict::GiveUp(denial) => denial.into(),
                    }
                }
            };
            let failure = Failure {
                refusal: Some(Box::new(refusal)),
                ..failure
            };
            return Ok(Answered {
                response,
                refused: Some((body, failure)),
            });
        }
    }

    /// Sends without involving the user: once more if it is refused and there is another credential, or one is available
    /// without the user. The response is only recorded.
    pub(crate) async fn ask_quietly(&self, attempt: &HttpAttempt<'_>) -> Result<(), Failed> {
        let mut sent = self.ask_once(attempt).await?;
        if sent.new_nonce {
            read(&mut sent.response).await;
            sent = self.ask_once(attempt).await?;
        }
        let Sent {
            mut response, used, ..
        } = sent;
        read(&mut response).await;
        if let (Some(refusal), Some(authorizer)) = (
            refusal(&response, used, attempt.purpose, attempt.operation),
            &self.authorizer,
        ) && authorizer.renewed(refusal).await
        {
            let mut sent = self.ask_once(attempt).await?;
            read(&mut sent.response).await;
        }
        Ok(())
    }

    /// Sends with the current credential.
    async fn ask_once(&self, attempt: &HttpAttempt<'_>) -> Result<Sent, Failed> {
        let mut headers = attempt.headers.clone();
        let outbound = Outbound {
            method: &attempt.method,
            url: &attempt.url,
            operation: attempt.operation,
        };
        let used = match &self.authorizer {
            Some(authorizer) => self
                .with_clocks_paused(attempt, authorizer.credential(&outbound))
                .await
                .and_then(|credential| attach(&mut headers, &credential)),
            None => None,
        };
        let request = Request {
            headers,
            body: attempt.body.clone(),
            message: attempt.message,
            operation: attempt.operation,
            head_timeout: attempt.head_timeout,
            repeatable: attempt.is_repeatable,
            on_wire: attempt.on_wire.clone(),
            ..Request::new(attempt.method.clone(), attempt.url.clone())
        };
        let response = self.send(request).await?;
        let is_new = self
            .authorizer
            .as_ref()
            .is_some_and(|authorizer| authorizer.answered(&attempt.url, &response.headers));
        Ok(Sent {
            new_nonce: is_new && used.is_some() && wants_nonce(&response),
            response,
            used,
        })
    }

    /// Waits for something that may involve the user. If that takes noticeable time, the timeouts of the request are
    /// paused.
    async fn with_clocks_paused<T>(&self, attempt: &HttpAttempt<'_>, waited: impl Future<Output = T>) -> T {
        let mut waited = pin!(waited);
        if let Ok(value) = timeout(UNNOTICED, &mut waited).await {
            return value;
        }
        self.authorizing(attempt, true).await;
        let value = waited.await;
        self.authorizing(attempt, false).await;
        value
    }

    async fn authorizing(&self, attempt: &HttpAttempt<'_>, on: bool) {
        if let Some(message) = attempt.message {
            let step = if on {
                OpenStep::Authorizing
            } else {
                OpenStep::Waiting
            };
            self.step(message, step);
        }
        let id = attempt.request.cloned();
        if id.is_some() || self.is_awaited_by_all(attempt) {
            self.tell(Event::Authorizing { id, on }).await;
        }
    }

    /// Whether no request is sent, or none is answered, before this exchange has begun.
    fn is_awaited_by_all(&self, attempt: &HttpAttempt<'_>) -> bool {
        let is_stream = attempt.method == Method::GET && self.dialect == Dialect::HttpSse;
        is_stream || attempt.purpose == INITIALIZED
    }
}

/// A response to one request.
struct Sent {
    response: Box<Response>,
    /// The version of the credential that the request carried.
    used: Option<u64>,
    /// The server refused the request because its proof lacked the nonce that is in this response.
    new_nonce: bool,
}

/// Whether a response requires a proof with the server's nonce (RFC 9449 section 9).
fn wants_nonce(response: &Response) -> bool {
    let asks = |challenge: &String| challenge.contains("use_dpop_nonce");
    response.status == 401 && answer::www_authenticate(&response.headers).iter().any(asks)
}

/// Adds the credential. Returns its version on success.
fn attach(headers: &mut HeaderMap, credential: &Credential) -> Option<u64> {
    let mut value = HeaderValue::from_str(credential.value.expose()).ok()?;
    value.set_sensitive(true);
    headers.insert(header::AUTHORIZATION, value);
    if let Some(proof) = &credential.proof {
        headers.insert(DPOP, proof.clone());
    }
    Some(credential.version)
}

async fn read(response: &mut Response) -> Bytes {
    answer::read(response, READ_LIMIT, Some(BODY_PATIENCE))
        .await
        .into_bytes()
}

/// The refusal in a response. (Challenges are parsed by the authorizer.)
pub(crate) fn refusal(
    response: &Response,
    used: Option<u64>,
    purpose: &str,
    operation: Option<OperationId>,
) -> Option<Refusal> {
    let www_authenticate = answer::www_authenticate(&response.headers);
    let wants_scope = || {
        www_authenticate
            .iter()
            .any(|challenge| challenge.contains("insufficient_scope"))
    };
    let is_one = response.status == 401 || (response.status == 403 && wants_scope());
    is_one.then(|| Refusal {
        status: response.status,
        exchange: response.exchange,
        peer: response.peer,
        used,
        purpose: purpose.to_owned(),
        operation,
        www_authenticate,
    })
}

/// Why no other credential is requested, given the previous attempts.
fn again(before: &[(u16, Option<u64>)], refusal: &Refusal) -> Option<Failure> {
    let unchanged = before.last().is_some_and(|(_, used)| *used == refusal.used);
    let cause = if unchanged {
        format!(
            "The server answered HTTP {} again: there is no token other than the one it rejected.",
            refusal.status
        )
    } else if refusal.status == 401 && before.iter().any(|(status, _)| *status == 401) {
        "The server answered HTTP 401 again, though the request carried the token that was just obtained for it."
            .to_owned()
    } else if before.len() + 1 >= MOST {
        format!("The server refused the request {MOST} times, each time with another token.")
    } else {
        return None;
    };
    Some(Failure::new(
        STEP,
        cause,
        "Compare the token (issuer, audience, scopes, expiry) with what the server expects; its own log may say \
         why it refuses it.",
    ))
}
