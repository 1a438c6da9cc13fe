//! Streams: a task that sends typed events, and the handle that ends it.

use std::future::Future;

use patchbay_client::caught;
use patchbay_contract::CommandError;
use tokio::{sync::mpsc, task::AbortHandle};

use super::error::internal;

/// An open stream. Dropping it closes the stream: nothing more is sent. (A running tool call continues.)
#[derive(Debug)]
pub struct StreamHandle {
    task: AbortHandle,
}

impl Drop for StreamHandle {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The receiver is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Closed;

/// Sends the events of a stream, of type `E`.
#[derive(Debug)]
pub(crate) struct Events<E> {
    sink: mpsc::Sender<E>,
}

impl<E> Events<E> {
    pub(crate) fn new(sink: mpsc::Sender<E>) -> Self {
        Self { sink }
    }

    /// Sends one event; waits while the receiver is slow.
    pub(crate) async fn send(&self, event: E) -> Result<(), Closed> {
        self.sink.send(event).await.map_err(|_| Closed)
    }
}

/// Runs `stream`, the command `name`, in a task. `event` serializes its events for the front, `end` serializes the end. A
/// panic is its end too: the front would wait for ever.
#[expect(clippy::disallowed_methods, reason = "the returned handle owns it")]
pub(crate) fn spawn<E, F, Fut>(
    name: &str,
    sink: mpsc::Sender<String>,
    stream: F,
    event: fn(&E) -> Option<String>,
    end: fn(Result<(), CommandError>) -> String,
) -> StreamHandle
where
    E: Send + 'static,
    F: FnOnce(Events<E>) -> Fut,
    Fut: Future<Output = Result<(), CommandError>> + Send + 'static,
{
    let (typed, mut events) = mpsc::channel(1);
    let name = name.to_owned();
    let running = caught(stream(Events::new(typed)));
    let task = tokio::spawn(async move {
        let written = async {
            while let Some(text) = events.recv().await.as_ref().and_then(event) {
                if sink.send(text).await.is_err() {
                    break;
                }
            }
            // The stream sees this as `Closed`.
            drop(events);
        };
        let (ended, ()) = tokio::join!(running, written);
        let ended = ended.unwrap_or_else(|cause| Err(internal(&name, &cause)));
        // A front that is gone need not be told how the stream ended.
        let _ = sink.send(end(ended)).await;
    });
    StreamHandle {
        task: task.abort_handle(),
    }
}

#[cfg(test)]
mod tests;
