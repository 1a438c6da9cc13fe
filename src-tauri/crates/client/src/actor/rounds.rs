//! Requests over several rounds (2026-07-28, `basic/patterns/mrtr`): the server requires input, and the call continues with
//! it under a new id. What belongs to one call is never given to another.

use std::time::Duration;

use patchbay_observe::InputRound;
use patchbay_protocol::views::InputAsked;
use patchbay_traffic::Seq;
use tokio::time::Instant;

use super::{
    Actor,
    inputs::{Question, given},
};
use crate::{
    Answer, ExchangeEvent, InputKind, InputReply, InputWatch, Outcome,
    call::{Call, RoundInput},
    pending::NEVER,
    pending_inputs::ReplyTarget,
    round::{Part, Round},
};

const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause before a call is sent again.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

impl Actor {
    /// The server asks for input before it continues.
    pub(super) fn input_required(&mut self, mut call: Box<Call>, answer: Answer, round: InputRound<'_>) {
        let InputRound { view, refusal } = round;
        let refusal = refusal.or_else(|| {
            (call.rounds as usize >= self.options.limits.input_rounds).then(|| {
                format!(
                    "the server has asked in {} rounds already, and no more are allowed",
                    call.rounds
                )
            })
        });
        if let Some(why) = refusal {
            return call.finish(&self.wakes, Outcome::InputRequired(why), Some(answer), None);
        }
        call.rounds += 1;
        call.send(ExchangeEvent::InputRound {
            round: call.rounds,
            seq: answer.seq,
            inputs: view.requests.len(),
        });
        let state = view.state.map(str::to_owned);
        if view.requests.is_empty() {
            self.pending_inputs
                .pause(pause_before(call.rounds), call.exchange);
        }
        let exchange = call.exchange;
        for (index, asked) in view.requests.iter().enumerate() {
            let question = question(asked, &call, answer.seq);
            if let Err(why) = self.ask(question, ReplyTarget::Round { exchange, index }) {
                self.withdraw_round(exchange);
                return call.finish(&self.wakes, Outcome::InputRequired(why), Some(answer), None);
            }
        }
        let wanted = view.requests.iter().map(|asked| Part {
            method: asked.method.to_string(),
            key_text: asked.key_text.to_owned(),
            result: None,
        });
        let patience = call
            .timeouts
            .request
            .min(call.timeouts.max_total.saturating_sub(call.served()))
            .min(NEVER);
        let deadline = call.timeouts.count_input_wait.then(|| Instant::now() + patience);
        let round = Round {
            wanted: wanted.collect(),
            call,
            answer,
            state,
            since: Instant::now(),
            deadline,
        };
        self.rounds.insert(exchange, round);
    }

    /// One of the inputs of a round was replied to.
    pub(super) async fn round_replied(&mut self, exchange: u64, index: usize, reply: InputReply) {
        let Some(round) = self.rounds.get_mut(&exchange) else {
            return;
        };
        let Some(part) = round.wanted.get_mut(index) else {
            return;
        };
        match given(&part.method, reply) {
            Ok(result) => {
                part.result = Some(result);
                if round.wanted.iter().any(|part| part.result.is_none()) {
                    return;
                }
            }
            Err(refusal) => {
                let why = format!("{} was refused: {}", part.method, refusal.message);
                if let Some((call, answer)) = self.end_round(exchange) {
                    call.finish(&self.wakes, Outcome::InputRequired(why), Some(answer), None);
                }
                return;
            }
        }
        let Some(mut round) = self.rounds.remove(&exchange) else {
            return;
        };
        round.call.human_wait += round.since.elapsed();
        self.next_leg(round).await;
    }

    /// The server had wanted nothing but to be asked again.
    pub(super) async fn asked_again(&mut self, exchange: u64) {
        if let Some(round) = self.rounds.remove(&exchange) {
            self.next_leg(round).await;
        }
    }

    async fn next_leg(&mut self, mut round: Round) {
        let responses = round
            .wanted
            .into_iter()
            .filter_map(|part| Some((part.key_text, part.result?)));
        round.call.given = Some(RoundInput {
            responses: responses.collect(),
            state: round.state,
        });
        self.leg(round.call).await;
    }

    /// Takes a call out of its round and withdraws what is asked for it.
    pub(super) fn end_round(&mut self, exchange: u64) -> Option<(Box<Call>, Answer)> {
        let mut round = self.rounds.remove(&exchange)?;
        round.call.human_wait += round.since.elapsed();
        self.withdraw_round(exchange);
        Some((round.call, round.answer))
    }

    /// When the next round is over whose wait counts.
    pub(super) fn next_round_deadline(&self) -> Option<Instant> {
        self.rounds.values().filter_map(|round| round.deadline).min()
    }

    /// Ends the calls that have waited for people for too long.
    pub(super) fn expire_rounds(&mut self, now: Instant) {
        let is_over = |round: &Round| round.deadline.is_some_and(|deadline| deadline <= now);
        let over: Vec<u64> = self
            .rounds
            .iter()
            .filter(|(_, round)| is_over(round))
            .map(|(exchange, _)| *exchange)
            .collect();
        for exchange in over {
            if let Some((call, _)) = self.end_round(exchange) {
                let after = call.served();
                call.finish(&self.wakes, Outcome::TimedOut { after }, None, None);
            }
        }
    }

    fn withdraw_round(&mut self, wanted: u64) {
        self.pending_inputs
            .withdraw(None, |known| matches!(known, ReplyTarget::Round { exchange, .. } | ReplyTarget::Later { exchange } if *exchange == wanted));
    }
}

/// How long to wait before a server that only wants to be asked again is asked again: "the client MAY retry the original
/// request immediately", but one that says so over and over is given time.
fn pause_before(round: u32) -> Duration {
    match round.checked_sub(2) {
        None => Duration::ZERO,
        Some(doubled) => (FIRST_PAUSE * 2_u32.saturating_pow(doubled)).min(LONGEST_PAUSE),
    }
}

fn question<'a>(asked: &'a InputAsked<'_>, call: &Call, seq: Seq) -> Question<'a> {
    Question {
        key: asked.key.to_string(),
        task: None,
        kind: InputKind::of(&asked.method).unwrap_or(InputKind::Elicitation),
        method: &asked.method,
        params: asked.params,
        about: call.latest,
        exchange: Some(call.exchange),
        operation: call.request.operation,
        during: Vec::new(),
        seq,
        round: Some(call.rounds),
        // It ends with its call.
        watch: InputWatch::default(),
    }
}
