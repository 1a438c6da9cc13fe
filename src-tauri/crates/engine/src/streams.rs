//! Streams: a task that answers many times, and the handle that ends it.

use std::{future::Future, marker::PhantomData};

use patchbay_contract::CommandError;
use serde::Serialize;
use tokio::{sync::mpsc, task::AbortHandle};

use crate::dispatch::to_json;

/// An open stream. Dropping it closes the stream: nothing more is sent. (A running tool call goes on.)
#[derive(Debug)]
pub struct StreamHandle {
    task: AbortHandle,
}

impl Drop for StreamHandle {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Nobody listens any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Closed;

/// Where a stream's events of type `E` go, as the JSON texts `{"event":…}`.
#[derive(Debug)]
pub(crate) struct Events<E> {
    sink: mpsc::Sender<String>,
    event: PhantomData<fn(E)>,
}

impl<E: Serialize> Events<E> {
    pub(crate) fn new(sink: mpsc::Sender<String>) -> Self {
        Self {
            sink,
            event: PhantomData,
        }
    }

    /// Sends one event; waits while the front is slow.
    pub(crate) async fn send(&self, event: &E) -> Result<(), Closed> {
        let text = to_json(event).map_err(|_| Closed)?;
        self.sink
            .send(format!("{{\"event\":{text}}}"))
            .await
            .map_err(|_| Closed)
    }
}

/// Runs `stream` as a task of its own and says how it ended: `{"end":true}`, with `"error"` if it failed.
pub(crate) fn spawn<E, F, Fut>(sink: mpsc::Sender<String>, stream: F) -> StreamHandle
where
    E: Serialize + 'static,
    F: FnOnce(Events<E>) -> Fut,
    Fut: Future<Output = Result<(), CommandError>> + Send + 'static,
{
    let running = stream(Events::new(sink.clone()));
    let task = tokio::spawn(async move {
        let end = match running.await {
            Ok(()) => "{\"end\":true}".to_owned(),
            Err(error) => {
                let error = to_json(&error).unwrap_or_else(|_| "null".to_owned());
                format!("{{\"end\":true,\"error\":{error}}}")
            }
        };
        // A front that has gone does not care how the stream ended.
        let _ = sink.send(end).await;
    });
    StreamHandle {
        task: task.abort_handle(),
    }
}
