//! The WebSocket: calls and streams of one page, as JSON texts.
//!
//! page → server: `{"page":…}` first, then `{"id":1,"call":…,"params":…}`, `{"id":2,"open":…,"params":…}`,
//! `{"id":2,"close":true}`. Server → page: `{"id":1,"ok":…}`, `{"id":1,"error":…}`, `{"id":2,"event":…}`,
//! `{"id":2,"end":true}`.

use std::{collections::HashMap, sync::Arc, time::Duration};

use axum::{
    extract::{
        Extension, State, WebSocketUpgrade,
        ws::{CloseFrame, Message, WebSocket, rejection::WebSocketUpgradeRejection},
    },
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
};
use futures_util::{
    SinkExt as _, StreamExt as _,
    stream::{SplitSink, SplitStream},
};
use patchbay_contract::{CommandError, ErrorCode};
use patchbay_engine::StreamHandle;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::{
    sync::{Semaphore, mpsc},
    task::{AbortHandle, JoinSet},
};

use super::{access::refusal, connections::Place, serving::Serving};

/// Close code: the page was not opened with the link.
const REFUSED: u16 = 4401;
/// Close code: the frame from the page could not be decoded.
const INVALID_FRAME: u16 = 4400;
/// Close code: Patchbay is shutting down.
const SHUTTING_DOWN: u16 = 1001;
/// Close code: an internal error, with its cause as the reason. The page connects again.
const DIED: u16 = 1011;
/// A reason may have so many bytes (RFC 6455 section 5.5).
const LONGEST_REASON: usize = 123;
/// How long a page may take to send its key.
const PATIENCE: Duration = Duration::from_secs(10);
/// The largest frame from a page; arguments of a call may be large.
const LARGEST_FRAME: usize = 64 * 1024 * 1024;
/// The maximum number of concurrent calls of one page; further calls wait.
const MOST_CALLS: usize = 64;
/// The maximum number of calls of one page that run or wait; further calls are refused.
const MOST_UNANSWERED: usize = 4_096;
/// Calls that end something or answer a question do not wait: it may be what the others wait for.
const UNBLOCKING: [&str; 13] = [
    "authorization_answer",
    "authorization_cancel",
    "automatic_stop",
    "chat_decide",
    "chat_stop",
    "connection_close",
    "exchange_cancel",
    "file_watch_stop",
    "input_answer",
    "input_take_over",
    "list_cancel",
    "task_cancel",
    "vault_unlock",
];
/// The maximum number of open streams of one page.
const MOST_STREAMS: usize = 256;
/// The maximum number of frames that wait to be sent to the page; beyond that, streams wait.
const QUEUE: usize = 256;
/// The params of a frame that has none.
const NO_PARAMS: &str = "{}";

/// `GET /ws`.
pub(super) async fn open(
    State(serving): State<Arc<Serving>>,
    Extension(place): Extension<Place>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    std::future::ready(()).await;
    if !serving.auth.has_session(&headers) {
        return refusal(
            StatusCode::UNAUTHORIZED,
            "This page was not opened with the link that `patchbay serve` printed.",
        );
    }
    match upgrade {
        Ok(upgrade) => upgrade
            .max_message_size(LARGEST_FRAME)
            .max_frame_size(LARGEST_FRAME)
            // axum runs this in a task that ends with the page, or once `Serving::closing` is set.
            .on_upgrade(async move |socket| {
                run(serving, socket).await;
                drop(place);
            }),
        Err(rejection) => rejection.into_response(),
    }
}

/// A frame from the page.
#[derive(Deserialize)]
struct Frame {
    id: u64,
    call: Option<String>,
    open: Option<String>,
    #[serde(default)]
    close: bool,
    params: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Hello {
    page: String,
}

async fn run(serving: Arc<Serving>, socket: WebSocket) {
    let mut closing = serving.closing.subscribe();
    let (to_page, mut from_page) = socket.split();
    let hello = tokio::time::timeout(PATIENCE, from_page.next()).await;
    let known = match hello {
        Ok(Some(Ok(Message::Text(text)))) => {
            serde_json::from_str::<Hello>(&text).is_ok_and(|hello| serving.auth.has_page(&hello.page))
        }
        _ => false,
    };
    let (sender, frames) = mpsc::channel::<Message>(QUEUE);
    if !known {
        let _ = sender.try_send(close(
            REFUSED,
            "This page was not opened with the link that `patchbay serve` printed.",
        ));
        drop(sender);
        return write(to_page, frames).await;
    }
    let mut writing = Box::pin(write(to_page, frames));
    let mut page = Page {
        serving,
        sender: sender.clone(),
        streams: HashMap::new(),
        calls: JoinSet::new(),
        room: Arc::new(Semaphore::new(MOST_CALLS)),
    };
    let reading = patchbay_engine::guarded("/ws", async { Ok(page.read(&mut from_page).await) });
    let (code, reason) = tokio::select! {
        read = reading => match read {
            Ok(code) => (code, String::new()),
            Err(error) => (Some(DIED), error.message),
        },
        () = &mut writing => return,
        _ = closing.wait_for(|closing| *closing) => (Some(SHUTTING_DOWN), String::new()),
    };
    if let Some(code) = code {
        // A page that does not read would keep the queue full; the close matters more than what waits in it.
        let closing = sender.send(close(code, &reason));
        tokio::select! {
            _ = closing => {}
            () = &mut writing => return,
            () = tokio::time::sleep(Duration::from_secs(1)) => return,
        }
    }
    drop((page, sender));
    let _ = tokio::time::timeout(Duration::from_secs(1), writing).await;
}

fn close(code: u16, reason: &str) -> Message {
    let reason = &reason[..reason.floor_char_boundary(LONGEST_REASON)];
    Message::Close(Some(CloseFrame {
        code,
        reason: reason.into(),
    }))
}

async fn write(mut to_page: SplitSink<WebSocket, Message>, mut frames: mpsc::Receiver<Message>) {
    while let Some(frame) = frames.recv().await {
        let last = matches!(frame, Message::Close(_));
        if to_page.send(frame).await.is_err() || last {
            return;
        }
    }
}

/// One page's calls and streams. Dropping it closes the streams; running calls are completed, and only their results are dropped.
struct Page {
    serving: Arc<Serving>,
    sender: mpsc::Sender<Message>,
    streams: HashMap<u64, Stream>,
    calls: JoinSet<()>,
    room: Arc<Semaphore>,
}

/// An open stream and the task that passes its events on.
struct Stream {
    _handle: StreamHandle,
    passing: AbortHandle,
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.passing.abort();
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.calls.detach_all();
    }
}

impl Page {
    /// Reads until the page disconnects (`None`) or must be closed (the close code).
    async fn read(&mut self, from_page: &mut SplitStream<WebSocket>) -> Option<u16> {
        while let Some(Ok(message)) = from_page.next().await {
            while self.calls.try_join_next().is_some() {}
            match message {
                Message::Text(text) => match serde_json::from_str::<Frame>(&text) {
                    Ok(frame) => self.take(frame).await,
                    Err(_) => return Some(INVALID_FRAME),
                },
                Message::Binary(_) => return Some(INVALID_FRAME),
                Message::Close(_) => return None,
                Message::Ping(_) | Message::Pong(_) => {}
            }
        }
        None
    }

    async fn take(&mut self, frame: Frame) {
        #[cfg(test)]
        super::tests::strike("read", frame.id);
        let params = frame
            .params
            .map_or_else(|| NO_PARAMS.to_owned(), |params| params.get().to_owned());
        if frame.close {
            self.streams.remove(&frame.id);
        } else if let Some(name) = frame.call {
            self.call(frame.id, name, params).await;
        } else if let Some(name) = frame.open {
            self.open(frame.id, &name, &params).await;
        }
    }

    async fn call(&mut self, id: u64, name: String, params: String) {
        if self.calls.len() >= MOST_UNANSWERED {
            let error = CommandError {
                code: ErrorCode::Internal,
                message: format!(
                    "{MOST_UNANSWERED} calls of this page have no answer yet. Try again when some have ended."
                ),
                detail: None,
            };
            let _ = self.sender.send(Message::from(refused(id, &error))).await;
            return;
        }
        let (engine, sender) = (self.serving.engine.clone(), self.sender.clone());
        let room = self.room.clone();
        self.calls.spawn(async move {
            // Waited for here: the page is read on meanwhile.
            let _permit = if UNBLOCKING.contains(&name.as_str()) {
                None
            } else {
                room.acquire_owned().await.ok()
            };
            let called = patchbay_engine::guarded(&name, async {
                #[cfg(test)]
                super::tests::strike("call", id);
                engine.call(&name, &params).await
            });
            let answer = match called.await {
                Ok(answer) => format!("{{\"id\":{id},\"ok\":{answer}}}"),
                Err(error) => refused(id, &error),
            };
            // The page may have disconnected in the meantime.
            let _ = sender.send(Message::from(answer)).await;
        });
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "its handle is kept with the stream and aborted with it"
    )]
    async fn open(&mut self, id: u64, name: &str, params: &str) {
        self.streams.retain(|_, stream| !stream.passing.is_finished());
        let (sink, mut events) = mpsc::channel::<String>(1);
        let opened = if self.streams.len() < MOST_STREAMS {
            self.serving.engine.open_stream(name, params, sink)
        } else {
            Err(CommandError {
                code: ErrorCode::Internal,
                message: format!("This page already has {MOST_STREAMS} streams open."),
                detail: None,
            })
        };
        let handle = match opened {
            Ok(handle) => handle,
            Err(error) => {
                let _ = self.sender.send(Message::from(refused(id, &error))).await;
                return;
            }
        };
        let sender = self.sender.clone();
        let name = name.to_owned();
        let passing = tokio::spawn(async move {
            let passed = patchbay_engine::guarded(&name, async {
                while let Some(event) = events.recv().await {
                    #[cfg(test)]
                    super::tests::strike("pass", id);
                    // `{"event":…}` becomes `{"id":2,"event":…}`.
                    let rest = event.strip_prefix('{').unwrap_or(&event);
                    let frame = Message::from(format!("{{\"id\":{id},{rest}"));
                    // The page may have disconnected in the meantime.
                    if sender.send(frame).await.is_err() {
                        break;
                    }
                }
                Ok(())
            });
            if let Err(error) = passed.await {
                let _ = sender.send(Message::from(refused(id, &error))).await;
            }
        });
        self.streams.insert(
            id,
            Stream {
                _handle: handle,
                passing: passing.abort_handle(),
            },
        );
    }
}

fn refused(id: u64, error: &CommandError) -> String {
    let error = serde_json::to_string(error).unwrap_or_else(|_| "null".to_owned());
    format!("{{\"id\":{id},\"error\":{error}}}")
}

#[cfg(test)]
mod tests;
