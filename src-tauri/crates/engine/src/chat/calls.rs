//! The calls of one answer: decided by a rule or by the user, sent like every other call, ended in a clear state.

mod carried;
mod ending;
mod verdict;

use std::time::Duration;

use futures_util::future::join_all;
use patchbay_contract::*;
use tokio::sync::{Semaphore, mpsc};

pub(super) use self::carried::{Sources, compared};
#[cfg(test)]
pub(super) use self::ending::kept;
pub(super) use self::ending::not_run_unsaved;
pub(super) use self::verdict::{check_rule, run_covered};
use self::{
    ending::{denied, is_cut, is_long, not_run, shortened, words},
    verdict::judge,
};
use super::{
    conversation::CallDecision,
    item::{Call, Item, has_ended},
    rules::Verdict,
    toolbox::Toolbox,
    turn::Turn,
};
use crate::{
    calls::{self, CheckedCall, Ended, object},
    dispatch::streams::Events,
};

/// How many calls of one answer run at the same time.
const AT_ONCE: usize = 8;
/// How long a stopped turn waits for a server to say that it cancels a task.
const CANCELLING: Duration = Duration::from_secs(5);

/// Runs the calls with these ids, and returns when all have ended.
pub(super) async fn run_all(turn: &Turn, tools: &Toolbox, ids: Vec<String>) -> Result<(), CommandError> {
    let room = Semaphore::new(AT_ONCE);
    let all = ids.iter().filter_map(|id| turn.conversation.call(id));
    let runnable = all.filter(|call| call.state == ChatCallState::Queued);
    let running = runnable.map(|call| {
        // What the user wrote in place of a model is sent as it was written.
        let call = match turn.conversation.original(&call.id) {
            Some(Item::Call(original)) => *original,
            _ => call,
        };
        Running {
            turn,
            tools,
            room: &room,
        }
        .run(call)
    });
    let ended = join_all(running.collect::<Vec<_>>()).await;
    ended.into_iter().collect()
}

/// What the calls of one answer share.
struct Running<'a> {
    turn: &'a Turn,
    tools: &'a Toolbox,
    room: &'a Semaphore,
}

impl Running<'_> {
    async fn run(self, call: Call) -> Result<(), CommandError> {
        let Some(server) = call.server_id.clone() else {
            return Ok(());
        };
        // The rules look at what the user sees.
        let shown = self.turn.conversation.call(&call.id);
        let shown = shown.as_ref().unwrap_or(&call);
        let mut call = match judge(&self.turn.engine, &self.turn.conversation, &server, shown) {
            Verdict::Run(rule) => Call {
                decided_by: Some(rule),
                ..call
            },
            Verdict::Ask(because) => match self.ask(call, because, false).await? {
                Some(call) => call,
                None => return Ok(()),
            },
        };
        loop {
            let Some(room) = self.turn.unless_stopped(self.room.acquire()).await else {
                return self.put(not_run(call)).await;
            };
            call = self
                .rechecked(Call {
                    state: ChatCallState::Running,
                    asked_because: None,
                    ..call
                })
                .await;
            // Written before it is sent: after a crash it is known that it may have run.
            if let Err(error) = self.put(call.clone()).await {
                return self.not_saved(call, error).await;
            }
            let ended = self.send(&server, &call).await;
            drop(room);
            match ended {
                Err(error) if error.code == ErrorCode::DefinitionChanged => {
                    call = match self.ask(call, Some(error.message), true).await? {
                        Some(call) => call,
                        None => return Ok(()),
                    };
                }
                Err(error) => {
                    let error = format!("The call was not sent: {}", error.message);
                    return self
                        .put(Call {
                            state: ChatCallState::Failed,
                            error: Some(error),
                            ..call
                        })
                        .await;
                }
                Ok(ended) => return self.put(ended).await,
            }
        }
    }

    /// Waits for the user's decision; none if the call has ended by it.
    async fn ask(
        &self,
        call: Call,
        because: Option<String>,
        definition_changed: bool,
    ) -> Result<Option<Call>, CommandError> {
        let conversation = &self.turn.conversation;
        let call = Call {
            state: ChatCallState::Waiting,
            asked_because: because,
            decided_by: None,
            ..call
        };
        let decided = conversation.wait_for_decision(&call.id);
        if let Err(error) = self.put(call.clone()).await {
            return self.not_saved(call, error).await.map(|()| None);
        }
        if definition_changed {
            conversation.touch(|state, revision| {
                if let Some(entry) = state.entry(&call.id) {
                    (entry.definition_changed, entry.revision) = (true, revision);
                }
            });
        }
        let decision = self.turn.unless_stopped(decided).await.and_then(Result::ok);
        match decision {
            None => {
                self.put(not_run(call)).await?;
                Ok(None)
            }
            Some(CallDecision {
                decision: ChatDecision::Deny { reason },
                by,
            }) => {
                let denied = denied(call, reason.trim(), by);
                self.put(denied).await?;
                Ok(None)
            }
            Some(CallDecision {
                decision: ChatDecision::Run { edited_json, .. },
                by,
            }) => {
                let shown = conversation.call(&call.id);
                Ok(Some(Call {
                    edited: edit_of(&call, shown.as_ref(), edited_json),
                    decided_by: Some(by),
                    ..call
                }))
            }
        }
    }

    /// Records the decision beside what it leads to.
    fn note(&self, server: &ServerId, call: &Call) {
        let (Some(live), Some(by)) = (self.turn.engine.state.live(server), &call.decided_by) else {
            return;
        };
        let Some(connection) = live.status().connection else {
            return;
        };
        let tool = &call.tool;
        let text = match &call.edited {
            Some(_) => format!("Chat: call of {tool} with changed arguments. Decided by {by}"),
            None => format!("Chat: call of {tool}. Decided by {by}"),
        };
        let recorder = &self.turn.engine.state.recorder;
        // A closed store means that the engine is shutting down.
        let _ = recorder.lifecycle(connection, text, None, Some(self.turn.operation));
    }

    /// Sends the call and waits for its end. It is not sent if the user stops the turn before.
    ///
    /// # Errors
    /// Nothing was sent.
    async fn send(&self, server: &ServerId, call: &Call) -> Result<Call, CommandError> {
        let arguments = call.edited.as_ref().unwrap_or(&call.arguments);
        let params = ToolCallParams {
            server_id: server.clone(),
            name: call.tool.clone(),
            arguments_json: arguments.clone(),
            meta_json: None,
            timeouts: None,
            by_app: None,
            as_task: None,
        };
        // The check may have to list the tools first.
        let checked = calls::check_tool(&self.turn.engine, params, Some(self.turn.operation));
        let Some(checked) = self.turn.unless_stopped(checked).await else {
            return Ok(not_run(call.clone()));
        };
        let checked = checked?.with_required_task(&call.tool, arguments)?;
        self.note(server, call);
        let mut trace = CallTrace::default();
        let ended = self.end_of(server, checked, &call.id, &mut trace).await;
        let call = Call {
            request_seq: trace.request,
            response_seq: trace.response,
            duration_ms: trace.duration_ms,
            ..call.clone()
        };
        let error = match ended {
            Ok(Some(ended)) => return Ok(self.ended(call, ended)),
            Ok(None) => "The end of the call was lost. See the traffic log.".to_owned(),
            Err(error) => error.message,
        };
        Ok(Call {
            state: ChatCallState::Failed,
            error: Some(format!("{error} The call may have run.")),
            ..call
        })
    }

    /// Sends a call that was checked and waits for its end, which is that of its task if the server creates one.
    async fn end_of(
        &self,
        server: &ServerId,
        checked: CheckedCall,
        id: &str,
        trace: &mut CallTrace,
    ) -> Result<Option<Ended>, CommandError> {
        let engine = self.turn.engine.clone();
        let sent = |events| async move { checked.send(&engine, &events).await };
        let first = self.exchange(id, trace, sent).await?;
        match first.as_ref().map(|ended| &ended.outcome) {
            Some(ExchangeOutcome::Task { task, .. }) => self.follow(server, &task.task_id, id, trace).await,
            _ => Ok(first),
        }
    }

    /// Waits for the end of a task. If the user stops the turn, or the end cannot be learned, the server is told to cancel it,
    /// whatever becomes of it then.
    async fn follow(
        &self,
        server: &ServerId,
        task_id: &str,
        id: &str,
        trace: &mut CallTrace,
    ) -> Result<Option<Ended>, CommandError> {
        // The exchange that the task is from has ended.
        trace.exchange = None;
        let engine = self.turn.engine.clone();
        let params = TaskResultParams {
            server_id: server.clone(),
            task_id: task_id.to_owned(),
        };
        let result = |events| async move { Ok(calls::tasks::result(&engine, params, &events).await?) };
        let followed = self.exchange(id, trace, result);
        let ended = match self.turn.unless_stopped(followed).await {
            Some(Ok(ended)) => return Ok(ended),
            Some(Err(error)) => Err(error),
            None => Ok(Some(Ended {
                outcome: ExchangeOutcome::Cancelled {},
                answer: None,
            })),
        };
        self.cancel_task(server, task_id).await;
        ended
    }

    async fn cancel_task(&self, server: &ServerId, task_id: &str) {
        let params = TaskCancelParams {
            server_id: server.clone(),
            task_id: task_id.to_owned(),
        };
        let cancelled = calls::tasks::cancel_within(&self.turn.engine, params, Some(self.turn.operation));
        match tokio::time::timeout(CANCELLING, cancelled).await {
            Ok(Ok(Done {})) => {}
            Ok(Err(error)) => tracing::debug!(error = error.message, "a task was not cancelled"),
            Err(_) => tracing::debug!("the server did not say that it cancels a task"),
        }
    }

    /// Runs an exchange and shows its events. The user may stop the turn meanwhile.
    async fn exchange<F>(
        &self,
        id: &str,
        trace: &mut CallTrace,
        begin: impl FnOnce(Events<ExchangeEvent>) -> F,
    ) -> Result<Option<Ended>, CommandError>
    where
        F: Future<Output = Result<Option<Ended>, CommandError>>,
    {
        let (sink, mut events) = mpsc::channel(4);
        let mut running = Box::pin(begin(Events::new(sink)));
        let mut told = false;
        let ended = loop {
            tokio::select! {
                Some(event) = events.recv() => self.apply_event(id, event, trace),
                ended = &mut running => break ended,
                () = self.turn.stopped(), if !told && trace.exchange.is_some() => {
                    told = true;
                    if let Some(exchange) = &trace.exchange {
                        self.turn.engine.state.exchanges.cancel(exchange).await?;
                    }
                }
            }
        };
        while let Ok(event) = events.try_recv() {
            self.apply_event(id, event, trace);
        }
        ended
    }

    fn apply_event(&self, id: &str, event: ExchangeEvent, trace: &mut CallTrace) {
        let progress = match event {
            ExchangeEvent::Started { exchange_id, seq } => {
                trace.exchange = Some(exchange_id);
                trace.request.get_or_insert(seq.0);
                None
            }
            ExchangeEvent::Progress {
                progress,
                total,
                message,
                ..
            } => Some(RequestProgress {
                progress,
                total,
                message: message.map(|message| shortened(self.turn.engine.state.masked(message))),
            }),
            ExchangeEvent::Finished {
                duration_ms,
                request_seq,
                response_seq,
                ..
            } => {
                trace.duration_ms = Some(trace.duration_ms.unwrap_or(0.0) + duration_ms);
                trace.response = response_seq.map(|seq| seq.0).or(trace.response.take());
                if let Some(seq) = request_seq {
                    trace.request.get_or_insert(seq.0);
                }
                None
            }
            ExchangeEvent::InputRound { .. } | ExchangeEvent::Resent { .. } | ExchangeEvent::Task { .. } => {
                None
            }
        };
        self.turn.conversation.touch(|state, revision| {
            if let Some(entry) = state.entry(id) {
                entry.exchange.clone_from(&trace.exchange);
                if let (Item::Call(call), Some(seq)) = (&mut entry.item, &trace.request) {
                    call.request_seq = Some(seq.clone());
                }
                entry.progress = progress.or(entry.progress.take());
                entry.revision = revision;
            }
        });
    }

    /// The call with its result, or with the reason why there is none.
    fn ended(&self, mut call: Call, ended: Ended) -> Call {
        let (state, error) = match ended.outcome {
            ExchangeOutcome::Result { view, .. } => {
                let is_error = matches!(view, ResultView::Tool { tool } if tool.is_error);
                let state = match is_error {
                    true => ChatCallState::ToolError,
                    false => ChatCallState::Done,
                };
                let answer = ended.answer.unwrap_or_default();
                let mut answer = String::from_utf8_lossy(&answer).into_owned();
                if is_cut(&answer) {
                    answer = self.masked_for(&mut call, answer);
                }
                let (result, cut_from) = ending::kept(&answer);
                return Call {
                    state,
                    result: Some(result),
                    cut_from,
                    ..call
                };
            }
            ExchangeOutcome::Cancelled {} => (
                ChatCallState::Cancelled,
                "The user cancelled this call. It may have run.".to_owned(),
            ),
            other => (ChatCallState::Failed, words(other)),
        };
        Call {
            state,
            error: Some(error),
            ..call
        }
    }

    /// What is known of changed arguments only now.
    async fn rechecked(&self, call: Call) -> Call {
        match (&call.edited, self.tools.find(&call.alias)) {
            (Some(_), Some(tool)) => {
                let sources = super::answer::sources(self.turn, true).await;
                let call = super::answer::checked(tool.input_schema.as_deref(), call).await;
                compared(&sources, &tool.view.given_json, call).await
            }
            _ => call,
        }
    }

    /// A text that is about to be cut, with its secrets masked, which the call names: the cut could go through one.
    fn masked_for(&self, call: &mut Call, text: String) -> String {
        let (text, names) = self.turn.conversation.masked_text(text);
        for name in names {
            if !call.masked.contains(&name) {
                call.masked.push(name);
            }
        }
        text
    }

    async fn put(&self, mut call: Call) -> Result<(), CommandError> {
        if let Some(error) = call.error.take_if(|error| is_long(error)) {
            call.error = Some(shortened(self.masked_for(&mut call, error)));
        }
        let has_ended = has_ended(call.state);
        let items = vec![Item::Call(Box::new(call))];
        match has_ended {
            true => self.turn.conversation.keep(items).await,
            false => self.turn.conversation.put(items).await,
        }
    }

    /// Ends a call that was not sent, because it could not be written that it is.
    async fn not_saved(&self, call: Call, error: CommandError) -> Result<(), CommandError> {
        // The turn ends with the first error.
        self.put(not_run_unsaved(call)).await.and(Err(error))
    }
}

/// What the events of a call say.
#[derive(Default)]
struct CallTrace {
    exchange: Option<ExchangeId>,
    request: Option<String>,
    response: Option<String>,
    duration_ms: Option<f64>,
}

/// Checks arguments that the user wrote.
///
/// # Errors
/// They are not a JSON object.
pub(super) fn check_edited(decision: &ChatDecision) -> Result<(), CommandError> {
    match decision {
        ChatDecision::Run {
            edited_json: Some(edited),
            ..
        } => object("arguments", edited).map(drop),
        _ => Ok(()),
    }
}

/// The arguments of a call in place of the model's: those that the user chose, else those that it was to run with before it had to wait
/// again. What the user was `shown` has its secrets masked; left as it is, it is what it was.
pub(super) fn edit_of(call: &Call, shown: Option<&Call>, chosen: Option<String>) -> Option<String> {
    let Some(chosen) = chosen else {
        return call.edited.clone();
    };
    let shown_edit = shown.and_then(|shown| shown.edited.as_ref());
    let shown_arguments = shown.map(|shown| &shown.arguments);
    if shown_edit == Some(&chosen) {
        call.edited.clone()
    } else if chosen == call.arguments || shown_arguments == Some(&chosen) {
        None
    } else {
        Some(chosen)
    }
}
