//! Decides what to do when the server refuses a request.

use std::sync::Arc;
use std::time::Duration;

use patchbay_http::Refusal;

use super::launch::{self, Job, Work};
use super::state::{Outcome, Shared, outcome_of};
use crate::challenge::Challenge;
use crate::run::{Challenged, Plan};
use crate::{Cause, Failure, Step, TokenSet, TokenStoreError, rules};

/// The maximum number of consecutive runs for the same purpose.
const TRIES: u32 = 3;
/// Runs that are further apart are not consecutive.
const ROW: Duration = Duration::from_secs(60);

/// Decides what to do: use a newer token, wait for the current run, refresh once after a 401 and then authorize again, or
/// request more scopes after a 403.
pub(super) async fn decide(shared: &Arc<Shared>, refusal: Refusal) -> Result<(), Failure> {
    shared.seen_at(refusal.peer);
    let challenge = Challenge::read(&refusal.www_authenticate);
    if newer(shared, &refusal) {
        return Ok(());
    }
    if let Some((outcome, refreshes)) = current_run(shared) {
        let outcome = outcome_of(outcome).await;
        // A failed refresh is not final: a full run may still help.
        if outcome.is_ok() || !refreshes {
            return outcome;
        }
    }
    match reload_if_newer(shared, &refusal).await {
        Ok(true) => return Ok(()),
        Ok(false) => {}
        Err(error) => {
            return Err(error.at(first_step(&refusal)).seen_in(refusal.exchange));
        }
    }
    if refusal.status != 403
        && let Some(outcome) = refreshed(shared, &refusal)
    {
        let outcome = outcome_of(outcome).await;
        let still = shared.current();
        match outcome {
            Ok(()) => {
                let mut state = shared.state();
                state.refreshed = Some((state.version, refusal.purpose));
                return Ok(());
            }
            // The authorization server is unreachable, or the user cancelled: authorizing in the browser would not help.
            Err(failure)
                if failure.cancelled || still.is_some_and(|(tokens, _)| shared.can_refresh(&tokens)) =>
            {
                return Err(failure);
            }
            Err(_) => {}
        }
    }
    if let Some(failure) = too_many_attempts(shared, &refusal, challenge.as_ref()) {
        return Err(failure);
    }
    outcome_of(launch::join_or_start(shared, job(refusal, challenge))).await
}

/// The run for a refused request.
fn job(refusal: Refusal, challenge: Option<Challenge>) -> Job {
    let more = refusal.status == 403;
    let plan = Plan {
        challenge: Some(Challenged {
            status: refusal.status,
            purpose: refusal.purpose.clone(),
            challenge,
            exchange: refusal.exchange,
        }),
        more,
        from: Step::Challenge,
        scopes: None,
    };
    Job {
        cause: if more { Cause::StepUp } else { Cause::Challenge },
        work: Work::Full(Box::new(plan)),
        purpose: Some(refusal.purpose),
        operation: refusal.operation,
    }
}

/// As [`decide`], but without the user: a newer token or a refresh. More scopes need the user.
pub(super) async fn renew_quietly(shared: &Arc<Shared>, refusal: &Refusal) -> bool {
    if newer(shared, refusal) {
        return true;
    }
    match reload_if_newer(shared, refusal).await {
        Ok(false) => {}
        Ok(true) => return true,
        Err(_) => return false,
    }
    let renewable = shared
        .current()
        .is_some_and(|(tokens, _)| shared.can_refresh(&tokens));
    if refusal.status == 403 || !renewable {
        return false;
    }
    match launch::refresh_or_join(shared, refusal.operation) {
        Some(outcome) => outcome_of(outcome).await.is_ok(),
        None => false,
    }
}

fn first_step(refusal: &Refusal) -> Step {
    if refusal.status == 403 {
        Step::StepUp
    } else {
        Step::Challenge
    }
}

/// Whether there is a token that the refused request did not carry.
fn newer(shared: &Shared, refusal: &Refusal) -> bool {
    let now = shared.host.now();
    shared.current().is_some_and(|(tokens, version)| {
        refusal.used.is_none_or(|used| version > used) && !tokens.is_expired(now)
    })
}

/// As [`newer`], after loading tokens that another window or process may have stored.
async fn reload_if_newer(shared: &Shared, refusal: &Refusal) -> Result<bool, TokenStoreError> {
    shared.reload().await?;
    Ok(newer(shared, refusal))
}

/// The outcome of the current run, and whether it is a refresh.
fn current_run(shared: &Shared) -> Option<(Outcome, bool)> {
    let state = shared.state();
    let running = state
        .running
        .as_ref()
        .filter(|running| running.cause != Cause::Forget)?;
    Some((running.outcome.clone(), running.refreshes))
}

/// Refreshes, unless the refused token is the result of a refresh for the same purpose.
fn refreshed(shared: &Arc<Shared>, refusal: &Refusal) -> Option<Outcome> {
    let (tokens, version): (TokenSet, u64) = shared.current()?;
    let already_refreshed = (version, refusal.purpose.clone());
    let again = shared.state().refreshed == Some(already_refreshed) && refusal.used == Some(version);
    if again || !shared.can_refresh(&tokens) {
        return None;
    }
    Some(launch::refresh_for(shared, refusal.operation))
}

/// The failure if this purpose was authorized too often in a row.
fn too_many_attempts(shared: &Shared, refusal: &Refusal, challenge: Option<&Challenge>) -> Option<Failure> {
    let now = shared.host.now();
    let mut state = shared.state();
    state
        .tries
        .retain(|_, (_, last)| now.duration_since(*last).is_ok_and(|since| since < ROW));
    let (tries, _) = *state.tries.get(&refusal.purpose)?;
    if tries < TRIES {
        return None;
    }
    let said = challenge
        .and_then(|challenge| {
            challenge
                .error_description
                .as_deref()
                .or(challenge.error.as_deref())
        })
        .map(|text| format!(" ({})", crate::grant::callback::shown(text)))
        .unwrap_or_default();
    let failure = match refusal.status {
        403 => Failure::new(
            Step::StepUp,
            format!("the server still answers 403 insufficient_scope{said} after {tries} authorizations in a row"),
            "The authorization server does not grant the scopes that the server requires. Ask an administrator to check them.",
        )
        .against(rules::MCP_STEP_UP),
        status => Failure::new(
            Step::Challenge,
            format!("the server still answers {status}{said} after {tries} authorizations in a row"),
            "The server does not accept tokens of the authorization server it names. Check the token's audience, issuer \
             and scopes, and the server's own log.",
        )
        .against(rules::MCP_TOKEN_HANDLING),
    };
    Some(failure.seen_in(refusal.exchange))
}
