//! Requests to a token endpoint: sending, authentication, and interpreting responses.
//!
//! The grants of OAuth 2.1 use `oauth2` ([`crate::grant`]). Requests which that crate does not support (assertions, token
//! exchange, revocation at this machine) are sent as forms here; the responses are interpreted the same way.

use bytes::Bytes;
use futures_util::future::BoxFuture;
use oauth2::basic::{BasicErrorResponse, BasicTokenResponse, BasicTokenType};
use oauth2::url::form_urlencoded;
use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse, RequestTokenError, TokenResponse};
use patchbay_http::{HeaderMap, HeaderValue, Url, header};
use patchbay_secret::Secret;
use serde_json::Value;
use tokio::sync::Mutex;

use crate::grant::callback::shown;
use crate::run::conceal::LONGEST_SECRET;
use crate::run::net::{Net, Reply};
use crate::scopes::excess;
use crate::token::dpop::{PROOF, Prover, USE_NONCE};
use crate::{AttemptVerdict, AuthMethod, Clause, Failure, RegisteredClient, Step, rules};

/// A token endpoint in a run.
pub(crate) struct Endpoint<'a> {
    net: &'a Net,
    /// Its name in failures.
    what: &'static str,
    url: Url,
    /// Signs proofs that bind the token to a key.
    prover: Option<Prover<'a>>,
    /// The last response.
    last: Mutex<Option<Reply>>,
}

/// The content of a successful response.
pub(crate) struct Issued {
    pub(crate) access: Secret,
    pub(crate) refresh: Option<Secret>,
    pub(crate) scopes: Option<Vec<String>>,
    pub(crate) expires_in: Option<std::time::Duration>,
    /// Whether it is bound to the key of the proofs.
    pub(crate) bound: bool,
    /// A sentence about how it was obtained.
    pub(crate) note: Option<String>,
}

/// Why the request was refused: a failure, and the error code if there is one.
pub(crate) struct Denied {
    pub(crate) failure: Failure,
    pub(crate) code: Option<String>,
    /// Whether the status is that of a refusal too. Another one says that the server failed or is busy, whatever its code.
    pub(crate) is_refusal: bool,
}

impl From<Failure> for Denied {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            code: None,
            is_refusal: false,
        }
    }
}

/// The content of a response.
pub(crate) enum TokenReply {
    Token(Box<BasicTokenResponse>),
    Error {
        code: String,
        description: Option<String>,
    },
    Unreadable(String),
    Unsent(Failure),
}

impl<'a> Endpoint<'a> {
    pub(crate) fn new(net: &'a Net, what: &'static str, url: Url) -> Self {
        Self {
            net,
            what,
            url,
            prover: None,
            last: Mutex::new(None),
        }
    }

    /// Binds the token to a key: each request carries a proof.
    pub(crate) fn proving(self, prover: Option<Prover<'a>>) -> Self {
        Self { prover, ..self }
    }

    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    fn step(&self) -> Step {
        self.net.reporter().at()
    }

    /// Sends a request that `oauth2` made.
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, Failure> {
        let (head, body) = request.into_parts();
        let reply = self.post(head.headers, body.into()).await?;
        let mut response = HttpResponse::new(normalized(&reply));
        *response.headers_mut() = reply.headers.clone();
        *response.status_mut() = oauth2::http::StatusCode::from_u16(status(&reply)).unwrap_or_default();
        *self.last.lock().await = Some(reply);
        Ok(response)
    }

    /// Sends a request, with a proof if the token is to be bound. If the server requires its nonce in the proof, the request,
    /// which it refused, is sent once more with it.
    async fn post(&self, mut headers: HeaderMap, body: Bytes) -> Result<Reply, Failure> {
        let Some(prover) = &self.prover else {
            return self.net.post(self.what, &self.url, headers, body).await;
        };
        headers.insert(PROOF, prover.proof(self.step(), &self.url)?);
        let reply = self
            .net
            .post(self.what, &self.url, headers.clone(), body.clone())
            .await?;
        let is_new = prover.nonces.note(&self.url, &reply.headers);
        if !(is_new && wants_nonce(&reply)) {
            return Ok(reply);
        }
        let words = format!(
            "It requires a proof with its nonce ({}). The request is sent again with it.",
            rules::DPOP_NONCE.name
        );
        self.net.attempt(&reply, AttemptVerdict::Refused, words);
        headers.insert(PROOF, prover.proof(self.step(), &self.url)?);
        let reply = self.net.post(self.what, &self.url, headers, body).await?;
        prover.nonces.note(&self.url, &reply.headers);
        Ok(reply)
    }

    /// Sends a form with the client's authentication.
    pub(crate) async fn form(
        &self,
        client: &RegisteredClient,
        mut fields: Vec<(&str, &str)>,
    ) -> Result<TokenReply, Failure> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/x-www-form-urlencoded"),
        );
        match (&client.secret, client.auth_method) {
            (Some(secret), AuthMethod::Basic) => {
                headers.insert(header::AUTHORIZATION, basic(&client.id, secret)?);
            }
            (Some(secret), AuthMethod::Post) => {
                fields.extend([
                    ("client_id", client.id.as_str()),
                    ("client_secret", secret.expose()),
                ]);
            }
            // A workload that no client is registered for.
            _ if client.id.is_empty() => {}
            _ => fields.push(("client_id", client.id.as_str())),
        }
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let reply = self.post(headers, body.into()).await?;
        let read = read(&reply);
        *self.last.lock().await = Some(reply);
        Ok(read)
    }

    /// Interprets a response.
    pub(crate) async fn issued(&self, reply: TokenReply) -> Result<Issued, Denied> {
        let token = match self.token_response(reply).await {
            Ok(token) => token,
            Err(denied) => return Err(denied),
        };
        let bound = self.check_type(token.token_type()).await?;
        let scopes: Option<Vec<String>> = token
            .scopes()
            .map(|scopes| scopes.iter().map(|scope| scope.to_string()).collect());
        if let Some(excess) = scopes.as_deref().and_then(excess) {
            let cause = format!("the {} granted {excess}", self.what);
            let next = "The authorization server must grant fewer or shorter scopes.";
            return Err(self.refused(cause, next, rules::TOKEN_RESPONSE).await.into());
        }
        self.accepted(if bound {
            "Token issued, bound to the key of the proof."
        } else {
            "Token issued."
        })
        .await;
        Ok(Issued {
            access: Secret::new(token.access_token().secret()),
            refresh: token.refresh_token().map(|refresh| Secret::new(refresh.secret())),
            scopes,
            expires_in: token.expires_in(),
            bound,
            note: None,
        })
    }

    /// Returns whether a token of this type is bound to the key of the proofs.
    async fn check_type(&self, token_type: &BasicTokenType) -> Result<bool, Denied> {
        let is_bound = token_type.as_ref().eq_ignore_ascii_case("dpop");
        let required = self.prover.is_some_and(|prover| prover.required);
        match (token_type, &self.prover) {
            (_, Some(_)) if is_bound => Ok(true),
            (BasicTokenType::Bearer, _) if !required => Ok(false),
            (_, Some(_)) => {
                let cause = format!(
                    "the token type is `{}`, so the token is not bound to the key of the proof",
                    shown(token_type.as_ref())
                );
                let next = "The authorization server must support DPoP, or switch DPoP off in the settings.";
                Err(self.refused(cause, next, rules::DPOP_TOKEN_REQUEST).await.into())
            }
            (_, None) => {
                let cause = format!(
                    "the token type is `{}`; only Bearer was asked for",
                    shown(token_type.as_ref())
                );
                let next = "The authorization server must issue Bearer tokens.";
                Err(self.refused(cause, next, rules::TOKEN_RESPONSE).await.into())
            }
        }
    }

    /// The token response in a response, if it is readable.
    pub(crate) async fn token_response(&self, reply: TokenReply) -> Result<BasicTokenResponse, Denied> {
        match reply {
            TokenReply::Token(token) => self.bounded(*token).await,
            TokenReply::Error { code, description } => {
                let description = description
                    .map(|text| format!(" ({})", shown(&text)))
                    .unwrap_or_default();
                let cause = format!("the {} answered {}{description}", self.what, shown(&code));
                let failure = self
                    .refused(cause, advice(&code, self.step()), rules::TOKEN_ERROR)
                    .await;
                let last = self.last.lock().await;
                let status = last.as_ref().map(status);
                Err(Denied {
                    failure,
                    code: Some(code),
                    is_refusal: matches!(status, Some(400 | 401 | 403)),
                })
            }
            TokenReply::Unreadable(cause) => {
                let next = "Check the exchange; the authorization server must respond as the rule says.";
                let cause = format!("the {} {}: {cause}", self.what, self.url);
                Err(self.refused(cause, next, rules::TOKEN_RESPONSE).await.into())
            }
            // Its attempt has been reported already.
            TokenReply::Unsent(failure) => Err(failure.into()),
        }
    }

    /// The token, unless it could not be masked.
    async fn bounded(&self, token: BasicTokenResponse) -> Result<BasicTokenResponse, Denied> {
        let refresh = token.refresh_token().map_or(0, |refresh| refresh.secret().len());
        let longest = token.access_token().secret().len().max(refresh);
        if longest <= LONGEST_SECRET {
            return Ok(token);
        }
        let cause = format!(
            "the {} issued a token of {longest} bytes, more than {LONGEST_SECRET}",
            self.what
        );
        let next = "The authorization server must issue shorter tokens.";
        Err(self.refused(cause, next, rules::TOKEN_RESPONSE).await.into())
    }

    /// Reports the response as used.
    pub(crate) async fn accepted(&self, words: &str) {
        if let Some(reply) = self.last.lock().await.as_ref() {
            self.net.attempt(reply, AttemptVerdict::Ok, words);
        }
    }

    /// Reports the response as not used.
    pub(crate) async fn refused(&self, cause: String, next: &str, rule: Clause) -> Failure {
        let last = self.last.lock().await;
        if let Some(reply) = last.as_ref() {
            self.net
                .attempt(reply, AttemptVerdict::Refused, format!("{cause}."));
        }
        Failure::new(self.step(), cause, next)
            .against(rule)
            .seen_in(last.as_ref().map(|reply| reply.exchange))
    }

    /// The type of the issued token in the last response (RFC 8693 section 2.2.1).
    pub(crate) async fn issued_token_type(&self) -> Option<String> {
        let last = self.last.lock().await;
        let object = last.as_ref()?.object().ok()?;
        Some(shown(object.get("issued_token_type")?.as_str()?))
    }

    /// The status of the last response.
    pub(crate) async fn status(&self) -> Option<u16> {
        self.last.lock().await.as_ref().map(|reply| reply.status)
    }
}

impl<'c> AsyncHttpClient<'c> for Endpoint<'_> {
    type Error = Failure;
    type Future = BoxFuture<'c, Result<HttpResponse, Failure>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send(request))
    }
}

impl TokenReply {
    /// Converts the result of `oauth2`.
    pub(crate) fn of(
        result: Result<BasicTokenResponse, RequestTokenError<Failure, BasicErrorResponse>>,
    ) -> Self {
        match result {
            Ok(token) => Self::Token(Box::new(token)),
            Err(RequestTokenError::ServerResponse(error)) => Self::Error {
                code: error.error().as_ref().to_owned(),
                description: error.error_description().cloned(),
            },
            Err(RequestTokenError::Request(failure)) => Self::Unsent(failure),
            // The error of serde_json could contain a value.
            Err(RequestTokenError::Parse(error, body)) => {
                Self::Unreadable(unreadable(&error.path().to_string(), &body))
            }
            Err(RequestTokenError::Other(text)) => Self::Unreadable(text),
        }
    }
}

/// Whether the response requires a proof with the nonce in it (RFC 9449 section 8).
fn wants_nonce(reply: &Reply) -> bool {
    let error = || reply.object().ok()?.get("error")?.as_str().map(str::to_owned);
    matches!(reply.status, 400 | 401) && error().as_deref() == Some(USE_NONCE)
}

/// Interprets the response to a form.
fn read(reply: &Reply) -> TokenReply {
    let body = normalized(reply);
    if status(reply) == 200 {
        return match serde_json::from_slice(&body) {
            Ok(token) => TokenReply::Token(Box::new(token)),
            Err(_) => TokenReply::Unreadable(unreadable(".", &body)),
        };
    }
    match serde_json::from_slice::<BasicErrorResponse>(&body) {
        Ok(error) => TokenReply::of(Err(RequestTokenError::ServerResponse(error))),
        Err(_) => TokenReply::Unreadable(format!("status {} without a readable error", reply.status)),
    }
}

/// Describes what is wrong with a response, without its values.
fn unreadable(path: &str, body: &[u8]) -> String {
    match serde_json::from_slice::<Value>(body) {
        Ok(Value::Object(object)) if path == "." => {
            let names: Vec<&str> = object.keys().map(String::as_str).collect();
            format!(
                "the response is neither a token nor an error: a field is missing or has the wrong type (fields: {})",
                shown(&names.join(", "))
            )
        }
        Ok(Value::Object(_)) => format!("the field {} of the response has the wrong type", shown(path)),
        Ok(_) => "the response is JSON, but not an object".to_owned(),
        Err(_) if body.is_empty() => "the response is empty".to_owned(),
        Err(_) if body.trim_ascii_start().starts_with(b"<") => {
            "the response is a web page, not JSON".to_owned()
        }
        Err(_) => "the response is not JSON".to_owned(),
    }
}

/// The status; an error with status 200, as some servers send it, counts as 400.
fn status(reply: &Reply) -> u16 {
    match reply.object() {
        Ok(object)
            if reply.status == 200
                && object.get("error").is_some()
                && object.get("access_token").is_none() =>
        {
            400
        }
        _ => reply.status,
    }
}

/// The body, with `expires_in` converted to an integer if it is a string or a fraction.
fn normalized(reply: &Reply) -> Vec<u8> {
    let Ok(mut object) = reply.object() else {
        return reply.body.to_vec();
    };
    let seconds = match object.get("expires_in") {
        Some(Value::String(text)) => text.trim().parse::<f64>().ok(),
        Some(Value::Number(number)) if !number.is_u64() => number.as_f64(),
        _ => return reply.body.to_vec(),
    };
    match seconds.filter(|seconds| seconds.is_finite()) {
        Some(seconds) => object["expires_in"] = Value::from(seconds.max(0.0) as u64),
        None => object["expires_in"] = Value::Null,
    }
    object.to_string().into_bytes()
}

/// `client_secret_basic`: both parts are form-encoded (RFC 6749 section 2.3.1).
fn basic(id: &str, secret: &Secret) -> Result<HeaderValue, Failure> {
    use base64::Engine;
    let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encode(id), encode(secret.expose()));
    let text = format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(pair));
    let mut value = HeaderValue::from_str(&text).map_err(|_| {
        Failure::new(
            Step::Token,
            "the client id cannot be sent",
            "Check the client id.",
        )
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// The advice for an error of the token endpoint.
fn advice(code: &str, step: Step) -> &'static str {
    match (code, step) {
        ("invalid_client", _) => {
            "The authorization server does not know this client, or the secret is wrong. Register again, or check the settings."
        }
        ("invalid_grant", Step::Refresh) => "The refresh token is no longer valid. Authorize again.",
        ("invalid_grant", _) => {
            "The code or assertion was refused; it may have been used or expired. Authorize again."
        }
        ("unauthorized_client" | "unsupported_grant_type", _) => {
            "Allow the client to use this grant, or choose another grant."
        }
        ("invalid_scope", _) => "Request other scopes.",
        ("invalid_target", _) => {
            "The authorization server does not know this MCP server as a resource. Register it there."
        }
        _ => "Check the exchange and the authorization server's own log.",
    }
}
