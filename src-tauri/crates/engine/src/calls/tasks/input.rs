//! Input requests of a modern task: they enter the queue like any other input request; the answers are sent with
//! `tasks/update`.

use std::collections::HashSet;

use patchbay_client::{Input, InputKind, InputReply, InputRequest, InputWatch};
use patchbay_protocol::{
    checks, methods,
    views::{ClientCapabilities, TaskView, update_params},
};
use patchbay_traffic::Seq;
use tokio::{sync::oneshot, task::JoinSet};

use super::Following;
use crate::calls::ask::{Failed, Query};

/// The maximum number of input requests of one task, over its whole life.
const MOST_INPUTS: usize = 1_000;
/// The maximum size of their keys, in bytes.
const MOST_KEY_BYTES: usize = 1 << 20;

/// The input requests of one task, each handled once.
pub(super) struct Inputs<'a> {
    following: &'a Following<'a>,
    /// A server repeats a request until it is answered.
    known: HashSet<String>,
    /// The size of these keys.
    key_bytes: usize,
    waiting: JoinSet<AnsweredInput>,
}

/// The key as received, the question, the answer.
type AnsweredInput = (String, InputKind, InputReply);

impl<'a> Inputs<'a> {
    pub(super) fn new(following: &'a Following<'a>) -> Self {
        Self {
            following,
            known: HashSet::new(),
            key_bytes: 0,
            waiting: JoinSet::new(),
        }
    }

    /// Puts new requests into the queue.
    ///
    /// # Errors
    /// There are more than a task may have, as a sentence: a server could invent new ones without end.
    pub(super) async fn ask(&mut self, view: &TaskView<'_>, seq: Seq) -> Result<(), String> {
        let Following { live, .. } = self.following;
        let Some(connection) = live.status().connection else {
            return Ok(());
        };
        let declared = ClientCapabilities::parse(&live.status().client_capabilities_json);
        for asked in &view.input_requests {
            let Some(kind) = InputKind::of(&asked.method) else {
                continue;
            };
            if self.known.contains(&*asked.key) {
                continue;
            }
            self.key_bytes += asked.key.len();
            if self.known.len() >= MOST_INPUTS || self.key_bytes > MOST_KEY_BYTES {
                return Err(format!(
                    "The task asked for more than {MOST_INPUTS} inputs, or their keys have more than {MOST_KEY_BYTES} bytes."
                ));
            }
            self.known.insert(asked.key.to_string());
            let undeclared = checks::undeclared_input(&declared, &asked.method, asked.params);
            if let Some((code, message)) = undeclared {
                let key = asked.key_text.to_owned();
                let refused = InputReply::Error {
                    code,
                    message,
                    data: None,
                };
                self.waiting.spawn(async move { (key, kind, refused) });
                continue;
            }
            let (reply, replied) = oneshot::channel();
            let input = Input {
                server_id: live.server_id.0.clone(),
                server_name: live.server_name.clone(),
                connection,
                key: asked.key.to_string(),
                kind,
                method: asked.method.to_string(),
                params: asked.params.unwrap_or("{}").to_owned(),
                about: None,
                exchange: None,
                operation: Some(self.following.operation),
                during: Vec::new(),
                task: None,
                seq,
                round: None,
                watch: InputWatch::default(),
            };
            let request = InputRequest { input, reply };
            // An error means that the connection has ended.
            if live.questions.send(request).await.is_ok() {
                let key = asked.key_text.to_owned();
                self.waiting
                    .spawn(async move { (key, kind, replied.await.unwrap_or(InputReply::Cancelled)) });
            }
        }
        Ok(())
    }

    /// The next answer; pending while no request is open. Cancel safe.
    pub(super) async fn answered(&mut self) -> AnsweredInput {
        match self.waiting.join_next().await {
            Some(Ok(answered)) => answered,
            Some(Err(_)) | None => std::future::pending().await,
        }
    }

    /// Sends an answer.
    pub(super) async fn send(&self, (key, kind, reply): AnsweredInput) -> Result<(), Box<Failed>> {
        let Following {
            engine,
            live,
            connection,
            task_id,
            operation,
            ..
        } = self.following;
        let (method, params) = match (reply, kind) {
            (InputReply::Result(json), _) => (methods::TASKS_UPDATE, update_params(task_id, &[(key, json)])),
            (InputReply::Cancelled | InputReply::Error { .. }, InputKind::Elicitation) => (
                methods::TASKS_UPDATE,
                update_params(task_id, &[(key, "{\"action\":\"cancel\"}".to_owned())]),
            ),
            // These have no declining answer, so the task cannot continue.
            (InputReply::Cancelled | InputReply::Error { .. }, InputKind::Sampling | InputKind::Roots) => {
                live.tasks.cancel(task_id);
                (methods::TASKS_CANCEL, super::id_params(task_id))
            }
        };
        let query = Query {
            state: &engine.state,
            connection,
            operation: *operation,
            method,
            params: Some(params),
            failed: "What the task needs could not be sent",
        };
        query.result().await.map(drop)
    }
}
