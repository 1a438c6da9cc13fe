//! Input requests: what servers ask of the user, over all connections, in one queue. Order is kept and none is lost;
//! rules of the [policy](InputPolicy) answer before anybody is asked.
//!
//! How an answer reaches the server is deliberately not here: the client waits for it, in either era.

mod policy;

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::SystemTime,
};

use patchbay_client::{InputKind as Kind, InputReply, InputRequest};
use patchbay_contract::*;
use tokio::sync::{mpsc, oneshot};

use crate::{
    calls, convert,
    engine::Inner,
    error::fail,
    nudges::{Nudges, Topic},
};
pub use policy::{ElicitationRule, InputPolicy, SamplingRule};

/// So many requests may be on their way from the connections to the queue; then connections wait.
const ON_THE_WAY: usize = 64;
/// So many requests may wait for the user; more are refused, and the log says so.
const MOST_WAITING: usize = 1_000;
/// So many withdrawn requests are remembered.
const WITHDRAWN: usize = 20;

/// The queue.
#[derive(Debug)]
pub(crate) struct Inputs {
    policy: InputPolicy,
    sender: mpsc::Sender<InputRequest>,
    nudges: Arc<Nudges>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    last_id: u64,
    waiting: Vec<Waiting>,
    withdrawn: VecDeque<WithdrawnInput>,
}

/// A request that waits for the user.
#[derive(Debug)]
struct Waiting {
    item: InputItem,
    answer: oneshot::Sender<InputReply>,
}

impl Inputs {
    /// An empty queue, and where requests come in.
    pub(crate) fn new(policy: InputPolicy, nudges: Arc<Nudges>) -> (Self, mpsc::Receiver<InputRequest>) {
        let (sender, receiver) = mpsc::channel(ON_THE_WAY);
        let inputs = Self {
            policy,
            sender,
            nudges,
            state: Mutex::default(),
        };
        (inputs, receiver)
    }

    /// What can be declared to servers.
    pub(crate) fn policy(&self) -> &InputPolicy {
        &self.policy
    }

    /// Where a connection puts its requests.
    pub(crate) fn sender(&self) -> mpsc::Sender<InputRequest> {
        self.sender.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What waits and what went, for the UI.
    pub(crate) fn list(&self) -> InputListResponse {
        let state = self.lock();
        InputListResponse {
            items: state.waiting.iter().map(|waiting| waiting.item.clone()).collect(),
            withdrawn: state.withdrawn.iter().rev().cloned().collect(),
        }
    }

    /// The user's answer.
    pub(crate) fn answer(&self, params: InputAnswerParams) -> Result<(), CommandError> {
        let reply = match params.answer {
            InputAnswer::Result { json } => InputReply::Result(calls::object("answer", &json)?),
            InputAnswer::Error { code, message } => InputReply::Error {
                code: code.into(),
                message,
                data: None,
            },
        };
        let id = params.input_id;
        let waiting = {
            let mut state = self.lock();
            let at = state.waiting.iter().position(|waiting| waiting.item.id == id);
            at.map(|at| state.waiting.remove(at))
        };
        let Some(waiting) = waiting else {
            return Err(fail(ErrorCode::NotFound, self.why_gone(&id)));
        };
        self.nudges.changed(Topic::Inputs);
        waiting.answer.send(reply).map_err(|_| {
            let reason = "The server no longer waits for it.";
            self.remember(&waiting.item, reason);
            fail(ErrorCode::NotFound, format!("It was not answered. {reason}"))
        })
    }

    fn why_gone(&self, id: &InputId) -> String {
        let state = self.lock();
        match state.withdrawn.iter().find(|withdrawn| withdrawn.id == *id) {
            Some(withdrawn) => format!("This request is gone. {}", withdrawn.reason),
            None => "This request is answered already, or there never was one.".to_owned(),
        }
    }

    fn put(
        &self,
        item: impl FnOnce(InputId) -> InputItem,
    ) -> Option<(InputId, oneshot::Receiver<InputReply>)> {
        let (answer, answered) = oneshot::channel();
        let mut state = self.lock();
        if state.waiting.len() >= MOST_WAITING {
            return None;
        }
        state.last_id += 1;
        let id = InputId(state.last_id.to_string());
        state.waiting.push(Waiting {
            item: item(id.clone()),
            answer,
        });
        drop(state);
        self.nudges.changed(Topic::Inputs);
        Some((id, answered))
    }

    fn withdraw(&self, id: &InputId, reason: &str) {
        let waiting = {
            let mut state = self.lock();
            let at = state.waiting.iter().position(|waiting| waiting.item.id == *id);
            at.map(|at| state.waiting.remove(at))
        };
        if let Some(waiting) = waiting {
            self.remember(&waiting.item, reason);
            self.nudges.changed(Topic::Inputs);
        }
    }

    fn remember(&self, item: &InputItem, reason: &str) {
        let mut state = self.lock();
        state.withdrawn.push_back(WithdrawnInput {
            id: item.id.clone(),
            server_name: item.server_name.clone(),
            method: item.method.clone(),
            reason: reason.to_owned(),
            at_ms: convert::at_ms(SystemTime::now()),
        });
        if state.withdrawn.len() > WITHDRAWN {
            state.withdrawn.pop_front();
        }
    }
}

/// Takes what connections bring, in order, until the engine is gone.
pub(crate) async fn receive(engine: Weak<Inner>, mut requests: mpsc::Receiver<InputRequest>) {
    while let Some(request) = requests.recv().await {
        let Some(inner) = engine.upgrade() else { return };
        take(&inner, request);
    }
}

/// Answers a request by a rule, or has it wait for the user.
fn take(inner: &Arc<Inner>, request: InputRequest) {
    let inputs = &inner.inputs;
    if let Some(reply) = inputs.policy.decide(request.kind, &request.params) {
        // It may have been withdrawn in the meantime.
        let _ = request.reply.send(reply);
        return;
    }
    let put = inputs.put(|id| InputItem {
        id,
        server_id: ServerId(request.server_id.clone()),
        server_name: request.server_name.clone(),
        kind: match request.kind {
            Kind::Sampling => InputKind::Sampling,
            Kind::Elicitation => InputKind::Elicitation,
            Kind::Roots => InputKind::Roots,
        },
        method: request.method.clone(),
        params_json: inner.masked(request.params.clone()),
        about_seq: request.about.map(convert::seq),
        about_exchange: request.exchange.map(|id| ExchangeId(id.to_string())),
        seq: convert::seq(request.seq),
        round: request.round,
        waiting_since_ms: convert::at_ms(SystemTime::now()),
    });
    match put {
        Some((id, answered)) => {
            tokio::spawn(wait(Arc::downgrade(inner), request, id, answered));
        }
        None => {
            let _ = request.reply.send(InputReply::Error {
                code: -32603,
                message: format!("{MOST_WAITING} requests wait for the user already"),
                data: None,
            });
        }
    }
}

/// Hands on the user's answer, or takes the request away once nobody waits for it.
async fn wait(
    engine: Weak<Inner>,
    mut request: InputRequest,
    id: InputId,
    answered: oneshot::Receiver<InputReply>,
) {
    tokio::select! {
        biased;
        answer = answered => {
            // No answer: the queue is gone, and with it everything.
            let _ = request.reply.send(answer.unwrap_or(InputReply::Cancelled));
        }
        () = request.reply.closed() => {
            if let Some(inner) = engine.upgrade() {
                inner.inputs.withdraw(&id, inner.why_withdrawn(&request));
            }
        }
    }
}

impl Inner {
    fn why_withdrawn(&self, request: &InputRequest) -> &'static str {
        let server = ServerId(request.server_id.clone());
        let lives = self.live(&server).is_some_and(|live| {
            let status = live.status();
            status.state == patchbay_client::State::Ready && status.connection == Some(request.connection)
        });
        let runs = request.exchange.is_none_or(|id| self.exchanges.is_running(id));
        match (lives, runs) {
            (false, _) => "The connection ended.",
            (true, false) => "The call it belonged to has ended.",
            (true, true) => "The server withdrew it.",
        }
    }
}

#[cfg(test)]
mod tests;
