//! `server.json` of the MCP registry: from a text, or from the one address that the user gives.

pub(crate) mod handlers;

use std::time::Duration;

use patchbay_http::{
    Client, Failed, HeaderValue, Method, Redirects, Request, Response, Settings, Url, header,
};
use patchbay_traffic::{NewConnection, Origin};

use crate::{dispatch::error::fail, dispatch::error::fail_with, state::EngineState};
use patchbay_contract::{CommandError, ErrorCode};

/// The maximum size of a `server.json` or a page of a list, in bytes.
const MAX_BYTES: usize = 4 << 20;
/// The time limit for the body of a `server.json`, after the head of its response.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

/// What is at an address, which is requested once. The exchange is in the log.
async fn fetch(state: &EngineState, url: &str) -> Result<String, CommandError> {
    let refused = |message: String| fail(ErrorCode::InvalidParams, message);
    let url: Url = url.trim().parse().map_err(|error| {
        refused(format!(
            "Reading server.json failed: `{url}` is not a URL ({error}). Correct it."
        ))
    })?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(refused(
            "Reading server.json failed: only http:// and https:// are read. Correct the URL, or choose a file.".to_owned(),
        ));
    }
    state.proxy.ready(url.as_str()).await?;
    let settings = Settings {
        proxy: state.proxy.choice(),
        max_body: MAX_BYTES as u64,
        ..Settings::default()
    };
    let http = Client::new(settings, state.recorder.clone())
        .map_err(|error| fail_with(ErrorCode::Internal, "HTTP is not available.", error))?;
    let connection = state.recorder.connection(NewConnection {
        server_id: "registry".to_owned(),
        server_name: url.host_str().unwrap_or_default().to_owned(),
        origin: Origin::Import,
    });
    let mut request = Request::new(Method::GET, url.clone());
    request
        .headers
        .insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    request.follow = Redirects::Anywhere;
    request.operation = Some(state.begin("registry_read", url.as_str()));
    let response = http
        .send(connection, request)
        .await
        .map_err(|error| failed(error, &url))?;
    text(response, &url).await
}

fn failed(failed: Failed, url: &Url) -> CommandError {
    let message = format!("Reading server.json failed: {}. {}", failed.cause, failed.next);
    fail_with(ErrorCode::ConnectionFailed, message, url.as_str())
}

/// The text of a response.
async fn text(mut response: Box<Response>, url: &Url) -> Result<String, CommandError> {
    let unread = |message: String| fail_with(ErrorCode::ConnectionFailed, message, url.as_str());
    let refused = |message: &str| fail(ErrorCode::InvalidParams, message.to_owned());
    if response.status != 200 {
        return Err(unread(format!(
            "Reading server.json failed: {} answered with {}. Correct the URL; the log has the whole answer.",
            url.host_str().unwrap_or_default(),
            response.status
        )));
    }
    let read = tokio::time::timeout(READ_TIMEOUT, response.read(MAX_BYTES)).await;
    let read = read.map_err(|_| {
        unread(format!(
            "Reading server.json failed: it was not complete after {} s. Check the URL, and try again.",
            READ_TIMEOUT.as_secs()
        ))
    })?;
    let (body, is_cut) = read.map_err(|error| failed(error, url))?;
    if is_cut {
        return Err(refused(
            "Reading server.json failed: it has more than 4 MiB. Give the URL of one server.",
        ));
    }
    String::from_utf8(body.to_vec())
        .map_err(|_| refused("Reading server.json failed: it is not UTF-8 text. Correct the URL."))
}

#[cfg(test)]
mod tests;
