//! The authorization runs of one server, as reported by its credential provider: the current one and the previous ones.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use patchbay_auth as auth;
use patchbay_contract::*;
use patchbay_traffic::Recorder;
use tokio::sync::oneshot;
use url::Origin;

use super::convert as to;
use crate::{
    convert,
    dispatch::nudges::{Nudges, Topic},
};

/// The maximum number of runs that are kept.
pub(super) const MOST: usize = 20;

/// The runs of one server.
pub(crate) struct Runs {
    server: ServerId,
    nudges: Arc<Nudges>,
    recorder: Recorder,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Oldest first.
    runs: Vec<RunItem>,
    asked: Option<PendingQuestion>,
}

/// A question that waits for its answer.
struct PendingQuestion {
    /// Of the provider that asks. One that was replaced, because the settings changed, may still end a run.
    series: String,
    question: auth::Question,
    answer: oneshot::Sender<auth::Answer>,
}

/// Whether the provider of this series began the run.
pub(super) fn is_of_series(run: &RunId, series: &str) -> bool {
    let number = run.0.strip_prefix(series);
    number.is_some_and(|number| number.starts_with('-'))
}

/// The purpose of a run that has just ended.
pub(crate) struct EndedRun {
    pub(crate) cause: RunCause,
    pub(crate) state: RunState,
}

impl Runs {
    pub(super) fn new(
        server: ServerId,
        nudges: Arc<Nudges>,
        recorder: Recorder,
        known: Vec<RunItem>,
    ) -> Self {
        Self {
            server,
            nudges,
            recorder,
            state: Mutex::new(State {
                runs: known,
                asked: None,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) {
        self.nudges.changed(Topic::Authorization(self.server.clone()));
    }

    /// Records an event of the run with this id. Returns the purpose of the run if it ended.
    pub(super) fn record(&self, id: RunId, event: auth::RunEvent) -> Option<EndedRun> {
        let mut state = self.lock();
        let at = event.at;
        if let auth::RunEventKind::Begun { cause, steps } = &event.what {
            state.runs.push(begun(id.clone(), at, *cause, steps));
            while state.runs.len() > MOST {
                let oldest = oldest_to_drop(&state.runs);
                state.runs.remove(oldest);
            }
        }
        let run = state.runs.iter_mut().rfind(|run| run.id == id)?;
        let ended = matches!(event.what, auth::RunEventKind::Ended(_));
        apply(run, event.what, at, &|text| self.masked(text));
        let ended_run = ended.then_some(EndedRun {
            cause: run.cause,
            state: run.state,
        });
        if ended {
            state.asked.take_if(|asked| is_of_series(&id, &asked.series));
        }
        drop(state);
        self.changed();
        ended_run
    }

    /// Whether a run of this server succeeded at this address before. A server may name any other one at any time.
    pub(super) fn succeeded_at(&self, address: &auth::Url) -> bool {
        let origin = address.origin();
        self.lock()
            .runs
            .iter()
            .any(|run| sign_in(run).as_ref() == Some(&origin))
    }

    /// Whether the user began the latest run of the provider that begins this series of runs.
    pub(super) fn is_of_user(&self, series: &str) -> bool {
        let state = self.lock();
        let latest = state.runs.iter().rfind(|run| is_of_series(&run.id, series));
        latest.is_some_and(|run| matches!(run.cause, RunCause::User | RunCause::Forget))
    }

    /// Shows that the address of the latest run is opened when the user says so.
    pub(super) fn await_open(&self) {
        if let Some(run) = self.lock().runs.last_mut() {
            run.awaits_open = Some(true);
        }
        self.changed();
    }

    /// Accepts an answer to this question of a provider, which begins this series of runs, from now on. The future waits for it:
    /// none if nobody can answer (any more).
    pub(super) fn ask(
        &self,
        series: &str,
        question: auth::Question,
    ) -> impl Future<Output = Option<auth::Answer>> + use<> {
        let (answer, answered) = oneshot::channel();
        self.lock().asked = Some(PendingQuestion {
            series: series.to_owned(),
            question,
            answer,
        });
        async { answered.await.ok() }
    }

    /// Passes the user's answer to the waiting question.
    ///
    /// # Errors
    /// No question is waiting, or a different one; the reason in words.
    pub(super) fn answer(&self, run: &RunId, answer: AuthorizationAnswer) -> Result<(), AnswerError> {
        let mut state = self.lock();
        if state
            .runs
            .last()
            .is_none_or(|last| last.id != *run || last.ended_at_ms.is_some())
        {
            return Err(AnswerError::Gone);
        }
        let asked = state.asked.take_if(|asked| is_of_series(run, &asked.series));
        let asked = asked.ok_or(AnswerError::Gone)?;
        match to::answer(&asked.question, answer) {
            Ok(answer) => {
                drop(state);
                asked.answer.send(answer).map_err(|_| AnswerError::Gone)
            }
            Err(why) => {
                state.asked = Some(asked);
                Err(AnswerError::WrongKind(why))
            }
        }
    }

    /// The run with this id, or the latest one.
    pub(super) fn get(&self, id: Option<&RunId>) -> Option<RunItem> {
        let state = self.lock();
        match id {
            Some(id) => state.runs.iter().find(|run| run.id == *id).cloned(),
            None => state.runs.last().cloned(),
        }
    }

    /// Newest first.
    pub(super) fn history(&self) -> Vec<RunSummaryItem> {
        self.lock().runs.iter().rev().map(summary).collect()
    }

    /// The ended runs, as they are stored on disk.
    pub(super) fn ended(&self) -> Vec<RunItem> {
        let state = self.lock();
        state
            .runs
            .iter()
            .filter(|run| run.ended_at_ms.is_some())
            .cloned()
            .collect()
    }

    fn masked(&self, text: String) -> String {
        let bytes = self.recorder.masked(bytes::Bytes::from(text));
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Why an answer was rejected.
#[derive(Debug)]
pub(super) enum AnswerError {
    /// No question is waiting.
    Gone,
    /// A different question is waiting; the reason in words.
    WrongKind(&'static str),
}

/// The origin at which the user signed in, if the run succeeded.
fn sign_in(run: &RunItem) -> Option<Origin> {
    let url = run.authorization_url.as_deref()?;
    let is_done = run.state == RunState::Done;
    auth::Url::parse(url)
        .ok()
        .filter(|_| is_done)
        .map(|url| url.origin())
}

/// The oldest run, except that the latest sign-in at each origin stays longer: it says which addresses are known, and many
/// refreshes follow one.
fn oldest_to_drop(runs: &[RunItem]) -> usize {
    let origins: Vec<Option<Origin>> = runs.iter().map(sign_in).collect();
    let is_latest = |at: usize| origins[at].is_some() && !origins[at + 1..].contains(&origins[at]);
    let older = runs.len().saturating_sub(1);
    (0..older).find(|at| !is_latest(*at)).unwrap_or(0)
}

fn begun(id: RunId, at: SystemTime, cause: auth::Cause, steps: &[auth::Step]) -> RunItem {
    RunItem {
        id,
        started_at_ms: convert::at_ms(at),
        ended_at_ms: None,
        cause: to::cause(cause),
        state: RunState::Running,
        steps: steps.iter().map(|step| pending(*step)).collect(),
        question: None,
        authorization_url: None,
        awaits_open: None,
        redirect_uri: None,
    }
}

fn pending(step: auth::Step) -> StepItem {
    StepItem {
        step: to::step(step),
        state: StepState::Pending,
        started_at_ms: None,
        duration_ms: None,
        summary: String::new(),
        explanation: step.explanation().to_owned(),
        attempts: Vec::new(),
        facts: Vec::new(),
        failure: None,
    }
}

/// The step of a run. An unplanned step is added.
fn step_of(run: &mut RunItem, step: auth::Step) -> &mut StepItem {
    let wanted = to::step(step);
    let at = run.steps.iter().position(|item| item.step == wanted);
    let at = at.unwrap_or_else(|| {
        run.steps.push(pending(step));
        run.steps.len() - 1
    });
    &mut run.steps[at]
}

fn apply(run: &mut RunItem, what: auth::RunEventKind, at: SystemTime, masked: &dyn Fn(String) -> String) {
    use auth::RunEventKind;
    let at_ms = convert::at_ms(at);
    match what {
        RunEventKind::Begun { .. } => {}
        RunEventKind::StepBegun(step) => {
            let item = step_of(run, step);
            item.state = StepState::Running;
            item.started_at_ms.get_or_insert(at_ms);
            resume(run);
        }
        RunEventKind::Attempt(step, attempt) => {
            let item = to::attempt(attempt, at_ms, masked);
            step_of(run, step).attempts.push(item);
        }
        RunEventKind::Browser { url, redirect_uri } => {
            run.authorization_url = Some(url.into());
            run.redirect_uri = Some(redirect_uri);
            run.question = Some(QuestionItem::Callback);
            run.state = RunState::Waiting;
            step_of(run, auth::Step::Authorization).state = StepState::Waiting;
        }
        RunEventKind::Asked(step, question) => {
            run.question = Some(to::question(question));
            run.state = RunState::Waiting;
            step_of(run, step).state = StepState::Waiting;
        }
        RunEventKind::Resumed(step) => {
            step_of(run, step).state = StepState::Running;
            resume(run);
        }
        RunEventKind::StepDone { step, summary, facts } => {
            let item = step_of(run, step);
            end(item, StepState::Done, at_ms);
            item.summary = masked(summary);
            item.facts = facts.into_iter().map(|fact| to::fact(fact, masked)).collect();
            resume(run);
        }
        RunEventKind::StepSkipped { step, why } => {
            let item = step_of(run, step);
            item.state = StepState::Skipped;
            item.summary = masked(why);
        }
        RunEventKind::StepFailed(failure) => {
            let item = step_of(run, failure.step);
            end(item, StepState::Failed, at_ms);
            item.summary = masked(failure.cause.clone());
            item.failure = Some(to::failure(failure, masked));
        }
        RunEventKind::Ended(ending) => ended(run, ending, at_ms),
    }
}

/// The run no longer waits for an answer.
fn resume(run: &mut RunItem) {
    run.state = RunState::Running;
    run.question = None;
}

fn end(item: &mut StepItem, state: StepState, at_ms: f64) {
    item.state = state;
    let begun = *item.started_at_ms.get_or_insert(at_ms);
    item.duration_ms = Some((at_ms - begun).max(0.0));
}

fn ended(run: &mut RunItem, ending: auth::Ending, at_ms: f64) {
    run.state = to::ending(ending);
    run.ended_at_ms = Some(at_ms);
    run.question = None;
    run.awaits_open = None;
    // Its one-time values are useless after this run. The rest explains the run in the history.
    run.authorization_url = run.authorization_url.take().map(|url| to::used(&url));
    for item in &mut run.steps {
        match item.state {
            StepState::Pending => item.state = StepState::Skipped,
            StepState::Running | StepState::Waiting => {
                end(item, StepState::Failed, at_ms);
                "Not finished.".clone_into(&mut item.summary);
            }
            StepState::Done | StepState::Failed | StepState::Skipped => {}
        }
    }
}

fn summary(run: &RunItem) -> RunSummaryItem {
    let failed = run
        .steps
        .iter()
        .rev()
        .find(|step| step.state == StepState::Failed);
    let done = || run.steps.iter().rev().find(|step| step.state == StepState::Done);
    let said = match run.state {
        RunState::Running => "In progress.".to_owned(),
        RunState::Waiting => "Waiting for you.".to_owned(),
        RunState::Cancelled => "Cancelled.".to_owned(),
        RunState::Done | RunState::Failed => failed
            .or_else(done)
            .map(|step| step.summary.clone())
            .unwrap_or_default(),
    };
    RunSummaryItem {
        id: run.id.clone(),
        started_at_ms: run.started_at_ms,
        ended_at_ms: run.ended_at_ms,
        cause: run.cause,
        state: run.state,
        summary: said,
    }
}
