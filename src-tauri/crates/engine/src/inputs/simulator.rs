//! The simulator: answers in place of the user, in the way that the settings of a server say, to see how the server copes.
//!
//! It comes after the rules of the command line and before the rules, the models and the user. A request that it holds back
//! (slow answers, none at all) is in the queue meanwhile, where the user can take it over.

mod answers;
pub(crate) mod handlers;
mod plan;
mod samples;
mod script;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use patchbay_client::InputReply;
use patchbay_contract::{
    AnswerOutcome, InputKind, InputProposal, ScriptPosition, SimulatedInput, Simulation, SimulatorSettings,
};
use patchbay_protocol::error_codes;
use patchbay_traffic::Recorder;
use tokio::sync::watch;

use super::{
    Person,
    history::kind_of,
    person::{FULL, UserAct, Waiting},
    responder::{Answers, InputQuestion, Responder, Response, ended_input, note, record},
};
use crate::{convert, servers::roots::LiveRoots};
use plan::{Plan, Planned};

/// The settings of a server's simulator while it is connected, which can change at any time, and how far its scripts are.
#[derive(Debug)]
pub(crate) struct LiveSimulator {
    state: Mutex<State>,
    changes: watch::Sender<u32>,
}

#[derive(Debug)]
struct State {
    settings: SimulatorSettings,
    /// How many answers of the scripts were given: sampling, elicitation, roots.
    given: [u32; 3],
}

impl LiveSimulator {
    pub(crate) fn new(settings: SimulatorSettings) -> Self {
        Self {
            state: Mutex::new(State {
                settings,
                given: [0; 3],
            }),
            changes: watch::Sender::new(0),
        }
    }

    /// Replaces the settings. Scripts begin with their first answer, and requests that are held back are decided again.
    pub(crate) fn set(&self, settings: SimulatorSettings) {
        *self.lock() = State {
            settings,
            given: [0; 3],
        };
        self.changes
            .send_modify(|changes| *changes = changes.wrapping_add(1));
    }

    /// How far the scripts are.
    pub(crate) fn given(&self) -> Vec<ScriptPosition> {
        let given = self.lock().given;
        [InputKind::Sampling, InputKind::Elicitation, InputKind::Roots]
            .into_iter()
            .map(|kind| ScriptPosition {
                kind,
                given: given[place(kind)],
            })
            .collect()
    }

    /// How a request is answered, and the number of the script's answer, from 0; none if it is not simulated.
    fn next(&self, kind: InputKind) -> Option<(Simulation, u32)> {
        let mut state = self.lock();
        let simulation = state.settings.of(kind).filter(|_| state.settings.is_on)?.clone();
        let given = &mut state.given[place(kind)];
        let number = *given;
        *given = given.saturating_add(1);
        Some((simulation, number))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn place(kind: InputKind) -> usize {
    match kind {
        InputKind::Sampling => 0,
        InputKind::Elicitation => 1,
        InputKind::Roots => 2,
    }
}

/// The responder of one connection.
pub(crate) struct Simulator {
    pub(crate) live: Arc<LiveSimulator>,
    pub(crate) roots: Arc<LiveRoots>,
    /// Who sees the requests that are held back; none on the command line.
    pub(crate) person: Option<Arc<Person>>,
    pub(crate) recorder: Recorder,
    /// How long a request is left unanswered where nobody can end it.
    pub(crate) patience: Duration,
}

impl std::fmt::Debug for Simulator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Simulator").field(&self.live).finish()
    }
}

impl Responder for Simulator {
    fn rule(&self) -> Option<String> {
        // Each decision is recorded here, with its own words.
        None
    }

    fn answers(&self) -> Vec<Answers> {
        if self.person.is_some() {
            // The person declares everything, whatever is simulated at the moment.
            return Vec::new();
        }
        let simulated = self.live.lock().settings.simulated();
        let capability = |kind| match kind {
            InputKind::Sampling => "{\"tools\":{}}",
            InputKind::Elicitation => "{\"form\":{},\"url\":{}}",
            InputKind::Roots => "{}",
        };
        simulated
            .into_iter()
            .map(|kind| Answers {
                kind: match kind {
                    InputKind::Sampling => patchbay_client::InputKind::Sampling,
                    InputKind::Elicitation => patchbay_client::InputKind::Elicitation,
                    InputKind::Roots => patchbay_client::InputKind::Roots,
                },
                capability: capability(kind),
                // A script may leave a request to a later responder.
                always: false,
            })
            .collect()
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        Box::pin(self.answer(question))
    }
}

/// How a request that was held back went on.
enum HoldEnd {
    /// The time has come.
    Due,
    /// The user answered it.
    ByUser(InputReply),
    /// The settings changed.
    Changed,
}

impl Simulator {
    async fn answer(&self, question: &InputQuestion) -> Option<InputReply> {
        let mut changes = self.live.changes.subscribe();
        loop {
            changes.mark_unchanged();
            let planned = match plan::plan(
                self.live.next(kind_of(question.input.kind)),
                question,
                &self.roots,
            )
            .await
            {
                Plan::Answer(planned) => planned,
                Plan::PassOn => return None,
                Plan::Unusable(why) => return self.unusable(question, why),
            };
            match self.hold(question, &planned, &mut changes).await {
                HoldEnd::Changed => {}
                HoldEnd::ByUser(reply) => {
                    // Set once: the question ends here.
                    let _ = question.decision.set(None);
                    return Some(reply);
                }
                HoldEnd::Due => return Some(self.give(question, planned)),
            }
        }
    }

    fn give(&self, question: &InputQuestion, planned: Planned) -> InputReply {
        let Planned { reply, rule, .. } = planned;
        let reply = reply.unwrap_or_else(|| InputReply::Error {
            code: error_codes::INTERNAL_ERROR,
            message: format!(
                "the simulator gave no answer within {} s",
                self.patience.as_secs_f64()
            ),
            data: None,
        });
        record(&self.recorder, question, &reply, &rule);
        let _ = question.decision.set(Some(rule));
        reply
    }

    /// The settings cannot be applied: left to the next responder, or to the server as an error if there is no user.
    fn unusable(&self, question: &InputQuestion, why: String) -> Option<InputReply> {
        note(
            &self.recorder,
            question,
            format!("Not answered by rule: simulator. {why}"),
        );
        if self.person.is_none() {
            let _ = question.decision.set(Some("simulator".to_owned()));
            return Some(InputReply::Error {
                code: error_codes::INTERNAL_ERROR,
                message: format!("the simulator cannot answer: {why}"),
                data: None,
            });
        }
        let _ = question.proposal.set(InputProposal {
            result_json: None,
            reason: format!("The simulator did not answer. {why}"),
        });
        None
    }

    /// Puts a request that is held back into the queue, if there is one.
    fn show<'a>(
        &'a self,
        question: &'a InputQuestion,
        planned: &Planned,
        until: Option<Duration>,
    ) -> Result<Option<Waiting<'a>>, InputReply> {
        let shown = self.person.as_ref().map(|person| {
            let answers_at_ms = until.map(|delay| convert::at_ms(SystemTime::now() + delay));
            let rule = planned.rule.trim_start_matches("simulator, ").to_owned();
            person.show(question, Some(SimulatedInput { rule, answers_at_ms }))
        });
        shown.transpose()
    }

    /// Waits for the time of an answer, in the queue if there is one.
    async fn hold(
        &self,
        question: &InputQuestion,
        planned: &Planned,
        changes: &mut watch::Receiver<u32>,
    ) -> HoldEnd {
        if planned.reply.is_some() && planned.delay.is_zero() {
            return HoldEnd::Due;
        }
        let until = match (&planned.reply, &self.person) {
            (Some(_), _) => Some(planned.delay),
            (None, None) => Some(self.patience),
            (None, Some(_)) => None,
        };
        note(
            &self.recorder,
            question,
            format!("Held back {} by rule: {}", question.input.method, planned.rule),
        );
        let mut request = HeldRequest {
            simulator: self,
            question,
            rule: &planned.rule,
            is_open: true,
        };
        let mut shown = match self.show(question, planned, until) {
            Ok(shown) => shown,
            // The queue is full.
            Err(reply) => {
                request.is_open = false;
                record(&self.recorder, question, &reply, FULL);
                return HoldEnd::ByUser(reply);
            }
        };
        let first = tokio::select! {
            biased;
            act = acted(shown.as_mut()) => HoldEvent::User(act),
            () = elapsed(until) => HoldEvent::Ended(HoldEnd::Due),
            _ = changes.changed() => HoldEvent::Ended(HoldEnd::Changed),
        };
        request.is_open = false;
        match (first, shown) {
            (HoldEvent::User(UserAct::Answered(reply)), _) => HoldEnd::ByUser(reply),
            (HoldEvent::User(UserAct::TakenOver), Some(mut shown)) => {
                note(
                    &self.recorder,
                    question,
                    format!("{} was taken over from the simulator", question.input.method),
                );
                HoldEnd::ByUser(shown.answer().await)
            }
            // The user may have answered at the same moment.
            (HoldEvent::Ended(held), Some(mut shown)) => match shown.remove() {
                true => held,
                false => HoldEnd::ByUser(shown.answer().await),
            },
            (HoldEvent::Ended(held), None) => held,
            (HoldEvent::User(UserAct::TakenOver), None) => HoldEnd::Due,
        }
    }
}

/// What came first for a request that was held back.
enum HoldEvent {
    User(UserAct),
    Ended(HoldEnd),
}

/// What the user does with a request; never anything if nobody sees it.
async fn acted(shown: Option<&mut Waiting<'_>>) -> UserAct {
    match shown {
        Some(shown) => shown.act().await,
        None => std::future::pending().await,
    }
}

async fn elapsed(delay: Option<Duration>) {
    match delay {
        Some(delay) => tokio::time::sleep(delay).await,
        None => std::future::pending().await,
    }
}

/// A request that is held back. If dropped while it is open, the server has given up.
struct HeldRequest<'a> {
    simulator: &'a Simulator,
    question: &'a InputQuestion,
    rule: &'a str,
    is_open: bool,
}

impl Drop for HeldRequest<'_> {
    fn drop(&mut self) {
        if !self.is_open {
            return;
        }
        let Self {
            simulator,
            question,
            rule,
            ..
        } = self;
        note(
            &simulator.recorder,
            question,
            format!("Left {} unanswered by rule: {rule}", question.input.method),
        );
        if let Some(person) = &simulator.person {
            let rule = Some((*rule).to_owned());
            person.remember(ended_input(question, AnswerOutcome::Unanswered, rule));
        }
    }
}

#[cfg(test)]
mod tests;
