//! The stream for unrequested messages of a legacy session: a GET, repeated after interruptions.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use patchbay_http::PeerDelay;
use tokio::{
    sync::oneshot,
    time::{Instant, sleep},
};

use super::{
    answer::{self, LINGER, READ_LIMIT},
    authorized::Answered,
    events::{Cursor, Events, ReadEnd},
    reconnect::Tries,
    shared::{EVENT_STREAM, Ending, Shared, failure, media_type},
};
use crate::{StreamState, ended::Cause};

/// A stream that lasted this long counts as useful, even without messages.
const LASTED: Duration = Duration::from_secs(30);
/// The maximum number of consecutive streams that end at once, without a message and without a position for resuming.
const EMPTY_LIMIT: u32 = 20;

/// The result of one attempt.
enum Attempt {
    /// The stream was open, and ended.
    Ended,
    /// It could not be opened now, and why; with the server's retry delay, if any.
    Failed(String, Option<PeerDelay>),
    /// It will not be opened.
    Over(StreamState),
}

/// Listens until the server has no stream (any more), or `end` is set.
pub(crate) async fn run(shared: Arc<Shared>, end: oneshot::Receiver<Ending>) -> Result<(), Cause> {
    tokio::select! {
        biased;
        gone = listen(&shared) => gone,
        _ = end => Ok(()),
    }
}

async fn listen(shared: &Shared) -> Result<(), Cause> {
    let mut cursor = Cursor::default();
    let mut tries = Tries::new(&shared.reconnect, shared.tap.limits());
    let mut was_open = false;
    loop {
        shared.stream(StreamState::Opening).await;
        let messages = cursor.messages;
        let begun = Instant::now();
        let wait = match attempt(shared, &mut cursor, &mut tries, &mut was_open).await? {
            Attempt::Over(state) => {
                shared.stream(state).await;
                return Ok(());
            }
            Attempt::Failed(why, asked) => match tries.failed(asked.or(cursor.retry)) {
                Some(wait) => wait,
                None => {
                    shared.stream(StreamState::Lost(why)).await;
                    return Ok(());
                }
            },
            Attempt::Ended => {
                if cursor.messages > messages || begun.elapsed() >= LASTED {
                    tries.useful();
                }
                let wait = tries.ended(cursor.retry);
                if cursor.id.is_none() && tries.fruitless() > EMPTY_LIMIT {
                    let why = "The server ends this stream as soon as it is open.".to_owned();
                    shared.stream(StreamState::Lost(why)).await;
                    return Ok(());
                }
                wait
            }
        };
        let (attempt, until) = (tries.fruitless(), SystemTime::now() + wait);
        shared.stream(StreamState::Waiting { attempt, until }).await;
        sleep(wait).await;
    }
}

async fn attempt(
    shared: &Shared,
    cursor: &mut Cursor,
    tries: &mut Tries<'_>,
    was_open: &mut bool,
) -> Result<Attempt, Cause> {
    let mut response = match shared.get_stream(cursor.id.as_deref(), None, None).await {
        Ok(Answered {
            refused: Some((_, failure)),
            ..
        }) => return Ok(Attempt::Over(StreamState::Lost(failure.cause))),
        Ok(Answered { response, .. }) => response,
        Err(failed) => return Ok(Attempt::Failed(failure(failed).cause, None)),
    };
    let status = response.status;
    if status == 200 && media_type(&response.headers) == EVENT_STREAM {
        *was_open = true;
        tries.opened();
        shared.stream(StreamState::Open).await;
        let mut events = Events::new(shared, response, cursor, None, Vec::new());
        loop {
            let end = match events.next().await {
                Ok(event) => match events.deliver(event, None).await {
                    Ok(_) => continue,
                    Err(end) => end,
                },
                Err(end) => end,
            };
            return match end {
                ReadEnd::Closed | ReadEnd::Broken(_) => Ok(Attempt::Ended),
                ReadEnd::TooLong(failure) => Ok(Attempt::Over(StreamState::Lost(failure.cause))),
                ReadEnd::Store(cause) => Err(cause),
            };
        }
    }
    let asked = PeerDelay::retry_after(&response.headers);
    let found = media_type(&response.headers);
    // The body is recorded with the exchange.
    let _ = answer::read(&mut response, READ_LIMIT, Some(LINGER)).await;
    Ok(match status {
        408 | 425 | 429 | 500 | 502..=599 => Attempt::Failed(refused(status), asked),
        // The server allows one stream, and has not noticed yet that the old one ended.
        409 if *was_open => Attempt::Failed(refused(status), asked),
        404 if *was_open && shared.state().session.is_some() => {
            shared.lose_session().await;
            let why = "The server does not know the session any more (status 404).".to_owned();
            Attempt::Over(StreamState::Lost(why))
        }
        200..300 => Attempt::Over(StreamState::Lost(format!(
            "The server answered the GET with {} instead of an event stream.",
            if found.is_empty() {
                "no content type"
            } else {
                &found
            }
        ))),
        _ if *was_open => Attempt::Over(StreamState::Lost(refused(status))),
        _ => Attempt::Over(StreamState::NotOffered(status)),
    })
}

fn refused(status: u16) -> String {
    format!("The server answered the GET with status {status}.")
}
