//! Input requests that servers send to the user, over all connections. A chain of [responders](Responder) answers them;
//! those left to a person wait here in one queue, in order, without loss.

mod elicitation;
pub(crate) mod handlers;
mod history;
mod limit;
pub(crate) mod models;
mod person;
mod responder;
mod roots;
pub(crate) mod sampling;
pub(crate) mod simulator;
mod turns;

use std::{
    collections::{HashSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use patchbay_client::InputReply;
use patchbay_contract::*;
use patchbay_protocol::limits::Limits;
use patchbay_traffic::OperationId;
use tokio::sync::oneshot;

use crate::{
    calls::object,
    convert,
    dispatch::error::fail,
    dispatch::nudges::{Nudges, Topic},
    servers::roots::LiveRoots,
};
pub use elicitation::{Checked, Choice, ElicitationForm, ElicitationRule, Field, FieldKind};
use history::{History, kind_of};
pub(crate) use person::Person;
pub use responder::{Answers, InputChain, InputQuestion, Responder, Response};
pub(crate) use responder::{ServerChain, answer_questions};
pub use roots::Roots;
pub use sampling::SamplingRule;
pub(crate) use simulator::LiveSimulator;
pub(crate) use turns::{RunningTurn, RunningTurns};

/// The maximum number of requests of one connection that are being processed; further ones are refused.
pub(crate) const ON_THE_WAY: usize = 64;
/// The maximum number of requests that wait for the user; further ones are refused, and the log says so.
const MOST_WAITING: usize = 1_000;
/// The maximum total size of the waiting requests' params, in bytes.
const MOST_BYTES: usize = 32 * 1024 * 1024;
/// The maximum length of a key that is shown, in characters.
const LONGEST_KEY: usize = 100;
/// The maximum number of withdrawn requests that are remembered.
const WITHDRAWN: usize = 20;

/// The requests that wait for a person.
#[derive(Debug)]
pub(crate) struct InputQueue {
    chain: InputChain,
    nudges: Arc<Nudges>,
    history: Arc<History>,
    pub(crate) turns: Arc<RunningTurns>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    last_id: u64,
    waiting: Vec<Waiting>,
    /// The total size of the waiting requests' params.
    bytes: usize,
    withdrawn: VecDeque<WithdrawnInput>,
}

/// A request that waits for the user.
#[derive(Debug)]
struct Waiting {
    item: InputItem,
    /// Whether the item is another than it was at first.
    is_changed: bool,
    operation: Option<OperationId>,
    answer: oneshot::Sender<InputReply>,
    /// Tells the simulator that the user takes the request over.
    take_over: Option<oneshot::Sender<()>>,
}

/// What is shown of a question, besides what it says itself.
#[derive(Debug, Default)]
struct Shown {
    /// The params, masked.
    params_json: String,
    turn: Option<InputTurn>,
    during: Vec<InputCause>,
    simulated: Option<SimulatedInput>,
}

/// The receiving ends of a request in the queue.
struct Queued {
    id: InputId,
    /// The user's answer.
    answered: oneshot::Receiver<InputReply>,
    /// The user takes the request over.
    taken_over: oneshot::Receiver<()>,
}

impl State {
    fn take(&mut self, id: &InputId) -> Option<Waiting> {
        let at = self.waiting.iter().position(|waiting| waiting.item.id == *id)?;
        let waiting = self.waiting.remove(at);
        self.bytes -= waiting.item.params_json.len();
        Some(waiting)
    }
}

impl InputQueue {
    pub(crate) fn new(chain: InputChain, nudges: Arc<Nudges>) -> Self {
        Self {
            chain,
            history: Arc::new(History::new(nudges.clone())),
            nudges,
            turns: Arc::default(),
            state: Mutex::default(),
        }
    }

    /// Whether a person answers what no rule answers.
    pub(crate) fn is_attended(&self) -> bool {
        self.chain.is_attended()
    }

    /// The responders of one server's connection.
    pub(crate) fn chain(&self, roots: &Arc<LiveRoots>, person: &Arc<Person>, limits: &Limits) -> ServerChain {
        let chain = self.chain.of_server(roots, person.clone(), limits);
        chain.remembered_in(self.history.clone())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The waiting, the withdrawn and the answered requests, for the UI, which has the `known` ones.
    pub(crate) fn list(&self, known: &[InputId]) -> InputListResponse {
        let known: HashSet<&InputId> = known.iter().collect();
        let state = self.lock();
        let is_known = |waiting: &&Waiting| known.contains(&waiting.item.id) && !waiting.is_changed;
        let waiting = || state.waiting.iter();
        InputListResponse {
            still: waiting()
                .filter(is_known)
                .map(|waiting| waiting.item.id.clone())
                .collect(),
            items: waiting()
                .filter(|waiting| !is_known(waiting))
                .map(|waiting| waiting.item.clone())
                .collect(),
            withdrawn: state.withdrawn.iter().rev().cloned().collect(),
            answered: self.history.list(),
        }
    }

    /// Passes on the user's answer.
    pub(crate) fn answer(&self, params: InputAnswerParams) -> Result<(), CommandError> {
        let reply = match params.answer {
            InputAnswer::Result { json } => InputReply::Result(object("answer", &json)?),
            InputAnswer::Error { code, message } => InputReply::Error {
                code: code.into(),
                message,
                data: None,
            },
        };
        let id = params.input_id;
        let waiting = self.lock().take(&id);
        let Some(waiting) = waiting else {
            return Err(fail(ErrorCode::NotFound, self.why_gone(&id)));
        };
        self.nudges.changed(Topic::Inputs);
        waiting.answer.send(reply).map_err(|_| {
            let reason = "The server no longer waits for it.";
            self.remember(&waiting.item, reason, None);
            fail(ErrorCode::NotFound, format!("It was not answered. {reason}"))
        })
    }

    /// The operation of a pending request, if it has one.
    pub(crate) fn operation(&self, id: &InputId) -> Result<Option<OperationId>, CommandError> {
        let state = self.lock();
        let waiting = state.waiting.iter().find(|waiting| waiting.item.id == *id);
        let operation = waiting.map(|waiting| waiting.operation);
        drop(state);
        operation.ok_or_else(|| fail(ErrorCode::NotFound, self.why_gone(id)))
    }

    fn why_gone(&self, id: &InputId) -> String {
        let state = self.lock();
        match state.withdrawn.iter().find(|withdrawn| withdrawn.id == *id) {
            Some(withdrawn) => format!("This request is gone. {}", withdrawn.reason),
            None => "This request was answered already, or it never existed.".to_owned(),
        }
    }

    /// Takes a request from the simulator.
    pub(crate) fn take_over(&self, id: &InputId) -> Result<(), CommandError> {
        let mut state = self.lock();
        let Some(waiting) = state.waiting.iter_mut().find(|waiting| waiting.item.id == *id) else {
            drop(state);
            return Err(fail(ErrorCode::NotFound, self.why_gone(id)));
        };
        waiting.item.simulated = None;
        waiting.is_changed = true;
        let sender = waiting.take_over.take();
        drop(state);
        if let Some(sender) = sender {
            // Nobody listens if the simulator does not hold it.
            let _ = sender.send(());
        }
        self.nudges.changed(Topic::Inputs);
        Ok(())
    }

    /// Remembers that the simulator left a question unanswered.
    fn remember_ended(&self, ended: AnsweredInput) {
        self.history.put(ended);
    }

    /// Adds a question; none if too many are waiting.
    fn put(&self, question: &InputQuestion, shown: Shown) -> Option<Queued> {
        let Shown {
            params_json,
            turn,
            during,
            simulated,
        } = shown;
        let (answer, answered) = oneshot::channel();
        let (take_over, taken_over) = oneshot::channel();
        let mut state = self.lock();
        if state.waiting.len() >= MOST_WAITING || state.bytes + params_json.len() > MOST_BYTES {
            return None;
        }
        state.last_id += 1;
        state.bytes += params_json.len();
        let id = InputId(state.last_id.to_string());
        let item = InputItem {
            id: id.clone(),
            server_id: ServerId(question.input.server_id.clone()),
            server_name: question.input.server_name.clone(),
            kind: kind_of(question.input.kind),
            method: question.input.method.clone(),
            params_json,
            key: question.input.key.chars().take(LONGEST_KEY).collect(),
            task_id: question.input.task.clone(),
            about_seq: question.input.about.map(convert::seq),
            about_exchange: question.input.exchange.map(|id| ExchangeId(id.to_string())),
            during,
            turn,
            call_end: None,
            seq: convert::seq(question.input.seq),
            round: question.input.round,
            waiting_since_ms: convert::at_ms(SystemTime::now()),
            proposal: question.proposal.get().cloned(),
            simulated,
        };
        state.waiting.push(Waiting {
            item,
            is_changed: false,
            operation: question.input.operation,
            answer,
            take_over: Some(take_over),
        });
        drop(state);
        self.nudges.changed(Topic::Inputs);
        Some(Queued {
            id,
            answered,
            taken_over,
        })
    }

    /// Removes a question that is answered in another way; false if the user was quicker.
    fn remove(&self, id: &InputId) -> bool {
        let is_removed = self.lock().take(id).is_some();
        if is_removed {
            self.nudges.changed(Topic::Inputs);
        }
        is_removed
    }

    /// The calls that a request may belong to have ended; the server waits nevertheless.
    fn calls_ended(&self, id: &InputId, end: InputCallEnd) {
        let mut state = self.lock();
        let Some(waiting) = state.waiting.iter_mut().find(|waiting| waiting.item.id == *id) else {
            return;
        };
        waiting.item.call_end = Some(end);
        waiting.is_changed = true;
        drop(state);
        self.nudges.changed(Topic::Inputs);
    }

    /// Removes a question that the server no longer asks. `server_reason` is masked.
    fn withdraw(&self, id: &InputId, reason: &str, server_reason: Option<String>) {
        let waiting = self.lock().take(id);
        if let Some(waiting) = waiting {
            self.remember(&waiting.item, reason, server_reason);
            self.nudges.changed(Topic::Inputs);
        }
    }

    fn remember(&self, item: &InputItem, reason: &str, server_reason: Option<String>) {
        let now = convert::at_ms(SystemTime::now());
        let mut state = self.lock();
        state.withdrawn.push_back(WithdrawnInput {
            id: item.id.clone(),
            server_id: item.server_id.clone(),
            server_name: item.server_name.clone(),
            kind: item.kind,
            method: item.method.clone(),
            seq: item.seq.clone(),
            about_seq: item.about_seq.clone(),
            reason: reason.to_owned(),
            server_reason,
            waited_ms: (now - item.waiting_since_ms).max(0.0),
            at_ms: now,
        });
        if state.withdrawn.len() > WITHDRAWN {
            state.withdrawn.pop_front();
        }
    }
}

#[cfg(test)]
impl Shown {
    fn of(params: &str) -> Self {
        Self {
            params_json: params.to_owned(),
            ..Self::default()
        }
    }
}

/// A sampling request on a new connection, in an operation of its own, for tests.
#[cfg(test)]
pub(crate) fn sampling_question(engine: &crate::Engine, params: &str) -> (InputQuestion, OperationId) {
    let recorder = &engine.state.recorder;
    let connection = recorder.connection(patchbay_traffic::NewConnection {
        server_id: "s".to_owned(),
        server_name: "server".to_owned(),
        origin: patchbay_traffic::Origin::Client,
    });
    let operation = engine.state.begin("tool_call", "t");
    let question = InputQuestion::new(patchbay_client::Input {
        server_id: "s".to_owned(),
        server_name: "server".to_owned(),
        connection,
        kind: patchbay_client::InputKind::Sampling,
        key: "1".to_owned(),
        task: None,
        method: "sampling/createMessage".to_owned(),
        params: params.to_owned(),
        about: None,
        exchange: None,
        operation: Some(operation),
        during: Vec::new(),
        seq: 1,
        round: None,
        watch: patchbay_client::InputWatch::default(),
    });
    (question, operation)
}

#[cfg(test)]
mod tests;
