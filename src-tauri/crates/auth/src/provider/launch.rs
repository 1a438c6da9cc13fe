//! Starts runs, each in a separate task. A task ends when its run is done or cancelled: every request has a time limit, and
//! only a refresh or a revocation outlives the last provider.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use patchbay_traffic::OperationId;
use tokio::sync::{mpsc, watch};

use super::state::{Outcome, Running, Shared, State, outcome_of};
use crate::run::guard::Guard;
use crate::run::net::Net;
use crate::run::reporter::{Facts, RunReporter};
use crate::run::{Found, Plan, Run};
use crate::token::refresh::{self, Stale};
use crate::token::revocation;
use crate::{Cause, Failure, GrantChoice, RunId, Step};

/// The task of a run.
pub(super) enum Work {
    Full(Box<Plan>),
    Refresh,
    Forget,
}

impl Work {
    fn steps(&self) -> Vec<Step> {
        match self {
            Self::Full(plan) if plan.more => Step::MORE.to_vec(),
            Self::Full(_) => Step::RUN.to_vec(),
            Self::Refresh => vec![Step::Refresh],
            Self::Forget => vec![Step::Revocation],
        }
    }
}

/// A run to start.
pub(super) struct Job {
    pub(super) cause: Cause,
    pub(super) work: Work,
    /// The purpose of the refused request that caused it. Successful runs are counted per purpose.
    pub(super) purpose: Option<String>,
    /// The operation that its exchanges are recorded as part of.
    pub(super) operation: Option<OperationId>,
}

impl Job {
    /// A run that no refused request caused.
    pub(super) fn new(cause: Cause, work: Work, operation: Option<OperationId>) -> Self {
        Self {
            cause,
            work,
            purpose: None,
            operation,
        }
    }
}

/// Returns the outcome of the current run, or starts one.
pub(super) fn join_or_start(shared: &Arc<Shared>, job: Job) -> Outcome {
    let mut state = shared.state();
    match &state.running {
        Some(running) if running.cause != Cause::Forget => running.outcome.clone(),
        _ => spawn(shared, &mut state, job).1,
    }
}

/// Returns the outcome of the current refresh, or starts one. `None` while a run is active that may need the user.
pub(super) fn refresh_or_join(shared: &Arc<Shared>, operation: Option<OperationId>) -> Option<Outcome> {
    if let Some(running) = &shared.state().running {
        return running.refreshes.then(|| running.outcome.clone());
    }
    Some(refresh_for(shared, operation))
}

/// Returns the outcome of the current run, or of a refresh that belongs to this operation.
pub(super) fn refresh_for(shared: &Arc<Shared>, operation: Option<OperationId>) -> Outcome {
    join_or_start(shared, Job::new(Cause::Refresh, Work::Refresh, operation))
}

/// Starts a run and cancels the current one.
pub(super) fn begin(shared: &Arc<Shared>, job: Job) -> (RunId, Outcome) {
    spawn(shared, &mut shared.state(), job)
}

#[expect(
    clippy::disallowed_methods,
    reason = "it ends with its run: `Running` cancels one that waits for the user, and the requests of a refresh or a \
              revocation, which must not be cut short, have a time limit"
)]
fn spawn(shared: &Arc<Shared>, state: &mut State, job: Job) -> (RunId, Outcome) {
    let id = shared.next_id();
    let (cancel, cancelled) = watch::channel(false);
    let (ended, outcome) = watch::channel(None);
    let (pasted, brought) = mpsc::channel(4);
    let running = Running {
        id,
        cause: job.cause,
        refreshes: matches!(job.work, Work::Refresh),
        cancel,
        outcome: outcome.clone(),
        pasted,
    };
    let before = state.running.replace(running).map(|before| {
        before.cancel.send_replace(true);
        before.outcome
    });
    let shared = Arc::clone(shared);
    tokio::spawn(async move {
        // The previous run holds its port and its lock in the vault until it has ended.
        if let Some(before) = before {
            let _ = outcome_of(before).await;
        }
        let purpose = job.purpose.clone();
        let outcome = Box::pin(run_to_end(&shared, id, job, cancelled, brought)).await;
        {
            let mut state = shared.state();
            if state.running.as_ref().is_some_and(|running| running.id == id) {
                state.running = None;
            }
            if let Some(purpose) = purpose.filter(|_| outcome.is_ok()) {
                let now = shared.host.now();
                let tries = state.tries.entry(purpose).or_insert((0, now));
                *tries = (tries.0 + 1, now);
            }
        }
        ended.send_replace(Some(outcome));
    });
    (id, outcome)
}

/// Runs until the end, a cancellation, or a panic in a step, which fails the run.
async fn run_to_end(
    shared: &Arc<Shared>,
    id: RunId,
    job: Job,
    mut cancelled: watch::Receiver<bool>,
    pasted: mpsc::Receiver<String>,
) -> Result<(), Failure> {
    let Job {
        cause,
        work,
        operation,
        ..
    } = job;
    // A refresh is not interrupted: its refresh token can be used only once. Deleting is always completed.
    let may_end_early = matches!(work, Work::Full(_));
    let reporter = Arc::new(RunReporter::begin(
        Arc::clone(&shared.host),
        id,
        cause,
        work.steps(),
        cancelled.clone(),
    ));
    let outcome = tokio::select! {
        biased;
        // If the provider was dropped without cancelling, this never completes.
        _ = cancelled.wait_for(|cancelled| *cancelled), if may_end_early => Err(Failure::cancelled(reporter.at())),
        outcome = AssertUnwindSafe(act(shared, &reporter, work, operation, pasted)).catch_unwind() => {
            outcome.unwrap_or_else(|panic| Err(crashed(reporter.at(), &*panic)))
        }
    };
    let outcome = outcome.map_err(|failure| reporter.masked_failure(failure));
    reporter.end(&outcome);
    outcome
}

/// The failure of a step that panicked.
fn crashed(step: Step, panic: &(dyn Any + Send)) -> Failure {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    Failure::new(
        step,
        format!(
            "Patchbay ended this run because of an internal error: {}",
            text.unwrap_or("no message")
        ),
        "Authorize again. If it happens again, report it together with the recorded traffic.",
    )
}

async fn act(
    shared: &Arc<Shared>,
    reporter: &Arc<RunReporter>,
    work: Work,
    operation: Option<OperationId>,
    pasted: mpsc::Receiver<String>,
) -> Result<(), Failure> {
    let wire = shared.host.wire().map_err(|cause| {
        Failure::new(
            reporter.at(),
            cause,
            "Check the connection settings of this server.",
        )
    })?;
    let limit = shared.settings.request_limit;
    let net = Net::new(
        wire,
        operation,
        Guard::new(shared.server.clone(), shared.peer()),
        Arc::clone(reporter),
        limit,
    );
    net.redact(shared.settings.secrets());
    match work {
        Work::Full(plan) => Box::pin(full(shared, &net, *plan, pasted)).await,
        Work::Refresh => Box::pin(renew(shared, &net)).await,
        Work::Forget => Box::pin(forget(shared, &net)).await,
    }
}

async fn full(
    shared: &Arc<Shared>,
    net: &Net,
    plan: Plan,
    pasted: mpsc::Receiver<String>,
) -> Result<(), Failure> {
    let mut found: Found = shared.state().found.clone();
    let run = Run {
        net,
        host: &shared.host,
        store: &shared.store,
        settings: &shared.settings,
        server: &shared.server,
        nonces: &shared.nonces,
        plan,
        pasted,
    };
    let outcome = Box::pin(run.full(&mut found)).await;
    shared.state().found = found;
    shared.adopt_renewed(outcome?);
    Ok(())
}

async fn renew(shared: &Arc<Shared>, net: &Net) -> Result<(), Failure> {
    let Some((tokens, _)) = shared.current() else {
        let is_stored = shared.state().kept.tokens.is_some();
        let cause = match is_stored {
            true => {
                "the stored token does not fit the settings of this server (its grant, its client, or DPoP)"
            }
            false => "there is no token to refresh",
        };
        return Err(Failure::new(Step::Refresh, cause, "Authorize first."));
    };
    if !shared.can_refresh(&tokens) && !matches!(shared.settings.grant, GrantChoice::AuthorizationCode) {
        let cause =
            "this grant issues no refresh token; a new token is requested when the server asks for one";
        return Err(Failure::new(Step::Refresh, cause, "Authorize again instead."));
    }
    let stale = Stale {
        tokens,
        is_unsaved: shared.state().is_unsaved,
    };
    let renewed = refresh::refresh(
        net,
        shared.host.as_ref(),
        shared.store.as_ref(),
        &shared.settings,
        &stale,
        &shared.nonces,
    );
    match renewed.await {
        Ok(renewed) => {
            shared.adopt_renewed(renewed);
            Ok(())
        }
        Err(not) => {
            if not.dead
                && let Some(tokens) = &mut shared.state().kept.tokens
            {
                tokens.refresh = None;
            }
            Err(not.failure)
        }
    }
}

/// Revokes and deletes the tokens.
async fn forget(shared: &Arc<Shared>, net: &Net) -> Result<(), Failure> {
    let forgotten = shared.forget(Box::pin(revoke(shared, net))).await;
    forgotten.map_err(|error| error.at(Step::Revocation))?
}

/// Revokes what is stored now: another window or program may have refreshed it. What cannot be read is deleted nevertheless.
async fn revoke(shared: &Arc<Shared>, net: &Net) -> Result<(), Failure> {
    if let Err(error) = shared.reload().await {
        tracing::warn!(
            cause = error.cause,
            "the stored tokens cannot be read before they are deleted"
        );
    }
    let kept = shared.state().kept.clone();
    let Some(tokens) = &kept.tokens else {
        net.reporter().step(Step::Revocation);
        net.reporter()
            .done("The token was deleted in the meantime.", Facts::default());
        return Ok(());
    };
    net.redact(tokens.secrets());
    match refresh::issued_to(&shared.settings, &kept, tokens) {
        Some(client) => revocation::revoke(net, tokens, &client).await,
        None => Err(revocation::without_client(tokens)),
    }
}
