//! Beginning runs, each a task of its own, and ending them.

use std::sync::Arc;

use tokio::sync::{mpsc, watch};

use super::state::{Outcome, Running, Shared, State, waited};
use crate::net::Net;
use crate::refresh;
use crate::run::{self, Found, Plan, Run};
use crate::telling::Telling;
use crate::{Cause, Failure, GrantChoice, RegisteredClient, RunId, Step, TokenSet, revocation};

/// What a run is to do.
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

/// The outcome of the run that goes on, or else of a new one. `purpose` is for whom it is made.
pub(super) fn join_or_begin(
    shared: &Arc<Shared>,
    cause: Cause,
    work: Work,
    purpose: Option<String>,
) -> Outcome {
    let mut state = shared.state();
    match &state.running {
        Some(running) if running.cause != Cause::Forget => running.outcome.clone(),
        _ => spawn(shared, &mut state, cause, work, purpose).1,
    }
}

/// A new run; the one that goes on is cancelled.
pub(super) fn begin(
    shared: &Arc<Shared>,
    cause: Cause,
    work: Work,
    purpose: Option<String>,
) -> (RunId, Outcome) {
    spawn(shared, &mut shared.state(), cause, work, purpose)
}

fn spawn(
    shared: &Arc<Shared>,
    state: &mut State,
    cause: Cause,
    work: Work,
    purpose: Option<String>,
) -> (RunId, Outcome) {
    let id = shared.next_id();
    let (cancel, cancelled) = watch::channel(false);
    let (ended, outcome) = watch::channel(None);
    let (pasted, brought) = mpsc::channel(4);
    let running = Running {
        id,
        cause,
        refreshes: matches!(work, Work::Refresh),
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
        // Its port and its place in the vault are free then.
        if let Some(before) = before {
            let _ = waited(before).await;
        }
        let outcome = Box::pin(carry_out(&shared, id, cause, work, cancelled, brought)).await;
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

/// A run, to its end or until it is cancelled.
async fn carry_out(
    shared: &Arc<Shared>,
    id: RunId,
    cause: Cause,
    work: Work,
    mut cancelled: watch::Receiver<bool>,
    pasted: mpsc::Receiver<String>,
) -> Result<(), Failure> {
    // A refresh token that is used up while nobody waits for the new one would be lost; and what is to be forgotten shall be.
    let may_end_early = matches!(work, Work::Full(_));
    let telling = Arc::new(Telling::begin(Arc::clone(&shared.host), id, cause, work.steps()));
    let outcome = tokio::select! {
        biased;
        // Never reached if the keeper that could cancel is gone before it did: then it is as if it had.
        _ = cancelled.wait_for(|cancelled| *cancelled), if may_end_early => Err(Failure::cancelled(telling.at())),
        outcome = act(shared, &telling, work, pasted) => outcome,
    };
    let outcome = outcome.map_err(|failure| telling.veiled_failure(failure));
    telling.end(&outcome);
    outcome
}

async fn act(
    shared: &Arc<Shared>,
    telling: &Arc<Telling>,
    work: Work,
    pasted: mpsc::Receiver<String>,
) -> Result<(), Failure> {
    let wire = shared.host.wire().map_err(|cause| {
        Failure::new(
            telling.at(),
            cause,
            "Check the connection settings of this server.",
        )
    })?;
    let limit = shared.settings.request_limit;
    let net = Net::new(wire, shared.server.clone(), Arc::clone(telling), limit);
    net.redact(run::secrets(&shared.settings));
    match work {
        Work::Full(plan) => Box::pin(full(shared, &net, *plan, pasted)).await,
        Work::Refresh => Box::pin(renew(shared, &net)).await,
        Work::Forget => {
            let revoked = Box::pin(revoke(shared, &net)).await;
            let forgotten = shared.forget().await;
            forgotten.map_err(|error| Failure::keep(Step::Revocation, error))?;
            revoked
        }
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
        keep: &shared.keep,
        settings: &shared.settings,
        server: &shared.server,
        plan,
        pasted,
    };
    let outcome = Box::pin(run.full(&mut found)).await;
    shared.state().found = found;
    shared.adopt(outcome?);
    Ok(())
}

async fn renew(shared: &Arc<Shared>, net: &Net) -> Result<(), Failure> {
    let Some((tokens, _)) = shared.current() else {
        return Err(Failure::new(
            Step::Refresh,
            "there is no token to renew",
            "Authorize first.",
        ));
    };
    if !shared.can_refresh(&tokens) && !matches!(shared.settings.grant, GrantChoice::AuthorizationCode) {
        let cause = "this grant gives no refresh token: a new token is asked for when the server wants one";
        return Err(Failure::new(Step::Refresh, cause, "Authorize again instead."));
    }
    let renewed = refresh::refresh(
        net,
        shared.host.as_ref(),
        shared.keep.as_ref(),
        &shared.settings,
        &tokens,
    );
    match renewed.await {
        Ok(renewed) => {
            shared.adopt(renewed.kept);
            if let Some(error) = renewed.unkept {
                shared.state().problem = Some(error.cause);
            }
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

async fn revoke(shared: &Arc<Shared>, net: &Net) -> Result<(), Failure> {
    match issued_to(shared) {
        Some((tokens, client)) => revocation::revoke(net, &tokens, &client).await,
        None => Ok(()),
    }
}

/// The token, and the client it was issued to.
fn issued_to(shared: &Shared) -> Option<(TokenSet, RegisteredClient)> {
    let state = shared.state();
    let tokens = state.kept.tokens.clone()?;
    let of = |client: &&RegisteredClient| client.issuer == tokens.issuer && client.id == tokens.client_id;
    let client = state.kept.clients.iter().find(of)?.clone();
    Some((tokens, client))
}
