//! The stream of HTTP+SSE (2024-11-05): it names the endpoint for messages, then delivers all messages of the server. The
//! session ends with it.

use std::{sync::Arc, time::Duration};

use patchbay_http::{Redirected, Url, keep_user, sse};
use tokio::{sync::oneshot, time::timeout};

use super::{
    answer::{self, LINGER, READ_LIMIT},
    authorized::{self, Answered},
    events::{Cursor, Events, ReadEnd},
    shared::{EVENT_STREAM, Ending, Shared, failure, media_type},
};
use crate::{Failure, StreamState, ended::Cause};

/// The time limit for the endpoint event.
const ENDPOINT_PATIENCE: Duration = Duration::from_secs(15);
/// The longest endpoint that is taken, in bytes. Each message and each look at the connection copies it.
const LONGEST_ENDPOINT: usize = 8 << 10;
/// Nothing is there that the older transports would be: the URL is wrong.
const FIND: &str = "Find the MCP endpoint";
const FIND_ENDPOINT: &str = "Find the endpoint";
const OPEN: &str = "Open the event stream";
const READ: &str = "Read the event stream";

/// Reads the stream until it ends, which ends the link, or `end` is set.
pub(crate) async fn run(shared: Arc<Shared>, end: oneshot::Receiver<Ending>) -> Result<(), Cause> {
    tokio::select! {
        biased;
        cause = read(&shared) => {
            let words = match &cause {
                Cause::Failed(failure) => failure.cause.clone(),
                _ => String::new(),
            };
            shared.stream(StreamState::Lost(words)).await;
            Err(cause)
        }
        _ = end => Ok(()),
    }
}

async fn read(shared: &Shared) -> Cause {
    shared.stream(StreamState::Opening).await;
    let mut response = match shared.get_stream(None, None, shared.connecting).await {
        Ok(Answered {
            refused: Some((body, failure)),
            ..
        }) => {
            return Cause::Failed(failure.with_detail(answer::shown(shared, &body)));
        }
        Ok(Answered { response, .. }) => response,
        Err(failed) => return Cause::Failed(failure(failed)),
    };
    let found = media_type(&response.headers);
    if response.status != 200 || found != EVENT_STREAM {
        let status = response.status;
        let refusal = authorized::refusal(&response, None, "GET", shared.connecting);
        let body = answer::read(&mut response, READ_LIMIT, Some(LINGER)).await;
        let failure = match &response.redirected {
            Some(redirected) => not_followed(redirected),
            None => not_a_stream(status, &found, shared.url.path()),
        };
        return Cause::Failed(Failure {
            detail: Some(answer::shown(shared, &body.into_bytes())),
            refusal: refusal.map(Box::new),
            ..failure
        });
    }
    let mut cursor = Cursor::default();
    let mut events = Events::new(shared, response, &mut cursor, None, Vec::new());
    match timeout(ENDPOINT_PATIENCE, endpoint(shared, &mut events)).await {
        Ok(Ok(())) => {}
        Ok(Err(cause)) => return cause,
        Err(_) => {
            return failed(
                OPEN,
                "The server opened the stream, but did not name the endpoint for messages.",
            );
        }
    }
    shared.stream(StreamState::Open).await;
    loop {
        let end = match events.next().await {
            Ok(event) if is_endpoint(&event) => match named(shared, &mut events, event).await {
                Ok(()) => continue,
                Err(cause) => return cause,
            },
            Ok(event) => match events.deliver(event, None).await {
                Ok(_) => continue,
                Err(end) => end,
            },
            Err(end) => end,
        };
        return over(end);
    }
}

/// The failure of a redirect that was not followed, and what to do.
fn not_followed(Redirected { to, why }: &Redirected) -> Failure {
    Failure::new(
        OPEN,
        format!("The server redirects to {to}, which is not followed: {why}."),
        "Set the URL it redirects to, if you trust it.",
    )
}

/// Why a response is not the stream, and what to do.
fn not_a_stream(status: u16, media_type: &str, path: &str) -> Failure {
    const CHECK_PATH: &str =
        "Check the path of the URL. MCP servers usually use /mcp, HTTP+SSE servers /sse.";
    match status {
        404 | 405 => Failure::new(
            FIND,
            format!("There is no MCP endpoint at {path}: the server answered GET with status {status}."),
            CHECK_PATH,
        ),
        500.. => Failure::new(
            OPEN,
            format!("The server answered GET {path} with status {status}."),
            "Check the server's own log, then connect again.",
        ),
        _ => {
            let found = if media_type.is_empty() {
                "no content type"
            } else {
                media_type
            };
            let cause = format!(
                "The server answered GET {path} with status {status} and {found}, not with an event stream."
            );
            Failure::new(OPEN, cause, CHECK_PATH)
        }
    }
}

/// Waits for the endpoint.
async fn endpoint(shared: &Shared, events: &mut Events<'_>) -> Result<(), Cause> {
    loop {
        let event = events.next().await.map_err(over)?;
        if is_endpoint(&event) {
            return named(shared, events, event).await;
        }
        events.deliver(event, None).await.map_err(over)?;
    }
}

fn is_endpoint(event: &sse::Event) -> bool {
    event.name.as_deref() == Some("endpoint")
}

/// Stores the endpoint that the server named. The event is recorded first, also if its endpoint is not accepted.
async fn named(shared: &Shared, events: &mut Events<'_>, event: sse::Event) -> Result<(), Cause> {
    let data = event.data.clone().unwrap_or_default();
    events.deliver(event, None).await.map_err(over)?;
    if data.len() > LONGEST_ENDPOINT {
        return Err(failed(
            FIND_ENDPOINT,
            &format!(
                "The server names an endpoint of {} bytes; at most {LONGEST_ENDPOINT} are taken.",
                data.len()
            ),
        ));
    }
    let endpoint = resolve(&shared.url, &String::from_utf8_lossy(&data)).map_err(Cause::Failed)?;
    shared.state().endpoint = Some(endpoint);
    Ok(())
}

/// The URL of the endpoint, relative to that of the stream and with the same origin: messages may contain credentials, so
/// they go nowhere else.
pub(crate) fn resolve(base: &Url, named: &str) -> Result<Url, Failure> {
    const NEXT: &str = "The server must name an endpoint on its own origin, such as /messages?session=….";
    let named = named.trim();
    let bad = |why: &str| {
        Failure::new(
            FIND_ENDPOINT,
            format!(
                "The server names \u{201c}{}\u{201d} as the endpoint: {why}.",
                named.escape_debug()
            ),
            NEXT,
        )
    };
    if named.is_empty() {
        return Err(bad("it is empty"));
    }
    let mut url = base.join(named).map_err(|_| bad("that is not a URL"))?;
    if url.origin() != base.origin() || !url.origin().is_tuple() {
        return Err(bad("its origin is not the stream's"));
    }
    keep_user(&mut url, base);
    Ok(url)
}

fn over(end: ReadEnd) -> Cause {
    match end {
        ReadEnd::Closed => failed(
            READ,
            "The server ended the event stream, and with it the session.",
        ),
        ReadEnd::Broken(failure) | ReadEnd::TooLong(failure) => Cause::Failed(failure),
        ReadEnd::Store(cause) => cause,
    }
}

fn failed(step: &'static str, cause: &str) -> Cause {
    Cause::Failed(Failure::new(
        step,
        cause,
        "Look at the exchange in the log, then connect again.",
    ))
}
