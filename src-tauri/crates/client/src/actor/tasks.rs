//! Requests of the server that are answered as tasks, and its requests about them (2025-11-25, `basic/utilities/tasks`).

use patchbay_protocol::{
    RequestId, error_codes,
    json::{self, Object},
    methods,
    views::RELATED_TASK,
};
use patchbay_traffic::{Answer as RecordAnswer, Seq, Status as RecordStatus};
use tokio::time::Instant;

use super::{
    Actor,
    inputs::{Question, Refusal, given},
};
use crate::{
    InputKind, InputReply,
    pending_inputs::{
        ReplyTarget,
        served_tasks::{NewTask, TaskOutcome, wanted_ttl},
    },
};

impl Actor {
    /// How long the server wants a task to be kept, if a request is to be answered as one: `task` is ignored where it was not
    /// declared.
    pub(super) fn task_wanted(&self, kind: InputKind, params: Option<&str>) -> Option<Option<f64>> {
        let path = match kind {
            InputKind::Sampling => ["requests", "sampling", "createMessage"],
            InputKind::Elicitation => ["requests", "elicitation", "create"],
            InputKind::Roots => return None,
        };
        let wanted = wanted_ttl(params)?;
        self.declared.has_part("tasks", &path).then_some(wanted)
    }

    /// Answers a request with a task, and hands the question to its responders.
    pub(super) async fn serve_as_task(
        &mut self,
        id: &RequestId,
        ttl_ms: Option<f64>,
        held: Vec<i64>,
        mut question: Question<'_>,
    ) {
        let new = NewTask {
            connection: self.connection.id(),
            ttl_ms,
            token: patchbay_protocol::meta::progress_token(question.params).map(|token| token.to_json()),
            held,
        };
        let (task, created) = match self.served_tasks.create(new) {
            Ok(task) => (task.id.clone(), task.to_json()),
            Err(new) => {
                self.pending.release(&new.held);
                let words = "too many tasks are kept already; cancel some, or wait until they expire";
                return self
                    .respond(id, Err(Refusal::new(error_codes::INTERNAL_ERROR, words)))
                    .await;
            }
        };
        let result = related(&format!("{{\"task\":{created}}}"), related_task(question.params));
        self.respond(id, Ok(&result)).await;
        self.task_progress(&task, 0).await;
        question.task = Some(task.clone());
        let method = methods::intern(question.method);
        let wanted = ReplyTarget::Task {
            task: task.clone(),
            method,
        };
        if let Err(why) = self.ask(question, wanted) {
            let failed = TaskOutcome::Failed {
                code: error_codes::INTERNAL_ERROR,
                message: format!("it is not answered: {why}"),
                data: None,
            };
            self.task_ended(&task, failed).await;
        }
    }

    /// Somebody replied to a request that is answered as a task.
    pub(super) async fn task_replied(&mut self, task: &str, method: &str, reply: InputReply) {
        let outcome = match given(method, reply) {
            Ok(result) => TaskOutcome::Completed(result),
            Err(refusal) => TaskOutcome::Failed {
                code: refusal.code,
                message: refusal.message,
                data: refusal.data,
            },
        };
        self.task_progress(task, 1).await;
        self.task_ended(task, outcome).await;
    }

    /// Serves a request about tasks.
    pub(super) async fn serve_tasks(&mut self, id: &RequestId, method: &str, params: Option<&str>, seq: Seq) {
        let params = Object::parse(params.unwrap_or("{}")).ok();
        let said = match method {
            methods::TASKS_LIST => {
                let cursor = params.as_ref().and_then(|params| params.get("cursor"));
                let page = match cursor.map(json::string) {
                    None => self.served_tasks.page(None),
                    Some(cursor) => cursor.and_then(|cursor| self.served_tasks.page(Some(&cursor))),
                };
                page.ok_or_else(|| Refusal::new(error_codes::INVALID_PARAMS, "Invalid cursor"))
            }
            _ => {
                let task = params.as_ref().and_then(|params| params.string("taskId"));
                match self
                    .serve_task(id, method, task.as_deref().unwrap_or_default(), seq)
                    .await
                {
                    Some(said) => said,
                    None => return,
                }
            }
        };
        match said {
            Ok(result) => self.respond(id, Ok(&result)).await,
            Err(refusal) => self.respond(id, Err(refusal)).await,
        }
    }

    /// What to answer to a request about one task; none if that comes later.
    async fn serve_task(
        &mut self,
        request: &RequestId,
        method: &str,
        id: &str,
        seq: Seq,
    ) -> Option<Result<String, Refusal>> {
        let may_wait = self.served_tasks.may_wait();
        let Some(task) = self.served_tasks.get_mut(id) else {
            return Some(Err(not_found()));
        };
        match method {
            methods::TASKS_RESULT => match task.outcome() {
                Some(outcome) => Some(result_of(id, outcome)),
                None if may_wait => {
                    task.waiting.push((request.clone(), seq));
                    None
                }
                None => {
                    let words = "too many requests wait for results of tasks already";
                    Some(Err(Refusal::new(error_codes::INTERNAL_ERROR, words)))
                }
            },
            methods::TASKS_CANCEL if task.status().is_final() => {
                let words = format!("Cannot cancel task: it is {} already", task.status().as_str());
                Some(Err(Refusal::new(error_codes::INVALID_PARAMS, &words)))
            }
            methods::TASKS_CANCEL => {
                self.withdraw_task(id);
                self.task_ended(id, TaskOutcome::Cancelled).await;
                let cancelled = self.served_tasks.get_mut(id).map(|task| task.to_json());
                Some(cancelled.ok_or_else(not_found))
            }
            _ => Some(Ok(task.to_json())),
        }
    }

    /// A task has ended: the server is told, and everything that waits for it is answered.
    async fn task_ended(&mut self, id: &str, outcome: TaskOutcome) {
        let Some(task) = self.served_tasks.end(id, outcome) else {
            return;
        };
        let held = std::mem::take(&mut task.held);
        let waiting = std::mem::take(&mut task.waiting);
        let status = task.to_json();
        let result = match waiting.is_empty() {
            true => None,
            false => task.outcome().cloned(),
        };
        self.pending.release(&held);
        self.notify(methods::TASKS_STATUS, Some(&status), None).await;
        for (request, _) in waiting {
            match result.as_ref().map(|outcome| result_of(id, outcome)) {
                Some(Ok(result)) => self.respond(&request, Ok(&result)).await,
                Some(Err(refusal)) => self.respond(&request, Err(refusal)).await,
                None => {}
            }
        }
    }

    /// Tells how far a task is, if the server wants to know: `done` of 1.
    async fn task_progress(&mut self, id: &str, done: u8) {
        let Some(token) = self.served_tasks.get_mut(id).and_then(|task| task.token.clone()) else {
            return;
        };
        let message = match done {
            0 => "Waiting for an answer.",
            _ => "Answered.",
        };
        let params = format!(
            "{{\"progressToken\":{token},\"progress\":{done},\"total\":1,\"message\":{}}}",
            json::quote(message)
        );
        let related = related(&params, Some(related_json(id)));
        self.notify(methods::PROGRESS, Some(&related), None).await;
    }

    /// Tasks whose time to live is over are forgotten, answered or not.
    pub(super) async fn expire_tasks(&mut self, now: Instant) {
        for task in self.served_tasks.take_expired(now) {
            self.withdraw_task(&task.id);
            self.pending.release(&task.held);
            for (request, _) in task.waiting {
                let words = "Failed to retrieve task: Task has expired";
                let refusal = Refusal::new(error_codes::INVALID_PARAMS, words);
                self.respond(&request, Err(refusal)).await;
            }
        }
    }

    /// Nothing of a task outlives its connection.
    pub(super) fn lose_tasks(&mut self) {
        let waiting = self.served_tasks.drain().flat_map(|task| task.waiting);
        for (_, seq) in waiting {
            self.recorder.answer(seq, unanswered(RecordStatus::Lost));
        }
    }

    /// The server no longer waits for a result of a task.
    pub(super) fn task_result_cancelled(&mut self, request: &RequestId) {
        if let Some(seq) = self.served_tasks.stop_waiting(request) {
            self.recorder.answer(seq, unanswered(RecordStatus::Cancelled));
        }
    }

    /// Nobody has to answer any more what a task asked for.
    fn withdraw_task(&mut self, id: &str) {
        self.pending_inputs.withdraw(
            None,
            |known| matches!(known, ReplyTarget::Task { task, .. } if task == id),
        );
    }
}

/// What `tasks/result` is answered with: exactly what the request itself would have been, and the task it belongs to.
fn result_of(id: &str, outcome: &TaskOutcome) -> Result<String, Refusal> {
    match outcome {
        TaskOutcome::Completed(result) => Ok(related(result, Some(related_json(id)))),
        TaskOutcome::Failed { code, message, data } => Err(Refusal {
            code: *code,
            message: message.clone(),
            data: data.clone(),
        }),
        TaskOutcome::Cancelled => {
            let words = "The task was cancelled: it has no result";
            Err(Refusal::new(error_codes::INVALID_PARAMS, words))
        }
    }
}

fn not_found() -> Refusal {
    let words = "Failed to retrieve task: Task not found, or it has expired";
    Refusal::new(error_codes::INVALID_PARAMS, words)
}

fn unanswered(status: RecordStatus) -> RecordAnswer {
    RecordAnswer {
        response: None,
        status,
        latency_ns: None,
    }
}

/// The value that names a task of ours.
fn related_json(id: &str) -> String {
    format!("{{\"taskId\":{}}}", json::quote(id))
}

/// The task of the server that its request belongs to, raw.
pub(super) fn related_task(params: Option<&str>) -> Option<String> {
    let task = patchbay_protocol::meta::member(params, RELATED_TASK)?;
    let named = Object::parse(task).ok()?.string("taskId")?;
    Some(related_json(&named))
}

/// An object with the task that it belongs to in its `_meta`.
pub(super) fn related(object: &str, task: Option<String>) -> String {
    match task {
        Some(task) => json::with_meta(Some(object), &[(RELATED_TASK, &task)]),
        None => object.to_owned(),
    }
}
