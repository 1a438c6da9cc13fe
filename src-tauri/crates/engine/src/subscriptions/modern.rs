//! `subscriptions/listen`: one request whose response is the end of the stream.

use patchbay_client::{Connection, CountedNotification, ExchangeEvent, Finished, Request};
use patchbay_contract::*;
use patchbay_protocol::views;
use patchbay_traffic::Seq;

use super::{batching::Batch, refused};
use crate::{
    calls::{Ending, ending},
    connections::owned::TaskKind,
    convert,
    dispatch::error::fail,
    dispatch::streams::Events,
    state::Engine,
};

pub(super) async fn run(
    engine: &Engine,
    connection: &Connection,
    filter: &SubscriptionFilter,
    events: &Events<SubscriptionEvent>,
) -> Result<(), CommandError> {
    let mut exchange = connection.request(request(engine, filter)).await;
    let id = exchange.id;
    let _running = engine.state.exchanges.enter(id, connection.clone());
    // Closing the stream ends the subscription.
    let cancel_on_drop = CancelOnDrop::new(engine, id, connection);
    let mut batch = Batch::new(engine.state.recorder.clone());
    // The number of the latest notification: a slow reader misses some, but knows how many there were.
    let mut seen = 0;
    let finished = loop {
        let event = tokio::select! {
            event = exchange.next() => event,
            () = batch.due() => {
                if batch.send(events).await.is_err() {
                    return Ok(());
                }
                continue;
            }
        };
        let sent = match event {
            Some(ExchangeEvent::Sent { seq }) => {
                let opened = SubscriptionEvent::Opened {
                    exchange_id: Some(ExchangeId(id.to_string())),
                    seq: Some(convert::seq(seq)),
                };
                events.send(opened).await
            }
            Some(ExchangeEvent::Acknowledged { seq, granted }) => {
                let granted = granted_filter(&engine.state.masked(granted.into()));
                events.send(acknowledged(filter, granted, seq)).await
            }
            Some(ExchangeEvent::Notified {
                seq,
                method,
                subject,
                count,
            }) => {
                let latest = CountedNotification {
                    method,
                    subject,
                    count,
                    seq,
                };
                add(&mut batch, latest, &mut seen);
                Ok(())
            }
            Some(ExchangeEvent::Progress(_) | ExchangeEvent::InputRound { .. }) => Ok(()),
            Some(ExchangeEvent::Finished(finished)) => break *finished,
            None => {
                return Err(fail(
                    ErrorCode::Internal,
                    "The subscription ended without an event. See the traffic log.",
                ));
            }
        };
        if sent.is_err() {
            return Ok(());
        }
    };
    cancel_on_drop.end();
    if batch.send(events).await.is_ok() {
        // If the stream is closed, only the event is lost: the traffic log is complete.
        let _ = events.send(ended(engine, finished)?).await;
    }
    Ok(())
}

fn request(engine: &Engine, filter: &SubscriptionFilter) -> Request {
    let listen = format!("{{\"notifications\":{}}}", super::to_json(filter));
    let method = patchbay_protocol::methods::SUBSCRIPTIONS_LISTEN;
    Request {
        operation: Some(engine.state.begin("subscription_open", method)),
        ..Request::new(method, Some(listen))
    }
}

fn acknowledged(filter: &SubscriptionFilter, granted: SubscriptionFilter, seq: Seq) -> SubscriptionEvent {
    SubscriptionEvent::Acknowledged {
        refused: refused(filter, &granted),
        granted,
        seq: Some(convert::seq(seq)),
    }
}

/// Adds the latest notification, whose `count` includes all before it, and those since `seen` that a slow reader missed.
fn add(batch: &mut Batch, latest: CountedNotification, seen: &mut u64) {
    let missed = latest.count.saturating_sub(*seen + 1);
    *seen = latest.count;
    let one = CountedNotification { count: 1, ..latest };
    if missed > 0 {
        batch.add(&CountedNotification {
            subject: None,
            count: missed,
            ..one.clone()
        });
    }
    batch.add(&one);
}

fn granted_filter(text: &str) -> SubscriptionFilter {
    let granted = views::SubscriptionFilter::parse(text);
    let owned = |list: Vec<std::borrow::Cow<'_, str>>| list.into_iter().map(Into::into).collect();
    SubscriptionFilter {
        tools_list_changed: granted.tools,
        prompts_list_changed: granted.prompts,
        resources_list_changed: granted.resources,
        resource_uris: owned(granted.uris),
        task_ids: owned(granted.tasks),
    }
}

fn ended(engine: &Engine, finished: Finished) -> Result<SubscriptionEvent, CommandError> {
    let seq = finished.response.as_ref().map(|answer| convert::seq(answer.seq));
    let refused = || "The server refused it. Its response is in the traffic log.".to_owned();
    let (end, reason) = match ending(&engine.state.recorder, finished)? {
        Ending::Result(_) => (SubscriptionEnd::Graceful, "The server ended it.".to_owned()),
        Ending::Task(_) => (SubscriptionEnd::Refused, refused()),
        Ending::Other(outcome, _) => match outcome {
            ExchangeOutcome::CancelledByServer { reason } => (
                SubscriptionEnd::Graceful,
                reason.map_or_else(
                    || "The server cancelled it.".to_owned(),
                    |reason| format!("The server cancelled it: {reason}"),
                ),
            ),
            ExchangeOutcome::RpcError { advice, .. } => {
                (SubscriptionEnd::Refused, advice.unwrap_or_else(refused))
            }
            ExchangeOutcome::NotSent { message } => (SubscriptionEnd::Refused, message),
            ExchangeOutcome::Cancelled {} => (SubscriptionEnd::Cancelled, "You ended it.".to_owned()),
            ExchangeOutcome::TimedOut { after_ms } => (
                SubscriptionEnd::Abrupt,
                format!("No notification for {:.0} s.", after_ms / 1000.0),
            ),
            ExchangeOutcome::ConnectionLost { failure, .. } => (SubscriptionEnd::Abrupt, failure.cause),
            ExchangeOutcome::HttpStatus { message, .. } => (SubscriptionEnd::Abrupt, message),
            ExchangeOutcome::InvalidResult { reason, .. } => (
                SubscriptionEnd::Abrupt,
                format!("The server ended it with an invalid result. {reason}"),
            ),
            ExchangeOutcome::InputRequired { .. }
            | ExchangeOutcome::Result { .. }
            | ExchangeOutcome::Task { .. } => (SubscriptionEnd::Refused, refused()),
        },
    };
    Ok(SubscriptionEvent::Ended { end, reason, seq })
}

/// Cancels the request if dropped before its end.
struct CancelOnDrop {
    engine: Engine,
    id: u64,
    connection: Option<Connection>,
}

impl CancelOnDrop {
    fn new(engine: &Engine, id: u64, connection: &Connection) -> Self {
        Self {
            engine: engine.clone(),
            id,
            connection: Some(connection.clone()),
        }
    }

    fn end(mut self) {
        self.connection = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            let id = self.id;
            let supervisor = connection.supervisor();
            let ending = async move {
                connection
                    .cancel(id, Some("The subscription was closed".to_owned()))
                    .await;
            };
            let tasks = &self.engine.state.tasks;
            tasks.supervised(&supervisor, TaskKind::EndSubscription, ending);
        }
    }
}
