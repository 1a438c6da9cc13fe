//! The reading side: parses lines, answers quick requests at once, runs slow ones concurrently, and cancels them.

use std::collections::HashMap;
use std::sync::Arc;

use patchbay_protocol::message::{Decoded, Message, Text};
use patchbay_protocol::views::Cancelled;
use patchbay_protocol::{RequestId, Revision, error_codes, message, methods};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use crate::Out;
use crate::answer::array;
use crate::request::{self, Request};
use crate::shared::Shared;

/// Serves until the input ends or `hang_up` is called.
pub(crate) async fn run(mut lines: mpsc::Receiver<Vec<u8>>, out: mpsc::Sender<Out>) {
    let shared = Arc::new(Shared::new(out));
    let mut session = Session {
        shared: shared.clone(),
        running: HashMap::new(),
        tasks: JoinSet::new(),
    };
    loop {
        tokio::select! {
            line = lines.recv() => match line {
                Some(line) => session.line(&line).await,
                None => break,
            },
            () = shared.end.notified() => break,
        }
    }
    // Dropping the tasks ends them: nobody waits for their responses.
}

struct Session {
    shared: Arc<Shared>,
    /// Requests that run concurrently, by id, for cancelling them.
    running: HashMap<RequestId, AbortHandle>,
    tasks: JoinSet<RequestId>,
}

impl Session {
    async fn line(&mut self, line: &[u8]) {
        self.sweep();
        let text = Text::of(line.strip_suffix(b"\n").unwrap_or(line));
        let decoded = text.decode();
        if decoded.batch {
            self.batch(decoded).await;
            return;
        }
        for located in decoded.messages {
            match located.message {
                Message::Request { id, method, params } => self.request(id, &method, params).await,
                Message::Notification { method, params } => self.notification(&method, params).await,
                Message::Response { id, outcome } => {
                    if let Some(id) = id {
                        self.shared.answered(&id, &outcome);
                    }
                }
                Message::Invalid { reason } => {
                    let unreadable = located.violations.iter().any(|one| one.rule.id() == "not-json");
                    let code = if unreadable {
                        error_codes::PARSE_ERROR
                    } else {
                        error_codes::INVALID_REQUEST
                    };
                    self.shared
                        .send(message::response_error(None, code, &reason, None))
                        .await;
                }
            }
        }
    }

    async fn request(&mut self, id: RequestId, method: &str, params: Option<&str>) {
        let request = Request {
            id,
            method: method.to_owned(),
            params: params.map(str::to_owned),
        };
        let shared = self.shared.clone();
        if !request.takes_time() {
            if let Some(answer) = request::answer(shared.clone(), request).await {
                shared.send(answer).await;
            }
            return;
        }
        let id = request.id.clone();
        let task = self.tasks.spawn(async move {
            let id = request.id.clone();
            if let Some(answer) = request::answer(shared.clone(), request).await {
                shared.send(answer).await;
            }
            id
        });
        self.running.insert(id, task);
    }

    async fn notification(&mut self, method: &str, params: Option<&str>) {
        if method != methods::CANCELLED {
            return;
        }
        let cancelled = Cancelled::parse(params);
        let Some(id) = cancelled.request_id else { return };
        if let Some(task) = self.running.remove(&id) {
            task.abort();
            let why = cancelled.reason.as_deref().unwrap_or("no reason given");
            self.shared
                .stderr(format!("request {id} was cancelled: {why}"))
                .await;
        }
        self.shared.state().streams.retain(|(stream, _)| *stream != id);
    }

    /// Removes ended requests.
    fn sweep(&mut self) {
        while let Some(ended) = self.tasks.try_join_next() {
            if let Ok(id) = ended
                && self.running.get(&id).is_some_and(AbortHandle::is_finished)
            {
                self.running.remove(&id);
            }
        }
    }

    /// Answers a batch with a batch; only 2025-03-26 allows them. Its members cannot be cancelled.
    async fn batch(&mut self, decoded: Decoded<'_>) {
        if self.shared.state().legacy != Some(Revision::V2025_03_26) || decoded.messages.is_empty() {
            let message = "Batches belong to revision 2025-03-26 and have at least one member";
            let error = message::response_error(None, error_codes::INVALID_REQUEST, message, None);
            self.shared.send(error).await;
            return;
        }
        let (mut requests, mut answers) = (Vec::new(), Vec::new());
        for located in decoded.messages {
            match located.message {
                Message::Request { id, method, params } => requests.push(Request {
                    id,
                    method: method.into_owned(),
                    params: params.map(str::to_owned),
                }),
                Message::Notification { method, params } => self.notification(&method, params).await,
                Message::Response { .. } => {}
                Message::Invalid { reason } => {
                    let code = error_codes::INVALID_REQUEST;
                    answers.push(message::response_error(None, code, &reason, None));
                }
            }
        }
        let Some(first) = requests.first().map(|request| request.id.clone()) else {
            if !answers.is_empty() {
                self.shared.send(array(&answers)).await;
            }
            return;
        };
        let shared = self.shared.clone();
        self.tasks.spawn(async move {
            for request in requests {
                answers.extend(request::answer(shared.clone(), request).await);
            }
            shared.send(array(&answers)).await;
            first
        });
    }
}
