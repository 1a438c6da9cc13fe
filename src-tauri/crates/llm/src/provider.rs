//! A provider: where it is, what it speaks, its key, and the requests it takes.

use std::time::Duration;

use bytes::Bytes;
use patchbay_http::{Client, HeaderValue, Method, Redirects, Request, Response, Url, header};
use patchbay_secret::Secret;
use patchbay_traffic::{ConnectionRef, OperationId};
use tokio::sync::mpsc;

use crate::answer::Arguments;
use crate::api::Api;
use crate::stream::{error_body, read};
use crate::{Answer, Delta, Failure, FailureKind, Prompt, anthropic, chat};

/// The time limit for the head of an answer: a model may first load its weights, or read a long prompt.
const HEAD_TIMEOUT: Duration = Duration::from_secs(300);
/// The time limit for the head of any other response.
pub(crate) const SHORT_TIMEOUT: Duration = Duration::from_secs(20);

/// A provider.
#[derive(Debug, Clone)]
pub struct Provider {
    /// Its API.
    pub api: Api,
    /// The base of its addresses; see [`parse_base_url`].
    pub base_url: Url,
    /// The key, if it needs one. It is sent to this address only; redirects are not followed.
    pub key: Option<Secret>,
}

/// How requests are sent. Every exchange is recorded.
#[derive(Clone)]
pub struct Wire {
    /// The HTTP client.
    pub http: Client,
    /// The connection that the exchanges belong to.
    pub connection: ConnectionRef,
    /// The operation that they belong to.
    pub operation: Option<OperationId>,
}

/// Parses a base URL: the part before `/messages` or `/chat/completions`, usually ending with `/v1`. For Anthropic `/v1` may
/// be left out.
///
/// # Errors
/// The reason, in a sentence.
pub fn parse_base_url(text: &str) -> Result<Url, String> {
    let url: Url = text
        .trim()
        .parse()
        .map_err(|error| format!("The base URL is not a URL: {error}."))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err("The base URL must start with http:// or https://.".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "The base URL must not contain a user name or password. Enter the key in its own field."
                .to_owned(),
        );
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("The base URL must not have a query or a fragment.".to_owned());
    }
    Ok(url)
}

impl Provider {
    /// Sends a prompt to a model. Each piece of the answer is sent to `deltas` as it arrives; dropping the future stops the
    /// model by closing the connection. Nothing is sent twice.
    ///
    /// # Errors
    /// There is no answer, or an incomplete one.
    pub async fn generate(
        &self,
        wire: &Wire,
        model: &str,
        prompt: &Prompt<'_>,
        deltas: &mpsc::Sender<Delta>,
    ) -> Result<Answer, Failure> {
        self.ask(wire, model, prompt, Arguments::Checked, deltas).await
    }

    /// As [`Provider::generate`], but arguments of calls that are not a JSON object are part of the answer: in a
    /// conversation the model is told, and may try again.
    ///
    /// # Errors
    /// As [`Provider::generate`].
    pub async fn converse(
        &self,
        wire: &Wire,
        model: &str,
        prompt: &Prompt<'_>,
        deltas: &mpsc::Sender<Delta>,
    ) -> Result<Answer, Failure> {
        self.ask(wire, model, prompt, Arguments::AsWritten, deltas).await
    }

    async fn ask(
        &self,
        wire: &Wire,
        model: &str,
        prompt: &Prompt<'_>,
        kept: Arguments,
        deltas: &mpsc::Sender<Delta>,
    ) -> Result<Answer, Failure> {
        let (path, body) = match self.api {
            Api::Anthropic => ("messages", anthropic::body(model, prompt)?),
            Api::ChatCompletions => ("chat/completions", chat::body(model, prompt, self.is_openai())?),
        };
        let mut request = Request::new(Method::POST, self.address(path));
        request
            .headers
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        request.headers.insert(
            header::ACCEPT,
            HeaderValue::from_static("text/event-stream, application/json"),
        );
        request.head_timeout = Some(HEAD_TIMEOUT);
        request.body = Bytes::from(body);
        let response = self.send(wire, request).await?;
        read(self.api, response, model, kept, deltas).await
    }

    /// Sends a request with the key, and returns the response if it succeeded.
    pub(crate) async fn send(&self, wire: &Wire, mut request: Request) -> Result<Box<Response>, Failure> {
        request.follow = Redirects::Never;
        request.operation = wire.operation;
        if self.api == Api::Anthropic {
            request
                .headers
                .insert("anthropic-version", HeaderValue::from_static(anthropic::VERSION));
        }
        if let Some(key) = &self.key {
            let (name, value) = match self.api {
                Api::Anthropic => ("x-api-key", key.expose().to_owned()),
                Api::ChatCompletions => ("authorization", format!("Bearer {}", key.expose())),
            };
            let mut value = HeaderValue::from_str(&value).map_err(|_| {
                let cause = "The key has characters that cannot be sent in a header.";
                Failure::new(FailureKind::Unauthorized, cause, "Enter the key again.")
            })?;
            value.set_sensitive(true);
            request.headers.insert(name, value);
        }
        let mut response = wire
            .http
            .send(wire.connection, request)
            .await
            .map_err(Failure::http)?;
        if response.status == 200 {
            return Ok(response);
        }
        let body = error_body(&mut response).await;
        Err(Failure {
            exchange: Some(response.exchange),
            ..Failure::status(response.status, &response.headers, &body)
        })
    }

    /// The address of a path of the API.
    pub(crate) fn address(&self, path: &str) -> Url {
        let mut url = self.base_url.clone();
        let base = url.path().trim_end_matches('/');
        let version = match self.api {
            Api::Anthropic if !base.ends_with("/v1") => "/v1",
            _ => "",
        };
        let (path, query) = path
            .split_once('?')
            .map_or((path, None), |(path, query)| (path, Some(query)));
        let whole = format!("{base}{version}/{path}");
        url.set_path(&whole);
        url.set_query(query);
        url
    }

    fn is_openai(&self) -> bool {
        self.base_url.host_str() == Some("api.openai.com")
    }
}
