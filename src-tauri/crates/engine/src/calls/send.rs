//! Sends one request and reports its events up to the view of its response.

use patchbay_client as client;
use patchbay_client::{Connection, Finished, Request};
use patchbay_contract::*;

use super::{
    finish,
    outcome::{Ended, Subject, ending},
    throttle::Throttled,
};
use crate::{
    connections::ConnectionHandle, convert, dispatch::error::fail, dispatch::streams::Events,
    lists::definitions, state::Engine,
};

/// Sends a request and reports its events. None if the stream was closed; the request continues.
pub(crate) async fn send(
    engine: &Engine,
    (live, connection): (&ConnectionHandle, &Connection),
    request: Request,
    events: &Events<ExchangeEvent>,
    subject: Subject,
) -> Result<Option<Ended>, CommandError> {
    if !subject.checked {
        definitions::check_call(engine, live, &request).await?;
    }
    let exchange = connection.request(request).await;
    let _running = engine.state.exchanges.enter(exchange.id, connection.clone());
    let Some(finished) = report(exchange, Throttled::new(engine.state.recorder.clone()), events).await?
    else {
        return Ok(None);
    };
    let (duration, human_wait) = (finished.duration, finished.human_wait);
    let request_seq = finished.request_seq.map(convert::seq);
    let response_seq = finished.response.as_ref().map(|answer| convert::seq(answer.seq));
    let ending = ending(&engine.state.recorder, finished)?;
    let ended = finish::ended(engine, (live, connection), ending, subject).await?;
    let event = ExchangeEvent::Finished {
        outcome: ended.outcome.clone(),
        duration_ms: convert::ms(duration),
        human_wait_ms: convert::ms(human_wait),
        request_seq,
        response_seq,
    };
    // If the stream is closed, only the event is lost: the traffic log is complete.
    let _ = events.send(event).await;
    Ok(Some(ended))
}

/// Reports events until the exchange has finished. None if the stream was closed.
async fn report(
    mut exchange: client::Exchange,
    mut progress: Throttled,
    events: &Events<ExchangeEvent>,
) -> Result<Option<Finished>, CommandError> {
    let mut requests = SentRequests::default();
    loop {
        let event = tokio::select! {
            event = exchange.next() => event,
            () = progress.due() => {
                if progress.send(events).await.is_err() {
                    return Ok(None);
                }
                continue;
            }
        };
        let sent = match event {
            Some(client::ExchangeEvent::Sent { seq }) => events.send(requests.sent(exchange.id, seq)).await,
            Some(client::ExchangeEvent::InputRound { round, seq, inputs }) => {
                events.send(requests.asked(round, seq, inputs)).await
            }
            Some(client::ExchangeEvent::Progress(new)) => {
                progress.put(*new);
                Ok(())
            }
            // Notifications of a `subscriptions/listen` sent as a plain request are in the log.
            Some(client::ExchangeEvent::Acknowledged { .. } | client::ExchangeEvent::Notified { .. }) => {
                Ok(())
            }
            Some(client::ExchangeEvent::Finished(finished)) => {
                let is_open = progress.send(events).await.is_ok();
                return Ok(is_open.then_some(*finished));
            }
            None => {
                return Err(fail(
                    ErrorCode::Internal,
                    "The exchange ended without an event. See the traffic log.",
                ));
            }
        };
        if sent.is_err() {
            return Ok(None);
        }
    }
}

/// The requests of one exchange, and why there was more than one.
#[derive(Debug, Default)]
struct SentRequests {
    sent: bool,
    round: Option<u32>,
}

impl SentRequests {
    fn asked(&mut self, round: u32, seq: patchbay_traffic::Seq, inputs: usize) -> ExchangeEvent {
        self.round = Some(round);
        ExchangeEvent::InputRound {
            round,
            count: convert::count(inputs),
            seq: convert::seq(seq),
        }
    }

    fn sent(&mut self, id: u64, seq: patchbay_traffic::Seq) -> ExchangeEvent {
        let seq = convert::seq(seq);
        if !std::mem::replace(&mut self.sent, true) {
            return ExchangeEvent::Started {
                exchange_id: ExchangeId(id.to_string()),
                seq,
            };
        }
        let reason = match self.round.take() {
            Some(round) => format!("With the input of round {round}."),
            None => "Sent again: the server refused it before running it.".to_owned(),
        };
        ExchangeEvent::Resent { seq, reason }
    }
}
