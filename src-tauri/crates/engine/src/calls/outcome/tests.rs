use std::time::Duration;

use patchbay_client::{Failure, Finished, Outcome, Unanswered};
use patchbay_contract::ExchangeOutcome;
use patchbay_traffic::{Store, StoreOptions};

use super::{Ending, ending};

/// What the contract says of a request that ended in this way, without a response.
fn outcome_of(outcome: Outcome) -> Result<ExchangeOutcome, String> {
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let finished = Finished {
        outcome,
        request_seq: None,
        response: None,
        duration: Duration::ZERO,
        human_wait: Duration::ZERO,
        legs: 1,
        advice: None,
    };
    match ending(&recorder, finished) {
        Ok(Ending::Other(outcome, None)) => Ok(outcome),
        Ok(_) => panic!("an end without a response has no result"),
        Err(error) => Err(error.message),
    }
}

fn unanswered(status: Option<u16>) -> Outcome {
    Outcome::Unanswered(Box::new(Unanswered {
        failure: Failure::new("Read the response", "The server is busy.", "Try again."),
        status,
        http: None,
        may_have_run: false,
        challenge: None,
        retry_after: None,
    }))
}

#[test]
fn each_end_without_a_response_is_its_own_outcome() {
    let lost = Failure::new("Connection lost", "The server has exited.", "Restart it.");
    let cancelled = |reason: Option<&str>| ExchangeOutcome::CancelledByServer {
        reason: reason.map(str::to_owned),
    };
    let table = [
        (
            Outcome::EndedByServer(Some("closing".to_owned())),
            cancelled(Some("closing")),
        ),
        (Outcome::EndedByServer(None), cancelled(None)),
        (Outcome::Cancelled, ExchangeOutcome::Cancelled {}),
        (
            Outcome::TimedOut {
                after: Duration::from_millis(1500),
            },
            ExchangeOutcome::TimedOut { after_ms: 1500.0 },
        ),
        (
            Outcome::NotSent("Restart the server.".to_owned()),
            ExchangeOutcome::NotSent {
                message: "Restart the server.".to_owned(),
            },
        ),
    ];
    for (outcome, expected) in table {
        assert_eq!(outcome_of(outcome.clone()), Ok(expected), "{outcome:?}");
    }
    // What was sent before the connection broke may have run; a refusal by status says so itself.
    assert!(matches!(
        outcome_of(Outcome::ConnectionLost(lost)),
        Ok(ExchangeOutcome::ConnectionLost { failure, may_have_run: true }) if failure.cause == "The server has exited."
    ));
    assert!(matches!(
        outcome_of(unanswered(Some(503))),
        Ok(ExchangeOutcome::HttpStatus {
            status: 503,
            may_have_run: false,
            unauthorized: false,
            ..
        })
    ));
    assert!(matches!(
        outcome_of(unanswered(None)),
        Ok(ExchangeOutcome::ConnectionLost {
            may_have_run: false,
            ..
        })
    ));
}

#[test]
fn an_outcome_that_needs_a_response_is_an_error_without_one() {
    let outcomes = [
        Outcome::Result,
        Outcome::Error,
        Outcome::Task,
        Outcome::InputRequired("Nobody answered.".to_owned()),
        Outcome::UnknownResultType("new".to_owned()),
    ];
    for outcome in outcomes {
        let error = outcome_of(outcome.clone()).expect_err("there is no answer to show");
        assert!(error.contains("lost"), "{outcome:?}: {error}");
    }
}
