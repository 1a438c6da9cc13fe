//! The page's five commands. Besides them the page may only open the dialog that chooses a folder (`tauri-plugin-dialog`), show
//! desktop notifications (`tauri-plugin-notification`), be told of files that are dropped into the window, and read those ([`crate::dropped`]). The commands
//! pass JSON text and bytes without parsing them; the engine interprets names and parameters.
//!
//! JSON is passed as text that is parsed once on each side: parameters are the raw body of a request, with the command's
//! name in a header; responses and events are passed to Tauri as JSON text.

use std::collections::HashMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use patchbay_contract::{BodyId, CommandError, ErrorCode};
use tauri::ipc::{Channel, InvokeBody, InvokeResponseBody, JavaScriptChannelId, Request, Response};
use tauri::{AppHandle, Manager, State, Webview};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use crate::shell::Shell;

mod bodies;
pub(crate) use bodies::Bodies;

/// The number of a stream's messages that may wait for the page before the engine waits.
const STREAM_BACKLOG: usize = 64;

/// Not a stream of the page: closing it means that the page has saved everything.
const GOODBYE: u32 = 0;

/// The header that names a command of the contract.
const COMMAND: &str = "patchbay-command";
/// The header with the page's number of a stream.
const STREAM: &str = "patchbay-stream";
/// The header that names the channel for a stream's messages.
const CHANNEL: &str = "patchbay-channel";

/// The script that makes the page save its changes, and close the stream [`GOODBYE`] when the engine has responded to a command
/// after them, called as the page calls. If that is refused, nothing is closed: the changes may not be saved yet.
pub(crate) fn final_save() -> String {
    format!(
        "dispatchEvent(new Event('pagehide'));
        window.__TAURI_INTERNALS__
            .invoke('call', new TextEncoder().encode('{{}}'), {{ headers: {{ '{COMMAND}': 'ui_state_get' }} }})
            .then(() => window.__TAURI_INTERNALS__.invoke('close_stream', {{ streamId: {GOODBYE} }}));"
    )
}

/// Runs one command. Waits while the engine is being opened.
#[tauri::command]
pub(crate) async fn call(shell: State<'_, Shell>, request: Request<'_>) -> Result<Response, CommandError> {
    let name = header(&request, COMMAND)?;
    let params = params(request.body())?;
    let answer = shell.engine().await?.call(name, params).await?;
    Ok(Response::new(answer))
}

/// At most `most` of the bytes behind an id, beginning with byte `from`, as an `ArrayBuffer`. Fewer: there are no more.
/// With `most` 0 the page says that it does not want the rest.
#[tauri::command]
pub(crate) async fn body(
    shell: State<'_, Shell>,
    id: BodyId,
    from: usize,
    most: usize,
) -> Result<Response, CommandError> {
    let engine = shell.engine().await?;
    let part = shell
        .bodies
        .part(&id, from..from.saturating_add(most), |id| engine.body(id));
    Ok(Response::new(part.await?))
}

/// The bytes of a file that was dropped into the window last, as an `ArrayBuffer`.
#[tauri::command(async)]
pub(crate) fn dropped_file(shell: State<'_, Shell>, path: PathBuf) -> Result<Response, CommandError> {
    Ok(Response::new(shell.dropped.read(&path)?))
}

/// Opens a stream under an id chosen by the page. All its messages, including a failure to open, use the channel. Not
/// `async`, so that opening and closing keep their order.
#[expect(
    clippy::disallowed_methods,
    reason = "`Streams` keeps its handle, and aborts it when the page closes the stream or the window is closed"
)]
#[tauri::command]
pub(crate) fn open_stream(
    app: AppHandle,
    webview: Webview,
    request: Request<'_>,
) -> Result<(), CommandError> {
    let name = header(&request, COMMAND)?.to_owned();
    let params = params(request.body())?.to_owned();
    let stream_id: u32 = parsed(header(&request, STREAM)?)?;
    let channel: JavaScriptChannelId = parsed(header(&request, CHANNEL)?)?;
    let channel = channel.channel_on(webview);
    let streams = &app.state::<Shell>().streams;
    // Locked until the stream is listed, so that a stream that ends at once finds its entry.
    let mut open = streams.lock();
    let pump = tauri::async_runtime::spawn({
        let app = app.clone();
        async move {
            let shell = app.state::<Shell>();
            ended(&name, &channel, pump(&shell, &name, &params, &channel)).await;
            shell.streams.forget(stream_id, tokio::task::try_id());
        }
    });
    Streams::list(&mut open, stream_id, pump.inner().abort_handle());
    Ok(())
}

/// Closes a stream; closing an ended stream is not an error.
#[tauri::command]
pub(crate) fn close_stream(shell: State<'_, Shell>, stream_id: u32) {
    if stream_id == GOODBYE {
        shell.goodbye.notify_one();
    }
    shell.streams.close(stream_id);
}

/// Runs a stream to its end. A failure or a panic is told: the page would wait for ever.
async fn ended(
    name: &str,
    channel: &Channel<InvokeResponseBody>,
    pump: impl Future<Output = Result<(), CommandError>>,
) {
    if let Err(error) = patchbay_engine::guarded(name, pump).await {
        let end = patchbay_engine::stream_end(Err(error));
        // A page that is gone needs no response.
        let _ = channel.send(InvokeResponseBody::Json(end));
    }
}

/// Moves messages from the engine to the page until either ends. The stream lives as long as this future.
async fn pump(
    shell: &Shell,
    name: &str,
    params: &str,
    channel: &Channel<InvokeResponseBody>,
) -> Result<(), CommandError> {
    let (sink, mut messages) = mpsc::channel(STREAM_BACKLOG);
    let _stream = shell.engine().await?.open_stream(name, params, sink)?;
    while let Some(message) = messages.recv().await {
        if channel.send(InvokeResponseBody::Json(message)).is_err() {
            break;
        }
    }
    Ok(())
}

/// A header of a request.
fn header<'a>(request: &'a Request<'_>, name: &str) -> Result<&'a str, CommandError> {
    let value = request.headers().get(name);
    value
        .and_then(|value| value.to_str().ok())
        .ok_or_else(|| malformed(&format!("it has no header `{name}`")))
}

/// Parses a header's value.
fn parsed<T: FromStr>(value: &str) -> Result<T, CommandError> {
    value
        .parse()
        .map_err(|_| malformed(&format!("`{value}` is not a valid header value")))
}

/// The JSON text of a command's parameters.
fn params(body: &InvokeBody) -> Result<&str, CommandError> {
    match body {
        InvokeBody::Raw(bytes) => {
            std::str::from_utf8(bytes).map_err(|_| malformed("its parameters are not UTF-8"))
        }
        InvokeBody::Json(_) => Err(malformed("its parameters are not the raw body")),
    }
}

fn malformed(why: &str) -> CommandError {
    let message = format!("The page sent a request that cannot be read: {why}.");
    CommandError::new(ErrorCode::InvalidParams, message)
}

/// The open streams of the page. Aborting one drops the engine's handle, which ends it there.
#[derive(Debug, Default)]
pub(crate) struct Streams(Mutex<HashMap<u32, AbortHandle>>);

impl Streams {
    /// Closes one, if it has not ended.
    fn close(&self, stream_id: u32) {
        if let Some(stream) = self.lock().remove(&stream_id) {
            stream.abort();
        }
    }

    /// Closes all: the page that opened them is gone, or the program is exiting.
    pub(crate) fn close_all(&self) {
        for (_, stream) in self.lock().drain() {
            stream.abort();
        }
    }

    /// Lists a stream. An existing stream with the same id is closed.
    fn list(open: &mut HashMap<u32, AbortHandle>, stream_id: u32, stream: AbortHandle) {
        if let Some(before) = open.insert(stream_id, stream) {
            before.abort();
        }
    }

    /// Removes an ended stream, unless its id already refers to a newer one.
    fn forget(&self, stream_id: u32, task: Option<tokio::task::Id>) {
        let mut open = self.lock();
        if open
            .get(&stream_id)
            .is_some_and(|listed| Some(listed.id()) == task)
        {
            open.remove(&stream_id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u32, AbortHandle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
